# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Typed maintenance of bare-metal nodes for the command line (`commands`), openstacksdk (`sdk`) and tempest (`tempest_plugin`).

It speaks to the HTTP API and imports nothing of the Ansible collection beside it: the one must work where the other does not.
"""
