# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service at the other end is, learned from its answers and never guessed from a version number."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from . import answers, refusals

Kind = t.Literal["extended", "native", "boolean", "unknown"]

_MICROVERSION: t.Final = re.compile(r"1\.[0-9]{1,5}")
LATEST: t.Final = "latest"


@dataclasses.dataclass(frozen=True)
class Service:
    """What a service offers.

    kind: `extended` has typed entries and says which extensions, `native` has typed entries as in the specification, `boolean` has the
    maintenance flag only, `unknown` is not extended and could not be asked further yet. microversion: what to send in the version header.
    """

    kind: Kind
    microversion: str
    extensions: frozenset[str] = frozenset()

    @property
    def typed(self) -> bool:
        """Whether it has typed entries, as far as is known."""
        return self.kind in ("extended", "native")

    def has(self, extension: str) -> bool:
        """Tell whether it lists an extension."""
        return extension in self.extensions

    def to_dict(self) -> dict[str, t.Any]:
        """Give the service as JSON."""
        return {"kind": self.kind, "microversion": self.microversion, "extensions": sorted(self.extensions)}


def from_dict(stored: t.Mapping[str, t.Any]) -> Service | None:
    """Give the service that to_dict wrote, None if this is not one."""
    kind, microversion, extensions = stored.get("kind"), stored.get("microversion"), stored.get("extensions")
    if kind not in t.get_args(Kind) or not isinstance(microversion, str) or not isinstance(extensions, list):
        return None
    if microversion != LATEST and not _MICROVERSION.fullmatch(microversion):
        return None
    return Service(kind=kind, microversion=microversion, extensions=frozenset(str(name) for name in extensions))


def from_version_document(answer: answers.Answer) -> Service:
    """Read GET /v1: an extended service describes itself there; any other stays `unknown`. Raises BadAnswer if it is not that document."""
    document = answer.object()
    described = document.get("maintenance_api")
    if described is None:
        if document.get("id") != "v1" and refusals.MAXIMUM_VERSION not in answer.headers:
            raise answer.bad("a document that is not the version document of a bare-metal API; check api_url")
        maximum = answer.headers.get(refusals.MAXIMUM_VERSION, "")
        return Service(kind="unknown", microversion=maximum if _MICROVERSION.fullmatch(maximum) else LATEST)
    microversion = described.get("microversion") if isinstance(described, dict) else None
    extensions = described.get("extensions") if isinstance(described, dict) else None
    if (
        not isinstance(microversion, str)
        or not _MICROVERSION.fullmatch(microversion)
        or not isinstance(extensions, list)
        or not all(isinstance(name, str) for name in extensions)
    ):
        raise answer.bad("a maintenance_api that has no microversion and list of extensions")
    return Service(kind="extended", microversion=microversion, extensions=frozenset(extensions))


def from_probe(service: Service, answer: answers.Answer) -> Service:
    """Read GET /v1/nodes/{ident}/maintenance at `latest`: whether a service that is not extended has typed entries.

    Raises the answer's own error where it proves nothing: 404 may be the node's absence, anything else is trouble.
    """
    if answer.status == 200:
        answer.rows("maintenance")
        return dataclasses.replace(service, kind="native")
    if answer.status == 403:
        return dataclasses.replace(service, kind="native")
    if answer.status in (405, 406):
        return dataclasses.replace(service, kind="boolean")
    raise refusals.error_of(answer)
