# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the groups of verbs share: the connection."""

from __future__ import annotations

import typing as t

from . import answers, connection


class Verbs:
    """A group of requests over one connection.

    Every verb raises errors.ClientError, and gives what the service gave, as plain dicts and lists.
    """

    def __init__(self, link: connection.Connection) -> None:
        self._link = link


def nothing(_answer: answers.Answer) -> t.Literal[True]:
    """Read an answer whose body says nothing. True, and not None, so that a recovered request is told from one that is not."""
    return True
