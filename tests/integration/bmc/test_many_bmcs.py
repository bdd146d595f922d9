# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many BMCs at once: dead ones are found out together, reports come in order, one mistake spoils no other reading."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
import time

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking
from ansible_collections.baremetal.maintenance.tests.integration.bmc.asking import kinds
from ansible_collections.baremetal.maintenance.tests.lab.bmc import trees
from ansible_collections.baremetal.maintenance.tests.lab.bmc.static_redfish import StaticRedfish
from ansible_collections.baremetal.maintenance.tests.support.certificates import Authority

LOGIN = {"username": "admin", "password": "secret", "power_reads": 1, "retries": 0}


@contextlib.contextmanager
def silent(count):
    """Addresses where connections are taken and nothing is ever said; none of them costs a thread."""
    servers = [socket.create_server(("127.0.0.1", 0)) for _server in range(count)]
    events = selectors.DefaultSelector()
    over = threading.Event()
    taken = []

    def serve():
        while not over.is_set():
            for key, _mask in events.select(0.1):
                taken.append(key.fileobj.accept()[0])

    for server in servers:
        events.register(server, selectors.EVENT_READ)
    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield [f"127.0.0.1:{server.getsockname()[1]}" for server in servers]
    finally:
        over.set()
        thread.join()
        for one in (*servers, *taken):
            one.close()


@contextlib.contextmanager
def deaf(count):
    """Addresses whose packets nobody reads."""
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _socket in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    try:
        yield [f"127.0.0.1:{one.getsockname()[1]}" for one in sockets]
    finally:
        for one in sockets:
            one.close()


def test_three_hundred_dead_bmcs_and_two_that_live_end_within_twice_one_deadline(ipmi, redfish):
    deadline = 6.0
    with silent(150) as silent_ones, deaf(150) as deaf_ones:
        dead = [{"protocol": "redfish", "address": address, **LOGIN} for address in silent_ones]
        dead += [{"protocol": "ipmi", "address": address, **LOGIN} for address in deaf_ones]
        begun = time.monotonic()
        reports = checking.many([*dead[:100], ipmi.target(), *dead[100:], redfish.target()], deadline=deadline, workers=8)
        took = time.monotonic() - begun
    assert took < 2 * deadline, f"took {took:.1f} s"
    assert [report["complete"] for report in (reports[100], reports[-1])] == [True, True]
    others = [*reports[:100], *reports[101:-1]]
    assert len(others) == 300
    assert {tuple(kinds(report)) for report in others} == {("unreachable",)}
    assert [report["address"] for report in others[:150]] == silent_ones


def test_bmcs_that_answer_and_then_hang_do_not_wait_for_one_another(redfish):
    deadline, count, workers = 4.0, 40, 4
    redfish.fault("/redfish/v1/Systems", hang=60)
    begun = time.monotonic()
    reports = checking.many([redfish.target()] * count, deadline=deadline, workers=workers)
    took = time.monotonic() - begun
    assert {tuple(kinds(report)) for report in reports} == {("unreachable",)}
    one_after_the_other = count / workers * deadline
    assert took < one_after_the_other / 2, f"took {took:.1f} s"


def test_more_bmcs_than_workers_are_all_read_and_reported_as_they_end(at_hand):
    bmcs = [at_hand.popleft() for _bmc in range(12)]
    for number, bmc in enumerate(bmcs):
        bmc.set(sensors={"1": [20 + number, 0, 0]})
    told = []
    reports = checking.many(
        [bmc.target() for bmc in bmcs], workers=3, progress=lambda place, report: told.append((place, report["address"]))
    )
    assert [report["sensors"][0]["value"] for report in reports] == [20.0 + number for number in range(12)]
    assert all(report["complete"] for report in reports)
    assert sorted(told) == [(place, bmc.address) for place, bmc in enumerate(bmcs)]
    assert [bmc.open_sessions() for bmc in bmcs] == [0] * 12


def test_a_worker_does_not_wait_for_the_slowest(redfish):
    redfish.fault("/redfish/v1/Systems/1/Memory", hang=60)
    with StaticRedfish(trees.machine()) as quick:
        told = []
        checking.many(
            [redfish.target(deadline=4), quick.target(deadline=30)],
            workers=2,
            progress=lambda place, report: told.append((place, report["complete"])),
        )
    assert told == [(1, True), (0, False)]


def test_a_target_that_makes_no_sense_is_an_error_in_its_report(redfish):
    targets = [redfish.target(), {**redfish.target(), "address": "https://admin:pw-canary@bmc"}, {"protocol": "smoke"}]
    reports = checking.many(targets)
    assert [kinds(report) for report in reports] == [[], ["bad_option"], ["bad_option"]]
    assert "canary" not in str(reports)


def test_no_target_is_nothing_to_do():
    assert checking.many([]) == []


def test_a_service_that_lives_is_not_called_dead_because_its_certificate_is_not_trusted(tmp_path):
    pair = Authority(tmp_path).issue("bmc")
    with StaticRedfish(trees.machine(), certificate=pair.certificate, key=pair.key) as bmc:
        reports = checking.many([bmc.target()] * 3, deadline=30, workers=2)
        assert bmc.logins == 0
    assert [kinds(report) for report in reports] == [["tls_untrusted"]] * 3
    assert max(report["seconds"] for report in reports) < 30


def test_what_speaks_another_protocol_is_not_called_dead(redfish):
    targets = [redfish.target(address=redfish.address)] * 3
    assert [kinds(report) for report in checking.many(targets, workers=2, deadline=20)] == [["tls_or_port"]] * 3
