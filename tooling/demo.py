# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo: an example fleet, a backend, three parties, and the usage scenarios of the specification. `make demo [NODES=FILE]`.

Ends with 0 if everything came out as told, 1 if not, 2 if the nodes file can't be used. Leaves nothing behind: no process, no file.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import typing as t

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tooling"))

from story.cast import Cast, NotAnExport, cast  # noqa: E402
from story.stage import Failed, Stage, end  # noqa: E402

EXAMPLE = ROOT / "examples" / "fleet" / "nodes-detail.json"
STORY = ROOT / "tooling" / "story"
WIDTH = 96
#: Groups with more hosts are cut in the graph.
MOST_HOSTS = 12

OPENING = """
{export}, imported into a backend that listens on {url} for as long as this takes, with SQLite in a temporary folder: {imported}.
Three parties act, each with its own credential: dana, a DC operator (system scope); omar of the team that owns {node}; lena of the
team that leases it. What follows is an ordinary playbook, tooling/story/story.yml, with the modules of this collection.
"""

CLOSING = """
These are nodes of the backend's own list (every entry says `enforced: false`): a hold stops those who ask, such as a playbook that
targets `web:&hold_none` or reads hold_info before it deploys. It does not stop an Ironic that has never heard of it.
"""

GO_ON = """
Go on:
  make serve                                   run a backend of your own on http://127.0.0.1:6386
  make demo NODES=FILE                         the same on your fleet (GET /v1/nodes/detail)
  .venv/bin/ansible-doc baremetal.maintenance.hold
  .venv/bin/ansible-doc -t inventory baremetal.maintenance.holds
"""


def main() -> int:
    """Run the demo and give its exit status."""
    parser = argparse.ArgumentParser(description="Show typed holds end to end on an example fleet.")
    parser.add_argument("--nodes", type=pathlib.Path, metavar="FILE", default=pathlib.Path(os.environ.get("NODES") or EXAMPLE))
    export = parser.parse_args().nodes
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        chosen = cast(export)
        with tempfile.TemporaryDirectory(prefix="bm-demo-") as folder:
            _show(export, chosen, Stage(pathlib.Path(folder), chosen))
    except NotAnExport as mistake:
        return _say(f"demo: {mistake}", 2)
    except Failed as failure:
        return _say(f"demo: not as told: {failure}", 1)
    except KeyboardInterrupt:
        return _say("demo: interrupted; nothing is left running", 130)
    return 0


def _show(export: pathlib.Path, chosen: Cast, stage: Stage) -> None:
    stage.backend("migrate")
    imported = stage.backend("import", str(export.resolve()))
    with stage.serving():
        _paragraph(OPENING.format(export=_short(export), imported=imported, url=stage.url, node=chosen.node))
        _play(stage, chosen)
        inventory = stage.write_inventory()
        _graph(_ansible(stage, "ansible-inventory", "-i", str(inventory), "--graph"))
        _check(chosen, json.loads(_ansible(stage, "ansible-inventory", "-i", str(inventory), "--list")))
    _paragraph(CLOSING)
    print(GO_ON, flush=True)


def _play(stage: Stage, chosen: Cast) -> None:
    variables = stage.write_variables(
        {
            "node": chosen.node,
            "nodes": chosen.nodes,
            "held": sorted(chosen.held),
            "faulted": sorted(chosen.faulted),
            "enrol": chosen.enrol,
            "owner_project": chosen.owner,
            "lessee_project": chosen.lessee,
        }
    )
    said = stage.folder / "playbook.err"
    with said.open("w", encoding="utf-8") as err:
        # A session of its own: of a Ctrl-C only this process learns, and it ends the playbook once, by what lets Ansible clean up.
        process = subprocess.Popen(
            [_program("ansible-playbook"), str(STORY / "story.yml"), "-e", f"@{variables}"],
            env=_environment(stage),
            stdin=subprocess.DEVNULL,
            stderr=err,
            start_new_session=True,
        )
        try:
            status = process.wait()
        finally:
            end(process, signal.SIGINT)
    if status or said.stat().st_size:
        raise Failed(f"the playbook ended with {status} and said:\n{said.read_text(encoding='utf-8').strip()}")


def _graph(text: str) -> None:
    """Print the graph of the inventory, large groups cut."""
    print(f"The inventory (ansible-inventory --graph; of a large group the first {MOST_HOSTS // 3} hosts)\n")
    group: list[str] = []
    for line in [*text.splitlines(), "  |--@"]:
        if "|--" in line and "@" not in line:
            group.append(line)
            continue
        shown = group if len(group) <= MOST_HOSTS else group[: MOST_HOSTS // 3]
        print(*(f"  {host}" for host in shown), sep="\n", end="\n" if shown else "")
        if len(group) > len(shown):
            print(f"  {group[0].partition('|--')[0]}|--… {len(group) - len(shown)} more")
        group = []
        if line != "  |--@":
            print(f"  {line}")


def _check(chosen: Cast, listed: dict[str, t.Any]) -> None:
    """Compare the groups of the inventory with what the export says, and with how the story ended."""
    hosts = {group: set(members.get("hosts", ())) for group, members in listed.items() if group != "_meta"}
    held = chosen.held | {chosen.node}
    faulted = {host for group, members in hosts.items() if group.startswith("hold_fault_") for host in members}
    expected = {"hold_any": held, "hold_type_fault": chosen.faulted, "hold_type_hardware_failure": {chosen.node}}
    for group, members in expected.items():
        if hosts.get(group, set()) != members:
            raise Failed(f"group {group} has {sorted(hosts.get(group, ()))} and not {sorted(members)}")
    if faulted != chosen.faulted:
        raise Failed(f"the groups of faults have {sorted(faulted)} and not {sorted(chosen.faulted)}")
    free = chosen.nodes + chosen.enrol - len(held)
    if len(hosts.get("hold_none", ())) != free:
        raise Failed(f"group hold_none has {len(hosts.get('hold_none', ()))} hosts and not {free}")


def _ansible(stage: Stage, program: str, *arguments: str) -> str:
    done = subprocess.run([_program(program), *arguments], env=_environment(stage), capture_output=True, text=True, check=False)
    if done.returncode or done.stderr:
        raise Failed(f"{program} ended with {done.returncode} and said:\n{done.stderr.strip()}")
    return done.stdout


def _program(name: str) -> str:
    return str(pathlib.Path(sys.executable).parent / name)


def _environment(stage: Stage) -> dict[str, str]:
    """Give the environment for Ansible: the user's own settings of it stay out."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "BAREMETAL_", "OS_"))}
    return {
        **kept,
        # What an interrupted Ansible leaves behind goes with the stage. The name is short: there are sockets below, of 107 bytes at most.
        "TMPDIR": str(stage.folder),
        "ANSIBLE_CONFIG": str(ROOT / "tooling" / "ansible.cfg"),
        "ANSIBLE_HOME": str(stage.folder / "ansible"),
        "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "1",
        "ANSIBLE_INVENTORY_UNPARSED_WARNING": "0",
        "ANSIBLE_LOCALHOST_WARNING": "0",
        "ANSIBLE_CALLBACK_PLUGINS": str(STORY / "callback_plugins"),
        "ANSIBLE_STDOUT_CALLBACK": "story",
    }


def _short(path: pathlib.Path) -> pathlib.Path:
    """Give the path as one would type it here."""
    return path.relative_to(pathlib.Path.cwd()) if path.is_relative_to(pathlib.Path.cwd()) else path


def _paragraph(text: str) -> None:
    print("\n" + textwrap.fill(" ".join(text.split()), WIDTH, break_on_hyphens=False), flush=True)


def _interrupt(*_signal: t.Any) -> t.NoReturn:
    """End the demo. A second Ctrl-C does not keep it from ending its processes."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _say(text: str, status: int) -> int:
    print(text, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
