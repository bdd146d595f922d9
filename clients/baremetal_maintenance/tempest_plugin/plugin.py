# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What tempest is told of this plugin (entry point tempest.test_plugins)."""

from __future__ import annotations

import pathlib
import typing as t

from tempest import config
from tempest.test_discover import plugins

from . import config as own

_PACKAGE = pathlib.Path(__file__).resolve().parents[1]


class Plugin(plugins.TempestPlugin):
    """Typed maintenance of bare metal nodes."""

    def load_tests(self) -> tuple[str, str]:
        """Say where the tests are, and what they are imported from."""
        return str(_PACKAGE / "tempest_plugin" / "api"), str(_PACKAGE.parent)

    def register_opts(self, conf: t.Any) -> None:
        """Add the options."""
        conf.register_group(own.GROUP)
        conf.register_opts(own.OPTIONS, own.GROUP)

    def get_opt_lists(self) -> list[tuple[str, list[t.Any]]]:
        """Give the options for a sample configuration."""
        return [(own.GROUP.name, own.OPTIONS)]

    def get_service_clients(self) -> list[dict[str, t.Any]]:
        """Give the client that tests find as os_….baremetal_maintenance.MaintenanceClient."""
        return [
            {
                "name": own.GROUP.name,
                "service_version": own.GROUP.name,
                "module_path": f"{__package__}.client",
                "client_names": ["MaintenanceClient"],
                **config.service_client_config(own.GROUP.name),
            }
        ]
