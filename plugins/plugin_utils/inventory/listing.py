# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values as `ansible-inventory --list` is to print them.

It prints a string that is not trusted as a template as `{"__ansible_unsafe": "…"}`, which whatever reads the listing (AWX, a script) shows
and compares as that object. Trusting a string that holds no template changes nothing but this. One that could be a template keeps the
mark: it comes back from AWX as an inventory script's output, where a string without the mark is evaluated.
"""

from __future__ import annotations

import functools
import typing as t

from ansible import context
from ansible.template import Templar, trust_as_template

_TEMPLAR: t.Final = Templar()


def is_listing() -> bool:
    """Tell whether this process is `ansible-inventory` with --list or --host, which evaluates no variable any more."""
    return bool(context.CLIARGS.get("list") or context.CLIARGS.get("host"))


def printable(value: t.Any) -> t.Any:
    """Give the value with every string trusted that can't be a template."""
    # A subclass is a text with tags of Ansible's, which an equal text may not have.
    if value.__class__ is str:
        return _trusted(value)
    if isinstance(value, str):
        return value if _TEMPLAR.is_possibly_template(value) else trust_as_template(value)
    if isinstance(value, t.Mapping):
        return {key: printable(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [printable(member) for member in value]
    return value


@functools.lru_cache(maxsize=1024)
def _trusted(value: str) -> str:
    """Most strings of a fleet are those of other nodes too: owners, states, classes."""
    return value if _TEMPLAR.is_possibly_template(value) else trust_as_template(value)
