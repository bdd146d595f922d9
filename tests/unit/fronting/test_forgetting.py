# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""When a node that is missing from Ironic's list is forgotten, of 300: never because a list is empty or short.

The Ironic is a model here, because a real one can't be made to lie in its list with a credential that proves itself whole.
"""

from __future__ import annotations

import dataclasses
import pathlib
import typing as t
import uuid

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend import libs
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting import ironic
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.mirror import Choices, Mirror
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.reconciler import Reconciler
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.seen import KEPT, Seen
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema.tables import tables
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.values import Changes

ALL: t.Final = [str(uuid.UUID(int=number + 1)) for number in range(300)]


@dataclasses.dataclass
class Model:
    """listed: what its list has. there: what a question for the one node finds. proofs: how often the credential still proves itself."""

    listed: set[str] = dataclasses.field(default_factory=lambda: set(ALL))
    there: set[str] = dataclasses.field(default_factory=lambda: set(ALL))
    proofs: int = 1000

    def prove(self) -> None:
        self.proofs -= 1
        if self.proofs < 0:
            raise ironic.Denied("too weak")

    def nodes(self, _fields: t.Sequence[str], **_filters: str) -> list[dict[str, t.Any]]:
        row = {**dict.fromkeys(KEPT), "conductor_group": "", "properties": {}, "extra": {}, "maintenance": False}
        return [{**row, "uuid": node, "maintenance_reason": None, "fault": None} for node in sorted(self.listed)]

    def node(self, node: str) -> Seen:
        if node not in self.there:
            raise ironic.Gone(f"Node {node} could not be found.")
        return Seen(uuid=node, maintenance=False, reason=None, fault=None)


class Fleet:
    """A store with 300 nodes, and what compares it with the model."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.store = Store(f"sqlite:///{folder}/maintenance.sqlite")
        migrate.check(self.store)
        columns = {"conductor_group": "", "properties": {}, "extra": {}}
        self.store.change([], lambda _locked: Changes(create_nodes=[{"uuid": node, **columns} for node in ALL]))
        self.model = Model()
        service = t.cast("ironic.Ironic", self.model)
        self.reconciler = Reconciler(self.store, service, Mirror(self.store, service, Choices))

    def known(self) -> set[str]:
        with self.store.reading() as connection:
            return {row.uuid for row in connection.execute(libs.sqlalchemy.select(tables().nodes.c.uuid))}


@pytest.fixture
def fleet(tmp_path: pathlib.Path) -> Fleet:
    """All known, all there."""
    return Fleet(tmp_path)


def test_an_empty_list_forgets_nothing_even_if_each_node_is_said_to_be_gone(fleet: Fleet) -> None:
    fleet.model.listed = fleet.model.there = set()
    with pytest.raises(ironic.Denied, match="no node where 300 are known"):
        fleet.reconciler.full()
    assert fleet.known() == set(ALL)


def test_a_short_list_forgets_nothing_that_is_found_when_asked_for(fleet: Fleet) -> None:
    fleet.model.listed = set(ALL[:1])
    assert fleet.reconciler.full().purged == []
    assert fleet.known() == set(ALL)


def test_few_that_are_gone_are_forgotten(fleet: Fleet) -> None:
    fleet.model.listed = fleet.model.there = set(ALL[5:])
    assert set(fleet.reconciler.full().purged) == set(ALL[:5])
    assert fleet.known() == set(ALL[5:])


def test_more_than_few_are_asked_about(fleet: Fleet) -> None:
    fleet.model.listed = fleet.model.there = set(ALL[6:])
    for _cycle in range(2):
        report = fleet.reconciler.full()
        assert (report.purged, report.asked) == ([], ALL[:6])
    assert fleet.known() == set(ALL)


def test_nothing_is_forgotten_by_a_credential_that_is_weakened_meanwhile(fleet: Fleet) -> None:
    fleet.model.listed = fleet.model.there = set(ALL[1:])
    fleet.model.proofs = 1
    with pytest.raises(ironic.Denied):
        fleet.reconciler.full()
    assert fleet.known() == set(ALL)
