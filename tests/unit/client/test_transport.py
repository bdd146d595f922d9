# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One exchange with a service that is down, slow, broken, lying or somewhere else: an error that says so, and no credential lost."""

from __future__ import annotations

import pathlib
import socket
import socketserver
import ssl
import threading
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import answers, errors, libs
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import Settings
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.transport import Transport
from ansible_collections.baremetal.maintenance.tests.support.certificates import Authority
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire, extended, ironic, refusal

from .conftest import Sleeps

BASIC: t.Final[dict[str, t.Any]] = {"auth_type": "http_basic", "username": "op", "password": "s3cret-word"}
HEADER: t.Final = "Basic b3A6czNjcmV0LXdvcmQ="
GET = answers.Request("GET", "/v1", "learn what the service offers")
PUT = answers.Request("PUT", "/v1/nodes/n1/maintenance", "set the flag", node="n1", body={})


def exchange(url: str, request: answers.Request = GET, **settings: t.Any) -> answers.Answer:
    return Transport(Settings(url=url, **{"timeout": 2, **settings})).exchange(request)


@pytest.fixture
def closed_port() -> t.Iterator[int]:
    """A port on which nobody listens, and which nobody else gets meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.mark.parametrize(
    ("settings", "header", "value"),
    [
        ({}, "Authorization", None),
        (BASIC, "Authorization", HEADER),
        ({**BASIC, "username": "opé"}, "Authorization", "Basic b3DDqTpzM2NyZXQtd29yZA=="),
        ({"auth_type": "token", "token": "t0ken-word"}, "X-Auth-Token", "t0ken-word"),
    ],
)
def test_each_auth_type_sends_its_header(wire: Wire, settings: dict[str, t.Any], header: str, value: str | None) -> None:
    wire.expect("GET", "/v1", headers={"Authorization": None, "X-Auth-Token": None, header: value}).json({})
    exchange(wire.url, **settings)


def test_neither_netrc_nor_the_environment_is_asked(wire: Wire, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    (tmp_path / ".netrc").write_text("default login netrc-user password netrc-password\n")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/no/such/file")
    wire.expect("GET", "/v1", headers={"Authorization": None, "X-Auth-Token": "t0ken-word"}).json({})
    wire.expect("GET", "/v1", headers={"Authorization": None}).json({})
    exchange(wire.url, auth_type="token", token="t0ken-word")
    exchange(wire.url)


def test_a_proxy_is_used_where_it_is_set(wire: Wire) -> None:
    wire.expect("GET", "http://baremetal.invalid:6385/v1", headers={"Proxy-Authorization": "Basic dTpwcjB4eS13b3Jk"}).json({"a": 1})
    assert exchange("http://baremetal.invalid:6385", proxy=f"http://u:pr0xy-word@127.0.0.1:{wire.port}").object() == {"a": 1}


def test_one_connection_serves_all_requests(wire: Wire) -> None:
    transport = Transport(Settings(url=wire.url))
    answers_ = [lambda step: step.json({"a": "b" * 100_000}), lambda step: step.empty(204), lambda step: step.json({}, status=404)]
    for answer in (*answers_, *answers_):
        answer(wire.expect("GET", "/v1"))
        transport.exchange(GET)
    assert wire.connections == 1


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "http://[broken"])
def test_a_proxy_that_cannot_be_used_sends_nothing(proxy: str) -> None:
    with pytest.raises(errors.Unreachable, match="could not be asked .*: check api_url, proxy") as unreachable:
        exchange("http://baremetal.invalid", PUT, proxy=proxy)
    assert (unreachable.value.outcome_unknown, unreachable.value.retryable) == (False, False)


@pytest.mark.parametrize("request_", [GET, PUT])
def test_a_service_that_is_down_is_unreachable_and_surely_did_nothing(closed_port: int, request_: answers.Request) -> None:
    with pytest.raises(errors.Unreachable) as unreachable:
        exchange(f"http://127.0.0.1:{closed_port}", request_)
    assert "did not accept a connection: check that the service runs and that api_url is right" in unreachable.value.msg
    assert (unreachable.value.retryable, unreachable.value.outcome_unknown, unreachable.value.status) == (True, False, None)


def test_a_name_that_does_not_resolve_is_said() -> None:
    with pytest.raises(errors.Unreachable, match="its host name does not resolve") as unreachable:
        exchange("http://baremetal.invalid:6385")
    assert not unreachable.value.outcome_unknown


def test_a_proxy_that_fails_is_said_without_its_password(closed_port: int) -> None:
    with pytest.raises(errors.Unreachable, match="the proxy refused or failed") as unreachable:
        exchange("http://baremetal.invalid:6385", proxy=f"http://u:pr0xy-word@127.0.0.1:{closed_port}")
    assert "pr0xy-word" not in unreachable.value.msg


@pytest.mark.parametrize(("request_", "unknown"), [(GET, False), (PUT, True)])
def test_a_service_that_says_nothing_is_given_up_at_the_timeout(wire: Wire, request_: answers.Request, unknown: bool) -> None:
    wire.expect(request_.method, request_.path).hang(30)
    started = time.monotonic()
    with pytest.raises(errors.Unreachable, match="gave no answer within 0.3 s") as unreachable:
        exchange(wire.url, request_, timeout=0.3)
    assert time.monotonic() - started < 3
    assert unreachable.value.outcome_unknown is unknown


def test_an_answer_that_drips_is_given_up_too(wire: Wire) -> None:
    wire.expect("GET", "/v1").drip(30)
    started = time.monotonic()
    with pytest.raises(errors.Unreachable, match="not complete after 0.5 s"):
        exchange(wire.url, timeout=0.5)
    assert time.monotonic() - started < 3


@pytest.mark.parametrize("headers", [{"Content-Length": "500"}, {"Transfer-Encoding": "chunked", "Content-Length": "500"}])
def test_an_answer_that_breaks_off_is_no_answer(wire: Wire, headers: dict[str, str]) -> None:
    wire.expect("PUT", PUT.path).raw(b"20\r\nabc" if len(headers) == 2 else b'{"nodes": [', headers=headers)
    with pytest.raises(errors.Unreachable, match="sent an answer that ended in the middle") as unreachable:
        exchange(wire.url, PUT)
    assert unreachable.value.outcome_unknown


def test_a_connection_that_is_closed_without_an_answer_is_said(wire: Wire) -> None:
    wire.expect("GET", "/v1").close()
    with pytest.raises(errors.Unreachable, match="closed the connection without an answer"):
        exchange(wire.url)


def test_an_answer_that_is_too_large_is_not_read_to_its_end(wire: Wire) -> None:
    wire.expect("GET", "/v1").raw(b" " * 300_000)
    with pytest.raises(errors.Unreachable, match="an answer of more than 100 KiB") as unreachable:
        Transport(Settings(url=wire.url), body_limit=100 * 1024).exchange(GET)
    assert not unreachable.value.retryable


def test_what_is_no_http_is_said(closed_port: int) -> None:
    with Wire() as wire:
        wire.expect("GET", "/v1").play = lambda out: (out.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n"), out.hang_up())
        with pytest.raises(errors.Unreachable, match="closed the connection without an answer"):
            exchange(wire.url)


@pytest.mark.parametrize(
    ("body", "content_type", "said"),
    [
        (b"<html>log in here</html>", "text/html; charset=utf-8", "a web page; check that api_url is the address of the API"),
        (b"  <!DOCTYPE html>", "application/json", "a web page"),
        (b"", "application/json", "an empty body"),
        (b"{", "application/json", "a body that is not JSON"),
        (b'{"a": NaN}', "application/json", "a body that is not JSON"),
        (b'{"a": "\xe9"}', "application/json", "a body that is not UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "application/json", "a body that is not UTF-8"),
        (b"[" * 200_000, "application/json", "JSON that is nested too deeply"),
        (b"[1]", "application/json", "JSON that is not an object"),
        (b'{"maintenance": {}}', "application/json", "JSON without a list of objects called 'maintenance'"),
        (b'{"maintenance": [1]}', "application/json", "JSON without a list of objects called 'maintenance'"),
        (b'{"maintenance": [{"uuid": "u", "type": "x_a"}]}', "application/json", "JSON in which 'scope' is missing"),
        (b"{}", "application/json", "JSON without a list of objects called 'maintenance'"),
    ],
)
def test_an_answer_of_another_shape_is_not_taken_for_an_empty_list(wire: Wire, api: Api, body: bytes, content_type: str, said: str) -> None:
    extended(wire)
    wire.expect("GET", "/v1/nodes/n1/maintenance").raw(body, headers={"Content-Type": content_type})
    with pytest.raises(errors.BadAnswer) as refused:
        api.list_entries("n1")
    assert refused.value.msg.startswith(
        "Cannot list the holds of node n1: the service answered GET /v1/nodes/n1/maintenance with HTTP 200 and "
    )
    assert said in refused.value.msg


def test_a_read_is_redirected_within_the_same_origin(wire: Wire) -> None:
    wire.expect("GET", "/v1").empty(301, headers={"Location": "/v1/"})
    wire.expect("GET", "/v1/", headers={"Authorization": HEADER}).json({"a": 1})
    assert exchange(wire.url, **BASIC).object() == {"a": 1}


@pytest.mark.parametrize(
    "target", ["http://127.0.0.2:{port}/v1", "https://127.0.0.1:{port}/v1", "http://127.0.0.1:1/v1", "//evil.example.org/v1"]
)
def test_a_redirect_elsewhere_is_not_followed_and_says_where_it_points(wire: Wire, target: str) -> None:
    location = target.format(port=wire.port)
    wire.expect("GET", "/v1").empty(302, headers={"Location": location.replace("//", "//op:s3cret-word@") + "?token=s3cret-word"})
    with pytest.raises(errors.BadAnswer, match="not followed because the credential would go along: set api_url") as refused:
        exchange(wire.url, **BASIC)
    assert location.split("//")[1] in refused.value.msg
    assert "s3cret-word" not in refused.value.msg


def test_a_redirect_from_https_to_plain_http_is_not_followed(tmp_path: pathlib.Path) -> None:
    authority = Authority(tmp_path)
    server = authority.issue("server")
    with Wire(tls=(server.certificate, server.key)) as wire:
        wire.expect("GET", "/v1").empty(301, headers={"Location": f"http://127.0.0.1:{wire.port}/v1"})
        with pytest.raises(errors.BadAnswer, match=f"a redirect to http://127.0.0.1:{wire.port}/v1, which is not followed"):
            exchange(wire.url, ca_path=authority.certificate, **BASIC)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_write_is_never_redirected(wire: Wire, status: int) -> None:
    wire.expect("PUT", PUT.path).empty(status, headers={"Location": f"{PUT.path}/"})
    with pytest.raises(errors.BadAnswer, match="is not followed"):
        exchange(wire.url, PUT)


@pytest.mark.parametrize("location", ["", "http://[broken/", "/v1"])
def test_a_redirect_to_nowhere_or_in_a_circle_ends(wire: Wire, location: str) -> None:
    for _turn in range(4 if location == "/v1" else 1):
        wire.expect("GET", "/v1").empty(302, headers={"Location": location})
    with pytest.raises(errors.BadAnswer):
        exchange(wire.url)


@pytest.fixture
def authority(tmp_path: pathlib.Path) -> Authority:
    """An authority that nobody trusts yet."""
    return Authority(tmp_path)


def test_a_certificate_that_is_not_trusted_ends_it_at_once(authority: Authority, sleeps: Sleeps) -> None:
    server = authority.issue("server")
    with Wire(tls=(server.certificate, server.key)) as wire, pytest.raises(errors.Unreachable) as unreachable:
        Api(Settings(url=wire.url, timeout=2), sleep=sleeps).service()
    assert "is not trusted (" in unreachable.value.msg
    assert unreachable.value.msg.endswith("check api_url, or give the CA of its certificate as ca_path")
    assert sleeps == []


def test_a_ca_of_ones_own_makes_it_trusted(authority: Authority) -> None:
    server = authority.issue("server")
    with Wire(tls=(server.certificate, server.key)) as wire:
        wire.expect("GET", "/v1").json({})
        assert exchange(wire.url, ca_path=authority.certificate).status == 200


def test_a_certificate_for_another_name_is_not_trusted(authority: Authority) -> None:
    server = authority.issue("server")
    with Wire(tls=(server.certificate, server.key)) as wire, pytest.raises(errors.Unreachable, match="is not trusted"):
        exchange(wire.url.replace("127.0.0.1", "localhost"), ca_path=authority.certificate)


@pytest.mark.filterwarnings("error")
def test_without_verification_it_is_quiet(authority: Authority, capfd: pytest.CaptureFixture[str]) -> None:
    server = authority.issue("server")
    with Wire(tls=(server.certificate, server.key)) as wire:
        wire.expect("GET", "/v1").json({})
        exchange(wire.url, validate_certs=False, ca_path=authority.certificate)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("together", [True, False])
def test_a_client_certificate_is_shown_to_a_service_that_wants_one(authority: Authority, tmp_path: pathlib.Path, together: bool) -> None:
    server, client = authority.issue("server"), authority.issue("client")
    both = tmp_path / "both.pem"
    both.write_bytes(pathlib.Path(client.certificate).read_bytes() + pathlib.Path(client.key).read_bytes())
    with Wire(tls=(server.certificate, server.key)) as wire:
        wire._server.tls.verify_mode = ssl.CERT_REQUIRED
        wire._server.tls.load_verify_locations(authority.certificate)
        wire.expect("GET", "/v1").json({})
        given = {"client_cert": str(both)} if together else {"client_cert": client.certificate, "client_key": client.key}
        assert exchange(wire.url, ca_path=authority.certificate, **given).status == 200


def test_a_service_that_misses_a_client_certificate_is_told(authority: Authority) -> None:
    server = authority.issue("server")
    with Wire(tls=(server.certificate, server.key)) as wire:
        wire._server.tls.verify_mode = ssl.CERT_REQUIRED
        wire._server.tls.load_verify_locations(authority.certificate)
        # The service's alert and the end of the connection race each other: either way it is said what may be missing.
        said = r"could not agree on a TLS connection .*client_cert|closed the connection .*give client_cert"
        with pytest.raises(errors.Unreachable, match=said):
            exchange(wire.url, ca_path=authority.certificate)


def test_a_ca_file_that_holds_no_certificate_is_told(authority: Authority, tmp_path: pathlib.Path) -> None:
    server = authority.issue("server")
    (tmp_path / "empty.pem").write_text("no certificate\n")
    with Wire(tls=(server.certificate, server.key)) as wire, pytest.raises(errors.Unreachable, match="ca_path|files of certificates"):
        exchange(wire.url, ca_path=str(tmp_path / "empty.pem"))


def test_a_write_over_tls_that_gets_no_answer_may_have_been_done(authority: Authority) -> None:
    server = authority.issue("server")
    with Wire(tls=(server.certificate, server.key)) as wire:
        wire.expect("PUT", PUT.path).close()
        with pytest.raises(errors.Unreachable, match="closed the connection without an answer") as unreachable:
            exchange(wire.url, PUT, ca_path=authority.certificate)
    assert (unreachable.value.outcome_unknown, unreachable.value.retryable) == (True, True)


class PlainHttp(socketserver.BaseRequestHandler):
    """Answers whatever comes as a server without TLS does. What comes is random, and now and then looks like a request."""

    def handle(self) -> None:
        self.request.recv(65536)
        self.request.sendall(b"HTTP/1.0 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


def test_plain_http_on_a_tls_address_is_told() -> None:
    with socketserver.TCPServer(("127.0.0.1", 0), PlainHttp) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            with pytest.raises(errors.Unreachable):
                exchange(f"https://127.0.0.1:{server.server_address[1]}")
        finally:
            server.shutdown()
            thread.join()


def test_a_missing_library_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libs, "requests", None)
    with pytest.raises(errors.MissingLibrary, match="The Python library requests is needed where this runs and is not installed"):
        exchange("http://127.0.0.1:1")


@pytest.mark.parametrize("extra", [{"a": float("nan")}, {"a": object()}, {"a": {1, 2}}])
def test_what_is_no_json_is_not_sent(wire: Wire, api: Api, extra: dict[str, t.Any]) -> None:
    extended(wire)
    with pytest.raises(errors.BadOption, match="what is to be sent is not JSON"):
        api.assert_entry("n1", type="operator_hold", extra=extra)


@pytest.mark.parametrize("given", [BASIC, {"auth_type": "token", "token": "s3cret-word"}])
def test_a_credential_that_a_service_repeats_is_taken_out(wire: Wire, given: dict[str, t.Any]) -> None:
    ironic(wire)
    text = f"cannot log in op with s3cret-word ({HEADER}) at http://op:hunter2@db/x"
    wire.expect("PUT", PUT.path).json(refusal(text, "unauthenticated"), status=401)
    with pytest.raises(errors.Refused) as refused:
        Api(Settings(url=wire.url, **given)).set_flag("n1", "x")
    assert "s3cret-word" not in refused.value.msg
    assert "hunter2" not in refused.value.msg
    assert "http://********@db/x" in refused.value.msg
    if given is BASIC:
        assert HEADER.split()[1] not in refused.value.msg
