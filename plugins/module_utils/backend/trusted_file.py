# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that decide who is let in: whether others than the service's own user could change or read them."""

from __future__ import annotations

import os
import stat


def mistakes(path: str) -> list[str]:
    """Give why the file cannot be trusted, [] if it can: anyone on the machine may write to it."""
    mode = _mode(path)
    if mode is not None and mode & stat.S_IWOTH:
        return [f"{path} can be changed by every user of this machine: chmod o-w it"]
    return []


def warnings(path: str) -> list[str]:
    """Give what is unwise about a file that holds a secret, without being an error: anyone on the machine may read it."""
    mode = _mode(path)
    if mode is not None and mode & stat.S_IROTH:
        return [f"{path} can be read by every user of this machine: chmod o-r it"]
    return []


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except OSError:
        return None
