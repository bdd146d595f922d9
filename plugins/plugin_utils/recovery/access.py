# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the BMC of a node in the inventory: which hosts are which node, and with which options their BMC is reached."""

from __future__ import annotations

import dataclasses
import typing as t

from ...module_utils.bmc import options as group

Vars = t.Mapping[str, t.Any]

#: Host variables that say which node a host is. A host's own name does not count: it may be another node's name.
NODE_VARIABLES: t.Final = ("baremetal_node", "baremetal_node_uuid")

#: The options of the group `bmc`, which host variables of these names give.
BMC_OPTIONS: t.Final = tuple(group.ARGUMENT_SPEC)
#: What is expected of the machine, and which of its parts do not count.
JUDGING: t.Final = ("bmc_expected", "bmc_ignore")

NEEDED: t.Final = ("bmc_protocol", "bmc_address")


@dataclasses.dataclass(frozen=True)
class Access:
    """How the BMC of one node is reached. problem: why it is not known, one sentence; the options are of no use then."""

    options: dict[str, t.Any] = dataclasses.field(default_factory=dict, repr=False)
    expected: dict[str, t.Any] = dataclasses.field(default_factory=dict)
    ignore: list[dict[str, t.Any]] = dataclasses.field(default_factory=list)
    problem: str | None = None

    @property
    def place(self) -> tuple[str, ...]:
        """What tells this machine apart from every other one."""
        return tuple(str(self.options.get(name) or "") for name in ("bmc_protocol", "bmc_address", "bmc_system"))

    @property
    def shown(self) -> str | None:
        """The BMC as messages name it. An address that could hold a password is not shown."""
        address = str(self.options.get("bmc_address") or "")
        return None if not address or "@" in address else address


def found(hosts: t.Sequence[Vars], given: t.Mapping[str, Vars]) -> dict[str, Access]:
    """Give the access by node name and UUID.

    hosts: the variables of hosts. given: BMC options by node, which win over those of the host that is this node. A node that is several
    hosts has none, since the evidence would be somebody else's.
    """
    claims: dict[str, list[Vars]] = {}
    for variables in hosts:
        for ident in dict.fromkeys(str(variables[name]) for name in NODE_VARIABLES if variables.get(name)):
            claims.setdefault(ident, []).append(variables)
    known = {ident: _access(several) for ident, several in claims.items()}
    for ident, options in given.items():
        base = claims.get(ident, [])
        known[ident] = _access([{**(base[0] if len(base) == 1 else {}), **options}])
    return known


def restored(known: t.Mapping[str, t.Mapping[str, t.Any]]) -> dict[str, Access]:
    """Give what `found` gave, after a way through Ansible's variables, where it is plain data."""
    return {ident: Access(**one) for ident, one in known.items()}


def of_node(known: t.Mapping[str, Access], node: Vars) -> Access:
    """Give the access of a node, whose name and UUID must not lead to two machines."""
    several = [known[ident] for ident in (node.get("uuid"), node.get("name")) if ident and ident in known]
    if not several:
        return Access(problem="no host of the inventory is this node: set baremetal_node or baremetal_node_uuid and bmc_* on one")
    if len({access.place for access in several if not access.problem}) > 1:
        return Access(problem="several hosts of the inventory are this node, with different BMCs")
    return next((access for access in several if access.problem), several[0])


def shared(accesses: t.Iterable[Access]) -> set[tuple[str, ...]]:
    """Give the places that more than one of these claim: one of them would be judged by another's machine."""
    seen: set[tuple[str, ...]] = set()
    twice: set[tuple[str, ...]] = set()
    for access in accesses:
        if access.problem is None:
            (twice if access.place in seen else seen).add(access.place)
    return twice


def _access(hosts: t.Sequence[Vars]) -> Access:
    if len(hosts) > 1:
        return Access(problem="several hosts of the inventory are this node")
    variables = hosts[0]
    if variables.get("problem"):
        return Access(problem=str(variables["problem"]))
    options = {name: variables[name] for name in BMC_OPTIONS if variables.get(name) not in (None, "")}
    missing = [name for name in NEEDED if name not in options]
    if missing:
        return Access(problem=f"the inventory does not say {' nor '.join(missing)} of this node")
    return Access(options, dict(variables.get("bmc_expected") or {}), list(variables.get("bmc_ignore") or ()))
