# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reasons of maintenance as operators' tools send them; each must come back as it was sent, byte for byte."""

from __future__ import annotations

import typing as t

REASONS: t.Final = (
    "HW_ERR: disk 3",
    "LK_OP|HW_ERR: two prefixes",
    "a; b: c; operator_hold: looks like a synthesis",
    "  two spaces around  ",
    "one\ntwo\r\n\tthree",
    "ünï cödé 🔥",
    "\u202egnp.exe",
    "\x1b[31mred\x1b[0m",
    "{{ 1 + 1 }} %(node.owner)s ${HOME} `id`",
    "\"quoted\" \\ 'both'",
    "null",
    "r" * 4096,
)
