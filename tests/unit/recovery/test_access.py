# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which BMC is a node's: never one that may be another machine's."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.recovery import access

BMC: t.Final = {"bmc_protocol": "ipmi", "bmc_address": "192.0.2.1", "bmc_username": "admin", "bmc_password": "canary"}


def of(hosts: list[dict[str, t.Any]], given: dict[str, t.Any] | None = None, **node: str) -> access.Access:
    return access.of_node(access.found(hosts, given or {}), {"uuid": "u-1", "name": "n1", **node})


@pytest.mark.parametrize("names", [["baremetal_node"], ["baremetal_node_uuid"], ["baremetal_node", "baremetal_node_uuid"]])
def test_a_host_is_the_node_that_its_variables_name(names: list[str]) -> None:
    variables = {name: {"baremetal_node": "n1", "baremetal_node_uuid": "u-1"}[name] for name in names}
    assert of([{**BMC, **variables, "other": "x"}]).options == BMC


def test_a_host_without_them_is_no_node_whatever_its_name() -> None:
    assert "no host of the inventory is this node" in str(of([{**BMC, "inventory_hostname": "n1"}]).problem)


@pytest.mark.parametrize(
    "hosts",
    [
        [{**BMC, "baremetal_node": "n1"}, {**BMC, "baremetal_node": "n1", "bmc_address": "192.0.2.2"}],
        [{**BMC, "baremetal_node": "n1"}, {**BMC, "baremetal_node_uuid": "u-1", "bmc_address": "192.0.2.2"}],
    ],
)
def test_two_machines_for_one_node_are_none(hosts: list[dict[str, t.Any]]) -> None:
    assert "several hosts" in str(of(hosts).problem)


@pytest.mark.parametrize("missing", ["bmc_protocol", "bmc_address"])
@pytest.mark.parametrize("value", [None, ""])
def test_what_is_missing_is_named(missing: str, value: str | None) -> None:
    assert missing in str(of([{**BMC, "baremetal_node": "n1", missing: value}]).problem)


def test_what_is_given_by_node_wins_over_the_host_and_serves_nodes_without_one() -> None:
    host = {**BMC, "baremetal_node": "n1"}
    assert of([host], {"n1": {"bmc_address": "192.0.2.9"}}).options == {**BMC, "bmc_address": "192.0.2.9"}
    assert of([], {"u-1": BMC}).options == BMC


def test_expectations_go_with_the_machine() -> None:
    found = of([{**BMC, "baremetal_node": "n1", "bmc_expected": {"psus": 2}, "bmc_ignore": [{"name": "PSU 2"}]}])
    assert (found.expected, found.ignore) == ({"psus": 2}, [{"name": "PSU 2"}])


def test_an_address_with_a_password_in_it_is_shown_to_nobody() -> None:
    assert of([{**BMC, "baremetal_node": "n1", "bmc_address": "https://admin:canary@192.0.2.1"}]).shown is None


REDFISH: t.Final = {**BMC, "bmc_protocol": "redfish", "bmc_address": "https://rack-bmc.example.org"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (BMC, BMC),
        (BMC, {**BMC, "bmc_address": "192.0.2.1:623"}),
        (BMC, {**BMC, "bmc_protocol": "redfish", "bmc_address": "https://192.0.2.1/redfish/v1"}),
        (REDFISH, {**REDFISH, "bmc_address": "Rack-BMC.example.org:443"}),
        # It can't be used either, but what it says is that it is that machine.
        (BMC, {**BMC, "bmc_deadline": "soon"}),
    ],
)
def test_a_bmc_that_another_node_of_the_inventory_has_too_is_nobodys(one: dict[str, t.Any], other: dict[str, t.Any]) -> None:
    known = access.found([{**one, "baremetal_node": "n1"}, {**other, "baremetal_node": "n2"}], {})
    assert "same BMC in the inventory: n2" in str(access.alone(known, {"uuid": "u-1", "name": "n1"}).problem)


@pytest.mark.parametrize("other", [{"bmc_system": "2"}, {"bmc_address": "https://rack-bmc.example.org:8443"}])
def test_several_machines_behind_one_address_are_told_apart(other: dict[str, str]) -> None:
    known = access.found([{**REDFISH, "bmc_system": "1", "baremetal_node": "n1"}, {**REDFISH, **other, "baremetal_node": "n2"}], {})
    assert access.alone(known, {"uuid": "u-1", "name": "n1"}).problem is None


def test_a_node_with_two_names_is_not_another_node() -> None:
    host = {**BMC, "baremetal_node": "renamed", "baremetal_node_uuid": "u-1"}
    assert access.alone(access.found([host], {}), {"uuid": "u-1", "name": "n1"}).problem is None
    known = access.found([{**BMC, "baremetal_node": "n1"}], {"u-1": BMC})
    assert access.alone(known, {"uuid": "u-1", "name": "n1"}).problem is None


def test_variables_may_be_strings_as_inventories_and_surveys_have_them() -> None:
    strings = {"bmc_expected": '{"psus": "2"}', "bmc_ignore": '[{"name": "PSU 2"}]', "bmc_deadline": "5", "bmc_validate_certs": "no"}
    found = of([{**BMC, "baremetal_node": "n1", **strings}])
    assert (found.problem, found.expected, found.ignore) == (None, {"psus": 2}, [{"name": "PSU 2"}])
    assert (found.options["bmc_deadline"], found.options["bmc_validate_certs"]) == (5.0, False)


@pytest.mark.parametrize(
    "wrong",
    [
        {"bmc_expected": "canary"},
        {"bmc_expected": {"psu": 2}},
        {"bmc_expected": {"psus": -1}},
        {"bmc_ignore": "canary"},
        {"bmc_ignore": [{"kind": "psu"}]},
        {"bmc_protocol": "canary"},
        {"bmc_power_reads": "canary"},
        {"bmc_validate_certs": "canary"},
    ],
)
def test_one_host_with_a_wrong_variable_is_a_problem_of_its_own_that_shows_no_value(wrong: dict[str, t.Any]) -> None:
    problem = of([{**BMC, "baremetal_node": "n1", **wrong}]).problem
    assert problem is not None
    assert next(iter(wrong)).removeprefix("bmc_") in problem
    assert "canary" not in problem
