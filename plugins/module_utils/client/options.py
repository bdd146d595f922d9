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

AUTH_TYPES: t.Final = ("none", "http_basic", "token", "keystone")

#: What a login to Keystone is made of, by keystoneauth's names.
AUTH_MEMBERS: t.Final[dict[str, dict[str, t.Any]]] = {
    "auth_url": {"type": "str"},
    "username": {"type": "str"},
    "user_id": {"type": "str"},
    "user_domain_name": {"type": "str"},
    "user_domain_id": {"type": "str"},
    "password": {"type": "str", "no_log": True},
    "token": {"type": "str", "no_log": True},
    "application_credential_id": {"type": "str"},
    "application_credential_name": {"type": "str"},
    "application_credential_secret": {"type": "str", "no_log": True},
    "project_name": {"type": "str"},
    "project_id": {"type": "str"},
    "project_domain_name": {"type": "str"},
    "project_domain_id": {"type": "str"},
    "system_scope": {"type": "str", "choices": ["all"]},
    "trust_id": {"type": "str"},
}

ARGUMENT_SPEC: t.Final[dict[str, dict[str, t.Any]]] = {
    "api_url": {"type": "str"},
    "auth_type": {"type": "str", "choices": list(AUTH_TYPES)},
    "username": {"type": "str"},
    "password": {"type": "str", "no_log": True},
    "token": {"type": "str", "no_log": True},
    "cloud": {"type": "str"},
    "auth": {"type": "dict", "options": AUTH_MEMBERS},
    "region_name": {"type": "str"},
    "interface": {"type": "str", "choices": ["public", "internal", "admin"]},
    "validate_certs": {"type": "bool"},
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

#: The same for the options of a login to Keystone, which nobody looks at without one.
KEYSTONE_ENVIRONMENT: t.Final[dict[str, tuple[str, ...]]] = {
    "cloud": ("OS_CLOUD",),
    "region_name": ("OS_REGION_NAME",),
    "interface": ("OS_INTERFACE",),
}

#: OpenStack's own names for a basic login. They are read only where OS_AUTH_TYPE chose it: the password of another service, left over in
#: the environment, must not go to ours.
_OPENSTACK_LOGIN: t.Final = {"username": "OS_USERNAME", "password": "OS_PASSWORD"}

#: What the variables mean that say where Keystone is. They choose it only where nothing says where the API is: the token of another
#: service must not go to ours either.
_OPENSTACK_KEYSTONE: t.Final = ("OS_CLOUD", "OS_AUTH_URL")


def resolved(given: t.Mapping[str, t.Any], environ: t.Mapping[str, str]) -> dict[str, t.Any]:
    """Give every option of the group: as given, else from the environment, else its default, else None.

    given: options by name, None or absent where not given; others are ignored. `auth` stays as it is given: what the environment has
    in its place is read when it is needed. Raises BadOption if auth_type cannot be used.
    """
    options = {name: given.get(name) for name in ARGUMENT_SPEC}
    for name, variables in ENVIRONMENT.items():
        if options[name] is None and name != "auth_type":
            options[name] = first(environ, variables)
    from_openstack = _resolve_auth_type(options, environ)
    if from_openstack and options["auth_type"] == "http_basic":
        for name, variable in _OPENSTACK_LOGIN.items():
            if options[name] is None:
                options[name] = environ.get(variable) or None
    if options["auth_type"] == "keystone":
        for name, variables in KEYSTONE_ENVIRONMENT.items():
            if options[name] is None and not (name == "cloud" and options["auth"]):
                options[name] = first(environ, variables)
    for name, spec in ARGUMENT_SPEC.items():
        if options[name] is None:
            options[name] = spec.get("default")
    return options


def first(environ: t.Mapping[str, str], variables: t.Iterable[str]) -> str | None:
    """Give the first variable that is set and not empty, None if there is none."""
    return next((environ[variable] for variable in variables if environ.get(variable)), None)


def means_keystone(openstack_auth_type: str) -> bool:
    """Tell whether an OS_AUTH_TYPE is a login to Keystone: for OpenStack's tools `token` and `password` are."""
    return openstack_auth_type.startswith("v3") or openstack_auth_type in ("password", "token")


def _resolve_auth_type(options: dict[str, t.Any], environ: t.Mapping[str, str]) -> bool:
    """Set auth_type, and tell whether OS_AUTH_TYPE chose it."""
    ours, openstack = ENVIRONMENT["auth_type"]
    if options["auth_type"] is not None:
        source, value = "auth_type", options["auth_type"]
    elif options["cloud"] is not None or options["auth"]:
        options["auth_type"] = "keystone"
        return False
    elif environ.get(ours):
        source, value = ours, environ[ours]
    elif environ.get(openstack):
        source, value = openstack, environ[openstack]
        value = "keystone" if means_keystone(value) else value
    else:
        chosen = options["api_url"] is None and first(environ, _OPENSTACK_KEYSTONE)
        options["auth_type"] = "keystone" if chosen else "none"
        return False
    if value not in AUTH_TYPES:
        raise errors.BadOption(f"{source} is {value!r}, and this version knows {', '.join(AUTH_TYPES)}")
    options["auth_type"] = value
    return source == openstack
