# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenStack's Redfish emulator: TLS, basic authentication, power and LED; asked independently with requests."""

from __future__ import annotations

import time

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking
from ansible_collections.baremetal.maintenance.tests.integration.bmc.asking import kinds, read
from ansible_collections.baremetal.maintenance.tests.lab.bmc.sushy_emulator import OFF, ON


def test_a_reading(emulator):
    report = read(emulator.target())
    assert report["complete"], report["errors"]
    assert (report["power"]["state"], report["health"]["overall"]) == ("on", "ok")
    assert [part["name"] for part in report["components"] if part["kind"] == "drive"] == ["Drive D1", "Drive D2"]
    assert read(emulator.target(system=OFF), sections=["power"])["power"]["state"] == "off"


def test_systems_are_listed(emulator):
    report = read(emulator.target(system=None))
    assert kinds(report) == ["several_systems"]
    assert f"{ON}, {OFF}" in report["errors"][0]["msg"]


def test_a_certificate_that_is_not_trusted_is_refused_with_a_next_step(emulator):
    report = read(emulator.target(ca_path=None))
    assert (report["reachable"], kinds(report)) == (False, ["tls_untrusted"])
    assert "bmc_ca_path" in report["errors"][0]["hint"]
    assert read(emulator.target(ca_path=None, validate_certs=False), sections=["power"])["complete"]


def test_a_file_of_certificates_that_is_not_there(emulator):
    assert kinds(read(emulator.target(ca_path="/nowhere/ca.pem"))) == ["tls_untrusted"]


def test_http_where_https_is_spoken(emulator):
    report = read(emulator.target(address=f"http://127.0.0.1:{emulator.port}"))
    assert kinds(report) == ["tls_or_port"]


def test_https_where_http_is_spoken(redfish):
    report = read(redfish.target(address=redfish.address))
    assert kinds(report) == ["tls_or_port"]


def test_a_wrong_password(emulator):
    assert kinds(read(emulator.target(password="not-it"))) == ["auth_failed"]


def test_a_service_without_sessions(emulator):
    report = read(emulator.target(auth="session"))
    assert len(report["errors"]) == 1 and not report["reachable"]


def test_the_led(emulator):
    def lit():
        return emulator.ask(f"/redfish/v1/Systems/{ON}").json()["IndicatorLED"]

    off = checking.identify(emulator.target(), "off")
    assert (off["method"], off["errors"], lit()) == ("indicator_led", [], "Off")
    on = checking.identify(emulator.target(), "on")
    assert (on["before"], on["after"], on["changed"], lit()) == ("off", "on", True, "Lit")


def test_the_power_state_is_followed_on_and_off(emulator):
    def switch(system, how):
        path = f"/redfish/v1/Systems/{system}/Actions/ComputerSystem.Reset"
        assert emulator.ask(path, "POST", json={"ResetType": how}).ok

    def told():
        return [emulator.ask(f"/redfish/v1/Systems/{system}").json()["PowerState"] for system in (ON, OFF)]

    assert told() == ["On", "Off"]
    switch(ON, "ForceOff")
    switch(OFF, "On")
    # The emulator takes 1 to 11 seconds for each.
    until = time.monotonic() + 40
    while told() != ["Off", "On"] and time.monotonic() < until:
        time.sleep(0.2)
    targets = [emulator.target(system=system) for system in (ON, OFF)]
    reports = checking.many(targets, sections=["power"])
    assert [report["power"]["state"] for report in reports] == ["off", "on"]
