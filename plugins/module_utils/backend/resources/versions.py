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
OLDEST: t.Final = 1

HEADER: t.Final = "X-OpenStack-Ironic-API-Version"
STANDARD_HEADER: t.Final = "OpenStack-API-Version"
OLDEST_HEADER: t.Final = "X-OpenStack-Ironic-API-Minimum-Version"
NEWEST_HEADER: t.Final = "X-OpenStack-Ironic-API-Maximum-Version"


class _Ironic:
    """What this process knows of the newest version of an Ironic behind it; with nodes of our own it is the one above."""

    newest: int = IRONIC_NEWEST
    #: Every newest version that an Ironic ever told, the first one included.
    told: t.ClassVar[set[int]] = set()


def learn(newest: int) -> bool:
    """Take over the newest version of the Ironic behind us; tell whether the number moved to one that was not told before.

    Two Ironics that answer in turn during an upgrade are told apart once.
    """
    moved = bool(_Ironic.told) and newest not in _Ironic.told
    _Ironic.told.add(newest)
    _Ironic.newest = newest
    return moved


def ironic_newest() -> int:
    """Give the newest version of Ironic's own API."""
    return _Ironic.newest


def typed() -> int:
    """Give the version from which there are typed entries, which is the newest of all: the one after Ironic's own."""
    return _Ironic.newest + 1


def limits(newest: int | None = None) -> dict[str, str]:
    """Give the headers that say which versions there are. newest: the newest on offer, the typed one by default."""
    return {OLDEST_HEADER: f"1.{OLDEST}", NEWEST_HEADER: f"1.{newest or typed()}"}


#: The versions at which fields of a node appeared.
NAME: t.Final = 5
FAULT: t.Final = 42
HISTORY: t.Final = 78
HISTORY_PROJECT: t.Final = 113
HISTORY_STATE: t.Final = 115
#: From this one on a path no longer ends in `.json`.
NO_JSON_SUFFIX: t.Final = 91

_NUMBER = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


def requested(own: str | None, standard: str | None, newest: int | None = None) -> int:
    """Give the minor version that the two headers ask for; the standard one wins. Refusal 406: not one of ours.

    newest: the newest on offer, the typed one by default.
    """
    newest = newest or typed()
    text = own
    for part in (standard or "").split(","):
        service, _space, version = part.strip().partition(" ")
        if service.lower() == "baremetal" and version:
            text = version
    text = (text or "").strip()
    if not text:
        return OLDEST
    if text.lower() == "latest":
        return newest
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise _unacceptable(f"Invalid value for {HEADER} header")
    if int(found[1]) != 1:
        raise _unacceptable(
            f"Mutually exclusive versions requested. Version {text} requested but not supported by this service."
            f" The supported version range is: [1.{OLDEST}, 1.{newest}]."
        )
    minor = int(found[2])
    if not OLDEST <= minor <= newest:
        raise _unacceptable(
            f"Version {text} was requested but the minor version is not supported by this service."
            f" The supported version range is: [1.{OLDEST}, 1.{newest}]."
        )
    return minor


def require_typed(version: int, what: str) -> None:
    """Refusal 404, as the spec has it: the endpoint does not exist below the typed version."""
    if version < typed():
        raise Refusal(404, "not_found", f"{what} needs API version 1.{typed()} or newer; this request asks for 1.{version}.")


def _unacceptable(text: str) -> Refusal:
    return Refusal(406, "not_supported", text)
