# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the group `api`, as plain data: one argument spec, and where each option comes from when a task does not give it.

The spec has no Ansible fallbacks: modules, actions and the inventory plugin all resolve through `resolved`, so that one order holds
everywhere (the option, then our own variable, then OpenStack's and the system's) and a variable that cannot be used is explained, not
ignored.
"""

from __future__ import annotations

import typing as t

from . import errors

AUTH_TYPES: t.Final = ("none", "http_basic", "token")

ARGUMENT_SPEC: t.Final[dict[str, dict[str, t.Any]]] = {
    "api_url": {"type": "str"},
    "auth_type": {"type": "str", "choices": list(AUTH_TYPES)},
    "username": {"type": "str"},
    "password": {"type": "str", "no_log": True},
    "token": {"type": "str", "no_log": True},
    "validate_certs": {"type": "bool", "default": True},
    "ca_path": {"type": "path"},
    "client_cert": {"type": "path"},
    "client_key": {"type": "path", "no_log": False},
    "proxy": {"type": "str"},
    "timeout": {"type": "int", "default": 30},
    "retries": {"type": "int", "default": 3},
}

#: The variables that stand in for an option, the first one that is set and not empty wins.
ENVIRONMENT: t.Final[dict[str, tuple[str, ...]]] = {
    "api_url": ("BAREMETAL_MAINTENANCE_URL", "OS_ENDPOINT"),
    "auth_type": ("BAREMETAL_MAINTENANCE_AUTH_TYPE", "OS_AUTH_TYPE"),
    "username": ("BAREMETAL_MAINTENANCE_USERNAME",),
    "password": ("BAREMETAL_MAINTENANCE_PASSWORD",),
    "token": ("BAREMETAL_MAINTENANCE_TOKEN",),
    "ca_path": ("BAREMETAL_MAINTENANCE_CA_PATH", "OS_CACERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
    "client_cert": ("BAREMETAL_MAINTENANCE_CLIENT_CERT", "OS_CERT"),
    "client_key": ("BAREMETAL_MAINTENANCE_CLIENT_KEY", "OS_KEY"),
    "proxy": ("BAREMETAL_MAINTENANCE_PROXY",),
}

#: OpenStack's own names for a basic login. They are read only where OS_AUTH_TYPE chose it: the password of another service, left over in
#: the environment, must not go to ours.
_OPENSTACK_LOGIN: t.Final = {"username": "OS_USERNAME", "password": "OS_PASSWORD"}

#: What OS_AUTH_TYPE may say of what is built: for OpenStack's tools `token` and `password` mean Keystone.
_OPENSTACK_AUTH_TYPES: t.Final = ("none", "http_basic")

_NO_KEYSTONE: t.Final = (
    "{source} is {value!r}, which means Keystone, and Keystone is not built into this version yet: "
    "set auth_type to http_basic with username and password, to token with a token, or to none"
)


def resolved(given: t.Mapping[str, t.Any], environ: t.Mapping[str, str]) -> dict[str, t.Any]:
    """Give every option of the group: as given, else from the environment, else its default, else None.

    given: options by name, None or absent where not given; others are ignored. Raises BadOption if auth_type cannot be used.
    """
    options = {name: given.get(name) for name in ARGUMENT_SPEC}
    for name, variables in ENVIRONMENT.items():
        if options[name] is None and name != "auth_type":
            options[name] = _first(environ, variables)
    from_openstack = _resolve_auth_type(options, environ)
    if from_openstack and options["auth_type"] == "http_basic":
        for name, variable in _OPENSTACK_LOGIN.items():
            if options[name] is None:
                options[name] = environ.get(variable) or None
    for name, spec in ARGUMENT_SPEC.items():
        if options[name] is None:
            options[name] = spec.get("default")
    return options


def _first(environ: t.Mapping[str, str], variables: t.Iterable[str]) -> str | None:
    return next((environ[variable] for variable in variables if environ.get(variable)), None)


def _resolve_auth_type(options: dict[str, t.Any], environ: t.Mapping[str, str]) -> bool:
    """Set auth_type, and tell whether OS_AUTH_TYPE chose it."""
    ours, openstack = ENVIRONMENT["auth_type"]
    if options["auth_type"] is not None:
        source, value, accepted = "auth_type", options["auth_type"], AUTH_TYPES
    elif environ.get(ours):
        source, value, accepted = ours, environ[ours], AUTH_TYPES
    elif environ.get(openstack):
        source, value, accepted = openstack, environ[openstack], _OPENSTACK_AUTH_TYPES
    else:
        options["auth_type"] = "none"
        return False
    if value not in accepted:
        if value == "keystone" or value.startswith("v3") or value in ("password", "token"):
            raise errors.BadOption(_NO_KEYSTONE.format(source=source, value=value))
        raise errors.BadOption(f"{source} is {value!r}, and this version knows {', '.join(AUTH_TYPES)}")
    options["auth_type"] = value
    return source == openstack
