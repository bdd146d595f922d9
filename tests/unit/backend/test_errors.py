# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shape of errors (api.md 8): the check that every error of these tests passes, and failures of the program itself."""

from __future__ import annotations

import json
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.resources import answers
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.service import holds
from ansible_collections.baremetal.maintenance.tests.support import wellformed
from ansible_collections.baremetal.maintenance.tests.support.service import TYPED, Service, authorization

GOOD: t.Final[dict[str, t.Any]] = {
    "error_message": json.dumps({"faultcode": "Client", "faultstring": "Node x could not be found.", "debuginfo": None}),
    "refusal": {"code": "not_found", "node": "x", "blockers": []},
}


def faultstring(text: str) -> dict[str, t.Any]:
    return {**GOOD, "error_message": json.dumps({"faultcode": "Client", "faultstring": text, "debuginfo": None})}


ILL_FORMED: list[dict[str, t.Any]] = [
    {},
    {"error_message": "Node x could not be found.", "refusal": GOOD["refusal"]},
    {"error_message": GOOD["error_message"]},
    {**GOOD, "refusal": {"code": "no_such_code", "node": None, "blockers": []}},
    {**GOOD, "refusal": {"code": "not_found", "blockers": []}},
    {**GOOD, "refusal": {"code": "not_found", "node": 5, "blockers": []}},
    {**GOOD, "refusal": {"code": "not_permitted", "node": "x", "blockers": [{"uuid": "u"}]}},
    {**GOOD, "error_message": json.dumps({"faultcode": "Server", "faultstring": "x", "debuginfo": None})},
    {**GOOD, "error_message": json.dumps({"faultcode": "Client", "faultstring": "x", "debuginfo": "Traceback"})},
    {**GOOD, "error_message": json.dumps({"code": 500, "title": "x", "description": ""})},
    faultstring(" "),
    faultstring("Traceback (most recent call last):"),
    faultstring("(sqlite3.OperationalError) no such table: nodes"),
    faultstring("SELECT nodes.id FROM nodes WHERE nodes.id = 1"),
    faultstring("cannot open /var/lib/backend/maintenance.sqlite"),
    faultstring("KeyError('x') in /srv/store.py"),
    faultstring("[SQL: INSERT INTO node_maintenance VALUES (1)]"),
    faultstring("unable to open database file in /srv/elsewhere/that/folder"),
]


def test_a_good_error_passes_the_check() -> None:
    wellformed.errors_are_well_formed(404, json.dumps(GOOD).encode(), "/srv/elsewhere/that/folder")


@pytest.mark.parametrize("body", ILL_FORMED)
def test_an_ill_formed_error_or_one_that_tells_of_the_inside_does_not(body: dict[str, t.Any]) -> None:
    with pytest.raises((AssertionError, KeyError, ValueError)):
        wellformed.errors_are_well_formed(404, json.dumps(body).encode(), "/srv/elsewhere/that/folder")


def test_it_looks_into_the_results_of_bulk_calls_too() -> None:
    results = {"results": [{"node": "x", "status": 404, "error": {**GOOD, "refusal": {}}}]}
    with pytest.raises(AssertionError):
        wellformed.errors_are_well_formed(200, json.dumps(results).encode(), "/srv/elsewhere/that/folder")


def test_the_codes_are_those_of_the_contract() -> None:
    assert set(t.get_args(errors.Code)) == wellformed.CODES


@pytest.mark.parametrize("error", [RuntimeError("SELECT secret FROM /srv/x.py"), KeyError("password"), ZeroDivisionError(), MemoryError()])
def test_a_fault_of_the_program_is_told_by_the_requests_id_and_nothing_else(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    def fail(*_arguments: t.Any, **_more: t.Any) -> None:
        raise error

    monkeypatch.setattr(holds, "list_entries", fail)
    headers = {"Authorization": authorization("operator"), "X-OpenStack-Ironic-API-Version": TYPED}
    answer = service.unchecked("GET", "/v1/nodes/x/maintenance", None, headers)
    request_id = answer.headers["openstack-request-id"]
    assert answer.status == 500
    assert answer.json == {
        "error_message": json.dumps(
            {
                "faultcode": "Server",
                "faultstring": f"The service failed on this request; its log says why under {request_id}."
                " What it was to change may have been changed.",
                "debuginfo": None,
            }
        ),
        "refusal": {"code": "unavailable", "node": None, "blockers": []},
    }
    assert request_id in caplog.text
    assert "Traceback" in caplog.text


def test_a_fault_of_the_program_after_the_commit_does_not_say_that_nothing_was_written(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: t.Any, **_more: t.Any) -> None:
        raise RuntimeError

    node = service.node()
    monkeypatch.setattr(answers, "entry", fail)
    headers = {"Authorization": authorization("operator"), "X-OpenStack-Ironic-API-Version": TYPED}
    answer = service.unchecked(
        "POST", f"/v1/nodes/{node}/maintenance", b'{"type": "operator_hold"}', {"Content-Type": "application/json", **headers}
    )
    assert answer.status == 500
    assert service.flag(node)[0] is True
    assert "may have been changed" in answer.said
