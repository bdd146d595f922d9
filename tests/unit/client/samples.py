# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Data that the client's tests share."""

from __future__ import annotations

import typing as t

ENTRY: t.Final[dict[str, t.Any]] = {
    "uuid": "8d8d9a25-c1d0-4d4c-93a6-2a4a7e2bf7d8",
    "type": "operator_hold",
    "reason": "row C power work",
    "scope": "system",
    "asserted_by": "op1",
    "asserted_by_project": "",
    "asserted_at": "2026-06-10T10:30:00.123456+00:00",
    "extra": {},
    "links": [],
    "key": "",
    "ticket": None,
    "run": None,
    "own": True,
}

#: An entry as a typed service without extensions gives it.
NATIVE: t.Final[dict[str, t.Any]] = {name: value for name, value in ENTRY.items() if name not in ("key", "ticket", "run", "own")}

BLOCKER: t.Final = {
    "uuid": "f00dfeed-0000-4000-8000-000000000001",
    "type": "hardware_failure",
    "scope": "system",
    "project": None,
    "why": "not permitted at lessee scope",
    "who_can": "a system operator",
}
