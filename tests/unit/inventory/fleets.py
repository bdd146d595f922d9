# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes and entries as an API tells them, for the tests of the inventory."""

from __future__ import annotations

import typing as t
import uuid

NAMESPACE = uuid.UUID("5d1e6f6e-0000-4000-8000-000000000000")


def uuid_of(name: str) -> str:
    """Give the same UUID for the same name in every run."""
    return str(uuid.uuid5(NAMESPACE, name))


def entry(type: str, scope: str = "system", **members: t.Any) -> dict[str, t.Any]:
    """Give an entry in the shape of our backend."""
    return {
        "uuid": uuid_of(f"{type}/{scope}/{members.get('reason')}"),
        "type": type,
        "reason": None,
        "scope": scope,
        "asserted_by": "someone",
        "asserted_by_project": "",
        "asserted_at": "2026-06-10T10:30:00.123456+00:00",
        "extra": {},
        "links": [{"href": "http://127.0.0.1/v1/x", "rel": "self"}],
        **members,
    }


def node(called: str, *entries: dict[str, t.Any], **fields: t.Any) -> dict[str, t.Any]:
    """Give a node with its entries, in the shape in which a snapshot keeps it."""
    return {
        "uuid": uuid_of(called),
        "name": called,
        "owner": None,
        "lessee": None,
        "resource_class": None,
        "provision_state": "available",
        "power_state": "power on",
        "maintenance": bool(entries),
        "maintenance_reason": None,
        "fault": None,
        "maintenance_entries": list(entries),
        **fields,
    }
