# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparing an answer of ours with the one that a real Ironic gave to the same request."""

from __future__ import annotations

import json
import typing as t

#: Ironic's newest version when it was recorded, and ours: one more, for the typed entries.
IRONIC_NEWEST: t.Final = "1.115"
NEWEST: t.Final = "1.116"

VERSION_HEADERS: t.Final = frozenset(
    {"x-openstack-ironic-api-minimum-version", "x-openstack-ironic-api-maximum-version", "x-openstack-ironic-api-version"}
)
#: Of a node in a body only these are compared: Ironic has many members that this backend's own nodes do not have.
NODE_MEMBERS: t.Final = ("uuid", "name", "driver", "maintenance", "maintenance_reason", "fault")


def headers(form: t.Mapping[str, t.Any]) -> dict[str, str]:
    """Give the headers of a written answer, names in lower case."""
    return {name.lower(): value for name, value in form["headers"]}


def expected_headers(recorded: t.Mapping[str, t.Any]) -> dict[str, str]:
    """Give the headers that ours must have: the recorded ones, with our newest version."""
    found = headers(recorded)
    name = "x-openstack-ironic-api-maximum-version"
    if name in found:
        found[name] = found[name].replace(IRONIC_NEWEST, NEWEST)
    return found


def text(form: t.Mapping[str, t.Any]) -> str:
    """Give what a written answer says: an error's sentence, with the range of versions as ours, else the body as text."""
    body = form.get("json", form.get("text"))
    if isinstance(body, dict) and isinstance(body.get("error_message"), str):
        return str(body["error_message"]).replace(f"{IRONIC_NEWEST}]", f"{NEWEST}]")
    if isinstance(body, dict) and "uuid" in body:
        return json.dumps({name: body[name] for name in NODE_MEMBERS if name in body}, sort_keys=True)
    return json.dumps(body, sort_keys=True)


def differences(recorded: t.Mapping[str, t.Any], ours: t.Mapping[str, t.Any]) -> list[str]:
    """Give what differs between two written answers, a sentence each.

    An error of ours has `refusal` beside Ironic's `error_message`; the latter is compared byte for byte.
    """
    found = []
    if recorded["status"] != ours["status"]:
        found.append(f"status {recorded['status']} became {ours['status']}")
    wanted, given = expected_headers(recorded), headers(ours)
    found += [
        f"header {name}: {wanted.get(name)!r} became {given.get(name)!r}"
        for name in sorted({*wanted, *given})
        if wanted.get(name) != given.get(name)
    ]
    if text(recorded) != text(ours):
        found.append(f"body {text(recorded)[:300]} became {text(ours)[:300]}")
    return found
