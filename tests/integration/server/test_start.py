# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The start of the service: where it listens, what reaches it, and what keeps it from starting."""

from __future__ import annotations

import http.client
import pathlib
import socket
import sqlite3
import ssl
import subprocess
import sys

import bcrypt
import pytest
from ansible_collections.baremetal.maintenance.tests.support.backend import MODULE, own_environment
from ansible_collections.baremetal.maintenance.tests.support.certificates import Authority

from .processes import Served, configure, eventually, refused


def test_it_says_where_it_listens_when_it_answers(tmp_path: pathlib.Path) -> None:
    with Served.backend(tmp_path) as served:
        assert served.url == f"http://127.0.0.1:{served.port}"
        assert served.get("/healthz")[0] == 200
        assert served.get("/v1")[0] == 200


def test_the_command_line_overrides_the_file(tmp_path: pathlib.Path) -> None:
    with Served.backend(tmp_path, "--port", "0", "--database", str(tmp_path / "other.sqlite"), port=1) as served:
        assert served.get("/healthz")[0] == 200
    assert (tmp_path / "other.sqlite").exists()
    assert not (tmp_path / "maintenance.sqlite").exists()


def test_a_port_that_another_program_has_is_refused(tmp_path: pathlib.Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = refused(tmp_path, port=port)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1] == (
        f"baremetal-maintenance-backend: cannot listen on 127.0.0.1:{port}: another program does already; stop it or choose another port"
    )
    assert ended.stdout == ""


def test_a_second_backend_on_a_port_is_refused_and_the_first_goes_on(tmp_path: pathlib.Path) -> None:
    with Served.backend(tmp_path, workers=2) as served:
        ended = refused(tmp_path, port=served.port)
        assert ended.returncode == 2
        assert "another program does already" in ended.stderr
        assert "Traceback" not in ended.stderr
        assert served.get("/healthz")[0] == 200


def test_of_backends_that_start_at_the_same_moment_one_gets_the_port(tmp_path: pathlib.Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    path = configure(tmp_path, port=port)
    command = [sys.executable, "-m", MODULE, "serve", "--config", str(path)]
    subprocess.run([sys.executable, "-m", MODULE, "migrate", "--config", str(path)], env=own_environment(), check=True, capture_output=True)
    started = [
        subprocess.Popen(command, env=own_environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for _one in range(3)
    ]
    try:
        assert eventually(lambda: [process.poll() for process in started].count(2) == 2)
        running = [process for process in started if process.poll() is None]
        assert len(running) == 1
        assert running[0].stdout is not None
        assert running[0].stdout.readline() == f"listening on http://127.0.0.1:{port}\n"
    finally:
        for process in started:
            process.terminate()
            process.wait(30)
            if process.stdout is not None:
                process.stdout.close()


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("192.0.2.1", "this machine does not have that address"),
        ("no.such.host.invalid", "this machine does not know that address"),
    ],
)
def test_an_address_that_is_not_here_is_refused(tmp_path: pathlib.Path, host: str, expected: str) -> None:
    (tmp_path / "htpasswd").write_bytes(b"op:" + bcrypt.hashpw(b"x", bcrypt.gensalt(4)) + b"\n")
    (tmp_path / "identities.yml").write_text("op: {user_id: op, roles: [admin]}\n", encoding="utf-8")
    ended = refused(tmp_path, host=host, auth_strategy="http_basic", basic_auth_file="htpasswd", identities_file="identities.yml")
    assert ended.returncode == 2
    assert expected in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_configuration_with_several_mistakes_is_a_line_for_each_and_touches_nothing(tmp_path: pathlib.Path) -> None:
    ended = refused(tmp_path, prot=1, threads="many", host="0.0.0.0")
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 3
    assert all(line.startswith("baremetal-maintenance-backend: ") for line in ended.stderr.splitlines())
    assert {path.name for path in tmp_path.iterdir()} == {"backend.yml"}


def test_a_database_of_an_older_schema_is_refused_with_what_to_do(tmp_path: pathlib.Path) -> None:
    path = configure(tmp_path)
    subprocess.run([sys.executable, "-m", MODULE, "migrate", "--config", str(path)], env=own_environment(), check=True, capture_output=True)
    for revision, expected in (("001", "run the command `migrate` first"), ("999", "which this version does not know")):
        with sqlite3.connect(tmp_path / "maintenance.sqlite") as database:
            database.execute("UPDATE baremetal_maintenance_schema SET revision = ?", (revision,))
        database.close()
        ended = refused(tmp_path)
        assert ended.returncode == 1
        assert expected in ended.stderr
        assert "Traceback" not in ended.stderr


def test_nothing_of_the_processs_environment_reaches_the_application(tmp_path: pathlib.Path) -> None:
    environ = {
        "HTTP_X_USER_ID": "canary",
        "HTTP_X_ROLES": "canary",
        "REMOTE_USER": "canary",
        "DB_PASSWORD": "canary",
        "BAREMETAL_MAINTENANCE_BACKEND_SERVICE_PROJECT": "canary",
    }
    with Served.tiny(tmp_path, environ) as served:
        seen = served.get("/", {"X-Roles": "admin"})[1]["environ"]
        assert seen["HTTP_X_ROLES"] == "admin"
        assert "canary" not in str(seen)


def test_a_variable_that_looks_like_an_identity_changes_nothing(tmp_path: pathlib.Path) -> None:
    (tmp_path / "htpasswd").write_bytes(b"op:" + bcrypt.hashpw(b"x", bcrypt.gensalt(4)) + b"\n")
    (tmp_path / "identities.yml").write_text("op: {user_id: op, roles: [admin], system: true}\n", encoding="utf-8")
    settings = {"auth_strategy": "http_basic", "basic_auth_file": "htpasswd", "identities_file": "identities.yml"}
    token = "Basic b3A6eA=="
    with Served.backend(tmp_path, environ={"HTTP_AUTHORIZATION": token, "HTTP_X_ROLES": "admin"}, **settings) as served:
        assert served.get("/v1/nodes")[0] == 401
        assert served.get("/v1/nodes", {"X-Roles": "admin", "X_Roles": "admin", "OpenStack-System-Scope": "all"})[0] == 401
        assert served.get("/v1/nodes", {"Authorization": token})[0] == 200


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_tls_is_served_from_1_2_on(tmp_path: pathlib.Path, version: ssl.TLSVersion) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("backend")
    with Served.backend(tmp_path, tls_certificate=pair.certificate, tls_key=pair.key) as served:
        assert served.url.startswith("https://")
        context = ssl.create_default_context(cafile=authority.certificate)
        context.minimum_version = context.maximum_version = version
        with socket.create_connection(("127.0.0.1", served.port), 5) as plain:
            with context.wrap_socket(plain, server_hostname="127.0.0.1") as secure:
                secure.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
                assert secure.recv(100).split()[1] == b"200"


def test_plain_http_gets_no_answer_where_tls_is_served(tmp_path: pathlib.Path) -> None:
    pair = Authority(tmp_path).issue("backend")
    with Served.backend(tmp_path, tls_certificate=pair.certificate, tls_key=pair.key) as served:
        with pytest.raises((OSError, http.client.HTTPException)):
            served.get("/healthz")


def test_the_database_is_not_for_everyone_to_read(tmp_path: pathlib.Path) -> None:
    with Served.backend(tmp_path) as served:
        assert served.get("/healthz")[0] == 200
        files = list(tmp_path.glob("maintenance.sqlite*"))
        assert files
        assert all(file.stat().st_mode & 0o007 == 0 for file in files)


def test_a_test_clock_is_logged(tmp_path: pathlib.Path) -> None:
    with Served.backend(tmp_path, "--test-clock", "86400") as served:
        assert served.logged("this service's clock is +86400 seconds off")


def test_a_line_break_in_a_path_makes_no_line_in_the_log(tmp_path: pathlib.Path) -> None:
    with Served.tiny(tmp_path) as served:
        assert served.get("/a%0Aforged%20line")[0] == 200
        assert served.logged("forged line")
        assert not any(line.startswith("forged") for line in served.log.read_text(encoding="utf-8").splitlines())
