# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes of a configuration, all of them at once."""

from __future__ import annotations

import difflib
import typing as t


class ConfigErrors(Exception):
    """The configuration is refused; `errors` holds one sentence for each mistake."""

    def __init__(self, errors: t.Sequence[str]) -> None:
        super().__init__("; ".join(errors))
        self.errors: tuple[str, ...] = tuple(errors)

    def __reduce__(self) -> tuple[t.Any, ...]:
        return (type(self), (self.errors,))


def near_miss(word: str, known: t.Iterable[str]) -> str:
    """Give `; did you mean X?` for the known word that is closest, "" if none is near."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]}?" if close else ""
