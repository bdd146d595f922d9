# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the operations about BMCs do before and after a BMC is read: options, names, sentences, and no secrets."""

from __future__ import annotations

import base64
import typing as t

import pytest
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import options as group
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import report
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import bmc_check, bmc_identify, bmc_info, bmc_words
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.bmc_operation import BmcOperation
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.bmc_perform import hidden, perform
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.bmc_targets import label, unprotected

LOGIN: t.Final = {"bmc_protocol": "redfish", "bmc_username": "admin", "bmc_password": "c4nary-task"}


def params(operation: BmcOperation, **given: t.Any) -> dict[str, t.Any]:
    checked = ArgumentSpecValidator(**operation.spec()).validate(given)
    assert not checked.error_messages, checked.error_messages
    return checked.validated_parameters


def do(operation: BmcOperation, **given: t.Any) -> dict[str, t.Any]:
    return perform(operation, params(operation, **given), check_mode=False, diff=True)


def test_what_a_target_leaves_out_is_as_the_task_says() -> None:
    given = params(
        bmc_info.OPERATION,
        **LOGIN,
        bmc_validate_certs=False,
        targets=[{"bmc_address": "a"}, {"bmc_address": "b", "bmc_password": "other", "bmc_validate_certs": True, "bmc_retries": 0}],
    )
    first, second = (group.of(given, one) for one in given["targets"])
    assert first == {
        "protocol": "redfish",
        "address": "a",
        "username": "admin",
        "password": "c4nary-task",
        "validate_certs": False,
        "auth": "basic",
        "power_reads": 3,
        "power_read_interval": 10.0,
        "retries": 2,
    }
    assert second == {**first, "address": "b", "password": "other", "validate_certs": True, "retries": 0}


def test_a_target_has_the_name_that_it_is_given_or_its_address_but_never_one_that_holds_a_password() -> None:
    several = params(bmc_info.OPERATION, targets=[{"node": "n", "bmc_address": "a"}, {"bmc_address": "a"}, {"bmc_address": "u:p@a"}, {}])
    assert [label(several, place) for place in range(4)] == ["n", "a", "targets[2]", "targets[3]"]


@pytest.mark.parametrize("operation", [bmc_info.OPERATION, bmc_check.OPERATION])
def test_no_targets_are_nothing_to_do(operation: BmcOperation) -> None:
    assert do(operation, targets=[]) == {"changed": False, "targets_result": []}


@pytest.mark.parametrize("operation", [bmc_info.OPERATION, bmc_check.OPERATION])
def test_one_bmc_and_several_exclude_each_other(operation: BmcOperation) -> None:
    checked = ArgumentSpecValidator(**operation.spec()).validate({"bmc_address": "a", "targets": []})
    assert "mutually exclusive" in checked.error_messages[0]


@pytest.mark.parametrize("operation", [bmc_info.OPERATION, bmc_check.OPERATION, bmc_identify.OPERATION])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "protocol"),
        ({"bmc_protocol": "ipmi"}, "address"),
        ({"bmc_protocol": "ipmi", "bmc_address": "a"}, "username"),
        ({**LOGIN, "bmc_address": "https://me:c4nary-url@a"}, "must not hold a user or password"),
        ({**LOGIN, "bmc_address": "a", "bmc_deadline": 0}, "deadline"),
    ],
)
def test_options_that_do_not_name_a_bmc_are_a_failure_that_says_so(operation: BmcOperation, given: dict[str, t.Any], said: str) -> None:
    result = do(operation, **given)
    assert (result["failed"], result["changed"], result["code"]) == (True, False, "option")
    assert said in result["msg"]
    assert "c4nary" not in str(result)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rules": {"R99": "off"}}, "'R99' is not a rule"),
        ({"rules": {"R1": "no"}}, "R1 is block or warn or off"),
        ({"since": "yesterday"}, "no time in ISO 8601"),
        ({"expected": {"power_state": "error"}}, "power_state is on or off"),
        ({"ignore": [{"kind": "drive"}]}, "a part needs a name or a serial"),
    ],
)
@pytest.mark.parametrize("targets", [None, [{"bmc_address": "127.0.0.1:9"}]])
def test_what_can_not_be_judged_by_is_refused_before_anything_is_read(
    given: dict[str, t.Any], said: str, targets: list[dict[str, t.Any]] | None
) -> None:
    where = {"targets": targets} if targets else {"bmc_address": "127.0.0.1:9"}
    result = do(bmc_check.OPERATION, **LOGIN, **where, **given)
    assert result["code"] == "option" and "Nothing was read" in result["msg"] and said in result["msg"]
    assert "report" not in result and "targets_result" not in result


def test_a_machine_of_which_nothing_can_be_read_fails_the_check_of_one_and_is_told_in_one_of_several() -> None:
    dead = {"bmc_address": "127.0.0.1:9", "bmc_retries": 0, "bmc_deadline": 5, "bmc_power_reads": 1}
    one = do(bmc_check.OPERATION, **LOGIN, **dead)
    assert one["failed"] and one["code"] == "not_released" and not one["release"]
    assert one["msg"].startswith("The machine of the BMC 127.0.0.1:9 is not to be released: R1: the BMC can't be read")
    told = do(bmc_check.OPERATION, **LOGIN, **dead, fail_on="never")
    assert not told.get("failed") and told["verdict"]["blocking"][0]["rule"] == "R1"
    several = do(bmc_check.OPERATION, **LOGIN, targets=[dead, {**dead, "bmc_username": 5, "node": "n"}])
    assert not several.get("failed")
    assert [(row["node"], row["release"]) for row in several["targets_result"]] == [("127.0.0.1:9", False), ("n", False)]
    failed = do(bmc_check.OPERATION, **LOGIN, targets=[dead], fail_on="block")
    assert failed["failed"] and "1 of 1 machines are not to be released: 127.0.0.1:9 (R1" in failed["msg"]
    assert failed["targets_result"]


def test_a_bmc_that_can_not_be_read_fails_the_reading_of_one_and_is_told_in_one_of_several() -> None:
    dead = {"bmc_address": "127.0.0.1:9", "bmc_retries": 0, "bmc_deadline": 5, "bmc_power_reads": 1}
    one = do(bmc_info.OPERATION, **LOGIN, **dead)
    assert one["failed"] and one["code"] == one["report"]["errors"][0]["kind"] == "unreachable"
    assert "Check the address" in one["msg"]
    assert not do(bmc_info.OPERATION, **LOGIN, **dead, fail_on="never").get("failed")
    assert not do(bmc_info.OPERATION, **LOGIN, targets=[dead]).get("failed")
    several = do(bmc_info.OPERATION, **LOGIN, targets=[dead, {"bmc_address": "a@b"}], fail_on="unreachable")
    assert several["failed"] and several["msg"] == "2 of 2 BMCs could not be read: 127.0.0.1:9, targets[1]."
    assert several["targets_result"][1]["report"]["errors"][0]["kind"] == "bad_option"


def test_progress_is_told_for_each_of_several_without_secrets() -> None:
    lines: list[str] = []
    dead = {"bmc_address": "127.0.0.1:9", "bmc_retries": 0, "bmc_deadline": 5, "bmc_power_reads": 1}
    given = params(bmc_check.OPERATION, **LOGIN, targets=[{**dead, "node": "one"}, {**dead, "node": "two c4nary-task"}])
    perform(bmc_check.OPERATION, given, check_mode=False, diff=False, progress=lines.append)
    assert [line.split(":")[0] for line in sorted(lines)] == ["1 of 2", "2 of 2"]
    assert {line.split(": ")[1] for line in lines} == {"one", "two ********"}
    assert all("not to be released, R1" in line for line in lines)


@pytest.mark.parametrize("workers", [0, -1])
def test_without_workers_nothing_can_be_read(workers: int) -> None:
    assert do(bmc_info.OPERATION, targets=[{}], workers=workers)["code"] == "option"


@pytest.mark.parametrize(
    ("address", "warned"),
    [
        ("http://bmc.example.org", True),
        ("http://192.0.2.7:8000/redfish/v1", True),
        ("https://bmc.example.org", False),
        ("bmc.example.org", False),
        ("http://127.0.0.1:8000", False),
        ("http://localhost", False),
        ("http://[::1]:80", False),
        ("http://[2001:db8::1]", True),
        ("http://u:p@bmc.example.org", False),
    ],
)
def test_a_password_over_plain_http_to_another_machine_is_warned_about(address: str, warned: bool) -> None:
    assert bool(unprotected({"bmc_address": address})) is warned
    assert bool(unprotected({"targets": [{"bmc_address": address}]})) is warned


def test_a_secret_of_any_bmc_is_nowhere_in_a_result_in_any_spelling() -> None:
    logins = [{"bmc_username": "admin", "bmc_password": "c4n@ry one", "bmc_kg": None}, {"bmc_username": "x", "bmc_kg": "c4nary-kg"}]
    basic = base64.b64encode(b"admin:c4n@ry one").decode()
    result = hidden(
        {"msg": f"c4n@ry one {basic} c4n%40ry%20one", "deep": [{"c": "a c4nary-kg b"}], "n": 1, "more": "c4nary-x"}, logins, ["c4nary-x"]
    )
    assert result == {"msg": "******** ******** ********", "deep": [{"c": "a ******** b"}], "n": 1, "more": "********"}


def test_a_password_that_is_a_word_of_a_verdict_does_not_spoil_it() -> None:
    result = hidden({"release": True, "before": "unknown", "msg": "x"}, [{"bmc_username": "a", "bmc_password": "unknown"}])
    assert result["before"] == "unknown"


def test_evidence_says_what_was_read_and_what_was_not_looked_at() -> None:
    whole: t.Any = report.empty("redfish", "bmc:443", "2026-06-10T10:30:00+00:00")
    whole.update(reachable=True)
    whole["power"]["reads"] = ["on", "on"]
    whole["events"]["complete"] = True
    whole["components"] = [report.component("psu", "A", state="absent"), report.component("psu", "B", state="enabled", health="ok")]
    report.finish(whole)
    verdict = {
        "release": True,
        "blocking": [],
        "warnings": [{"rule": "W1", "msg": "x"}, {"rule": "W1", "msg": "y"}],
        "not_checked": [{"rule": "R2", "msg": "z"}],
        "ignored": [{"kind": "drive", "name": "Disk 1", "serial": None}],
    }
    assert bmc_words.evidence(whole, verdict, "clean failure") == (
        "redfish BMC bmc:443 judged for clean failure; power on in 2 reads; health ok; 1 parts and 0 sensors;"
        " 0 critical events since 2026-06-10T10:30:00+00:00; warnings W1; not checked R2; ignored Disk 1"
    )
