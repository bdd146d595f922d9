# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Paging as Ironic does it: limit, marker, and an absolute `next` (api.md 7 and 10)."""

from __future__ import annotations

import typing as t
import urllib.parse

from ..errors import Refusal
from .bodies import Arguments

MOST: t.Final = 1000


def limit(args: Arguments) -> int:
    """Take the argument limit: at most 1000, a higher one is capped. Refusal 400: not positive."""
    text = args.take("limit")
    if text is None:
        return MOST
    sign, digits = text.startswith("-"), text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
        raise Refusal(400, "invalid", f"Expected an integer for limit: {text[:80]}")
    if sign or int(digits) == 0:
        raise Refusal(400, "invalid", "Limit must be positive")
    return min(int(digits), MOST)


def following(req: t.Any, base: str, position: t.Mapping[str, t.Any]) -> str:
    """Give the URL of the next page: this request's, with these arguments in place of its own."""
    pairs = [(name, value) for name, value in urllib.parse.parse_qsl(req.query_string, keep_blank_values=True) if name not in position]
    query = urllib.parse.urlencode([*pairs, *position.items()])
    return f"{base}{urllib.parse.quote(req.path)}?{query}"
