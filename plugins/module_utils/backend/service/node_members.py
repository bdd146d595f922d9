# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The members of a node that a caller may write, and what is wrong with values of them."""

from __future__ import annotations

import re
import typing as t
import uuid

from ..errors import Refusal

#: What POST takes and PATCH changes, and the most characters of a text; None: a JSON object.
WRITABLE: t.Final[dict[str, int | None]] = {
    "name": 255,
    "owner": 255,
    "lessee": 255,
    "driver": 255,
    "resource_class": 80,
    "conductor_group": 255,
    "description": 4096,
    "instance_uuid": 36,
    "properties": None,
    "extra": None,
}

#: May hold secrets, or be where secrets are put: never stored.
SECRET: t.Final = ("driver_info", "driver_internal_info", "instance_info", "network_data")

#: Path segments after /v1/nodes/, which can't be a node's name.
RESERVED_NAMES: t.Final = frozenset({"detail", "maintenance", "management", "states", "vendor_passthru", "validate"})

_NAME = re.compile(r"[A-Za-z0-9._~-]{1,255}")


def check(name: str, value: t.Any, node: str | None) -> t.Any:
    """Give the value of a member as it is stored. Refusal 400: the member is not written here, or the value does not fit."""
    if name in SECRET:
        raise Refusal(
            400, "invalid", f"Cannot store {name} of a node: it may hold secrets, and this service keeps none; leave it out.", node=node
        )
    if name not in WRITABLE:
        raise Refusal(400, "invalid", f"Cannot set {name[:80]} of a node here; what can be set is {', '.join(WRITABLE)}.", node=node)
    most = WRITABLE[name]
    if most is None:
        return _object(name, value, node)
    if value is None:
        return "" if name == "conductor_group" else None
    if not isinstance(value, str):
        raise Refusal(400, "invalid", f"Expected string for {name}: {str(value)[:80]}", node=node)
    if len(value) > most:
        raise Refusal(400, "invalid", f"The member {name} of a node has {most} characters at most, not {len(value)}.", node=node)
    if name == "name":
        return _name(value, node)
    if name == "instance_uuid" and not is_uuid(value):
        raise Refusal(400, "invalid", f"Expected UUID for instance_uuid: {value}", node=node)
    return value


def is_name(text: str) -> bool:
    """Tell whether the text has the form of a node's name; a uuid has it too."""
    return _NAME.fullmatch(text) is not None


def is_uuid(text: str) -> bool:
    """Tell whether the text is a uuid as we write uuids: lower case, with dashes."""
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False


def _object(name: str, value: t.Any, node: str | None) -> dict[str, t.Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Refusal(400, "invalid", f"Expected object for {name}: {str(value)[:80]}", node=node)
    return value


def _name(value: str, node: str | None) -> str:
    if not is_name(value) or value in RESERVED_NAMES or is_uuid(value.lower()):
        raise Refusal(
            400,
            "invalid",
            f"Cannot create or change a node with name {value[:80]!r}: a name is letters, digits, '-', '.', '_' and '~', and neither"
            " a uuid nor a word of the API",
            node=node,
        )
    return value
