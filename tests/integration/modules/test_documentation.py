# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation is true: its options are the spec's, its examples run as they stand there, its samples look like what comes."""

from __future__ import annotations

import importlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.doc_fragments.api import ModuleDocFragment as Api
from ansible_collections.baremetal.maintenance.plugins.doc_fragments.attributes import ModuleDocFragment as Attributes
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.operation import Operation

from .examples import MODULES, documentation, options_of, run_examples
from .running import Ran, Stage

#: What every task's result may have without being documented by the module.
COMMON: t.Final = {"changed", "failed", "diff", "warnings", "_ansible_no_log"}


def operation(module: str) -> Operation:
    return importlib.import_module(f"ansible_collections.baremetal.maintenance.plugins.module_utils.operations.{module}").OPERATION


@pytest.fixture(scope="module")
def ran(stage: Stage) -> dict[str, Ran]:
    return {module: run_examples(stage, module) for module in MODULES}


@pytest.mark.parametrize("module", MODULES)
def test_the_documented_options_are_those_of_the_spec(module: str) -> None:
    described = {**options_of(Api.DOCUMENTATION), **options_of(Attributes.DOCUMENTATION), **documentation(module)[0]["options"]}
    spec = operation(module).spec()["argument_spec"]
    assert set(described) == set(spec)
    for name, option in spec.items():
        for member in ("type", "default", "choices", "elements"):
            assert described[name].get(member) == option.get(member), (name, member)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_run_as_they_stand_there(ran: dict[str, Ran], module: str) -> None:
    assert ran[module].status == 0, ran[module].output


@pytest.mark.parametrize("module", MODULES)
def test_every_value_that_comes_is_documented(ran: dict[str, Ran], module: str) -> None:
    returned = documentation(module)[2]
    for task, hosts in ran[module].results.items():
        for result in hosts.values():
            assert set(result) - COMMON <= set(returned), task
            always = {name for name, value in returned.items() if value["returned"] in ("always", "success")}
            assert always <= set(result), task


@pytest.mark.parametrize("module", MODULES)
def test_every_sample_has_the_shape_of_what_comes(ran: dict[str, Ran], module: str) -> None:
    results = [result for hosts in ran[module].results.values() for result in hosts.values()]
    compared = 0
    for name, value in documentation(module)[2].items():
        shapes = [shape(result[name]) for result in results if result.get(name)]
        if shapes:
            compared += 1
            assert shape(value["sample"]) in shapes, name
    assert compared


def shape(value: t.Any, depth: int = 3) -> t.Any:
    """Give the members of a value, to some depth; what stands in the free-form ones does not count."""
    if isinstance(value, list):
        return [shape(value[0], depth)] if value else []
    if isinstance(value, dict) and depth:
        return {name: shape(member, depth - 1) for name, member in value.items() if name not in ("extra", "properties", "blockers")}
    return "value"
