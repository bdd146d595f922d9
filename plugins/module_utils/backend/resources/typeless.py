# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers without a body have no Content-Type, as Ironic's have none: the framework gives one to every answer."""

from __future__ import annotations

import typing as t


def wrap(application: t.Any) -> t.Callable[[dict[str, t.Any], t.Any], t.Iterable[bytes]]:
    """Give the WSGI application whose empty answers have no Content-Type."""

    def typeless(environ: dict[str, t.Any], start_response: t.Any) -> t.Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *exception: t.Any) -> t.Any:
            if ("content-length", "0") in headers:
                headers = [line for line in headers if line[0] != "content-type"]
            return start_response(status, headers, *exception)

        return t.cast("t.Iterable[bytes]", application(environ, start))

    return typeless
