# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The key under which a fleet is cached."""

from __future__ import annotations

import hashlib
import json
import typing as t


def cache_key(prefix: str, parts: t.Mapping[str, t.Any]) -> str:
    """Give a key that differs wherever a part does. prefix: Ansible's key of the inventory source. parts: JSON-serialisable."""
    text = json.dumps(parts, sort_keys=True)
    return f"{prefix}_{hashlib.sha256(text.encode()).hexdigest()[:32]}"
