# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service is: learned from its answers, asked seldom, remembered only where the answer proves it."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.service import Service
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire, extended, fault, ironic, refusal

from .samples import ENTRY

PATH = "/v1/nodes/n1/maintenance"
LATEST = {"X-OpenStack-Ironic-API-Version": "latest"}


def test_an_extended_service_describes_itself_and_is_asked_once(wire: Wire, api: Api) -> None:
    extended(wire, ["dry_run", "bulk"], microversion="1.234")
    for _turn in range(2):
        assert api.service() == Service("extended", "1.234", frozenset({"dry_run", "bulk"}))


def test_typed_requests_carry_the_number_that_the_service_names(wire: Wire, api: Api) -> None:
    extended(wire, microversion="1.234")
    wire.expect("GET", PATH, headers={"X-OpenStack-Ironic-API-Version": "1.234"}).json({"maintenance": []})
    api.list_entries("n1")


@pytest.mark.parametrize(("status", "body"), [(200, {"maintenance": []}), (403, fault("not allowed"))])
def test_a_service_that_lists_entries_or_forbids_it_has_typed_ones(wire: Wire, api: Api, status: int, body: dict[str, object]) -> None:
    ironic(wire, "1.117")
    wire.expect("GET", PATH, headers=LATEST).json(body, status=status)
    assert api.service("n1") == Service("native", "1.117")


@pytest.mark.parametrize("status", [405, 406])
def test_a_service_that_knows_no_listing_has_the_flag_only(wire: Wire, api: Api, status: int) -> None:
    ironic(wire)
    wire.expect("GET", PATH, headers=LATEST).json({"error_message": '{"code": 405, "title": "Method Not Allowed"}'}, status=status)
    assert api.service("n1") == Service("boolean", "1.115")
    assert api.service("n2").kind == "boolean"


def test_a_missing_node_proves_nothing_and_is_not_remembered(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("GET", PATH).json(fault("Node n1 could not be found."), status=404)
    with pytest.raises(errors.Refused) as refused:
        api.list_entries("n1")
    assert (refused.value.code, refused.value.node) == ("not_found", "n1")
    assert refused.value.msg.startswith("Cannot list the holds of node n1: Node n1 could not be found (HTTP 404)")
    wire.expect("GET", "/v1/nodes/n2/maintenance").json({"maintenance": []})
    wire.expect("GET", "/v1/nodes/n2/maintenance").json({"maintenance": [ENTRY]})
    assert api.list_entries("n2") == [ENTRY]


@pytest.mark.parametrize("status", [500, 401, 302])
def test_trouble_while_finding_out_is_reported_and_not_remembered(wire: Wire, api: Api, status: int) -> None:
    ironic(wire)
    wire.expect("GET", PATH).json({}, status=status)
    with pytest.raises(errors.ClientError):
        api.list_entries("n1")
    if status == 401:
        ironic(wire)
    wire.expect("GET", PATH).json({"maintenance": []})
    assert api.service("n1").kind == "native"


def test_without_a_node_the_first_visible_one_is_asked(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("GET", "/v1/nodes", query={"limit": "1", "fields": "uuid"}).json({"nodes": [{"uuid": "u-1"}]})
    wire.expect("GET", "/v1/nodes/u-1/maintenance").json({}, status=405)
    assert api.service().kind == "boolean"


def test_where_no_node_is_visible_the_kind_stays_unknown(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("GET", "/v1/nodes").json({"nodes": []})
    assert api.service() == Service("unknown", "1.115")


def test_a_typed_request_to_a_flag_only_service_says_what_it_is_and_what_works(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("GET", PATH).json({}, status=405)
    verbs = {
        "list the holds of node n1": lambda: api.list_entries("n1"),
        "assert a hold of type operator_hold on node n1": lambda: api.assert_entry("n1", type="operator_hold"),
        f"release hold {ENTRY['uuid']} of node n1": lambda: api.release_entry("n1", ENTRY["uuid"]),
        "release every hold of node n1": lambda: api.release_all("n1"),
    }
    for deed, verb in verbs.items():
        with pytest.raises(errors.NotSupported) as refused:
            verb()
        assert refused.value.msg == (
            f"Cannot {deed}: the service at {wire.url} is an Ironic that knows the maintenance flag only, without typed holds; "
            "use the module baremetal.maintenance.maintenance_flag there, or set api_url to a service that has typed holds"
        )
        assert (refused.value.code, refused.value.node) == ("not_supported", "n1")
    assert [seen.method for seen in wire.requests] == ["GET", "GET"]


def test_the_flag_of_an_ironic_needs_no_probe(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("PUT", PATH, headers={"X-OpenStack-Ironic-API-Version": "1.115"}, body={"reason": "x"}).empty(202)
    wire.expect("PUT", PATH, body={}).empty(202)
    wire.expect("DELETE", PATH, query={}).empty(202)
    api.set_flag("n1", "x")
    api.set_flag("n1", None)
    api.clear_flag("n1")


@pytest.mark.parametrize(
    ("deed", "extension", "offer"),
    [
        (lambda api: api.fleet_entries(), "fleet", "a listing of the holds of all nodes"),
        (lambda api: api.iter_nodes(with_entries=True), "node_entries", "nodes together with their holds"),
        (lambda api: api.assert_many(["n1"], type="operator_hold"), "bulk", "requests about many holds at once"),
        (lambda api: api.release_many(entries=["u"]), "bulk", "requests about many holds at once"),
        (lambda api: api.update_entry("n1", "u", {"reason": "x"}), "patch", "changing a hold that is asserted"),
        (lambda api: api.put_fault("n1", "power failure", None), "fault", "the assertion of faults"),
        (lambda api: api.types(), "types", "a list of its types"),
        (lambda api: api.fleet_history(), "fleet_history", "the history of all nodes"),
        (lambda api: api.assert_entry("n1", type="operator_hold", run="7"), "labels", "key, ticket and run"),
        (lambda api: api.release_many(run="7"), "labels", "key, ticket and run"),
    ],
)
def test_what_is_not_listed_is_not_sent(wire: Wire, api: Api, deed: object, extension: str, offer: str) -> None:
    extended(wire, {"dry_run", "fleet", "node_entries", "bulk", "patch", "fault", "types", "fleet_history", "labels"} - {extension})
    with pytest.raises(errors.NotSupported, match=f"does not offer {offer}"):
        deed(api)


MOVED = {"X-OpenStack-Ironic-API-Maximum-Version": "1.117"}


@pytest.mark.parametrize(
    ("body", "status", "headers"),
    [
        (refusal("Listing needs API version 1.117 or newer; this request asks for 1.116.", "not_found"), 404, MOVED),
        (fault("Version 1.116 is not supported"), 406, MOVED),
        ({"error_message": "Not Found"}, 404, {}),
    ],
)
def test_a_number_that_has_moved_is_learned_again_and_the_request_repeated(
    wire: Wire, api: Api, body: dict[str, object], status: int, headers: dict[str, str]
) -> None:
    extended(wire, microversion="1.116")
    wire.expect("GET", PATH, headers={"X-OpenStack-Ironic-API-Version": "1.116"}).json(body, status=status, headers=headers)
    extended(wire, microversion="1.117")
    wire.expect("GET", PATH, headers={"X-OpenStack-Ironic-API-Version": "1.117"}).json({"maintenance": []})
    assert api.list_entries("n1") == []


def test_a_404_without_an_explanation_is_believed_when_the_number_has_not_moved(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("GET", PATH).json({"error_message": "Not Found"}, status=404)
    extended(wire)
    with pytest.raises(errors.Refused):
        api.list_entries("n1")


@pytest.mark.parametrize("headers", [{}, {"X-OpenStack-Ironic-API-Maximum-Version": "1.116"}])
def test_a_404_that_says_what_is_missing_is_believed_at_once(wire: Wire, api: Api, headers: dict[str, str]) -> None:
    extended(wire)
    wire.expect("GET", PATH).json(refusal("Node n1 could not be found.", "not_found", "n1"), status=404, headers=headers)
    with pytest.raises(errors.Refused) as refused:
        api.list_entries("n1")
    assert refused.value.msg == "Node n1 could not be found."


def test_what_lacks_dry_runs_after_the_number_moved_is_not_sent_a_dry_run(wire: Wire, api: Api) -> None:
    extended(wire, microversion="1.116")
    wire.expect("POST", PATH, query={"dry_run": "true"}).json({}, status=406)
    extended(wire, extensions=["bulk"], microversion="1.117")
    with pytest.raises(errors.NotSupported, match="dry runs"):
        api.assert_entry("n1", type="operator_hold", dry_run=True)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"maintenance_api": {"microversion": "2.0", "extensions": []}}, "a maintenance_api that has no microversion"),
        ({"maintenance_api": {"microversion": "1.116"}}, "a maintenance_api that has no microversion"),
        ({"maintenance_api": {"microversion": "1.116", "extensions": [1]}}, "a maintenance_api that has no microversion"),
        ({"maintenance_api": "yes"}, "a maintenance_api that has no microversion"),
        ({"hello": "world"}, "not the version document of a bare-metal API; check api_url"),
        ([1], "JSON that is not an object"),
    ],
)
def test_a_version_document_that_is_none_is_an_error(wire: Wire, api: Api, body: object, said: str) -> None:
    wire.expect("GET", "/v1").json(body)
    with pytest.raises(errors.BadAnswer) as refused:
        api.service()
    assert said in refused.value.msg


@pytest.mark.parametrize(("status", "code"), [(401, "unauthenticated"), (403, "not_permitted"), (500, "failed")])
def test_a_version_document_that_is_refused_is_an_error(wire: Wire, api: Api, status: int, code: str) -> None:
    wire.expect("GET", "/v1").json(fault("no"), status=status)
    with pytest.raises(errors.Refused, match="Cannot learn what the service offers: no") as refused:
        api.service()
    assert refused.value.code == code


def test_a_service_without_v1_is_probably_another_one(wire: Wire, api: Api) -> None:
    wire.expect("GET", "/v1").text("<html><title>Not Found</title></html>", status=404)
    with pytest.raises(errors.BadAnswer, match="it has no /v1 .*check that api_url is the address of a bare-metal API"):
        api.service()


def test_a_service_that_does_not_say_its_maximum_is_asked_at_latest(wire: Wire, api: Api) -> None:
    wire.expect("GET", "/v1", headers=LATEST).json({"id": "v1"})
    wire.expect("PUT", PATH, headers=LATEST).empty(202)
    api.set_flag("n1", "x")
