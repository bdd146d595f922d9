# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A node that a real conductor keeps locked: a hold on it is recorded at once, enforced when the lock is gone, and waited for."""

from __future__ import annotations

import concurrent.futures
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import resolve
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold import OPERATION
from ansible_collections.baremetal.maintenance.tests.lab.direct import Flag
from ansible_collections.baremetal.maintenance.tests.lab.fronted import Fronted
from ansible_collections.baremetal.maintenance.tests.lab.fronting.holding import entries, flag, hold, release_all, until
from ansible_collections.baremetal.maintenance.tests.unit.operations.doing import do

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]

HOLD: t.Final = {"type": "operator_hold", "reason": "CHG-2211"}


def api(pair: Fronted, user: str) -> Api:
    """Give what the module would speak with."""
    return Api(resolve({"api_url": pair.backend.url, "auth_type": "token", "token": pair.keystone.token(user), "timeout": 60}, {}))


def test_a_hold_on_a_node_in_a_clean_step(fronted: Fronted) -> None:
    node = fronted.enrol("in-a-clean-step", state="manageable")
    waiting = api(fronted, "owner-member")
    fronted.keystone.token("system-admin")
    fronted.ironic.nodes.clean(node)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        module = pool.submit(do, OPERATION, waiting, node=node, **HOLD)
        at_once = pool.submit(hold, fronted, node, "system-admin", type="hardware_failure", reason="PSU")
        assert at_once.result()["enforced_by"] == "ironic"
        assert at_once.result()["enforced"] is False
        result = module.result()
    assert not result["failed"], result
    assert (result["entry"]["enforced"], result["entry"]["enforced_by"]) == (True, "ironic")
    [warning] = result["warnings"]
    assert f"Node {node}: Ironic enforces the hold after" in warning
    assert "the node was locked by" in warning
    until(lambda: all(entry["enforced"] for entry in entries(fronted, node)), 60, "it is not enforced by itself")
    held = flag(fronted, node)
    assert held.maintenance and set((held.reason or "").split("; ")) == {"operator_hold: CHG-2211", "hardware_failure: PSU"}
    release_all(fronted, [node])


def test_many_holds_of_which_one_node_is_locked(fronted: Fronted) -> None:
    nodes = [fronted.enrol(f"one-of-three-{number}") for number in range(3)]
    with fronted.ironic.nodes.locked(nodes[1]):
        result = do(OPERATION, api(fronted, "system-admin"), nodes=nodes, **HOLD, wait_timeout=1)
        assert result["failed"] and result["changed"] and result["code"] == "not_enforced"
        assert [row["failed"] for row in result["nodes_result"]] == [False, True, False]
        assert "locked by lab-conductor" in result["nodes_result"][1]["msg"]
        assert flag(fronted, nodes[1]) == Flag(False, None, None)
        # Neither what only tries nor what was told not to wait does.
        assert not do(OPERATION, api(fronted, "system-admin"), nodes=nodes, check=True, **HOLD)["failed"]
        unasked = do(OPERATION, api(fronted, "system-admin"), nodes=nodes, **HOLD, wait_enforced=False)
        assert [row["entry"]["enforced"] for row in unasked["nodes_result"]] == [True, False, True]
    later = do(OPERATION, api(fronted, "system-admin"), nodes=nodes, **HOLD)
    assert not later["failed"] and not later["changed"]
    assert all(row["entry"]["enforced"] for row in later["nodes_result"])
    assert flag(fronted, nodes[1]) == Flag(True, "operator_hold: CHG-2211", None)
    release_all(fronted, nodes)
