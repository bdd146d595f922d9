# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The base of the action plugins that speak to the API."""

from __future__ import annotations

import os
import typing as t

from ansible import constants as C

from ..module_utils.client import options as connection
from ..module_utils.client import settings
from ..module_utils.client.errors import ClientError
from ..module_utils.client.keystone.login import Login
from ..module_utils.operations.errors import OperationError
from ..module_utils.operations.operation import Operation
from ..module_utils.operations.perform import perform
from ..module_utils.operations.scrub import basic, scrub
from .in_process import InProcessAction, Vars

#: Options that name files: on another machine they would be that machine's files.
FILE_OPTIONS: t.Final = ("ca_path", "client_cert", "client_key")

_FILE_VARIABLES: t.Final = frozenset(name for option in FILE_OPTIONS for name in connection.ENVIRONMENT[option])

#: Host variables that name the host's own node, in the order in which they count.
NODE_VARIABLES: t.Final = ("baremetal_node", "baremetal_node_uuid")

#: Where AWX and its predecessor say which job runs the play.
JOB_VARIABLES: t.Final = ("awx_job_id", "tower_job_id")
JOB_ENVIRONMENT: t.Final = "AWX_JOB_ID"


class MaintenanceAction(InProcessAction, is_base=True):
    """Runs one operation: here, or where the task is delegated to. Failures are results with fields, and no result holds a secret."""

    operation: t.ClassVar[Operation]

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Give the task's result."""
        super().run(tmp, task_vars)
        environ = {**os.environ, **self._task_environment()}
        secrets: set[str] = set()
        try:
            params = self._params(task_vars or {}, environ, secrets)
            result = self._delegated(params, environ, task_vars or {}, secrets) if self._is_elsewhere() else self._here(params, environ)
        except ClientError as error:
            result = {"changed": False, **error.to_result(), "failed": True}
        return scrub(result, secrets)

    def _params(self, task_vars: Vars, environ: t.Mapping[str, str], secrets: set[str]) -> dict[str, t.Any]:
        """Give the options as validated, with the host's own node filled in; add what must not be shown."""
        params, problem = self._validated(secrets)
        if problem:
            raise OperationError(problem)
        resolved = connection.resolved(params, environ)
        secrets.update(resolved[name] for name, option in connection.ARGUMENT_SPEC.items() if option.get("no_log") and resolved[name])
        secrets.update(basic(resolved["username"], resolved["password"]))
        params.update(self._default_target(params, task_vars))
        if self.operation.labels_run and params["run"] is None and not params["all"]:
            params["run"] = self._job(task_vars, environ)
        return params

    def _default_target(self, params: Vars, task_vars: Vars) -> dict[str, t.Any]:
        """Give the options that name the host's own node, none where the task says which nodes it means."""
        targets = self.operation.targets
        for name in targets:
            if name in self._task.args and params[name] is None:
                raise OperationError(
                    f"`{name}` is null: say which node is meant, or leave the option out if it is the host's own. Nothing was done."
                )
        if any(params[name] not in (None, False) for name in targets):
            return {}
        if self._task.run_once:
            raise OperationError(
                f"Which node is meant? With run_once the host is any one of the play's: say it by {_listed(targets)}. Nothing was done."
            )
        for variable in NODE_VARIABLES:
            value = self._templar.template(task_vars.get(variable))
            if value:
                return self.operation.fill_target(str(value))
        option = next(iter(self.operation.fill_target("")))
        raise OperationError(
            f"Which node is meant? Host {task_vars.get('inventory_hostname')} has no variable {' or '.join(NODE_VARIABLES)}, and its own"
            f" name may be another node's. If it is the node's, write {option}: \"{{{{ inventory_hostname }}}}\". Nothing was done."
        )

    def _job(self, task_vars: Vars, environ: t.Mapping[str, str]) -> str | None:
        for variable in JOB_VARIABLES:
            value = self._templar.template(task_vars.get(variable))
            if value:
                return str(value)
        return environ.get(JOB_ENVIRONMENT) or None

    def _here(self, params: Vars, environ: t.Mapping[str, str]) -> dict[str, t.Any]:
        return perform(
            self.operation,
            params,
            environ,
            check_mode=self._task.check_mode,
            diff=bool(self._task.diff),
            cache_dir=C.DEFAULT_LOCAL_TMP,
        )

    def _delegated(
        self, params: dict[str, t.Any], environ: t.Mapping[str, str], task_vars: dict[str, t.Any], secrets: set[str]
    ) -> dict[str, t.Any]:
        """Run the module on the other machine with every option resolved here. A login to Keystone is made here: the other gets a token."""
        files = [name for name in FILE_OPTIONS if self._task.args.get(name)]
        if files and not params["remote_files"]:
            raise OperationError(
                f"The task is delegated to {self._task.delegate_to}, where {_listed(files)} would name that machine's files:"
                " set remote_files: true if they are meant. Nothing was done."
            )
        resolved = {**params, **connection.resolved(params, environ)}
        if resolved["auth_type"] != "keystone":
            return self._run_there(resolved, files, task_vars)
        # The login is made here, where the other machine's files are not.
        login = Login(settings.resolve({**params, **dict.fromkeys(files)}, environ), C.DEFAULT_LOCAL_TMP)
        access = login.access()
        secrets.update(login.secrets())
        result = self._run_there({**resolved, **_simple(access.settings)}, files, task_vars)
        if result.get("status") == 401 and (fresh := login.renewed(access)) is not None:
            secrets.update(login.secrets())
            result = self._run_there({**resolved, **_simple(fresh.settings)}, files, task_vars)
        return result

    def _run_there(self, params: Vars, files: t.Collection[str], task_vars: dict[str, t.Any]) -> dict[str, t.Any]:
        args = {name: value for name, value in params.items() if value is not None and (name not in FILE_OPTIONS or name in files)}
        # What the environment says is in the arguments now: as variables, its secrets would stand in the command line that runs the module.
        used = {name for option, names in connection.ENVIRONMENT.items() if option not in FILE_OPTIONS for name in names}
        used |= {name for name in self._task_environment() if name.startswith("OS_") and name not in _FILE_VARIABLES}
        self._task.environment = {**self._task_environment(), **dict.fromkeys(sorted(used), "")}
        result = self._execute_module(module_name=self._name, module_args=args, task_vars=task_vars)
        result.pop("invocation", None)
        return result


def _simple(found: settings.Settings) -> dict[str, t.Any]:
    """Give the options that stand for a login that was made."""
    made = {name: getattr(found, name) for name in ("auth_type", "username", "password", "token", "validate_certs", "proxy")}
    return {**made, "api_url": found.url, "cloud": None, "auth": None, "region_name": None, "interface": None}


def _listed(names: t.Sequence[str]) -> str:
    return " or ".join(f"`{name}`" for name in names)
