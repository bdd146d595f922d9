# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trying again: when it can help, bounded, reported; and never a second time what may have been done, unless that is safe."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import Settings
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire, extended, fault, ironic, refusal

from .conftest import Sleeps
from .samples import ENTRY

PATH = "/v1/nodes/n1/maintenance"
LOCKED = fault("Node n1 is locked by host lab-conductor, please retry after the current operation is completed.")


@pytest.mark.parametrize(
    ("status", "body"),
    [(409, LOCKED), (409, refusal("busy", "locked")), (429, {}), (503, {}), (503, refusal("busy", "unavailable"))],
)
def test_a_lock_or_an_overload_is_waited_out(wire: Wire, api: Api, sleeps: Sleeps, status: int, body: t.Any) -> None:
    extended(wire)
    for _turn in range(2):
        wire.expect("POST", PATH).json(body, status=status)
    wire.expect("POST", PATH).json(ENTRY, status=201)
    assert api.assert_entry("n1", type="operator_hold") == ENTRY
    assert len(sleeps) == 2
    assert 0 < sleeps[0] < sleeps[1] < 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 500, 502, 504])
def test_other_refusals_are_not_repeated(wire: Wire, api: Api, sleeps: Sleeps, status: int) -> None:
    ironic(wire)
    wire.expect("PUT", PATH).json(fault("no"), status=status)
    with pytest.raises(errors.Refused) as refused:
        api.set_flag("n1", "x")
    assert (refused.value.status, refused.value.attempts, sleeps) == (status, 1, [])


def test_the_limit_holds_and_is_reported(wire: Wire, sleeps: Sleeps) -> None:
    api = Api(Settings(url=wire.url, retries=2), sleep=sleeps)
    ironic(wire)
    for _turn in range(3):
        wire.expect("PUT", PATH).json(LOCKED, status=409)
    with pytest.raises(errors.Refused) as refused:
        api.set_flag("n1", "x")
    assert refused.value.attempts == 3
    assert refused.value.msg == (
        "Cannot set the maintenance flag of node n1: Node n1 is locked by host lab-conductor, please retry after the current operation is "
        "completed (HTTP 409); try again when the operation in progress has ended; given up after 3 attempts in 0 s"
    )


def test_no_retries_means_one_attempt(wire: Wire, sleeps: Sleeps) -> None:
    api = Api(Settings(url=wire.url, retries=0), sleep=sleeps)
    wire.expect("GET", "/v1").json({}, status=503)
    with pytest.raises(errors.Refused):
        api.service()
    assert sleeps == []


def test_retry_after_is_honoured(wire: Wire, api: Api, sleeps: Sleeps) -> None:
    ironic(wire)
    wire.expect("PUT", PATH).json({}, status=503, headers={"Retry-After": "4"})
    wire.expect("PUT", PATH).empty(202)
    api.set_flag("n1", "x")
    assert sleeps == [4]


def test_a_retry_after_beyond_the_timeout_is_told_and_not_waited_for(wire: Wire, api: Api, sleeps: Sleeps) -> None:
    ironic(wire)
    wire.expect("PUT", PATH).json({}, status=503, headers={"Retry-After": "3600"})
    with pytest.raises(errors.Refused, match="the service asks to wait 3600 s, longer than the timeout of 5 s"):
        api.set_flag("n1", "x")
    assert sleeps == []


def test_a_read_whose_answer_is_lost_is_repeated(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("GET", PATH).close()
    wire.expect("GET", PATH).raw(b'{"maint', headers={"Content-Length": "500"})
    wire.expect("GET", PATH).json({"maintenance": []})
    assert api.list_entries("n1") == []


def test_a_login_that_is_refused_in_a_retry_ends_it(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("PUT", PATH).json({}, status=503)
    wire.expect("PUT", PATH).json({}, status=401)
    with pytest.raises(errors.Refused) as refused:
        api.set_flag("n1", "x")
    assert (refused.value.code, refused.value.attempts) == ("unauthenticated", 2)
