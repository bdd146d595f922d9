# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure: what the product takes beside what one would use instead, in one run, in turn, as medians.

make bench                          everything, five rounds
make bench ARGS="hosts --rounds 9"  one subject
"""

from __future__ import annotations

import argparse
import os
import pathlib
import platform
import sys
import tempfile

import fronted_nodes
import hundred_hosts
import large_inventory
import many_bmcs
import many_nodes
import one_node
from measuring import Row

SUBJECTS = {
    "hosts": hundred_hosts,
    "inventory": large_inventory,
    "bulk": many_nodes,
    "single": one_node,
    "bmc": many_bmcs,
    "fronting": fronted_nodes,
}


def main() -> int:
    """Measure the subjects that are asked for and print the table."""
    parser = argparse.ArgumentParser(description="Measure the product beside what one would use instead.")
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"which of {', '.join(SUBJECTS)} (else all)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="how often each is measured (5)")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.subjects) - set(SUBJECTS))
    if unknown or arguments.rounds < 1:
        parser.error(f"unknown subject: {', '.join(unknown)}" if unknown else "--rounds is 1 or more")
    load = os.getloadavg()[0]
    print(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}, load {load:.1f} before;", end=" ")
    print(f"medians of {arguments.rounds} rounds, in turn")
    print(_line("work", "ours", "instead", "theirs", "ratio", "goal"))
    missed = False
    with tempfile.TemporaryDirectory(prefix="baremetal-maintenance-bench-") as folder:
        for name in arguments.subjects or SUBJECTS:
            for row in SUBJECTS[name].rows(pathlib.Path(folder) / name, arguments.rounds):
                print(_shown(row), flush=True)
                missed = missed or (row.goal is not None and row.ratio > row.goal)
    if missed:
        print("A goal marked with ! is missed. Figures of a machine that does other things as well say little.")
    return 0


def _shown(row: Row) -> str:
    goal = "" if row.goal is None else f"≤ {row.goal:g}{' !' if row.ratio > row.goal else ''}"
    return _line(row.work, f"{row.ours:.3g} {row.unit}", row.instead, f"{row.theirs:.3g} {row.unit}", f"{row.ratio:.3g}", goal)


def _line(work: str, ours: str, instead: str, theirs: str, ratio: str, goal: str) -> str:
    return f"{work:<54} {ours:>9}  {instead:<46} {theirs:>9}  {ratio:>8}  {goal}".rstrip()


if __name__ == "__main__":
    sys.exit(main())
