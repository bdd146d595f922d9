# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Keystone on loopback: SQLite, Fernet tokens, with the people of PEOPLE in it. Fixture: `real_keystone` (session).

    with Keystone(tmp_path) as keystone:
        keystone.set_endpoint(backend.url)                        what the catalogue says of `baremetal`
        token = keystone.token("owner-member")
        keystone.clouds_yaml(tmp_path / "clouds.yaml", "lessee-admin")

Projects: `owner`, `lessee`, `stranger` (give their ids to nodes: keystone.project_id("owner")), `service`, `admin`, `operations`.
Users: `system-admin`, `system-member`, `system-reader`; `owner-admin`, `owner-manager`, `owner-member`, `owner-reader`, and so for
`lessee` and `stranger`; `nova`, a service user (role `service` in the project `service`); `ironic`, with which Ironic checks tokens;
`backend`, with which our backend checks tokens and acts (role `service`, and admin of the system); `operations-admin`, an admin of a
project that has no nodes. Every password is the user's name followed by "-password". It is ended by its process id.
"""

from __future__ import annotations

import inspect
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import typing as t
import urllib.error
import urllib.request

import requests
import yaml
from ansible_collections.baremetal.maintenance.tests.lab import environment
from ansible_collections.baremetal.maintenance.tests.support.backend import free_port, own_environment

REQUIREMENTS: t.Final = ("keystone==30.0.0", "cheroot>=10.0.1")
CONSTRAINTS: t.Final = pathlib.Path(__file__).with_name("keystone-constraints.txt")
REGION: t.Final = "RegionOne"

#: In a grant and in `token`, in place of a project.
SYSTEM: t.Final = "system"
#: What each user is: (role, project or SYSTEM). The first is what their tokens are for.
PEOPLE: t.Final[dict[str, tuple[tuple[str, str], ...]]] = {
    **{f"system-{role}": ((role, SYSTEM),) for role in ("admin", "member", "reader")},
    **{
        f"{project}-{role}": ((role, project),)
        for project in ("owner", "lessee", "stranger")
        for role in ("admin", "manager", "member", "reader")
    },
    "operations-admin": (("admin", "operations"),),
    "nova": (("service", "service"),),
    "ironic": (("service", "service"),),
    "backend": (("admin", SYSTEM), ("service", "service")),
}

_ADMIN: t.Final = "keystone-admin"
_CONFIGURATION: t.Final = """
[DEFAULT]
log_file = {folder}/keystone.log
use_stderr = false
[database]
connection = sqlite:///{folder}/keystone.sqlite
[token]
provider = fernet
expiration = 86400
[fernet_tokens]
key_repository = {folder}/fernet
[credential]
key_repository = {folder}/credential
[cache]
# Without it a token takes a hundred queries. There is one process: what changes is forgotten at once.
enabled = true
backend = dogpile.cache.memory
[identity]
# The cheapest there is: a token then takes milliseconds.
password_hash_algorithm = bcrypt
password_hash_rounds = 4
"""


class Keystone:
    """One Keystone; the folder keeps its configuration, keys, database and log. It is installed on first use (environment.NotBuilt)."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.port = free_port()
        #: The identity API, with its version: an auth_url.
        self.url = f"http://127.0.0.1:{self.port}/v3"
        self._process: subprocess.Popen[bytes] | None = None
        self._tokens: dict[tuple[str, str], str] = {}
        self._passwords: dict[str, str] = {}
        self._ids: dict[tuple[str, str], str] = {}
        self._session = requests.Session()
        self._session.trust_env = False

    def __enter__(self) -> Keystone:
        self.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def start(self) -> None:
        """Start it and wait until it answers; the first time on a copy of a database with everybody in it. Raises RuntimeError."""
        python = environment.python_with("keystone", REQUIREMENTS, CONSTRAINTS)
        if not (self.folder / "keystone.sqlite").exists():
            made_from = json.dumps([PEOPLE, _CONFIGURATION, inspect.getsource(Keystone._fill), inspect.getsource(_with_people)])
            shutil.copytree(environment.kept("keystone", "people", made_from, _with_people), self.folder, dirs_exist_ok=True)
        self._serve(python)
        for interface in ("public", "internal", "admin"):
            self._put_endpoint("identity", interface, self.url)

    def close(self) -> None:
        """End it. It can be started again, with everything that it knows."""
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def token(self, user: str, scope: str | None = None, *, fresh: bool = False) -> str:
        """Give a user's token for a project, by its name, or for SYSTEM; None: for what PEOPLE has first.

        It is the same one each time, unless fresh. Raises AssertionError if Keystone refuses.
        """
        scope = scope or PEOPLE[user][0][1]
        if fresh or (user, scope) not in self._tokens:
            answer = self._session.post(f"{self.url}/auth/tokens", json=_request(user, self.password(user), scope), timeout=60)
            assert answer.status_code == 201, answer.text
            self._tokens[user, scope] = answer.headers["X-Subject-Token"]
        return self._tokens[user, scope]

    def password(self, user: str) -> str:
        """Give a user's password."""
        return self._passwords.get(user, f"{user}-password")

    def set_password(self, user: str, password: str | None = None) -> None:
        """Change a user's password, None: back to the first one. Keystone then refuses the tokens that they had."""
        password = password or f"{user}-password"
        self._ask("PATCH", f"/users/{self.user_id(user)}", {"user": {"password": password}})
        self._passwords[user] = password
        self._forget(user)

    def remove_system_role(self, user: str, role: str = "admin") -> None:
        """Take a role at the system from a user. Keystone then refuses the tokens for the system that they had."""
        self._ask("DELETE", f"/system/users/{self.user_id(user)}/roles/{self._id('roles', role)}")
        self._forget(user)

    def add_system_role(self, user: str, role: str = "admin") -> None:
        """Give a user a role at the system."""
        self._ask("PUT", f"/system/users/{self.user_id(user)}/roles/{self._id('roles', role)}")

    def add_role(self, user: str, role: str, project: str) -> None:
        """Give a user a role in a project."""
        self._ask("PUT", f"/projects/{self.project_id(project)}/users/{self.user_id(user)}/roles/{self._id('roles', role)}")

    def set_endpoint(self, url: str) -> None:
        """Let the catalogue say that this is the bare metal service, on every interface; url without /v1."""
        for interface in ("public", "internal", "admin"):
            self._put_endpoint("baremetal", interface, url)

    def user_id(self, user: str) -> str:
        """Give a user's id."""
        return self._id("users", user)

    def project_id(self, project: str) -> str:
        """Give a project's id."""
        return self._id("projects", project)

    def credentials(self, user: str, scope: str | None = None) -> dict[str, str]:
        """Give what keystoneauth's plugin `password` takes, for a project or SYSTEM; None: as in `token`."""
        scope = scope or PEOPLE[user][0][1]
        place = {"system_scope": "all"} if scope == SYSTEM else {"project_name": scope, "project_domain_name": "Default"}
        return {"auth_url": self.url, "username": user, "password": self.password(user), "user_domain_name": "Default", **place}

    def environ(self, user: str, scope: str | None = None) -> dict[str, str]:
        """Give the OS_* variables with which an OpenStack client is this user."""
        named = {f"OS_{name.upper()}": value for name, value in self.credentials(user, scope).items()}
        return {**named, "OS_AUTH_TYPE": "password", "OS_REGION_NAME": REGION, "OS_IDENTITY_API_VERSION": "3"}

    def clouds_yaml(self, path: pathlib.Path, *users: str) -> pathlib.Path:
        """Write a clouds.yaml with a cloud for each of the users, of the user's name; give the path."""
        clouds = {
            user: {"auth_type": "password", "auth": self.credentials(user), "region_name": REGION, "identity_api_version": "3"}
            for user in users
        }
        path.write_text(yaml.safe_dump({"clouds": clouds}), encoding="utf-8")
        path.chmod(0o600)
        return path

    def _serve(self, python: pathlib.Path, seconds: float = 180.0) -> None:
        configuration = self.folder / "keystone.conf"
        configuration.write_text(_CONFIGURATION.format(folder=self.folder), encoding="utf-8")
        server = pathlib.Path(__file__).with_name("keystone_server.py")
        with (self.folder / "stdout.log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(python), "-P", str(server), str(configuration), str(self.port)],
                env=own_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._process.poll() is None:
            if _answers(self.url):
                return
            time.sleep(0.1)
        self.close()
        raise RuntimeError(f"Keystone did not start:\n{self._log()}")

    def _put_endpoint(self, service: str, interface: str, url: str) -> None:
        service_id = self._id("services", service)
        endpoint = {"service_id": service_id, "interface": interface, "url": url, "region_id": REGION}
        found = self._ask("GET", f"/endpoints?service_id={service_id}&interface={interface}")["endpoints"]
        if found:
            self._ask("PATCH", f"/endpoints/{found[0]['id']}", {"endpoint": endpoint})
        else:
            self._ask("POST", "/endpoints", {"endpoint": endpoint})

    def _id(self, collection: str, name: str) -> str:
        if (collection, name) not in self._ids:
            by = "type" if collection == "services" else "name"
            [found] = self._ask("GET", f"/{collection}?{by}={name}")[collection]
            self._ids[collection, name] = found["id"]
        return self._ids[collection, name]

    def _ask(self, method: str, path: str, body: t.Any = None) -> t.Any:
        token = self._tokens.get((_ADMIN, "admin"))
        if token is None:
            request = _request(_ADMIN, f"{_ADMIN}-password", "admin")
            token = self._session.post(f"{self.url}/auth/tokens", json=request, timeout=60).headers["X-Subject-Token"]
            self._tokens[_ADMIN, "admin"] = token
        answer = self._session.request(method, self.url + path, json=body, headers={"X-Auth-Token": token}, timeout=60)
        if not answer.ok:
            raise RuntimeError(f"Keystone answered {method} {path} with {answer.status_code}: {answer.text}")
        return answer.json() if answer.content else None

    def _forget(self, user: str) -> None:
        self._tokens = {key: token for key, token in self._tokens.items() if key[0] != user}

    def _log(self) -> str:
        logs = (self.folder / name for name in ("stdout.log", "keystone.log"))
        return "\n".join(log.read_text(encoding="utf-8", errors="replace")[-3000:] for log in logs if log.exists())

    def _fill(self) -> None:
        """Make the projects, the users and their roles."""
        known = {role["name"] for role in self._ask("GET", "/roles")["roles"]}
        for role in {role for grants in PEOPLE.values() for role, _place in grants} - known:
            self._ask("POST", "/roles", {"role": {"name": role}})
        for project in sorted({place for grants in PEOPLE.values() for _role, place in grants if place != SYSTEM}):
            self._ask("POST", "/projects", {"project": {"name": project, "domain_id": "default"}})
        for user, grants in PEOPLE.items():
            self._ask("POST", "/users", {"user": {"name": user, "password": f"{user}-password", "domain_id": "default"}})
            for role, place in grants:
                if place == SYSTEM:
                    self.add_system_role(user, role)
                else:
                    self.add_role(user, role, place)
        self._ask("POST", "/services", {"service": {"type": "baremetal", "name": "baremetal"}})


def _with_people(folder: pathlib.Path) -> None:
    """Fill a folder with the keys and the database of a Keystone that has everybody in it."""
    commands = environment.BUILD / "keystone-venv" / "bin"
    configuration = folder / "keystone.conf"
    configuration.write_text(_CONFIGURATION.format(folder=folder), encoding="utf-8")
    owner = (f"--keystone-user={os.getuid()}", f"--keystone-group={os.getgid()}")
    for name in ("fernet", "credential"):
        (folder / name).mkdir(mode=0o700)
    keystone = Keystone(folder)
    first = ("username", _ADMIN), ("password", f"{_ADMIN}-password"), ("project-name", "admin"), ("region-id", REGION)
    for command in (
        ("db_sync",),
        ("fernet_setup", *owner),
        ("credential_setup", *owner),
        ("bootstrap", *(f"--bootstrap-{name}={value}" for name, value in first), f"--bootstrap-public-url={keystone.url}"),
    ):
        line = [str(commands / "keystone-manage"), "--config-file", str(configuration), *command]
        done = subprocess.run(line, env=own_environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"Keystone could not be made ({command[0]}):\n{done.stderr[-2000:]}")
    keystone._serve(commands / "python")
    try:
        keystone._fill()
    finally:
        keystone.close()
    for log in folder.glob("*.log"):
        log.unlink()


def _request(user: str, password: str, scope: str) -> dict[str, t.Any]:
    place: dict[str, t.Any] = {"system": {"all": True}}
    if scope != SYSTEM:
        place = {"project": {"name": scope, "domain": {"id": "default"}}}
    who = {"name": user, "domain": {"id": "default"}, "password": password}
    return {"auth": {"identity": {"methods": ["password"], "password": {"user": who}}, "scope": place}}


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except (OSError, urllib.error.URLError):
        return False
