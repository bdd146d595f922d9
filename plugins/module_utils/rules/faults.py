# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of fault that Ironic records (ironic.common.faults; the spec lists three of the four)."""

from __future__ import annotations

import typing as t

POWER_FAILURE = "power failure"
CLEAN_FAILURE = "clean failure"
RESCUE_ABORT_FAILURE = "rescue abort failure"
SERVICE_FAILURE = "service failure"

KINDS: t.Final = (POWER_FAILURE, CLEAN_FAILURE, RESCUE_ABORT_FAILURE, SERVICE_FAILURE)
