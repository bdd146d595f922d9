# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that goes wrong in a request becomes an answer here: one sentence, in Ironic's shape (api.md 8)."""

from __future__ import annotations

import json
import logging
import typing as t

from .. import libs
from ..errors import Refusal
from . import answers
from .refusal_log import RefusalLog

LOG = logging.getLogger(__name__)


class Failures:
    """Falcon's error handlers."""

    def __init__(self) -> None:
        self._log = RefusalLog(LOG)

    def install(self, app: t.Any) -> None:
        """Handle all errors of the app."""
        app.add_error_handler(Exception, self.unexpected)
        app.add_error_handler(libs.falcon.HTTPError, self.http)
        app.add_error_handler(Refusal, self.refusal)

    def refusal(self, req: t.Any, resp: t.Any, refusal: Refusal, _params: t.Any) -> None:
        """Answer a refusal."""
        # Not asked for here: where it is found out late, that may be what was refused.
        acting = vars(req.context).get("acting")
        who = acting.caller.user_id if acting else "-"
        self._log.note(f"{who} {req.method} {req.path} {refusal.status} {refusal.code}", refusal.text)
        resp.status = refusal.status
        # A version that is not ours is refused before any resource, and so, in Ironic, in the router's shape.
        early = refusal.status == 406 and req.context.version is None and req.path != "/"
        resp.media = answers.early_error(refusal, "Not Acceptable") if early else answers.error(refusal)
        resp.set_headers(refusal.headers)

    def http(self, _req: t.Any, resp: t.Any, error: t.Any, _params: t.Any) -> None:
        """Answer what Falcon itself refuses: no such route, no such method."""
        resp.status = error.status
        if error.headers:
            resp.set_headers(error.headers)
        said = {"code": error.status_code, "title": error.title.partition(" ")[2], "description": error.description or ""}
        code = "not_found" if error.status_code == 404 else "not_supported" if error.status_code == 405 else "invalid"
        resp.media = {"error_message": json.dumps(said), "refusal": {"code": code, "node": None, "blockers": []}}

    def unexpected(self, req: t.Any, resp: t.Any, error: Exception, _params: t.Any) -> None:
        """Answer a fault of the program: the traceback goes to the log, the answer names the request."""
        request_id = getattr(req.context, "request_id", "-")
        LOG.error("%s %s %s failed", request_id, req.method, req.path, exc_info=error)
        refusal = Refusal(
            500,
            "unavailable",
            f"The service failed on this request; its log says why under {request_id}. What it was to change may have been changed.",
        )
        resp.status = 500
        resp.media = answers.error(refusal)
