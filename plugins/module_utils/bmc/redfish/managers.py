# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The BMC itself: firmware, clock, and virtual media that are still inserted."""

from __future__ import annotations

import typing as t

from ..errors import BmcError, Ends, NotOffered
from ..report import Json
from . import values
from .machine import Machine
from .parts import part
from .walk import Walk, path_of


def read(machine: Machine, walk: Walk, piece: Json) -> None:
    """The section `bmc`."""
    managers = machine.managers(walk)
    if not managers:
        raise NotOffered
    piece["components"] = [part("bmc", one) for one in managers]
    first = managers[0]
    piece["bmc"] = {"firmware": values.text(first.get("FirmwareVersion")), "model": values.text(first.get("Model"))}
    ahead = machine.skew(walk)
    piece["clock_skew_s"] = None if ahead is None else round(ahead)
    images = [media for one in (machine.system(), *managers) for media in _media(walk, one.get("VirtualMedia"))]
    offered = any(path_of(one.get("VirtualMedia")) for one in (machine.system(), *managers))
    piece["system"] = {"virtual_media": list(dict.fromkeys(images)) if offered else None}


def _media(walk: Walk, link: t.Any) -> list[str]:
    if path_of(link) is None:
        return []
    try:
        media = walk.members(link)
    except NotOffered:
        return []
    except Ends:
        raise
    except BmcError as error:
        walk.problem(error)
        return []
    inserted = (one for one in media if one.get("Inserted") is True)
    return [values.text(one.get("Image")) or values.text(one.get("ImageName")) or "unnamed" for one in inserted]
