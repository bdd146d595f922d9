# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settling one node: what happened in Ironic becomes entries, and what the entries say is told to Ironic.

The same steps serve a request that has just changed an entry, the sweep over what such requests left, and the reconciler: the
node's lease, a fresh look, findings into entries, one call, another look, and again if the entries moved meanwhile.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import enum
import logging
import threading
import time
import typing as t

from ..errors import Refusal
from ..store import holders
from ..store.store import Store
from ..store.values import Changes, Entry, Locked, Node
from . import adopting, ironic, judging
from .judging import Call
from .mirrors import Mirrors, Taken
from .seen import Seen

_log = logging.getLogger(__name__)

#: Seconds of a node's lease. One call to Ironic ends in a third of it; nothing is sent once half of it is over.
LEASE: t.Final = 15.0
CALL_TIMEOUT: t.Final = LEASE / 3.5
#: Seconds before a node that a conductor has locked is tried again: a refused call costs the conductor two of its own, a look nothing.
_LOCKED_PAUSE: t.Final = 2.0
_RESERVED_PAUSE: t.Final = 0.5
_FIRST_PAUSE: t.Final = 1.0
#: An Ironic that does not answer is asked again this soon, since a flag may be missing; one that refuses our credential later.
_LONGEST_PAUSE: t.Final = 8.0
_DENIED_PAUSE: t.Final = 60.0
#: How often the entries may move in one settling before it is left to the next.
_MOST_ROUNDS: t.Final = 5
#: Losses of the flag in ten minutes beyond which somebody should look.
_MOST_LOSSES: t.Final = 3
#: As many nodes a process settles at once, whoever wants it. An Ironic that is asked more at once answers each later, and one that
#: answers after a call's time is up has worked for nothing.
_AT_ONCE: t.Final = 4


class Outcome(enum.Enum):
    """How settling a node ended."""

    SETTLED = "settled"
    #: Another process or thread is at it.
    BUSY = "busy"
    #: Not yet: the node's lock, a failure, a call of unknown outcome. It is tried again.
    LATER = "later"
    #: Ironic says that there is no such node.
    GONE = "gone"


@dataclasses.dataclass(frozen=True)
class Choices:
    """What a deployment chooses.

    review: a recovered power fault leaves a hold. pinned: what Ironic says is not learned from. observe: Ironic is told nothing.
    """

    review: bool = False
    pinned: bool = False
    observe: bool = False


class Mirror:
    """Settles nodes. Threads may share it."""

    def __init__(self, store: Store, service: ironic.Ironic, choices: t.Callable[[], Choices]) -> None:
        """choices: asked anew for every node, since `pin` and `unpin` work while this runs."""
        self._store = store
        self._ironic = service
        self._choices = choices
        self._mirrors = Mirrors(store, LEASE)
        self._stopped = threading.Event()
        self._free = threading.BoundedSemaphore(_AT_ONCE)

    @property
    def mirrors(self) -> Mirrors:
        """What is remembered of the nodes."""
        return self._mirrors

    def stop(self) -> None:
        """Begin no further settling: what is under way ends, the rest is left to whoever comes after."""
        self._stopped.set()

    def settle(self, node_id: int, patience: float | None = None) -> Outcome:
        """Settle one node, once. Never raises for what Ironic does; Refusal 503: our own database fails.

        patience: seconds to wait for others to be done, as long as it takes if None.
        """
        if not self._free.acquire(timeout=patience):
            return Outcome.LATER
        try:
            return Outcome.LATER if self._stopped.is_set() else self._settle_now(node_id)
        finally:
            self._free.release()

    def _settle_now(self, node_id: int) -> Outcome:
        began = time.monotonic()
        taken = self._mirrors.take(node_id, holders.new())
        if taken is None:
            return Outcome.BUSY
        try:
            return self._settle(taken, began)
        except Refusal:
            # Not for the whole of its lease may the node be left alone; whether a call was sent is not known here.
            with contextlib.suppress(Refusal):
                self._mirrors.failed(taken, "our own database failed", again_in=_FIRST_PAUSE, unknown=True)
            raise
        except ironic.Gone:
            self._mirrors.failed(taken, f"Ironic has no node {taken.node.uuid}", again_in=_DENIED_PAUSE)
            return Outcome.GONE
        except ironic.Locked as error:
            self._mirrors.failed(taken, str(error), again_in=_LOCKED_PAUSE if error.asked else _RESERVED_PAUSE)
        except ironic.IronicError as error:
            longest = _DENIED_PAUSE if isinstance(error, ironic.Denied) else _LONGEST_PAUSE
            pause = min(_FIRST_PAUSE * 2 ** min(taken.attempts, 10), longest)
            self._mirrors.failed(taken, str(error), again_in=pause, unknown=error.unknown)
            if taken.attempts in (0, 3) or taken.attempts % 30 == 0:
                _log.warning("node %s: %s", taken.node.uuid, error)
        return Outcome.LATER

    def settle_within(self, node_ids: t.Collection[int], seconds: float) -> None:
        """Settle these nodes as far as the time allows. What is left is left to the sweep."""
        deadline = time.monotonic() + seconds
        if len(node_ids) == 1:
            self._settle_until(next(iter(node_ids)), deadline)
            return
        with concurrent.futures.ThreadPoolExecutor(min(_AT_ONCE, len(node_ids) or 1)) as pool:
            list(pool.map(lambda node_id: self._settle_until(node_id, deadline), node_ids))

    def settle_many(self, node_ids: t.Collection[int]) -> dict[int, Outcome]:
        """Settle each of these nodes once, several at a time."""
        with concurrent.futures.ThreadPoolExecutor(min(_AT_ONCE, len(node_ids) or 1)) as pool:
            return dict(zip(node_ids, pool.map(self.settle, node_ids), strict=False))

    def _settle_until(self, node_id: int, deadline: float) -> None:
        pause = 0.05
        while time.monotonic() < deadline:
            outcome = self.settle(node_id, max(0.0, deadline - time.monotonic()))
            if outcome in (Outcome.SETTLED, Outcome.GONE):
                return
            state = self._mirrors.states([node_id]).get(node_id)
            if state is None or (state.clean and outcome is Outcome.BUSY):
                return
            if outcome is Outcome.LATER:
                pause = max(pause, 0.5)
            time.sleep(max(0.0, min(pause, deadline - time.monotonic())))
            pause = min(pause * 2, 2.0)

    def _settle(self, taken: Taken, began: float) -> Outcome:
        choices = self._choices()
        node, entries, memory = taken.node, taken.entries, taken.memory
        told: list[str | None] = []
        learned: Seen | None = None
        for _round in range(_MOST_ROUNDS):
            seen = self._ironic.node(node.uuid)
            if not choices.pinned and judging.findings(entries, memory, seen):
                if choices.observe:
                    names = [type(finding).__name__ for finding in judging.findings(entries, memory, seen)]
                    _log.info("observe: found on node %s: %s", node.uuid, ", ".join(names))
                fresh = self._adopt(node, memory, seen, choices)
                if fresh is None:
                    return Outcome.BUSY
                # It is known now and must not be found once more: it is noted with the call, or on the way out.
                learned = seen
                node, entries = fresh
                memory = dataclasses.replace(memory, flag=seen.maintenance, reason=seen.reason, told=None, fault=seen.fault)
            reason = judging.cut(judging.synthesised(entries))
            if told.count(reason) > 1 and judging.is_ours(seen.reason, reason):
                # Told twice, and kept otherwise twice: so it is kept, cut shorter than usual. Once could be an older call that came late.
                memory = dataclasses.replace(memory, reason=seen.reason, told=reason)
            call = judging.call(entries, seen, memory)
            if call is not Call.NOTHING and choices.observe:
                _log.info("observe: would tell Ironic to %s the flag of node %s", call.value, node.uuid)
                call = Call.NOTHING
            if call is Call.NOTHING:
                fresh = self._mirrors.read(node.id)
                if fresh is None:
                    return Outcome.GONE
                if fresh[0].generation == node.generation:
                    # This notes what was learned as well.
                    return Outcome.SETTLED if self._mirrors.settled(taken, seen, node.generation, reason) else Outcome.BUSY
                node, entries = fresh
                continue
            if seen.reservation:
                self._note(taken, learned)
                raise ironic.Locked(f"node {node.uuid} is locked by {seen.reservation}, which is at work on it", asked=False)
            # The second of two calls begins in time as well, whatever the first takes.
            if time.monotonic() - began > LEASE / 2 - (CALL_TIMEOUT if call is Call.CLEAR_AND_SET else 0):
                self._note(taken, learned)
                raise ironic.IronicError(f"Ironic took too long over node {node.uuid}")
            if not self._mirrors.intend(taken, bool(entries), reason, learned):
                return Outcome.BUSY
            learned = None
            if entries:
                sending = (*(one for one in memory.sending if one != reason), reason)
                taken = dataclasses.replace(taken, memory=dataclasses.replace(taken.memory, sending=sending))
                memory = dataclasses.replace(memory, sending=sending)
                told.append(reason)
            self._send(call, node.uuid, reason)
            memory = dataclasses.replace(
                memory,
                flag=call is not Call.CLEAR,
                reason=reason,
                told=None,
                fault=None if call is not Call.SET else memory.fault,
            )
        self._note(taken, learned)
        raise ironic.IronicError(f"the entries of node {node.uuid} move faster than Ironic can be told")

    def _note(self, taken: Taken, learned: Seen | None) -> None:
        if learned is not None:
            self._mirrors.learn(taken, learned)

    def _send(self, call: Call, node_uuid: str, reason: str | None) -> None:
        if call in (Call.CLEAR, Call.CLEAR_AND_SET):
            self._ironic.clear_flag(node_uuid)
        if call in (Call.SET, Call.CLEAR_AND_SET):
            self._ironic.set_flag(node_uuid, reason)

    def _adopt(self, node: Node, memory: judging.Memory, seen: Seen, choices: Choices) -> tuple[Node, tuple[Entry, ...]] | None:
        """Let the entries know what was found; give the node and its entries after that. None: the node is gone."""
        lost = False

        def decide(locked: Locked) -> Changes:
            nonlocal lost
            if not locked.nodes:
                return Changes()
            there = locked.nodes[0]
            found = judging.findings(locked.entries[there.id], memory, seen)
            lost = judging.FlagLost() in found
            return adopting.changes(there, locked.entries[there.id], found, locked.now[there.id], review=choices.review)

        self._store.change([node.id], decide)
        if lost:
            count = self._mirrors.count_loss(node.id)
            if count == _MOST_LOSSES + 1:
                _log.error(
                    "ALERT: the flag of node %s was cleared round us %d times in ten minutes while it is held; it is set again each time,"
                    " but something that talks to Ironic directly keeps clearing it",
                    node.uuid,
                    count,
                )
        return self._mirrors.read(node.id)
