# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors inside the results of a bulk call."""

from __future__ import annotations

import json
import typing as t

from ..client import answers, errors, refusals


def error_of(result: t.Mapping[str, t.Any], what: str) -> errors.Refused:
    """Give the error of one result that failed, as the single call would have raised it.

    result: {"node", "status", "error"}, the error in the shape of an error body (api.md 7 and 8). what: the deed, in words that follow
    "Cannot".
    """
    request = answers.Request(method="POST", path="/v1/maintenance", what=what, node=result["node"])
    body = json.dumps(result["error"]).encode()
    return refusals.error_of(answers.Answer(request=request, status=result["status"], headers={}, body=body))
