# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding out what a service is: asked as seldom as possible, and never remembered from an answer that proves nothing."""

from __future__ import annotations

import contextlib
import typing as t

from . import answers, errors, refusals, service, shared_cache

Ask = t.Callable[[answers.Request, t.Callable[[answers.Answer], service.Service]], service.Service]


class Discovery:
    """The service of one connection. `ask` sends a request, again where that can help, and gives what the reader makes of its answer.

    key: what the answers are shared under among the forks of a run. patience: how many seconds to wait for a fork that is asking.
    """

    def __init__(self, ask: Ask, key: str, cache: shared_cache.SharedCache | None, patience: float) -> None:
        self._ask = ask
        self._key = key
        self._cache = cache
        self._patience = patience
        self._found: service.Service | None = None

    def described(self) -> service.Service:
        """Give the service as GET /v1 describes it; `unknown` if it does not describe typed entries and nothing else is known yet."""
        return self._learn(lambda found: found is not None, self._read_document)

    def probed(self, node: str, path: str, what: str) -> service.Service:
        """Give the service, of a kind that is not `unknown`, asking for a node's entries at `path` if need be. what: what it is asked for.

        Raises Refused if that answer proves nothing, such as 404 for a node that may not exist.
        """
        described = self.described()
        return self._learn(
            lambda found: found is not None and found.kind != "unknown",
            lambda: self._probe(described, node, path, what),
        )

    def renewed(self, outdated: service.Service) -> service.Service | None:
        """Ask GET /v1 again; give the service if it is another now than the outdated one, else None."""
        self.forget()
        current = self.described()
        return None if current == outdated else current

    def forget(self) -> None:
        """Forget what is known, here and for the other forks."""
        self._found = None
        if self._cache is not None:
            with self._cache.lock(self._patience):
                self._cache.drop(self._key)

    def _learn(self, enough: t.Callable[[service.Service | None], bool], find: t.Callable[[], service.Service]) -> service.Service:
        if not enough(self._found):
            self._found = self._shared() or self._found
        if not enough(self._found):
            with self._cache.lock(self._patience) if self._cache is not None else contextlib.nullcontext():
                self._found = self._shared() or self._found
                if not enough(self._found):
                    self._found = find()
                    if self._cache is not None:
                        self._cache.put(self._key, self._found.to_dict())
        return t.cast(service.Service, self._found)

    def _shared(self) -> service.Service | None:
        stored = self._cache.get(self._key) if self._cache is not None else None
        return service.from_dict(stored) if stored is not None else None

    def _read_document(self) -> service.Service:
        request = answers.Request(method="GET", path="/v1", what="learn what the service offers", microversion=service.LATEST)

        def read(answer: answers.Answer) -> service.Service:
            if answer.status == 404:
                raise errors.BadAnswer(
                    "Cannot learn what the service offers: it has no /v1 (HTTP 404); check that api_url is the address of a bare-metal API",
                    code="bad_answer",
                    status=404,
                )
            if answer.status != 200:
                raise refusals.error_of(answer)
            return service.from_version_document(answer)

        return self._ask(request, read)

    def _probe(self, described: service.Service, node: str, path: str, what: str) -> service.Service:
        request = answers.Request(method="GET", path=path, what=what, node=node, microversion=service.LATEST)
        return self._ask(request, lambda answer: service.from_probe(described, answer))
