# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures that give real parts. A part that can't be had fails its tests and says what to do; no test is skipped.

`real_ironic` (module): an Ironic without authentication. `real_keystone`: see keystone.PEOPLE. `ironic_with_keystone`: an Ironic whose
people are that Keystone's, with power synchronisation. `fronted`: our backend in front of that, see fronted.py. The last three run as long
as tests of this folder do (an Ironic that reads power every second costs the tests after them half a processor), and are shared: make
nodes of your own, and put back what you change in Keystone.
"""

from __future__ import annotations

import contextlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab import ironic_configuration
from ansible_collections.baremetal.maintenance.tests.lab.environment import NotBuilt
from ansible_collections.baremetal.maintenance.tests.lab.fronted import Fronted
from ansible_collections.baremetal.maintenance.tests.lab.fronted import backend as fronted_backend
from ansible_collections.baremetal.maintenance.tests.lab.ironic import CLEAN_STEP, Ironic
from ansible_collections.baremetal.maintenance.tests.lab.keystone import Keystone


@pytest.fixture(scope="module")
def real_ironic(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Ironic]:
    """A real Ironic without nodes, for the tests of one file."""
    ironic = Ironic(tmp_path_factory.mktemp("ironic"))
    with _running(ironic.start, ironic.stop):
        yield ironic


@pytest.fixture(scope="package")
def real_keystone(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Keystone]:
    """A real Keystone with everybody in it."""
    keystone = Keystone(tmp_path_factory.mktemp("keystone"))
    with _running(keystone.start, keystone.close):
        yield keystone


@pytest.fixture(scope="package")
def ironic_with_keystone(tmp_path_factory: pytest.TempPathFactory, real_keystone: Keystone) -> t.Iterator[Ironic]:
    """A real Ironic of that Keystone: power is read every second, and of a node with a power failure every two."""
    settings = (ironic_configuration.power_sync(1, recovery=2), ironic_configuration.cleaning(CLEAN_STEP))
    ironic = Ironic(tmp_path_factory.mktemp("ironic"), keystone=real_keystone, settings=settings)
    with _running(ironic.start, ironic.stop):
        yield ironic


@pytest.fixture(scope="package")
def fronted(tmp_path_factory: pytest.TempPathFactory, real_keystone: Keystone, ironic_with_keystone: Ironic) -> t.Iterator[Fronted]:
    """Our backend in front of that Ironic."""
    backend = fronted_backend(tmp_path_factory.mktemp("fronting"), real_keystone, ironic_with_keystone)
    with backend:
        yield Fronted(backend, ironic_with_keystone, real_keystone)


@contextlib.contextmanager
def _running(start: t.Callable[[], None], stop: t.Callable[[], None]) -> t.Iterator[None]:
    try:
        start()
    except NotBuilt as error:
        pytest.fail(str(error), pytrace=False)
    try:
        yield
    finally:
        stop()
