# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Microversions: what a request asks for, and what an answer says (api.md 1)."""

from __future__ import annotations

import re
import typing as t

from ..errors import Refusal

#: Ironic's newest that we know; the typed API is the next (the spec has no number yet). Nothing else in the project says 1.116.
IRONIC_NEWEST: t.Final = 115
TYPED: t.Final = IRONIC_NEWEST + 1
OLDEST: t.Final = 1
NEWEST: t.Final = TYPED

HEADER: t.Final = "X-OpenStack-Ironic-API-Version"
STANDARD_HEADER: t.Final = "OpenStack-API-Version"
LIMITS: t.Final = {
    "X-OpenStack-Ironic-API-Minimum-Version": f"1.{OLDEST}",
    "X-OpenStack-Ironic-API-Maximum-Version": f"1.{NEWEST}",
}

#: The versions at which fields of a node appeared.
NAME: t.Final = 5
FAULT: t.Final = 42
HISTORY: t.Final = 78
HISTORY_PROJECT: t.Final = 113
HISTORY_STATE: t.Final = 115
#: From this one on a path no longer ends in `.json`.
NO_JSON_SUFFIX: t.Final = 91

_NUMBER = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


def requested(own: str | None, standard: str | None) -> int:
    """Give the minor version that the two headers ask for; the standard one wins. Refusal 406: not one of ours."""
    text = own
    for part in (standard or "").split(","):
        service, _space, version = part.strip().partition(" ")
        if service.lower() == "baremetal" and version:
            text = version
    text = (text or "").strip()
    if not text:
        return OLDEST
    if text.lower() == "latest":
        return NEWEST
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise _unacceptable(f"Invalid value for {HEADER} header")
    if int(found[1]) != 1:
        raise _unacceptable(
            f"Mutually exclusive versions requested. Version {text} requested but not supported by this service."
            f" The supported version range is: [1.{OLDEST}, 1.{NEWEST}]."
        )
    minor = int(found[2])
    if not OLDEST <= minor <= NEWEST:
        raise _unacceptable(
            f"Version {text} was requested but the minor version is not supported by this service."
            f" The supported version range is: [1.{OLDEST}, 1.{NEWEST}]."
        )
    return minor


def require_typed(version: int, what: str) -> None:
    """Refusal 404, as the spec has it: the endpoint does not exist below the typed version."""
    if version < TYPED:
        raise Refusal(404, "not_found", f"{what} needs API version 1.{TYPED} or newer; this request asks for 1.{version}.")


def _unacceptable(text: str) -> Refusal:
    return Refusal(406, "not_supported", text)
