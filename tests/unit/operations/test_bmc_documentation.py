# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said about the modules of BMCs is true: the options are the spec's, and every rule stands there with its reason and weight."""

from __future__ import annotations

import importlib
import typing as t

import pytest
import yaml
from ansible_collections.baremetal.maintenance.plugins.doc_fragments.bmc import ModuleDocFragment
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import options as group
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import report, rules
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import options as api

MODULES: t.Final = ("bmc_check", "bmc_identify", "bmc_info")
_PLUGINS: t.Final = "ansible_collections.baremetal.maintenance.plugins"


def documented(module: str) -> dict[str, t.Any]:
    """Give the options that a module documents, those of its fragments included."""
    page = yaml.safe_load(importlib.import_module(f"{_PLUGINS}.modules.{module}").DOCUMENTATION)
    found = dict(page["options"])
    for name in page["extends_documentation_fragment"]:
        if name.startswith("baremetal.maintenance.bmc"):
            section = name.removeprefix("baremetal.maintenance.bmc").lstrip(".").upper() or "DOCUMENTATION"
            found.update(yaml.safe_load(getattr(ModuleDocFragment, section))["options"])
    return found


def spec(module: str) -> dict[str, t.Any]:
    return importlib.import_module(f"{_PLUGINS}.module_utils.operations.{module}").OPERATION.spec()["argument_spec"]


def compare(described: dict[str, t.Any], given: dict[str, t.Any], where: str) -> None:
    assert set(described) == set(given), where
    for name, option in given.items():
        for member in ("type", "default", "choices", "elements"):
            assert described[name].get(member) == option.get(member), (where, name, member)
        compare(described[name].get("suboptions", {}), option.get("options", {}), f"{where}.{name}")


@pytest.mark.parametrize("module", MODULES)
def test_the_documented_options_are_those_of_the_spec_in_targets_too(module: str) -> None:
    compare(documented(module), spec(module), module)


@pytest.mark.parametrize("module", MODULES)
def test_no_option_is_one_of_the_api(module: str) -> None:
    assert all(name.startswith("bmc_") for name in group.ARGUMENT_SPEC)
    assert set(spec(module)) & set(api.ARGUMENT_SPEC) == set()


@pytest.mark.parametrize("module", MODULES)
def test_passwords_and_keys_are_kept_out_of_logs_in_targets_too(module: str) -> None:
    found = spec(module)
    for options in (found, found.get("targets", {}).get("options", found)):
        assert [name for name in options if options[name].get("no_log")] == ["bmc_password", "bmc_kg"]


def weight(rule: rules.Rule) -> str:
    """Give what the documentation says about what a violation does, and what can't be read."""
    said = "A violation warns" if rule.severity == "warn" else "A violation blocks"
    less = [f"V({fault})" for fault in rules.FAULTS if fault not in rule.faults]
    if less:
        said += f", and only warns where O(fault) is {' or '.join(less)}"
    if rule.blocks_for:
        said += f", and blocks where O(fault) is {' or '.join(f'V({fault})' for fault in rules.FAULTS if fault in rule.blocks_for)}"
    unknown = "is only named" if rule.unknown == "off" else "blocks where a violation does" if less else "blocks"
    return f"{said}; what can't be read {unknown}."


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.name)
def test_a_rule_is_documented_with_its_reason_and_weight(rule: rules.Rule) -> None:
    described = documented("bmc_check")["rules"]["description"]
    assert f"C({rule.name}). {rule.what} {rule.reason} {weight(rule)}" in described


def test_no_rule_is_documented_that_is_not_there() -> None:
    described = documented("bmc_check")["rules"]["description"]
    assert [text.partition(".")[0] for text in described if text.startswith("C(")] == [f"C({name})" for name in rules.BY_NAME]


def test_a_rule_has_a_severity_that_can_be_given_and_weighs_no_more_if_it_is_not_known() -> None:
    for rule in rules.RULES:
        assert rule.severity in ("block", "warn") and rule.unknown in ("block", "off")
        assert rule.severity == "block" or rule.unknown == "off"
        assert rule.faults | rule.blocks_for <= rules.ALL_FAULTS


def test_every_member_of_a_report_is_documented() -> None:
    returned = yaml.safe_load(importlib.import_module(f"{_PLUGINS}.modules.bmc_info").RETURN)
    assert list(returned["report"]["contains"]) == list(report.empty("ipmi", ""))
    for sample in (returned["report"]["sample"], returned["targets_result"]["sample"][0]["report"]):
        assert list(sample) == list(report.empty("ipmi", ""))
