# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documentation of the options of the group `bmc`, and of what its modules support; the options are in module_utils/bmc/options.py."""

from __future__ import annotations


class ModuleDocFragment:
    """How a BMC is reached, of everything that speaks to one; and how several are, of what reads them."""

    DOCUMENTATION = r"""
options:
  bmc_protocol:
    description:
      - How to speak to the BMC. V(redfish) tells more, above all about parts, where a BMC has both.
    type: str
    choices:
      - ipmi
      - redfish
  bmc_address:
    description:
      - The BMC, as C(HOST), C(HOST:PORT) or C([IPv6]:PORT), or for Redfish as a URL such as C(https://bmc-07.example.org). A user or
        password in it is refused.
    type: str
  bmc_username:
    description:
      - The user to log in as. To read, IPMI needs the privilege of an operator, Redfish that of C(ReadOnly) or C(Operator); to set the
        locator LED, that of an operator.
    type: str
  bmc_password:
    description:
      - The password of O(bmc_username). It is sent once; a login that is refused is never tried again, so as not to lock the account.
      - It must come from the inventory, such as a vaulted variable of the host or a credential of AWX. What Ironic has in C(driver_info)
        is masked, and is not asked for.
    type: str
  bmc_kg:
    description:
      - The BMC's own key for IPMI (K_g), if it has one.
    type: str
  bmc_system:
    description:
      - The system that is meant, as its Redfish C(Id) or path, where a BMC has several. Without it such a BMC is an error that lists them.
    type: str
  bmc_manager:
    description:
      - The manager that is meant, as its Redfish C(Id) or path, where a system has several.
    type: str
  bmc_validate_certs:
    description:
      - Whether the certificate of a Redfish service must be valid. Set it to V(false) for tests only.
    type: bool
    default: true
  bmc_ca_path:
    description:
      - A file or folder of certificates of the authorities to trust for Redfish, instead of those that the Python library requests trusts.
    type: path
  bmc_auth:
    description:
      - How to log in to a Redfish service. V(basic) leaves no session behind, whatever happens. V(session) opens one and closes it, for
        BMCs where basic logins are switched off.
    type: str
    choices:
      - basic
      - session
    default: basic
  bmc_deadline:
    description:
      - After how many seconds the reading ends, whatever the BMC does. What was read until then is kept. If it is not given, it is 30 over
        IPMI and 60 over Redfish.
    type: float
  bmc_power_reads:
    description:
      - How often the power state is read. One reading alone does not show that it flaps.
    type: int
    default: 3
  bmc_power_read_interval:
    description:
      - Seconds between two reads of the power state. Other things are read meanwhile.
    type: float
    default: 10.0
  bmc_retries:
    description:
      - How often a BMC that does not answer is asked again. Nothing else is tried again.
    type: int
    default: 2
  remote_files:
    description:
      - Whether O(bmc_ca_path) names a file of the machine that the task is delegated to.
      - A task that is delegated to another machine and gives that option is refused unless this is V(true), since the file that its author
        sees is the controller's.
    type: bool
    default: false
attributes:
  action:
    description: Whether an action plugin of the same name runs the task.
    support: full
    details:
      - The task runs on the controller, in the process that Ansible made for it, and reads each BMC in a process of its own that can be
        stopped. It does not connect to the host that it is about, and the host need not be up, nor exist.
      - Only if the task is delegated to a machine whose connection is not local, such as a jump host in the network of the BMCs, the module
        runs there. That machine needs Python 3.10 or later and the libraries in the requirements.
  action_group:
    description: Whether the options of BMCs can be set for all modules at once, with C(module_defaults).
    support: full
    membership:
      - baremetal.maintenance.bmc
    details:
      - Use C(group/baremetal.maintenance.bmc) in C(module_defaults). No option is shared with the modules that speak to the bare-metal API,
        so that the password of one never gets to the other.
  async:
    description: Whether the task can run in the background, with C(async).
    support: none
  become:
    description: Whether C(become) makes a difference.
    support: none
    details:
      - The BMC is asked as O(bmc_username), whoever runs the task.
  connection:
    description: Whether the connection to the host is used.
    support: none
requirements:
  - Python >= 3.10, on Linux
  - pyghmi >= 1.6, for IPMI
  - sushy >= 5.11.1, for Redfish
"""

    TARGETS = r"""
options:
  targets:
    description:
      - Several BMCs, read at the same time. What one leaves out is as the task says. An empty list is nothing to do.
      - BMCs that do not answer are found out all at once, so that many dead ones take hardly more time than one.
      - A task for each host reads one BMC in each process of Ansible; this reads O(workers) at a time in one task. How each ended is told
        while the task runs, unless it is delegated.
    type: list
    elements: dict
    suboptions:
      node:
        description: What it is called in RV(targets_result), such as the name of its node. If it is not given, it is the address.
        type: str
      bmc_protocol:
        description: As O(bmc_protocol), of this BMC.
        type: str
        choices:
          - ipmi
          - redfish
      bmc_address:
        description: The BMC, as O(bmc_address).
        type: str
      bmc_username:
        description: As O(bmc_username), of this BMC.
        type: str
      bmc_password:
        description: As O(bmc_password), of this BMC.
        type: str
      bmc_kg:
        description: As O(bmc_kg), of this BMC.
        type: str
      bmc_system:
        description: As O(bmc_system), of this BMC.
        type: str
      bmc_manager:
        description: As O(bmc_manager), of this BMC.
        type: str
      bmc_validate_certs:
        description: As O(bmc_validate_certs), of this BMC.
        type: bool
      bmc_ca_path:
        description: As O(bmc_ca_path), of this BMC.
        type: path
      bmc_auth:
        description: As O(bmc_auth), of this BMC.
        type: str
        choices:
          - basic
          - session
      bmc_deadline:
        description: As O(bmc_deadline), of this BMC.
        type: float
      bmc_power_reads:
        description: As O(bmc_power_reads), of this BMC.
        type: int
      bmc_power_read_interval:
        description: As O(bmc_power_read_interval), of this BMC.
        type: float
      bmc_retries:
        description: As O(bmc_retries), of this BMC.
        type: int
  workers:
    description:
      - How many BMCs of O(targets) are read at the same time. Those that do not answer do not count.
    type: int
    default: 16
"""
