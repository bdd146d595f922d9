# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The policy rules and their defaults, as data.

Where Ironic has a rule of the same name, the default is Ironic's own (ironic.common.policy, release 39.0.0, with its
`enforce_new_defaults`). The rules under `baremetal:node:maintenance:` are the specification's ("Security impact").
"""

from __future__ import annotations

import dataclasses
import typing as t

#: What a rule is about decides which attributes its target has.
About = t.Literal["node", "entry", "fleet"]


@dataclasses.dataclass(frozen=True)
class Rule:
    """A rule that the backend asks: its name, its default in oslo.policy's language, and what it governs."""

    name: str
    check: str
    description: str
    about: About


def any_of(*checks: str) -> str:
    """Join checks by `or`, each in parentheses."""
    return " or ".join(f"({check})" for check in checks)


SYSTEM_ADMIN = "role:admin and system_scope:all"
SYSTEM_SERVICE = "role:service and system_scope:all"
SYSTEM_MEMBER = any_of("role:member and system_scope:all", "rule:service_role")
SYSTEM_READER = any_of("role:reader and system_scope:all", SYSTEM_SERVICE, "rule:service_role")

OWNER_ADMIN = "role:admin and project_id:%(node.owner)s"
OWNER_MANAGER = "role:manager and project_id:%(node.owner)s"
OWNER_MEMBER = "role:member and project_id:%(node.owner)s"
OWNER_READER = "role:reader and project_id:%(node.owner)s"
OWNER_SERVICE = "role:service and project_id:%(node.owner)s"
LESSEE_ADMIN = "role:admin and project_id:%(node.lessee)s"
LESSEE_MANAGER = "role:manager and project_id:%(node.lessee)s"
LESSEE_MEMBER = "role:member and project_id:%(node.lessee)s"
LESSEE_READER = "role:reader and project_id:%(node.lessee)s"

NODE_READER = any_of(SYSTEM_READER, OWNER_READER, LESSEE_READER, OWNER_SERVICE)
NODE_MEMBER = any_of(SYSTEM_MEMBER, OWNER_MEMBER, LESSEE_MEMBER, SYSTEM_SERVICE)
OPERATOR = any_of(SYSTEM_MEMBER, SYSTEM_SERVICE, OWNER_MEMBER, LESSEE_ADMIN, LESSEE_MANAGER, OWNER_SERVICE)
OWNER_OR_SYSTEM_READER = any_of(SYSTEM_READER, SYSTEM_SERVICE, OWNER_READER, OWNER_SERVICE)
OWNER_OR_SYSTEM_MEMBER = any_of(SYSTEM_MEMBER, SYSTEM_SERVICE, OWNER_MEMBER, OWNER_SERVICE)
OWNER_ADMIN_OR_SYSTEM_MEMBER = any_of(SYSTEM_MEMBER, SYSTEM_SERVICE, OWNER_ADMIN, OWNER_MANAGER, OWNER_SERVICE)

#: An alias that other rules refer to; nothing asks it by itself. Ironic lets operators change it under this name.
SERVICE_ROLE: t.Final = Rule(
    "service_role",
    "role:service and project_name:%(config.service_project_name)s",
    "Who acts as a service of the deployment. The attribute is the configuration's service_project.",
    "fleet",
)

RULES: t.Final = (
    SERVICE_ROLE,
    Rule("baremetal:node:create", any_of(SYSTEM_ADMIN, SYSTEM_SERVICE), "Enrol a node.", "node"),
    Rule(
        "baremetal:node:create:self_owned_node",
        any_of("role:admin", "role:service"),
        "Enrol a node that the caller's project owns.",
        "node",
    ),
    Rule("baremetal:node:list", any_of("role:reader", "role:service"), "List the nodes that the caller's project may see.", "fleet"),
    Rule("baremetal:node:list_all", SYSTEM_READER, "List every node.", "fleet"),
    Rule("baremetal:node:get", NODE_READER, "See a node. A node that the caller may not see is answered as if it did not exist.", "node"),
    Rule(
        "baremetal:node:update",
        NODE_MEMBER,
        "Change a node's fields. Fields that have a rule of their own need that one too.",
        "node",
    ),
    Rule("baremetal:node:update:name", OWNER_OR_SYSTEM_MEMBER, "Change a node's name.", "node"),
    Rule("baremetal:node:update:owner", SYSTEM_MEMBER, "Change who owns a node.", "node"),
    Rule("baremetal:node:update:lessee", OWNER_OR_SYSTEM_MEMBER, "Change who leases a node.", "node"),
    Rule("baremetal:node:update:driver_interfaces", OWNER_ADMIN_OR_SYSTEM_MEMBER, "Change a node's driver.", "node"),
    Rule("baremetal:node:update:conductor_group", SYSTEM_MEMBER, "Change a node's conductor group.", "node"),
    Rule("baremetal:node:update:instance_uuid", OWNER_OR_SYSTEM_MEMBER, "Change which instance is on a node.", "node"),
    Rule("baremetal:node:update:properties", OWNER_OR_SYSTEM_MEMBER, "Change a node's properties.", "node"),
    Rule("baremetal:node:update_extra", NODE_MEMBER, "Change a node's extra.", "node"),
    Rule("baremetal:node:delete", SYSTEM_ADMIN, "Remove a node.", "node"),
    Rule("baremetal:node:delete:self_owned_node", OWNER_ADMIN, "Remove a node that the caller's project owns.", "node"),
    Rule("baremetal:node:set_maintenance", OPERATOR, "Set maintenance with the boolean endpoint or PATCH.", "node"),
    Rule("baremetal:node:clear_maintenance", OPERATOR, "Clear maintenance with the boolean endpoint or PATCH.", "node"),
    Rule("baremetal:node:history:get", OWNER_OR_SYSTEM_READER, "Read a node's history.", "node"),
    Rule("baremetal:node:maintenance:get", NODE_READER, "List a node's maintenance entries.", "node"),
    Rule("baremetal:node:maintenance:add", OPERATOR, "Assert a typed entry on a node.", "entry"),
    Rule(
        "baremetal:node:maintenance:remove",
        OPERATOR,
        "Release an entry; asked once for each, also when a collection is released. Release authority is checked in addition.",
        "entry",
    ),
    Rule("baremetal:node:maintenance:update", OPERATOR, "Change the reason, extra, ticket or run of one's own entry.", "entry"),
    Rule(
        "baremetal:node:maintenance:fault",
        any_of(SYSTEM_SERVICE, "rule:service_role", SYSTEM_ADMIN),
        "Assert a node's fault, which else only the conductor does.",
        "entry",
    ),
    Rule("baremetal:maintenance:history:get", SYSTEM_READER, "Read the maintenance history of the whole fleet.", "fleet"),
)
