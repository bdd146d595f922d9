# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every module has an action of its name, documentation and a place in one action group; the groups name nothing else."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
COLLECTION = "baremetal.maintenance"


def plugins(kind: str) -> list[str]:
    """Names of the plugins of one kind that this checkout has."""
    return sorted(file.stem for file in (ROOT / "plugins" / kind).glob("*.py") if file.stem != "__init__")


@pytest.fixture(scope="module")
def documentation() -> dict[str, Any]:
    """What ansible-doc says about each module, by name."""
    names = [f"{COLLECTION}.{name}" for name in plugins("modules")]
    command = [str(pathlib.Path(sys.executable).with_name("ansible-doc")), "--type", "module", "--json", *names]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return {name.removeprefix(f"{COLLECTION}."): page for name, page in json.loads(done.stdout).items()}


def test_modules_and_actions_are_twins() -> None:
    assert plugins("modules")
    assert plugins("modules") == plugins("action")


def test_the_action_groups_have_each_module_once_and_no_other_name() -> None:
    groups = yaml.safe_load((ROOT / "meta" / "runtime.yml").read_text())["action_groups"]
    members = [name for group in groups.values() for name in group]
    assert sorted(members) == plugins("modules")
    assert all(names == sorted(names) for names in groups.values())


@pytest.mark.parametrize("name", plugins("modules"))
def test_a_module_is_documented_with_examples_and_results(documentation: dict[str, Any], name: str) -> None:
    page = documentation[name]
    assert page["doc"]["short_description"]
    assert f"{COLLECTION}.{name}:" in page["examples"]
    assert page["return"]


@pytest.mark.parametrize("name", plugins("modules"))
def test_a_module_states_the_facts_about_how_it_runs(documentation: dict[str, Any], name: str) -> None:
    attributes = documentation[name]["doc"]["attributes"]
    groups = yaml.safe_load((ROOT / "meta" / "runtime.yml").read_text())["action_groups"]
    assert attributes["action_group"]["membership"] == [f"{COLLECTION}.{group}" for group, names in groups.items() if name in names]
    assert attributes["check_mode"]["support"] == "full"
    assert attributes["diff_mode"]["support"] in ("full", "none", "N/A")
    assert attributes["async"]["support"] == "none"
    assert attributes["become"]["support"] == "none"
    assert attributes["connection"]["support"] == "none"
