# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Importing the client opens nothing and asks for little: every fork of a run, and every plugin that is only documented, pays for it."""

from __future__ import annotations

import subprocess
import sys

CLIENT = "ansible_collections.baremetal.maintenance.plugins.module_utils.client"


def run(script: str) -> str:
    """Give what a fresh Python prints."""
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout


def test_making_a_client_opens_no_socket_and_starts_no_thread() -> None:
    script = f"""
import socket, threading
def refuse(*args, **kwargs):
    raise RuntimeError("a socket was opened")
socket.socket.connect = socket.socket.bind = socket.create_connection = socket.getaddrinfo = refuse
from {CLIENT} import api, settings
api.Api(settings.resolve({{"api_url": "http://baremetal.example.org"}}, {{}}), cache_dir="/nonexistent")
print(threading.active_count())
"""
    assert run(script) == "1\n"


def test_neither_ansible_nor_jmespath_is_loaded_for_it() -> None:
    script = f"import sys; from {CLIENT} import api; print([name for name in ('ansible', 'jmespath', 'asyncio') if name in sys.modules])"
    assert run(script) == "[]\n"


def test_without_requests_the_client_is_made_and_says_at_the_first_request_what_is_missing() -> None:
    script = f"""
import sys
sys.modules["requests"] = None
from {CLIENT} import api, errors, settings
client = api.Api(settings.resolve({{"api_url": "http://127.0.0.1:1"}}, {{}}))
try:
    client.list_entries("n1")
except errors.MissingLibrary as error:
    print(error.to_result()["code"])
"""
    assert run(script) == "missing_library\n"
