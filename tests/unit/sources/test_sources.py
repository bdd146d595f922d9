# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is imported is read whole or not at all: from a file, from a running Ironic."""

from __future__ import annotations

import base64
import io
import json
import pathlib
import sys
import types
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.sources import file, ironic
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.sources.document import SourceError
from ansible_collections.baremetal.maintenance.tests.support.certificates import Authority
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire
from ansible_collections.baremetal.maintenance.tests.support.wire import ironic as ironic_version

DETAIL = "/v1/nodes/detail"


def node(number: int) -> dict[str, t.Any]:
    """A node of an Ironic."""
    return {"uuid": f"00000000-0000-4000-8000-{number:012}", "name": f"node-{number}", "maintenance": False}


def page(*numbers: int, more: bool = False) -> dict[str, t.Any]:
    """A page of these nodes; its link names an address that nobody reaches."""
    document: dict[str, t.Any] = {"nodes": [node(number) for number in numbers]}
    if more:
        document["next"] = "http://ironic.internal:6385/v1/nodes/detail?marker=x"
    return document


def failure(read: t.Callable[[], t.Any]) -> str:
    """Give the sentence of a source that cannot be read."""
    with pytest.raises(SourceError) as caught:
        read()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_file_is_read(tmp_path: pathlib.Path) -> None:
    (tmp_path / "nodes.json").write_text(json.dumps(page(1, 2)), encoding="utf-8")
    assert file.read(str(tmp_path / "nodes.json")) == [node(1), node(2)]


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(buffer=io.BytesIO(json.dumps(page(1)).encode())))
    assert file.read("-") == [node(1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is not JSON"),
        ('{"nodes": [', "is not JSON"),
        ("<html>", "is not JSON"),
        ("[]", 'has no list "nodes"'),
        ('{"nodes": {}}', 'has no list "nodes"'),
        ('{"nodes": [1]}', 'has no list "nodes"'),
        ('{"nodes": [{"name": "n"}]}', "node number 1 has no uuid"),
        (json.dumps(page(1, more=True)), "is one page of several"),
    ],
)
def test_a_file_that_is_no_document_is_one_sentence(tmp_path: pathlib.Path, text: str, expected: str) -> None:
    (tmp_path / "nodes.json").write_text(text, encoding="utf-8")
    assert expected in failure(lambda: file.read(str(tmp_path / "nodes.json")))


def test_a_missing_file_is_one_sentence(tmp_path: pathlib.Path) -> None:
    assert failure(lambda: file.read(str(tmp_path / "none"))) == f"{tmp_path}/none cannot be read: no such file or directory"


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
def test_an_ironic_is_read_to_its_last_page_at_the_address_that_was_given(ending: str) -> None:
    with Wire() as wire:
        ironic_version(wire, "1.99")
        version = {"X-OpenStack-Ironic-API-Version": "1.99", "X-Auth-Token": None, "Authorization": None}
        wire.expect("GET", DETAIL, query={"limit": "500"}, headers=version).json(page(1, 2, more=True))
        wire.expect("GET", DETAIL, query={"limit": "500", "marker": node(2)["uuid"]}, headers=version).json(page(3))
        assert ironic.read(wire.url + ending, ironic.Access()) == [node(1), node(2), node(3)]


def test_no_version_is_asked_for_that_this_code_does_not_know() -> None:
    with Wire() as wire:
        ironic_version(wire, "1.300")
        wire.expect("GET", DETAIL, headers={"X-OpenStack-Ironic-API-Version": "1.115"}).json(page())
        assert ironic.read(wire.url, ironic.Access()) == []


def test_the_version_is_taken_from_the_document_where_no_header_names_it() -> None:
    with Wire() as wire:
        wire.expect("GET", "/v1").json({"id": "v1", "version": {"version": "1.78"}})
        wire.expect("GET", DETAIL, headers={"X-OpenStack-Ironic-API-Version": "1.78"}).json(page(1))
        assert ironic.read(wire.url, ironic.Access()) == [node(1)]


@pytest.mark.parametrize(
    ("access", "headers"),
    [
        (ironic.Access(token="gAAAA"), {"X-Auth-Token": "gAAAA"}),
        (
            ironic.Access(login="op", password="pa:ss"),
            {"Authorization": "Basic " + base64.b64encode(b"op:pa:ss").decode()},
        ),
    ],
)
def test_a_credential_is_sent_with_every_request(access: ironic.Access, headers: dict[str, str]) -> None:
    with Wire() as wire:
        wire.expect("GET", "/v1", headers=headers).json({"version": {"version": "1.90"}})
        wire.expect("GET", DETAIL, headers=headers).json(page(1))
        assert ironic.read(wire.url, access) == [node(1)]


def test_a_credential_is_in_no_representation() -> None:
    assert "pa:ss" not in repr(ironic.Access(login="op", password="pa:ss")) and "gAAAA" not in repr(ironic.Access(token="gAAAA"))


def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with Wire() as wire:
        ironic_version(wire)
        wire.expect("GET", DETAIL).json(page(1))
        assert ironic.read(wire.url, ironic.Access()) == [node(1)]


def test_a_redirect_is_not_followed() -> None:
    with Wire() as wire:
        wire.expect("GET", "/v1").empty(302, {"Location": "http://elsewhere.example/v1"})
        assert "points to 'http://elsewhere.example/v1'" in failure(lambda: ironic.read(wire.url, ironic.Access(token="x")))


@pytest.mark.parametrize("status", [401, 403])
def test_a_missing_credential_is_said(status: int) -> None:
    with Wire() as wire:
        wire.expect("GET", "/v1").json({}, status=status)
        assert f"answered {status}: the credential is missing" in failure(lambda: ironic.read(wire.url, ironic.Access()))


@pytest.mark.parametrize("status", [404, 500, 503])
def test_an_error_in_the_middle_imports_nothing(status: int) -> None:
    with Wire() as wire:
        ironic_version(wire)
        wire.expect("GET", DETAIL).json(page(1, more=True))
        wire.expect("GET", DETAIL).json({}, status=status)
        assert f"answered {status}; nothing is imported" in failure(lambda: ironic.read(wire.url, ironic.Access()))


def test_an_answer_that_breaks_off_imports_nothing() -> None:
    with Wire() as wire:
        ironic_version(wire)
        body = json.dumps(page(1)).encode()
        wire.expect("GET", DETAIL).raw(body, headers={"Content-Length": str(len(body) + 10)})
        assert "broke off" in failure(lambda: ironic.read(wire.url, ironic.Access()))


def test_a_connection_that_closes_without_a_word_is_one_sentence() -> None:
    with Wire() as wire:
        wire.expect("GET", "/v1").close()
        assert "nothing is imported" in failure(lambda: ironic.read(wire.url, ironic.Access()))


def test_a_node_on_two_pages_imports_nothing() -> None:
    with Wire() as wire:
        ironic_version(wire)
        wire.expect("GET", DETAIL).json(page(1, 2, more=True))
        wire.expect("GET", DETAIL).json(page(2, 3))
        assert "a node twice" in failure(lambda: ironic.read(wire.url, ironic.Access()))


def test_a_page_without_nodes_that_promises_more_imports_nothing() -> None:
    with Wire() as wire:
        ironic_version(wire)
        wire.expect("GET", DETAIL).json(page(more=True))
        assert "without an end" in failure(lambda: ironic.read(wire.url, ironic.Access()))


def test_what_is_no_ironic_is_said() -> None:
    with Wire() as wire:
        wire.expect("GET", "/v1").text("<html>welcome</html>")
        assert "does not answer as an Ironic does" in failure(lambda: ironic.read(wire.url, ironic.Access()))


def test_html_instead_of_nodes_is_said() -> None:
    with Wire() as wire:
        ironic_version(wire)
        wire.expect("GET", DETAIL).text("<html>maintenance</html>")
        assert "is not JSON" in failure(lambda: ironic.read(wire.url, ironic.Access()))


def test_nobody_there_is_one_sentence() -> None:
    with Wire() as wire:
        gone = wire.url
    assert f"{gone}/v1 cannot be reached" in failure(lambda: ironic.read(gone, ironic.Access()))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://op:secret@ironic.example", "holds a credential"),
        ("ftp://ironic.example", "is not the URL of an Ironic"),
        ("http://", "is not the URL of an Ironic"),
        ("http://ironic.example?x=1", "is not the URL of an Ironic"),
    ],
)
def test_a_url_that_is_none_is_one_sentence(url: str, expected: str) -> None:
    sentence = failure(lambda: ironic.read(url, ironic.Access()))
    assert expected in sentence
    assert "secret" not in sentence


def test_tls_is_verified_against_the_authority_that_was_named(tmp_path: pathlib.Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("ironic")
    with Wire(tls=(pair.certificate, pair.key)) as wire:
        ironic_version(wire)
        wire.expect("GET", DETAIL).json(page(1))
        assert ironic.read(wire.url, ironic.Access(ca=authority.certificate)) == [node(1)]


def test_tls_of_an_unknown_authority_is_refused(tmp_path: pathlib.Path) -> None:
    pair = Authority(tmp_path).issue("ironic")
    with Wire(tls=(pair.certificate, pair.key)) as wire:
        assert "cannot be reached" in failure(lambda: ironic.read(wire.url, ironic.Access()))


def test_an_authority_that_is_none_is_one_sentence(tmp_path: pathlib.Path) -> None:
    (tmp_path / "ca.pem").write_text("nothing", encoding="utf-8")
    assert "it holds no certificate" in failure(lambda: ironic.read("https://ironic.example", ironic.Access(ca=str(tmp_path / "ca.pem"))))
