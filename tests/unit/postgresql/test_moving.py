# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service moves from SQLite to PostgreSQL and back: nothing of nodes, entries and history is lost or changed."""

from __future__ import annotations

import json
import pathlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store import archive
from ansible_collections.baremetal.maintenance.tests.lab.postgresql import Postgresql
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.service import Service


def kept(lines: t.Iterable[str]) -> list[t.Any]:
    """What an archive says, but for when a row of an entry was last written, which nobody is shown."""
    documents = [json.loads(line) for line in lines]
    for document in documents:
        document.get("entry", {}).pop("updated_at", None)
    return documents


@pytest.mark.parametrize("to", ["postgresql", "sqlite"])
def test_what_is_exported_from_one_is_restored_into_the_other(postgresql: Postgresql, tmp_path: pathlib.Path, to: str) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    server = {"database": postgresql.database()}
    old = Service(here, **({} if to == "postgresql" else server))
    new = Service(there, **(server if to == "postgresql" else {}))
    held, faulty, free = old.node(), old.node(), old.node()
    old.by("owner").post(f"/nodes/{held}/maintenance", {"type": "operator_hold", "reason": "Lüfter 🔧", "extra": {"a": [1, None, "x"]}})
    old.by("operator").put(f"/nodes/{held}/maintenance", {"reason": "and the boolean"})
    for _time in range(3):
        old.by("conductor").put(f"/nodes/{faulty}/maintenance/fault", {"fault": "power failure", "reason": "no answer"})
    gone = old.by("operator").post(f"/nodes/{free}/maintenance", {"type": "operator_hold", "ticket": "T-1"}).json["uuid"]
    old.by("operator").delete(f"/nodes/{free}/maintenance/{gone}")
    lines = list(archive.dump(old.parts.store))
    archive.load(new.parts.store, lines)
    assert sum(archive.load(new.parts.store, lines).values()) == 0
    assert kept(archive.dump(new.parts.store)) == kept(lines)
    for node in (held, faulty, free):
        assert [*new.flag(node), *new.entries(node), *new.events(node)] == [*old.flag(node), *old.entries(node), *old.events(node)]
    # What comes next does not collide with what was brought.
    assert new.by("owner").post(f"/nodes/{free}/maintenance", {"type": "operator_hold"}).status == 201
    for service in (old, new):
        service.parts.store.close()
    assert disagreements(old.database) == []
