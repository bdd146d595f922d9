# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The README's playbook and inventory work as they are pasted, against a backend that serves as `make serve` does."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

from tests.support.backend import Backend, own_environment

README = pathlib.Path(__file__).parents[3] / "README.md"
BIN = pathlib.Path(sys.executable).parent


def blocks(url: str) -> list[str]:
    """Give the README's YAML blocks, with the address of the backend of the test in place of `make serve`'s."""
    return [
        text.replace("http://127.0.0.1:6386", url)
        for text in re.findall(r"```yaml\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    ]


def test_the_first_playbook_and_the_inventory_work_as_pasted(tmp_path: pathlib.Path) -> None:
    environment = {**own_environment(), "ANSIBLE_HOME": str(tmp_path / "home"), "ANSIBLE_NOCOLOR": "1"}
    environment["ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED"] = "1"
    with Backend(tmp_path) as backend:
        playbook, inventory = blocks(backend.url)
        (tmp_path / "first.yml").write_text(playbook, encoding="utf-8")
        (tmp_path / "fleet.holds.yml").write_text(inventory, encoding="utf-8")

        def run(*command: str) -> str:
            done = subprocess.run(
                [str(BIN / command[0]), *command[1:]],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                check=False,
                text=True,
                timeout=120,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            return done.stdout

        played = run("ansible-playbook", "-i", "localhost,", "first.yml")
        assert '"hardware_failure"' in played
        assert re.search(r"localhost +: ok=\d+ +changed=3 ", played), played
        graph = run("ansible-inventory", "-i", "fleet.holds.yml", "--graph")
        assert re.search(r"@hold_none:\n[ |]*--r01-u01", graph), graph
