# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes are listed, filtered, sorted, paged and shown as a real Ironic did with the same nodes."""

from __future__ import annotations

import itertools
import json
import pathlib
import re
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.fixtures import ironic
from ansible_collections.baremetal.maintenance.tests.fixtures.ironic import playing, words
from ansible_collections.baremetal.maintenance.tests.fixtures.ironic.wire import Normaliser, Wire
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

FIXTURE = pathlib.Path(str(ironic.__file__)).with_name("nodes.json")
RECORDING, FORMS = playing.read(FIXTURE.read_text(encoding="ascii"))
#: In order, as far as nodes are only read.
READING = list(itertools.takewhile(lambda pair: not pair[0].name.startswith("create"), zip(RECORDING.cases, FORMS, strict=True)))

#: Members of a node that this backend has; Ironic has more.
MEMBERS: t.Final = frozenset(
    "uuid name owner lessee driver resource_class conductor_group description properties extra instance_uuid provision_state power_state"
    " maintenance maintenance_reason fault created_at updated_at links".split()
)
#: Nothing provisions this backend's own nodes: they have no state, where Ironic's begin as enroll.
NOT_COMPARED: t.Final = frozenset({"provision_state"})

#: Why an answer differs, the exchanges, and the status of ours.
DEVIATIONS: t.Final = (
    ("a part of the description is meant as it stands; in Ironic % stands for anything", r"list \?description_contains=C%25", 200),
    ("a node without a name is in the pages of a list by name; Ironic loses it", r"list \?sort_key=name&sort_dir=desc&marker=.*", 200),
    ("nodes have no provision state", r"list \?provision_state=(enroll|none|banana)", 200),
    ("a uuid that is none matches no node", r"list \?instance_uuid=x", 200),
    ("a marker that is no uuid is a node that is not there", r"list \?marker=(rec-alpha|x)", 404),
    ("created_at and updated_at can be asked for", r"(list|show) \?fields=(created_at|updated_at)", 200),
    ("links can be asked for; Ironic fails", r"(list|show) \?fields=links", 200),
    ("an unknown field is refused; Ironic fails", r"list \?fields=(name,)?bogus", 400),
    ("the entries of nodes need the typed version", r"(list|show) \?fields=maintenance_entries", 406),
    ("no field at all, or twice, is refused", r"(list|show) \?fields=(,|name&fields=owner)?( at 1\.1)?", 400),
    ("secrets and what nobody here sets are no fields", r"list \?fields=(driver_info|traits)", 400),
    (
        "filters by what these nodes do not have are refused",
        r"list \?(chassis_uuid|retired|shard|sharded|include_children|parent_node)=.*",
        400,
    ),
    ("lists of fields and details are there at any version", r"list \?(fields=uuid|detail=true) at .*", 200),
    ("a filter and a sort key are there at any version if their field is", r"list \?(driver=redfish|sort_key=owner) at .*", 200),
    ("a part of the description is asked for when there is one", r"list \?description_contains=a at .*", 406),
    ("fields of one node are there at any version", r"show \?fields=(uuid|links|updated_at) at 1\.1", 200),
    ("a field that is not there yet is named", r"show \?fields=(bogus|name,bogus) at 1\.1", (400, 406)),
    ("no path of a node ends in .json", r"show .*\.json at 1\.90|get /v1/nodes(/detail)?\.json at 1\.90", (400, 404)),
    ("the listing in full ends in a slash or not", r"get /v1/nodes/detail/ at .*", 200),
    ("`states` is a node that is not there", r"show states at .*", 404),
)


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[playing.Player]:
    """The recording's nodes on a real backend without authentication, as the Ironic was."""
    with Backend(tmp_path_factory.mktemp("ironic_nodes")) as backend:
        playing_it = playing.Player(Wire(backend.url), RECORDING)
        playing_it.make_nodes()
        yield playing_it


def nodes_of(body: t.Any) -> list[dict[str, t.Any]]:
    """Give the nodes of an answer: of a list, or the one that is shown."""
    if not isinstance(body, dict):
        return []
    return t.cast("list[dict[str, t.Any]]", body["nodes"]) if "nodes" in body else [body] if "links" in body else []


def comparable(nodes: list[dict[str, t.Any]]) -> list[str]:
    """Give nodes as texts, in order, with what both services have."""
    kept = MEMBERS - NOT_COMPARED
    return [json.dumps({name: value for name, value in node.items() if name in kept}, sort_keys=True) for node in nodes]


def test_nodes_are_read_as_from_ironic(player: playing.Player) -> None:
    normaliser = Normaliser(player.wire.endpoint, words.KNOWN_UUIDS)
    wrong, used = [], set()
    for case, form in READING:
        ours = normaliser.answer(player.play(case).answer)
        deviation = next((row for row in DEVIATIONS if re.fullmatch(row[1], case.name)), None)
        status = form["answer"]["status"]
        if deviation is not None:
            allowed = deviation[2] if isinstance(deviation[2], tuple) else (deviation[2],)
            if ours["status"] not in allowed:
                wrong.append(f"{case.name}: {deviation[0]}, but {ours['status']}: {json.dumps(ours)[:300]}")
            if ours["status"] != status or comparable(nodes_of(ours.get("json"))) != comparable(nodes_of(form["answer"].get("json"))):
                used.add(deviation)
            continue
        if ours["status"] != status:
            wrong.append(f"{case.name}: status {status} became {ours['status']}: {json.dumps(ours)[:300]}")
        elif comparable(nodes_of(ours.get("json"))) != comparable(nodes_of(form["answer"].get("json"))):
            wrong.append(f"{case.name}: {comparable(nodes_of(form['answer']['json']))} became {comparable(nodes_of(ours['json']))}")
    assert not wrong, "\n".join(wrong)
    alike = [deviation[0] for deviation in DEVIATIONS if deviation not in used]
    assert not alike, "nothing deviates there: take it out"


def test_a_next_page_keeps_the_filters_which_ironic_drops(player: playing.Player) -> None:
    normaliser = Normaliser(player.wire.endpoint, words.KNOWN_UUIDS)
    name = "list ?limit=1&owner=own-1&fields=uuid,owner"
    case, form = next(pair for pair in READING if pair[0].name == name)
    theirs = form["answer"]["json"]["next"]
    assert "owner=own-1" not in theirs
    ours = normaliser.answer(player.play(case).answer)["json"]["next"]
    arguments = set(ours.partition("?")[2].replace("%2C", ",").split("&"))
    assert ours.startswith("{endpoint}/v1/nodes?")
    assert arguments == {"owner=own-1", "fields=uuid,owner", "limit=1", f"marker={words.ALPHA}"}
    followed = player.wire.send(words.get(ours.replace("{endpoint}", ""), "1.115")).json()
    assert [node["uuid"] for node in followed["nodes"]] == [words.BRAVO]
    assert "next" not in followed
