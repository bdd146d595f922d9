# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection to another machine that is this one: for Ansible it is not local, so a task delegated over it runs as a module."""

from __future__ import annotations

from ansible.plugins.connection.local import Connection as Local

DOCUMENTATION = """
name: elsewhere
short_description: Not local, as far as Ansible knows
description: Runs commands on this machine.
author: The baremetal.maintenance authors
"""


class Connection(Local):
    """The local connection under another name."""

    transport = "elsewhere"
