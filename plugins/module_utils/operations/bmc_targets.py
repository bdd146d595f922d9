# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which BMCs a task means: the one that its options name, or each of its `targets`."""

from __future__ import annotations

import ipaddress
import typing as t

from ..bmc import checking, report, target
from ..bmc import options as group
from .bmc_operation import BmcFailure, Params, Progress, Result

#: How many BMCs are read at the same time.
WORKERS: t.Final[dict[str, t.Any]] = {"type": "int", "default": checking.WORKERS}
#: The two ways to say which BMCs are meant.
EXCLUSIVE: t.Final = (("bmc_address", "targets"),)


def option(**more: t.Any) -> dict[str, t.Any]:
    """Give the argument spec of `targets`. more: what each can say beside how it is reached."""
    return {"type": "list", "elements": "dict", "options": {"node": {"type": "str"}, **group.OF_A_TARGET, **more}}


def read_one(params: Params, *, sections: t.Collection[str], since: str | None) -> report.Report:
    """Read the BMC that the task names. BmcFailure: the options make no sense."""
    options = group.of(params)
    deadline = options.pop("deadline", None)
    try:
        return checking.check(options, sections=sections, deadline=deadline, since=since)
    except target.BadTarget as error:
        raise BmcFailure(str(error), "option") from error


def read_many(
    params: Params, *, sections: t.Collection[str], sinces: t.Sequence[str | None], progress: Progress, say: t.Callable[[int, t.Any], str]
) -> list[report.Report]:
    """Read each target, and tell how it went as soon as it is known. sinces: for each, from when events count."""
    targets = params["targets"]
    if params["workers"] < 1:
        raise BmcFailure("`workers` is at least 1.", "option")
    known = 0

    def tell(place: int, one: report.Report) -> None:
        nonlocal known
        known += 1
        progress(f"{known} of {len(targets)}: {label(params, place)}: {say(place, one)}")

    asked = [{**group.of(params, one), **({"since": since} if since else {})} for one, since in zip(targets, sinces, strict=True)]
    return checking.many(asked, workers=params["workers"], sections=sections, progress=tell)


def label(params: Params, place: int) -> str:
    """Give what a target is called: as the task calls it, else by its address unless that could hold a password, else by its position."""
    one = params["targets"][place]
    address = str(one.get("bmc_address") or "")
    return str(one.get("node") or (address if address and "@" not in address else f"targets[{place}]"))


def row(params: Params, place: int, one: report.Report, **more: t.Any) -> Result:
    """Give the entry of one target in `targets_result`."""
    return {"node": label(params, place), "address": one["address"], **more, "report": one}


def logins(params: Params) -> list[dict[str, t.Any]]:
    """Give the user and secrets of every BMC that the options name."""
    names = ("bmc_username", *group.SECRETS)
    several = [one for one in params.get("targets") or () if isinstance(one, dict)]
    return [{name: one.get(name) or params.get(name) for name in names} for one in ({}, *several)]


def unprotected(params: Params) -> list[str]:
    """Give a warning for each BMC to which a password goes unprotected."""
    addresses = [params.get("bmc_address"), *(one.get("bmc_address") for one in params.get("targets") or ())]
    found = []
    for address in addresses:
        scheme, _separator, rest = str(address or "").partition("://")
        if scheme == "http" and "@" not in rest and not _is_loopback(rest):
            found.append(f"The password of the BMC {rest} goes over plain HTTP: anyone on the way can read it.")
    return found


def _is_loopback(rest: str) -> bool:
    host = rest.split("/")[0]
    host = host[1:].partition("]")[0] if host.startswith("[") else host.rpartition(":")[0] or host
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
