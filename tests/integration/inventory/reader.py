# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A process that reads inventory sources as ansible-inventory does, one request a line: starting Ansible takes longer than reading.

A request is {"sources": [path, …], "cache": true|false}; cache is false where the command was given --flush-cache. The answer is
{"status", "listed", "said", "seconds"}: what `--list` would show, every warning and error, and the processor time that it took.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import typing as t

from ansible import constants
from ansible.errors import AnsibleError
from ansible.inventory.manager import InventoryManager
from ansible.parsing.dataloader import DataLoader
from ansible.plugins.loader import init_plugin_loader
from ansible.utils.display import Display


def read(sources: list[str], cache: bool) -> dict[str, t.Any]:
    """Read the sources as a command of its own would."""
    said: list[str] = []
    # Ansible says a warning once in a process.
    display: t.Any = Display()
    display.warning = lambda msg, *_more, **_options: said.append(f"[WARNING]: {msg}")
    display.error_as_warning = lambda msg, exception, **_options: display.warning(f"{msg} {exception}")
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        # What the forks of one run share is kept here.
        constants.DEFAULT_LOCAL_TMP = folder
        try:
            listed, status = _listed(InventoryManager(DataLoader(), sources=sources, cache=cache)), 0
        except AnsibleError as error:
            said.append(str(error))
            listed, status = {"_meta": {"hostvars": {}}}, 1
    return {"status": status, "listed": listed, "said": " ".join(said), "seconds": time.process_time() - began}


def _listed(inventory: InventoryManager) -> dict[str, t.Any]:
    groups = {
        name: {"hosts": [host.name for host in group.hosts], "children": [child.name for child in group.child_groups], "vars": group.vars}
        for name, group in inventory.groups.items()
    }
    return {"_meta": {"hostvars": {name: host.vars for name, host in inventory.hosts.items()}}, **groups}


def main() -> None:
    # Whatever Ansible may print is not an answer.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        init_plugin_loader()
        for line in sys.stdin:
            answers.write(json.dumps(read(**json.loads(line))) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
