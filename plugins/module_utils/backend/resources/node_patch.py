# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON Patch on a node: the members, and the boolean, which is a write path of maintenance (api.md 3)."""

from __future__ import annotations

import dataclasses
import typing as t

from .. import libs
from ..errors import Refusal
from ..service import node_members
from ..store.values import Node
from . import bodies

OPERATIONS: t.Final = ("add", "replace", "remove", "test")
TRUE: t.Final = ("1", "t", "true", "on", "y", "yes")
FALSE: t.Final = ("0", "f", "false", "off", "n", "no")

#: Derived from the entries, each with what would change it.
DERIVED: t.Final = {
    "maintenance_reason": "set it with PUT on the node's maintenance",
    "fault": "it is asserted with PUT on the node's maintenance/fault",
}


@dataclasses.dataclass(frozen=True)
class NodePatch:
    """A patch, checked as far as it can be without the node."""

    node: str
    #: Operations on members, in order.
    members: tuple[dict[str, t.Any], ...]
    #: Operations on the boolean, in order: `test`, `add` or `replace`, and its value.
    boolean: tuple[tuple[str, bool], ...]

    @property
    def maintenance(self) -> bool | None:
        """What the boolean shall be in the end, None if the patch does not set it."""
        values = [value for op, value in self.boolean if op != "test"]
        return values[-1] if values else None

    def test_maintenance(self, found: bool) -> None:
        """Refusal 400: a `test` of /maintenance says otherwise than what the node's entries and the operations before it give."""
        for op, value in self.boolean:
            if op == "test" and value != found:
                raise Refusal(
                    400, "invalid", f"The test of /maintenance on node {self.node} failed: it is {str(found).lower()}.", node=self.node
                )
            found = value

    def apply(self, node: Node) -> dict[str, t.Any]:
        """Give the values of all writable members after the patch. Refusal 400: an operation fails, or a value does not fit."""
        before = {name: getattr(node, name) for name in node_members.WRITABLE}
        # What is null is absent for `remove` and present for `replace`, as Ironic has it.
        try:
            after = libs.jsonpatch.JsonPatch(list(self.members)).apply(before)
        except (libs.jsonpatch.JsonPatchException, libs.jsonpatch.JsonPointerException, TypeError) as error:
            raise Refusal(400, "invalid", f"Couldn't apply patch to node {self.node}: {str(error)[:200]}", node=self.node) from None
        return {name: node_members.check(name, after.get(name, _empty(name)), self.node) for name in node_members.WRITABLE}


def read(body: t.Any, node: str) -> NodePatch:
    """Read a JSON Patch document. Refusal 400: what is wrong with it, before anything is looked up."""
    if body is bodies.MISSING or not isinstance(body, list):
        raise Refusal(400, "invalid", "The body must be a JSON Patch: a list of operations.", node=node)
    members, boolean = [], []
    for operation in body:
        op, path, name = _operation(operation, node)
        if name == "maintenance":
            if op == "remove":
                raise Refusal(400, "invalid", f"Cannot remove /maintenance of node {node}: replace it with true or false.", node=node)
            if path != "/maintenance":
                raise Refusal(400, "invalid", f"Cannot patch {path[:80]} of node {node}.", node=node)
            boolean.append((op, _boolean(operation["value"], node)))
        elif name in DERIVED:
            raise Refusal(400, "invalid", f"Cannot patch /{name} of node {node}: {DERIVED[name]}.", node=node)
        else:
            if name in node_members.SECRET or name not in node_members.WRITABLE:
                node_members.check(name, None, node)
            members.append(operation)
    return NodePatch(node, tuple(members), tuple(boolean))


def _operation(operation: t.Any, node: str) -> tuple[str, str, str]:
    if not isinstance(operation, dict):
        raise Refusal(400, "invalid", "An operation of the patch is not an object.", node=node)
    op, path = operation.get("op"), operation.get("path")
    if not isinstance(path, str) or not path.startswith("/"):
        raise Refusal(400, "invalid", f"The path of an operation starts with /, not {str(path)[:80]!r}.", node=node)
    if op not in OPERATIONS:
        raise Refusal(
            400, "invalid", f"Cannot do {str(op)[:80]!r} on {path[:80]} of node {node}: known are {', '.join(OPERATIONS)}.", node=node
        )
    if op != "remove" and "value" not in operation:
        raise Refusal(400, "invalid", f"The operation {op} on {path[:80]} of node {node} needs a value.", node=node)
    name = path[1:].partition("/")[0].replace("~1", "/").replace("~0", "~")
    return op, path, name


def _boolean(value: t.Any, node: str) -> bool:
    text = str(value).strip().lower()
    if isinstance(value, (bool, str)):
        if text in TRUE:
            return True
        if text in FALSE:
            return False
    raise Refusal(400, "invalid", f"Expected boolean for /maintenance of node {node}: {str(value)[:80]}", node=node)


def _empty(name: str) -> t.Any:
    return {} if name in ("properties", "extra") else None
