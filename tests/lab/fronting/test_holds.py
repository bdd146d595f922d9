# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Typed holds on nodes of a real Ironic: what it says of them, read round us, is what the entries say together."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.direct import Flag
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED, Fronted

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]


def typed(fronted: Fronted, user: str, method: str, path: str, body: t.Any = None) -> t.Any:
    """Ask at the typed version."""
    return fronted.through(user).send(method, path, body, version=TYPED)


def test_two_holds_and_the_flag_of_ironic(fronted: Fronted) -> None:
    node = fronted.enrol("two-holds")
    first = typed(fronted, "owner-member", "POST", f"/v1/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "move"})
    assert first.status == 201 and first.json["enforced"] is True and first.json["enforced_by"] == "ironic"
    assert fronted.direct("system-admin").flag(node) == Flag(True, "operator_hold: move", None)
    second = typed(fronted, "system-admin", "POST", f"/v1/nodes/{node}/maintenance", {"type": "hardware_failure", "reason": "disk"})
    assert second.status == 201
    assert fronted.direct("system-admin").flag(node) == Flag(True, "operator_hold: move; hardware_failure: disk", None)
    refused = typed(fronted, "owner-member", "DELETE", f"/v1/nodes/{node}/maintenance/{second.json['uuid']}")
    assert refused.status == 403
    assert typed(fronted, "owner-member", "DELETE", f"/v1/nodes/{node}/maintenance/{first.json['uuid']}").status == 204
    assert fronted.direct("system-admin").flag(node) == Flag(True, "hardware_failure: disk", None)
    assert typed(fronted, "stranger-admin", "GET", f"/v1/nodes/{node}/maintenance").status == 404
    assert typed(fronted, "system-admin", "DELETE", f"/v1/nodes/{node}/maintenance/{second.json['uuid']}").status == 204
    assert fronted.direct("system-admin").flag(node) == Flag(False, None, None)
