# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What only a real server can show of bad input: bodies without a length, odd request lines, one credential after another."""

from __future__ import annotations

import socket
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend
from ansible_collections.baremetal.maintenance.tests.support.service import authorization
from ansible_collections.baremetal.maintenance.tests.support.talking import Talk, said

MIB = 1024 * 1024


def chunks(head: bytes, size: int) -> t.Iterator[bytes]:
    """Give a body of this size in pieces, so that it is sent without a length."""
    yield head
    left = size - len(head)
    while left > 0:
        piece = min(left, 65536)
        yield b" " * piece
        left -= piece


@pytest.mark.parametrize(("size", "status"), [(MIB, 201), (MIB + 1, 413), (8 * MIB, 413)])
def test_a_body_without_a_length_is_measured_as_it_comes(talk: Talk, size: int, status: int) -> None:
    node = talk.node()
    answer = talk(
        "owner",
        "POST",
        f"/nodes/{node}/maintenance",
        data=chunks(b'{"type": "operator_hold"}', size),
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == status
    assert len(talk.entries("owner", node)) == (status == 201)


def test_a_body_that_says_too_much_of_itself_is_refused_unread(talk: Talk, backend: Backend) -> None:
    node = talk.node()
    head = (
        f"POST /v1/nodes/{node}/maintenance HTTP/1.1\r\nHost: x\r\nAuthorization: {authorization('owner')}\r\n"
        f"X-OpenStack-Ironic-API-Version: latest\r\nContent-Type: application/json\r\nContent-Length: {100 * MIB}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", backend.port), timeout=10) as connection:
        connection.sendall(head.encode())
        assert b" 413 " in connection.recv(65536)
    assert talk.entries("owner", node) == []


RAW = [
    b"GET /v1/nodes/%00/maintenance HTTP/1.1\r\nHost: x\r\nAuthorization: {auth}\r\nConnection: close\r\n\r\n",
    b"GET /v1/nodes/%ff%fe HTTP/1.1\r\nHost: x\r\nAuthorization: {auth}\r\nConnection: close\r\n\r\n",
    b"GET /v1/nodes/../../etc/passwd HTTP/1.1\r\nHost: x\r\nAuthorization: {auth}\r\nConnection: close\r\n\r\n",
    b"GET /v1/nodes HTTP/1.1\r\nHost: x\r\nAuthorization: {auth}\r\nAuthorization: {auth}\r\nConnection: close\r\n\r\n",
    b"GET /v1/nodes HTTP/1.1\r\nHost: x\r\nX-OpenStack-Ironic-API-Version: \xff\xfe\r\nAuthorization: {auth}\r\nConnection: close\r\n\r\n",
    b"GET /v1/nodes?" + b"a" * 20000 + b" HTTP/1.1\r\nHost: x\r\nAuthorization: {auth}\r\nConnection: close\r\n\r\n",
    b"BREW /v1/nodes HTTP/1.1\r\nHost: x\r\nAuthorization: {auth}\r\nConnection: close\r\n\r\n",
    b"not http at all\r\n\r\n",
]


@pytest.mark.parametrize("raw", RAW)
def test_an_odd_request_is_answered_or_dropped_and_the_service_lives_on(talk: Talk, backend: Backend, raw: bytes) -> None:
    with socket.create_connection(("127.0.0.1", backend.port), timeout=10) as connection:
        connection.sendall(raw.replace(b"{auth}", authorization("owner").encode()))
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    assert b" 500 " not in answer.partition(b"\r\n")[0]
    assert b"Traceback" not in answer
    assert talk("owner", "GET", "/nodes").status_code == 200


def test_everyone_has_one_credential_and_nobody_anothers(talk: Talk) -> None:
    node = talk.node()
    for auth in (("owner", "lessee-password"), ("owner", ""), ("nobody", "owner-password"), ("owner", "owner-password ")):
        answer = talk("owner", "GET", f"/nodes/{node}", auth=auth)
        assert (answer.status_code, answer.json()["refusal"]["code"]) == (401, "unauthenticated")
        assert said(answer).startswith("Incorrect username or password")
    assert talk(None, "GET", f"/nodes/{node}").status_code == 401
    assert talk("owner", "GET", f"/nodes/{node}").status_code == 200


def test_neither_passwords_nor_reasons_reach_the_log(talk: Talk, backend: Backend) -> None:
    node = talk.node()
    talk("owner", "POST", f"/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "a reason of some weight"})
    talk("lessee", "DELETE", f"/nodes/{node}/maintenance")
    talk("owner", "GET", "/nodes", auth=("owner", "wrong-but-secret"))
    assert f"/v1/nodes/{node}/maintenance" in backend.log
    for secret in ("owner-password", "lessee-password", "wrong-but-secret", authorization("owner")[6:], "a reason of some weight"):
        assert secret not in backend.log
