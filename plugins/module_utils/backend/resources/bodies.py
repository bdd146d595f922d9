# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies and query strings of requests: read them, and say in one sentence what is wrong with them."""

from __future__ import annotations

import json
import typing as t
import urllib.parse

from .. import storable
from ..errors import Refusal

ONE_MIB: t.Final = 1024 * 1024
FOUR_MIB: t.Final = 4 * ONE_MIB

JSON_TYPES: t.Final = ("application/json", "application/json-patch+json")
FORM: t.Final = "application/x-www-form-urlencoded"


class Missing:
    """Stands for "no body"."""


MISSING: t.Final = Missing()


def raw(req: t.Any, most: int = ONE_MIB) -> bytes:
    """Give the body, again where it was read before. Refusal 413: longer than `most` bytes."""
    kept: bytes | None = vars(req.context).get("body")
    if kept is not None:
        if len(kept) > most:
            raise _too_large(most)
        return kept
    length = req.content_length
    if length is not None and length > most:
        raise _too_large(most)
    if length is None and "chunked" not in (req.get_header("Transfer-Encoding") or "").lower():
        return b""
    stream = req.stream if length is None else req.bounded_stream
    data = stream.read(most + 1)
    if len(data) > most:
        raise _too_large(most)
    req.context.body = data
    return t.cast(bytes, data)


def _too_large(most: int) -> Refusal:
    return Refusal(413, "invalid", f"Request body is too large, at most {most // ONE_MIB} MiB are accepted here: send less in one request.")


def media_type(req: t.Any) -> str:
    """Give the content type without its parameters, "" for none."""
    return (req.content_type or "").partition(";")[0].strip().lower()


def json_value(req: t.Any, most: int = ONE_MIB) -> t.Any:
    """Give the JSON body, MISSING for an empty one. Refusal: 400 not JSON, 413 too large, 415 another content type."""
    data = raw(req, most)
    if not data:
        return MISSING
    if media_type(req) not in ("", *JSON_TYPES):
        raise Refusal(415, "invalid", f"The body is {media_type(req)}; send JSON with Content-Type: application/json.")
    return parse(data)


def no_members(req: t.Any) -> None:
    """Refusal 400, in Ironic's words: the body says something. A dry_run there, say, would not be looked at, and the deed done."""
    value = json_value(req)
    if value is MISSING or value is None or value == {}:
        return
    names = ", ".join(sorted(value)) if isinstance(value, dict) else "the body"
    raise Refusal(400, "invalid", f"Unexpected arguments: {names[:200]}")


def parse(data: bytes) -> t.Any:
    """Read JSON. Refusal 400: it is not JSON, or holds what can't be stored as it is."""
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_constant)
    except RecursionError:
        raise Refusal(400, "invalid", "The body is nested too deeply; flatten it.") from None
    except ValueError:
        raise Refusal(400, "invalid", "The body is not valid JSON in UTF-8; send a JSON document.") from None
    return _storable(value, "The body")


def _constant(name: str) -> t.Any:
    raise ValueError(name)


def _storable(value: t.Any, what: str) -> t.Any:
    found = storable.problem(value)
    if found:
        raise Refusal(400, "invalid", f"{what} holds {found}.")
    return value


class Arguments:
    """The query of a request: every argument must be taken, what is left is refused."""

    def __init__(self, req: t.Any, extra: t.Mapping[str, t.Any] | None = None) -> None:
        """extra: arguments of the body, which count as the query's do."""
        try:
            pairs = urllib.parse.parse_qsl(req.query_string, keep_blank_values=True, encoding="utf-8", errors="strict", max_num_fields=200)
        except (ValueError, UnicodeDecodeError):
            raise Refusal(400, "invalid", "The query string is not valid UTF-8, or has too many arguments.") from None
        self._values: dict[str, t.Any] = {}
        self._in_query = {name for name, _value in pairs}
        for name, value in pairs:
            if name in self._values:
                raise Refusal(400, "invalid", f"The argument {_storable(name, 'The query')} is given twice; give it once.")
            self._values[name] = _storable(value, "The query")
        for name, value in (extra or {}).items():
            if name in self._values:
                raise Refusal(400, "invalid", f"The argument {name} is given twice, in the query and in the body; give it once.")
            self._values[name] = value

    def take(self, name: str, default: t.Any = None) -> t.Any:
        """Give an argument and count it as known."""
        return self._values.pop(name, default)

    def has(self, name: str) -> bool:
        """Tell whether an argument is there and not yet taken."""
        return name in self._values

    def in_query(self, name: str) -> bool:
        """Tell whether an argument stands in the query, not in the body, and is not yet taken."""
        return name in self._in_query and name in self._values

    def flag(self, name: str) -> bool:
        """Give a true-or-false argument, False without it."""
        text = self.take(name)
        if text is None:
            return False
        if text.lower() in ("true", "1", "yes", "on"):
            return True
        if text.lower() in ("false", "0", "no", "off"):
            return False
        raise Refusal(400, "invalid", f"The argument {name} is true or false, not {text!r}.")

    def number(self, name: str, default: int | None = None) -> int | None:
        """Give a number that is not negative."""
        text = self.take(name)
        if text is None:
            return default
        if not (text.isascii() and text.isdigit()) or len(text) > 18:
            raise Refusal(400, "invalid", f"The argument {name} is a whole number, not {text!r}.")
        return int(text)

    def done(self) -> None:
        """Refusal 400, in Ironic's words: arguments that nobody took."""
        if self._values:
            names = ", ".join(sorted(self._values))
            raise Refusal(400, "invalid", f"Unexpected arguments: {names}")


def form(data: bytes) -> dict[str, str]:
    """Give the members of a form, which Ironic's boolean endpoints take like JSON. Refusal 400: not a form in UTF-8."""
    try:
        pairs = urllib.parse.parse_qsl(
            data.decode("ascii"), keep_blank_values=True, strict_parsing=bool(data), errors="strict", max_num_fields=20
        )
    except (ValueError, UnicodeDecodeError):
        raise Refusal(400, "invalid", "The body is not a valid form; send a JSON document.") from None
    if any(name == "_method" for name, _value in pairs):
        raise Refusal(400, "invalid", "The form member _method is refused: send the method that is meant.")
    return _storable(dict(pairs), "The body")
