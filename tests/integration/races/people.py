# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who takes part: identities of every standing from the cast, as the specification ranks them."""

from __future__ import annotations

import dataclasses
import typing as t

from ansible_collections.baremetal.maintenance.tests.support import cast


@dataclasses.dataclass(frozen=True)
class Person:
    """One identity of the cast. project is empty for the system's own."""

    login: str
    #: Acts at system scope.
    system: bool = False
    #: Its role may set and clear maintenance where it has standing.
    writes: bool = True
    #: May assert faults.
    faults: bool = False
    #: Sees every node, without any standing to write.
    audits: bool = False

    @property
    def user(self) -> str:
        """The user's id."""
        return t.cast(str, cast.CAST[self.login]["user_id"])

    @property
    def project(self) -> str:
        """The project's id."""
        return t.cast(str, cast.CAST[self.login].get("project_id", ""))


ADMIN: t.Final = Person("admin", system=True, faults=True)
OPERATORS: t.Final = (ADMIN, Person("operator", system=True), Person("engineer", system=True))
CONDUCTOR: t.Final = Person("conductor", system=True, faults=True)
OWNERS: t.Final = (Person("owner"), Person("owner-mate"))
LESSEES: t.Final = (Person("lessee"), Person("lessee-mate"), Person("next-lessee"))
WRITERS: t.Final = (*OPERATORS, CONDUCTOR, *OWNERS, *LESSEES)
EVERYONE: t.Final = (
    *WRITERS,
    Person("auditor", writes=False, audits=True),
    Person("owner-reader", writes=False),
    Person("lessee-member", writes=False),
    Person("stranger"),
)

#: Who leases a node, in turn.
TENANCIES: t.Final = (None, cast.LESSEE, cast.NEXT_LESSEE)
