# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Running ansible-inventory and ansible-playbook on inventory sources, as a user would."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import typing as t

import yaml

BIN = pathlib.Path(sys.executable).parent


@dataclasses.dataclass(frozen=True)
class Ran:
    """What a command came to."""

    status: int
    out: str
    err: str
    #: Processor time, where it was measured.
    seconds: float = 0.0

    @property
    def listed(self) -> dict[str, t.Any]:
        """The JSON of `--list`."""
        return t.cast("dict[str, t.Any]", json.loads(self.out))

    @property
    def hosts(self) -> set[str]:
        """The hosts of `--list`, those without variables too."""
        grouped = {host for group in self.listed.values() for host in group.get("hosts", ())}
        return grouped | set(self.listed["_meta"]["hostvars"])

    def about(self, source: str) -> str:
        """What was said of one source that could not be parsed, on one line."""
        parts = self.err.split("[WARNING]: ")
        return " ".join(" ".join(part.split()) for part in parts if source in part)

    def members(self, group: str) -> set[str]:
        """The hosts of a group of `--list`; an empty group is there without any."""
        return set(self.listed.get(group, {}).get("hosts", ()))

    @property
    def said(self) -> str:
        """Everything printed, on one line, as messages are wrapped at any place."""
        return " ".join((self.out + " " + self.err).split())


class Reader:
    """The process of reader.py: reads inventory sources without being started for each."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).with_name("reader.py"))],
            env=_environment(folder),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, sources: t.Sequence[pathlib.Path], cache: bool) -> dict[str, t.Any]:
        """Give what the sources come to."""
        asked, answers = t.cast("t.IO[str]", self._process.stdin), t.cast("t.IO[str]", self._process.stdout)
        asked.write(json.dumps({"sources": [str(source) for source in sources], "cache": cache}) + "\n")
        asked.flush()
        return t.cast("dict[str, t.Any]", json.loads(answers.readline()))

    def stop(self) -> None:
        """End the process."""
        self._process.communicate()


class Sources:
    """A folder of inventory sources, and Ansible's commands on them. reader: reads them without a command."""

    def __init__(self, folder: pathlib.Path, reader: Reader | None = None) -> None:
        self.folder = folder
        self._reader = reader

    def holds(self, name: str = "demo.holds.yml", /, **options: t.Any) -> pathlib.Path:
        """Write a configuration of the plugin."""
        options = {"plugin": "baremetal.maintenance.holds", **options}
        return self.write(name, yaml.safe_dump(options, allow_unicode=True))

    def write(self, name: str, text: str) -> pathlib.Path:
        """Write a file."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def read(self, *sources: pathlib.Path, flush: bool = False) -> Ran:
        """Read sources as ansible-inventory does, --flush-cache or not, without starting it. A source that can't be parsed is a failure."""
        assert self._reader is not None
        answer = self._reader.ask(sources, not flush)
        return Ran(answer["status"], json.dumps(answer["listed"]), answer["said"], answer["seconds"])

    def inventory(self, *sources: pathlib.Path, arguments: t.Sequence[str] = ("--list",), **env: str) -> Ran:
        """Run ansible-inventory. Any source that can't be parsed is a failure, as the documentation asks for, unless env says otherwise."""
        return self._run("ansible-inventory", sources, arguments, env)

    def playbook(self, play: pathlib.Path, *sources: pathlib.Path, arguments: t.Sequence[str] = (), **env: str) -> Ran:
        """Run ansible-playbook."""
        return self._run("ansible-playbook", sources, [str(play), *arguments], env)

    def run(self, program: str, *arguments: str) -> Ran:
        """Run another of Ansible's commands."""
        return self._run(program, (), arguments, {})

    def _run(self, program: str, sources: t.Sequence[pathlib.Path], arguments: t.Sequence[str], env: t.Mapping[str, str]) -> Ran:
        sourced = [argument for source in sources for argument in ("-i", str(source))]
        done = subprocess.run(
            [str(BIN / program), *sourced, *arguments],
            env={**_environment(self.folder), **env},
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)


def _environment(folder: pathlib.Path) -> dict[str, str]:
    """Give the environment for Ansible. folder: for its temporary files."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("BAREMETAL_", "OS_"))}
    return {
        **inherited,
        "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "1",
        "ANSIBLE_LOCAL_TEMP": str(folder / "local_temp"),
        "ANSIBLE_NOCOLOR": "1",
    }
