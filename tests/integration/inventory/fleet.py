# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small fleet with one node of each kind, for golden files: the same bytes in every run."""

from __future__ import annotations

import typing as t

OWNER = "11111111111111111111111111111111"
LESSEE = "22222222222222222222222222222222"


def entry(number: int, type: str, scope: str, **members: t.Any) -> dict[str, t.Any]:
    """Give an entry in the shape of the specification."""
    uuid = f"e0000000-0000-4000-8000-{number:012d}"
    return {
        "uuid": uuid,
        "type": type,
        "reason": None,
        "scope": scope,
        "asserted_by": {"system": "dana", "owner": "omar"}.get(scope, "lena"),
        "asserted_by_project": {"system": "", "owner": OWNER}.get(scope, LESSEE),
        "asserted_at": f"2026-06-10T10:30:{number:02d}.000000+00:00",
        "extra": {},
        "links": [{"href": f"http://127.0.0.1/v1/nodes/x/maintenance/{uuid}", "rel": "self"}],
        **members,
    }


def node(number: int, name: str | None, *entries: dict[str, t.Any], **fields: t.Any) -> dict[str, t.Any]:
    """Give a node, with more fields than a listing asks for."""
    return {
        "uuid": f"a0000000-0000-4000-8000-{number:012d}",
        "name": name,
        "owner": OWNER,
        "lessee": None,
        "resource_class": "compute.medium",
        "provision_state": "available",
        "power_state": "power off",
        "maintenance": bool(entries),
        "maintenance_reason": entries[0]["reason"] if entries else None,
        "fault": None,
        "extra": {"rack": f"r{number % 2}"},
        "maintenance_entries": list(entries),
        **fields,
    }


NODES: t.Final = [
    node(1, "n01"),
    node(
        2,
        "n02",
        entry(1, "hardware_failure", "owner", reason="Disk 3 has bad sectors"),
        entry(2, "operator_hold", "system", reason="CHG-2211"),
    ),
    node(3, "n03", entry(3, "operator_hold", "lessee", reason="{{ lookup('pipe', 'id') }}"), lessee=LESSEE),
    node(
        4,
        "n04",
        entry(4, "fault", "system", reason="Failed to get power state", extra={"fault": "power failure"}),
        fault="power failure",
        power_state=None,
    ),
    node(5, "n05", entry(5, "legacy", "system", reason="HW_ERR: Lüfter 2\n\tsteht 🔥 {% raw %}"), owner=None),
    node(6, None, entry(6, "x_network", "system"), resource_class=None, provision_state=None),
    node(7, "n07", maintenance=True, maintenance_reason="released while it was listed"),
    node(8, "n08", lessee=LESSEE, provision_state="active", power_state="power on", resource_class="gpu"),
]
