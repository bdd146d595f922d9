# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of a node in answers, and the version from which each exists (Ironic's API reference)."""

from __future__ import annotations

import typing as t

from ..errors import Refusal
from ..store.values import Node
from . import answers, versions

SINCE: t.Final[dict[str, int]] = {
    "uuid": 1,
    "name": versions.NAME,
    "owner": 50,
    "lessee": 65,
    "driver": 1,
    "resource_class": 21,
    "conductor_group": 46,
    "description": 51,
    "properties": 1,
    "extra": 1,
    "instance_uuid": 1,
    "provision_state": 1,
    "power_state": 1,
    "maintenance": 1,
    "maintenance_reason": 1,
    "fault": versions.FAULT,
    "created_at": 1,
    "updated_at": 1,
    "links": 1,
}

#: Not a field of Ironic: the node's entries, in a list, so that one request a page builds an inventory (api.md 7).
ENTRIES: t.Final = "maintenance_entries"

#: What a list shows without `fields` and `detail`.
LIST_DEFAULT: t.Final = ("instance_uuid", "links", "maintenance", "name", "power_state", "provision_state", "uuid")


def wanted(text: str | None, version: int) -> tuple[str, ...] | None:
    """Give the fields that the argument `fields` names, and links. Refusal: 400 unknown, 406 newer than the request's version."""
    if text is None:
        return None
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise Refusal(400, "invalid", "The argument fields is a comma-separated list of fields.")
    for name in names:
        since = versions.typed() if name == ENTRIES else SINCE.get(name)
        if since is None:
            raise Refusal(400, "invalid", f"Field {name[:80]} is not a valid field.")
        if since > version:
            raise Refusal(
                406, "not_supported", f"Request not acceptable. The field {name} needs API version 1.{since} or newer, not 1.{version}."
            )
    return (*names, "links")


def show(node: Node, version: int, base: str, names: t.Iterable[str] | None) -> dict[str, t.Any]:
    """Give the node with the fields that the version has, or with those of `names` among them."""
    chosen = [name for name in (SINCE if names is None else names) if SINCE.get(name, versions.typed() + 1) <= version]
    return {name: _value(node, name, base) for name in sorted(chosen)}


def _value(node: Node, name: str, base: str) -> t.Any:
    if name == "links":
        return answers.links(base, f"nodes/{node.uuid}")
    value = getattr(node, name)
    return answers.when(value) if name in ("created_at", "updated_at") else value
