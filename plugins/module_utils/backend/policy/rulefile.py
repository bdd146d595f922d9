# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads an operator's policy file and finds every mistake in it before a request can meet one.

oslo.policy takes much in silence: a rule it cannot parse denies, a rule without a value allows, an attribute that does not
exist makes `not` true, a null equals the word None. All of that is refused here, at start.
"""

from __future__ import annotations

import ast
import contextlib
import logging
import pathlib
import re
import typing as t

from .. import libs
from ..mistakes import near_miss
from ..yaml_file import kind, read_mapping
from . import creds, defaults, ironic_rules, target

_ATTRIBUTE = re.compile(r"%\(([^()]*)\)s")
_ABOUT: t.Final = {
    "node": (*target.NODE_ATTRIBUTES, target.SERVICE_PROJECT),
    "entry": (*target.NODE_ATTRIBUTES, *target.ENTRY_ATTRIBUTES, target.SERVICE_PROJECT),
    "fleet": (target.SERVICE_PROJECT,),
}
_SHIPPED = pathlib.Path(__file__).parent / "files"


def shipped_names() -> tuple[str, ...]:
    """Give the names of the policy files that come with the backend."""
    return tuple(sorted(file.stem for file in _SHIPPED.glob("*.yaml")))


def path_of(policy_file: str) -> str:
    """Give the path of a shipped policy file, or the argument itself if it names none."""
    return str(_SHIPPED / f"{policy_file}.yaml") if policy_file in shipped_names() else policy_file


def merged(policy_file: str | None) -> dict[str, str]:
    """Give every rule's check string: the defaults, overridden by the file (a path or a shipped name).

    Unknown names that no rule refers to have been refused by `mistakes`; here the file is taken as it is. Raises ValueError if
    it cannot be read.
    """
    rules = {rule.name: rule.check for rule in defaults.RULES}
    if policy_file is not None:
        rules.update(read_mapping(path_of(policy_file)))
    return rules


def mistakes(policy_file: str | None) -> list[str]:
    """Give one sentence for each mistake in the policy file (a path or a shipped name), [] if it is right."""
    if policy_file is None:
        return []
    path = path_of(policy_file)
    try:
        given = read_mapping(path)
    except ValueError as error:
        return [f"policy file {error}"]
    if not given:
        return [f"policy file {path} is empty; remove the setting policy_file to run with the defaults"]
    found: list[str] = []
    readable: dict[str, str] = {}
    for name, text in given.items():
        problem = _unreadable(text)
        if problem:
            found.append(f"{name!r}: {problem}")
        else:
            readable[name] = text
    checks = {name: _parse(text) for name, text in readable.items()}
    everything = {rule.name: _parse(rule.check) for rule in defaults.RULES} | checks
    broken = set(given) - set(readable)
    found += _unknown_names(given, everything)
    for rule in defaults.RULES:
        if rule.name not in broken:
            found += _walk(rule, everything, broken)
    return [f"policy file {path}: {sentence}" for sentence in dict.fromkeys(found)]


def attributes(rules: t.Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Give, for each rule that the backend asks, the target attributes on which its answer depends."""
    checks = {name: _parse(text) for name, text in rules.items()}
    return {
        rule.name: tuple(
            sorted({name for check in _leaves(rule.name, checks, ()) for name in _ATTRIBUTE.findall(check.match)})
        )
        for rule in defaults.RULES
    }


def _unreadable(text: t.Any) -> str | None:
    """Say why oslo.policy would misread a rule's text, or give None."""
    if not isinstance(text, str):
        return f"the rule must be text, not {kind(text)}"
    if not text.strip():
        return "the rule is empty, which would allow everyone; write '@' if that is meant"
    for word in text.split():
        bare = word.lstrip("(").rstrip(")")
        if bare and bare.lower() not in ("and", "or", "not", "@", "!") and ":" not in bare:
            return f"{word!r} is not a check; a check is written attribute:value"
    refused = type(_parse("!"))
    if isinstance(_parse(text), refused) and text.strip("() \t\r\n") != "!":
        return "the rule cannot be parsed; look for a missing 'and', 'or' or parenthesis"
    return None


def _unknown_names(given: t.Mapping[str, t.Any], checks: t.Mapping[str, t.Any]) -> list[str]:
    """Refuse names that nothing asks for: neither this backend, nor Ironic, nor another rule of the file."""
    known = {rule.name for rule in defaults.RULES}
    used = {check.match for tree in checks.values() for check in _flat(tree) if check.kind == "rule"}
    return [
        f"{name!r} is not a rule of this service{near_miss(name, known)}"
        for name in given
        if name not in known and name not in ironic_rules.NAMES and name not in used
    ]


def _walk(rule: defaults.Rule, checks: t.Mapping[str, t.Any], broken: t.Collection[str]) -> list[str]:
    """Check everything that a rule's answer may depend on, through its references to other rules."""
    found: list[str] = []

    def visit(name: str, path: tuple[str, ...]) -> None:
        for check in _flat(checks[name]):
            if check.kind != "rule":
                found.extend(f"{name!r}: {problem}" for problem in _leaf_mistakes(check, rule))
            elif check.match in (*path, name):
                found.append(f"{name!r}: rule:{check.match} leads back to itself")
            elif check.match in checks:
                visit(check.match, (*path, name))
            elif check.match not in broken:
                found.append(f"{name!r}: there is no rule {check.match!r}{near_miss(check.match, checks)}")

    visit(rule.name, ())
    return found


def _leaf_mistakes(check: t.Any, rule: defaults.Rule) -> t.Iterator[str]:
    """Find what is wrong with one attribute:value pair."""
    text = f"{check.kind}:{check.match}"
    if check.kind in ("http", "https"):
        yield f"{text}: a rule may not ask another service, because rules are decided while a node is locked"
        return
    literal = _is_literal(check.kind)
    if check.kind != "role" and not literal and check.kind not in creds.ATTRIBUTES:
        yield f"{text}: a caller has no attribute {check.kind!r}{near_miss(check.kind, ('role', 'rule', *creds.ATTRIBUTES))}"
    if check.kind == "None" or check.match == "None":
        yield f"{text}: None equals nothing here, what is null is left out; name the value that is meant"
    known = _ABOUT[rule.about]
    for name in _ATTRIBUTE.findall(check.match):
        if name not in known:
            yield f"{text}: {rule.name} is asked about {_described(rule)}, which has no attribute {name!r}{near_miss(name, known)}"
    if "%" in _ATTRIBUTE.sub("", check.match).replace("%%", ""):
        yield f"{text}: an attribute is written %(name)s"


def _described(rule: defaults.Rule) -> str:
    return {"node": "a node", "entry": "an entry on a node", "fleet": "no node in particular"}[rule.about]


def _is_literal(text: str) -> bool:
    """Tell whether oslo.policy takes the left side of a check for a literal rather than for an attribute."""
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True


def _parse(text: str) -> t.Any:
    """Give oslo.policy's tree of checks; `!` for what it cannot parse, without its traceback in the log."""
    with _quiet("oslo_policy._parser"):
        return libs.oslo_policy.policy.RuleDefault("rule", text).check


@contextlib.contextmanager
def _quiet(name: str) -> t.Iterator[None]:
    logger = logging.getLogger(name)
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def _flat(tree: t.Any) -> t.Iterator[t.Any]:
    """Give the attribute:value pairs of one rule's tree, references to other rules included and not followed."""
    if hasattr(tree, "rules"):
        for branch in tree.rules:
            yield from _flat(branch)
    elif hasattr(tree, "rule"):
        yield from _flat(tree.rule)
    elif hasattr(tree, "kind"):
        yield tree


def _leaves(name: str, checks: t.Mapping[str, t.Any], path: tuple[str, ...]) -> t.Iterator[t.Any]:
    """Give the attribute:value pairs on which a rule depends, references followed."""
    for check in _flat(checks[name]):
        if check.kind != "rule":
            yield check
        elif check.match in checks and check.match not in path:
            yield from _leaves(check.match, checks, (*path, name))
