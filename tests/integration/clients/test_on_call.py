# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`baremetal maintenance list`, `why` and `history` on a real backend, as the on-call reads them at 80 columns."""

from __future__ import annotations

import csv
import io
import re

import pytest

from .conftest import Party

REASON = "Disk 3 has bad sectors, scheduled for replacement, see ticket https://myjira/CIDTEAM-3743, and please do not power it on"


def widest(shown: str) -> int:
    """Give the length of the longest line."""
    return max(len(line) for line in shown.splitlines())


def test_the_holds_of_all_nodes_are_listed_and_filtered(party: Party) -> None:
    party.add("owner", "--type", "hardware_failure", "--reason", REASON, "--ticket", f"T-{party.node}")
    party.add("lessee", "--type", "operator_hold", "--reason", "leave it", "--ticket", f"T-{party.node}")
    ours = f"maintenance list --ticket T-{party.node}"

    def types(line: str, login: str = "admin") -> list[str]:
        return [row["Type"] for row in party(login).json(line)]

    assert types(ours) == ["hardware_failure", "operator_hold"]
    assert {row["Node"] for row in party("admin").json(ours)} == {party.node}
    assert types(f"{ours} --type operator_hold") == ["operator_hold"]
    assert types(f"{ours} --scope owner") == ["hardware_failure"]
    assert types(f"{ours} --user id-of-lessee") == types(f"{ours} --user name-of-lessee") == ["operator_hold"]
    assert types(f"{ours} --project project-owner") == types(f"{ours} --project name-of-project-owner") == ["hardware_failure"]
    assert types(f"{ours} --older-than 4h") == types("maintenance list --ticket none-such") == []
    assert types(f"{ours} --older-than 0s") == ["hardware_failure", "operator_hold"]
    assert types(ours, "stranger") == []
    # Who asserted it is hidden from the lessee, so the lessee finds nothing by it.
    assert types(f"{ours} --user id-of-owner", "lessee") == []
    assert "no age" in party("admin")(f"{ours} --older-than yesterday")[2]
    written = party("admin").good(f"{ours} -f csv")
    assert [row["Reason"] for row in csv.DictReader(io.StringIO(written))] == [REASON, "leave it"]
    assert party("admin").good(f"{ours} -f value -c Reason") == f"{REASON}\nleave it\n"


def test_why_names_the_holders_who_can_lift_each_and_the_command_that_does(party: Party) -> None:
    owners = party.add("owner", "--type", "hardware_failure", "--reason", REASON, "--ticket", "CIDTEAM-3743")
    systems = party.add("operator", "--type", "operator_hold", "--reason", "Row C power work")
    party("owner").good(f"node maintenance set {party.node}")
    shown = party("owner").good(f"maintenance why {party.node}")
    assert widest(shown) <= 80
    flat = " ".join(shown.split())
    assert f"Node {party.node} is in maintenance: 3 holds." in flat
    assert "1. hardware_failure, scope owner held by name-of-owner of project name-of-project-owner since 20" in flat
    assert f"reason {REASON} ticket CIDTEAM-3743 can end it the project name-of-project-owner that asserted it" in flat
    assert "2. operator_hold, scope system held by (hidden) since 20" in flat
    assert "can end it a system operator; you may not release it" in flat
    assert "can end it anyone whom policy lets clear maintenance; you may release it" in flat
    commands = re.findall(r"baremetal (node maintenance remove .+)", shown.replace("\\\n", " "))
    assert len(commands) == 3
    assert owners in commands[0]
    assert systems in commands[1]
    for command in (commands[0], commands[2]):
        party("owner").good(command)
    assert "not permitted at owner scope" in party("owner").refused(commands[1])
    party("operator").good(commands[1])
    assert party("owner").good(f"maintenance why {party.node}") == f"Nobody holds node {party.node}: it is not in maintenance.\n"


def test_why_is_for_programs_too_and_gives_the_command_of_the_program_that_ran(party: Party, program: str) -> None:
    uuid = party.add("owner", "--type", "hardware_failure")
    party.commands.program = program
    (row,) = party("lessee").json(f"maintenance why {party.node}")
    words = "openstack baremetal" if program == "openstack" else "baremetal"
    assert row["Command"] == f"{words} node maintenance remove {party.node} {uuid}"
    assert (row["Held By"], row["Who Can Release"], row["You Can Release"]) == (
        None,
        "the project that asserted it while it is the owner, or a system operator",
        False,
    )


def test_why_tells_a_reader_all_but_what_only_a_writer_may_ask(party: Party) -> None:
    party.add("owner", "--type", "hardware_failure", "--reason", "disk 3")
    shown = party("owner-reader").good(f"maintenance why {party.node}")
    assert "held by     name-of-owner" in shown
    assert "you may not release it" in " ".join(shown.split())


def test_history_says_what_happened_and_what_was_said(party: Party) -> None:
    uuid = party.add("owner", "--type", "hardware_failure", "--reason", "disk 3", "--ticket", "T-1")
    party("admin").good(f"node maintenance remove {party.node} {uuid} --comment 'disk replaced'")
    events = party("admin").json(f"maintenance history {party.node}")
    assert [(event["What"], event["Type"], event["By Name"], event["Said"], event["Ticket"]) for event in events] == [
        ("assert", "hardware_failure", "name-of-owner", "disk 3", "T-1"),
        ("release", "hardware_failure", "canary-name-of-admin", "disk replaced", "T-1"),
    ]
    shown = party("owner").good(f"maintenance history {party.node}")
    assert "(hidden)" in shown
    assert "Access was denied" in party("lessee").refused(f"maintenance history {party.node}")


@pytest.mark.parametrize("columns", [None, 132])
def test_tables_fit_the_terminal_whatever_they_hold(party: Party, columns: int | None) -> None:
    name = f"compute-dc7-row-c-rack-17-unit-{party.node}"
    party("admin").good(f"node set {party.node} --name {name}")
    party.node = name
    party.add("owner", "--type", "hardware_failure", "--reason", REASON, "--ticket", name)
    party.add("engineer", "--type", "operator_hold", "--reason", "x" * 300, "--ticket", name)
    party.commands.columns = columns
    for line in ("node maintenance list", "maintenance list --ticket", "maintenance why", "maintenance history"):
        shown = party("admin").good(f"{line} {name}")
        assert widest(shown) <= (columns or 80), shown
    listed = party("admin").good(f"maintenance list --ticket {name}")
    cells = [[cell.strip() for cell in line.split("|")] for line in listed.splitlines() if line.startswith("|")]
    assert "".join(row[1] for row in cells[1:]).startswith(name), "names are wrapped, not cut"
    assert "…" in listed


def test_an_added_hold_is_shown_within_80_columns(party: Party) -> None:
    shown = party("owner").good(f"node maintenance add {party.node} --type operator_hold --reason '{REASON}'")
    assert widest(shown) <= 80


def test_all_pages_of_a_long_listing_are_read(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("baremetal_maintenance.typed_api._PAGE", 2)
    for number in range(5):
        party.add("owner", "--type", "operator_hold", "--key", str(number), "--ticket", party.node)
    assert [row["Key"] for row in party("owner").json(f"maintenance list --ticket {party.node}")] == ["0", "1", "2", "3", "4"]
    assert len(party("owner").json(f"maintenance history {party.node}")) == 5
