# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run an operation against the API that its options name, and give a result whether it worked or not."""

from __future__ import annotations

import typing as t

from ..client.api import Api
from ..client.errors import ClientError
from ..client.settings import resolve
from .operation import Operation, Params, Result
from .scrub import scrub, scrub_keys


def perform(
    operation: Operation,
    params: Params,
    environ: t.Mapping[str, str],
    *,
    check_mode: bool,
    diff: bool,
    cache_dir: str | None = None,
) -> Result:
    """Give the task's result, without any secret. A failure is a result too: `failed`, `msg`, `changed`, `code`, `blockers` and more.

    environ: what connection options are taken from that params don't give. cache_dir: where the forks of a run share tokens and
    version answers, None for no sharing.
    """
    try:
        settings = resolve(params, environ)
    except ClientError as error:
        return _failure(error)
    api = Api(settings, cache_dir=cache_dir)
    try:
        result = operation.run(api, params, check_mode, diff)
    except ClientError as error:
        result = _failure(error)
    warnings = [*api.warnings, *result.get("warnings", ())]
    if warnings:
        result["warnings"] = warnings
    return scrub_keys(scrub(result, api.secrets()), api.secrets())


def _failure(error: ClientError) -> Result:
    return {"changed": False, **error.to_result(), "failed": True}
