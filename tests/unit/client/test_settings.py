# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings: checked before anything is sent, each mistake one sentence, no secret in any text."""

from __future__ import annotations

import pathlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors, network, settings

URL = "http://127.0.0.1:6385"
BASIC = {"auth_type": "http_basic", "username": "op", "password": "s3cret-word"}


def resolve(environ: dict[str, str] | None = None, **given: t.Any) -> settings.Settings:
    return settings.resolve({"api_url": URL, **given}, environ or {})


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("http://h:6385", "http://h:6385"),
        ("http://h:6385/", "http://h:6385"),
        ("http://h:6385/v1", "http://h:6385"),
        ("http://h:6385/v1/", "http://h:6385"),
        ("https://h/baremetal/v1", "https://h/baremetal"),
        ("https://h/baremetal", "https://h/baremetal"),
        (" https://h ", "https://h"),
        ("https://[::1]:6385", "https://[::1]:6385"),
    ],
)
def test_the_address_is_taken_with_and_without_v1(given: str, url: str) -> None:
    assert resolve(api_url=given).url == url


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "api_url is missing"),
        ("", "api_url is missing"),
        ("baremetal.example.org", "begins with http:// or https://"),
        ("ftp://h", "begins with http:// or https://"),
        ("http://", "begins with http:// or https://"),
        ("http://h h", "begins with http:// or https://"),
        ("http://h:99999", "a port from 1 to 65535"),
        ("http://h:port", "a port from 1 to 65535"),
        ("http://h/v1?x=1", "query or a fragment"),
        ("http://op:s3cret-word@h", "holds a user name or password: give them as username and password"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_without_repeating_it(given: str | None, said: str) -> None:
    with pytest.raises(errors.BadOption, match=said) as refused:
        settings.resolve({"api_url": given}, {})
    assert "s3cret-word" not in refused.value.msg


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"auth_type": "http_basic"}, "auth_type http_basic needs username and password"),
        ({"auth_type": "http_basic", "username": "op", "password": ""}, "auth_type http_basic needs password"),
        ({**BASIC, "username": "a:b"}, "username holds a colon"),
        ({"auth_type": "token"}, "auth_type token needs token"),
        ({"auth_type": "token", "token": "s3cret-word\n"}, "token holds a character that a header cannot carry"),
        ({"username": "op"}, "username is given, but auth_type is none and would not send it: set auth_type to http_basic"),
        ({"token": "s3cret-word"}, "token is given, but auth_type is none and would not send it: set auth_type to token"),
        ({"client_key": "/k"}, "client_key is given without client_cert"),
        ({"ca_path": "/no/such/file"}, "ca_path is /no/such/file, which does not exist where this runs"),
        ({"timeout": 0}, "timeout is 0, and must be at least 1"),
        ({"retries": -1}, "retries is -1, and must be at least 0"),
        ({"proxy": "proxy:3128"}, "proxy is not a URL that can be used"),
    ],
)
def test_options_that_do_not_go_together_are_refused(given: dict[str, t.Any], said: str) -> None:
    with pytest.raises(errors.BadOption) as refused:
        resolve(**given)
    assert said in refused.value.msg
    assert "s3cret-word" not in refused.value.msg


def test_the_text_of_settings_holds_no_secret() -> None:
    made = [resolve(**BASIC, proxy="http://u:pr0xy-word@p:1"), resolve(auth_type="token", token="t0ken-word")]
    for text in (repr(one) + str(one) for one in made):
        assert not any(word in text for word in ("s3cret-word", "t0ken-word", "pr0xy-word"))


def test_everything_that_must_not_be_shown_is_listed() -> None:
    made = resolve(**BASIC, proxy="http://u:pr0xy%2Fword@p:1")
    assert set(made.secrets()) == {"s3cret-word", "pr0xy%2Fword", "pr0xy/word", "b3A6czNjcmV0LXdvcmQ="}


def test_the_identity_differs_by_whatever_reaches_another_service_or_is_somebody_else() -> None:
    made = [
        resolve(),
        resolve(api_url="http://127.0.0.2:6385"),
        resolve(**BASIC),
        resolve(**{**BASIC, "username": "op2"}),
        resolve(auth_type="token", token="t0ken-word"),
        resolve(auth_type="token", token="t0ken-other"),
        resolve(validate_certs=False),
        resolve(proxy="http://p:1"),
    ]
    assert len({one.identity() for one in made}) == len(made)


def test_the_identity_lets_no_guess_at_a_password_be_tried() -> None:
    assert resolve(**BASIC).identity() == resolve(**{**BASIC, "password": "another"}).identity()


@pytest.mark.parametrize("url", ["http://10.1.2.3:6385", "http://baremetal.example.org", "http://localhost.example.org"])
@pytest.mark.parametrize(("given", "kind"), [(BASIC, "password"), ({"auth_type": "token", "token": "t0ken-word"}, "token")])
def test_a_credential_over_plain_http_to_another_machine_warns(url: str, given: dict[str, str], kind: str) -> None:
    (warning,) = resolve(api_url=url, **given).warnings()
    assert warning.startswith(f"The {kind} goes to ")
    assert "over plain HTTP" in warning


@pytest.mark.parametrize(
    "given",
    [
        {"api_url": "http://10.1.2.3"},
        {"api_url": "https://10.1.2.3", **BASIC},
        {"api_url": "http://127.0.0.1", **BASIC},
        {"api_url": "http://127.1.2.3", **BASIC},
        {"api_url": "http://localhost:1", **BASIC},
        {"api_url": "http://[::1]:1", **BASIC},
    ],
)
def test_no_credential_or_a_safe_way_does_not_warn(given: dict[str, str]) -> None:
    assert resolve(**given).warnings() == []


def test_an_explicit_proxy_wins_and_serves_this_machine_too() -> None:
    assert resolve({"http_proxy": "http://e:1"}, proxy="http://o:2").proxy == "http://o:2"
    assert resolve({"http_proxy": "http://e:1"}, api_url=URL).proxy is None


@pytest.mark.parametrize(
    ("url", "environ", "proxy"),
    [
        ("https://h", {"https_proxy": "http://p:1"}, "http://p:1"),
        ("https://h", {"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        ("https://h", {"http_proxy": "http://p:1"}, None),
        ("https://h", {"ALL_PROXY": "p:1"}, "http://p:1"),
        ("https://h", {"https_proxy": "http://p:1", "no_proxy": "h"}, None),
        ("https://h", {"https_proxy": "http://p:1", "NO_PROXY": "*"}, None),
        ("https://a.example.org", {"https_proxy": "http://p:1", "no_proxy": "x, example.org"}, None),
        ("https://a.example.org", {"https_proxy": "http://p:1", "no_proxy": ".example.org"}, None),
        ("https://badexample.org", {"https_proxy": "http://p:1", "no_proxy": "example.org"}, "http://p:1"),
        ("https://h:8443", {"https_proxy": "http://p:1", "no_proxy": "h:443"}, "http://p:1"),
        ("https://h", {"https_proxy": "http://p:1", "no_proxy": "h:443"}, None),
        ("https://10.1.2.3", {"https_proxy": "http://p:1", "no_proxy": "10.0.0.0/8"}, None),
        ("https://11.1.2.3", {"https_proxy": "http://p:1", "no_proxy": "10.0.0.0/8,junk/99"}, "http://p:1"),
        ("https://[fd00::1]", {"https_proxy": "http://p:1", "no_proxy": "fd00::/8"}, None),
        ("https://h", {"https_proxy": ""}, None),
    ],
)
def test_the_environments_proxy_is_found_as_other_tools_find_it(url: str, environ: dict[str, str], proxy: str | None) -> None:
    assert resolve(environ, api_url=url).proxy == proxy


def test_a_ca_and_a_certificate_are_taken_from_the_environment(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "ca.pem"
    file.touch()
    made = resolve({"REQUESTS_CA_BUNDLE": str(file), "OS_CERT": str(file)})
    assert (made.ca_path, made.client_cert) == (str(file), str(file))


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("localhost", True), ("LOCALHOST.", True), ("a.localhost", True), ("127.9.9.9", True), ("::1", True), ("[::1]", True)]
    + [("127.example.org", False), ("10.0.0.1", False), ("::", False), ("", False), ("0.0.0.0", False)],
)
def test_loopback_is_this_machine_and_nothing_else(host: str, loopback: bool) -> None:
    assert network.is_loopback(host) is loopback
