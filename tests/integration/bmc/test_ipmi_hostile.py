# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""IPMI BMCs that misbehave: every reading ends, at its deadline at the latest, and keeps what was read before."""

from __future__ import annotations

import contextlib
import socket
import threading

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.bmc.asking import AMPLE, kinds, named, read_together
from ansible_collections.baremetal.maintenance.tests.lab.bmc import processes
from ansible_collections.baremetal.maintenance.tests.lab.bmc.fake_ipmi import FakeIpmi, entry

FAULT = entry(0x0D, 4, 1, ago=60)


@contextlib.contextmanager
def stranger():
    """The address of something that answers every packet, but is no BMC."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(0.2)
        over = threading.Event()

        def echo():
            while not over.is_set():
                with contextlib.suppress(TimeoutError):
                    data, who = server.recvfrom(2000)
                    server.sendto(data[::-1] + b"what?" * 20, who)

        thread = threading.Thread(target=echo)
        thread.start()
        try:
            yield f"127.0.0.1:{server.getsockname()[1]}"
        finally:
            over.set()
            thread.join()


@pytest.fixture(scope="module")
def bmcs(at_hand, tmp_path_factory):
    """A BMC for each way to misbehave."""
    ways = {
        "lost": {"lost": ["4:2d:3"]},
        "endless": {"log": [FAULT] * 4, "log_endless": True},
        "circle": {"log": [FAULT] * 4, "log_next": 2},
        "silent login": {"login": "silent"},
        "wrong password": {},
        "unknown user": {},
        "deaf": {"login": "deaf"},
        "back": {"login": "deaf"},
    }
    found = {name: at_hand.popleft() for name in ways}
    for name, way in ways.items():
        found[name].set(**way)
    # In a process of its own, because it makes all the BMCs of its process late.
    late = FakeIpmi(tmp_path_factory.mktemp("late"))
    late.start()
    late.bmcs[0].set(delay=0.3)
    try:
        yield {**found, "late": late.bmcs[0]}
    finally:
        late.stop()


@pytest.fixture(scope="module")
def reports(bmcs):
    """All read at the same time: most of them are only waited for."""
    login = {"protocol": "ipmi", "username": "a", "password": "b", "power_reads": 1, "retries": 0}
    with stranger() as strange:
        closed, patient = (f"127.0.0.1:{port}" for port in processes.free_ports(2))
        back = threading.Timer(6, lambda: bmcs["back"].set(login="answered"))
        back.start()
        found = read_together(
            {
                "lost": bmcs["lost"].target(deadline=3),
                "late": bmcs["late"].target(deadline=3),
                "endless": bmcs["endless"].target(deadline=4),
                "circle": bmcs["circle"].target(),
                "silent login": bmcs["silent login"].target(retries=2),
                "wrong password": bmcs["wrong password"].target(password="not-it-canary", retries=5),
                "unknown user": bmcs["unknown user"].target(username="nobody", retries=5),
                "deaf": bmcs["deaf"].target(deadline=3),
                "closed": {**login, "address": closed, "deadline": 3},
                "patient": {**login, "address": patient},
                "back": bmcs["back"].target(retries=2),
                "no name": {**login, "address": "no-such-bmc.invalid"},
                "stranger": {**login, "address": strange, "deadline": 3},
            }
        )
        back.join()
    return {**found, "addresses": {"closed": closed, "deaf": bmcs["deaf"].address}}


def test_a_command_that_is_lost_in_mid_session(bmcs, reports):
    report = reports["lost"]
    assert (report["reachable"], report["complete"]) == (True, False)
    assert (report["power"]["state"], report["power"]["faults_known"]) == ("on", True)
    assert list(named(report["sensors"])) == ["Inlet Temp", "Fan1A"]
    assert report["sections"] == {
        **dict.fromkeys(("power", "system"), "ok"),
        **dict.fromkeys(("cpu", "memory", "storage", "psu"), "absent"),
        "sensors": "error",
    }
    assert kinds(report) == ["deadline"]
    assert bmcs["lost"].open_sessions() == 0


def test_every_answer_that_comes_late(reports):
    assert reports["late"]["power"]["state"] == "on"
    assert kinds(reports["late"]) == ["deadline"]


def test_a_log_without_an_end(bmcs, reports):
    report = reports["endless"]
    assert len(report["sensors"]) == 6
    assert report["events"]["read"] > 4
    assert (report["events"]["complete"], report["sections"]["events"]) == (False, "error")
    assert kinds(report) in (["malformed"], ["deadline"])
    assert bmcs["endless"].open_sessions() == 0


def test_a_log_that_goes_in_a_circle_ends_before_the_deadline(reports):
    report = reports["circle"]
    assert (report["events"]["read"], len(report["events"]["entries"])) == (4, 4)
    assert kinds(report) == ["malformed"]


def test_a_bmc_that_is_silent_about_a_login_is_asked_no_more(bmcs, reports):
    report = reports["silent login"]
    assert (report["reachable"], kinds(report)) == (False, ["auth_failed"])
    assert "silent" in report["errors"][0]["msg"]
    # As often as packets may get lost, and not a third of that for each attempt.
    assert bmcs["silent login"].logins() <= 3


@pytest.mark.parametrize("wrong", ["wrong password", "unknown user"])
def test_exactly_one_login_with_what_is_wrong_however_often_an_unreachable_bmc_would_be_asked(bmcs, reports, wrong):
    assert kinds(reports[wrong]) == ["auth_failed"]
    assert bmcs[wrong].logins() == 1
    assert "session open" not in bmcs[wrong].asked()


@pytest.mark.parametrize("how", ["closed", "deaf"])
def test_a_bmc_that_does_not_answer(reports, how):
    report = reports[how]
    assert (report["reachable"], report["sections"]) == (False, {})
    assert kinds(report) == ["unreachable"]
    assert reports["addresses"][how] in report["errors"][0]["msg"]


def test_a_bmc_that_does_not_answer_is_known_before_the_deadline(reports):
    report = reports["patient"]
    assert kinds(report) == ["unreachable"]
    assert "UDP" in report["errors"][0]["msg"]
    assert report["seconds"] < AMPLE - 5


def test_a_bmc_that_is_back_at_the_second_attempt_is_read(bmcs, reports):
    assert reports["back"]["complete"], reports["back"]["errors"]
    assert bmcs["back"].logins() == 1


def test_a_name_that_cannot_be_resolved(reports):
    assert kinds(reports["no name"]) == ["unreachable"]
    assert "no-such-bmc.invalid" in reports["no name"]["errors"][0]["msg"]


def test_what_answers_but_is_no_bmc(reports):
    assert not reports["stranger"]["reachable"]
    assert len(reports["stranger"]["errors"]) == 1
