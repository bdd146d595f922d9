# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random histories of one node between our table and an Ironic that loses replies, delays calls, is written to round us and recovers.

The Ironic here is a model of the real one's boolean (research: last writer wins as a triple, DELETE clears the fault, recovery clears
all three), because no real one can be made to lose just this reply. Whatever happens: no hold is lost, nobody else's flag is cleared
unseen, nothing is held that nobody asked for, and when all is quiet both sides say the same.
"""

from __future__ import annotations

import dataclasses
import pathlib
import random
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.caller import internal
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting import adopting, ironic, judging
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.mirror import Choices, Mirror, Outcome
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.seen import Seen
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.values import Changes, Entry, Locked

NODE = "11111111-2222-3333-4444-555555555555"
POWER = "power failure"


class Killed(Exception):
    """The process ends here."""


@dataclasses.dataclass
class ModelIronic:
    """The boolean of one node. dice decides what goes wrong with a call that the service makes."""

    dice: random.Random
    flag: bool = False
    reason: str | None = None
    fault: str | None = None
    calm: bool = False
    #: Calls whose reply was lost and that arrive later.
    late: list[t.Callable[[], None]] = dataclasses.field(default_factory=list)
    #: Reasons that others wrote and that still stood when we looked.
    looked_at: list[str | None] = dataclasses.field(default_factory=list)
    cleared_foreign: list[str | None] = dataclasses.field(default_factory=list)
    foreign: str | None = None

    def node(self, uuid: str) -> Seen:
        self._mishap("look")
        return Seen(uuid=uuid, maintenance=self.flag, reason=self.reason, fault=self.fault, last_error="last error")

    def set_flag(self, uuid: str, reason: str | None) -> None:
        self._call(lambda: self._write(True, reason, self.fault))

    def clear_flag(self, uuid: str) -> None:
        self._call(lambda: self._write(False, None, None))

    def by_others(self, flag: bool, reason: str | None, *, keep_fault: bool = True) -> None:
        """A write that goes round us."""
        self._write(flag, reason if flag else None, self.fault if flag and keep_fault else None)

    def _write(self, flag: bool, reason: str | None, fault: str | None) -> None:
        self.flag, self.reason, self.fault = flag, reason, fault

    def _call(self, effect: t.Callable[[], None]) -> None:
        kind = "fine" if self.calm else self.dice.choice(["fine"] * 6 + ["killed before", "killed after", "lost", "refused", "late"])
        if kind == "killed before":
            raise Killed
        if kind == "refused":
            raise ironic.Locked("locked")
        if kind == "late":
            self.late.append(effect)
            raise ironic.Unreachable("no reply", unknown=True)
        effect()
        if kind == "killed after":
            raise Killed
        if kind == "lost":
            raise ironic.Unreachable("no reply", unknown=True)

    def _mishap(self, _what: str) -> None:
        if not self.calm and self.dice.random() < 0.05:
            raise self.dice.choice([Killed(), ironic.Unreachable("no answer"), ironic.Denied("401")])


class World:
    """One node, our store, and the model; what was asked for is kept beside."""

    def __init__(self, folder: pathlib.Path, dice: random.Random) -> None:
        self.dice = dice
        self.offset = 0.0
        self.store = Store(f"sqlite:///{folder}/maintenance.sqlite")
        migrate.check(self.store)
        columns = {"uuid": NODE, "conductor_group": "", "properties": {}, "extra": {}}
        self.store.change([], lambda _locked: Changes(create_nodes=[columns]))
        self.ironic = ModelIronic(dice)
        self.mirror = Mirror(self.store, t.cast("ironic.Ironic", self.ironic), Choices)
        self.node_id = 1
        self.asked: dict[str, str] = {}
        self.others_wrote = False
        self.serial = 0

    def entries(self) -> tuple[Entry, ...]:
        found = self.mirror.mirrors.read(self.node_id)
        assert found is not None
        return found[1]

    def hold(self) -> None:
        self.serial += 1
        key = f"k{self.serial}"
        reason = f"hold {self.serial}"

        def decide(locked: Locked) -> Changes:
            node = locked.nodes[0]
            entry = adopting.entry_of(internal("op", "api"), node, "operator_hold", reason, locked.now[node.id], {})
            return Changes(insert=[dataclasses.replace(entry, key=key)])

        self.store.change([self.node_id], decide)
        self.asked[key] = reason
        self.settle()

    def release(self) -> None:
        """Somebody who may releases one entry, of any type."""
        held = self.entries()
        if not held:
            return
        picked = self.dice.choice(held)
        self.store.change([self.node_id], lambda locked: Changes(delete=[e for e in locked.entries[self.node_id] if e.uuid == picked.uuid]))
        self.asked.pop(picked.key, None)
        self.settle()

    def settle(self) -> None:
        try:
            self.mirror.settle(self.node_id)
        except Killed:
            # Its lease runs out before anybody else settles.
            self.free()

    def free(self) -> None:
        with self.store.writing() as connection:
            connection.exec_driver_sql("UPDATE mirrors SET holder = NULL, held_until = NULL")

    def others_set(self) -> None:
        self.serial += 1
        self.others_wrote = True
        self.ironic.by_others(True, self.dice.choice([None, f"foreign {self.serial}"]))

    def others_clear(self) -> None:
        self.ironic.by_others(False, None)

    def fault(self) -> None:
        """What the sync loop does: only to a node out of maintenance."""
        if not self.ironic.flag:
            self.ironic._write(True, "During sync_power_state, max retries exceeded", POWER)

    def recover(self) -> None:
        if self.ironic.fault == POWER:
            self.ironic._write(False, None, None)

    def arrive(self) -> None:
        if self.ironic.late:
            self.ironic.late.pop(0)()

    def quiet(self) -> None:
        """Nothing goes wrong any more; what is late arrives; both sides settle."""
        self.ironic.calm = True
        self.free()
        for late in self.ironic.late:
            late()
        self.ironic.late.clear()
        for _round in range(4):
            self.free()
            assert self.mirror.settle(self.node_id) is Outcome.SETTLED

    def check(self) -> None:
        held = {entry.key: entry.reason for entry in self.entries() if entry.type == "operator_hold"}
        assert held == self.asked
        if not self.others_wrote:
            assert not [entry for entry in self.entries() if entry.type == "legacy"]

    def check_quiet(self) -> None:
        self.check()
        entries = self.entries()
        assert self.ironic.flag is bool(entries)
        assert self.ironic.reason == judging.synthesised(entries)
        assert (self.ironic.fault is not None) is any(entry.type == "fault" for entry in entries)


def _live(folder: pathlib.Path, seed: str, *, with_others: bool) -> None:
    dice = random.Random(seed)
    world = World(folder, dice)
    steps = [world.hold, world.release, world.settle, world.settle, world.fault, world.recover, world.arrive]
    if with_others:
        steps += [world.others_set, world.others_clear]
    for _step in range(30):
        dice.choice(steps)()
        world.check()
    # What others left standing before the last quiet must be an entry after it.
    foreign = world.ironic.flag and (world.ironic.reason or "").startswith("foreign")
    reason = world.ironic.reason
    late = bool(world.ironic.late)
    world.quiet()
    world.check_quiet()
    if foreign and not late:
        assert any(reason in (entry.reason or "") for entry in world.entries()), reason
    world.store.close()


@pytest.mark.soak
@pytest.mark.parametrize("with_others", [False, True])
def test_random_histories(tmp_path: pathlib.Path, seed: str, rounds: int, with_others: bool) -> None:
    for number in range(rounds * 3):
        folder = tmp_path / str(number)
        folder.mkdir()
        _live(folder, f"{seed}:{number}", with_others=with_others)
