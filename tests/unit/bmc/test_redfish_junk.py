# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Redfish tree in which any value may be anything: a section may fail for a reason that has a name, nothing else."""

from __future__ import annotations

import copy
import json
import random

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import report, target
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.errors import BmcError
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.reading import Reading
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.redfish import machine, reader, sessions
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.redfish.connection import NotFound
from ansible_collections.baremetal.maintenance.tests.lab.bmc import trees

JUNK = (
    None,
    "",
    "OK",
    "N/A",
    0,
    -1,
    1e400,
    True,
    [],
    {},
    [None],
    [[]],
    ["x"],
    [{}],
    {"@odata.id": None},
    {"@odata.id": 3},
    {"@odata.id": "/"},
    "0000-00-00T00:00:00Z",
)


class Memory:
    """A connection that has its resources at hand."""

    address = "bmc:443"

    def __init__(self, tree, bmc):
        self.tree = tree
        self.target = bmc
        self.requests = 0

    def fresh(self, path):
        self.requests += 1
        resource = self.tree.get(path.split("#")[0].split("?")[0].rstrip("/"))
        if resource is None:
            raise NotFound(path)
        if not isinstance(resource, dict):
            raise BmcError("malformed", "no resource")
        return resource

    get = fresh


def holders(value):
    """All objects and lists below a value, and itself."""
    if isinstance(value, (dict, list)):
        yield value
        for member in list(value.values() if isinstance(value, dict) else value):
            yield from holders(member)


def spoil(tree, dice):
    """Replace some values by junk."""
    for holder in dice.sample(list(holders(tree)), dice.randint(1, 12)):
        name = dice.choice(list(holder) if isinstance(holder, dict) else range(len(holder))) if holder else None
        if name is not None and holder is not tree:
            holder[name] = copy.deepcopy(dice.choice(JUNK))
    if dice.random() < 0.3:
        path = dice.choice(list(tree))
        tree[path] = copy.deepcopy(dice.choice(JUNK))


def read(tree):
    """What a reading of a tree gives; raises what it stumbles over."""
    bmc = target.target({"protocol": "redfish", "address": "bmc", "username": "a", "password": "b", "power_reads": 1})
    whole = report.empty("redfish", bmc.address)
    job = Reading(bmc, report.SECTIONS, 1_700_000_000.0, lambda piece: report.merge(whole, json.loads(json.dumps(piece, allow_nan=False))))
    service = sessions.Service(
        Memory(tree, bmc), tree.get(trees.ROOT) if isinstance(tree.get(trees.ROOT), dict) else {}, lambda session: None
    )
    try:
        reader._read(job, service, machine.find(service))
    except BmcError as error:
        whole["errors"].append(error.problem("check"))
    report.finish(whole)
    return whole


def test_any_value_may_be_anything(seed, rounds):
    dice = random.Random(seed)
    sound = trees.machine()
    for _round in range(60 * rounds):
        tree = copy.deepcopy(sound)
        spoil(tree, dice)
        whole = read(tree)
        stumbled = [error for error in whole["errors"] if "could not be made sense of" in error["msg"]]
        assert stumbled == [], json.dumps(tree)
        assert whole["health"]["overall"] in ("ok", "warning", "critical", "unknown")
