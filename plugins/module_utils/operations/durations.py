# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Durations as people write them in a playbook."""

from __future__ import annotations

import re

from .errors import OperationError

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_DURATION = re.compile(r"([0-9]{1,11})([smhdw]?)")
#: A century, in seconds: what is longer reaches beyond the calendar.
_LONGEST = 100 * 366 * 86400


def seconds(text: str, option: str) -> int:
    """Give the seconds of `90`, `90s`, `15m`, `4h`, `2d` or `1w`. Raise OperationError, naming the option, for anything else."""
    match = _DURATION.fullmatch(text.strip())
    if not match or int(match[1]) * _UNITS[match[2]] > _LONGEST:
        raise OperationError(f"`{option}` is {text!r}: a number of seconds, or a number with s, m, h, d or w is needed, such as 4h.")
    return int(match[1]) * _UNITS[match[2]]
