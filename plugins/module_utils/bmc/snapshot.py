# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is built into a machine, kept before a part is replaced and compared after it, by serial number. Pure."""

from __future__ import annotations

import typing as t

from . import report as reports

#: What is kept of a part: enough to recognise it.
KEPT: t.Final = ("kind", "name", "location", "model", "serial", "size_mb")

Part = dict[str, t.Any]


def take(report: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Give the snapshot of a report: {"system": serial or null, "parts": [...]}, of parts that are there, small enough for a hold's `extra`."""
    parts = [{name: part[name] for name in KEPT if part[name] is not None} for part in report["components"] if reports.present(part)]
    return {"system": report["system"]["serial"], "parts": parts}


def compare(before: t.Mapping[str, t.Any], after: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Tell what changed between two snapshots.

    Gives {"changed": bool, "removed": [part], "added": [part], "replaced": [{"before", "after"}], "same_system": bool or null}. A part is known
    by kind and serial; parts without a serial are compared by kind, name and size, so that a swap of one such part for its like is not seen.
    """
    gone = _left(before["parts"], after["parts"])
    come = _left(after["parts"], before["parts"])
    replaced = []
    for old in list(gone):
        new = next((part for part in come if _place(part) == _place(old)), None)
        if new is not None:
            gone.remove(old)
            come.remove(new)
            replaced.append({"before": old, "after": new})
    systems = (before.get("system"), after.get("system"))
    return {
        "changed": bool(gone or come or replaced),
        "removed": gone,
        "added": come,
        "replaced": replaced,
        "same_system": systems[0] == systems[1] if all(systems) else None,
    }


def _left(parts: t.Sequence[Part], others: t.Sequence[Part]) -> list[Part]:
    """Give the parts that are not among the others, counting likes."""
    rest = [_identity(part) for part in others]
    left = []
    for part in parts:
        identity = _identity(part)
        if identity in rest:
            rest.remove(identity)
        else:
            left.append(part)
    return left


def _identity(part: Part) -> tuple[t.Any, ...]:
    if part.get("serial"):
        return (part["kind"], part["serial"])
    return (part["kind"], None, part["name"], part.get("size_mb"))


def _place(part: Part) -> tuple[t.Any, ...]:
    return (part["kind"], part.get("location") or part["name"])
