# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fixture files hold exactly the exchanges that the recording script would record."""

from __future__ import annotations

import pathlib

import pytest
from ansible_collections.baremetal.maintenance.tests.fixtures import ironic
from ansible_collections.baremetal.maintenance.tests.fixtures.ironic import playing, record


@pytest.mark.parametrize("name", [*record.NOAUTH, *record.HTTP_BASIC])
def test_a_fixture_file_holds_every_case(name: str) -> None:
    stored, forms = playing.read(pathlib.Path(str(ironic.__file__)).with_name(f"{name}.json").read_text(encoding="ascii"))
    recording = {**record.NOAUTH, **record.HTTP_BASIC}[name]
    assert stored.cases == recording.cases, f"{name}.json is not what record.py would record now: run it"
    assert stored.nodes == recording.nodes
    assert len(forms) == len(stored.cases)
