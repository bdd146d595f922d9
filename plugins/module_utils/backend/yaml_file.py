# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML files of the operator: read strictly, every failure as one sentence."""

from __future__ import annotations

import typing as t

from . import libs


def read_mapping(path: str) -> dict[str, t.Any]:
    """Give the one mapping that the YAML file holds, {} for an empty file.

    Raises ValueError with a sentence that names the file: missing, unreadable, not UTF-8, not YAML, more than one document,
    not a mapping, a key that is not text, or a key that stands twice (plain YAML would silently keep the last).
    """
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None
    try:
        content = libs.yaml.load(text, Loader=_strict_loader())
    except libs.yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise ValueError(f"{path} is not valid YAML{where}: {error.problem or error.context}") from None
    except libs.yaml.YAMLError as error:
        raise ValueError(f"{path} is not valid YAML: {' '.join(str(error).split())}") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise ValueError(f"{path} must hold a mapping of names to values, not {kind(content)}")
    for key in content:
        if not isinstance(key, str):
            raise ValueError(f"{path}: the key {key!r} is {kind(key)}, not text; quote it")
    return content


def kind(value: t.Any) -> str:
    """Name a YAML value's kind as an operator would."""
    if value is None:
        return "nothing"
    for types, name in (
        (bool, "true or false"),
        ((int, float), "a number"),
        (str, "text"),
        (list, "a list"),
        (dict, "a mapping"),
    ):
        if isinstance(value, types):
            return name
    return "a date or another kind of value"


def _strict_loader() -> t.Any:
    """Give a safe loader that refuses a mapping's repeated keys."""

    class StrictLoader(libs.yaml.SafeLoader):
        def construct_mapping(self, node: t.Any, deep: bool = False) -> dict[t.Any, t.Any]:
            seen = set()
            for key_node, _value in node.value:
                if key_node.tag == "tag:yaml.org,2002:merge":
                    continue
                if key_node.value in seen if isinstance(key_node.value, str) else False:
                    raise libs.yaml.constructor.ConstructorError(
                        None, None, f"the key {key_node.value!r} stands twice", key_node.start_mark
                    )
                if isinstance(key_node.value, str):
                    seen.add(key_node.value)
            return super().construct_mapping(node, deep=deep)

    return StrictLoader
