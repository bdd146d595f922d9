# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layers import in one direction only, and libraries only where they are guarded."""

from __future__ import annotations

import pathlib

import layers
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
OURS = "ansible_collections.baremetal.maintenance.plugins"


def planted(tmp_path: pathlib.Path, file: str, source: str) -> list[str]:
    """The complaints about a checkout that has this one file."""
    path = tmp_path / "plugins" / file
    path.parent.mkdir(parents=True)
    path.write_text(source)
    return list(layers.broken_rules(tmp_path))


def test_this_checkout_breaks_no_rule() -> None:
    assert (ROOT / "plugins" / "module_utils" / "rules").is_dir()
    assert list(layers.broken_rules(ROOT)) == []


@pytest.mark.parametrize(
    "source", ["import ansible", f"from {OURS}.module_utils.rules import types", "def f():\n    import ansible.errors"]
)
def test_the_clients_import_neither_the_collection_nor_ansible(tmp_path: pathlib.Path, source: str) -> None:
    file = tmp_path / "clients" / "baremetal_maintenance" / "sdk" / "x.py"
    file.parent.mkdir(parents=True)
    file.write_text(f"{source}\nfrom .. import ansible, errors\nfrom ..ansible import x\n")
    line = source.count("\n") + 1
    complaint = "clients must work without the collection and ansible"
    assert list(layers.broken_rules(tmp_path)) == [f"clients/baremetal_maintenance/sdk/x.py:{line}: {complaint}"]


@pytest.mark.parametrize(
    ("file", "source", "complaint"),
    [
        ("module_utils/rules/types.py", "from ..client import api", "rules must not import client"),
        ("module_utils/rules/types.py", "from .. import backend", "rules must not import backend"),
        ("module_utils/client/api.py", f"import {OURS}.module_utils.backend.app", "client must not import backend"),
        ("module_utils/client/api.py", "from ..operations import hold", "client must not import operations"),
        ("module_utils/client/api.py", "from .. import shared", "client must not import shared"),
        ("module_utils/backend/app.py", "def build():\n    from ..client import api", "backend must not import client"),
        ("module_utils/backend/store/reads.py", "from ...operations import hold", "backend must not import operations"),
        ("module_utils/bmc/redfish.py", "from ..rules import types", "bmc must not import rules"),
        ("module_utils/operations/hold.py", "from ..backend import app", "operations must not import backend"),
        ("module_utils/operations/hold.py", "from ...plugin_utils import action", "operations must not import plugin_utils"),
        ("modules/hold.py", f"from {OURS}.plugin_utils import action", "modules must not import plugin_utils"),
        ("modules/hold.py", f"from {OURS}.module_utils import backend", "modules must not import backend"),
        ("action/hold.py", f"from {OURS}.modules import hold", "action must not import modules"),
        ("inventory/holds.py", f"from {OURS}.module_utils.backend.store import reads", "inventory must not import backend"),
        ("plugin_utils/action.py", "from ..action import hold", "plugin_utils must not import action"),
        ("modules/hold.py", "import requests", "modules imports no library such as requests"),
        ("module_utils/rules/types.py", "import yaml", "rules imports no library such as yaml"),
        ("module_utils/client/transport.py", "import requests", "requests is imported in client/libs.py only"),
        ("module_utils/backend/store/libs.py", "import sqlalchemy", "sqlalchemy is imported in backend/libs.py only"),
        ("module_utils/backend/app.py", "import ansible.errors", "backend must work without ansible"),
        ("module_utils/rules/types.py", "from ansible.module_utils import basic", "rules must work without ansible"),
        ("module_utils/rules/types.py", "import time", "rules are pure: no time"),
        ("inventory/holds.py", "from ansible_collections.community.general.plugins import x", "the collection depends on no other"),
        ("module_utils/client/libs.py", "import baremetal_maintenance.service", "the collection must not import the clients"),
    ],
)
def test_an_import_that_breaks_a_rule_is_named(tmp_path: pathlib.Path, file: str, source: str, complaint: str) -> None:
    line = len(source.splitlines())
    assert planted(tmp_path, file, source) == [f"plugins/{file}:{line}: {complaint}"]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("module_utils/rules/types.py", "import re\nfrom . import scopes\nfrom .scopes import Scope"),
        ("module_utils/client/libs.py", "import requests"),
        ("module_utils/client/api.py", "from . import libs\nfrom ..rules import types\nimport ansible.module_utils.basic"),
        ("module_utils/backend/store/reads.py", "from .. import libs\nfrom ...rules.types import X\nimport sqlite3"),
        ("module_utils/backend/app.py", "import typing as t\nif t.TYPE_CHECKING:\n    import falcon"),
        ("module_utils/operations/hold.py", "from ..client.api import Api\nfrom ..rules import types"),
        ("modules/hold.py", f"from {OURS}.module_utils.operations import hold\nfrom ansible.module_utils.basic import AnsibleModule"),
        ("action/hold.py", f"from {OURS}.plugin_utils.action import Base\nfrom ..module_utils.operations import hold"),
        ("inventory/holds.py", f"from {OURS}.plugin_utils.inventory import fetch\nfrom {OURS}.module_utils.client import options"),
    ],
)
def test_an_import_downwards_is_fine(tmp_path: pathlib.Path, file: str, source: str) -> None:
    assert planted(tmp_path, file, source) == []
