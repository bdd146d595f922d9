# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of a playbook as the JSON that a service stores of them. YAML has keys that are numbers, and dates; JSON has neither."""

from __future__ import annotations

import json
import typing as t

from .errors import OperationError


def plain(value: t.Any, option: str) -> t.Any:
    """Give the value as a service gives it back. OperationError, naming the option: JSON can't carry it."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise OperationError(f"`{option}` holds what JSON can't carry: {error}. Nothing was done.") from error


def same(one: t.Any, other: t.Any) -> bool:
    """Tell whether two plain values are one. For Python true is 1 and 1 is 1.0; for who reads them they are not."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
