# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands `baremetal` and `openstack`, in the test's own process: their entry points as they run, without the second of a start."""

from __future__ import annotations

import json
import logging
import os
import shlex
import typing as t

import openstackclient.shell
import pytest
from ansible_collections.baremetal.maintenance.tests.support.backend import password
from ironicclient import shell
from osc_lib import clientmanager


class Commands:
    """Both commands, against one service. url: where it is. login: None without authentication."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str, login: str | None) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        self.url = url
        self.login = login
        self.program = "baremetal"
        self.columns: int | None = None
        #: OS_ variables instead of url and login.
        self.environment: dict[str, str] | None = None

    def __call__(self, line: str, *more: str) -> tuple[int, str, str]:
        """Run `baremetal LINE`, or `openstack baremetal LINE`; give exit status, standard output and standard error."""
        for name in [name for name in os.environ if name.startswith("OS_") or name == "COLUMNS"]:
            self._monkeypatch.delenv(name)
        given = {"OS_ENDPOINT": self.url, "OS_AUTH_TYPE": "none" if self.login is None else "http_basic"}
        if self.login is not None:
            given |= {"OS_USERNAME": self.login, "OS_PASSWORD": password(self.login)}
        if self.environment is not None:
            given = dict(self.environment)
        if self.columns is not None:
            given["COLUMNS"] = str(self.columns)
        for name, value in given.items():
            self._monkeypatch.setenv(name, value)
        handlers = list(logging.getLogger().handlers)
        self._capsys.readouterr()
        words = [*shlex.split(line), *more]
        try:
            if self.program == "openstack":
                # The client of the service is kept by the class, for the one service that a process speaks to.
                for cache in vars(clientmanager.ClientManager).values():
                    if isinstance(cache, clientmanager.ClientCache):
                        cache._handle = None
                status = openstackclient.shell.main(["baremetal", *words])
            else:
                status = shell.main(words)
        except SystemExit as ended:
            status = int(ended.code or 0)
        finally:
            # Each run adds a handler that writes to the terminal, and the next one would write twice.
            logging.getLogger().handlers[:] = handlers
        said = self._capsys.readouterr()
        return status, said.out, said.err

    def good(self, line: str, *more: str) -> str:
        """Run it, which must succeed and warn of nothing; give what it wrote."""
        status, out, err = self(line, *more)
        assert (status, err) == (0, ""), err
        return out

    def json(self, line: str, *more: str) -> t.Any:
        """Run it with `-f json`; give what it wrote."""
        return json.loads(self.good(line, *more, "-f", "json"))

    def refused(self, line: str, *more: str) -> str:
        """Run it, which must fail with one sentence and no traceback; give the sentence."""
        status, out, err = self(line, *more)
        assert (status, out) == (1, ""), out
        (sentence,) = err.strip().splitlines()
        assert "Traceback" not in sentence
        return sentence
