# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line says when it is used wrongly."""

from __future__ import annotations

import pathlib

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["srve"], "invalid choice: 'srve'"),
        (["serve", "--prot", "1"], "unrecognized arguments: --prot 1"),
        (["serve", "--data", "x"], "unrecognized arguments: --data x"),
        (["migrate", "--port", "1"], "unrecognized arguments: --port 1"),
        (["import"], "the following arguments are required: SOURCE"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments, {})
    captured = capsys.readouterr()
    assert ended.value.code == 2
    assert expected in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_mistakes_of_the_configuration_are_a_line_each_and_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", "x", "--workers", "0"], {}) == 2
    assert capsys.readouterr().err.splitlines() == [
        "baremetal-maintenance-backend: --port must be a number from 0 to 65535, not 'x'",
        "baremetal-maintenance-backend: --workers must be a number from 1 to 64, not '0'",
        "baremetal-maintenance-backend: database is missing: the path of an SQLite file or a postgresql URL",
        "baremetal-maintenance-backend: auth_strategy is missing: http_basic, keystone or noauth",
    ]


def test_the_file_can_be_named_in_the_environment(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "backend.yml").write_text("database: m.sqlite\n", encoding="utf-8")
    assert main(["migrate"], {"BAREMETAL_MAINTENANCE_BACKEND_CONFIG": str(tmp_path / "backend.yml")}) == 0
    assert f"{tmp_path}/m.sqlite: applied 001, 002" in capsys.readouterr().out


def test_migrate_again_has_nothing_to_do(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = str(tmp_path / "m.sqlite")
    assert main(["migrate", "--database", database], {}) == 0
    assert main(["migrate", "--database", database], {}) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith(f"{database}: nothing to do")


def test_a_database_that_is_none_is_a_sentence_and_status_1(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.sqlite").write_text("this is not a database, whatever its name says\n" * 50, encoding="utf-8")
    assert main(["migrate", "--database", str(tmp_path / "m.sqlite")], {}) == 1
    captured = capsys.readouterr()
    assert captured.err.count("baremetal-maintenance-backend: ") == 1
    assert "Traceback" not in captured.err
