# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A node's history is Ironic's and ours in one list, for whom Ironic's policy lets read it."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.direct import Direct
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED, Fronted

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]


def read(asker: Direct, url: str, node: str, query: str) -> list[dict[str, t.Any]]:
    """Give all events, page by page."""
    rows: list[dict[str, t.Any]] = []
    path: str | None = f"/v1/nodes/{node}/history?{query}"
    while path:
        answer = asker.get(path, version=TYPED)
        assert answer.status == 200, answer.content
        rows += answer.json["history"]
        path = answer.json["next"].removeprefix(url) if answer.json.get("next") else None
        assert len(rows) < 100
    return rows


def test_both_in_one_list(fronted: Fronted) -> None:
    admin, url = fronted.through("system-admin"), fronted.backend.url
    node = fronted.enrol("two-histories")
    for turn in range(3):
        body = {"type": "operator_hold", "reason": f"turn {turn}"}
        assert admin.post(f"/v1/nodes/{node}/maintenance", body, version=TYPED).status == 201
        # Ironic writes an event when it gives up on what is asked of it.
        with fronted.ironic.rows() as rows:
            rows.execute(
                "INSERT INTO node_history (uuid, node_id, created_at, event, event_type, severity, conductor, user, version)"
                " SELECT ?, id, datetime('now'), 'said by Ironic', 'monitoring', 'ERROR', 'lab-conductor', 'x', '1.3'"
                " FROM nodes WHERE uuid = ?",
                (f"00000000-0000-4000-8000-00000000000{turn}", node),
            )
        assert admin.delete(f"/v1/nodes/{node}/maintenance", version=TYPED).status == 204
    whole = read(admin, url, node, "detail=true")
    assert len(whole) == 9
    assert sum(event["event_type"] == "maintenance" for event in whole) == 6
    assert {event["event"] for event in whole if event["event_type"] == "monitoring"} == {"said by Ironic"}
    for limit in (1, 2, 4, 9):
        assert [event["uuid"] for event in read(admin, url, node, f"limit={limit}")] == [event["uuid"] for event in whole], limit
    for event in whole:
        one = admin.get(f"/v1/nodes/{node}/history/{event['uuid']}", version=TYPED)
        assert one.status == 200 and one.json["event"] == event["event"], event
        assert all(link["href"].startswith(url) for link in event["links"])
    assert admin.get(f"/v1/nodes/{node}/history/nope").status == 404
    assert admin.get(f"/v1/nodes/{node}/history?limit=0").status == 400
    assert (
        admin.get(f"/v1/nodes/{node}/history", version="1.77").status
        == fronted.direct("system-admin").get(f"/v1/nodes/{node}/history", version="1.77").status
    )
    below = admin.get(f"/v1/nodes/{node}/history?detail=true", version="1.115").json["history"]
    assert len(below) == 9 and not any("maintenance" in event for event in below)
    ours = next(event["uuid"] for event in whole if event["event_type"] == "maintenance")
    for user, status in (("owner-reader", 200), ("lessee-admin", 403), ("stranger-admin", 404), ("system-reader", 200)):
        asker, theirs = fronted.through(user), fronted.direct(user).get(f"/v1/nodes/{node}/history")
        assert asker.get(f"/v1/nodes/{node}/history").status == theirs.status == status, user
        assert asker.get(f"/v1/nodes/{node}/history/{ours}", version=TYPED).status == status, user
