# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two answers to one request, one of them through us: how do they differ?"""

from __future__ import annotations

import json
import re
import typing as t

from ansible_collections.baremetal.maintenance.tests.lab.direct import Answer

#: Headers that belong to one answer, one connection or one hop.
_OF_ONE: t.Final = frozenset(
    ("connection", "content-length", "date", "openstack-request-id", "server", "transfer-encoding", "x-openstack-request-id")
)
_VERSIONS: t.Final = frozenset(
    ("x-openstack-ironic-api-maximum-version", "x-openstack-ironic-api-minimum-version", "x-openstack-ironic-api-version")
)
_TIME: t.Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:\+00:00|Z)?")
_UUID: t.Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def differences(theirs: Answer, ours: Answer, same: t.Mapping[str, str], *, bodies: bool = True) -> list[str]:
    """Give a line for each thing in which an answer through us is another than Ironic's own.

    same: what stands for one thing in both (URLs, nodes), with its name. What our errors have beside Ironic's is no difference, nor is
    the newest version.
    """
    found = []
    if theirs.status != ours.status:
        found.append(f"status {theirs.status}, through us {ours.status}")
    before, after = _headers(theirs, same), _headers(ours, same)
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name) and not (name in _VERSIONS and name not in before):
            found.append(f"{name}: {before.get(name)}, through us {after.get(name)}")
    if bodies and _body(theirs, same) != _body(ours, same):
        found.append(f"body {_body(theirs, same)!r}\n through us {_body(ours, same)!r}")
    return found


def _headers(answer: Answer, same: t.Mapping[str, str]) -> dict[str, str]:
    kept = {name.lower(): value for name, value in answer.headers.items() if name.lower() not in _OF_ONE}
    kept.pop("x-openstack-ironic-api-maximum-version", None)
    return {name: _named(value, same) for name, value in kept.items()}


def _body(answer: Answer, same: t.Mapping[str, str]) -> str:
    if answer.json is None:
        return _named(answer.content.decode("utf-8", "replace"), same)
    document = dict(answer.json) if isinstance(answer.json, dict) else answer.json
    if isinstance(document, dict):
        document.pop("refusal", None)
        document.pop("maintenance_api", None)
        # How a next page is asked for is the service's own affair; that there is one is not.
        if "next" in document:
            document["next"] = bool(document["next"])
    return _named(json.dumps(document, sort_keys=True), same)


def _named(text: str, same: t.Mapping[str, str]) -> str:
    for value, name in same.items():
        text = text.replace(value, name)
    return _UUID.sub("UUID", _TIME.sub("TIME", text))
