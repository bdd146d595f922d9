# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""PATCH, POST and DELETE of a node: authority first, then what is Ironic's, then what is ours (api.md 3 and 4)."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.direct import Answer, Flag
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED, Fronted
from ansible_collections.baremetal.maintenance.tests.lab.fronting.plain import Plain

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]


def op(op: str, path: str, value: t.Any = None, **more: t.Any) -> dict[str, t.Any]:
    """Give an operation of a patch."""
    return {"op": op, "path": path, **({} if op == "remove" else {"value": value}), **more}


def patched(plain: Plain, node: str, *operations: dict[str, t.Any], query: str = "", version: str = "1.115") -> Answer:
    """Send a patch through us."""
    return plain.through.patch(f"/v1/nodes/{node}{query}", list(operations), version=version)


def test_true_and_false(plain: Plain) -> None:
    node = plain.ironic.nodes.enrol("patched-1")
    shown = patched(plain, node, op("replace", "/maintenance", True))
    assert shown.status == 200 and (shown.json["maintenance"], shown.json["maintenance_reason"]) == (True, None)
    assert plain.entries(node) == [("legacy", None)] and plain.flag(node) == Flag(True, None, None)
    assert plain.through.put(f"/v1/nodes/{node}/maintenance", {"reason": "why"}).status == 202
    assert patched(plain, node, op("add", "/maintenance", "yes")).status == 200
    assert plain.entries(node) == [("legacy", "why")], "the value already held is no change, and true leaves the reason"
    shown = patched(plain, node, op("replace", "/maintenance", False))
    assert shown.status == 200 and (shown.json["maintenance"], shown.json["maintenance_reason"]) == (False, None)
    assert plain.entries(node) == [] and plain.flag(node) == Flag(False, None, None)
    assert patched(plain, node, op("replace", "/maintenance", "off")).status == 200


def test_it_sees_what_is_synthesised(plain: Plain) -> None:
    """A test of /maintenance is against the entries, also while Ironic has lost the flag."""
    node = plain.ironic.nodes.enrol("patched-2")
    plain.hold(node)
    plain.gap([node])
    assert patched(plain, node, op("test", "/maintenance", False), op("add", "/extra/x", 1)).status == 400
    assert "x" not in plain.direct.node(node)["extra"]
    assert patched(plain, node, op("test", "/maintenance", True), op("add", "/extra/x", 1)).status == 200
    assert plain.direct.node(node)["extra"] == {"x": 1}
    shown = patched(plain, node, op("add", "/extra/y", 2))
    assert (shown.json["maintenance"], shown.json["maintenance_reason"]) == (True, "operator_hold: moving")
    assert plain.entries(node) == [("operator_hold", "moving")]


def test_what_is_refused_changes_nothing(plain: Plain) -> None:
    node = plain.ironic.nodes.enrol("patched-3")
    more = op("add", "/extra/x", 1)
    for refused in (
        op("remove", "/maintenance"), op("replace", "/maintenance", "banana"), op("replace", "/maintenance", None),
        op("replace", "/maintenance_reason", "x"), op("add", "/fault", "power failure"), op("remove", "/fault"),
        op("test", "/maintenance_reason", None), op("replace", "/maintenance/x", True), op("replace", "/maintenance~0", True),
        {"op": "move", "from": "/maintenance", "path": "/extra/y"}, {"op": "copy", "from": "/extra/x", "path": "/maintenance"},
        {"op": "copy", "from": "/maintenance_reason", "path": "/extra/y"}, {"op": "replace", "path": "/maintenance"},
    ):  # fmt: skip
        answer = patched(plain, node, more, refused)
        assert answer.status == 400, (refused, answer.status, answer.content)
        assert plain.direct.node(node)["extra"] == {} and plain.entries(node) == [] and not plain.flag(node).maintenance, refused
    assert patched(plain, node, query="?x=1").status == 400
    assert patched(plain, node, more, query="?reset_interfaces=banana").status >= 400


def test_mixed(plain: Plain) -> None:
    """The rest goes before ours: what Ironic refuses leaves the boolean as it was."""
    node = plain.ironic.nodes.enrol("patched-4")
    both = patched(plain, node, op("add", "/extra/x", 1), op("replace", "/maintenance", True), op("replace", "/description", "rack 4"))
    assert both.status == 200 and (both.json["extra"], both.json["description"], both.json["maintenance"]) == ({"x": 1}, "rack 4", True)
    assert plain.entries(node) == [("legacy", None)]
    refused = patched(plain, node, op("replace", "/maintenance", False), op("remove", "/extra/nope"))
    assert refused.status == 400 and plain.entries(node) == [("legacy", None)] and plain.flag(node).maintenance


def test_a_dry_run(plain: Plain) -> None:
    node = plain.ironic.nodes.enrol("patched-5")
    before = plain.direct.node(node)
    tried = patched(plain, node, op("replace", "/maintenance", True), query="?dry_run=true", version=TYPED)
    assert tried.status == 200
    assert patched(plain, node, op("add", "/extra/x", 1), query="?dry_run=true", version=TYPED).status == 400
    assert patched(plain, node, op("replace", "/maintenance", True), query="?dry_run=true").status == 400
    assert plain.through.delete(f"/v1/nodes/{node}?dry_run=true", version=TYPED).status == 204
    assert plain.entries(node) == [] and plain.direct.node(node) == before


def test_a_node_is_made_and_removed_with_its_holds(plain: Plain) -> None:
    through = plain.through
    made = through.post("/v1/nodes", {"name": "made", "driver": "fake-hardware"})
    assert made.status == 201 and made.json["maintenance"] is False
    assert made.headers["Location"].startswith(plain.backend.url) and made.json["links"][0]["href"].startswith(plain.backend.url)
    node = made.json["uuid"]
    plain.hold(node)
    assert through.delete(f"/v1/nodes/{node}").status == 204
    assert plain.direct.get(f"/v1/nodes/{node}").status == 404
    events = through.get(f"/v1/maintenance/history?node={node}", version=TYPED).json["history"]
    assert [event["maintenance"]["action"] for event in events] == ["assert", "release"]
    assert through.get(f"/v1/nodes/{node}/maintenance", version=TYPED).status == 404


def test_who_may(fronted: Fronted) -> None:
    """PATCH is no way round the boolean's own rule, nor DELETE of a node one to end another's hold."""
    node = fronted.enrol("who-may-patch")
    true, false = ([op("replace", "/maintenance", value)] for value in (True, False))
    bypass = fronted.through("lessee-member").patch(f"/v1/nodes/{node}", true)
    assert bypass.status == 403 and "set_maintenance" in bypass.said
    assert not fronted.direct("system-admin").flag(node).maintenance
    held = fronted.through("system-admin").post(
        f"/v1/nodes/{node}/maintenance", {"type": "hardware_failure", "reason": "disk"}, version=TYPED
    )
    assert held.status == 201
    owner = fronted.through("owner-admin")
    mixed = owner.patch(f"/v1/nodes/{node}", [op("add", "/extra/x", 1), *false])
    assert mixed.status == 403 and mixed.json["refusal"]["blockers"][0]["uuid"] == held.json["uuid"]
    assert fronted.direct("system-admin").node(node)["extra"] == {}, "authority comes first"
    removed = owner.delete(f"/v1/nodes/{node}")
    assert removed.status == 403 and "hardware_failure" in removed.said
    assert fronted.direct("system-admin").flag(node) == Flag(True, "hardware_failure: disk", None)
    assert owner.patch(f"/v1/nodes/{node}", [op("test", "/maintenance", True), op("add", "/extra/x", 1)]).status == 200
    assert fronted.through("system-admin").patch(f"/v1/nodes/{node}", false).status == 200
    assert fronted.direct("system-admin").flag(node) == Flag(False, None, None)
    assert fronted.through("stranger-admin").patch(f"/v1/nodes/{node}", true).status == 404
    assert fronted.through("system-admin").delete(f"/v1/nodes/{node}").status == 204
