# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Error answers of every shape become one sentence."""

from __future__ import annotations

import json

import pytest
from baremetal_maintenance import errors, service, typed_api

FAULT = json.dumps({"faultcode": "Client", "faultstring": "Node n1 is locked.", "debuginfo": None})


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (json.dumps({"error_message": FAULT}), "Node n1 is locked."),
        (json.dumps({"error_message": json.dumps({"code": 405, "title": "Method Not Allowed", "description": ""})}), "Method Not Allowed"),
        (json.dumps({"error_message": "Cannot release maintenance entry e1"}), "Cannot release maintenance entry e1"),
        (json.dumps({"error": {"code": 401, "title": "Unauthorized", "message": "It needs\na token."}}), "It needs a token."),
        (json.dumps({"faultcode": "Client", "faultstring": "Request body is too large"}), "Request body is too large"),
        (
            "<html><title>Bad Gateway</title></html>",
            "a web page came instead of the API's answer, so something in front of the API answered",
        ),
        ("upstream is away", "upstream is away"),
        ("", ""),
        ("[1]", "[1]"),
        ("[" * 100_000, None),
    ],
)
def test_the_words_are_found(body: str, said: str | None) -> None:
    found = errors.read(body.encode()).text
    assert "\n" not in found
    assert said is None or found == said


def test_a_refusal_of_ours_is_told_in_its_own_words_with_who_can_help() -> None:
    blockers = [{"uuid": "e1", "who_can": "a system operator"}, {"uuid": "e2", "who_can": "a system operator"}]
    body = {"error_message": FAULT.replace("is locked.", "is held"), "refusal": {"code": "not_permitted", "blockers": blockers}}
    error = errors.refused("release it", 403, json.dumps(body).encode())
    assert str(error) == "Node n1 is held; who can: a system operator"
    assert (error.status, error.code, error.blockers) == (403, "not_permitted", blockers)


def test_any_other_refusal_says_what_was_not_done() -> None:
    assert str(errors.refused("list it", 500, b"")) == "Cannot list it: the service gives no reason (HTTP 500)"


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        {"maintenance_api": None},
        {"maintenance_api": {"microversion": "latest", "extensions": []}},
        {"maintenance_api": {"microversion": "1.116"}},
    ],
)
def test_a_service_that_does_not_describe_typed_holds_is_unknown(document: object) -> None:
    assert service.from_version_document(document) == service.Service("unknown")


@pytest.mark.parametrize("status", [200, 403, 404, 405, 406, 401, 500, 503])
def test_a_probe_tells_only_what_it_proves(status: int) -> None:
    expected = {200: "native", 403: "native", 405: "boolean", 406: "boolean"}.get(status, "unknown")
    assert service.from_probe(status).kind == expected


class Endpoint:
    """An adapter that knows an address only."""

    def __init__(self, url: str | None) -> None:
        self.get_endpoint = lambda: url


@pytest.mark.parametrize("url", ["http://ironic:6385", "http://ironic:6385/", "http://ironic:6385/v1", "http://ironic:6385/v1/"])
def test_the_address_is_known_with_and_without_its_version(url: str) -> None:
    assert typed_api.base_url(Endpoint(url)) == "http://ironic:6385"


def test_a_catalogue_without_the_service_is_named() -> None:
    with pytest.raises(errors.MaintenanceError, match="neither given nor in the service catalogue"):
        typed_api.base_url(Endpoint(None))
