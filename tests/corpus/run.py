# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Read recorded Redfish trees as if they were BMCs, and say what came of it. `make corpus REDFISH=FOLDER`.

usage: .venv/bin/python tests/corpus/run.py FOLDER [--json FILE]
Every folder in FOLDER that holds a tree is served by the static server of the tests and read once for each of its systems: folders with
index.json files, and folders of flat files named after their path (_redfish_v1_….json). Ends with 1 if a tree could not be read: every
reading is complete, or its sections name their errors. Each is judged by the rules, without expectations. The list at the end has every
tree that is refused, with the rules and what the reason is:
  reported      the BMC reports a fault; whether the machine is rightly refused is for a person to say
  not recorded  the recording lacks what the rule needs, so that nobody can know
  ambiguous     the recording has several systems, and no one was named
  unexplained   none of these: a false refusal, and the run ends with 1
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import json
import pathlib
import sys
import typing as t

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking, judge, report, rules
from ansible_collections.baremetal.maintenance.tests.lab.bmc import trees
from ansible_collections.baremetal.maintenance.tests.lab.bmc.static_redfish import StaticRedfish

#: A tree is as slow as this machine; a large one has a thousand resources.
DEADLINE = 120.0
#: Of what the recording itself is the reason.
LACKING = ("not recorded", "ambiguous")


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What came of one reading. holes: the resources that were asked for and are not in the recording."""

    name: str
    report: report.Report
    holes: frozenset[str]

    @property
    def answered(self) -> bool:
        """Whether the reading is complete, or says of each section why it is not."""
        kinds = {error["kind"] for error in self.report["errors"]}
        named = bool(kinds) and not kinds & {"child_failed", "deadline", "unreachable"}
        return self.report["complete"] or named and not any("could not be made sense of" in one["msg"] for one in self.report["errors"])

    def refusals(self, fault: str | None = None) -> list[tuple[str, str, str]]:
        """Give what blocks: the rule, the reason as in the head of this file, and the message."""
        return [(rule, self._reason(finding.level), finding.msg) for rule, finding in judge.refusals(self.report, fault)]

    def _reason(self, level: str) -> str:
        problems = self.report["errors"]
        if any(problem["kind"] == "several_systems" for problem in problems):
            return "ambiguous"
        if level == "bad":
            return "reported"
        lacking = problems and all(any(f" {hole}." in problem["msg"] for hole in self.holes) for problem in problems)
        return "not recorded" if lacking else "unexplained"


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
    outcomes: list[Outcome] = []
    for folder in folders:
        for outcome in read_tree(folder):
            outcomes.append(outcome)
            sys.stdout.write(f"{describe(outcome)}\n")
            sys.stdout.flush()
    if given.json:
        given.json.write_text(json.dumps({outcome.name: outcome.report for outcome in outcomes}, indent=1))
    sys.stdout.write(f"\n{summary(outcomes, len(folders))}\n")
    return 1 if any(not outcome.answered or has(outcome, "unexplained") for outcome in outcomes) else 0


def find(folder: pathlib.Path) -> t.Iterator[pathlib.Path]:
    """The trees in a folder: itself, or those below it. The folders of one tree are not looked into."""
    if any(folder.glob("_redfish_v1*.json")) or any((folder / name / "index.json").is_file() for name in ("Systems", "redfish/v1", ".")):
        yield folder
        return
    for below in folder.iterdir():
        if below.is_dir():
            yield from find(below)


def read_tree(folder: pathlib.Path) -> list[Outcome]:
    """Read a tree, and each of its systems where it has several."""
    with StaticRedfish(trees.load(folder)) as bmc:

        def outcome(name: str, **options: t.Any) -> Outcome:
            bmc.requests.clear()
            read = checking.check(bmc.target(**options), deadline=DEADLINE)
            asked = {path.partition("?")[0].rstrip("/") for _method, path in bmc.requests}
            return Outcome(name, read, frozenset(path for path in asked if path.lower() not in bmc.tree))

        first = outcome(folder.name)
        if not any(error["kind"] == "several_systems" for error in first.report["errors"]):
            return [first]
        refs = bmc.resource(f"{trees.ROOT}/Systems")["Members"]
        names = [ref["@odata.id"].rstrip("/").rsplit("/", 1)[-1] for ref in refs]
        return [first, *(outcome(f"{folder.name} {name}", system=name) for name in names)]


def has(outcome: Outcome, *reasons: str) -> bool:
    """Whether a reading is refused for one of these reasons."""
    return any(reason in reasons for _rule, reason, _msg in outcome.refusals())


def summary(outcomes: t.Sequence[Outcome], trees_: int) -> str:
    """Give the refused readings with their rules and reasons, and the counts."""
    refused = [outcome for outcome in outcomes if outcome.refusals()]
    lines = ["Refused, if every rule counts:"]
    for outcome in refused:
        free = [fault for fault in rules.FAULTS if not outcome.refusals(fault)]
        lines.append(f"  {outcome.name}" + (f": released after {' or '.join(free)}" if free else ""))
        lines += [f"    {rule} {reason}: {msg[:160]}" for rule, reason, msg in outcome.refusals()]
    if not refused:
        lines.append("  none")
    complete = sum(outcome.report["complete"] for outcome in outcomes)
    unread = sum(not outcome.answered for outcome in outcomes)
    lines.append(
        f"{len(outcomes)} readings of {trees_} trees: {complete} complete, {len(outcomes) - complete - unread} with named errors, "
        f"{unread} without a result."
    )
    reported = [outcome for outcome in refused if has(outcome, "reported")]
    unexplained = [outcome for outcome in refused if has(outcome, "unexplained")]
    lacking = [outcome for outcome in refused if outcome not in reported and outcome not in unexplained and has(outcome, *LACKING)]
    lines.append(
        f"{len(outcomes) - len(refused)} released, {len(reported)} refused for what is reported, {len(lacking)} for what the recording "
        f"lacks; {len(unexplained)} false refusals."
    )
    return "\n".join(lines)


def describe(outcome: Outcome) -> str:
    """A tree in a few lines."""
    name, read = outcome.name, outcome.report
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
    lines += [f"    {finding['rule']} warns: {finding['msg'][:160]}" for finding in verdict["warnings"]]
    not_checked = [finding["rule"] for finding in verdict["not_checked"]]
    lines.append(f"    not checked: {', '.join(dict.fromkeys(not_checked)) or 'nothing'}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
