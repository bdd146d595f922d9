# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries of clouds.yaml, read by openstacksdk's own loader, so that they mean what they mean to every other OpenStack tool.

That covers the search path, secure.yaml, profiles of vendors, regions, and names of members that are older than Keystone's third version.
"""

from __future__ import annotations

import dataclasses
import os
import typing as t

from .. import errors, libs
from .wanted import Wanted

SERVICE_TYPE: t.Final = "baremetal"


@dataclasses.dataclass(frozen=True)
class Entry:
    """An entry. plugin: keystoneauth's, made and ready. auth: its members. endpoint: an address that replaces the catalogue's, or None.

    validate_certs, ca_path, client_cert, client_key: as the entry says them, None where it says nothing.
    """

    auth_type: str
    auth: dict[str, t.Any] = dataclasses.field(repr=False)
    plugin: t.Any = dataclasses.field(repr=False)
    endpoint: str | None
    region_name: str | None
    interface: str | list[str] | None
    validate_certs: bool | None
    ca_path: str | None
    client_cert: str | None
    client_key: str | None


def read(wanted: Wanted) -> Entry:
    """Read the entry. Raises BadOption with what is wrong with it or its files, MissingLibrary without openstacksdk."""
    loader = libs.openstack_loader()
    if loader is None:
        raise errors.MissingLibrary(
            "The Python library openstacksdk reads clouds.yaml and is not installed where this runs: pip install openstacksdk"
        )
    name, files = t.cast(str, wanted.cloud), dict(wanted.files)
    config_file, secure_file = files.get("OS_CLIENT_CONFIG_FILE"), files.get("OS_CLIENT_SECURE_FILE")
    if config_file and not os.path.exists(config_file):
        raise errors.BadOption(f"OS_CLIENT_CONFIG_FILE is {config_file}, which does not exist where this runs")
    keystoneauth = libs.keystoneauth1().exceptions
    # openstacksdk notes the working folder when it is imported, which need not be now.
    folders = list(dict.fromkeys([os.getcwd(), *loader.CONFIG_SEARCH_PATH[1:]]))
    config_files, secure_files = (
        [*([first] if first else []), *(os.path.join(folder, f"{kind}{end}") for folder in folders for end in _ends(loader))]
        for first, kind in ((config_file, "clouds"), (secure_file, "secure"))
    )
    try:
        found = loader.OpenStackConfig(
            # The environment of the task, which need not be that of the process, has been read already.
            load_envvars=False,
            config_files=config_files,
            secure_files=secure_files,
        )
        if name not in found.get_cloud_names() or not found.config_filename:
            raise _absent(name, found, config_files)
        region = found.get_one(cloud=name, **({"region_name": wanted.region_name} if wanted.region_name else {}))
    except (loader.exceptions.ConfigException, keystoneauth.AuthPluginException, keystoneauth.AuthorizationFailure) as error:
        raise errors.BadOption(f"cloud {name!r} of clouds.yaml cannot be used: {' '.join(str(error).split()).rstrip('.')}") from error
    return _entry(region)


def _ends(loader: t.Any) -> tuple[str, ...]:
    return (*loader.YAML_SUFFIXES, *loader.JSON_SUFFIXES)


def _absent(name: str, found: t.Any, files: t.Sequence[str]) -> errors.BadOption:
    # What it cannot read it passes over in silence.
    passed_over = files[: files.index(found.config_filename)] if found.config_filename else files
    broken = [file for file in passed_over if os.path.exists(file)]
    if broken:
        return errors.BadOption(f"cloud is {name!r}, and {broken[0]} cannot be read, or is not YAML")
    if not found.config_filename:
        folders = dict.fromkeys(os.path.dirname(file) for file in files)
        return errors.BadOption(
            f"cloud is {name!r}, and there is no clouds.yaml: it is looked for in {', '.join(folders)}; OS_CLIENT_CONFIG_FILE may name it"
        )
    known = ", ".join(sorted(found.get_cloud_names())) or "none"
    return errors.BadOption(f"cloud is {name!r}, which {found.config_filename} does not have; it has {known}")


def _entry(region: t.Any) -> Entry:
    config = region.config
    switched_off = config.get("insecure") in (True, "true", "True") or config.get("verify") in (False, "false", "False")
    said = switched_off or config.get("verify") is not None
    paths = {name: os.path.expanduser(config[name]) for name in ("cacert", "cert", "key") if config.get(name)}
    return Entry(
        auth_type=config["auth_type"],
        auth=dict(config.get("auth") or {}),
        plugin=region.get_auth(),
        endpoint=region.get_endpoint(SERVICE_TYPE),
        region_name=region.get_region_name(SERVICE_TYPE) or None,
        interface=region.get_interface(SERVICE_TYPE),
        validate_certs=not switched_off if said else None,
        ca_path=paths.get("cacert"),
        client_cert=paths.get("cert"),
        client_key=paths.get("key"),
    )
