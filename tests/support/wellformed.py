# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every error answer must be (api.md 8): Ironic's shape, our refusal beside it, and nothing of the inside in it."""

from __future__ import annotations

import json
import pathlib
import re
import sys
import tempfile
import typing as t

CODES: t.Final = frozenset(
    {
        "not_permitted",
        "duplicate",
        "locked",
        "budget",
        "gated",
        "reserved_type",
        "unknown_type",
        "invalid",
        "not_supported",
        "not_found",
        "unauthenticated",
        "unavailable",
    }
)
BLOCKER: t.Final = {"uuid", "type", "scope", "project", "why", "who_can"}

#: Where this checkout, its Python, the user's and temporary files are.
PLACES: t.Final = (str(pathlib.Path(__file__).resolve().parents[2]), sys.prefix, f"{pathlib.Path.home()}/", f"{tempfile.gettempdir()}/")
#: Traces of the inside: tracebacks, exceptions, SQL, drivers, files of this machine.
INSIDE: t.Final = re.compile(
    r"Traceback|File \"|\bline \d+, in|Error\(|Exception|sqlalchemy|sqlite|psycopg|\.py\b|module_utils|site-packages"
    r"|\bSELECT\b.*\bFROM\b|\bINSERT INTO\b|\bUPDATE \w+ SET\b|\bDELETE FROM\b|node_maintenance|node_history|BEGIN IMMEDIATE|PRAGMA"
    rf"|/usr/|/var/|{'|'.join(re.escape(place) for place in PLACES)}",
    re.IGNORECASE,
)


def errors_are_well_formed(status: int, content: bytes, folder: str) -> None:
    """Check an answer if it is an error, or the errors inside it if it is a list of results. folder: where the database is."""
    if status < 400:
        if b'"results"' in content:
            for result in json.loads(content)["results"]:
                if "error" in result:
                    _check(result["error"], result["status"], folder)
        return
    _check(json.loads(content), status, folder)


def _check(body: t.Any, status: int, folder: str) -> None:
    text = json.dumps(body, ensure_ascii=False)
    assert isinstance(body, dict), text
    _shape(body, status, text)
    refusal = body["refusal"]
    assert set(refusal) == {"code", "node", "blockers"}, text
    assert refusal["code"] in CODES, text
    assert refusal["node"] is None or isinstance(refusal["node"], str), text
    for blocker in refusal["blockers"]:
        assert set(blocker) == BLOCKER, text
        assert all(blocker[name] for name in BLOCKER - {"project"}), text
    found = INSIDE.search(text)
    assert found is None, f"an error tells of the inside ({found and found[0]!r}): {text}"
    assert folder not in text, text
    assert status != 500, text


def _shape(body: dict[str, t.Any], status: int, text: str) -> None:
    """One of Ironic's own shapes: the ordinary one, and that of its router for 404, 405 and 406."""
    said = json.loads(body["error_message"])
    if "faultcode" in said:
        assert set(said) == {"faultcode", "faultstring", "debuginfo"}, text
        assert said["faultcode"] == ("Client" if status < 500 else "Server"), text
        assert said["faultstring"].strip(), text
        assert said["debuginfo"] is None, text
    else:
        assert set(said) == {"code", "title", "description"}, text
        assert said["code"] == status, text
