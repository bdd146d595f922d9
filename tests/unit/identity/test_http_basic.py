# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTP Basic: who is let in, who is not, and what each answer costs and tells."""

from __future__ import annotations

import base64
import concurrent.futures
import pathlib
import statistics
import threading
import time
import typing as t

import bcrypt
import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.config import Config
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.errors import Refusal
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.identity import build as builder
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.identity import credential_cache
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.mistakes import ConfigErrors

IDENTITIES = """\
op: {user_id: op-id, roles: [admin], system: true}
alice: {user_id: alice-id, user_name: Alice, project_id: own, project_name: Owners, roles: [member]}
nova: {user_id: nova-id, project_id: svc, project_name: service, roles: [service]}
"""


def digest(password: str, cost: int = 4, prefix: bytes = b"2b") -> str:
    """Give a bcrypt hash as htpasswd writes it."""
    made = bcrypt.hashpw(password.encode(), bcrypt.gensalt(cost)).decode()
    return "$" + prefix.decode() + made[3:]


def build(folder: pathlib.Path, passwords: t.Mapping[str, str], identities: str = IDENTITIES) -> builder.Authenticator:
    """Give the authenticator of two files: each login's hash, and the identities."""
    (folder / "htpasswd").write_text("".join(f"{login}:{value}\n" for login, value in passwords.items()), encoding="utf-8")
    (folder / "identities.yml").write_text(identities, encoding="utf-8")
    return builder.build(
        Config(
            database="/unused",
            auth_strategy="http_basic",
            basic_auth_file=str(folder / "htpasswd"),
            identities_file=str(folder / "identities.yml"),
        )
    )


@pytest.fixture
def known(tmp_path: pathlib.Path) -> builder.Authenticator:
    """Three logins; each one's password is its name and `-secret`."""
    return build(tmp_path, {login: digest(f"{login}-secret") for login in ("op", "alice", "nova")})


def basic(login: str, password: str | bytes) -> dict[str, t.Any]:
    """Give a WSGI environ with these credentials."""
    secret = password.encode() if isinstance(password, str) else password
    return {"HTTP_AUTHORIZATION": "Basic " + base64.b64encode(login.encode() + b":" + secret).decode()}


def refusal(authenticator: builder.Authenticator, environ: dict[str, t.Any]) -> Refusal:
    """Give the refusal of a request that must be refused."""
    with pytest.raises(Refusal) as caught:
        authenticator.identify(environ)
    return caught.value


def test_a_caller_is_who_the_file_says(known: builder.Authenticator) -> None:
    caller = known.identify(basic("alice", "alice-secret"))
    assert (caller.user_id, caller.user_name, caller.project_id, caller.project_name) == ("alice-id", "Alice", "own", "Owners")
    assert (caller.roles, caller.system, caller.source) == (("member", "reader"), False, "api")


def test_a_caller_s_credential_is_what_it_showed(known: builder.Authenticator) -> None:
    """An Ironic behind us is asked with it."""
    for _turn in range(2):
        assert known.identify(basic("alice", "alice-secret")).credential == basic("alice", "alice-secret")["HTTP_AUTHORIZATION"]
    assert "alice-secret" not in repr(known.identify(basic("alice", "alice-secret")))


def test_a_caller_without_a_name_is_called_by_its_login_and_without_a_project_has_none(known: builder.Authenticator) -> None:
    caller = known.identify(basic("op", "op-secret"))
    assert (caller.user_name, caller.project_id, caller.system) == ("op", "", True)
    assert caller.roles == ("admin", "manager", "member", "reader")


def test_service_stands_alone(known: builder.Authenticator) -> None:
    assert known.identify(basic("nova", "nova-secret")).roles == ("service",)


def test_only_the_file_makes_a_system_admin(known: builder.Authenticator) -> None:
    environ = basic("alice", "alice-secret") | {"HTTP_OPENSTACK_SYSTEM_SCOPE": "all", "HTTP_X_ROLES": "admin", "HTTP_X_USER_ID": "op-id"}
    caller = known.identify(environ)
    assert (caller.user_id, caller.roles, caller.system) == ("alice-id", ("member", "reader"), False)
    assert set(environ) == {"HTTP_AUTHORIZATION"}


@pytest.mark.parametrize("prefix", [b"2y", b"2a", b"2b"])
def test_every_spelling_of_bcrypt_is_taken(tmp_path: pathlib.Path, prefix: bytes) -> None:
    known = build(tmp_path, {"op": digest("op-secret", prefix=prefix)})
    assert known.identify(basic("op", "op-secret")).user_id == "op-id"


REFUSED = [
    ("no header", {}, "Authorization required: "),
    ("an empty header", {"HTTP_AUTHORIZATION": ""}, "Could not parse Authorization header: "),
    ("a scheme alone", {"HTTP_AUTHORIZATION": "Basic"}, "Could not parse Authorization header: "),
    ("another scheme", {"HTTP_AUTHORIZATION": "Bearer abc"}, "Unsupported authorization type: "),
    ("not base64", {"HTTP_AUTHORIZATION": "Basic !!!"}, "Could not decode authorization token: "),
    ("base64 cut off", {"HTTP_AUTHORIZATION": "Basic b3A6b3A"}, "Could not decode authorization token: "),
    ("not ASCII", {"HTTP_AUTHORIZATION": "Basic \xe4\xf6"}, "Could not decode authorization token: "),
    ("no colon", {"HTTP_AUTHORIZATION": "Basic " + base64.b64encode(b"op").decode()}, "Could not decode authorization token: "),
    ("a login that is not UTF-8", {"HTTP_AUTHORIZATION": "Basic " + base64.b64encode(b"\xff:x").decode()}, "Could not decode"),
    ("a wrong password", basic("op", "alice-secret"), "Incorrect username or password: "),
    ("an empty password", basic("op", ""), "Incorrect username or password: "),
    ("an unknown login", basic("mallory", "op-secret"), "Incorrect username or password: "),
    ("an empty login", basic("", "op-secret"), "Incorrect username or password: "),
    ("a login in other case", basic("OP", "op-secret"), "Incorrect username or password: "),
    ("a password of 73 bytes", basic("op", "x" * 73), "Incorrect username or password: "),
    ("a password of a megabyte", basic("op", "x" * 1_000_000), "Incorrect username or password: "),
    ("a password with a NUL", basic("op", b"op-secret\0more"), "Incorrect username or password: "),
    ("a password that is not UTF-8", basic("op", b"\xff\xfe"), "Incorrect username or password: "),
]


@pytest.mark.parametrize(("environ", "text"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_whoever_does_not_prove_who_it_is_gets_ironics_401(known: builder.Authenticator, environ: dict[str, t.Any], text: str) -> None:
    refused = refusal(known, dict(environ))
    assert (refused.status, refused.code) == (401, "unauthenticated")
    assert refused.text.startswith(text)
    assert refused.headers == {"WWW-Authenticate": 'Basic realm="Baremetal API"'}
    assert "secret" not in refused.text


def test_a_password_of_72_bytes_is_taken_and_one_more_byte_is_not_the_same(tmp_path: pathlib.Path) -> None:
    known = build(tmp_path, {"op": digest("x" * 72)})
    assert known.identify(basic("op", "x" * 72)).user_id == "op-id"
    assert refusal(known, basic("op", "x" * 73)).status == 401


def test_a_password_may_hold_colons(tmp_path: pathlib.Path) -> None:
    known = build(tmp_path, {"op": digest("a:b:c")})
    assert known.identify(basic("op", "a:b:c")).user_id == "op-id"


def test_the_scheme_is_taken_in_any_case_and_with_blanks(known: builder.Authenticator) -> None:
    token = basic("op", "op-secret")["HTTP_AUTHORIZATION"].partition(" ")[2]
    assert known.identify({"HTTP_AUTHORIZATION": f"  bAsIc   {token} "}).user_id == "op-id"


def test_an_unknown_login_costs_the_time_of_a_wrong_password(tmp_path: pathlib.Path) -> None:
    known = build(tmp_path, {"op": digest("op-secret", 8), "alice": digest("alice-secret", 8)})

    def seconds(login: str, number: int) -> float:
        # CPU time of this thread: other processes on the machine do not count.
        start = time.thread_time()
        refusal(known, basic(login, f"wrong-{number}"))
        return time.thread_time() - start

    unknown = statistics.median(seconds("mallory", number) for number in range(9))
    wrong = statistics.median(seconds("op", number) for number in range(9))
    assert unknown == pytest.approx(wrong, rel=0.4)


def test_a_verified_credential_is_not_checked_again_for_a_minute(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = counted(monkeypatch)
    clock = [1000.0]
    monkeypatch.setattr(credential_cache.CredentialCache.__init__, "__defaults__", (lambda: clock[0],))
    known = build(tmp_path, {"op": digest("op-secret")})
    for now, expected in ((1000.0, 1), (1059.9, 1), (1060.0, 2), (1100.0, 2)):
        clock[0] = now
        assert known.identify(basic("op", "op-secret")).user_id == "op-id"
        assert len(checks) == expected


def test_a_wrong_password_is_checked_every_time(known: builder.Authenticator, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = counted(monkeypatch)
    known.identify(basic("op", "op-secret"))
    for _again in range(3):
        refusal(known, basic("op", "wrong"))
    assert len(checks) == 4


def test_a_login_and_a_password_are_not_told_apart_by_their_join(tmp_path: pathlib.Path) -> None:
    identities = "ab: {user_id: one, roles: [reader]}\na: {user_id: two, roles: [admin], system: true}\n"
    known = build(tmp_path, {"ab": digest("c"), "a": digest("x")}, identities)
    assert known.identify(basic("ab", "c")).user_id == "one"
    assert refusal(known, basic("a", "bc")).status == 401


@pytest.mark.parametrize("right", [True, False])
def test_one_check_answers_all_who_ask_with_the_same_credential_at_once(right: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = credential_cache.CredentialCache()
    waiting = threading.Semaphore(0)
    wait = concurrent.futures.Future.result

    def result(self: concurrent.futures.Future[bool]) -> bool:
        waiting.release()
        return wait(self)

    monkeypatch.setattr(concurrent.futures.Future, "result", result)
    checks: list[int] = []

    def check() -> bool:
        checks.append(1)
        # The answer comes when seven others wait for it.
        assert all(waiting.acquire(timeout=10) for _other in range(7))
        return right

    answers: list[bool] = []
    threads = [threading.Thread(target=lambda: answers.append(cache.verified("op", b"secret", check))) for _thread in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [right] * 8
    assert len(checks) == 1


def test_a_check_that_fails_fails_for_all_who_wait_and_is_tried_again() -> None:
    cache = credential_cache.CredentialCache()

    def broken() -> bool:
        raise MemoryError

    with pytest.raises(MemoryError):
        cache.verified("op", b"secret", broken)
    assert cache.verified("op", b"secret", lambda: True)


def test_the_cache_holds_no_password(known: builder.Authenticator) -> None:
    known.identify(basic("op", "op-secret"))
    cache = known._cache  # type: ignore[attr-defined]
    assert cache._good_until and not cache._pending
    assert b"op-secret" not in b"".join(cache._good_until)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Give a list that grows with every check of bcrypt's."""
    checks: list[bytes] = []
    real = bcrypt.checkpw

    def checking(password: bytes, hashed: bytes) -> bool:
        checks.append(hashed)
        return real(password, hashed)

    monkeypatch.setattr(bcrypt, "checkpw", checking)
    return checks


WRONG_FILES = [
    ({"op": "plain"}, None, "line 1: the password of 'op' is not a bcrypt hash"),
    ({"op": "{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ="}, None, "is not a bcrypt hash"),
    ({"op": "$2y$99$" + "a" * 53}, None, "is not a bcrypt hash"),
    ({}, None, "holds no login"),
    ({"op": digest("x"), "eve": digest("x")}, None, "has no 'eve', who has a password"),
    ({"op": digest("x")}, "", "holds no login"),
    ({"op": digest("x")}, "op: [admin]\n", "must be a mapping with user_id and roles, not a list"),
    ({"op": digest("x")}, "op: {roles: [admin]}\n", "user_id is missing"),
    ({"op": digest("x")}, "op: {user_id: 5, roles: [admin]}\n", "user_id must be text, not a number; quote it"),
    ({"op": digest("x")}, 'op: {user_id: "", roles: [admin]}\n', "user_id must be 1 to 255 printable characters"),
    ({"op": digest("x")}, 'op: {user_id: "\\0null", roles: [admin]}\n', "user_id must be 1 to 255 printable characters"),
    ({"op": digest("x")}, f"op: {{user_id: {'x' * 256}, roles: [admin]}}\n", "user_id must be 1 to 255"),
    ({"op": digest("x")}, "op: {user_id: op}\n", "roles must be a list of at least one role's name"),
    ({"op": digest("x")}, "op: {user_id: op, roles: admin}\n", "roles must be a list"),
    ({"op": digest("x")}, "op: {user_id: op, roles: []}\n", "roles must be a list"),
    ({"op": digest("x")}, "op: {user_id: op, roles: [admin], system: all}\n", "system must be true or false, not text"),
    ({"op": digest("x")}, "op: {user_id: op, roles: [admin], sytem: true}\n", "'sytem' is not known here; did you mean system?"),
    ({"op": digest("x")}, "op: {user_id: a, roles: [b]}\nop: {user_id: c, roles: [d]}\n", "the key 'op' stands twice"),
]


@pytest.mark.parametrize(("passwords", "identities", "expected"), WRONG_FILES, ids=[case[2] for case in WRONG_FILES])
def test_a_mistake_in_the_files_is_one_sentence_without_a_hash(
    tmp_path: pathlib.Path, passwords: dict[str, str], identities: str | None, expected: str
) -> None:
    with pytest.raises(ConfigErrors) as caught:
        build(tmp_path, passwords, IDENTITIES if identities is None else identities)
    assert len(caught.value.errors) == 1
    assert expected in caught.value.errors[0]
    assert not any(value in caught.value.errors[0] for value in passwords.values())
