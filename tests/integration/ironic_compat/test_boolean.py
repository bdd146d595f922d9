# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Below the typed version the boolean endpoints answer as a real Ironic did, but for the deviations that are listed."""

from __future__ import annotations

import pathlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.fixtures import ironic
from ansible_collections.baremetal.maintenance.tests.fixtures.ironic import playing, words
from ansible_collections.baremetal.maintenance.tests.fixtures.ironic.wire import Normaliser, Wire
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

from . import comparing
from .deviations import AS_IRONIC, DEVIATIONS, UNCHANGED, Deviation

FIXTURE = pathlib.Path(str(ironic.__file__)).with_name("boolean.json")
RECORDING, FORMS = playing.read(FIXTURE.read_text(encoding="ascii"))
BY_DEVIATION: dict[Deviation | None, list[int]] = {}
for number, case in enumerate(RECORDING.cases):
    BY_DEVIATION.setdefault(next((deviation for deviation in DEVIATIONS if deviation.covers(case.name)), None), []).append(number)


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[playing.Player]:
    """The recording's nodes on a real backend without authentication, as the Ironic was."""
    with Backend(tmp_path_factory.mktemp("ironic_compat")) as backend:
        playing_it = playing.Player(Wire(backend.url), RECORDING)
        playing_it.make_nodes()
        yield playing_it


@pytest.fixture(scope="module")
def normaliser(player: playing.Player) -> Normaliser:
    """Writes our answers down as the recorded ones are."""
    return Normaliser(player.wire.endpoint, words.KNOWN_UUIDS)


def groups() -> list[tuple[str, tuple[int, ...]]]:
    """The exchanges without a deviation, by the first two words of their names, so that a failure says where."""
    found: dict[str, list[int]] = {}
    for number in BY_DEVIATION[None]:
        found.setdefault(" ".join(RECORDING.cases[number].name.split()[:2]).rstrip(","), []).append(number)
    return [(name, tuple(numbers)) for name, numbers in found.items()]


@pytest.mark.parametrize("numbers", [pytest.param(numbers, id=name) for name, numbers in groups()])
def test_answered_as_ironic_answered(player: playing.Player, normaliser: Normaliser, numbers: tuple[int, ...]) -> None:
    wrong = []
    for number in numbers:
        case, form = RECORDING.cases[number], FORMS[number]
        played = player.play(case)
        found = comparing.differences(form["answer"], normaliser.answer(played.answer))
        if played.after != form.get("after"):
            found.append(f"node {form.get('after')} became {played.after}")
        wrong += [f"{case.name}: {difference}" for difference in found]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("deviation", [pytest.param(deviation, id=deviation.why[:60]) for deviation in DEVIATIONS])
def test_deviates_as_listed(player: playing.Player, normaliser: Normaliser, deviation: Deviation) -> None:
    numbers = BY_DEVIATION.get(deviation, [])
    assert numbers, "no recorded exchange is one of these: take the deviation out"
    alike = True
    for number in numbers:
        case, form = RECORDING.cases[number], FORMS[number]
        before = player.give(case)
        played = player.send(case)
        ours = normaliser.answer(played.answer)
        assert ours["status"] == (deviation.status or form["answer"]["status"]), case.name
        said = comparing.text(ours)
        assert deviation.says is None or deviation.says in said, f"{case.name}: {said}"
        if deviation.says is None and deviation.status is None:
            assert said == comparing.text(form["answer"]), case.name
        assert {"openstack-request-id", "x-openstack-ironic-api-maximum-version"} <= set(comparing.headers(ours)), case.name
        if ours["status"] >= 400 and case.request.method != "HEAD":
            assert ours["json"]["refusal"]["code"], case.name
        if case.watch is not None:
            assert played.after == _expected_node(deviation, before, form), case.name
        alike = alike and not comparing.differences(form["answer"], ours) and played.after == form.get("after")
    assert not alike, "nothing deviates here: take the deviation out"


def _expected_node(deviation: Deviation, before: dict[str, t.Any] | None, form: dict[str, t.Any]) -> dict[str, t.Any] | None:
    if deviation.after == AS_IRONIC:
        return t.cast("dict[str, t.Any]", form["after"])
    if deviation.after == UNCHANGED:
        return before
    held = isinstance(deviation.after, tuple)
    return {"maintenance": held, "maintenance_reason": deviation.after[0] if held else None, "fault": None}


def test_every_recorded_exchange_is_compared() -> None:
    assert sum(map(len, BY_DEVIATION.values())) == len(RECORDING.cases) > 1000
    assert len(BY_DEVIATION[None]) > len(RECORDING.cases) / 2, "most exchanges are answered exactly as Ironic answers them"
