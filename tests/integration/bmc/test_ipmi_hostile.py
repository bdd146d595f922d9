# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""IPMI BMCs that misbehave: every reading ends, at its deadline at the latest, and keeps what was read before."""

from __future__ import annotations

import socket
import threading
import time

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.bmc.asking import kinds, named, read, read_until
from ansible_collections.baremetal.maintenance.tests.lab.bmc import processes
from ansible_collections.baremetal.maintenance.tests.lab.bmc.fake_ipmi import entry

FAULT = entry(0x0D, 4, 1, ago=60)


def test_a_command_that_is_lost_in_mid_session(ipmi):
    ipmi.set(lost=["4:2d:3"])
    report = read_until(ipmi.target(), 3)
    assert (report["reachable"], report["complete"]) == (True, False)
    assert (report["power"]["state"], report["power"]["faults_known"]) == ("on", True)
    assert list(named(report["sensors"])) == ["Inlet Temp", "Fan1A"]
    assert report["sections"] == {
        **dict.fromkeys(("power", "system"), "ok"),
        **dict.fromkeys(("cpu", "memory", "storage", "psu"), "absent"),
        "sensors": "error",
    }
    assert kinds(report) == ["deadline"]
    assert ipmi.open_sessions() == 0


def test_every_answer_that_comes_late(ipmi):
    ipmi.set(delay=0.3)
    report = read_until(ipmi.target(), 3)
    assert report["power"]["state"] == "on"
    assert kinds(report) == ["deadline"]


def test_a_log_without_an_end(ipmi):
    ipmi.set(log=[FAULT] * 4, log_endless=True)
    report = read_until(ipmi.target(), 4)
    assert len(report["sensors"]) == 6
    assert report["events"]["read"] > 4
    assert (report["events"]["complete"], report["sections"]["events"]) == (False, "error")
    assert kinds(report) in (["malformed"], ["deadline"])
    assert ipmi.open_sessions() == 0


def test_a_log_that_goes_in_a_circle_ends_before_the_deadline(ipmi):
    ipmi.set(log=[FAULT] * 4, log_next=2)
    report = read(ipmi.target())
    assert (report["events"]["read"], len(report["events"]["entries"])) == (4, 4)
    assert kinds(report) == ["malformed"]


def test_a_bmc_that_is_silent_about_a_login_is_asked_no_more(ipmi):
    ipmi.set(login="silent")
    report = read_until(ipmi.target(retries=2), 12)
    assert (report["reachable"], kinds(report)) == (False, ["auth_failed"])
    assert "silent" in report["errors"][0]["msg"]
    # As often as packets may get lost, and not a third of that for each attempt.
    assert ipmi.logins() <= 3


def test_exactly_one_login_with_a_wrong_password_however_often_an_unreachable_bmc_would_be_asked(ipmi):
    report = read(ipmi.target(password="not-it-canary", retries=5))
    assert kinds(report) == ["auth_failed"]
    assert ipmi.logins() == 1
    assert "session open" not in ipmi.asked()


def test_exactly_one_login_of_a_user_that_is_not_known(ipmi):
    report = read(ipmi.target(username="nobody", retries=5))
    assert kinds(report) == ["auth_failed"]
    assert ipmi.logins() == 1


@pytest.mark.parametrize("how", ["closed", "deaf"])
def test_a_bmc_that_does_not_answer(ipmi, how):
    (port,) = processes.free_ports(1)
    ipmi.set(login="deaf")
    target = ipmi.target(address=f"127.0.0.1:{port}") if how == "closed" else ipmi.target()
    report = read_until(target, 3)
    assert (report["reachable"], report["sections"]) == (False, {})
    assert kinds(report) == ["unreachable"]
    assert target["address"] in report["errors"][0]["msg"]


def test_a_bmc_that_does_not_answer_is_known_before_the_deadline():
    (port,) = processes.free_ports(1)
    report = read({"protocol": "ipmi", "address": f"127.0.0.1:{port}", "username": "a", "password": "b", "retries": 0})
    assert kinds(report) == ["unreachable"]
    assert "UDP" in report["errors"][0]["msg"]
    assert report["seconds"] < 15


def test_a_bmc_that_is_back_at_the_second_attempt_is_read(ipmi):
    ipmi.set(login="deaf")
    back = threading.Timer(6, lambda: ipmi.set(login="answered"))
    back.start()
    report = read(ipmi.target(retries=2))
    back.join()
    assert report["complete"], report["errors"]
    assert ipmi.logins() == 1


def test_a_name_that_cannot_be_resolved():
    report = read({"protocol": "ipmi", "address": "no-such-bmc.invalid", "username": "a", "password": "b", "retries": 0, "power_reads": 1})
    assert kinds(report) == ["unreachable"]
    assert "no-such-bmc.invalid" in report["errors"][0]["msg"]


def test_what_answers_but_is_no_bmc():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.bind(("127.0.0.1", 0))

        def echo():
            stranger.settimeout(0.2)
            until = time.monotonic() + 4
            while time.monotonic() < until:
                try:
                    data, who = stranger.recvfrom(2000)
                except TimeoutError:
                    continue
                stranger.sendto(data[::-1] + b"what?" * 20, who)

        thread = threading.Thread(target=echo)
        thread.start()
        target = {"protocol": "ipmi", "address": f"127.0.0.1:{stranger.getsockname()[1]}", "username": "a", "password": "b"}
        report = read_until({**target, "retries": 0, "power_reads": 1}, 3)
        thread.join()
    assert not report["reachable"]
    assert len(report["errors"]) == 1
