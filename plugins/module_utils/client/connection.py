# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection to one API: it sends what the service can do, refuses the rest before anything is sent, and gives errors without secrets."""

from __future__ import annotations

import contextlib
import time
import typing as t

from . import answers, discovery, errors, refusals, retry, scrub, service, shared_cache, transport
from .keystone.login import Login
from .settings import Settings

T = t.TypeVar("T")

#: Each extension in words that follow "does not offer".
_OFFERS: t.Final = {
    "dry_run": "dry runs, and without one this would be done for real",
    "fleet": "a listing of the holds of all nodes; ask for the holds of each node",
    "node_entries": "nodes together with their holds; ask for the holds of each node",
    "bulk": "requests about many holds at once; hold and release one by one",
    "patch": "changing a hold that is asserted; leave it as it is, or release it and assert another",
    "fault": "the assertion of faults, which only its conductor does",
    "types": "a list of its types",
    "fleet_history": "the history of all nodes; ask for the history of each node",
    "labels": "key, ticket and run; leave them out",
}


class Connection:
    """Requests to the API of these settings.

    warnings: what the user should be told, a sentence each; more may come while requests are made.
    """

    def __init__(
        self,
        settings: Settings,
        cache: shared_cache.SharedCache | None = None,
        sleep: t.Callable[[float], None] = time.sleep,
        login: Login | None = None,
    ) -> None:
        self.settings = settings
        self.warnings = settings.warnings()
        self.login = login or Login(settings)
        self._transport = transport.Transport(settings)
        self._limits = retry.Limits(retries=settings.retries, timeout=settings.timeout, sleep=sleep)
        self._discovery = discovery.Discovery(self._ask, settings.identity(), cache, settings.timeout)

    def warn(self, sentence: str) -> None:
        """Note what the user should be told, once."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)

    def described(self) -> service.Service:
        """Give the service as GET /v1 describes it; its kind may be `unknown`."""
        with self._told():
            return self._discovery.described()

    def probed(self, node: str, path: str) -> service.Service:
        """Give the service, whose kind is found out with the entries of a node, at `path`, where GET /v1 does not tell."""
        with self._told():
            return self._discovery.probed(node, path, f"learn from node {node} what the service is")

    def call(
        self,
        method: str,
        path: str,
        *,
        what: str,
        read: t.Callable[[answers.Answer], T],
        node: str | None = None,
        query: t.Mapping[str, str] | None = None,
        body: t.Any = None,
        entries_of: tuple[str, str] | None = None,
        needs: t.Sequence[str] = (),
        dry_run: bool = False,
        recover: t.Callable[[errors.ClientError], T | None] | None = None,
        resend_in_doubt: bool = True,
    ) -> T:
        """Make a request and give what `read` makes of its answer, whose status is a success.

        what: the deed, in words that follow "Cannot". entries_of: for a request that only a service with typed entries understands, the
        node and the path of its entries. needs: extensions without which it is not sent. dry_run: do it as a dry run, or not at all.
        recover, resend_in_doubt: as retry.run has them. Raises ClientError.
        """
        wanted = [*needs, "dry_run"] if dry_run else list(needs)
        parameters = {**(query or {}), "dry_run": "true"} if dry_run else dict(query or {})

        def attempt(offered: service.Service) -> T:
            self._require(offered, what, node, wanted, typed=entries_of is not None)
            request = answers.Request(
                method=method, path=path, what=what, node=node, query=parameters, body=body, microversion=offered.microversion
            )
            return retry.run(
                lambda: read(self._successful(request)),
                self._limits,
                recover=None if dry_run else recover,
                resend_in_doubt=resend_in_doubt or dry_run,
            )

        with self._told():
            offered = self._discovery.probed(*entries_of, what) if entries_of else self._discovery.described()
            try:
                return attempt(offered)
            except errors.Refused as error:
                renewed = self._discovery.renewed(offered) if _may_be_outdated(offered, error) else None
                if renewed is None:
                    raise
                return attempt(renewed)

    def _require(self, offered: service.Service, what: str, node: str | None, wanted: t.Iterable[str], *, typed: bool) -> None:
        """Raise NotSupported if the service cannot do what is wanted."""
        if typed and not offered.typed:
            raise errors.NotSupported(
                f"Cannot {what}: the service at {self.login.place} is an Ironic that knows the maintenance flag only, "
                "without typed holds; use the module baremetal.maintenance.maintenance_flag there, "
                "or set api_url to a service that has typed holds",
                code="not_supported",
                node=node,
            )
        for extension in wanted:
            if not offered.has(extension):
                raise errors.NotSupported(
                    f"Cannot {what}: the service at {self.login.place} does not offer {_OFFERS[extension]}",
                    code="not_supported",
                    node=node,
                )

    def _ask(self, request: answers.Request, read: t.Callable[[answers.Answer], service.Service]) -> service.Service:
        def once() -> service.Service:
            answer = self._exchange(request)
            # A probe that meets a lock or an overload is worth a second try like any other request.
            if answer.status in (429, 503):
                raise refusals.error_of(answer)
            return read(answer)

        return retry.run(once, self._limits)

    def _successful(self, request: answers.Request) -> answers.Answer:
        answer = self._exchange(request)
        if not 200 <= answer.status < 300:
            raise refusals.error_of(answer)
        return answer

    def _exchange(self, request: answers.Request) -> answers.Answer:
        """Send a request with the credential. One that is refused may have ended, or been revoked: a fresh one is tried once."""
        access = self.login.access()
        for sentence in access.warnings:
            self.warn(sentence)
        self._transport.become(access.settings)
        answer = self._transport.exchange(request)
        if answer.status != 401:
            return answer
        fresh = self.login.renewed(access)
        if fresh is None:
            return answer
        self._transport.become(fresh.settings)
        return self._transport.exchange(request)

    @contextlib.contextmanager
    def _told(self) -> t.Iterator[None]:
        """Let an error pass on as the user may read it; what a refused credential had learned is forgotten."""
        try:
            yield
        except errors.ClientError as error:
            error.msg = scrub.scrub(error.msg, self.login.secrets())
            if error.status == 401:
                self._discovery.forget()
            raise


def _may_be_outdated(offered: service.Service, error: errors.Refused) -> bool:
    """Tell whether a refusal may mean that the number of the typed API has moved.

    It moves when an Ironic behind the service is upgraded, while a run goes on, and below the number typed paths do not exist.
    """
    if offered.kind != "extended" or error.status not in (404, 406):
        return False
    return error.newest != offered.microversion if error.newest is not None else not error.explained
