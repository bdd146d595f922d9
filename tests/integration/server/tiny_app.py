# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server of a few lines under the real supervisor: `tiny_app.py CONFIG`. It says what reached it, and can take its time."""

from __future__ import annotations

import functools
import json
import os
import sys
import time
import typing as t

from ansible_collections.baremetal.maintenance.plugins.module_utils.backend import config, log, server

Environ = dict[str, t.Any]


def build(settings: config.Config) -> t.Callable[[Environ, t.Any], list[bytes]]:
    """Give an application that answers with its process, its types and its environ; `/slow` takes a second."""

    def application(environ: Environ, start_response: t.Any) -> list[bytes]:
        if environ["PATH_INFO"] == "/slow":
            time.sleep(1)
        seen = {name: value for name, value in environ.items() if isinstance(value, str)}
        start_response("200 OK", [("Content-Type", "application/json")])
        return [json.dumps({"pid": os.getpid(), "types": settings.types, "environ": seen}).encode()]

    return application


if __name__ == "__main__":
    load = functools.partial(config.load, sys.argv[1], dict(os.environ), {})
    settings = load()
    log.set_up(settings.log_level)
    raise SystemExit(server.serve(settings, load, build))
