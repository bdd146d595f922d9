# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is built into a machine, kept before a part is replaced and compared after it, by serial number. Pure."""

from __future__ import annotations

import typing as t

from . import report as reports

#: What is kept of a part: enough to recognise it.
KEPT: t.Final = ("kind", "name", "location", "model", "serial", "size_mb")

#: Over Redfish, the section that lists the parts of a kind; what is missing here is listed with the system.
_SECTIONS: t.Final = {"cpu": "cpu", "memory": "memory", "drive": "storage", "controller": "storage", "psu": "psu", "bmc": "bmc"}
#: What BMCs write where a serial number should be.
_NO_SERIALS: t.Final = frozenset({"", "n/a", "na", "none", "null", "unknown", "not available", "not specified", "to be filled by o.e.m."})

Part = dict[str, t.Any]
Snapshot = dict[str, t.Any]


def take(report: t.Mapping[str, t.Any]) -> Snapshot:
    """Give the snapshot of a report, small enough for a hold's `extra`.

    It is {"system": serial or null, "parts": [part], "unread": [kind]}: the parts that are there, each with those of KEPT that are known,
    and the kinds of parts that were not read to their end, of which more may be there.
    """
    parts = [{name: part[name] for name in KEPT if part[name] is not None} for part in report["components"] if reports.present(part)]
    return {"system": report["system"]["serial"], "parts": parts, "unread": [kind for kind in reports.KINDS if not _is_read(report, kind)]}


def compare(before: t.Mapping[str, t.Any], after: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Tell what changed between two snapshots.

    Gives {"changed": bool, "removed": [part], "added": [part], "replaced": [{"before", "after"}], "unsure": [{"before", "after"}],
    "fewer": [{"kind", "unit", "before", "after"}], "not_compared": [kind], "same_system": bool or null}. A part is known by kind and serial
    number, wherever it is; one without a serial number by kind, place, model and size, so that a swap of it for its like is not seen.
    Where only one of the two snapshots has a serial number for a place, and nothing else there differs, it is `unsure` whether the part
    is another one: that is no change. Kinds that one of the two could not read are not compared. `fewer` has the kinds of which there are
    fewer parts now, and memory that is smaller (unit MB): a module that is not seated shows in nothing else. same_system is null if no
    serial number was there before; one that is gone is another.
    """
    blind = [kind for kind in reports.KINDS if kind in {*before.get("unread", ()), *after.get("unread", ())}]
    gone, come = _without_like([part for part in before["parts"] if part["kind"] not in blind], after["parts"], blind)
    replaced, unsure = [], []
    for old in list(gone):
        new = next((part for part in come if _place(part) == _place(old)), None)
        if new is not None:
            gone.remove(old)
            come.remove(new)
            pair = {"before": old, "after": new}
            (unsure if _may_be_one(old, new) else replaced).append(pair)
    was, now = _known(before.get("system")), _known(after.get("system"))
    return {
        "changed": bool(gone or come or replaced),
        "removed": gone,
        "added": come,
        "replaced": replaced,
        "unsure": unsure,
        "fewer": _fewer(before["parts"], after["parts"], blind),
        "not_compared": blind,
        "same_system": was == now if was else None,
    }


def _is_read(report: t.Mapping[str, t.Any], kind: str) -> bool:
    """Whether all parts of a kind are listed, or the BMC has none to list."""
    if report["protocol"] == "ipmi":
        # Sensors tell that parts are there, the inventory data which ones they are.
        return all(report["sections"].get(name) in ("ok", "absent") for name in ("sensors", "fru"))
    return report["sections"].get(_SECTIONS.get(kind, "system")) in ("ok", "absent")


def _without_like(before: t.Sequence[Part], after: t.Sequence[Part], blind: t.Sequence[str]) -> tuple[list[Part], list[Part]]:
    """Give what is only in the one and what is only in the other, counting likes."""
    come = [part for part in after if part["kind"] not in blind]
    gone = []
    for old in before:
        like = next((part for part in come if _identity(part) == _identity(old)), None)
        if like is None:
            gone.append(old)
        else:
            come.remove(like)
    return gone, come


def _fewer(before: t.Sequence[Part], after: t.Sequence[Part], blind: t.Sequence[str]) -> list[dict[str, t.Any]]:
    """Give the kinds of parts of which less is there than was."""
    counts = [(kind, "parts", *(sum(part["kind"] == kind for part in parts) for parts in (before, after))) for kind in reports.KINDS]
    memories = [[part.get("size_mb") for part in parts if part["kind"] == "memory"] for parts in (before, after)]
    if all(isinstance(size, int) for sizes in memories for size in sizes):
        counts.append(("memory", "MB", *(sum(sizes) for sizes in memories)))
    less = [one for one in counts if one[0] not in blind and one[3] < one[2]]
    return [dict(zip(("kind", "unit", "before", "after"), one, strict=True)) for one in less]


def _serial(part: Part) -> str | None:
    return _known(part.get("serial"))


def _known(serial: t.Any) -> str | None:
    text = str(serial or "").strip()
    return None if text.lower() in _NO_SERIALS else text


def _identity(part: Part) -> tuple[t.Any, ...]:
    serial = _serial(part)
    return (part["kind"], serial) if serial else (*_place(part), *_make(part))


def _place(part: Part) -> tuple[t.Any, ...]:
    return (part["kind"], part.get("location") or part["name"])


def _make(part: Part) -> tuple[t.Any, ...]:
    return (part.get("model"), part.get("size_mb"))


def _may_be_one(old: Part, new: Part) -> bool:
    """Whether two parts in one place may be the same one: what both say about them is equal."""
    if _serial(old) and _serial(new):
        return False
    return all(one == other or one is None or other is None for one, other in zip(_make(old), _make(new), strict=True))
