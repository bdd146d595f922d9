# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""lease_audit: it finds holds that outlived a lease or an ownership, and releases exactly those when asked."""

from __future__ import annotations

import typing as t

import pytest

from .running import Site


@pytest.fixture
def leased(site: Site) -> t.Iterator[dict[str, str]]:
    """Nodes by their name here, with the uuid of the entry on each: a current lease, an ended one, an ended ownership, an operator's."""
    nodes = {"current": "lee", "ended": "lee", "sold": "alice", "operator": "dc"}
    uuids = {}
    for name, who in nodes.items():
        members = {"name": f"audit-{name}", "owner": "storage-project", "lessee": "lee-project"}
        site.call("dc", "POST", "/v1/nodes", members)
        body = {"type": "operator_hold", "reason": f"{name} {{{{ 1 + 1 }}}}"}
        uuids[name] = site.call(who, "POST", f"/v1/nodes/audit-{name}/maintenance", body)["uuid"]
    site.call("dc", "PATCH", "/v1/nodes/audit-ended", [{"op": "replace", "path": "/lessee", "value": "bo-project"}])
    site.call("dc", "PATCH", "/v1/nodes/audit-sold", [{"op": "replace", "path": "/owner", "value": "other-project"}])
    yield uuids
    for name in nodes:
        site.call("dc", "DELETE", f"/v1/nodes/audit-{name}/maintenance")
        site.call("dc", "DELETE", f"/v1/nodes/audit-{name}")


def left(site: Site, leased: dict[str, str]) -> set[str]:
    return {name for name in leased if site.holds(f"audit-{name}")}


def test_a_report_releases_nothing_and_fails_where_that_is_asked(site: Site, leased: dict[str, str]) -> None:
    ran = site.play("lease_audit", variables={"fail_on_stale": "true"})
    assert ran.status != 0, ran.output
    assert "2 holds outlived" in ran.output
    assert left(site, leased) == set(leased)


def test_what_the_boolean_holds_is_nobodys_stale_hold(site: Site, leased: dict[str, str]) -> None:
    site.call("dc", "PATCH", "/v1/nodes/audit-ended", [{"op": "replace", "path": "/lessee", "value": "lee-project"}])
    site.call("lee", "PUT", "/v1/nodes/audit-ended/maintenance", {"reason": "by a script"})
    site.call("dc", "PATCH", "/v1/nodes/audit-ended", [{"op": "replace", "path": "/lessee", "value": "bo-project"}])
    ran = site.play("lease_audit", variables={"release": "true", "comment": "lease L-7 ended"})
    assert ran.status == 0, ran.output
    assert [entry["type"] for entry in site.holds("audit-ended")] == ["legacy"]


def test_exactly_the_stale_holds_are_released_with_the_comment(site: Site, leased: dict[str, str]) -> None:
    ran = site.play("lease_audit", variables={"release": "true", "comment": "lease L-7 ended"})
    assert ran.status == 0, ran.output
    assert left(site, leased) == {"current", "operator"}
    event = site.call("dc", "GET", "/v1/nodes/audit-ended/history?detail=true")["history"][-1]["maintenance"]
    assert (event["action"], event["comment"]) == ("release", "lease L-7 ended")


def test_a_release_without_a_comment_is_refused(site: Site, leased: dict[str, str]) -> None:
    ran = site.play("lease_audit", variables={"release": True})
    assert ran.status != 0
    assert "Give comment" in ran.output
    assert left(site, leased) == set(leased)


def test_whose_projects_are_hidden_from_the_caller_is_never_released(site: Site, leased: dict[str, str]) -> None:
    ran = site.play("lease_audit", who="bo", variables={"release": True, "comment": "mine now"})
    assert ran.status != 0 or "stale" not in ran.output, ran.output
    assert left(site, leased) == set(leased)
