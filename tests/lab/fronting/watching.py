# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Watchers that go on while a test makes things happen: what Ironic has in its database, and what is refused through us."""

from __future__ import annotations

import collections
import threading
import time
import typing as t

import requests
from ansible_collections.baremetal.maintenance.tests.lab.direct import Answer, Direct
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic

EVERY: t.Final = 0.05


class Watcher:
    """Something that is done again and again in a thread of its own, from `with` to its end. What it raises, the end raises."""

    def __init__(self, every: float) -> None:
        self._every = every
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._error: Exception | None = None

    def __enter__(self) -> t.Any:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stop.set()
        self._thread.join()
        if self._error is not None:
            raise self._error

    def once(self) -> None:
        """Do it."""
        raise NotImplementedError

    def _run(self) -> None:
        try:
            while not self._stop.wait(self._every):
                self.once()
            self.once()
        except Exception as error:
            self._error = error


class Flags(Watcher):
    """Ironic's own flags, read from its database every 50 ms.

    unset: seconds for which a node's flag was false, by node; a sample counts up to the next one. faults: the kinds of faults seen.
    """

    def __init__(self, ironic: Ironic, nodes: t.Collection[str]) -> None:
        super().__init__(EVERY)
        self._ironic = ironic
        self._nodes = tuple(nodes)
        self._last: float | None = None
        self._was_set: dict[str, bool] = {}
        self.samples = 0
        self.unset: dict[str, float] = dict.fromkeys(self._nodes, 0.0)
        self.faults: dict[str, set[str]] = collections.defaultdict(set)

    def once(self) -> None:
        """Read them all."""
        flags = self._ironic.nodes.flags()
        now = time.monotonic()
        for node in self._nodes:
            maintenance, _reason, fault = flags[node]
            if self._last is not None and not self._was_set[node]:
                self.unset[node] += now - self._last
            self._was_set[node] = maintenance
            if fault:
                self.faults[node].add(fault)
        self._last = now
        self.samples += 1

    def lost(self) -> set[str]:
        """Give the nodes whose flag was false at least once until now."""
        return {node for node, seconds in self.unset.items() if seconds or not self._was_set.get(node, True)}


class Attempts(Watcher):
    """Somebody who tries to start something on held nodes through us, all the time. answers: what came back; silent: no answer at all."""

    def __init__(self, direct: Direct, nodes: t.Collection[str], target: str = "clean", every: float = 0.25) -> None:
        super().__init__(every)
        self._direct = direct
        self._nodes = tuple(nodes)
        self._target = target
        self.answers: list[Answer] = []
        self.silent = 0

    def once(self) -> None:
        """Try it on each node."""
        for node in self._nodes:
            body: dict[str, t.Any] = {"target": self._target}
            if self._target == "clean":
                body["clean_steps"] = [{"interface": "deploy", "step": "erase_devices"}]
            try:
                self.answers.append(self._direct.put(f"/v1/nodes/{node}/states/provision", body, seconds=30))
            except requests.RequestException:
                self.silent += 1

    @property
    def refused(self) -> bool:
        """Tell whether every answer was the refusal that Ironic itself gives for a node in maintenance."""
        return all(answer.status == 400 and "in maintenance mode" in answer.said for answer in self.answers)
