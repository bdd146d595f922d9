# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A copy of the checkout at the path that ansible-test demands, with git's idea of what belongs to it."""

from __future__ import annotations

import pathlib
import shutil
import subprocess


def files(root: pathlib.Path) -> list[str]:
    """Paths of the files that are, or would be, committed; what .gitignore names is left out."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, check=True, capture_output=True, text=True
    ).stdout
    return sorted(name for name in set(listing.split("\0")) - {""} if (root / name).is_file())


def copy(root: pathlib.Path, under: pathlib.Path) -> pathlib.Path:
    """Copy the checkout `root` to `under`/ansible_collections/baremetal/maintenance, replacing what is there; return that path."""
    target = under / "ansible_collections" / "baremetal" / "maintenance"
    shutil.rmtree(target, ignore_errors=True)
    for name in files(root):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, target / name, follow_symlinks=False)
    return target
