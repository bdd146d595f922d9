# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes, entries, callers and policies for the tests of policy."""

from __future__ import annotations

import pathlib
import typing as t

import yaml
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.caller import Caller
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.config import Config
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.identity.roles import expanded
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.policy import target
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.policy.engine import Policy

GET = "baremetal:node:get"
SET = "baremetal:node:set_maintenance"
ADD = "baremetal:node:maintenance:add"
REMOVE = "baremetal:node:maintenance:remove"


def caller(role: str = "member", *, project: str = "", system: bool = False, user: str = "someone", name: str | None = None) -> Caller:
    """A caller with a role and those that it implies."""
    return Caller(user_id=user, project_id=project, project_name=name, roles=expanded([role]), system=system)


def node(owner: str | None = "own", lessee: str | None = "les", name: str | None = "k-1") -> dict[str, str]:
    """The target of a node."""
    return target.node_target(
        uuid="4bcdcfe1-3c33-4c33-94f4-a422a5273c33",
        name=name,
        owner=owner,
        lessee=lessee,
        driver="redfish",
        resource_class=None,
        conductor_group="",
    )


def entry(
    about: t.Mapping[str, str] | None = None,
    *,
    type: str = "operator_hold",
    scope: str = "owner",
    by: str | None = "somebody-else",
    project: str | None = "own",
    call: target.Call = "single",
) -> dict[str, str]:
    """The target of an entry on a node."""
    return target.entry_target(about or node(), type=type, scope=scope, asserted_by=by, asserted_by_project=project, call=call)


def policy(rules: t.Mapping[str, str] | str | None = None, *, folder: pathlib.Path | None = None, **settings: t.Any) -> Policy:
    """A policy of these rules over the defaults (a mapping, written to a file in the folder), of a shipped file, or of the defaults."""
    file = rules
    if isinstance(rules, dict):
        assert folder is not None
        path = folder / "policy.yaml"
        path.write_text(yaml.safe_dump(rules), encoding="utf-8")
        file = str(path)
    return Policy(Config(database="/unused", auth_strategy="noauth", policy_file=t.cast("str | None", file), **settings))
