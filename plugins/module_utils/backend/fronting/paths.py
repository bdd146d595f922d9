# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One spelling for every path and no second method: what is decided on here is exactly what Ironic is asked for.

Ironic's router accepts many spellings of one write (research on a real 39.0.0): a trailing slash, `.json`, `_method` in a query or
form body that makes a POST a DELETE. A path is decoded and canonicalised once, and that form is routed and forwarded.
"""

from __future__ import annotations

import re
import typing as t
import urllib.parse

from ..errors import Refusal

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_MAINTENANCE = re.compile(r"maintenance(\..*)?", re.IGNORECASE)
_NODES = re.compile(r"nodes(\..*)?", re.IGNORECASE)
_STATES = re.compile(r"states(\..*)?", re.IGNORECASE)
_PROVISION = re.compile(r"provision(\..*)?", re.IGNORECASE)
_SAFE: t.Final = "~:@!$&'()*+,;="


def canonical(path: str) -> str:
    """Give the one spelling of a decoded path. Refusal 400: a path that could mean two things."""
    if _CONTROL.search(path):
        raise Refusal(400, "invalid", "The path holds a control character.")
    segments = [segment for segment in path.split("/") if segment]
    if any(segment in (".", "..") for segment in segments):
        raise Refusal(400, "invalid", "The path holds `.` or `..`: give the path that is meant.")
    # Of what a router may cut off and then read as another word, nothing is let through undecided.
    if any(";" in segment and _MAINTENANCE.match(segment) for segment in segments):
        raise Refusal(400, "invalid", "The path holds parameters; give the path that is meant.")
    return "/" + "/".join(segments)


def quoted(path: str) -> str:
    """Give a canonical path as it is sent."""
    return urllib.parse.quote(path, safe="/" + _SAFE)


def hides(path: str) -> bool:
    """Tell whether a path that matches no route of ours could all the same be what is decided here: a maintenance or a provisioning.

    Ironic's router takes arguments as segments too: /v1/nodes/maintenance/NODE, /v1/nodes/NODE/states/provision/clean. In old versions
    /v1/nodes.json is /v1/nodes.
    """
    segments = path.split("/")[1:]
    if segments[:1] != ["v1"] or not _NODES.fullmatch("".join(segments[1:2])):
        return False
    below = segments[2:]
    return (
        not below
        or any(_MAINTENANCE.fullmatch(segment) for segment in below)
        or any(_STATES.fullmatch(first) and _PROVISION.fullmatch(second) for first, second in zip(below, below[1:], strict=False))
    )


def require_one_method(query: str, form: t.Callable[[], bytes] | None) -> None:
    """Refusal 400: the request names another method than its own, which Ironic's router would honour. form: gives the body if it is one."""
    if _names_method(query):
        raise _two_methods("query")
    if form is not None and _names_method(form().decode("latin-1")):
        raise _two_methods("body")


def _names_method(text: str) -> bool:
    # At whatever separates members for some reader.
    names = (part.partition("=")[0] for part in re.split("[&;]", text))
    return any(urllib.parse.unquote_plus(name, encoding="latin-1").strip().lower() == "_method" for name in names)


def _two_methods(where: str) -> Refusal:
    return Refusal(400, "invalid", f"The {where} holds _method: use the HTTP method that is meant.")
