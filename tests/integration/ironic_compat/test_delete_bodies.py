# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A DELETE whose body says something is refused, as by Ironic: what is not looked at would be done all the same."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.fixtures.ironic import words
from ansible_collections.baremetal.maintenance.tests.fixtures.ironic.wire import Wire
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Wire]:
    """A real backend without authentication."""
    with Backend(tmp_path_factory.mktemp("deleting")) as backend:
        yield Wire(backend.url)


@pytest.fixture
def path(wire: Wire) -> t.Iterator[str]:
    """The path of a held node."""
    node = f"/v1/nodes/{words.MADE}"
    assert wire.send(words.post("/v1/nodes", "latest", {"uuid": words.MADE})).status == 201
    assert wire.send(words.post(f"{node}/maintenance", "latest", {"type": "operator_hold"})).status == 201
    yield node
    wire.send(words.delete(node, "latest"))


@pytest.mark.parametrize("body", [{"dry_run": True}, {"a": 1}, [1], "x"])
def test_nothing_is_released_or_removed(wire: Wire, path: str, body: t.Any) -> None:
    (hold,) = wire.send(words.get(f"{path}/maintenance", "latest")).json()["maintenance"]
    for target in (path, f"{path}/maintenance", f"{path}/maintenance/{hold['uuid']}"):
        assert wire.send(words.delete(target, "latest", body)).status == 400
    assert wire.send(words.get(f"{path}/maintenance", "latest")).json()["maintenance"] == [hold]


@pytest.mark.parametrize("text", ["{}", "null", ""])
def test_a_body_that_says_nothing_is_fine(wire: Wire, path: str, text: str) -> None:
    (hold,) = wire.send(words.get(f"{path}/maintenance", "latest")).json()["maintenance"]
    assert wire.send(words.delete(f"{path}/maintenance/{hold['uuid']}", "latest", text=text)).status == 204
    assert wire.send(words.delete(path, "latest", text=text)).status == 204
