# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settling one node, rule by rule: which calls are sent, in which order and when, and when the node is looked at again.

The Ironic is a model that does what a test says at a certain call, because a real one can't be made to at just that moment.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime
import logging
import pathlib
import types
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.caller import internal
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting import adopting, ironic, mirror
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.mirror import Choices, Mirror, Outcome
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.reconciler import Reconciler
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.seen import KEPT, Seen
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema.tables import tables
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.values import Changes, Locked

NODE = "11111111-2222-3333-4444-555555555555"
POWER, CLEAN = "power failure", "clean failure"


class Model:
    """The boolean of one node. calls: what was asked of it. before: what happens when a call of this name comes next, by name."""

    def __init__(self) -> None:
        self.flag, self.reason, self.fault = False, t.cast("str | None", None), t.cast("str | None", None)
        self.reservation: str | None = None
        self.last_error = "last error"
        self.calls: list[str] = []
        self.before: dict[str, list[t.Callable[[], None]]] = collections.defaultdict(list)

    def node(self, uuid: str) -> Seen:
        self._called("GET")
        return Seen(uuid, self.flag, self.reason, self.fault, self.reservation, self.last_error)

    def set_flag(self, _uuid: str, reason: str | None) -> None:
        self._called("PUT")
        self.flag, self.reason = True, reason

    def clear_flag(self, _uuid: str) -> None:
        self._called("DELETE")
        self.has(False)

    def prove(self) -> None:
        self._called("prove")

    def nodes(self, _fields: t.Sequence[str], **filters: str) -> list[dict[str, t.Any]]:
        self._called("list")
        if not filters:
            kept = {**dict.fromkeys(KEPT), "conductor_group": "", "properties": {}, "extra": {}}
            return [{**kept, "uuid": NODE, "maintenance": self.flag, "maintenance_reason": self.reason, "fault": self.fault}]
        assert filters == {"fault": POWER, "maintenance": "true"}
        return [{"uuid": NODE}] if self.fault == POWER else []

    def has(self, flag: bool, reason: str | None = None, fault: str | None = None) -> None:
        self.flag, self.reason, self.fault = flag, reason, fault

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if self.before[name]:
            self.before[name].pop(0)()


class World:
    """One node in our store, and the model."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.store = Store(f"sqlite:///{folder}/maintenance.sqlite")
        migrate.check(self.store)
        # A clock that stands still unless it is told to go on.
        self.clock = datetime.datetime(2026, 1, 1)
        self.store.now = lambda _connection: self.clock  # type: ignore[method-assign]
        columns = {"uuid": NODE, "conductor_group": "", "properties": {}, "extra": {}}
        self.store.change([], lambda _locked: Changes(create_nodes=[columns]))
        self.ironic = Model()
        self.choices = Choices()
        self.mirror = Mirror(self.store, t.cast("ironic.Ironic", self.ironic), lambda: self.choices)

    def hold(self, type_: str = "operator_hold", reason: str = "disk", **extra: t.Any) -> None:
        def decide(locked: Locked) -> Changes:
            node = locked.nodes[0]
            return Changes(insert=[adopting.entry_of(internal("op", "api"), node, type_, reason, locked.now[node.id], extra)])

        self.store.change([1], decide)

    def release(self, type_: str) -> None:
        self.store.change([1], lambda locked: Changes(delete=[entry for entry in locked.entries[1] if entry.type == type_]))

    def settle(self, outcome: Outcome = Outcome.SETTLED) -> list[str]:
        """Settle it; give what was asked of the Ironic."""
        self.ironic.calls.clear()
        assert self.mirror.settle(1) is outcome
        return list(self.ironic.calls)

    def said(self) -> list[tuple[str, str | None]]:
        found = self.mirror.mirrors.read(1)
        assert found is not None
        return [(entry.type, entry.reason) for entry in found[1]]

    def due(self) -> bool:
        return self.mirror.mirrors.due(10) == [1]

    def later(self, seconds: float) -> None:
        """Let the database's clock go on."""
        self.clock += datetime.timedelta(seconds=seconds)

    def events(self) -> list[tuple[str, str, int]]:
        history = tables().node_history
        with self.store.reading() as connection:
            rows = connection.execute(history.select().order_by(history.c.id))
            return [(row.action, row.type, row.count) for row in rows]


@pytest.fixture
def world(tmp_path: pathlib.Path) -> t.Iterator[World]:
    made = World(tmp_path)
    yield made
    made.store.close()


def fails(error: Exception) -> t.Callable[[], None]:
    def raise_it() -> None:
        raise error

    return raise_it


def test_a_change_makes_the_node_due_until_ironic_was_told_and_looked_at(world: World) -> None:
    assert not world.due()
    world.hold()
    assert world.due()
    assert world.settle() == ["GET", "PUT", "GET"]
    assert not world.due()
    assert world.settle() == ["GET"]
    world.release("operator_hold")
    assert world.settle() == ["GET", "DELETE", "GET"]


def test_entries_that_move_meanwhile_are_told_in_the_same_settling(world: World) -> None:
    world.hold()
    world.ironic.before["PUT"].append(lambda: world.hold("hardware_failure", "PSU"))
    # Each call has a look of its own before it, since time has passed since the last one.
    assert world.settle() == ["GET", "PUT", "GET", "GET", "PUT", "GET"]
    assert world.ironic.reason == "operator_hold: disk; hardware_failure: PSU"
    assert not world.due()


def test_what_is_read_back_is_ours(world: World) -> None:
    world.hold(reason="x" * 300)
    world.ironic.before["GET"] += [lambda: None, lambda: world.ironic.has(True, "operator_hold: " + "x" * 100)]
    world.settle()
    world.ironic.has(True, world.ironic.reason)
    world.release("operator_hold")
    assert world.settle()[-2:] == ["DELETE", "GET"]
    assert world.said() == []


def test_a_fault_that_came_before_the_flag_could_be_cleared_keeps_it(world: World) -> None:
    world.hold()
    world.settle()
    world.release("operator_hold")
    world.ironic.has(True, "operator_hold: disk", CLEAN)
    assert world.settle() == ["GET", "PUT", "GET"]
    assert world.said() == [("fault", "last error")]
    assert (world.ironic.flag, world.ironic.reason, world.ironic.fault) == (True, "fault: last error", CLEAN)


def test_another_fault_that_came_after_the_release_of_the_first_is_kept(world: World) -> None:
    world.hold()
    world.ironic.has(True, "no answer", POWER)
    world.settle()
    world.release("fault")
    world.ironic.fault = CLEAN
    assert "DELETE" not in world.settle()
    assert [type_ for type_, _reason in world.said()] == ["operator_hold", "fault"]
    assert world.ironic.fault == CLEAN


def test_a_fault_whose_entry_is_released_ends_with_the_flag_which_is_set_again(world: World) -> None:
    world.hold()
    world.ironic.has(True, "step", CLEAN)
    world.settle()
    world.release("fault")
    assert world.settle() == ["GET", "DELETE", "PUT", "GET"]
    assert (world.ironic.flag, world.ironic.reason, world.ironic.fault) == (True, "operator_hold: disk", None)


def test_recovery_ends_the_fault_s_entry_only_and_the_flag_is_set_again_at_once(world: World) -> None:
    world.hold()
    world.ironic.has(True, "no answer", POWER)
    world.settle()
    assert world.ironic.fault == POWER
    world.ironic.has(False)
    assert world.settle() == ["GET", "PUT", "GET"]
    assert world.said() == [("operator_hold", "disk")]
    assert [event for event in world.events() if event[0] == "external_clear"] == []
    assert ("release", "fault", 1) in world.events()


def test_recovery_of_a_node_that_nobody_holds_sets_nothing(world: World) -> None:
    world.ironic.has(True, "no answer", POWER)
    world.settle()
    world.ironic.has(False)
    assert world.settle() == ["GET"]
    assert world.said() == []


def test_a_recovery_to_be_reviewed_leaves_one_hold(world: World) -> None:
    world.choices = Choices(review=True)
    for _time in range(2):
        world.ironic.has(True, "no answer", POWER)
        world.settle()
        world.ironic.has(False)
        assert world.settle() == ["GET", "PUT", "GET"]
        assert world.said() == [("x_fault_review", "no answer")]


def test_a_recovery_to_be_reviewed_leaves_a_hold_also_where_somebody_set_the_flag_after_it(world: World) -> None:
    world.choices = Choices(review=True)
    world.ironic.has(True, "no answer", POWER)
    world.settle()
    world.ironic.has(True, "mine")
    world.settle()
    assert sorted(world.said()) == [("legacy", "mine"), ("x_fault_review", "no answer")]


def test_nothing_is_begun_after_the_stop(world: World) -> None:
    world.hold()
    world.mirror.stop()
    assert world.settle(Outcome.LATER) == []
    assert world.due()


def test_nothing_is_sent_to_a_locked_node_and_it_is_looked_at_soon(world: World) -> None:
    world.hold()
    world.ironic.reservation = "conductor-1"
    assert world.settle(Outcome.LATER) == ["GET"]
    state = world.mirror.mirrors.states([1])[1]
    assert not state.clean and "locked by conductor-1" in (state.problem or "")
    assert not world.due()
    world.later(0.6)
    assert world.due()
    world.ironic.reservation = None
    assert world.settle() == ["GET", "PUT", "GET"]


def test_a_call_refused_for_the_lock_is_not_repeated_for_two_seconds(world: World) -> None:
    world.hold()
    world.ironic.before["PUT"].append(fails(ironic.Locked("locked")))
    assert world.settle(Outcome.LATER) == ["GET", "PUT"]
    world.later(1.5)
    assert not world.due()
    world.later(0.6)
    assert world.due()


def test_a_flag_that_was_lost_is_set_again_though_the_node_was_locked_then(world: World) -> None:
    """No entry moved, so that nothing but what stood in the way makes the node due."""
    world.hold()
    world.settle()
    world.ironic.has(False)
    world.ironic.reservation = "conductor-1"
    assert world.settle(Outcome.LATER) == ["GET"]
    world.later(0.6)
    assert world.due()
    world.ironic.reservation = None
    assert world.settle() == ["GET", "PUT", "GET"]
    assert [event for event in world.events() if event[0] == "external_clear"] == [("external_clear", "operator_hold", 1)]


@pytest.mark.parametrize("call", ["PUT", "DELETE"])
def test_a_call_of_unknown_outcome_is_not_repeated_unseen_and_verified_every_second_for_a_minute(world: World, call: str) -> None:
    world.hold()
    if call == "DELETE":
        world.settle()
        world.release("operator_hold")
    world.ironic.before[call].append(fails(ironic.Unreachable("no reply", unknown=True)))
    assert world.settle(Outcome.LATER) == ["GET", call]
    assert not world.due()
    world.later(1.1)
    assert world.due()
    assert world.settle() == ["GET", call, "GET"]
    looks = 0
    for _second in range(100):
        assert not world.due()
        world.later(1.0)
        if world.due():
            looks += 1
            assert world.settle() == ["GET"]
    assert looks == 58


def test_an_ironic_that_does_not_answer_is_asked_again_in_seconds_however_long_it_lasts(world: World) -> None:
    world.hold()
    for _time in range(12):
        world.ironic.before["GET"].append(fails(ironic.Unreachable("no answer")))
        world.settle(Outcome.LATER)
        world.later(8.1)
        assert world.due()


def test_one_that_refuses_the_credential_is_asked_once_a_minute(world: World) -> None:
    world.hold()
    for _time in range(12):
        world.ironic.before["GET"].append(fails(ironic.Denied("403")))
        world.settle(Outcome.LATER)
        world.later(60.1)
    world.ironic.before["GET"].append(fails(ironic.Denied("403")))
    world.settle(Outcome.LATER)
    world.later(59)
    assert not world.due()


@pytest.mark.parametrize(("took", "fault", "sent"), [(7.0, False, True), (8.0, False, False), (3.0, True, True), (4.0, True, False)])
def test_nothing_is_sent_when_half_of_the_lease_is_over(
    world: World, monkeypatch: pytest.MonkeyPatch, took: float, fault: bool, sent: bool
) -> None:
    """Where two calls are needed, the second would begin after as long as the first may take."""
    world.hold()
    if fault:
        world.ironic.has(True, "step", CLEAN)
        world.settle()
        world.release("fault")
    now = [100.0]
    monkeypatch.setattr(mirror, "time", types.SimpleNamespace(monotonic=lambda: now[0], sleep=lambda _seconds: None))
    world.ironic.before["GET"].append(lambda: now.__setitem__(0, now[0] + took))
    calls = world.settle(Outcome.SETTLED if sent else Outcome.LATER)
    assert ("PUT" in calls) is sent
    assert mirror.CALL_TIMEOUT < mirror.LEASE / 3


def test_two_threads_never_talk_about_one_node(world: World) -> None:
    world.hold()
    during: list[Outcome] = []
    world.ironic.before["PUT"].append(lambda: during.append(world.mirror.settle(1)))
    world.settle()
    assert during == [Outcome.BUSY]


def test_more_than_three_losses_in_ten_minutes_alert_once_a_period(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    world.hold()
    world.settle()
    alerts = []
    for time in range(1, 13):
        if time == 9:
            world.later(601)
        world.ironic.has(False)
        assert world.settle() == ["GET", "PUT", "GET"]
        alerts.append(sum("ALERT" in record.getMessage() for record in caplog.records))
    assert alerts == [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2]
    assert [event for event in world.events() if event[0] == "external_clear"] == [("external_clear", "operator_hold", 12)]


def test_a_loss_ends_a_fault_that_ironic_does_not_recover_and_keeps_the_holds(world: World) -> None:
    world.hold("legacy", "old script")
    world.hold()
    world.ironic.has(True, "step", CLEAN)
    world.settle()
    world.ironic.has(False)
    assert world.settle() == ["GET", "PUT", "GET"]
    assert world.said() == [("legacy", "old script"), ("operator_hold", "disk")]
    cleared = {(action, type_) for action, type_, _count in world.events() if action == "external_clear"}
    assert cleared == {("external_clear", type_) for type_ in ("fault", "legacy", "operator_hold")}


@dataclasses.dataclass
class Hot:
    """The look at hot nodes of a world."""

    world: World
    review: bool = False

    def look(self) -> tuple[list[str], list[str]]:
        """Give whom it settled and what was asked."""
        service = t.cast("ironic.Ironic", self.world.ironic)
        self.world.ironic.calls.clear()
        found = Reconciler(self.world.store, service, self.world.mirror, review=self.review).hot()
        return found, list(self.world.ironic.calls)


def test_a_node_is_hot_with_a_power_fault_and_something_else(world: World) -> None:
    hot = Hot(world)
    assert hot.look() == ([], [])
    world.ironic.has(True, "no answer", POWER)
    world.settle()
    assert hot.look() == ([], [])
    assert Hot(world, review=True).look() == ([], ["prove", "list"])
    world.hold()
    world.settle()
    assert hot.look() == ([], ["prove", "list"])
    world.ironic.has(False)
    assert hot.look() == ([NODE], ["prove", "list", "GET", "PUT", "GET"])
    assert world.said() == [("operator_hold", "disk")]
    assert hot.look() == ([], [])


def test_nothing_is_done_on_the_word_of_a_list(world: World) -> None:
    world.hold()
    world.ironic.has(True, "no answer", POWER)
    world.settle()
    was = world.said()
    world.ironic.before["list"].append(lambda: world.ironic.__setattr__("fault", None))
    world.ironic.before["GET"].append(lambda: world.ironic.__setattr__("fault", POWER))
    assert Hot(world).look() == ([NODE], ["prove", "list", "GET"])
    assert world.said() == was


def test_a_credential_that_does_not_prove_itself_ends_the_look(world: World) -> None:
    world.hold()
    world.ironic.has(True, "no answer", POWER)
    world.settle()
    world.ironic.has(False)
    world.ironic.before["prove"].append(fails(ironic.Denied("too weak")))
    with pytest.raises(ironic.Denied):
        Hot(world).look()
    assert world.ironic.calls == ["prove"]


def test_a_comparison_leaves_to_the_sweep_what_is_to_be_told_anyway(world: World) -> None:
    world.hold()
    world.settle()
    world.hold("hardware_failure", "PSU")
    world.ironic.calls.clear()
    reconciler = Reconciler(world.store, t.cast("ironic.Ironic", world.ironic), world.mirror)
    assert reconciler.full().settled == []
    assert world.ironic.calls == ["prove", "list"]
    world.settle()
    world.ironic.has(False)
    world.ironic.calls.clear()
    assert reconciler.full().settled == [NODE]
    assert world.ironic.calls == ["prove", "list", "GET", "PUT", "GET"]
