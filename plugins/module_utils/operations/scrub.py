# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking secrets out of a result: an action plugin's result is masked by nobody else."""

from __future__ import annotations

import base64
import json
import typing as t
import urllib.parse

from ansible.module_utils.common.parameters import remove_values


def scrub(result: dict[str, t.Any], secrets: t.Iterable[str]) -> dict[str, t.Any]:
    """Give the result with every secret replaced, in all of its strings, in each spelling in which an error could carry it."""
    return remove_values(result, {spelling for secret in secrets if secret for spelling in _spellings(secret)})


def _spellings(secret: str) -> set[str]:
    return {secret, json.dumps(secret)[1:-1], repr(secret)[1:-1], urllib.parse.quote(secret), urllib.parse.quote(secret, safe="")}


def basic(username: str | None, password: str | None) -> set[str]:
    """Give what a basic login sends, which is its password in another spelling; nothing without one."""
    return {base64.b64encode(f"{username or ''}:{password}".encode()).decode("ascii")} if password else set()
