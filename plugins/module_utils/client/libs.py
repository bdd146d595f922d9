# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The third-party libraries of the client, guarded: None where they are not installed, so that every plugin can be imported and documented."""

from __future__ import annotations

try:
    import requests
    import urllib3
except ImportError:
    requests = None
    urllib3 = None
