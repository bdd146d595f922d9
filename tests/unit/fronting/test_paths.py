# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One spelling for every path, and one method."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.errors import Refusal
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting import paths
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.passing import whole


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("", "/"),
        ("/", "/"),
        ("//v1//nodes/", "/v1/nodes"),
        ("/v1/nodes/x y", "/v1/nodes/x y"),
        ("/v1/nodes/n/vendor_passthru;a=b", "/v1/nodes/n/vendor_passthru;a=b"),
    ],
)
def test_one_spelling(given: str, wanted: str) -> None:
    assert paths.canonical(given) == wanted


@pytest.mark.parametrize(
    "given", ["/v1/../nodes", "/v1/./nodes", "/v1/nodes/n\x00", "/v1/nodes/n\x7f", "/v1/nodes/n/maintenance;x", "/v1/nodes/n/Maintenance;x"]
)
def test_what_could_mean_two_things_is_refused(given: str) -> None:
    with pytest.raises(Refusal) as refused:
        paths.canonical(given)
    assert refused.value.status == 400


@pytest.mark.parametrize(
    "path",
    [
        "/v1/nodes/n/maintenance.json",
        "/v1/nodes/maintenance/n",
        "/v1/nodes/n/x/MAINTENANCE",
        "/v1/nodes/maintenance.xml",
        "/v1/nodes/states/provision",
        "/v1/nodes/states/provision/n",
        "/v1/nodes/n/states/provision/clean",
        "/v1/nodes/n/states/provision.json",
        "/v1/nodes/n/states.json/provision",
        "/v1/nodes.json",
        "/v1/Nodes.xml/n/maintenance",
    ],
)
def test_what_hides(path: str) -> None:
    assert paths.hides(path)


@pytest.mark.parametrize(
    "path",
    [
        "/v1/nodes/n/states",
        "/v1/nodes/n/states/power",
        "/v1/nodes/provision/ports",
        "/v1/nodes/states/ports",
        "/v1/nodes/n/traits/CUSTOM_MAINTENANCE",
        "/v1/ports/maintenance",
        "/v1/nodes/maintenance-1/ports",
    ],
)
def test_what_passes(path: str) -> None:
    assert not paths.hides(path)


@pytest.mark.parametrize("query", ["_method=PUT", "a=b&_method=put", "%5Fmethod=x", "_METHOD=x", "a=b;_method=x", "+_method=x", "_method"])
def test_another_method_is_refused_in_query_and_form(query: str) -> None:
    for given in ((query, None), ("", query.encode)):
        with pytest.raises(Refusal) as refused:
            paths.require_one_method(*given)
        assert refused.value.status == 400 and "_method" in refused.value.text


@pytest.mark.parametrize("query", ["", "method=first_method", "name=_method", "x_method=1", "_methods=1", "a=%26_method%3Dx"])
def test_other_words_are_not(query: str) -> None:
    paths.require_one_method(query, query.encode)


def test_a_quoted_path_is_read_as_it_was_meant() -> None:
    assert paths.quoted("/v1/nodes/a b?%#é") == "/v1/nodes/a%20b%3F%25%23%C3%A9"


def test_a_body_that_ends_early_is_no_body() -> None:
    parts = iter((b"abc", b"de", b""))
    assert list(whole(lambda _size: next(parts), 5)) == [b"abc", b"de"]
    parts = iter((b"abc", b""))
    with pytest.raises(OSError, match="broke off"):
        list(whole(lambda _size: next(parts), 5))
