# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The event logs of the system and its managers."""

from __future__ import annotations

import typing as t

from .. import clock
from ..errors import BmcError, DeadlineReached, Ends, NotOffered
from ..report import Json
from . import values
from .connection import NotFound
from .machine import Machine
from .walk import Walk, path_of

#: Logs that are no record of events: dumps, traces of the BMC's own programs, and what was done by whom.
_NOT_EVENTS = {"dump", "journal", "postcodes", "hostlogger", "fdr", "debugtokenservice", "crashdump", "auditlog", "audit", "sl", "security"}
_MOST_ENTRIES = 2000


class Logs:
    """Reads log after log; the piece has what was read however the reading ends."""

    def __init__(self, machine: Machine, walk: Walk, since: float | None, piece: Json) -> None:
        self._machine = machine
        self._walk = walk
        self._since = since
        self._piece = piece
        self._ahead: float | None = None
        self._read = 0
        self._entries: list[Json] = []
        self._full: list[bool | None] = []
        self._lost = False

    def read(self) -> None:
        """The section `events`."""
        whole = False
        try:
            self._ahead = self._machine.skew(self._walk)
            services = self._services()
            if not services:
                raise NotOffered
            read_to_their_ends = [self._log(service) for service in services]
            whole = all(read_to_their_ends)
        finally:
            overflow = True if True in self._full else (False if False in self._full else None)
            self._piece["events"] = {
                "complete": whole and not self._lost,
                "overflow": overflow,
                "read": self._read,
                "entries": self._entries,
            }

    def _services(self) -> list[Json]:
        found: dict[str, Json] = {}
        for owner in (self._machine.system(), *self._machine.managers(self._walk)):
            if path_of(owner.get("LogServices")) is None:
                continue
            try:
                services = self._walk.members(owner.get("LogServices"), without=_NOT_EVENTS)
            except NotOffered:
                continue
            for service in services:
                link = path_of(service.get("Entries"))
                if link:
                    found.setdefault(link.rstrip("/"), service)
        return list(found.values())

    def _log(self, service: Json) -> bool:
        """Read one log; whether to its end."""
        name = values.text(service.get("Id")) or "log"
        seen: set[str] = set()
        oldest: float | None = None
        problems = self._walk.problems
        try:
            total = values.integer((self._walk.follow(service.get("Entries")) or {}).get("Members@odata.count"))
            for page in self._walk.pages(service.get("Entries")):
                fresh = list({key: entry for entry in page if (key := _key(entry)) not in seen}.values())
                if page and not fresh:
                    # Some send the first page for every one: it may have been all, since the count is of all pages (DSP0266).
                    if total == len(seen):
                        break
                    raise BmcError("malformed", f"The pages of the log {name} repeat one another.")
                seen |= {_key(entry) for entry in fresh}
                times = [self._take(name, entry) for entry in fresh]
                known = [stamp for stamp in times if stamp is not None]
                oldest = min([*known, *([oldest] if oldest is not None else [])], default=None)
                if self._reaches_back(times):
                    break
        except NotOffered:
            # What is linked to and not there is no empty log.
            self._walk.problem(NotFound(path_of(service.get("Entries")) or name))
            return False
        except (Ends, DeadlineReached):
            raise
        except BmcError as error:
            self._walk.problem(error)
            return False
        self._learn_of_overflow(service, len(seen), oldest)
        return self._walk.problems == problems

    def _reaches_back(self, times: t.Sequence[float | None]) -> bool:
        """Whether a page, of a log whose newest entries come first, ends before the time that is asked for."""
        if self._since is None or len(times) < 2:
            return False
        first, last = times[0], times[-1]
        return first is not None and last is not None and last < first and last < self._since

    def _learn_of_overflow(self, service: Json, count: int, oldest: float | None) -> None:
        most = values.integer(service.get("MaxNumberOfRecords"))
        policy = (values.text(service.get("OverWritePolicy")) or "").lower()
        full = None if not most else count >= most
        self._full.append(full)
        if full and policy == "neveroverwrites":
            self._lost = True
        elif full and self._since is not None and (oldest is None or oldest > self._since):
            self._lost = True

    def _take(self, log: str, entry: Json) -> float | None:
        """Keep an entry if it counts; when it happened."""
        self._read += 1
        stamp = _last_time(entry, self._ahead)
        severity = values.health(entry.get("Severity") or entry.get("MessageSeverity"))
        repaired = _repaired(entry)
        late = stamp is None or self._since is None or stamp >= self._since
        if severity == "ok" or not (late or (severity == "critical" and repaired is False)):
            return stamp
        if len(self._entries) >= _MOST_ENTRIES:
            raise BmcError("too_large", f"There are more than {_MOST_ENTRIES} events that count.")
        self._entries.append(
            {
                "id": values.text(entry.get("Id")) or "",
                "log": log,
                "time": clock.iso(stamp),
                "severity": severity,
                "about": _about(entry),
                "message": values.text(entry.get("Message")) or values.text(entry.get("MessageId")) or "no message",
                "repaired": repaired,
            }
        )
        return stamp


def _key(entry: Json) -> str:
    """What an entry is known by; those without a name by what they say."""
    said = (str(entry.get(name)) for name in ("Created", "Severity", "MessageId", "Message"))
    return values.text(entry.get("Id")) or path_of(entry) or " ".join(said)


def _vendor(entry: Json) -> list[Json]:
    return [part for part in values.mapping(entry, "Oem").values() if isinstance(part, dict)]


def _last_time(entry: Json, ahead: float | None) -> float | None:
    """When an event happened, the last time if the BMC counts repetitions in one entry."""
    said = [entry.get("Created"), entry.get("Modified"), *(part.get("Updated") for part in _vendor(entry))]
    known = [stamp for word in said if (stamp := clock.corrected(clock.parse(word), ahead)) is not None]
    return max(known, default=None)


def _repaired(entry: Json) -> bool | None:
    for place in (entry, *_vendor(entry)):
        for name in ("Resolved", "Repaired"):
            known = values.boolean(place.get(name))
            if known is not None:
                return known
    return None


def _about(entry: Json) -> str | None:
    vendor = (values.text(part.get("ClassDescription")) for part in _vendor(entry))
    return values.text(entry.get("SensorType")) or next((word for word in vendor if word), None)
