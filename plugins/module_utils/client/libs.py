# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The third-party libraries of the client, guarded: None where they are not installed, so that every plugin can be documented."""

from __future__ import annotations

# Names for the other files of this layer.
# pylint: disable=unused-import
import typing as t

try:
    import requests
    import urllib3
except ImportError:
    requests = None
    urllib3 = None


def jmespath() -> t.Any:
    """Give the library jmespath, None where it is not installed. Imported when first needed: that takes 27 ms, and few tasks query."""
    try:
        import jmespath as library
    except ImportError:
        return None
    return library
