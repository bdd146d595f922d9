# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Identity `noauth`: everyone is a system admin. The configuration refuses it beyond loopback unless told twice."""

from __future__ import annotations

import typing as t

from ..caller import Caller
from . import headers
from .roles import expanded


class NoAuth:
    """Takes everyone for the same system admin, whatever they send."""

    def __init__(self) -> None:
        self._caller = Caller(user_id="noauth", user_name="noauth", roles=expanded(["admin"]), system=True)

    def identify(self, environ: dict[str, t.Any]) -> Caller:
        """Give the system admin. Strips identity headers from the environ."""
        headers.strip(environ)
        return self._caller
