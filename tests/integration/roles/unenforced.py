# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A way to the backend on which its entries look as in front of an Ironic: enforced by it, now or not yet."""

from __future__ import annotations

import json
import typing as t

from tests.support.forwarder import Forwarder


class InFrontOfIronic(Forwarder):
    """Rewrites two members of every entry. `enforced` may be set at any time."""

    def __init__(self, url: str) -> None:
        self.enforced = False
        super().__init__(url)

    def heard(self, method: str, content_type: str, content: bytes) -> bytes:
        """Rewrite documents; the rest passes as it is."""
        return json.dumps(self._rewritten(json.loads(content))).encode() if content and "json" in content_type else content

    def _rewritten(self, value: t.Any) -> t.Any:
        if isinstance(value, list):
            return [self._rewritten(one) for one in value]
        if not isinstance(value, dict):
            return value
        kept = {name: self._rewritten(one) for name, one in value.items()}
        return {**kept, "enforced_by": "ironic", "enforced": self.enforced} if "enforced_by" in kept else kept
