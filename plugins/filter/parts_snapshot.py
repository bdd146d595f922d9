# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Give what is built into a machine."""

from __future__ import annotations

DOCUMENTATION = r"""
name: parts_snapshot
short_description: Give what is built into a machine
version_added: 0.2.0
description:
  - Makes a short list of the parts of a machine out of a report about its BMC, to keep in the
    O(baremetal.maintenance.hold#module:extra) of a hold while a part is replaced.
options:
  _input:
    description:
      - The report, as M(baremetal.maintenance.bmc_info) gives it. Over IPMI it needs the section V(fru), where serial numbers are.
    type: dict
    required: true
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - plugin: baremetal.maintenance.parts_compared
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Show what is built in
  ansible.builtin.debug:
    msg: "{{ read.report | baremetal.maintenance.parts_snapshot }}"
"""

RETURN = r"""
_value:
  description: The C(parts), the serial number of the C(system), and the kinds of parts that were C(unread).
  type: dict
"""

import typing as t

from ..module_utils.bmc import snapshot


def parts_snapshot(report: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Give the snapshot."""
    return snapshot.take(report)


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Give it by its name."""
        return {"parts_snapshot": parts_snapshot}
