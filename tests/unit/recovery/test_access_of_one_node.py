# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The BMC of one node is given only if it is no other node's as well."""

from __future__ import annotations

import typing as t

from ansible_collections.baremetal.maintenance.plugins.filter.bmc_access import bmc_access

BMC: t.Final = {"bmc_protocol": "ipmi", "bmc_address": "192.0.2.1", "bmc_username": "admin", "bmc_password": "canary"}
NODE: t.Final = {"uuid": "u-1", "name": "n1"}


def test_a_bmc_of_its_own_is_given_by_name_and_by_uuid() -> None:
    other = {**BMC, "baremetal_node": "n2", "bmc_address": "192.0.2.2"}
    hosts = {"a": {**BMC, "baremetal_node": "n1", "baremetal_node_uuid": "u-1"}, "b": other}
    for node in (NODE, {"uuid": "u-1", "name": None}):
        found = bmc_access(hosts, node=node)
        assert found["problem"] is None
        assert found["options"] == BMC


def test_a_bmc_that_another_node_claims_is_none() -> None:
    own = {"a": {**BMC, "baremetal_node": "n1"}}
    for others, given in (({"b": {**BMC, "baremetal_node": "n2"}}, {}), ({}, {"n2": BMC})):
        found = bmc_access({**own, **others}, given, NODE)
        assert "n2" in found["problem"]


def test_a_node_that_no_host_is_has_none() -> None:
    found = bmc_access({"n1": {**BMC, "baremetal_node": "n2"}}, node=NODE)
    assert "no host of the inventory is this node" in found["problem"]
