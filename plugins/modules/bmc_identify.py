#!/usr/bin/python
# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Light the locator LED of a machine, or put it out."""

from __future__ import annotations

DOCUMENTATION = r"""
module: bmc_identify
short_description: Light the locator LED of a machine, or put it out
version_added: 0.2.0
description:
  - Sets the LED by which a person finds a machine in its rack. It touches nothing else of the machine.
  - Over Redfish it is the C(LocationIndicatorActive) of the system or, on older BMCs, its C(IndicatorLED); over IPMI the command Chassis
    Identify.
extends_documentation_fragment:
  - baremetal.maintenance.bmc
options:
  state:
    description:
      - Whether the LED is to be lit.
    type: str
    choices:
      - "on"
      - "off"
    default: "on"
  duration:
    description:
      - Over IPMI, for how many seconds the LED is lit, from 1 to 255. Without it the LED stays lit. The time begins anew with every
        task, so that such a task always changes something.
    type: int
attributes:
  check_mode:
    description: Whether the task says in check mode what it would change, and changes nothing.
    support: full
    details:
      - The state of the LED is read, and nothing is written to the BMC.
  diff_mode:
    description: Whether the task says in diff mode what was before, and what is after.
    support: full
  idempotent:
    description: Whether doing the task again changes nothing more.
    support: partial
    details:
      - With O(duration), and on a BMC that does not tell the state of its LED, the LED is set every time.
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - module: baremetal.maintenance.bmc_info
"""

EXAMPLES = r"""
- name: Light the LED for whoever replaces the disk
  baremetal.maintenance.bmc_identify:
    bmc_protocol: "{{ bmc_protocol }}"
    bmc_address: "{{ bmc_address }}"
    bmc_username: "{{ bmc_username }}"
    bmc_password: "{{ bmc_password }}"

- name: Put it out again
  baremetal.maintenance.bmc_identify:
    bmc_protocol: "{{ bmc_protocol }}"
    bmc_address: "{{ bmc_address }}"
    bmc_username: "{{ bmc_username }}"
    bmc_password: "{{ bmc_password }}"
    state: "off"
"""

RETURN = r"""
address:
  description: Host and port of the BMC.
  returned: if the BMC could be asked
  type: str
  sample: 192.0.2.7:623
before:
  description: The LED before, C(on), C(off) or C(unknown).
  returned: if the BMC could be asked
  type: str
  sample: "off"
after:
  description: The LED after, C(on), C(off) or C(unknown). In check mode, what it would be.
  returned: if the BMC could be asked
  type: str
  sample: "on"
method:
  description: >-
    How it is set, C(location_indicator_active), C(indicator_led) or C(chassis_identify); null if it did not come to that.
  returned: if the BMC could be asked
  type: str
  sample: chassis_identify
code:
  description: >-
    What kind of failure it is. C(option) means that the options can't be used so and nothing was done; others are as C(kind) in the
    C(errors) of RV(baremetal.maintenance.bmc_info#module:report).
  returned: on failure
  type: str
  sample: unreachable
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import bmc_as_module, bmc_identify


def main() -> None:
    """Run the module."""
    bmc_as_module.run(AnsibleModule(supports_check_mode=True, **bmc_identify.OPERATION.spec()), bmc_identify.OPERATION)


if __name__ == "__main__":
    main()
