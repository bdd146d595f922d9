# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is refused before any BMC is asked."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.target import BadTarget

BMC = {"protocol": "ipmi", "address": "192.0.2.1", "username": "admin", "password": "secret"}


@pytest.fixture(autouse=True)
def nobody_is_asked(monkeypatch):
    monkeypatch.setattr(checking, "_start", lambda: pytest.fail("a process was started"))


@pytest.mark.parametrize(
    "how, words",
    [
        ({"sections": ["power", "colour"]}, "colour"),
        ({"deadline": 0}, "deadline"),
        ({"deadline": -3}, "deadline"),
        ({"since": "yesterday"}, "ISO 8601"),
        ({"deadline": 20}, "do not fit"),
    ],
)
def test_a_reading_that_makes_no_sense(how, words):
    with pytest.raises(BadTarget, match=words):
        checking.check(BMC, **how)


def test_many_readings_that_make_no_sense_are_errors_in_their_reports():
    reports = checking.many([BMC, {**BMC, "address": None}], deadline=20)
    assert [[error["kind"] for error in report["errors"]] for report in reports] == [["bad_option"]] * 2
    assert [report["reachable"] for report in reports] == [False, False]


@pytest.mark.parametrize("arguments", [{"state": "blue"}, {"state": "on", "seconds": 0}, {"state": "on", "seconds": 256}])
def test_a_led_that_makes_no_sense(arguments):
    with pytest.raises(BadTarget):
        checking.identify(BMC, **arguments)
