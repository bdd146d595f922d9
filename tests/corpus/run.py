# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Read recorded Redfish trees as if they were BMCs, and say what came of it. `make corpus REDFISH=FOLDER`.

usage: .venv/bin/python tests/corpus/run.py FOLDER [--json FILE]
Every folder in FOLDER that holds a tree is served by the static server of the tests and read once for each of its systems: folders with
index.json files, and folders of flat files named after their path (_redfish_v1_….json). Ends with 1 if a tree could not be read: every
reading is complete, or its sections name their errors. Each is judged by the rules, without expectations: what refuses a machine is
printed, for a person to say whether it is rightly refused.
"""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import sys
import typing as t

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking, judge, report
from ansible_collections.baremetal.maintenance.tests.lab.bmc import trees
from ansible_collections.baremetal.maintenance.tests.lab.bmc.static_redfish import StaticRedfish

#: A tree is as slow as this machine; a large one has a thousand resources.
DEADLINE = 120.0


def main() -> int:
    """Read what the command line names and give the exit status."""
    parser = argparse.ArgumentParser(description="Read recorded Redfish trees.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path, help="also write the reports to this file")
    given = parser.parse_args()
    folders = sorted(find(given.folder))
    if not folders:
        sys.stderr.write(f"{given.folder} holds no Redfish tree.\n")
        return 2
    reports: dict[str, report.Report] = {}
    for folder in folders:
        for system, read in read_tree(folder).items():
            name = f"{folder.name}{f' {system}' if system else ''}"
            reports[name] = read
            sys.stdout.write(f"{describe(name, read)}\n")
            sys.stdout.flush()
    if given.json:
        given.json.write_text(json.dumps(reports, indent=1))
    unread = [name for name, read in reports.items() if not answered(read)]
    sys.stdout.write(f"{len(reports)} readings of {len(folders)} trees, {len(unread)} without a result.\n")
    return 1 if unread else 0


def find(folder: pathlib.Path) -> t.Iterator[pathlib.Path]:
    """The trees in a folder: itself, or those below it. The folders of one tree are not looked into."""
    if any(folder.glob("_redfish_v1*.json")) or any((folder / name / "index.json").is_file() for name in ("Systems", "redfish/v1", ".")):
        yield folder
        return
    for below in folder.iterdir():
        if below.is_dir():
            yield from find(below)


def read_tree(folder: pathlib.Path) -> dict[str | None, report.Report]:
    """The report of a tree, or of each of its systems where it has several."""
    with StaticRedfish(trees.load(folder)) as bmc:
        first = checking.check(bmc.target(), deadline=DEADLINE)
        if not any(error["kind"] == "several_systems" for error in first["errors"]):
            return {None: first}
        refs = bmc.resource(f"{trees.ROOT}/Systems")["Members"]
        names = [ref["@odata.id"].rstrip("/").rsplit("/", 1)[-1] for ref in refs]
        return {None: first, **{name: checking.check(bmc.target(system=name), deadline=DEADLINE) for name in names}}


def answered(read: report.Report) -> bool:
    """Whether a reading is complete, or says of each section why it is not."""
    kinds = {error["kind"] for error in read["errors"]}
    return read["complete"] or bool(kinds) and not kinds & {"child_failed", "deadline", "unreachable"}


def describe(name: str, read: report.Report) -> str:
    """A tree in a few lines."""
    parts = collections.Counter(part["kind"] for part in read["components"] if report.present(part))
    lines = [
        f"{name}: {'complete' if read['complete'] else 'not complete'}, {read['requests']} requests, {read['seconds']} s",
        f"  power {read['power']['state']}, roll-up {read['health']['rollup']}, worst {read['health']['overall']}, "
        f"{read['health']['unknown']} unknown; clock {read['clock_skew_s']} s",
        f"  {', '.join(f'{count} {kind}' for kind, count in sorted(parts.items())) or 'no parts'}; {len(read['sensors'])} sensors; "
        f"{read['events']['read']} events read, {len(read['events']['entries'])} not ok",
    ]
    absent = [section for section, state in read["sections"].items() if state == "absent"]
    if absent:
        lines.append(f"  not offered: {', '.join(absent)}")
    bad = [part for part in (*read["components"], *read["sensors"]) if report.present(part) and part["health"] in ("warning", "critical")]
    lines += [f"  {part['health']}: {part.get('kind') or part.get('type')} {part['name']} ({part['state']})" for part in bad]
    critical = [event for event in read["events"]["entries"] if event["severity"] == "critical" and not event["repaired"]]
    lines += [f"  event {event['log']} {event['id']} {event['time']}: {event['message'][:90]}" for event in critical[:5]]
    lines += [f"  {error['section']}: {error['kind']}: {error['msg']}" for error in read["errors"]]
    verdict = judge.judge(read)
    lines.append("  verdict: release" if verdict["release"] else "  verdict: refused")
    lines += [f"    {finding['rule']}: {finding['msg'][:160]}" for finding in verdict["blocking"]]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
