# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A backend and some BMCs as one process, for what is no test of pytest's: the scenarios of Molecule.

usage: python -m tests.lab.services FOLDER      in the root of the checkout, until the process is ended by SIGTERM

Once everything answers, FOLDER/services.json says what there is: {"pid": NUMBER, "url": of the backend, which asks nobody for a name,
"username", "password": of every BMC, "sim": {"address"}, "ipmi": [{"address", "state"}], "redfish": [{"address", "state"}]}. A `state` is
a file that makes this BMC do something else from its next request on: see fake_ipmi_server.DEFAULT and static_redfish.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import sys

from tests.lab.bmc import trees
from tests.lab.bmc.fake_ipmi import PASSWORD, USER, FakeIpmi
from tests.lab.bmc.ipmi_sim import IpmiSim
from tests.lab.bmc.static_redfish import StaticRedfish
from tests.support.backend import Backend

#: How many fake BMCs of each protocol there are.
EACH = 4


def main() -> None:
    """Serve until the process is ended."""
    signals = {signal.SIGTERM, signal.SIGINT}
    root = pathlib.Path(sys.argv[1]).absolute()
    folders = {name: root / name for name in ("backend", "ipmi", "sim", "redfish")}
    for folder in folders.values():
        folder.mkdir(parents=True)
    with contextlib.ExitStack() as running:
        backend = running.enter_context(Backend(folders["backend"]))
        fakes, sim = FakeIpmi(folders["ipmi"], EACH), IpmiSim(folders["sim"])
        for part in (fakes, sim):
            part.start()
            running.callback(part.stop)
        services = [
            (state, running.enter_context(StaticRedfish(trees.machine(f"S{number}"), state=state)))
            for number, state in enumerate(folders["redfish"] / f"{number}.json" for number in range(EACH))
        ]
        found = {
            "pid": os.getpid(),
            "url": backend.url,
            "username": USER,
            "password": PASSWORD,
            "sim": {"address": f"127.0.0.1:{sim.port}"},
            "ipmi": [{"address": bmc.address, "state": str(folders["ipmi"] / f"{bmc.port}.json")} for bmc in fakes.bmcs],
            "redfish": [{"address": bmc.url, "state": str(state)} for state, bmc in services],
        }
        fresh = root / "services.new"
        fresh.write_text(json.dumps(found), encoding="utf-8")
        fresh.rename(root / "services.json")
        # Only now: the children that were started before must not inherit signals that are held back.
        signal.pthread_sigmask(signal.SIG_BLOCK, signals)
        signal.sigwait(signals)
        (root / "services.json").unlink()


if __name__ == "__main__":
    main()
