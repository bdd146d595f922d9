# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Masking (spec, "Security impact"): on entries whose scope strictly outranks the caller's, the asserter is hidden."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.rules import masking

# reader's scope → the scopes whose asserters it must not see
HIDDEN = {
    "system": set(),
    "owner": {"system", "x_tenant"},
    "lessee": {"system", "owner", "x_tenant"},
    None: {"system", "owner", "lessee", "x_tenant"},
}


@pytest.mark.parametrize("reader", HIDDEN)
@pytest.mark.parametrize("entry_scope", ["system", "owner", "lessee", "x_tenant"])
def test_a_scope_that_strictly_outranks_the_readers_hides_its_asserters(entry_scope: str, reader: str | None) -> None:
    assert masking.hides(entry_scope, reader) is (entry_scope in HIDDEN[reader])
