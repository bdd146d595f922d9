# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bare-metal service offers of typed maintenance, learned from its answers and never guessed from a version number."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from . import errors

LATEST: t.Final = "latest"

_MICROVERSION: t.Final = re.compile(r"1\.[0-9]{1,5}")

_OFFERS: t.Final = {
    "fleet": "a listing of the holds of all nodes; ask for the holds of each node",
    "bulk": "a place for the comment of a release; leave it out",
    "labels": "key, ticket and run; leave them out",
}


@dataclasses.dataclass(frozen=True)
class Service:
    """What a service offers.

    kind: `extended` has typed entries and names its extensions, `native` has typed entries as the specification has them, `boolean` has
    the maintenance flag only, `unknown` does not say and was not asked further. microversion: what to send with typed requests.
    """

    kind: t.Literal["extended", "native", "boolean", "unknown"]
    microversion: str = LATEST
    extensions: frozenset[str] = frozenset()

    def require(self, what: str, url: str, *extensions: str) -> None:
        """Raise NotSupported if it has no typed entries, or lacks one of the extensions. what: words that follow "Cannot"."""
        if self.kind not in ("extended", "native"):
            raise errors.NotSupported(
                f"Cannot {what}: the service at {url} is an Ironic that knows the maintenance flag only, without typed holds;"
                " use `baremetal node maintenance set` and `unset` there, or the address of a service that has typed holds"
            )
        for extension in extensions:
            if extension not in self.extensions:
                raise errors.NotSupported(f"Cannot {what}: the service at {url} does not offer {_OFFERS[extension]}")


def from_version_document(document: t.Any) -> Service:
    """Read the document at /v1. A service that does not describe typed maintenance there stays `unknown`."""
    described = document.get("maintenance_api") if isinstance(document, dict) else None
    microversion = described.get("microversion") if isinstance(described, dict) else None
    extensions = described.get("extensions") if isinstance(described, dict) else None
    if not isinstance(microversion, str) or not _MICROVERSION.fullmatch(microversion) or not isinstance(extensions, list):
        return Service("unknown")
    return Service("extended", microversion, frozenset(name for name in extensions if isinstance(name, str)))


def from_probe(status: int) -> Service:
    """Read the status of GET /v1/nodes/{ident}/maintenance at `latest`. `unknown` where it proves nothing, such as 404."""
    if status in (200, 403):
        return Service("native")
    return Service("boolean" if status in (405, 406) else "unknown")
