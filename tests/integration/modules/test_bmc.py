# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules about BMCs as a play uses them, on the controller and on another machine, against BMCs of the lab."""

from __future__ import annotations

import copy
import pathlib
import typing as t

import pytest
import yaml

from tests.lab.bmc import trees
from tests.lab.bmc.fake_ipmi import PASSWORD, USER, FakeBmc, FakeIpmi
from tests.lab.bmc.static_redfish import StaticRedfish

from .examples import documentation
from .running import Ran, Stage

MODULES: t.Final = ("bmc_check", "bmc_identify", "bmc_info")
ELSEWHERE: t.Final = {"delegate_to": "elsewhere"}
#: What every task's result may have without being documented by the module.
COMMON: t.Final = {"changed", "failed", "diff", "msg", "warnings", "_ansible_no_log", "_ansible_delegated_vars"}


@pytest.fixture(scope="module")
def fakes(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[list[FakeBmc]]:
    fake = FakeIpmi(tmp_path_factory.mktemp("ipmi"), 12)
    fake.start()
    try:
        yield fake.bmcs
    finally:
        fake.stop()


@pytest.fixture
def ipmi(fakes: list[FakeBmc]) -> FakeBmc:
    return fakes.pop()


@pytest.fixture
def redfish() -> t.Iterator[StaticRedfish]:
    with StaticRedfish(trees.machine()) as service:
        yield service


def options(bmc: FakeBmc | StaticRedfish, **more: t.Any) -> dict[str, t.Any]:
    """Give the options that reach a BMC, which is read quickly."""
    given = {f"bmc_{name}": value for name, value in bmc.target().items()}
    return {**given, "bmc_power_reads": 2, "bmc_power_read_interval": 0.1, **more}


def task(name: str, module: str, given: t.Mapping[str, t.Any], **keywords: t.Any) -> dict[str, t.Any]:
    return {"name": name, f"baremetal.maintenance.{module}": dict(given), **keywords}


def lasting(result: dict[str, t.Any]) -> dict[str, t.Any]:
    """Give a result without what differs between two readings, and between an action and a module."""
    kept = copy.deepcopy({name: value for name, value in result.items() if not name.startswith("_ansible")})
    for found in (kept.get("report"), *(row["report"] for row in kept.get("targets_result", ()))):
        for name in ("seconds", "requests", "clock_skew_s") if found else ():
            del found[name]
    kept.pop("invocation", None)
    return kept


@pytest.mark.parametrize("module", ["bmc_check", "bmc_info"])
@pytest.mark.parametrize("kind", ["ipmi", "redfish"])
def test_as_action_and_as_module_with_equal_results_in_check_mode_too(
    stage: Stage, request: pytest.FixtureRequest, module: str, kind: str
) -> None:
    bmc = request.getfixturevalue(kind)
    given = options(bmc)
    tasks = [
        task("here", module, given),
        task("check", module, given, check_mode=True),
        task("there", module, given, **ELSEWHERE),
        task("several", module, {"targets": [{**given, "node": "one"}]}),
        task("several there", module, {"targets": [{**given, "node": "one"}]}, **ELSEWHERE),
    ]
    ran = stage.play(tasks, may_warn=True)
    assert ran.status == 0, ran.output
    assert ran.of("here")["report"]["complete"], ran.of("here")["report"]["errors"]
    assert lasting(ran.of("here")) == lasting(ran.of("check")) == lasting(ran.of("there"))
    assert lasting(ran.of("several")) == lasting(ran.of("several there"))
    assert ran.of("several")["targets_result"][0]["node"] == "one"
    if module == "bmc_check":
        assert ran.of("here")["release"] is ran.of("several")["targets_result"][0]["release"] is True


@pytest.mark.parametrize("where", [{}, ELSEWHERE], ids=["here", "elsewhere"])
@pytest.mark.parametrize("kind", ["ipmi", "redfish"])
def test_the_locator_led_in_check_mode_and_for_real(stage: Stage, request: pytest.FixtureRequest, where: dict[str, str], kind: str) -> None:
    bmc = request.getfixturevalue(kind)
    tasks = [task("would", "bmc_identify", options(bmc), check_mode=True, **where)]
    ran = stage.play(tasks)
    assert ran.status == 0, ran.output
    assert ran.of("would")["changed"] and ran.of("would")["after"] == "on"
    assert not bmc.state().get("identify") if isinstance(bmc, FakeBmc) else bmc.writes() == []
    ran = stage.play(
        [
            task("on", "bmc_identify", options(bmc), diff=True, **where),
            task("on again", "bmc_identify", options(bmc), **where),
            task("off", "bmc_identify", options(bmc, state="off"), **where),
        ]
    )
    assert ran.status == 0, ran.output
    assert [ran.of(name)["changed"] for name in ("on", "on again", "off")] == [True, False, True]
    assert ran.of("on")["diff"]["after"] == {"led": "on"}
    assert ran.of("off")["after"] == "off"


def test_a_sick_machine_fails_the_task_unless_it_is_only_to_be_told(stage: Stage, ipmi: FakeBmc) -> None:
    ipmi.set(chassis=[0, 0, 8])
    tasks = [
        task("fails", "bmc_check", options(ipmi), ignore_errors=True),
        task("tells", "bmc_check", options(ipmi, fail_on="never")),
        task("weighs", "bmc_check", options(ipmi, rules={"R3": "warn"})),
    ]
    ran = stage.play(tasks)
    assert ran.status == 0, ran.output
    assert ran.of("fails")["failed"] and "R3: the chassis reports" in ran.of("fails")["msg"]
    assert not ran.of("tells")["failed"] and ran.of("tells")["release"] is False
    assert ran.of("tells")["verdict"] == ran.of("fails")["verdict"]
    assert ran.of("weighs")["release"] is True and ran.of("weighs")["verdict"]["warnings"][0]["rule"] == "R3"


def test_several_bmcs_are_judged_each_by_its_own_and_progress_is_told(stage: Stage, fakes: list[FakeBmc]) -> None:
    well, sick = fakes.pop(), fakes.pop()
    sick.set(power="off")
    login = {"bmc_protocol": "ipmi", "bmc_username": USER, "bmc_password": PASSWORD, "bmc_power_reads": 1, "bmc_retries": 0}
    targets = [
        {"node": "well", "bmc_address": well.address, "expected": {"power_state": "on"}, "fault": "power failure"},
        {"node": "sick", "bmc_address": sick.address, "expected": {"power_state": "on"}},
        {"node": "nowhere", "bmc_address": "127.0.0.1:9", "bmc_deadline": 5},
    ]
    ran = stage.play([task("several", "bmc_check", {**login, "targets": targets})])
    assert ran.status == 0, ran.output
    rows = {row["node"]: row for row in ran.of("several")["targets_result"]}
    assert list(rows) == ["well", "sick", "nowhere"]
    assert [row["release"] for row in rows.values()] == [True, False, False]
    assert rows["sick"]["verdict"]["blocking"] == [{"rule": "R2", "msg": "the machine is off, and expected to be on"}]
    assert "3 of 3: " in ran.output and ": well: may be released" in ran.output


def test_options_can_be_set_for_the_whole_group(stage: Stage, ipmi: FakeBmc) -> None:
    tasks = [task(module, module, {}) for module in MODULES]
    ran = stage.play(tasks, module_defaults={"group/baremetal.maintenance.bmc": options(ipmi)})
    assert ran.status == 0, ran.output
    assert ran.of("bmc_check")["release"] and ran.of("bmc_info")["report"]["reachable"] and ran.of("bmc_identify")["changed"]


def test_files_are_refused_elsewhere_unless_they_are_meant(stage: Stage, redfish: StaticRedfish, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("", encoding="utf-8")
    given = options(redfish, bmc_ca_path=str(file))
    tasks = [
        task("one", "bmc_info", given, ignore_errors=True, **ELSEWHERE),
        task("several", "bmc_info", {"targets": [given]}, ignore_errors=True, **ELSEWHERE),
        task("meant", "bmc_info", {**given, "remote_files": True, "fail_on": "never"}, **ELSEWHERE),
    ]
    ran = stage.play(tasks, may_warn=True)
    assert ran.status == 0, ran.output
    for name in ("one", "several"):
        assert ran.of(name)["failed"] and "remote_files: true" in ran.of(name)["msg"]
    assert not ran.of("meant")["failed"]


@pytest.mark.parametrize("where", [{}, ELSEWHERE], ids=["here", "elsewhere"])
@pytest.mark.parametrize("module", MODULES)
def test_a_canary_in_every_secret_option_is_nowhere(stage: Stage, fakes: list[FakeBmc], module: str, where: dict[str, str]) -> None:
    wrong = {**options(fakes[0]), "bmc_password": "c4n@ry one", "bmc_kg": "c4nary-kg", "bmc_deadline": 5}
    tasks = [
        task("refused", module, wrong, ignore_errors=True, **where),
        task("address", module, {**wrong, "bmc_address": "https://me:c4nary-url@127.0.0.1:9"}, ignore_errors=True, **where),
        task("typo", module, {**wrong, "bmc_pasword": "x"}, ignore_errors=True, **where),
        task("bad value", module, {**wrong, "bmc_retries": "c4n@ry one"}, ignore_errors=True, **where),
    ]
    if module != "bmc_identify":
        tasks.append(task("several", module, {"targets": [{**wrong, "node": "c4nary-kg c4n@ry one"}]}, ignore_errors=True, **where))
    ran = stage.play(tasks, arguments="-vvv")
    assert ran.status == 0, ran.output
    # The address is the task's own text: nothing of it is shown but by who wrote it there.
    shown = ran.output + ran.events + "".join(str(result) for hosts in ran.results.values() for result in hosts.values())
    for spelling in ("c4n@ry", "c4nary-kg", "c4n%40ry"):
        assert spelling not in shown
    assert all(ran.of(name)["failed"] for name in ("refused", "address", "typo", "bad value"))
    assert "c4nary-url" not in str(ran.of("address")["msg"])
    assert "Traceback" not in ran.output


@pytest.fixture(scope="module")
def ran(stage: Stage, fakes: list[FakeBmc]) -> dict[str, Ran]:
    """The examples of each module's documentation, run as they stand there by a host that has the variables."""
    one, other = fakes.pop(), fakes.pop()
    variables = {
        "bmc_protocol": "ipmi",
        "bmc_address": one.address,
        "other_address": other.address,
        "bmc_username": USER,
        "bmc_password": PASSWORD,
    }
    quick = {"bmc_power_read_interval": 0.1}
    defaults = {"group/baremetal.maintenance.bmc": quick}
    return {
        module: stage.play(documentation(module)[1], hosts={"rack-c-07": variables}, module_defaults=defaults, arguments="--diff")
        for module in MODULES
    }


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_run_as_they_stand_there_and_every_value_that_comes_is_documented(ran: dict[str, Ran], module: str) -> None:
    assert ran[module].status == 0, ran[module].output
    returned = documentation(module)[2]
    for name, hosts in ran[module].results.items():
        if name != "Show what may be released":
            assert set(hosts["rack-c-07"]) - COMMON <= set(returned), name


@pytest.mark.parametrize("module", ["bmc_check", "bmc_info"])
def test_the_samples_have_the_shape_of_what_comes(ran: dict[str, Ran], module: str) -> None:
    returned = documentation(module)[2]
    results = [result for hosts in ran[module].results.values() for result in hosts.values()]
    (one,) = [result for result in results if "report" in result]
    (several,) = [result for result in results if "targets_result" in result]
    assert {name: list(value) for name, value in one["report"].items() if isinstance(value, dict)} == {
        name: list(value) for name, value in returned["report"]["sample"].items() if isinstance(value, dict)
    }
    assert set(several["targets_result"][0]) == set(returned["targets_result"]["sample"][0]) == set(returned["targets_result"]["contains"])


def test_the_play_of_the_guide_releases_on_evidence_and_only_then(stage: Stage, fakes: list[FakeBmc]) -> None:
    guide = pathlib.Path(__file__).resolve().parents[3] / "docs" / "bmc.md"
    (play,) = yaml.safe_load(guide.read_text(encoding="utf-8").split("```yaml\n")[1].split("```")[0])
    hosts = {}
    for name in ("guide-well", "guide-sick"):
        stage.enrol(name)
        body = {"fault": "power failure", "reason": "power sync"}
        stage.call("PUT", f"/v1/nodes/{name}/maintenance/fault", body, who="watch")
        stage.call("POST", f"/v1/nodes/{name}/maintenance", {"type": "operator_hold", "reason": "audit"})
        bmc = fakes.pop()
        bmc.set(chassis=[0, 0, 8 if name == "guide-sick" else 0])
        login = {"bmc_protocol": "ipmi", "bmc_address": bmc.address, "bmc_username": USER, "bmc_password": PASSWORD}
        hosts[name] = {"baremetal_node": name, **login}
    play["module_defaults"]["group/baremetal.maintenance.bmc"]["bmc_power_read_interval"] = 0.1
    ran = stage.play(play["tasks"], hosts=hosts, module_defaults=play["module_defaults"])
    assert [entry["type"] for entry in stage.held("guide-well")] == ["operator_hold"], ran.output
    assert sorted(entry["type"] for entry in stage.held("guide-sick")) == ["fault", "operator_hold"], ran.output
    assert ran.status != 0
