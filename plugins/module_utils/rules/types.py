# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of maintenance types (spec, "Maintenance types")."""

from __future__ import annotations

import re
import typing as t

LEGACY = "legacy"
FAULT = "fault"
HARDWARE_FAILURE = "hardware_failure"
OPERATOR_HOLD = "operator_hold"

#: Never accepted from the typed API: `legacy` comes from the boolean endpoints, `fault` from the service identity.
RESERVED: t.Final = frozenset({LEGACY, FAULT})
BUILT_IN: t.Final = (LEGACY, FAULT, HARDWARE_FAILURE, OPERATOR_HOLD)

#: A deployment's own types carry this prefix, so that a future upstream type can't collide with one.
DEPLOYMENT_PREFIX = "x_"
_DEPLOYMENT_TYPE = re.compile(r"x_[a-z0-9][a-z0-9_]{0,61}")


class Registry:
    """The types that may be asserted, in the order in which they are listed: the spec's, then the deployment's."""

    def __init__(self, deployment: t.Iterable[str] = ()) -> None:
        """Raise ValueError, naming the type, if a deployment's type has a wrong name or stands twice."""
        names = list(BUILT_IN)
        for name in deployment:
            if not _DEPLOYMENT_TYPE.fullmatch(name):
                raise ValueError(
                    f"maintenance type {name!r} is refused: a deployment's own type is {DEPLOYMENT_PREFIX} "
                    "followed by lower-case letters, digits and underscores, 64 characters at most"
                )
            if name in names:
                raise ValueError(f"maintenance type {name!r} is listed twice")
            names.append(name)
        self.names: tuple[str, ...] = tuple(names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    @property
    def assertable(self) -> tuple[str, ...]:
        """The types that POST accepts."""
        return tuple(name for name in self.names if name not in RESERVED)
