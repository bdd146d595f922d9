# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a command reaches the API: with the session and the address that python-ironicclient has found."""

from __future__ import annotations

import argparse
import typing as t

from keystoneauth1 import adapter

from .. import errors, typed_api


def typed(app: t.Any) -> typed_api.TypedApi:
    """Give the typed API for the application that runs a command."""
    client = app.client_manager.baremetal.http_client
    return typed_api.TypedApi(
        adapter.Adapter(
            session=client.session,
            service_type=client.service_type,
            interface=client.interface,
            region_name=client.region_name,
            endpoint_override=client.endpoint_trimmed,
            auth=client.auth,
            additional_headers=client.additional_headers,
            global_request_id=client.global_request_id,
            user_agent="baremetal-maintenance",
        )
    )


def program(command_name: str | None) -> str:
    """Give the words before a command of this package: its name begins with `baremetal` in `openstack` only."""
    return "openstack baremetal" if (command_name or "").startswith("baremetal ") else "baremetal"


def add_node(parser: argparse.ArgumentParser) -> None:
    """Take the node."""
    parser.add_argument("node", metavar="<node>", help="Name or UUID of the node.")


def add_long(parser: argparse.ArgumentParser) -> None:
    """Take --long."""
    parser.add_argument("--long", action="store_true", help="Show every column, in full.")


def age(given: str) -> int:
    """Read an age such as 90, 15m, 4h, 2d or 1w as seconds; for the parser."""
    units = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
    number, unit = (given[:-1], given[-1:]) if given[-1:] in units else (given, "s")
    if not (number.isascii() and number.isdigit() and len(number) <= 9):
        raise argparse.ArgumentTypeError(f"{given!r} is no age: a number with s, m, h, d or w is needed, such as 4h")
    return int(number) * units[unit]


def present(option: str, given: str | None) -> str | None:
    """Give an option's text. Raises MaintenanceError for an empty one, which the service would take for another wish."""
    if given is not None and not given.strip():
        raise errors.MaintenanceError(f"{option} is empty: give it a value, or leave it out")
    return given
