# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The two files of `http_basic`: who has which password (htpasswd, as Ironic's), and who is who (YAML)."""

from __future__ import annotations

import re
import typing as t

from ..caller import Caller
from ..mistakes import near_miss
from ..yaml_file import kind, read_mapping
from .roles import expanded

_HASH = re.compile(r"\$2[aby]\$(0[4-9]|[12][0-9]|3[01])\$[./A-Za-z0-9]{53}")
#: What the database holds of a user or project id.
_LONGEST_ID: t.Final = 255
_MEMBERS: t.Final = ("user_id", "user_name", "project_id", "project_name", "roles", "system")


def mistakes(basic_auth_file: str | None, identities_file: str | None) -> list[str]:
    """Give one sentence for each mistake in the two files, or for the lack of them. No sentence holds a hash."""
    errors: list[str] = []
    logins: dict[str, bytes] = {}
    callers: dict[str, Caller] = {}
    if basic_auth_file is None:
        errors.append("basic_auth_file is missing: auth_strategy http_basic needs an htpasswd file with bcrypt hashes (htpasswd -B)")
    else:
        logins = _passwords(basic_auth_file, errors)
    if identities_file is None:
        errors.append("identities_file is missing: auth_strategy http_basic needs a YAML file that gives each login its user_id and roles")
    else:
        callers = _identities(identities_file, errors)
    if not errors:
        for login in logins:
            if login not in callers:
                errors.append(f"identities_file: {identities_file} has no {login!r}, who has a password in {basic_auth_file}")
    return errors


def passwords(path: str) -> dict[str, bytes]:
    """Give each login's bcrypt hash. Raises ValueError with the first mistake in the file."""
    errors: list[str] = []
    found = _passwords(path, errors)
    if errors:
        raise ValueError(errors[0])
    return found


def identities(path: str) -> dict[str, Caller]:
    """Give each login's Caller, roles expanded. Raises ValueError with the first mistake in the file."""
    errors: list[str] = []
    found = _identities(path, errors)
    if errors:
        raise ValueError(errors[0])
    return found


def _passwords(path: str, errors: list[str]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    before = len(errors)
    try:
        with open(path, encoding="utf-8") as stream:
            lines = stream.read().splitlines()
    except UnicodeDecodeError:
        errors.append(f"basic_auth_file: {path} is not UTF-8 text")
        return {}
    except OSError as error:
        errors.append(f"basic_auth_file: {path} cannot be read: {(error.strerror or str(error)).lower()}")
        return {}
    for number, line in enumerate(lines, 1):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        login, colon, digest = entry.partition(":")
        where = f"basic_auth_file: {path} line {number}"
        if not colon or not login:
            errors.append(f"{where} is not login:hash")
        elif not _HASH.fullmatch(digest):
            errors.append(f"{where}: the password of {login!r} is not a bcrypt hash (htpasswd -B makes one)")
        elif login in found:
            errors.append(f"{where}: {login!r} stands twice")
        else:
            found[login] = digest.encode("ascii")
    if not found and len(errors) == before:
        errors.append(f"basic_auth_file: {path} holds no login")
    return found


def _identities(path: str, errors: list[str]) -> dict[str, Caller]:
    try:
        content = read_mapping(path)
    except ValueError as error:
        errors.append(f"identities_file: {error}")
        return {}
    if not content:
        errors.append(f"identities_file: {path} holds no login")
    found: dict[str, Caller] = {}
    for login, members in content.items():
        problems = list(_problems(members))
        errors += [f"identities_file: {path}: {login!r}: {problem}" for problem in problems]
        if not problems:
            found[login] = _caller(login, members)
    return found


def _problems(members: t.Any) -> t.Iterator[str]:
    if not isinstance(members, dict):
        yield f"must be a mapping with user_id and roles, not {kind(members)}"
        return
    for name in members:
        if name not in _MEMBERS:
            yield f"{name!r} is not known here{near_miss(str(name), _MEMBERS)}"
    if members.get("user_id") is None:
        yield "user_id is missing"
    for name in ("user_id", "user_name", "project_id", "project_name"):
        value = members.get(name)
        if value is None:
            continue
        if not isinstance(value, str):
            yield f"{name} must be text, not {kind(value)}; quote it"
        elif not value or len(value) > _LONGEST_ID or not value.isprintable():
            yield f"{name} must be 1 to {_LONGEST_ID} printable characters"
    roles = members.get("roles")
    if not isinstance(roles, list) or not roles or not all(isinstance(role, str) and role for role in roles):
        yield "roles must be a list of at least one role's name"
    if not isinstance(members.get("system", False), bool):
        yield f"system must be true or false, not {kind(members['system'])}"


def _caller(login: str, members: t.Mapping[str, t.Any]) -> Caller:
    return Caller(
        user_id=members["user_id"],
        user_name=members.get("user_name") or login,
        project_id=members.get("project_id") or "",
        project_name=members.get("project_name"),
        roles=expanded(members["roles"]),
        system=members.get("system", False),
    )
