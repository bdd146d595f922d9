# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the BMC of a node in the inventory: which hosts are which node, and with which options their BMC is reached."""

from __future__ import annotations

import dataclasses
import json
import typing as t

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ...module_utils.bmc import judge, report
from ...module_utils.bmc import options as group
from ...module_utils.bmc import target as targets
from ...module_utils.operations import bmc_check

Vars = t.Mapping[str, t.Any]

#: Host variables that say which node a host is. A host's own name does not count: it may be another node's name.
NODE_VARIABLES: t.Final = ("baremetal_node", "baremetal_node_uuid")

#: The options of the group `bmc`, which host variables of these names give.
BMC_OPTIONS: t.Final = tuple(group.ARGUMENT_SPEC)
#: What is expected of the machine, and which of its parts do not count: the options of bmc_check that a host can give.
JUDGING: t.Final = ("bmc_expected", "bmc_ignore")

NEEDED: t.Final = ("bmc_protocol", "bmc_address")

_SPECS: t.Final[dict[str, t.Any]] = {
    **group.OF_A_TARGET,
    **{name: bmc_check.OPERATION.options[name.removeprefix(group.PREFIX)] for name in JUDGING},
}

#: Protocol, host, port and system: what tells a machine apart from every other one.
Place = tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Access:
    """How the BMC of one node is reached.

    problem: why the node can't be checked, one sentence. claim: which host of the inventory says so, or which given options do; two nodes
    with one BMC are one node with two names only if they come from one claim.
    """

    options: dict[str, t.Any] = dataclasses.field(default_factory=dict, repr=False)
    expected: dict[str, t.Any] = dataclasses.field(default_factory=dict)
    ignore: list[dict[str, t.Any]] = dataclasses.field(default_factory=list)
    problem: str | None = None
    claim: str = ""

    @property
    def place(self) -> Place | None:
        """Give where the machine is, however that is spelt; None if it is nowhere. IPMI and Redfish at their usual ports are one BMC."""
        try:
            bmc = targets.target({**self._where(), "username": "", "password": ""})
        except targets.BadTarget:
            return None
        port = "" if bmc.port == targets.PORTS["ipmi" if bmc.protocol == "ipmi" else "https"] else f"{bmc.protocol} {bmc.port}"
        return bmc.host.lower().rstrip("."), port, str(self.options.get("bmc_system") or "")

    @property
    def shown(self) -> str | None:
        """The BMC as messages name it. An address that could hold a password is not shown."""
        address = str(self.options.get("bmc_address") or "")
        return None if not address or "@" in address else address

    def _where(self) -> dict[str, t.Any]:
        return {name.removeprefix(group.PREFIX): self.options.get(name) for name in NEEDED}


def found(hosts: t.Sequence[Vars], given: t.Mapping[str, Vars]) -> dict[str, Access]:
    """Give the access by node name and UUID.

    hosts: the variables of hosts. given: BMC options by node, which win over those of the host that is this node. A node that is several
    hosts has none, since the evidence would be somebody else's.
    """
    claims: dict[str, list[tuple[str, Vars]]] = {}
    for number, variables in enumerate(hosts):
        for ident in dict.fromkeys(str(variables[name]) for name in NODE_VARIABLES if variables.get(name)):
            claims.setdefault(ident, []).append((f"host {number}", variables))
    known = {
        ident: _access(*several[0]) if len(several) == 1 else Access(problem="several hosts of the inventory are this node")
        for ident, several in claims.items()
    }
    for ident, options in given.items():
        claim, base = claims[ident][0] if len(claims.get(ident, ())) == 1 else (f"given {ident}", {})
        known[ident] = _access(claim, {**base, **options})
    return known


def restored(known: t.Mapping[str, t.Mapping[str, t.Any]]) -> dict[str, Access]:
    """Give what `found` gave, after a way through Ansible's variables, where it is plain data."""
    return {ident: Access(**one) for ident, one in known.items()}


def of_node(known: t.Mapping[str, Access], node: Vars) -> Access:
    """Give the access of a node, whose name and UUID must not lead to two machines."""
    several = [known[ident] for ident in _idents(node) if ident in known]
    if not several:
        return Access(problem="no host of the inventory is this node: set baremetal_node or baremetal_node_uuid and bmc_* on one")
    if len({access.place for access in several if not access.problem}) > 1:
        return Access(problem="several hosts of the inventory are this node, with different BMCs")
    return next((access for access in several if access.problem), several[0])


def alone(known: t.Mapping[str, Access], node: Vars) -> Access:
    """Give the access of a node whose BMC must be no other node's."""
    return Places(known).of_node(node)


class Places:
    """Which nodes the inventory has at which BMC: if there are two, one of them would be judged by the other's machine."""

    def __init__(self, known: t.Mapping[str, Access]) -> None:
        self._known = known
        self._at: dict[Place, list[str]] = {}
        for ident, access in known.items():
            if access.place is not None:
                self._at.setdefault(access.place, []).append(ident)

    def of_node(self, node: Vars) -> Access:
        """Give the access of a node. Its problem may be that another node has the same BMC, whether that node is of interest or not."""
        access = of_node(self._known, node)
        others = [] if access.problem else self._others(node)
        if others:
            access = dataclasses.replace(access, problem=f"another node has the same BMC in the inventory: {others[0]}")
        return access

    def _others(self, node: Vars) -> list[str]:
        own = [ident for ident in _idents(node) if ident in self._known]
        claims = {self._known[ident].claim for ident in own}
        places = {self._known[ident].place for ident in own}
        at = [ident for place in places if place is not None for ident in self._at[place]]
        return [ident for ident in at if ident not in own and self._known[ident].claim not in claims]


def _idents(node: Vars) -> list[str]:
    return [str(node[name]) for name in ("uuid", "name") if node.get(name)]


def _access(claim: str, variables: Vars) -> Access:
    if variables.get("problem"):
        return Access(problem=str(variables["problem"]), claim=claim)
    options, wrong = {}, []
    for name in (*BMC_OPTIONS, *JUDGING):
        if variables.get(name) not in (None, ""):
            value, problem = _typed(name, variables[name])
            options[name] = value
            wrong += [problem] if problem else []
    missing = [name for name in NEEDED if name not in options]
    if missing:
        wrong.insert(0, f"the inventory does not say {' nor '.join(missing)} of this node")
    judging = {name.removeprefix(group.PREFIX): options.pop(name, None) for name in JUDGING}
    if not wrong:
        wrong += _senseless(judging)
    if wrong:
        return Access(options, problem="; ".join(wrong), claim=claim)
    return Access(options, dict(judging["expected"] or {}), list(judging["ignore"] or ()), claim=claim)


def _typed(name: str, value: t.Any) -> tuple[t.Any, str | None]:
    """Give a variable in the type of its option, whatever it was written as, and what is wrong with it."""
    spec = _SPECS[name]
    if spec["type"] in ("dict", "list") and isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            # The validator takes k=v, too.
            value = value if spec["type"] == "dict" else [value]
    checked = ArgumentSpecValidator({name: spec}).validate({name: value})
    if checked.error_messages:
        # What the validator says repeats the value, which may be a password.
        return None, f"the variable {name} has a value that can't be used"
    return _said(checked.validated_parameters[name]), None


def _said(value: t.Any) -> t.Any:
    """Give a value without the members that the validator has added."""
    if isinstance(value, dict):
        return {name: member for name, member in value.items() if member is not None}
    return [_said(member) for member in value] if isinstance(value, list) else value


def _senseless(judging: Vars) -> list[str]:
    """Give what bmc_check would refuse, for which the whole task would fail, and with it every other node."""
    try:
        judge.judge(report.empty("ipmi", ""), expected=judging["expected"], ignore=judging["ignore"] or ())
    except ValueError as error:
        return [f"bmc_{error}"]
    return []
