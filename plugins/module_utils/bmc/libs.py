# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The third-party libraries that read BMCs. Imported by the child process only: the process of a task must not load them."""

from __future__ import annotations

import types

from .errors import Ends


def pyghmi() -> types.SimpleNamespace:
    """Give the parts of pyghmi that are used. Raises Ends where it is not installed."""
    try:
        import pyghmi.exceptions
        import pyghmi.ipmi.command
        import pyghmi.ipmi.events
        import pyghmi.ipmi.fru
        import pyghmi.ipmi.oem.generic
        import pyghmi.ipmi.private.session
        import pyghmi.ipmi.sdr
    except ImportError as error:
        raise _missing("pyghmi", error) from error
    ipmi = pyghmi.ipmi
    return types.SimpleNamespace(
        command=ipmi.command,
        events=ipmi.events,
        exceptions=pyghmi.exceptions,
        fru=ipmi.fru,
        oem=ipmi.oem.generic,
        sdr=ipmi.sdr,
        session=ipmi.private.session,
    )


def sushy() -> types.SimpleNamespace:
    """Give the parts of sushy and requests that are used. Raises Ends where they are not installed."""
    try:
        import requests
        import sushy.auth
        import sushy.connector
        import sushy.exceptions
    except ImportError as error:
        raise _missing("sushy", error) from error
    return types.SimpleNamespace(auth=sushy.auth, connector=sushy.connector, exceptions=sushy.exceptions, requests=requests)


def _missing(name: str, error: ImportError) -> Ends:
    return Ends("library_missing", f"The Python library {name} cannot be imported: {error}.")
