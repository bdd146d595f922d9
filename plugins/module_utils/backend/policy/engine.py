# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The policy engine: oslo.policy, loaded once from rules that were checked, then never reading a file again."""

from __future__ import annotations

import typing as t

from .. import libs
from ..caller import Caller
from ..mistakes import ConfigErrors
from . import defaults, rulefile
from .creds import credentials
from .target import NULL, SERVICE_PROJECT

if t.TYPE_CHECKING:
    from ..config import Config


class Policy:
    """The rules in force. They do not change while this object lives: a policy file that is deleted or damaged later changes nothing."""

    def __init__(self, config: Config) -> None:
        """Load the defaults and config.policy_file over them. Raises ConfigErrors with every mistake in the file."""
        errors = rulefile.mistakes(config.policy_file)
        if errors:
            raise ConfigErrors(errors)
        try:
            rules = rulefile.merged(config.policy_file)
        except ValueError as error:
            raise ConfigErrors([f"policy file {error}"]) from None
        self._attributes = rulefile.attributes(rules)
        self._constants = {SERVICE_PROJECT: NULL if config.service_project is None else config.service_project}
        self._project_admin_is_system = config.project_admin_is_system
        self._enforcer = _enforcer(rules)

    def session(self, caller: Caller) -> Session:
        """Give the decisions for one request of this caller."""
        return Session(self, caller)

    def decide(self, rule: str, target: t.Mapping[str, str], caller: Caller) -> bool:
        """Ask oslo.policy. A rule that is not registered raises, which is a fault of the program and never an answer."""
        creds = credentials(caller, project_admin_is_system=self._project_admin_is_system)
        return bool(self._enforcer.authorize(rule, {**target, **self._constants}, creds))

    def depends_on(self, rule: str) -> tuple[str, ...]:
        """Give the target's attributes on which the rule's answer depends."""
        return self._attributes[rule]

    def is_constant(self, attribute: str) -> bool:
        """Tell whether an attribute comes from the configuration rather than from the target."""
        return attribute in self._constants


class Session:
    """One caller's decisions during one request, each asked once. Not shared between threads."""

    def __init__(self, policy: Policy, caller: Caller) -> None:
        self._policy = policy
        self._caller = caller
        self._known: dict[tuple[t.Any, ...], bool] = {}

    def allows(self, rule: str, target: t.Mapping[str, str]) -> bool:
        """Tell whether policy lets the caller do what `rule` governs to what `target` describes (see the functions of target.py).

        A decision is remembered by every attribute that the rule can read, so it is exact and a call over a thousand nodes asks
        once for each owner, not for each node. Raises KeyError for an unknown rule or a target without an attribute that the
        rule reads.
        """
        key = (rule, *(target[name] for name in self._policy.depends_on(rule) if not self._policy.is_constant(name)))
        decision = self._known.get(key)
        if decision is None:
            decision = self._known[key] = self._policy.decide(rule, target, self._caller)
        return decision


def _enforcer(rules: t.Mapping[str, str]) -> t.Any:
    """Give an Enforcer that holds exactly these rules and looks for no file.

    Its own reading of files is never used: it searches default folders, reloads while running, and falls back in silence when
    a file is gone.
    """
    conf = libs.oslo_config.cfg.ConfigOpts()
    conf([], project="baremetal-maintenance", default_config_files=[], default_config_dirs=[])
    policy = libs.oslo_policy.policy
    enforcer = policy.Enforcer(conf, use_conf=False)
    enforcer.register_defaults([policy.RuleDefault(rule.name, rule.check, rule.description) for rule in defaults.RULES])
    enforcer.set_rules(policy.Rules.from_dict(dict(rules)), overwrite=True, use_conf=False)
    return enforcer
