# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of these tests in tempest.conf."""

from __future__ import annotations

from oslo_config import cfg

GROUP = cfg.OptGroup("baremetal_maintenance", title="Typed maintenance of bare metal nodes")

OPTIONS = [
    cfg.StrOpt("catalog_type", default="baremetal", help="Type of the bare metal service in the catalogue."),
    cfg.StrOpt("region", default="", help="Region of the service; that of identity if empty."),
    cfg.StrOpt("endpoint_type", default="publicURL", help="Type of the service's endpoint."),
    cfg.StrOpt("driver", default="fake-hardware", help="Driver of the nodes that are enrolled for the tests and removed after them."),
    cfg.StrOpt("microversion", default="", help="The typed microversion; if empty, what the service names at /v1, else latest."),
]
