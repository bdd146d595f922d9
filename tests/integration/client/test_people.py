# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""People of every standing through the client: who may do what, and what each is told."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import resolve
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

Of = t.Callable[[str], Api]


@pytest.mark.parametrize(("login", "scope"), [("operator", "system"), ("owner", "owner"), ("lessee", "lessee")])
def test_each_holds_at_its_own_scope(of: Of, leased: str, login: str, scope: str) -> None:
    entry = of(login).assert_entry(leased, type="operator_hold")
    assert (entry["scope"], entry["asserted_by"], entry["own"]) == (scope, f"{login}-id", True)


def test_a_lessee_is_refused_an_operators_hold_and_learns_no_name(of: Of, leased: str) -> None:
    held = of("operator").assert_entry(leased, type="hardware_failure", reason="disk 3")
    (seen,) = of("lessee").list_entries(leased)
    assert (seen["reason"], seen["asserted_by"], seen["own"]) == ("disk 3", None, False)
    for deed in (
        lambda api: api.release_entry(leased, held["uuid"]),
        lambda api: api.release_entry(leased, held["uuid"], comment="mine now"),
        lambda api: api.release_all(leased),
        lambda api: api.release_all(leased, dry_run=True),
        lambda api: api.clear_flag(leased),
        lambda api: api.release_many(entries=[held["uuid"]]),
    ):
        with pytest.raises(errors.Refused) as refused:
            deed(of("lessee"))
        (blocker,) = refused.value.blockers
        assert (refused.value.code, refused.value.status) == ("not_permitted", 403)
        assert (blocker["uuid"], blocker["type"], blocker["scope"], blocker["project"]) == (
            held["uuid"],
            "hardware_failure",
            "system",
            None,
        )
        assert "not permitted at lessee scope" in refused.value.msg
        assert "operator-id" not in f"{refused.value.msg}{blocker}"
    assert len(of("operator").list_entries(leased)) == 1


def test_a_node_of_others_is_not_there(of: Of, leased: str) -> None:
    with pytest.raises(errors.Refused) as refused:
        of("stranger").list_entries(leased)
    assert (refused.value.code, refused.value.node) == ("not_found", leased)
    assert of("stranger").iter_nodes() == []


def test_only_a_service_asserts_a_fault(of: Of, leased: str) -> None:
    with pytest.raises(errors.Refused) as refused:
        of("owner").put_fault(leased, "power failure", None)
    assert refused.value.code == "not_permitted"
    assert of("conductor").put_fault(leased, "power failure", None)[1] is True


def test_a_held_node_is_not_removed(of: Of, leased: str) -> None:
    of("owner").assert_entry(leased, type="operator_hold")
    of("operator").assert_entry(leased, type="operator_hold")
    with pytest.raises(errors.Refused) as refused:
        of("owner").delete_node(leased)
    assert refused.value.status == 403
    assert len(of("operator").list_entries(leased)) == 2


@pytest.mark.parametrize(
    "login",
    [
        {"auth_type": "http_basic", "username": "operator", "password": "wr0ng-word"},
        {"auth_type": "http_basic", "username": "nobody", "password": "wr0ng-word"},
        {"auth_type": "http_basic", "username": "operator", "password": "wr0ng-word" * 10},
        {"auth_type": "token", "token": "wr0ng-word"},
        {},
    ],
)
def test_a_login_that_is_refused_says_so_and_is_not_tried_again(guarded: Backend, leased: str, login: dict[str, str]) -> None:
    sleeps: list[float] = []
    api = Api(resolve({"api_url": guarded.url, **login}, {}), sleep=sleeps.append)
    with pytest.raises(errors.Refused) as refused:
        api.list_entries(leased)
    assert (refused.value.status, refused.value.code, refused.value.attempts) == (401, "unauthenticated", 1)
    assert "check auth_type, username, password and token" in refused.value.msg
    assert "wr0ng-word" not in refused.value.msg
    assert sleeps == []
