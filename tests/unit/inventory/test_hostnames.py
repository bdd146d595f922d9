# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Host names: one for each node, none for two, none that Ansible reserves."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.inventory import errors, hostnames


def test_each_node_keeps_its_name() -> None:
    names = {"u1": "r01-u01", "u2": "r01-u02.example.org", "u3": "fe80::1", "u4": "Ä_node~1"}
    assert hostnames.checked(names) == names


@pytest.mark.parametrize("name", ["localhost", "all", "ungrouped", "127.0.0.1", "::1"])
def test_a_reserved_name_is_an_error(name: str) -> None:
    with pytest.raises(errors.InventoryError, match=f"node u2 would be host '{name}', a name that Ansible reserves"):
        hostnames.checked({"u1": "a", "u2": name})


def test_a_name_of_two_nodes_is_an_error_that_names_both() -> None:
    with pytest.raises(errors.InventoryError, match="nodes u1 and u3 would both be host 'a'"):
        hostnames.checked({"u1": "a", "u2": "b", "u3": "a"})


@pytest.mark.parametrize("name", [None, "", 7, ["a"], True])
def test_no_name_is_an_error(name: t.Any) -> None:
    with pytest.raises(errors.InventoryError, match="node u1 gets no host name"):
        hostnames.checked({"u1": name})


@pytest.mark.parametrize("name", ["a,b", "!a", "&a", "~a", "a*", "a b", "a[1:3]", "a\n", "{{ x }}"])
def test_a_name_that_is_a_pattern_is_an_error(name: str) -> None:
    with pytest.raises(errors.InventoryError, match="would read as a pattern"):
        hostnames.checked({"u1": name})
