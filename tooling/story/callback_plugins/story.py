# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A playbook told as a story: the name of each task and what came of it, texts as they are, refusals in full."""

from __future__ import annotations

import textwrap
import typing as t

from ansible import constants as C
from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: story
type: stdout
short_description: Tells a playbook as a story
description: Prints headings, tasks with their outcome, texts and refusals; nothing else.
"""

WIDTH = 96
#: Tasks that only prepare or check; they are told when they fail.
QUIET = frozenset({"assert", "set_fact", "include_tasks", "meta"})


class CallbackModule(CallbackBase):
    """What ansible-playbook prints in the demo."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "stdout"
    CALLBACK_NAME = "story"

    def __init__(self) -> None:
        super().__init__()
        self._ends_blank = False

    def v2_playbook_on_play_start(self, play: t.Any) -> None:
        """Print the play's name as a heading."""
        self._blank()
        self._line(f"{play.get_name()}\n{'─' * min(WIDTH, len(play.get_name()))}", C.COLOR_HIGHLIGHT)

    def v2_runner_on_ok(self, result: t.Any) -> None:
        """Print a text, or a task that worked."""
        action = result.task.action.rpartition(".")[2]
        if action == "debug":
            self._tell(result.result["msg"])
        elif action not in QUIET and not result.task.no_log:
            changed = bool(result.result.get("changed"))
            self._outcome("changed" if changed else "ok", result, C.COLOR_CHANGED if changed else C.COLOR_OK)

    def v2_runner_on_failed(self, result: t.Any, ignore_errors: bool = False) -> None:
        """Print a refusal that was expected, or the failure that ends the play."""
        self._outcome("refused" if ignore_errors else "FAILED", result, C.COLOR_SKIP if ignore_errors else C.COLOR_ERROR)
        self._line(textwrap.indent(textwrap.fill(str(result.result.get("msg")), WIDTH - 12), " " * 12))

    def _outcome(self, word: str, result: t.Any, color: str) -> None:
        self._line(f"  {word:<9} {result.task.get_name()}", color)

    def _tell(self, lines: list[str]) -> None:
        self._blank()
        for line in lines:
            self._line(f"  {line}".rstrip())
        self._blank()

    def _blank(self) -> None:
        if not self._ends_blank:
            self._line("")

    def _line(self, text: str, color: str | None = None) -> None:
        self._display.display(text, color=color)
        self._ends_blank = not text
