# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking secrets out of a result: an action plugin's result is masked by nobody else."""

from __future__ import annotations

import base64
import json
import typing as t
import urllib.parse

from ansible.module_utils.common.parameters import remove_values, sanitize_keys


def scrub(result: dict[str, t.Any], secrets: t.Iterable[str]) -> dict[str, t.Any]:
    """Give the result with every secret replaced in all of its values, in each spelling in which an error could carry it."""
    spellings = _spellings(secrets)
    # Ansible's own objects, such as the `exception` of a module that broke, can't be cleaned: one that holds a secret is left out.
    plain = (str, int, float, list, dict, type(None))
    kept = {name: value for name, value in result.items() if isinstance(value, plain) or not any(text in repr(value) for text in spellings)}
    return remove_values(kept, spellings)


def scrub_keys(result: dict[str, t.Any], secrets: t.Iterable[str]) -> dict[str, t.Any]:
    """Give a result that is plain JSON with every secret replaced in all of its keys."""
    return sanitize_keys(result, _spellings(secrets))


def _spellings(secrets: t.Iterable[str]) -> set[str]:
    found: set[str] = set()
    for secret in filter(None, secrets):
        in_url = (urllib.parse.quote(secret), urllib.parse.quote(secret, safe=""))
        found.update((secret, json.dumps(secret)[1:-1], repr(secret)[1:-1], *in_url))
    return found


def basic(username: str | None, password: str | None) -> set[str]:
    """Give what a basic login sends, which is its password in another spelling; nothing without one."""
    return {base64.b64encode(f"{username or ''}:{password}".encode()).decode("ascii")} if password else set()
