# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking secrets out of texts that people will read."""

from __future__ import annotations

import re
import typing as t

#: What takes a secret's place; Ansible's own mark for a value that must not be shown is longer and meant for whole values.
HIDDEN: t.Final = "********"

#: A shorter text is no secret worth the name, and replacing it wherever it occurs would make messages unreadable.
_SHORTEST: t.Final = 4

_USERINFO: t.Final = re.compile(r"(?<=://)[^/@\s]+@")


def scrub(text: str, secrets: t.Iterable[str]) -> str:
    """Give a text without these secrets and without the user names and passwords of URLs."""
    text = _USERINFO.sub(f"{HIDDEN}@", text)
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, HIDDEN)
    return text
