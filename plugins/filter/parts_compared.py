# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tell which parts of a machine were replaced."""

from __future__ import annotations

DOCUMENTATION = r"""
name: parts_compared
short_description: Tell which parts of a machine were replaced
version_added: 0.2.0
description:
  - Compares two lists of parts by serial number. A part that has none is compared by its place, model and size, so that it is not seen if
    it was replaced by its like.
options:
  _input:
    description: What P(baremetal.maintenance.parts_snapshot#filter) gave before.
    type: dict
    required: true
  after:
    description: What it gives now.
    type: dict
    required: true
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - plugin: baremetal.maintenance.parts_snapshot
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Show what was replaced
  ansible.builtin.debug:
    msg: "{{ before | baremetal.maintenance.parts_compared(read.report | baremetal.maintenance.parts_snapshot) }}"
"""

RETURN = r"""
_value:
  description: What became of the parts.
  type: dict
  contains:
    changed:
      description: Whether a part was surely removed, added or replaced.
      type: bool
    removed:
      description: Parts that are gone.
      type: list
      elements: dict
    added:
      description: Parts that are new.
      type: list
      elements: dict
    replaced:
      description: Parts in whose place another one is, each with C(before) and C(after).
      type: list
      elements: dict
    unsure:
      description: Parts that may be others, each with C(before) and C(after).
      type: list
      elements: dict
    fewer:
      description:
        - Of what less is there now, each with C(kind), C(unit) (C(parts), or C(MB) of memory), C(before) and C(after). A part that was
          not plugged in again shows here.
      type: list
      elements: dict
    not_compared:
      description: Kinds of parts that could not be read before or after.
      type: list
      elements: str
    same_system:
      description: Whether the machine has the serial number that it had, null if it had none.
      type: bool
    text:
      description: What was replaced, removed and added, in one line for people; empty if nothing was.
      type: str
    text_fewer:
      description: What is fewer, in one line for people; empty if nothing is.
      type: str
"""

import typing as t

from ..module_utils.bmc import snapshot


def parts_compared(before: t.Mapping[str, t.Any], after: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Give what changed."""
    found = snapshot.compare(before, after)
    said = [f"{_named(pair['before'])} replaced by {_named(pair['after'])}" for pair in found["replaced"]]
    said += [f"{_named(part)} {word}" for word in ("removed", "added") for part in found[word]]
    less = [f"{one['kind']} {one['before']} before, {one['after']} now" + (" (MB)" * (one["unit"] == "MB")) for one in found["fewer"]]
    return {**found, "text": "; ".join(said), "text_fewer": "; ".join(less)}


def _named(part: t.Mapping[str, t.Any]) -> str:
    where = part.get("location") or part["name"]
    return f"{part['kind']} {where}" + (f" serial {part['serial']}" if part.get("serial") else "")


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Give it by its name."""
        return {"parts_compared": parts_compared}
