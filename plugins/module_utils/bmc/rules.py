# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules by which a machine is judged fit for service, as data: what each asks, how much it weighs, which faults need it, and why."""

from __future__ import annotations

import dataclasses
import typing as t

POWER_FAILURE = "power failure"
CLEAN_FAILURE = "clean failure"
RESCUE_ABORT_FAILURE = "rescue abort failure"
SERVICE_FAILURE = "service failure"

FAULTS: t.Final = (POWER_FAILURE, CLEAN_FAILURE, RESCUE_ABORT_FAILURE, SERVICE_FAILURE)
ALL_FAULTS: t.Final = frozenset(FAULTS)
WORK_FAULTS: t.Final = frozenset({CLEAN_FAILURE, SERVICE_FAILURE})

Severity = t.Literal["block", "warn", "off"]
SEVERITIES: t.Final = ("block", "warn", "off")


@dataclasses.dataclass(frozen=True)
class Rule:
    """One rule.

    severity: what a violation does unless the caller says otherwise. faults: for the release of these it keeps that severity, for others a
    violation that would block only warns. blocks_for: for the release of these a violation blocks, whatever the severity. unknown: block if
    a report that can't tell blocks wherever a violation does, else off: it is named as not checked. reason: why the rule is there.
    """

    name: str
    what: str
    severity: Severity
    faults: frozenset[str]
    unknown: t.Literal["block", "off"]
    reason: str
    blocks_for: frozenset[str] = frozenset()


RULES: t.Final = (
    Rule(
        "R1",
        "The BMC answers, lets us in, and reads the same power state, on or off, every time.",
        "block",
        ALL_FAULTS,
        "block",
        "One successful power read is what Ironic goes by; a flapping BMC passes it.",
    ),
    Rule(
        "R2",
        "The power state is the expected one.",
        "block",
        ALL_FAULTS,
        "block",
        "With maintenance gone, whoever manages the power forces its own record on the machine.",
    ),
    Rule(
        "R3",
        "No fault bit of the chassis (power, interlock, drive, cooling) is set. Only IPMI has them.",
        "block",
        ALL_FAULTS,
        "block",
        "The bits are the BMC's own alarm, and no sensor shows them.",
    ),
    Rule(
        "R4",
        "The health of the whole system is not critical: its own over Redfish, the worst of its sensors over IPMI.",
        "block",
        ALL_FAULTS,
        "off",
        "A critical system is a machine that itself asks for a person.",
    ),
    Rule(
        "R5",
        "No part that is there is critical, no drive predicts its failure, media have more than 10 % of their life left.",
        "block",
        WORK_FAULTS,
        "off",
        "On many machines a system that is ok hides single parts that are not.",
    ),
    Rule(
        "R6",
        "No power supply that is there is critical, their redundancy is not lost, and there are as many as expected.",
        "block",
        WORK_FAULTS,
        "off",
        "Without a spare the next failure takes the machine down. One at warning still feeds it; one gone, only an expectation tells.",
    ),
    Rule(
        "R7",
        "No temperature is at its critical limit, no sensor is critical, and no fan stands still while the machine is on.",
        "block",
        WORK_FAULTS,
        "off",
        "A machine that cooks takes its new parts with it.",
    ),
    Rule(
        "R8",
        "No critical event since the hold was asserted, none not repaired but an old one of a network link, and the log is complete.",
        "block",
        WORK_FAULTS,
        "block",
        "The log remembers what every health forgot, as an uncorrectable memory error; a cable once pulled stays unrepaired for ever.",
    ),
    Rule(
        "R9",
        "Memory, processors, drives and serial numbers are the expected ones, and no uncorrectable error was logged since.",
        "block",
        WORK_FAULTS,
        "off",
        "A memory module that was dropped shows as a smaller size, not as a bad health.",
    ),
    Rule(
        "W1",
        "The BMC's clock is at most five minutes off.",
        "warn",
        ALL_FAULTS,
        "off",
        "Times of events can't be trusted otherwise.",
    ),
    Rule(
        "W2",
        "Neither the machine nor its BMC is just starting, testing itself or being updated.",
        "warn",
        ALL_FAULTS,
        "off",
        "Minutes after a start, healths and sensors lag behind.",
    ),
    Rule(
        "W3",
        "The BMC's firmware is the expected one.",
        "warn",
        ALL_FAULTS,
        "off",
        "A replaced mainboard comes with its own firmware.",
    ),
    Rule(
        "W4",
        "No boot override but to the disk and no virtual media are left over.",
        "warn",
        ALL_FAULTS,
        "off",
        "The next start would boot the wrong thing, and an aborted rescue leaves them; Ironic sets an override for its own boots, too.",
        frozenset({RESCUE_ABORT_FAILURE}),
    ),
    Rule(
        "W5",
        "Neither the system nor a part or sensor that is there is at warning.",
        "warn",
        ALL_FAULTS,
        "off",
        "A warning is no fault yet; set this to block where only a machine without any may go back.",
    ),
    Rule(
        "W6",
        "The BMC lists no task or job that waits or runs. Only Redfish has them.",
        "warn",
        ALL_FAULTS,
        "off",
        "A change that waits for the next start is made on a machine that is thought to be done.",
    ),
)

BY_NAME: t.Final = {rule.name: rule for rule in RULES}
