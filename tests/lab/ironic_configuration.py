# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration of a real Ironic for tests: fake and Redfish hardware, SQLite, no message bus, everything in one folder."""

from __future__ import annotations

import pathlib
import typing as t

#: Options by name, by section.
Settings = t.Mapping[str, t.Mapping[str, t.Any]]

#: For each kind of interface, what is enabled.
_INTERFACES: t.Final = {
    "bios": "fake,no-bios",
    "boot": "fake,redfish-virtual-media",
    "console": "fake,no-console",
    "deploy": "fake,ramdisk",
    "firmware": "fake,no-firmware",
    "inspect": "fake,no-inspect",
    "management": "fake,redfish",
    "network": "noop",
    "power": "fake,redfish",
    "raid": "fake,no-raid",
    "rescue": "fake,no-rescue",
    "storage": "noop",
    "vendor": "fake,no-vendor",
}


def usual(folder: pathlib.Path, port: int) -> Settings:
    """Give the settings of every Ironic in tests: no authentication, and nothing happens by itself."""
    url = f"http://127.0.0.1:{port}"
    return {
        "DEFAULT": {
            "auth_strategy": "noauth",
            "rpc_transport": "none",
            "host": "lab-conductor",
            "my_ip": "127.0.0.1",
            "state_path": folder,
            "log_file": folder / "ironic.log",
            "use_stderr": "false",
            "enabled_hardware_types": "fake-hardware,redfish",
            **{f"enabled_{kind}_interfaces": names for kind, names in _INTERFACES.items()},
            "default_network_interface": "noop",
        },
        "api": {
            "host_ip": "127.0.0.1",
            "port": port,
            "public_endpoint": url,
            "api_workers": 1,
            # Otherwise, without Keystone, nobody may create a node with an owner.
            "project_admin_can_manage_own_nodes": "false",
        },
        "conductor": {"automated_clean": "false", "sync_power_state_interval": 0},
        "database": {"connection": f"sqlite:///{folder}/ironic.sqlite"},
        "dhcp": {"dhcp_provider": "none"},
        "service_catalog": {"endpoint_override": url},
        "deploy": {"http_root": folder / "http"},
        "pxe": {
            "tftp_root": folder / "tftp",
            "tftp_master_path": folder / "master",
            "images_path": folder / "images",
            "instance_master_path": folder / "master",
        },
        "oslo_concurrency": {"lock_path": folder / "lock"},
        "oslo_messaging_notifications": {"driver": "noop"},
        "inventory": {"data_backend": "none"},
    }


def power_sync(seconds: float, recovery: float) -> Settings:
    """Give the settings with which power is read every so many seconds, and of a node with a power failure every `recovery` seconds.

    One reading that fails makes the fault.
    """
    return {
        "conductor": {
            "sync_power_state_interval": seconds,
            "power_state_sync_max_retries": 1,
            "power_failure_recovery_interval": recovery,
            "force_power_state_during_sync": "false",
        },
        # Else a BMC that is dead is asked five times, four seconds apart, before it counts as such.
        "redfish": {"connection_attempts": 1, "connection_retry_interval": 1},
    }


def cleaning(seconds: int) -> Settings:
    """Give the settings with which a clean step of fake hardware takes so long."""
    return {"fake": {"bios_delay": seconds}}


def http_basic(htpasswd: pathlib.Path) -> Settings:
    """Give the settings of an Ironic whose users are in a file."""
    return {"DEFAULT": {"auth_strategy": "http_basic", "http_basic_auth_user_file": htpasswd}}


def keystone(credentials: t.Mapping[str, str]) -> Settings:
    """Give the settings of an Ironic that asks a Keystone. credentials: of the user that checks tokens, as keystoneauth has them."""
    return {
        "DEFAULT": {"auth_strategy": "keystone"},
        "api": {"project_admin_can_manage_own_nodes": "true"},
        "keystone_authtoken": {
            "auth_type": "password",
            **credentials,
            "www_authenticate_uri": credentials["auth_url"],
            "service_token_roles_required": "false",
            # Seconds for which a token that was taken away is still believed; the usual are 300.
            "token_cache_time": 3,
        },
    }


def text(*layers: Settings) -> str:
    """Give the file for settings of which the later ones go before."""
    merged: dict[str, dict[str, t.Any]] = {}
    for layer in layers:
        for section, options in layer.items():
            merged.setdefault(section, {}).update(options)
    return "".join(
        f"[{section}]\n" + "".join(f"{name} = {value}\n" for name, value in options.items()) for section, options in merged.items()
    )
