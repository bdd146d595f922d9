# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Going from resource to resource within one section: a member that cannot be read is an error and loses no other, and every walk ends."""

from __future__ import annotations

import typing as t

from ..errors import BmcError, Ends, NotOffered
from ..report import Json
from . import values
from .connection import NotFound
from .sessions import Service

#: Of one collection: members that are read one by one, members that come with it, and pages.
MOST_READ, MOST_INLINE, MOST_PAGES = 500, 10_000, 60
#: From this many members on they are asked for in one request, of a service that says it can do that.
_MANY = 12
#: Not all services tell a wrong place from one that is missing in more than this.
_EMPTY = (None, "", "/")


class Walk:
    """`errors` takes the problems of the members."""

    def __init__(self, service: Service, section: str, piece: Json) -> None:
        self._connection = service.connection
        self._expands = _expansion(service.root)
        self._section = section
        self._piece = piece

    def follow(self, link: t.Any) -> Json | None:
        """The resource that a link leads to; None if there is no link or nothing there. Raises BmcError."""
        path = path_of(link)
        if path is None:
            return None
        try:
            return self._connection.get(path)
        except NotFound:
            return None

    def try_follow(self, link: t.Any) -> Json | None:
        """As `follow`; a resource that cannot be read is an error of the section and None."""
        try:
            return self.follow(link)
        except Ends:
            raise
        except BmcError as error:
            self.problem(error)
            return None

    def members(self, link: t.Any, without: t.Container[str] = ()) -> list[Json]:
        """The members of the collection that a link leads to, but for those whose path ends in a word of `without` (in lower case). Raises
        NotOffered if there is no such collection."""
        first = self.follow(link)
        if first is None:
            raise NotOffered
        if without:
            first = {**first, "Members": [ref for ref in values.items(first.get("Members")) if _last(ref) not in without]}
        return list(self._members(path_of(link) or "", first))

    def pages(self, link: t.Any) -> t.Iterator[list[Json]]:
        """The members page by page, for what is long. A page without members that does not say that it has none is an error of the
        section: it is no empty page. Raises NotOffered if there is no such collection."""
        path = path_of(link)
        page = self.follow(link)
        if page is None or path is None:
            raise NotOffered
        seen: set[str] = set()
        while page is not None:
            seen.add(path.rstrip("/"))
            if page.get("Members") is None and values.integer(page.get("Members@odata.count")) != 0:
                self.problem(BmcError("malformed", f"What the BMC sent for {path} has no members."))
            yield [member for ref in self._refs(path, page) if (member := self._member(path, ref)) is not None]
            following = path_of(page.get("Members@odata.nextLink") or page.get("@odata.nextLink"))
            if following is None:
                return
            if following.rstrip("/") in seen:
                raise BmcError("malformed", f"The pages of {path} lead back to one another.")
            if len(seen) >= MOST_PAGES:
                raise BmcError("too_large", f"There are more than {MOST_PAGES} pages of {path}.")
            path = following
            page = self._connection.get(path)

    @property
    def problems(self) -> int:
        """How many errors the section has."""
        return len(self._piece.get("errors", ()))

    def problem(self, error: BmcError) -> None:
        """Keep an error of the section and go on."""
        self._piece.setdefault("errors", []).append(error.problem(self._section))

    def _members(self, path: str, first: Json) -> t.Iterator[Json]:
        expanded = self._expanded(path, first)
        if expanded is not None:
            yield from expanded
            return
        read = 0
        seen: set[str] = set()
        page: Json | None = first
        where = path
        while page is not None:
            for ref in self._refs(where, page):
                if set(ref) == {"@odata.id"}:
                    read += 1
                    if read > MOST_READ:
                        return self.problem(BmcError("too_large", f"{path} has more than {MOST_READ} members; the rest was not read."))
                member = self._member(path, ref)
                if member is not None:
                    yield member
            seen.add(where.rstrip("/"))
            following = path_of(page.get("Members@odata.nextLink") or page.get("@odata.nextLink"))
            if following is None:
                return
            if following.rstrip("/") in seen or len(seen) >= MOST_PAGES:
                return self.problem(BmcError("malformed", f"The pages of {path} lead back to one another, or there are too many."))
            where = following
            page = self.try_follow(following)

    def _refs(self, path: str, page: Json) -> list[Json]:
        refs = page.get("Members")
        if refs is None:
            return []
        if not isinstance(refs, list):
            self.problem(BmcError("malformed", f"The members of {path} are no list."))
            return []
        if len(refs) > MOST_INLINE:
            self.problem(BmcError("too_large", f"{path} has more than {MOST_INLINE} members; the rest was not read."))
        found = values.items(refs[:MOST_INLINE])
        if len(found) < min(len(refs), MOST_INLINE):
            self.problem(BmcError("malformed", f"Not all members of {path} are resources or links."))
        return found

    def _member(self, collection: str, ref: Json) -> Json | None:
        """A member, read if it is only a link."""
        if set(ref) - {"@odata.id"}:
            return ref
        path = path_of(ref)
        if path is None or path.rstrip("/") == collection.rstrip("/"):
            self.problem(BmcError("malformed", f"A member of {collection} is a link to nowhere or to the collection itself."))
            return None
        try:
            return self._connection.get(path)
        except Ends:
            raise
        except BmcError as error:
            self.problem(error)
            return None

    def _expanded(self, path: str, page: Json) -> list[Json] | None:
        """All members in one answer; None if the service does not do that, or did not this time."""
        refs = values.items(page.get("Members"))
        if self._expands is None or len(refs) < _MANY or any(set(ref) - {"@odata.id"} for ref in refs) or len(refs) > MOST_READ:
            return None
        try:
            answer = self._connection.get(f"{path}?$expand={self._expands}($levels=1)")
        except Ends:
            raise
        except BmcError:
            return None
        found = values.items(answer.get("Members"))
        whole = len(found) == len(refs) and all(len(member) > 1 for member in found)
        return found if whole else None


def path_of(link: t.Any) -> str | None:
    """The path in a link, or in a text that is a link."""
    path = link.get("@odata.id") if isinstance(link, dict) else link
    return path if isinstance(path, str) and path not in _EMPTY else None


def _last(ref: Json) -> str:
    return (path_of(ref) or "").rstrip("/").rsplit("/", 1)[-1].lower()


def _expansion(root: Json) -> str | None:
    """How the service is asked to send the members of a collection along (DSP0266, 7.3): `.` leaves links out, `*` has them."""
    known = values.mapping(root, "ProtocolFeaturesSupported", "ExpandQuery")
    if not known.get("Levels"):
        return None
    if known.get("NoLinks"):
        return "."
    return "*" if known.get("ExpandAll") else None
