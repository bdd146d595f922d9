# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the client's tests share: a scripted service, and a client of it that never sleeps."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import Settings
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire


class Sleeps(list[float]):
    """Stands in for time.sleep: notes how long it was asked to sleep."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def wire() -> t.Iterator[Wire]:
    """A service that plays the script that the test writes."""
    with Wire() as server:
        yield server


@pytest.fixture
def sleeps() -> Sleeps:
    """What the client was made to wait, in seconds."""
    return Sleeps()


@pytest.fixture
def api(wire: Wire, sleeps: Sleeps) -> Api:
    """A client of the scripted service, without credentials, with three retries."""
    return Api(Settings(url=wire.url, timeout=5), sleep=sleeps)
