# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""No secret of a BMC in what is given back."""

from __future__ import annotations

import base64
import typing as t
import urllib.parse

from . import errors, report

MASK = "********"
#: Shorter ones would be found in innocent words.
SHORTEST = 4

#: Words of the report itself stay, so that a password such as "critical" cannot blank out what a verdict depends on.
_OWN_WORDS = frozenset(
    {"ok", "warning", "critical", "unknown", "error", "absent", "on", "off", "poweringon", "poweringoff", "paused", "ipmi", "redfish"}
    | set(report.SECTIONS)
    | set(report.KINDS)
    | set(errors.HINTS)
)


def forms(username: str, secrets: t.Iterable[str | None]) -> list[str]:
    """The secrets as they may turn up in a text: plain, quoted for a URL, in an Authorization header. Longest first."""
    found: set[str] = set()
    for secret in secrets:
        if secret and len(secret) >= SHORTEST:
            found |= {secret, urllib.parse.quote(secret, safe=""), base64.b64encode(f"{username}:{secret}".encode()).decode()}
    return sorted(found, key=len, reverse=True)


def scrub(value: t.Any, secrets: t.Sequence[str]) -> t.Any:
    """A copy of a JSON value without the secrets in any of its texts."""
    if isinstance(value, dict):
        return {name: scrub(member, secrets) for name, member in value.items()}
    if isinstance(value, list):
        return [scrub(member, secrets) for member in value]
    if isinstance(value, str) and value not in _OWN_WORDS:
        for secret in secrets:
            value = value.replace(secret, MASK)
    return value
