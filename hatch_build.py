# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A step of hatchling's build: puts the single files of the collection into its folder of the distribution.

hatchling moves whole folders by itself, as pyproject.toml says, but no single files. An editable install gets none of them: there the
checkout itself is the collection.
"""

from __future__ import annotations

import typing as t

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SingleFiles(BuildHookInterface):
    """Knows the option `files`, names in the root of the checkout, and `under`, the folder that they go to."""

    def initialize(self, version: str, build_data: dict[str, t.Any]) -> None:
        """Add the files."""
        if version != "editable":
            build_data["force_include"].update({name: f"{self.config['under']}/{name}" for name in self.config["files"]})
