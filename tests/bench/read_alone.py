# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks alone: BMCs read and judged one after the other in one process, without children, deadlines or Ansible.

usage: read_alone.py < a JSON list of targets
Prints the processor seconds that the checks took, libraries loaded before; fails unless every machine may be released.
"""

from __future__ import annotations

import json
import sys
import time

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import judge, libs, report, target
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.reading import Reading
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.redfish import reader


def main() -> None:
    """Read and judge."""
    libs.sushy()
    asked = json.load(sys.stdin)
    begun = time.process_time()
    for options in asked:
        whole = report.empty(options["protocol"], options["address"])
        reading = Reading(target.target(options), report.DEFAULT_SECTIONS, None, lambda piece, whole=whole: report.merge(whole, piece))
        reader.read(reading, lambda session: None)
        report.finish(whole)
        whole["complete"] = not whole["errors"]
        verdict = judge.judge(whole)
        if not verdict["release"]:
            raise SystemExit(f"{options['address']} is not judged healthy: {verdict['blocking']}")
    sys.stdout.write(f"{time.process_time() - begun}\n")


if __name__ == "__main__":
    main()
