# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory of a real backend: the example fleet, imported, as the operator and as a lessee see it."""

from __future__ import annotations

import base64
import json
import pathlib
import typing as t
import urllib.request

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.inventory.running import Sources
from ansible_collections.baremetal.maintenance.tests.integration.inventory.test_golden import agrees, without_paths
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend, password

FLEET: t.Final = pathlib.Path(__file__).resolve().parents[3] / "examples" / "fleet" / "nodes-detail.json"
NODES: t.Final[dict[str, dict[str, t.Any]]] = {node["name"]: node for node in json.loads(FLEET.read_text(encoding="utf-8"))["nodes"]}
LEASED: t.Final = NODES["k2-n01"]
USERS: t.Final = {
    "operator": {"user_id": "operator-id", "user_name": "operator", "roles": ["admin"], "system": True},
    "owner": {"user_id": "owner-id", "user_name": "owner", "project_id": LEASED["owner"], "roles": ["member"]},
    "lessee": {"user_id": "lessee-id", "user_name": "lessee", "project_id": LEASED["lessee"], "roles": ["manager"]},
    "stranger": {"user_id": "stranger-id", "user_name": "stranger", "project_id": "nobodys", "roles": ["admin"]},
}


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Backend]:
    """A backend with the example fleet, one node of it held by its operator, its owner and its lessee."""
    backend = Backend(tmp_path_factory.mktemp("backend"), users=USERS)
    assert backend.run("migrate").returncode == 0
    assert backend.run("import", str(FLEET)).returncode == 0
    with backend:
        for user, type in (("operator", "operator_hold"), ("owner", "hardware_failure"), ("lessee", "operator_hold")):
            post(backend, user, f"/v1/nodes/{LEASED['uuid']}/maintenance", {"type": type, "reason": f"held by the {user}"})
        yield backend


def post(backend: Backend, user: str, path: str, body: dict[str, t.Any]) -> None:
    """Send a request as one of the users."""
    credential = base64.b64encode(f"{user}:{password(user)}".encode()).decode()
    headers = {"Authorization": f"Basic {credential}", "Content-Type": "application/json", "X-OpenStack-Ironic-API-Version": "latest"}
    with urllib.request.urlopen(urllib.request.Request(backend.url + path, json.dumps(body).encode(), headers)) as answer:
        assert answer.status == 201


def login(backend: Backend, user: str) -> dict[str, str]:
    """Give the connection options of one of the users."""
    return {"api_url": backend.url, "auth_type": "http_basic", "username": user, "password": password(user)}


def steady(listed: dict[str, t.Any]) -> dict[str, t.Any]:
    """Give the inventory without what the backend makes up in each run."""
    for variables in listed["_meta"]["hostvars"].values():
        for entry in variables["baremetal_holds"]:
            entry.update(uuid="…", asserted_at="…")
    return without_paths(listed)


def test_the_operator_sees_the_whole_fleet(sources: Sources, backend: Backend) -> None:
    ran = sources.inventory(
        sources.holds(**login(backend, "operator"), keyed_groups=[{"key": "baremetal_resource_class", "prefix": "class"}])
    )
    assert ran.err == ""
    assert ran.hosts == set(NODES)
    assert ran.members("hold_any") == {name for name, node in NODES.items() if node["maintenance"]} | {"k2-n01"}
    assert ran.members("hold_none") == ran.hosts - ran.members("hold_any")
    assert ran.members("hold_type_fault") == {name for name, node in NODES.items() if node["fault"]}
    assert ran.members("hold_scope_owner") == ran.members("hold_scope_lessee") == {"k2-n01"}
    agrees("example_fleet", ran, steady)


def test_a_lessee_sees_its_nodes_and_not_whose_the_holds_above_it_are(sources: Sources, backend: Backend) -> None:
    ran = sources.read(sources.holds(**login(backend, "lessee")))
    assert ran.hosts == {name for name, node in NODES.items() if node["lessee"] == LEASED["lessee"]}
    holds = ran.listed["_meta"]["hostvars"]["k2-n01"]["baremetal_holds"]
    assert [(hold["scope"], hold["asserted_by"]) for hold in holds] == [("system", None), ("owner", None), ("lessee", "lessee-id")]
    assert "operator-id" not in ran.out
    assert "owner-id" not in ran.out


def test_a_stranger_sees_no_node_and_is_told_so(sources: Sources, backend: Backend) -> None:
    ran = sources.read(sources.holds(**login(backend, "stranger")))
    assert ran.status == 0
    assert ran.hosts == set()
    assert "listed no node" in ran.said


def test_a_wrong_password_gives_no_host(sources: Sources, backend: Backend) -> None:
    ran = sources.inventory(sources.holds(**{**login(backend, "operator"), "password": "canary-wrong"}))
    assert ran.status != 0
    assert "no host is added: " in ran.said
    assert "canary-wrong" not in ran.out + ran.err


def test_filters_and_query_work_on_it(sources: Sources, backend: Backend) -> None:
    config = sources.holds(
        **login(backend, "operator"),
        filters={"owner": LEASED["owner"], "maintenance": True},
        node_fields=["extra"],
        query="[?extra.rack == 'k1']",
    )
    assert sources.read(config).hosts == {"k1-n03", "k1-n07"}
