# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The third-party libraries of the client, guarded: None where they are not installed, so that every plugin can be documented."""

from __future__ import annotations

# Names for the other files of this layer.
# pylint: disable=unused-import
import logging
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


def keystoneauth1() -> t.Any:
    """Give the library keystoneauth1, None where it is not installed. Imported when first needed: that takes a fifth of a second, and one
    fork of a run logs in."""
    try:
        import keystoneauth1
        import keystoneauth1.exceptions
        import keystoneauth1.loading
        import keystoneauth1.session
    except ImportError:
        return None
    _quiet("keystoneauth")
    return keystoneauth1


def openstack_loader() -> t.Any:
    """Give the module openstack.config.loader of openstacksdk, None where that is not installed. Imported when first needed: it is slow."""
    try:
        import openstack.config.loader
    except ImportError:
        return None
    _quiet("openstack")
    return openstack.config.loader


def _quiet(logger: str) -> None:
    """Keep a library's warnings off the terminal, where they come from logging that nobody has set up: our own errors say the same."""
    logging.getLogger(logger).addHandler(logging.NullHandler())
