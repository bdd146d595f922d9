# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the modules support, and the option that all of them share for delegated tasks."""

from __future__ import annotations


class ModuleDocFragment:
    """Attributes common to every module, and those that differ between modules that change something and modules that only read."""

    DOCUMENTATION = r"""
attributes:
  action:
    description: Whether an action plugin of the same name runs the task.
    support: full
    details:
      - The task runs on the controller, in the process that Ansible made for it. It does not connect to the host that it is about, and the
        host need not be up, nor exist.
      - Only if the task is delegated to a machine whose connection is not local, the module runs there, with every option resolved on the
        controller. That machine needs Python 3.10 or later and the libraries in the requirements.
  action_group:
    description: Whether the connection options can be set for all modules at once, with C(module_defaults).
    support: full
    membership:
      - baremetal.maintenance.api
    details:
      - Use C(group/baremetal.maintenance.api) in C(module_defaults).
  async:
    description: Whether the task can run in the background, with C(async).
    support: none
  become:
    description: Whether C(become) makes a difference.
    support: none
    details:
      - The API is asked as the user that O(username) or O(token) says, whoever runs the task.
  connection:
    description: Whether the connection to the host is used.
    support: none
options:
  remote_files:
    description:
      - Whether O(ca_path), O(client_cert) and O(client_key) name files of the machine that the task is delegated to.
      - A task that is delegated to another machine and gives one of these options is refused unless this is V(true), since the files that
        its author sees are the controller's.
    type: bool
    default: false
notes:
  - Without any option that says which node is meant, it is the host's own, named by the host variable C(baremetal_node) or
    C(baremetal_node_uuid). A host that has neither is an error, and so is such a task with C(run_once).
"""

    CHANGES = r"""
attributes:
  check_mode:
    description: Whether the task says in check mode what it would change, and changes nothing.
    support: full
    details:
      - A service with the extension C(dry_run) is asked, and answers as it would to the real request, refusals included. On any other
        service the answer is predicted from reads, and the result says C(prediction=client).
  diff_mode:
    description: Whether the task says in diff mode what was before, and what is after.
    support: full
  idempotent:
    description: Whether doing the task again changes nothing more.
    support: full
"""

    READS = r"""
attributes:
  check_mode:
    description: Whether the task says in check mode what it would change, and changes nothing.
    support: full
    details:
      - The task changes nothing in any mode.
  diff_mode:
    description: Whether the task says in diff mode what was before, and what is after.
    support: N/A
    details:
      - The task changes nothing.
  idempotent:
    description: Whether doing the task again changes nothing more.
    support: N/A
    details:
      - The task changes nothing.
"""
