# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A BMC that answers every IPMI command with anything: a section may fail for a reason that has a name, nothing else."""

from __future__ import annotations

import json
import random
import types

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import libs, report, target
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.errors import BmcError
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.ipmi import reader
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.ipmi.session import Refused
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.reading import Reading
from ansible_collections.baremetal.maintenance.tests.lab.bmc import fake_ipmi_server
from ansible_collections.baremetal.maintenance.tests.lab.bmc.fake_ipmi import entry


class Bmc:
    """Answers as the fake BMC does, now and then with something else."""

    def __init__(self, dice):
        self.dice = dice
        self.commands = 0
        oem = libs.pyghmi().oem.OEMHandler(None, None)
        raw = {"code": 0, "data": bytearray(8)}
        self.command = types.SimpleNamespace(_oem=oem, get_event_constants=oem.get_oem_event_const, raw_command=lambda **words: raw)
        self.sound = fake_ipmi_server.Bmc.__new__(fake_ipmi_server.Bmc)
        self.sound._serials = {"0": "S1", "1": "P1"}
        log = [entry(0x0D, 4, 1, ago=60), entry(0x0C, 5, 1, ago=30), entry(0x12, 1, 5, data=b"\x80")]
        self.state = {**fake_ipmi_server.DEFAULT, "records": list(range(9)), "log": log}

    def ask(self, what, netfn, command, data=(), lun=0):
        self.commands += 1
        known = getattr(self.sound, f"_do_{netfn:x}_{command:x}", None)
        answer = known(bytes(data), self.state) if known else 0xC1
        reply = bytearray() if isinstance(answer, int) else bytearray(answer)
        luck = self.dice.random()
        if isinstance(answer, int) or luck < 0.03:
            raise Refused(what, answer if isinstance(answer, int) else self.dice.choice([0xC5, 0xC8, 0xCA, 0xCB, 0xD5, 0xFF]))
        if luck < 0.06:
            return reply[: self.dice.randint(0, len(reply))]
        if luck < 0.15:
            for _byte in range(self.dice.randint(1, 4)):
                if reply:
                    reply[self.dice.randrange(len(reply))] = self.dice.randrange(256)
        if luck > 0.98:
            return bytearray(self.dice.randbytes(self.dice.randint(0, 60)))
        return reply


def test_any_answer_may_be_anything(seed, rounds):
    dice = random.Random(seed)
    bmc = target.target({"protocol": "ipmi", "address": "bmc", "username": "a", "password": "b", "power_reads": 1})
    for _round in range(60 * rounds):
        whole = report.empty("ipmi", bmc.address)
        pieces = []
        job = Reading(bmc, report.SECTIONS, 1_700_000_000.0, pieces.append)
        try:
            reader._Reader(job, Bmc(dice)).read()
        except BmcError as error:
            whole["errors"].append(error.problem("check"))
        for piece in pieces:
            report.merge(whole, json.loads(json.dumps(piece, allow_nan=False)))
        report.finish(whole)
        assert [error["msg"] for error in whole["errors"] if "could not be made sense of" in error["msg"]] == []
        assert len(whole["sensors"]) <= 2000
