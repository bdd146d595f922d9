# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A dry run is a dry run or nothing: on no service, and after no failure, does it become the real thing."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import Settings
from ansible_collections.baremetal.maintenance.tests.support.wire import EXTENSIONS, Wire, extended, ironic

from .samples import ENTRY

UUID = ENTRY["uuid"]
DRY = {**ENTRY, "uuid": None, "asserted_at": None}
NODE = {"uuid": "11111111-0000-4000-8000-000000000001", "name": "n1"}

#: Every verb that writes: what it is called with, and the request that it makes.
WRITES: dict[str, tuple[t.Callable[[Api], t.Any], str, str, t.Any]] = {
    "assert_entry": (lambda api: api.assert_entry("n1", type="x_a", dry_run=True), "POST", "/v1/nodes/n1/maintenance", DRY),
    "update_entry": (
        lambda api: api.update_entry("n1", UUID, {"reason": "r"}, dry_run=True),
        "PATCH",
        f"/v1/nodes/n1/maintenance/{UUID}",
        ENTRY,
    ),
    "release_entry": (lambda api: api.release_entry("n1", UUID, dry_run=True), "DELETE", f"/v1/nodes/n1/maintenance/{UUID}", None),
    "release_entry_comment": (
        lambda api: api.release_entry("n1", UUID, comment="c", dry_run=True),
        "POST",
        "/v1/maintenance/release",
        {"results": []},
    ),
    "release_all": (lambda api: api.release_all("n1", dry_run=True), "DELETE", "/v1/nodes/n1/maintenance", None),
    "set_flag": (lambda api: api.set_flag("n1", "r", dry_run=True), "PUT", "/v1/nodes/n1/maintenance", None),
    "clear_flag": (lambda api: api.clear_flag("n1", dry_run=True), "DELETE", "/v1/nodes/n1/maintenance", None),
    "put_fault": (lambda api: api.put_fault("n1", "power failure", None, dry_run=True), "PUT", "/v1/nodes/n1/maintenance/fault", ENTRY),
    "assert_many": (lambda api: api.assert_many(["n1"], type="x_a", dry_run=True), "POST", "/v1/maintenance", {"results": []}),
    "release_many": (lambda api: api.release_many(entries=[UUID], dry_run=True), "POST", "/v1/maintenance/release", {"results": []}),
    "create_node": (lambda api: api.create_node({"name": "n1"}, dry_run=True), "POST", "/v1/nodes", NODE),
    "patch_node": (lambda api: api.patch_node("n1", [{"op": "remove", "path": "/lessee"}], dry_run=True), "PATCH", "/v1/nodes/n1", NODE),
    "delete_node": (lambda api: api.delete_node("n1", dry_run=True), "DELETE", "/v1/nodes/n1", None),
}


def test_every_verb_that_can_be_a_dry_run_is_here() -> None:
    takes = {name for name in dir(Api) if not name.startswith("_") and "dry_run" in getattr(getattr(Api, name), "__annotations__", {})}
    assert takes == set(WRITES) - {"release_entry_comment"}


@pytest.mark.parametrize("name", WRITES)
def test_a_dry_run_says_so_in_the_query(wire: Wire, api: Api, name: str) -> None:
    verb, method, path, answer = WRITES[name]
    extended(wire)
    if name == "release_entry_comment":
        wire.expect("GET", f"/v1/nodes/n1/maintenance/{UUID}").json(ENTRY)
    step = wire.expect(method, path, query={"dry_run": "true"})
    step.empty(204) if answer is None else step.json(answer)
    verb(api)


@pytest.mark.parametrize("name", WRITES)
def test_a_dry_run_is_not_sent_where_it_is_not_listed(wire: Wire, api: Api, name: str) -> None:
    extended(wire, [extension for extension in EXTENSIONS if extension != "dry_run"])
    if name == "release_entry_comment":
        wire.expect("GET", f"/v1/nodes/n1/maintenance/{UUID}").json(ENTRY)
    with pytest.raises(errors.NotSupported, match="does not offer dry runs, and without one this would be done for real"):
        WRITES[name][0](api)


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("status", [405, 200])
def test_a_dry_run_is_not_sent_to_an_ironic(name: str, status: int) -> None:
    with Wire(ordered=False) as wire:
        ironic(wire)
        api = Api(Settings(url=wire.url), sleep=lambda _seconds: None)
        if name not in ("set_flag", "clear_flag", "assert_many", "release_many", "create_node", "patch_node", "delete_node"):
            wire.expect("GET", "/v1/nodes/n1/maintenance").json({"maintenance": []}, status=status)
        with pytest.raises(errors.NotSupported):
            WRITES[name][0](api)
        assert {seen.method for seen in wire.requests} == {"GET"}


@pytest.mark.parametrize("name", WRITES)
def test_a_dry_run_whose_reply_is_lost_is_repeated_as_a_dry_run(wire: Wire, api: Api, name: str) -> None:
    verb, method, path, answer = WRITES[name]
    extended(wire)
    if name == "release_entry_comment":
        wire.expect("GET", f"/v1/nodes/n1/maintenance/{UUID}").json(ENTRY)
    wire.expect(method, path, query={"dry_run": "true"}).close()
    step = wire.expect(method, path, query={"dry_run": "true"})
    step.empty(204) if answer is None else step.json(answer)
    verb(api)
