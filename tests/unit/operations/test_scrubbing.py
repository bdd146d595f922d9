# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scrubbing: a secret is replaced wherever it stands in a result, in each spelling in which an error could carry it."""

from __future__ import annotations

import base64
import json
import typing as t
import urllib.parse

import pytest
from ansible.module_utils._internal._messages import ErrorSummary, Event
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.scrub import basic, scrub, scrub_keys

SECRET: t.Final = 'c4n@ry "ü/\\secret'


@pytest.mark.parametrize(
    "spelling",
    [SECRET, json.dumps(SECRET), repr(SECRET), urllib.parse.quote(SECRET), urllib.parse.quote(SECRET, safe="")],
    ids=["plain", "json", "repr", "url path", "url"],
)
def test_a_secret_is_replaced_at_any_depth(spelling: str) -> None:
    rows = [{"deep": [{"er": spelling, f"a {spelling} key": 1}]}]
    result = {"msg": f"a {spelling} b", "rows": rows, "kept": 1, "none": None, "flag": True}
    clean = scrub_keys(scrub(result, [SECRET]), [SECRET])
    assert "c4n" not in str(clean)
    assert (clean["kept"], clean["none"], clean["flag"]) == (1, None, True)
    assert clean["msg"].startswith("a ")


def test_what_ansible_says_of_a_broken_module_is_left_out_if_it_holds_a_secret() -> None:
    broken = {name: ErrorSummary(event=Event(msg=f"KeyError: {text}")) for name, text in (("exception", "own"), ("other", SECRET))}
    assert set(scrub({"msg": "broken", **broken}, [SECRET])) == {"msg", "exception"}


def test_a_basic_login_is_a_secret_in_its_header_too() -> None:
    header = base64.b64encode(b"op:pw").decode()
    assert header not in str(scrub({"msg": f"Basic {header}"}, basic("op", "pw")))
    assert basic("op", None) == set()


def test_nothing_is_replaced_without_secrets() -> None:
    assert scrub({"msg": "x"}, []) == {"msg": "x"}
    assert scrub({"msg": "x"}, [""]) == {"msg": "x"}
