# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills a run with all of its process group at the moment when the task that the variable KILL_AT names is to begin."""

from __future__ import annotations

import os
import signal
import typing as t

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: kill_at
type: aggregate
short_description: End a run between two tasks as a power failure would
description: For tests.
"""


class CallbackModule(CallbackBase):
    """The callback."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "kill_at"
    CALLBACK_NEEDS_ENABLED = True

    def v2_playbook_on_task_start(self, task: t.Any, is_conditional: bool) -> None:
        """The task before this one has ended, and nobody has begun with this one."""
        if task.get_name() == os.environ["KILL_AT"]:
            os.killpg(0, signal.SIGKILL)
