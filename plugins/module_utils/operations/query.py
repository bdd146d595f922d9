# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""JMESPath over what an info module read."""

from __future__ import annotations

import typing as t

from ..client import libs
from ..client.errors import MissingLibrary
from .errors import OperationError


def search(expression: str, data: t.Any) -> t.Any:
    """Give what a JMESPath expression picks from data. OperationError: the expression is none, or does not fit the data."""
    jmespath = libs.jmespath()
    if jmespath is None:
        raise MissingLibrary("The Python library jmespath is needed for `query` where this runs and is not installed: pip install jmespath")
    try:
        return jmespath.search(expression, data)
    except jmespath.exceptions.JMESPathError as error:
        raise OperationError(f"`query` can't be used as a JMESPath expression: {' '.join(str(error).split())}") from error
