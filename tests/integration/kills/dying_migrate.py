# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command `migrate`, which kills itself with SIGKILL at a chosen point: python dying_migrate.py WHERE DATABASE.

WHERE is `between`: after 001 was committed, before 002 begins; `count`: nowhere, but print how many steps the backfill has;
or a number: at that step of the backfill. A step is some hundred instructions of SQLite's virtual machine, so it can be inside a statement.
"""

from __future__ import annotations

import os
import signal
import sys
import typing as t

import sqlalchemy as sa
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend import __main__ as program
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema.revisions import r002_node_maintenance

INSTRUCTIONS: t.Final = 250


def main(where: str, database: str) -> int:
    """Run it."""
    steps = 0
    begun = 0
    original = r002_node_maintenance.backfill

    def on_statement(_connection: t.Any, _cursor: t.Any, statement: str, *_rest: t.Any) -> None:
        nonlocal begun
        begun += statement == "BEGIN IMMEDIATE"
        if where == "between" and begun == 2:
            _die()

    def on_step() -> int:
        nonlocal steps
        steps += 1
        if where not in ("between", "count") and steps == int(where):
            _die()
        return 0

    def backfill(connection: t.Any) -> int:
        # Stays set until the process ends: the commit counts too.
        connection.connection.driver_connection.set_progress_handler(on_step, INSTRUCTIONS)
        return original(connection)

    r002_node_maintenance.backfill = backfill
    sa.event.listen(sa.Engine, "before_cursor_execute", on_statement)
    status = program.main(["migrate", "--database", database], {})
    if where == "count":
        sys.stdout.write(f"{steps}\n")
    return status


def _die() -> t.NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise SystemExit("still alive after SIGKILL")


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
