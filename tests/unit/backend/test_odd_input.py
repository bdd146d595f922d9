# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Odd input is a refusal that says what is wrong, never a failure of the service and never stored as something else (api.md 8)."""

from __future__ import annotations

import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.service import TYPED, Answer, Client, Service

JSON: t.Final = {"Content-Type": "application/json"}


def nested(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


def bodies(content: str, node: str) -> list[tuple[str, str, str]]:
    """Give every request that keeps a JSON value of the caller's, with this one in it."""
    return [
        ("POST", f"/nodes/{node}/maintenance", f'{{"type": "operator_hold", "extra": {{"x": {content}}}}}'),
        ("POST", "/maintenance", f'{{"nodes": ["{node}"], "type": "operator_hold", "key": "many", "extra": {{"x": {content}}}}}'),
        ("POST", "/nodes", f'{{"extra": {{"x": {content}}}}}'),
        ("PATCH", f"/nodes/{node}", f'[{{"op": "add", "path": "/extra/x", "value": {content}}}]'),
        ("PATCH", f"/nodes/{node}/maintenance/{{entry}}", f'{{"extra": {{"x": {content}}}}}'),
    ]


def send_all(service: Service, admin: Client, content: str) -> list[Answer]:
    answers = []
    node = service.node()
    entry = admin.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "key": "first"}).json["uuid"]
    for method, path, body in bodies(content, node):
        answers.append(admin.send(method, path.format(entry=entry), raw=body.encode(), headers=JSON))
    return answers


@pytest.fixture
def admin(service: Service) -> Client:
    return service.by("admin")


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity"])
def test_a_number_that_json_cannot_carry_back_is_refused(service: Service, admin: Client, number: str) -> None:
    before = service.dump()
    node = service.node()
    for answer in send_all(service, admin, number):
        assert (answer.status, answer.code) == (400, "invalid")
    assert "Infinity" not in service.dump().removeprefix(before)
    assert b"Infinity" not in admin.get(f"/nodes/{node}").content


@pytest.mark.parametrize("depth", [150, 500, 995, 1_500, 100_000])
def test_a_body_that_is_nested_too_deeply_is_refused(service: Service, admin: Client, depth: int) -> None:
    for answer in send_all(service, admin, nested(depth)):
        assert (answer.status, answer.code) == (400, "invalid")
        assert "nested" in answer.said


def test_a_body_that_is_nested_as_deeply_as_people_do_is_kept(service: Service, admin: Client) -> None:
    for answer in send_all(service, admin, nested(90)):
        assert answer.status in (200, 201)


@pytest.mark.parametrize("path", ["/maintenance", "/maintenance/release"])
@pytest.mark.parametrize("value", [[], {}, None, 5, "halt"])
def test_on_error_is_one_of_two_words(service: Service, admin: Client, path: str, value: t.Any) -> None:
    body = {"nodes": [service.node()], "type": "operator_hold", "on_error": value}
    answer = admin.post(path, body)
    assert (answer.status, answer.code) == (400, "invalid")
    assert "on_error" in answer.said


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00%2B14:00", "9999-12-31T23:59:59-14:00"])
@pytest.mark.parametrize("name", ["since", "until"])
def test_a_moment_outside_the_calendar_is_refused(admin: Client, name: str, moment: str) -> None:
    answer = admin.get(f"/maintenance/history?{name}={moment}")
    assert (answer.status, answer.code) == (400, "invalid")
    assert name in answer.said


@pytest.mark.parametrize("version", ["1." + "9" * 5_000, "9" * 5_000 + ".1", "1.\u0663"])
def test_a_version_that_is_no_version_is_not_acceptable(admin: Client, version: str) -> None:
    assert admin.get("/nodes", version=version).status == 406
    assert admin.get("/nodes", version="", headers={"OpenStack-API-Version": f"baremetal {version}"}).status == 406


@pytest.mark.parametrize("uuid", [[], {}, 0, False, "", 5, "x"])
def test_a_uuid_that_is_none_is_refused_and_not_replaced_by_another(admin: Client, uuid: t.Any) -> None:
    answer = admin.post("/nodes", {"uuid": uuid})
    assert (answer.status, answer.code) == (400, "invalid")


@pytest.mark.parametrize(("before", "after"), [(True, 1), (1, 1.0), (0, False)])
def test_values_that_only_python_takes_for_equal_are_a_change(service: Service, admin: Client, before: t.Any, after: t.Any) -> None:
    node = service.node(extra={"x": before})
    entry = admin.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "extra": {"x": before}}).json["uuid"]
    changed = admin.patch(f"/nodes/{node}/maintenance/{entry}", {"extra": {"x": after}}, version=TYPED)
    assert repr(changed.json["extra"]["x"]) == repr(after)
    assert repr(admin.get(f"/nodes/{node}/maintenance/{entry}").json["extra"]["x"]) == repr(after)
    admin.patch(f"/nodes/{node}", [{"op": "replace", "path": "/extra/x", "value": after}])
    assert repr(admin.get(f"/nodes/{node}").json["extra"]["x"]) == repr(after)


def test_a_name_that_stands_twice_at_the_end_of_the_longest_list_is_found_at_once(admin: Client) -> None:
    names = [f"node-{number}" for number in range(19_999)]
    before = time.process_time()
    answer = admin.post("/maintenance", {"nodes": [*names, names[-1]], "type": "operator_hold"})
    assert (answer.status, answer.code) == (400, "invalid")
    assert "node-19998 twice" in answer.said
    assert time.process_time() - before < 2
