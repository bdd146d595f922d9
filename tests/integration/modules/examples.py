# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Running the examples of every module's documentation, as they stand there, against a backend where their nodes are."""

from __future__ import annotations

import importlib
import typing as t

import yaml

from .running import Ran, Stage

MODULES: t.Final = ("hold", "hold_info", "maintenance_flag", "node_fault", "history_info", "node", "node_info")

_PLUGINS: t.Final = "ansible_collections.baremetal.maintenance.plugins.modules"


def documentation(module: str) -> tuple[dict[str, t.Any], list[dict[str, t.Any]], dict[str, t.Any]]:
    """Give a module's DOCUMENTATION, EXAMPLES and RETURN."""
    plugin = importlib.import_module(f"{_PLUGINS}.{module}")
    return yaml.safe_load(plugin.DOCUMENTATION), yaml.safe_load(plugin.EXAMPLES), yaml.safe_load(plugin.RETURN)


def run_examples(stage: Stage, module: str) -> Ran:
    """Enrol the nodes that the examples name, put in place what they speak of, and run them."""
    known = {node["name"] for node in stage.call("GET", "/v1/nodes?fields=name")["nodes"]}
    stage.enrol(*({"rack-c-07", "rack-c-08", "rack-3-07"} - known))
    for name in ("rack-c-07", "rack-c-08", "rack-3-07"):
        stage.call("DELETE", f"/v1/nodes/{name}/maintenance")
    stale = stage.call("POST", "/v1/nodes/rack-c-07/maintenance", {"type": "operator_hold", "reason": "Rescue, CIDTEAM-3702"}, who="lee")
    if module == "hold_info":
        broken = {"type": "hardware_failure", "reason": "Disk 3 has bad sectors", "ticket": "CIDTEAM-3743", "run": "4711"}
        stage.call("POST", "/v1/nodes/rack-c-07/maintenance", broken)
    if module == "maintenance_flag":
        stage.call("PUT", "/v1/nodes/rack-3-07/maintenance", {"reason": "Rebalancing rack 3"})
    if module == "node":
        stage.call("DELETE", "/v1/nodes/rack-3-07")
    _doc, tasks, _returned = documentation(module)
    host = {"baremetal_node": "rack-c-07", "stale_hold": stale["uuid"]}
    hosts = {"rack-c-07": host, "rack-c-08": {**host, "baremetal_node": "rack-c-08"}}
    who = "watch" if module == "node_fault" else "op"
    return stage.play(tasks, hosts=hosts, group="rack_c", who=who, arguments="--diff --limit rack-c-07")


def options_of(fragment: str) -> dict[str, t.Any]:
    """Give the options of a documentation fragment."""
    return yaml.safe_load(fragment)["options"]
