# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Error answers in every shape of the field become one sentence with fields."""

from __future__ import annotations

import datetime
import email.utils
import json
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import answers, errors, refusals
from ansible_collections.baremetal.maintenance.tests.support.wire import fault, refusal

from .samples import BLOCKER

LOCKED = "Node n1 is locked by host lab-conductor, please retry after the current operation is completed."


def error(status: int, body: t.Any, method: str = "POST", what: str = "hold node n1", **headers: str) -> errors.Refused:
    """Give what the client makes of an answer; a body that is not bytes is JSON."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = answers.Request(method=method, path="/v1/nodes/n1", what=what, node="n1")
    return refusals.error_of(answers.Answer(request, status, {name.replace("_", "-"): value for name, value in headers.items()}, raw))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (fault("Access was denied to the following resource: baremetal:node:set_maintenance"), "Access was denied to the following"),
        ({"error_message": '{"code": 405, "title": "Method Not Allowed", "description": ""}'}, "Method Not Allowed"),
        ({"error_message": '{"code": 406, "title": "Not Acceptable", "description": "Version 2.1"}'}, "Not Acceptable: Version 2.1"),
        ({"error_message": {"faultstring": "an object and no string"}}, "an object and no string"),
        ({"error_message": "Cannot release maintenance entry 8d8d: not permitted"}, "Cannot release maintenance entry 8d8d: not permitted"),
        ({"error": {"code": 401, "title": "Unauthorized", "message": "The request requires authentication"}}, "requires authentication"),
        ({"error": {"message": "Authorization required", "code": 401}}, "Authorization required"),
        ({"error": "invalid_request"}, "invalid_request"),
        ({"faultcode": "Client", "faultstring": "Request body is too large..."}, "Request body is too large"),
        ({"title": "Bad Request", "description": "no JSON"}, "Bad Request: no JSON"),
        ({"message": "from a gateway"}, "from a gateway"),
        (b"upstream connect error", "upstream connect error"),
        (b"", "the service gives no reason"),
        ({}, "the service gives no reason"),
        ([], "[]"),
        ({"error_message": ""}, "the service gives no reason"),
        ({"error_message": None, "error": None}, "the service gives no reason"),
        ({"error_message": "[1, 2]"}, "[1, 2]"),
        (b"\xff\xfe\x00broken", "broken"),
        (b"[" * 100_000, "[[["),
    ],
)
def test_the_services_words_are_found_in_each_shape(body: t.Any, said: str) -> None:
    assert said in error(403, body).msg


def test_the_sentence_says_what_was_refused_the_words_the_status_and_the_remedy() -> None:
    assert error(403, fault("Access was denied.")).msg == (
        "Cannot hold node n1: Access was denied (HTTP 403); use credentials that the service's policy lets do this"
    )


def test_a_refusal_of_our_backend_is_a_sentence_already() -> None:
    refused = error(403, refusal("Node n1 is held by others.", "not_permitted", "n1", [BLOCKER]))
    assert (refused.msg, refused.code, refused.blockers) == ("Node n1 is held by others.", "not_permitted", [BLOCKER])


def test_a_refusal_that_does_not_name_the_node_gets_it_named() -> None:
    assert error(400, refusal("type is unknown", "unknown_type")).msg == "Node n1: type is unknown"


def test_several_lines_become_one() -> None:
    assert "a b c (HTTP 400)" in error(400, fault("a\n  b\r\nc")).msg


def test_a_web_page_is_named_by_its_title_and_not_poured_out() -> None:
    page = b"<html><head><title>502 Bad\n Gateway &amp; co</title></head><body>" + b"x" * 10_000
    msg = error(502, page).msg
    assert "a web page titled '502 Bad Gateway & co' came instead of the API's answer" in msg
    assert len(msg) < 300


def test_a_long_text_is_cut() -> None:
    assert len(error(500, b"word " * 10_000).msg) < 500


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (400, {}, "invalid"),
        (401, {}, "unauthenticated"),
        (403, {}, "not_permitted"),
        (404, {}, "not_found"),
        (405, {}, "not_supported"),
        (406, {}, "not_supported"),
        (409, fault(LOCKED), "locked"),
        (409, fault("Node n1 is associated with instance i"), "conflict"),
        (413, {}, "invalid"),
        (429, {}, "unavailable"),
        (500, {}, "failed"),
        (503, {}, "unavailable"),
        (418, {}, "failed"),
        (409, refusal("x", "budget"), "budget"),
        (409, refusal(LOCKED, "gated"), "gated"),
    ],
)
def test_the_code_is_the_services_or_follows_from_status_and_text(status: int, body: t.Any, code: str) -> None:
    assert error(status, body).code == code


@pytest.mark.parametrize(
    ("status", "body", "retryable"),
    [
        (409, fault(LOCKED), True),
        (409, refusal("busy", "locked"), True),
        (503, b"", True),
        (503, refusal("busy", "unavailable"), True),
        (429, b"", True),
        (409, fault("Node n1 is associated with instance i"), False),
        (409, refusal(LOCKED, "duplicate"), False),
        (503, refusal("no", "gated"), False),
        (401, {}, False),
        (403, {}, False),
        (500, {}, False),
        (502, {}, False),
        (504, {}, False),
    ],
)
def test_only_a_lock_and_unavailability_are_worth_another_try(status: int, body: t.Any, retryable: bool) -> None:
    assert error(status, body).retryable is retryable


@pytest.mark.parametrize(
    ("status", "method", "unknown"), [(502, "POST", True), (504, "DELETE", True), (500, "PUT", True), (502, "GET", False)]
)
def test_a_gateway_that_gave_up_leaves_a_write_in_doubt(status: int, method: str, unknown: bool) -> None:
    assert error(status, b"", method=method).outcome_unknown is unknown


def test_a_service_that_failed_on_a_write_leaves_it_in_doubt_although_it_says_so_itself() -> None:
    body = refusal("The service failed on this request.", "unavailable")
    assert error(500, body, method="POST").outcome_unknown
    assert not error(503, body, method="POST").outcome_unknown


@pytest.mark.parametrize(
    "body",
    [
        {"refusal": "no", "error_message": "x"},
        {"refusal": {"code": 7, "node": [], "blockers": "x"}, "error_message": "x"},
        {"refusal": {"blockers": [1, None]}, "error_message": "x"},
    ],
)
def test_a_broken_refusal_is_as_good_as_none(body: t.Any) -> None:
    refused = error(403, body)
    assert (refused.code, refused.blockers, refused.node) == ("not_permitted", [], "n1")


def test_retry_after_is_read_as_seconds_and_as_a_date() -> None:
    later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=20)
    past = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)
    assert error(503, b"", retry_after="7").retry_after == 7
    assert 15 < t.cast(float, error(503, b"", retry_after=email.utils.format_datetime(later, usegmt=True)).retry_after) <= 20
    assert error(503, b"", retry_after=email.utils.format_datetime(past, usegmt=True)).retry_after == 0
    for nonsense in ("soon", "-1", "", "1e9"):
        assert error(503, b"", retry_after=nonsense).retry_after is None
