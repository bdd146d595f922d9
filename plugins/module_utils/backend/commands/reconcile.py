# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command `reconcile`: what stands between the entries and Ironic, and the word that the reconciler waits for."""

from __future__ import annotations

import argparse
import json
import sys
import typing as t

from ..errors import Refusal
from ..fronting import pinning, questions
from . import opened

#: Nodes that are named one by one.
_MOST: t.Final = 50


def run(arguments: argparse.Namespace, environ: t.Mapping[str, str]) -> int:
    """Show, or accept. Raises ConfigErrors, MissingPackage, Refusal (no such question)."""
    with opened.fronting(arguments, environ) as (store, parts):
        if arguments.accept:
            question = questions.accept(store, arguments.accept)
            if question is None:
                raise Refusal(404, "not_found", f"there is no question {arguments.accept}; `reconcile --show` lists them")
            sys.stdout.write(f"accepted {question.id} for an hour; the service does it in its next comparison: {question.text}\n")
            return 0
        lines = ["pinned: what happens in Ironic is not learned from; `unpin` ends it"] if pinning.is_pinned(store) else []
        waiting = parts.mirror.mirrors.waiting()
        lines.append(f"{len(waiting)} nodes whose entries are not known to be in Ironic" + (":" if waiting else ""))
        lines += [f"  {name or uuid}: {problem or 'not tried yet'}" for uuid, name, problem in waiting[:_MOST]]
        if len(waiting) > _MOST:
            lines.append(f"  and {len(waiting) - _MOST} more")
        asked = questions.open_ones(store)
        lines.append(f"{len(asked)} questions" + (":" if asked else ""))
        for question in asked:
            lines.append(
                f"  {question.id} ({question.asked_at:%Y-%m-%d %H:%M:%S} UTC{', accepted' if question.accepted else ''}): {question.text}"
            )
            lines.append(f"    {json.dumps(question.data)}")
        sys.stdout.write("\n".join(lines) + "\n")
    return 0
