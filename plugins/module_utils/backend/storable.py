# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every database keeps and gives back as it was: texts and JSON values of callers and of imported documents."""

from __future__ import annotations

import math
import re
import typing as t

#: Levels of lists and objects in a value. Python's own limit counts what else is on the stack: what is read in one place might
#: not be read back in another.
DEEPEST: t.Final = 100

_SURROGATE: t.Final = re.compile("[\ud800-\udfff]")


def problem(value: t.Any) -> str | None:
    """Say what a JSON value holds that can't be kept, with a remedy; None if it can be kept as it is."""
    level = [value]
    for _depth in range(DEEPEST + 1):
        deeper: list[t.Any] = []
        for part in level:
            if isinstance(part, str):
                if found := _problem_of_text(part):
                    return found
            elif isinstance(part, float):
                if not math.isfinite(part):
                    return "a number that is too large; send it as a text"
            elif isinstance(part, dict):
                deeper += part.keys()
                deeper += part.values()
            elif isinstance(part, list):
                deeper += part
        if not deeper:
            return None
        level = deeper
    return f"lists or objects nested more than {DEEPEST} levels deep; flatten them"


def _problem_of_text(text: str) -> str | None:
    if "\0" in text:
        return "a NUL character; leave it out"
    if _SURROGATE.search(text):
        return "a lone surrogate, which is no character; leave it out"
    return None
