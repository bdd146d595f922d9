# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules about BMCs as a play uses them, on the controller and on another machine, against BMCs of the lab."""

from __future__ import annotations

import contextlib
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
    fake = FakeIpmi(tmp_path_factory.mktemp("ipmi"), 16)
    fake.start()
    try:
        yield fake.bmcs
    finally:
        fake.stop()


@pytest.fixture(scope="module")
def service() -> t.Iterator[StaticRedfish]:
    with StaticRedfish(trees.machine()) as one:
        yield one


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


@pytest.fixture(scope="module")
def compared(stage: Stage, fakes: list[FakeBmc], service: StaticRedfish) -> Ran:
    """The same readings of two BMCs by action and by module, in one play."""
    tasks = []
    bmcs = {"ipmi": options(fakes.pop()), "redfish": options(service)}
    for module in ("bmc_check", "bmc_info"):
        for kind, given in bmcs.items():
            tasks += [
                task(f"{module} {kind} here", module, given),
                task(f"{module} {kind} check", module, given, check_mode=True),
                task(f"{module} {kind} there", module, given, **ELSEWHERE),
            ]
        targets = {"targets": [{**given, "node": kind} for kind, given in bmcs.items()]}
        tasks += [task(f"{module} several", module, targets), task(f"{module} several there", module, targets, **ELSEWHERE)]
    ran = stage.play(tasks, may_warn=True)
    assert ran.status == 0, ran.output
    return ran


@pytest.mark.parametrize("module", ["bmc_check", "bmc_info"])
@pytest.mark.parametrize("kind", ["ipmi", "redfish"])
def test_as_action_and_as_module_with_equal_results_in_check_mode_too(compared: Ran, module: str, kind: str) -> None:
    here, check, there = (compared.of(f"{module} {kind} {how}") for how in ("here", "check", "there"))
    several, several_there = compared.of(f"{module} several"), compared.of(f"{module} several there")
    assert here["report"]["complete"], here["report"]["errors"]
    assert lasting(here) == lasting(check) == lasting(there)
    assert lasting(several) == lasting(several_there)
    (row,) = [row for row in several["targets_result"] if row["node"] == kind]
    if module == "bmc_check":
        assert here["release"] is row["release"] is True


@pytest.fixture(scope="module")
def lit(stage: Stage, fakes: list[FakeBmc]) -> t.Iterator[tuple[Ran, dict[str, list[t.Any]]]]:
    """The LEDs of BMCs of both kinds, here and elsewhere, in one play: of the first in check mode, of the second for real."""
    bmcs: dict[str, list[t.Any]] = {}
    tasks = []
    with contextlib.ExitStack() as stack:
        for kind in ("ipmi", "redfish"):
            for place, where in (("here", {}), ("elsewhere", ELSEWHERE)):
                name = f"{kind} {place}"
                pair = [fakes.pop() if kind == "ipmi" else stack.enter_context(StaticRedfish(trees.machine())) for _bmc in range(2)]
                bmcs[name] = pair
                tasks += [
                    task(f"{name} would", "bmc_identify", options(pair[0]), check_mode=True, **where),
                    task(f"{name} on", "bmc_identify", options(pair[1]), diff=True, **where),
                    task(f"{name} on again", "bmc_identify", options(pair[1]), **where),
                    task(f"{name} off", "bmc_identify", options(pair[1], state="off"), **where),
                ]
        yield stage.play(tasks), bmcs


@pytest.mark.parametrize("where", ["here", "elsewhere"])
@pytest.mark.parametrize("kind", ["ipmi", "redfish"])
def test_the_locator_led_in_check_mode_and_for_real(lit: tuple[Ran, dict[str, list[t.Any]]], where: str, kind: str) -> None:
    ran, bmcs = lit
    assert ran.status == 0, ran.output
    would, on, again, off = (ran.of(f"{kind} {where} {name}") for name in ("would", "on", "on again", "off"))
    assert would["changed"] and would["after"] == "on"
    untouched = bmcs[f"{kind} {where}"][0]
    assert not untouched.state().get("identify") if isinstance(untouched, FakeBmc) else untouched.writes() == []
    assert [result["changed"] for result in (on, again, off)] == [True, False, True]
    assert on["diff"]["after"] == {"led": "on"}
    assert off["after"] == "off"


@pytest.fixture(scope="module")
def mixed(stage: Stage, fakes: list[FakeBmc], service: StaticRedfish, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """What the next tests look at, in one play."""
    faulty, well, sick, plain = (fakes.pop() for _bmc in range(4))
    faulty.set(chassis=[0, 0, 8])
    sick.set(power="off")
    login = {"bmc_protocol": "ipmi", "bmc_username": USER, "bmc_password": PASSWORD, "bmc_power_reads": 1, "bmc_retries": 0}
    targets = [
        {"node": "well", "bmc_address": well.address, "expected": {"power_state": "on"}, "fault": "power failure"},
        {"node": "sick", "bmc_address": sick.address, "expected": {"power_state": "on"}},
        {"node": "nowhere", "bmc_address": "127.0.0.1:9", "bmc_deadline": 2},
    ]
    file = tmp_path_factory.mktemp("files") / "ca.pem"
    file.write_text("", encoding="utf-8")
    trusting = options(service, bmc_ca_path=str(file))
    tasks: list[dict[str, t.Any]] = [
        task("fails", "bmc_check", options(faulty), ignore_errors=True),
        task("tells", "bmc_check", options(faulty, fail_on="never")),
        task("weighs", "bmc_check", options(faulty, rules={"R3": "warn"})),
        task("several", "bmc_check", {**login, "targets": targets}),
        {
            "block": [task(module, module, {}) for module in MODULES],
            "module_defaults": {"group/baremetal.maintenance.bmc": options(plain)},
        },
        task("file", "bmc_info", trusting, ignore_errors=True, **ELSEWHERE),
        task("files", "bmc_info", {"targets": [trusting]}, ignore_errors=True, **ELSEWHERE),
        task("meant", "bmc_info", {**trusting, "remote_files": True, "fail_on": "never"}, **ELSEWHERE),
    ]
    ran = stage.play(tasks, may_warn=True)
    assert ran.status == 0, ran.output
    return ran


def test_a_sick_machine_fails_the_task_unless_it_is_only_to_be_told(mixed: Ran) -> None:
    assert mixed.of("fails")["failed"] and "R3: the chassis reports" in mixed.of("fails")["msg"]
    assert not mixed.of("tells")["failed"] and mixed.of("tells")["release"] is False
    assert mixed.of("tells")["verdict"] == mixed.of("fails")["verdict"]
    assert mixed.of("weighs")["release"] is True and mixed.of("weighs")["verdict"]["warnings"][0]["rule"] == "R3"


def test_several_bmcs_are_judged_each_by_its_own_and_progress_is_told(mixed: Ran) -> None:
    rows = {row["node"]: row for row in mixed.of("several")["targets_result"]}
    assert list(rows) == ["well", "sick", "nowhere"]
    assert [row["release"] for row in rows.values()] == [True, False, False]
    assert rows["sick"]["verdict"]["blocking"] == [{"rule": "R2", "msg": "the machine is off, and expected to be on"}]
    assert "3 of 3: " in mixed.output and ": well: may be released" in mixed.output


def test_options_can_be_set_for_the_whole_group(mixed: Ran) -> None:
    assert mixed.of("bmc_check")["release"] and mixed.of("bmc_info")["report"]["reachable"] and mixed.of("bmc_identify")["changed"]


def test_files_are_refused_elsewhere_unless_they_are_meant(mixed: Ran) -> None:
    for name in ("file", "files"):
        assert mixed.of(name)["failed"] and "remote_files: true" in mixed.of(name)["msg"]
    assert not mixed.of("meant")["failed"]


def test_a_canary_in_every_secret_option_is_nowhere(stage: Stage, fakes: list[FakeBmc]) -> None:
    wrong = {**options(fakes.pop()), "bmc_password": "c4n@ry one", "bmc_kg": "c4nary-kg", "bmc_deadline": 5}
    tasks, failing = [], []
    for module in MODULES:
        for place, where in (("here", {}), ("elsewhere", ELSEWHERE)):
            bad = {
                "refused": wrong,
                "address": {**wrong, "bmc_address": "https://me:c4nary-url@127.0.0.1:9"},
                "typo": {**wrong, "bmc_pasword": "x"},
                "bad value": {**wrong, "bmc_retries": "c4n@ry one"},
            }
            failing += [f"{name} {module} {place}" for name in bad]
            tasks += [task(f"{name} {module} {place}", module, given, ignore_errors=True, **where) for name, given in bad.items()]
            if module != "bmc_identify":
                several = {"targets": [{**wrong, "node": "c4nary-kg c4n@ry one"}]}
                tasks.append(task(f"several {module} {place}", module, several, ignore_errors=True, **where))
    ran = stage.play(tasks, arguments="-vvv")
    assert ran.status == 0, ran.output
    # The address is the task's own text: nothing of it is shown but by who wrote it there.
    shown = ran.output + ran.events + "".join(str(result) for hosts in ran.results.values() for result in hosts.values())
    for spelling in ("c4n@ry", "c4nary-kg", "c4n%40ry"):
        assert spelling not in shown
    assert len(ran.results) == len(tasks)
    for name in failing:
        assert ran.of(name)["failed"], name
        assert "c4nary-url" not in str(ran.of(name)["msg"])
    assert "Traceback" not in ran.output


@pytest.fixture(scope="module")
def ran(stage: Stage, fakes: list[FakeBmc]) -> Ran:
    """The examples of every module's documentation, run in one play as they stand there by a host that has the variables."""
    one, other = fakes.pop(), fakes.pop()
    variables = {
        "bmc_protocol": "ipmi",
        "bmc_address": one.address,
        "other_address": other.address,
        "bmc_username": USER,
        "bmc_password": PASSWORD,
    }
    defaults = {"group/baremetal.maintenance.bmc": {"bmc_power_read_interval": 0.1}}
    tasks = [{**example, "name": f"{module}: {example['name']}"} for module in MODULES for example in documentation(module)[1]]
    return stage.play(tasks, hosts={"rack-c-07": variables}, module_defaults=defaults, arguments="--diff")


def of_module(ran: Ran, module: str) -> dict[str, dict[str, t.Any]]:
    """Give the results of a module's examples by the examples' names."""
    return {name.removeprefix(f"{module}: "): hosts["rack-c-07"] for name, hosts in ran.results.items() if name.startswith(f"{module}: ")}


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_run_as_they_stand_there_and_every_value_that_comes_is_documented(ran: Ran, module: str) -> None:
    assert ran.status == 0, ran.output
    examples, returned = documentation(module)[1:]
    results = of_module(ran, module)
    assert list(results) == [example["name"] for example in examples]
    for name, result in results.items():
        if name != "Show what may be released":
            assert set(result) - COMMON <= set(returned), name


@pytest.mark.parametrize("module", ["bmc_check", "bmc_info"])
def test_the_samples_have_the_shape_of_what_comes(ran: Ran, module: str) -> None:
    returned = documentation(module)[2]
    results = of_module(ran, module).values()
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
