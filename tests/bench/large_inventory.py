# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory of ten thousand nodes from the service: beside a file with the same hosts, groups and variables."""

from __future__ import annotations

import json
import pathlib
import typing as t

import yaml
from fleet import BINARIES, Fleet
from measuring import Cost, Row, command, cpu, in_turn, wall

NODES: t.Final = 10_000
#: Every so many-th node is held.
HELD: t.Final = 20


def rows(folder: pathlib.Path, rounds: int) -> list[Row]:
    """Measure."""
    with Fleet(folder, NODES) as fleet:
        body = {"nodes": list(fleet.nodes[::HELD]), "type": "operator_hold", "reason": "the rack is moved"}
        fleet.call("POST", "/v1/maintenance", body, 200)
        source = folder / "holds.yml"
        source.write_text("plugin: baremetal.maintenance.holds\n", encoding="utf-8")
        as_yaml, as_json = folder / "static.yml", folder / "static.json"
        command([*_listing(source), "--yaml", "--output", str(as_yaml)], fleet.environment(), folder)
        as_json.write_text(json.dumps(yaml.load(as_yaml.read_bytes(), yaml.CSafeLoader)), encoding="utf-8")

        def from_service(_number: int) -> Cost:
            return command([*_listing(source), "--output", str(folder / "ours.list")], fleet.environment(), folder)

        def from_yaml(_number: int) -> Cost:
            return command([*_listing(as_yaml), "--output", str(folder / "yaml.list")], fleet.environment(), folder)

        def from_json(_number: int) -> Cost:
            return command([*_listing(as_json), "--output", str(folder / "json.list")], fleet.environment(), folder)

        ours, of_yaml, of_json = in_turn(rounds, from_service, from_yaml, from_json)
        first, *others = (_content(path) for path in folder.glob("*.list"))
        if any(other != first for other in others):
            raise SystemExit("the inventories are not the same")
    work = f"ansible-inventory --list, {NODES:,} nodes"
    return [
        Row(work, "a YAML file of the same", wall(ours), wall(of_yaml), "s", 0.5),
        Row(work, "a JSON file of the same", wall(ours), wall(of_json), "s", 1.25),
        Row(f"{work}, processor", "a JSON file of the same", cpu(ours), cpu(of_json), "s"),
    ]


def _listing(source: pathlib.Path) -> list[str]:
    return [str(BINARIES / "ansible-inventory"), "-i", str(source), "--list"]


def _content(listed: pathlib.Path) -> tuple[t.Any, ...]:
    """Give the variables and the groups that an inventory lists. A file has no groups without hosts, and an order of its own."""
    document = json.loads(listed.read_bytes())
    groups = {name: sorted(group["hosts"]) for name, group in document.items() if group.get("hosts")}
    return document["_meta"]["hostvars"], groups
