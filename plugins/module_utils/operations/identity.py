# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who the caller is on a node, learned from the service: the API says whether an entry is the caller's own, not whether its very user's."""

from __future__ import annotations

import typing as t
import uuid

from ..client.api import Api
from ..client.errors import ClientError
from ..client.service import Service
from ..rules import types


class Whoami:
    """Tells whether the caller itself asserted an entry. Asks the service at most once, and only if an entry does not answer it."""

    def __init__(self, api: Api, service: Service) -> None:
        self._api = api
        self._can_ask = service.has("dry_run") and service.has("labels")
        self._user: str | None = None

    def asserted(self, node: str, entry: t.Mapping[str, t.Any]) -> bool:
        """Tell whether the caller is known to have asserted the entry. False also where that can't be known: masked, or no dry run."""
        if not entry.get("own") or entry.get("asserted_by") is None:
            return False
        # Without a project an entry is own only to the very user who asserted it (api.md 5).
        return entry.get("asserted_by_project") == "" or entry["asserted_by"] == self._ask(node, str(entry["type"]))

    def _ask(self, node: str, type: str) -> str | None:
        if self._can_ask:
            self._can_ask = False
            # A dry run of an assert, under a key that nobody uses, answers with the entry as it would be, its asserter included.
            try:
                would_be = self._api.assert_entry(
                    node,
                    type=types.OPERATOR_HOLD if type in types.RESERVED else type,
                    key=f"whoami-{uuid.uuid4().hex}",
                    dry_run=True,
                )
                self._user = would_be.get("asserted_by")
            except ClientError:
                self._user = None
        return self._user
