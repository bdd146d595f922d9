# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Serve a Keystone on loopback: keystone_server.py CONFIGURATION PORT, with the Python of Keystone's own environment."""

from __future__ import annotations

import os
import sys


def main(configuration: str, port: int) -> None:
    """Serve until the process is ended."""
    from cheroot.wsgi import Server
    from keystone.server.wsgi import initialize_public_application

    folder, name = os.path.split(configuration)
    # Keystone reads these when its application is made; it would read the command line otherwise.
    os.environ["OS_KEYSTONE_CONFIG_DIR"], os.environ["OS_KEYSTONE_CONFIG_FILES"] = folder, name
    sys.argv[1:] = []
    Server(("127.0.0.1", port), initialize_public_application(), numthreads=8, request_queue_size=128).safe_start()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
