# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The only place where the backend imports what it does not ship.

Every name is a module, or None where its package is missing: touch them inside functions only, after `require` has passed.
"""

from __future__ import annotations

import typing as t

# Names for the other files of this layer.
# pylint: disable=unused-import


class MissingPackage(Exception):
    """Packages that the backend needs are not installed; the text is one sentence that names them."""


_missing: set[str] = set()

try:
    import alembic
    import alembic.migration
    import alembic.operations
except ImportError:
    alembic = None
    _missing.add("alembic")

try:
    import bcrypt
except ImportError:
    bcrypt = None
    _missing.add("bcrypt")

try:
    import falcon
except ImportError:
    falcon = None
    _missing.add("falcon")

try:
    import granian
    import granian.constants
    import granian.log
except ImportError:
    granian = None
    _missing.add("granian")

try:
    import jsonpatch
except ImportError:
    jsonpatch = None
    _missing.add("jsonpatch")

try:
    import oslo_config
    import oslo_config.cfg
except ImportError:
    oslo_config = None
    _missing.add("oslo.config")

try:
    import oslo_policy
    import oslo_policy.policy
except ImportError:
    oslo_policy = None
    _missing.add("oslo.policy")

try:
    import sqlalchemy
    import sqlalchemy.dialects.postgresql
    import sqlalchemy.dialects.sqlite
    import sqlalchemy.event
    import sqlalchemy.exc
    import sqlalchemy.pool
except ImportError:
    sqlalchemy = None
    _missing.add("SQLAlchemy")

try:
    import yaml
except ImportError:
    yaml = None
    _missing.add("PyYAML")


def keystoneauth1() -> t.Any:
    """Give the library keystoneauth1. Imported when first needed: few services ask a Keystone. Raises MissingPackage."""
    try:
        import keystoneauth1
        import keystoneauth1.exceptions
        import keystoneauth1.loading
        import keystoneauth1.session
    except ImportError:
        raise _lacking(["keystoneauth1"]) from None
    return keystoneauth1


def urllib3() -> t.Any:
    """Give the library urllib3, imported when first needed: only a service in front of an Ironic forwards. Raises MissingPackage."""
    try:
        import urllib3
        import urllib3.exceptions
    except ImportError:
        raise _lacking(["urllib3"]) from None
    return urllib3


def psycopg() -> t.Any:
    """Give the library psycopg, imported when first needed: most services keep a file. Raises MissingPackage."""
    try:
        import psycopg
        import psycopg.conninfo
    except ImportError:
        raise _lacking(["psycopg[binary]"]) from None
    return psycopg


def keystonemiddleware() -> t.Any:
    """Give the module keystonemiddleware.auth_token, imported when first needed, which takes half a second. Raises MissingPackage."""
    try:
        import keystonemiddleware.auth_token
    except ImportError:
        raise _lacking(["keystonemiddleware"]) from None
    return keystonemiddleware.auth_token


#: The packages by the names under which they are installed.
PACKAGES: t.Final = ("alembic", "bcrypt", "falcon", "granian", "jsonpatch", "oslo.config", "oslo.policy", "SQLAlchemy", "PyYAML")


def require(*packages: str) -> None:
    """Raise MissingPackage if any of these packages, all of PACKAGES without an argument, is not installed."""
    missing = [name for name in packages or PACKAGES if name in _missing]
    if missing:
        raise _lacking(missing)


def _lacking(missing: t.Sequence[str]) -> MissingPackage:
    names = " and ".join([", ".join(missing[:-1]), missing[-1]] if missing[1:] else missing)
    return MissingPackage(f"The backend needs {names}, which this Python does not have: install with `pip install {' '.join(missing)}`.")
