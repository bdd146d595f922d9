# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run an operation about BMCs, and give a result whether it worked or not, without any secret."""

from __future__ import annotations

import typing as t

from ..bmc import options as group
from ..bmc import scrub as secrets
from .bmc_operation import BmcFailure, BmcOperation, Params, Progress, Result
from .bmc_targets import logins, unprotected


def perform(operation: BmcOperation, params: Params, *, check_mode: bool, diff: bool, progress: Progress = lambda line: None) -> Result:
    """Give the task's result. A failure is a result too: `failed`, `msg`, `changed`, `code` and what was found until then."""
    forms = _forms(logins(params), ())
    try:
        result = operation.run(params, check_mode, diff, lambda line: progress(secrets.scrub(line, forms)))
    except BmcFailure as failure:
        result = failed(failure)
    warnings = [*result.get("warnings", ()), *unprotected(params)]
    if warnings:
        result["warnings"] = warnings
    return _without(result, forms)


def failed(failure: BmcFailure) -> Result:
    """Give the result of a task that fails."""
    return {"changed": False, "msg": failure.msg, "code": failure.code, **failure.fields, "failed": True}


def hidden(result: Result, known: t.Iterable[Params], more: t.Iterable[str] = ()) -> Result:
    """Give the result without the secrets of these logins and without `more`, in any spelling.

    Reports are left as they are: each was scrubbed where it was read, of the secrets of its own BMC.
    """
    return _without(result, _forms(known, more))


def _forms(known: t.Iterable[Params], more: t.Iterable[str]) -> list[str]:
    """Give what may stand nowhere, longest first."""
    forms = set(secrets.forms("", more))
    for login in known:
        forms.update(secrets.forms(str(login.get("bmc_username") or ""), (login.get(name) for name in group.SECRETS)))
    return sorted(forms, key=len, reverse=True)


def _without(value: t.Any, forms: t.Sequence[str]) -> t.Any:
    if isinstance(value, dict):
        return {name: member if name == "report" else _without(member, forms) for name, member in value.items()}
    if isinstance(value, list):
        return [_without(member, forms) for member in value]
    return secrets.scrub(value, forms)
