# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What docs/clients.md shows exists and fits."""

from __future__ import annotations

import pathlib
import re

import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[3]
TEXT = (ROOT / "docs" / "clients.md").read_text()


def test_every_command_is_shown_and_no_other() -> None:
    points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["openstack.baremetal.v1"]
    shown = set(re.findall(r"^\$ (baremetal (?:node )?maintenance [a-z]+)", TEXT, re.MULTILINE))
    assert {name.replace(" ", "_") for name in shown} == set(points)


def test_what_a_terminal_shows_fits_80_columns() -> None:
    blocks = re.findall(r"^```\n(\$ .*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5
    assert [line for block in blocks for line in block.splitlines() if len(line) > 80] == []
