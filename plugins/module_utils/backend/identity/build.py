# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds what tells callers apart, as the configuration says."""

from __future__ import annotations

import typing as t

from .. import keystone_section
from ..caller import Caller
from ..mistakes import ConfigErrors
from . import files
from .http_basic import HttpBasic
from .keystone import Keystone
from .noauth import NoAuth

if t.TYPE_CHECKING:
    from ..config import Config


class Authenticator(t.Protocol):
    """Tells who makes a request."""

    def identify(self, environ: dict[str, t.Any]) -> Caller:
        """Give the caller of a request from its WSGI environ, from which identity headers are stripped first.

        Raises Refusal 401 if the request does not prove who makes it, 503 if that cannot be found out.
        """


def build(config: Config) -> Authenticator:
    """Give the authenticator of config.auth_strategy. Raises ConfigErrors with every mistake in its files."""
    if config.auth_strategy == "noauth":
        return NoAuth()
    if config.auth_strategy == "keystone":
        return Keystone(keystone_section.options(config.keystone_authtoken))
    if config.auth_strategy != "http_basic":
        raise ConfigErrors([f"auth_strategy must be http_basic, keystone or noauth, not {config.auth_strategy!r}"])
    errors = files.mistakes(config.basic_auth_file, config.identities_file)
    if errors or config.basic_auth_file is None or config.identities_file is None:
        raise ConfigErrors(errors)
    return HttpBasic(files.passwords(config.basic_auth_file), files.identities(config.identities_file))
