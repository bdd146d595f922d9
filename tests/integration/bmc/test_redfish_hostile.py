# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Redfish services that misbehave: every reading ends, at its deadline at the latest, keeps what was read before and leaves no session."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking
from ansible_collections.baremetal.maintenance.tests.integration.bmc.asking import kinds, named, read, read_together, read_until
from ansible_collections.baremetal.maintenance.tests.lab.bmc import processes, trees
from ansible_collections.baremetal.maintenance.tests.lab.bmc.static_redfish import StaticRedfish
from ansible_collections.baremetal.maintenance.tests.lab.bmc.trees import ref

SYSTEM = "/redfish/v1/Systems/1"
#: What is read before memory.
BEFORE = {"power", "system", "cpu"}


def kept(report):
    """The sections that were read."""
    return {name for name, state in report["sections"].items() if state == "ok"}


@contextlib.contextmanager
def listener(answer):
    """A TCP server that does with each connection what `answer` says, in a thread of its own."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        over = threading.Event()
        threads = []

        def serve():
            while not over.is_set():
                with contextlib.suppress(TimeoutError):
                    connection, _who = server.accept()
                    threads.append(threading.Thread(target=answer, args=(connection, over)))
                    threads[-1].start()

        threads.append(threading.Thread(target=serve))
        threads[0].start()
        try:
            yield f"127.0.0.1:{server.getsockname()[1]}"
        finally:
            over.set()
            for thread in threads:
                thread.join()


def silence(connection, over):
    with connection:
        over.wait()


def target(address, **options):
    return {"protocol": "redfish", "address": address, "username": "a", "password": "b", "power_reads": 1, "retries": 0, **options}


@pytest.fixture(scope="module")
def waited():
    """Services that are only waited for, all read at the same time: each report, and each service by the same name."""
    faults = {
        "hang": (f"{SYSTEM}/Memory/D2", {"hang": 60}),
        "drip": (f"{SYSTEM}/Memory", {"drip": 0.3}),
        "session": (f"{SYSTEM}/Memory", {"hang": 60}),
        "huge": (f"{SYSTEM}/Memory", {"body": "[" + '"' + "x" * (450 << 20) + '"]'}),
    }
    with contextlib.ExitStack() as stack:
        services = {name: stack.enter_context(StaticRedfish(trees.machine())) for name in (*faults, "late")}
        for name, (path, fault) in faults.items():
            services[name].fault(path, **fault)
        services["late"].delay = 0.4
        http, https = (stack.enter_context(listener(silence)) for _listener in range(2))
        (port,) = processes.free_ports(1, socket.SOCK_STREAM)
        back = target(f"http://127.0.0.1:{port}", username="admin", password="secret", retries=3)
        begin = threading.Timer(1.5, lambda: stack.enter_context(StaticRedfish(trees.machine(), port=port)))
        begin.start()
        reports = read_together(
            {
                "http": target(f"http://{http}", deadline=3),
                "https": target(f"https://{https}", deadline=3),
                **{name: services[name].target(deadline=3) for name in ("hang", "drip", "late")},
                "session": services["session"].target(deadline=3, auth="session"),
                "huge": services["huge"].target(),
                "back": back,
            }
        )
        begin.join()
        yield reports, services


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_service_that_accepts_and_is_silent(waited, scheme):
    report = waited[0][scheme]
    assert (report["reachable"], report["sections"], kinds(report)) == (False, {}, ["unreachable"])


def test_nothing_listens():
    (port,) = processes.free_ports(1, socket.SOCK_STREAM)
    report = read(target(f"127.0.0.1:{port}"))
    assert kinds(report) == ["unreachable"]
    assert "refused" in report["errors"][0]["msg"]
    assert report["seconds"] < 5


def test_a_resource_that_hangs(waited):
    report = waited[0]["hang"]
    assert kept(report) == BEFORE
    assert [part["name"] for part in report["components"]] == ["CPU1", "CPU2"]
    assert (report["sections"]["memory"], kinds(report)) == ("error", ["deadline"])


def test_an_answer_that_drips(waited):
    report = waited[0]["drip"]
    assert (kept(report), kinds(report)) == (BEFORE, ["deadline"])


def test_everything_comes_late(waited):
    report = waited[0]["late"]
    assert report["power"]["state"] == "on"
    assert kinds(report) == ["deadline"]


#: What makes no sense, in the place of a resource.
NONSENSE = {
    "truncated": {"truncate": 20},
    "two documents": {"body": '{"error": {"code": "Base.1.0"}}{"Members": []}'},
    "a login page": {"body": "<html><form>Login</form></html>", "type": "text/html"},
    "no object": {"body": "[1, 2]"},
    "nested": {"body": "[" * 100_000},
    "nothing": {"body": ""},
}


@pytest.fixture(scope="module")
def senseless():
    """Reports of a service for each, read together."""
    with contextlib.ExitStack() as stack:
        services = {name: stack.enter_context(StaticRedfish(trees.machine())) for name in NONSENSE}
        for name, fault in NONSENSE.items():
            services[name].fault(f"{SYSTEM}/Memory", **fault)
        return read_together({name: service.target() for name, service in services.items()})


@pytest.mark.parametrize("what", NONSENSE)
def test_answers_that_make_no_sense(senseless, what):
    report = senseless[what]
    assert (report["sections"]["memory"], kinds(report)) == ("error", ["malformed"])
    assert kept(report) == {"power", "system", "cpu", "storage", "psu", "sensors", "bmc", "events"}


@pytest.mark.parametrize(
    "fault", [{"body": "<html><form>Login</form></html>", "type": "text/html"}, {"body": '{"hello": "world"}'}, {"status": 404}]
)
def test_what_is_no_redfish_service_gets_no_password(redfish, fault):
    redfish.fault("/redfish/v1", **fault)
    report = read(redfish.target())
    assert kinds(report) == ["not_redfish"]
    assert redfish.logins == 0


def test_a_service_that_wants_a_password_even_for_its_root(redfish):
    redfish.fault("/redfish/v1", status=401)
    assert read(redfish.target())["complete"]
    wrong = read(redfish.target(password="not-it", retries=3))
    assert (kinds(wrong), redfish.refused) == (["auth_failed"], 1)


def test_one_connection_is_enough_and_its_end_without_a_word_costs_one_request(redfish):
    redfish.closing = "never"
    kept_open = read(redfish.target())
    assert kept_open["complete"], kept_open["errors"]
    assert redfish.connections == 1
    redfish.closing = "unsaid"
    report = read(redfish.target())
    assert report["complete"], report["errors"]
    # The first that is broken off is asked for anew; after that each request has a connection of its own.
    assert report["requests"] <= kept_open["requests"] + 1


def test_a_redirect_to_another_place_gets_no_password(redfish):
    with StaticRedfish(trees.machine()) as other:
        redfish.fault("/redfish/v1/Systems", redirect=f"{other.url}/redfish/v1/Systems")
        report = read(redfish.target())
        assert other.requests == []
    assert kinds(report) == ["redirect"]
    assert other.address in report["errors"][0]["msg"]


def test_a_redirect_within_the_service_is_followed(redfish):
    redfish.fault("/redfish/v1", redirect="/redfish/v1/", times=1)
    assert read(redfish.target())["complete"]


def test_a_redirect_in_a_circle(redfish):
    redfish.fault(f"{SYSTEM}/Memory", redirect=f"{SYSTEM}/Memory")
    report = read(redfish.target())
    assert "redirect" in kinds(report)
    assert BEFORE <= kept(report)


def test_a_link_to_another_machine_is_not_followed(redfish):
    with StaticRedfish(trees.machine()) as other:
        redfish.patch(SYSTEM, {"Memory": ref(f"{other.url}{SYSTEM}/Memory")})
        report = read(redfish.target())
        assert other.requests == []
    assert (report["sections"]["memory"], kinds(report)) == ("error", ["malformed"])


def test_a_collection_that_is_its_own_member(redfish):
    redfish.patch(f"{SYSTEM}/Memory", {"Members.1": ref(f"{SYSTEM}/Memory/")})
    report = read(redfish.target())
    assert [part["name"] for part in report["components"] if part["kind"] == "memory"] == ["DIMM 1", "DIMM 3", "DIMM 4"]
    assert (report["sections"]["memory"], kinds(report)) == ("error", ["malformed"])


def test_pages_that_lead_back_to_one_another(redfish):
    redfish.tree[f"{SYSTEM}/Memory".lower()]["Members@odata.nextLink"] = f"{SYSTEM}/Memory?$skip=2"
    entries = redfish.tree[f"{SYSTEM}/LogServices/SEL/Entries".lower()]
    entries["Members@odata.nextLink"] = f"{SYSTEM}/LogServices/SEL/Entries?$skip=1"
    report = read(redfish.target())
    assert kinds(report) == ["malformed", "malformed"]
    assert (report["events"]["complete"], report["events"]["read"]) == (False, 1)


def test_a_collection_of_ten_thousand_members(redfish):
    redfish.tree[f"{SYSTEM}/Memory".lower()]["Members"] = [ref(f"{SYSTEM}/Memory/D{number}") for number in range(10_000)]
    for number in range(10_000):
        redfish.tree[f"{SYSTEM}/Memory/D{number}".lower()] = {"Id": f"D{number}", "Status": trees.ok()}
    report = read(redfish.target(), sections=["power", "memory"])
    assert sum(part["kind"] == "memory" for part in report["components"]) == 500
    assert (report["sections"]["memory"], kinds(report)) == ("error", ["too_large"])


def test_an_answer_that_fills_the_memory(waited):
    report = waited[0]["huge"]
    assert BEFORE <= kept(report)
    assert set(kinds(report)) <= {"too_large", "malformed", "deadline", "bmc_error", "unreachable"} and report["errors"]


@pytest.mark.parametrize("auth", ["basic", "session"])
def test_exactly_one_login_with_a_wrong_password(redfish, auth):
    report = read(redfish.target(password="not-it-canary", auth=auth, retries=5))
    assert (report["reachable"], kinds(report)) == (False, ["auth_failed"])
    assert (redfish.logins, redfish.refused) == (1, 1)


def test_what_this_user_may_not_see_does_not_look_like_a_wrong_password(redfish):
    redfish.fault(f"{SYSTEM}/Memory", status=401)
    report = read(redfish.target())
    assert (report["sections"]["memory"], kinds(report)) == ("error", ["privilege"])
    assert "events" in kept(report)


def test_no_session_is_left_after_success_and_failure(redfish):
    assert read(redfish.target(auth="session"))["complete"]
    assert (redfish.logins, redfish.sessions) == (1, {})
    redfish.fault(f"{SYSTEM}", status=500)
    assert not read(redfish.target(auth="session"))["complete"]
    assert (redfish.logins, redfish.sessions) == (2, {})


def test_no_session_is_left_at_the_deadline(waited):
    reports, services = waited
    assert kinds(reports["session"]) == ["deadline"]
    assert (services["session"].logins, services["session"].sessions) == (1, {})


def test_no_session_is_left_after_a_kill(redfish):
    redfish.fault(f"{SYSTEM}/Memory", hang=60)
    # The process is not told of its deadline, as if it hung in a library that cannot be interrupted.
    with stopped_when(lambda: redfish.sessions and any("Memory" in path for _method, path in redfish.requests)):
        report = read_until(redfish.target(auth="session"), 3)
    assert (kept(report), kinds(report)) == (BEFORE, ["deadline"])
    assert "killed" in report["errors"][0]["msg"]
    assert redfish.sessions == {}
    assert any(method == "DELETE" for method, _path in redfish.requests)


@contextlib.contextmanager
def stopped_when(ready):
    """Stop every process that a worker of this process has started, as soon as something is the case."""
    over = threading.Event()

    def stop():
        while not over.wait(0.02):
            if ready():
                for worker in children_of(os.getpid()):
                    for child in children_of(worker):
                        os.kill(child, signal.SIGSTOP)
                return

    thread = threading.Thread(target=stop)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def children_of(pid):
    """The processes that a process has started."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{pid}/children") as listing:
        return [int(child) for child in listing.read().split()]
    return []


@pytest.mark.parametrize("status", [503, 400])
def test_a_service_without_a_session_left(redfish, status):
    redfish.most_sessions = 0
    redfish.fault("/redfish/v1/SessionService/Sessions", status=status, message="The session limit has been exceeded: SessionLimitExceeded")
    report = read(redfish.target(auth="session"))
    assert kinds(report) == ["session_limit"]
    assert read(redfish.target())["complete"]


def test_a_service_that_is_back_at_the_second_attempt_is_read_in_the_same_run(waited):
    assert waited[0]["back"]["complete"], waited[0]["back"]["errors"]


def test_a_led_that_is_refused(redfish):
    redfish.refuse_writes = 403
    refused = checking.identify(redfish.target(), "on")
    assert (refused["changed"], kinds(refused)) == (False, ["privilege"])


def test_a_led_that_was_set_is_not_set_again_because_what_came_after_failed(redfish):
    def fail_after_the_write():
        while not redfish.writes():
            time.sleep(0.005)
        redfish.fault(SYSTEM, close=True)

    thread = threading.Thread(target=fail_after_the_write)
    thread.start()
    redfish.delay = 0.1
    result = checking.identify(redfish.target(retries=3), "on", deadline=20)
    thread.join()
    assert (kinds(result), result["changed"], result["after"]) == (["unreachable"], True, "unknown")
    assert redfish.writes() == [("PATCH", SYSTEM)]


def test_leds(redfish):
    assert checking.identify(redfish.target(), "on", check=True)["changed"]
    assert redfish.writes() == []
    on, again, off = (checking.identify(redfish.target(), state) for state in ("on", "on", "off"))
    assert [(one["before"], one["after"], one["changed"]) for one in (on, again, off)] == [
        ("off", "on", True),
        ("on", "on", False),
        ("on", "off", True),
    ]
    assert on["method"] == "location_indicator_active"
    assert redfish.writes() == [("PATCH", SYSTEM)] * 2


def test_the_led_of_an_older_machine():
    tree = trees.machine()
    del tree[SYSTEM]["LocationIndicatorActive"]
    tree["/redfish/v1/Chassis/1"]["IndicatorLED"] = "Off"
    with StaticRedfish(tree) as bmc:
        on = checking.identify(bmc.target(), "on")
        assert bmc.resource("/redfish/v1/Chassis/1")["IndicatorLED"] == "Lit"
        off = checking.identify(bmc.target(auth="session"), "off")
        assert bmc.sessions == {}
    assert (on["method"], on["after"], off["after"]) == ("indicator_led", "on", "off")


def test_a_machine_without_a_led():
    tree = trees.machine()
    del tree[SYSTEM]["LocationIndicatorActive"]
    with StaticRedfish(tree) as bmc:
        assert kinds(checking.identify(bmc.target(), "on")) == ["bmc_error"]


def test_parts_are_named_once_even_in_hostile_trees(redfish):
    redfish.patch(f"{SYSTEM}/Storage/1", {"Drives": [ref(f"{SYSTEM}/Storage/1/Drives/Bay1")] * 300})
    assert len([name for name in named(read(redfish.target())["components"]) if name.startswith("Bay")]) == 1
