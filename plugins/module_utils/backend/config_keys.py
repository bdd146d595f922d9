# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings, each with what it accepts."""

from __future__ import annotations

import dataclasses
import os
import typing as t
import urllib.parse

from . import database_url
from .policy import rulefile
from .yaml_file import kind

LOG_LEVELS: t.Final = ("debug", "info", "warning", "error")


@dataclasses.dataclass(frozen=True)
class Key:
    """One setting: what it accepts, in words, and the function that reads it. Null is accepted as "not set" where `optional`."""

    expects: str
    convert: t.Callable[[t.Any, str], t.Any]
    #: Turns what an environment variable or the command line holds into what a YAML file would.
    from_text: t.Callable[[str], t.Any] = str
    optional: bool = True
    #: Holds members of its own, and so is not for the command line; in the environment each member has a variable.
    section: bool = False

    def read(self, raw: t.Any, *, folder: str, is_text: bool) -> t.Any:
        """Give the setting's value. folder: from where a relative path counts. Raises ValueError, "must be …"."""
        if raw is None and self.optional:
            return None
        try:
            return self.convert(self.from_text(raw) if is_text else raw, folder)
        except _NotAccepted as error:
            raise ValueError(str(error)) from None
        except (TypeError, ValueError):
            # A section's text may hold a secret.
            given = repr(raw) if isinstance(raw, (str, int, float)) and not self.section else kind(raw)
            raise ValueError(f"must be {self.expects}, not {given}") from None


class _NotAccepted(ValueError):
    """A refusal that has its own sentence."""


def _text(value: t.Any, _folder: str) -> str:
    if not isinstance(value, str) or not value.strip() or any(ord(character) < 32 for character in value):
        raise ValueError
    return value


def _path(value: t.Any, folder: str) -> str:
    return os.path.abspath(os.path.join(folder, os.path.expanduser(_text(value, folder))))


def _database(value: t.Any, folder: str) -> str:
    text = _text(value, folder)
    scheme, separator, rest = text.partition("://")
    if not separator:
        if text == ":memory:":
            raise _NotAccepted("must be a file: a database in memory cannot be shared by the service's processes")
        return _path(text, folder)
    if scheme.partition("+")[0] in ("postgresql", "postgres"):
        try:
            return database_url.normal(text)
        except ValueError as error:
            raise _NotAccepted(str(error)) from None
    if scheme != "sqlite":
        raise _NotAccepted(
            f"names {scheme!r}, which is not a database that this service knows: give the path of an SQLite file or a postgresql URL"
        )
    if not rest.strip("/") or rest == "/:memory:":
        raise _NotAccepted("must be a file: a database in memory cannot be shared by the service's processes")
    if not rest.startswith("/") or "?" in rest:
        raise _NotAccepted("must be sqlite:/// and a path, without options")
    return _path(rest[1:], folder)


def _policy(value: t.Any, folder: str) -> str:
    return value if value in rulefile.shipped_names() else _path(value, folder)


def _strategy(value: t.Any, _folder: str) -> str:
    if value not in ("http_basic", "keystone", "noauth"):
        raise ValueError
    return t.cast("str", value)


def _section(value: t.Any, _folder: str) -> dict[str, t.Any]:
    if not isinstance(value, dict):
        raise ValueError
    return value


def _url(value: t.Any, folder: str) -> str:
    parts = urllib.parse.urlsplit(_text(value, folder))
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise ValueError
    return t.cast("str", value).rstrip("/")


def _switch(value: t.Any, _folder: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _switch_text(text: str) -> bool:
    return {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}.get(
        text.strip().lower(),
        text,  # type: ignore[arg-type]  # refused, with the sentence, by _switch
    )


def _whole(low: int, high: int) -> t.Callable[[t.Any, str], int]:
    def convert(value: t.Any, _folder: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError
        return value

    return convert


def _seconds(low: float, high: float) -> t.Callable[[t.Any, str], float]:
    def convert(value: t.Any, _folder: str) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise ValueError
        return float(value)

    return convert


def _names(value: t.Any, _folder: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(name, str) for name in value):
        raise ValueError
    return tuple(value)


def _names_text(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _one_of(*names: str) -> t.Callable[[t.Any, str], str]:
    def convert(value: t.Any, _folder: str) -> str:
        if value not in names:
            raise ValueError
        return t.cast("str", value)

    return convert


def _level(value: t.Any, _folder: str) -> str:
    if value not in LOG_LEVELS:
        raise ValueError
    return t.cast("str", value)


def _whole_key(low: int, high: int, unit: str = "a number") -> Key:
    return Key(f"{unit} from {low} to {high}", _whole(low, high), int, optional=False)


def _seconds_key(low: float, high: float) -> Key:
    return Key(f"seconds from {low:g} to {high:g}", _seconds(low, high), float, optional=False)


_SWITCH: t.Final = Key("true or false", _switch, _switch_text, optional=False)
_FILE: t.Final = Key("the path of a file", _path)

KEYS: t.Final[dict[str, Key]] = {
    "host": Key("an address to listen on", _text, optional=False),
    "port": _whole_key(0, 65535),
    "public_endpoint": Key("a URL, http://… or https://…", _url),
    "database": Key("the path of an SQLite file or a postgresql URL", _database, optional=False),
    "auth_strategy": Key("http_basic, keystone or noauth", _strategy, optional=False),
    "basic_auth_file": _FILE,
    "identities_file": _FILE,
    "keystone_authtoken": Key("a mapping", _section, section=True),
    "node_source": Key("local or ironic", _one_of("local", "ironic"), optional=False),
    "ironic": Key("a mapping", _section, section=True),
    "observe": _SWITCH,
    "recovered_power_fault": Key("release or review", _one_of("release", "review"), optional=False),
    "hot_interval": _seconds_key(0.5, 300),
    "reconcile_interval": _seconds_key(1, 86_400),
    "noauth_beyond_loopback": _SWITCH,
    "policy_file": Key("the path of a policy file or the name of a shipped one", _policy),
    "project_admin_is_system": _SWITCH,
    "service_project": Key("the name of a project", _text),
    "types": Key("a list of names", _names, _names_text),
    "extensions": _SWITCH,
    "max_entries_per_node": _whole_key(1, 100_000),
    "busy_timeout": _seconds_key(0.1, 300),
    "workers": _whole_key(1, 64),
    "threads": _whole_key(1, 1024),
    "tls_certificate": _FILE,
    "tls_key": _FILE,
    "maintenance_history_minimum_days": _whole_key(0, 36_500),
    "node_history_minimum_days": _whole_key(0, 36_500),
    "node_history_max_entries": _whole_key(0, 1_000_000),
    "retention_interval": _seconds_key(1, 604_800),
    "log_level": Key(f"one of {', '.join(LOG_LEVELS)}", _level, optional=False),
    "test_clock": _seconds_key(-3.2e9, 3.2e9),
}
