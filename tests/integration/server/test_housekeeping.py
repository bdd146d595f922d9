# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The housekeeper at work: history goes when its time is past, by the service's own clock, and not before."""

from __future__ import annotations

import json
import pathlib
import typing as t
import urllib.request

from .processes import Served, eventually

DAY: t.Final = 86400
TYPED: t.Final = {"X-OpenStack-Ironic-API-Version": "1.116", "Content-Type": "application/json"}


def ask(served: Served, method: str, path: str, body: t.Any = None) -> t.Any:
    """Give the decoded answer of a typed request, None for an empty one."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(served.url + path, data=data, method=method, headers=TYPED)
    with urllib.request.urlopen(request, timeout=10) as answer:
        content = answer.read()
    return json.loads(content) if content else None


def events(served: Served) -> list[t.Any]:
    """Give the maintenance history of the fleet."""
    return t.cast("list[t.Any]", ask(served, "GET", "/v1/maintenance/history")["history"])


def test_history_is_kept_for_its_days_and_no_longer(tmp_path: pathlib.Path) -> None:
    settings = {"maintenance_history_minimum_days": 10, "retention_interval": 1}
    with Served.backend(tmp_path, **settings) as served:
        ask(served, "POST", "/v1/nodes", {"name": "n1", "driver": "redfish"})
        entry = ask(served, "POST", "/v1/nodes/n1/maintenance", {"type": "operator_hold"})
        ask(served, "DELETE", f"/v1/nodes/n1/maintenance/{entry['uuid']}")
        assert len(events(served)) == 2
    with Served.backend(tmp_path, "--test-clock", str(9 * DAY), **settings) as served:
        ask(served, "POST", "/v1/nodes/n1/maintenance", {"type": "hardware_failure"})
        assert not eventually(lambda: len(events(served)) != 3, seconds=2.5)
    with Served.backend(tmp_path, "--test-clock", str(11 * DAY), **settings) as served:
        assert eventually(lambda: [event["maintenance"]["type"] for event in events(served)] == ["hardware_failure"])
        assert served.logged("retention deleted 2 events")
