# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The backend inside the test's own process: the real application, a real SQLite file, http_basic identities.

    service = Service(tmp_path)
    node = service.node()
    answer = service.by("lessee").post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    assert answer.status == 201

Every error that passes through here is checked for its shape and for what must not be in it (see errors_are_well_formed).
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import datetime
import functools
import itertools
import json
import pathlib
import shutil
import sqlite3
import tempfile
import typing as t
import unittest.mock
import uuid

import bcrypt
import falcon.testing
import yaml
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend import app
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.config import Config
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.identity.build import build as build_authenticator
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.service import node_members
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.service.parts import Parts
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.values import Changes, Entry, Event, Locked, Node

from . import cast
from .wellformed import errors_are_well_formed

#: The typed API's microversion, as the specification's first implementation has it.
TYPED: t.Final = "1.116"
#: The newest version without typed entries.
BELOW: t.Final = "1.115"
PUBLIC: t.Final = "http://maintenance.example"

#: Stands for a request without a version header.
ABSENT: t.Final = ""


@dataclasses.dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: t.Mapping[str, str]
    content: bytes

    @property
    def json(self) -> t.Any:
        """The body."""
        return json.loads(self.content)

    @property
    def everything(self) -> str:
        """Every byte of the answer: status, headers and body."""
        lines = [str(self.status), *(f"{name}: {value}" for name, value in self.headers.items())]
        return "\n".join(lines) + "\n" + self.content.decode()

    @property
    def said(self) -> str:
        """The text of an error."""
        return t.cast(str, json.loads(self.json["error_message"])["faultstring"])

    @property
    def refusal(self) -> dict[str, t.Any]:
        """What a client branches on."""
        return t.cast("dict[str, t.Any]", self.json["refusal"])

    @property
    def code(self) -> str:
        """The code of a refusal."""
        return t.cast(str, self.refusal["code"])

    @property
    def blockers(self) -> list[dict[str, t.Any]]:
        """The entries that stand in the way."""
        return t.cast("list[dict[str, t.Any]]", self.refusal["blockers"])


class Client:
    """One identity's view of the service. Paths are below /v1; the version is the typed one unless said otherwise."""

    def __init__(self, service: Service, login: str | None) -> None:
        self._service = service
        self._login = login

    def get(self, path: str, **more: t.Any) -> Answer:
        """Send GET."""
        return self.send("GET", path, **more)

    def post(self, path: str, body: t.Any = None, **more: t.Any) -> Answer:
        """Send POST with a JSON body."""
        return self.send("POST", path, body, **more)

    def put(self, path: str, body: t.Any = None, **more: t.Any) -> Answer:
        """Send PUT with a JSON body."""
        return self.send("PUT", path, body, **more)

    def patch(self, path: str, body: t.Any = None, **more: t.Any) -> Answer:
        """Send PATCH with a JSON body."""
        return self.send("PATCH", path, body, **more)

    def delete(self, path: str, body: t.Any = None, **more: t.Any) -> Answer:
        """Send DELETE."""
        return self.send("DELETE", path, body, **more)

    def send(
        self,
        method: str,
        path: str,
        body: t.Any = None,
        *,
        raw: bytes | None = None,
        version: str = TYPED,
        headers: t.Mapping[str, str] | None = None,
        root: str = "/v1",
    ) -> Answer:
        """Send a request. body: sent as JSON, None for no body. raw: sent as it is, beside it no Content-Type is set."""
        lines: dict[str, str] = {} if version == ABSENT else {"X-OpenStack-Ironic-API-Version": version}
        if self._login is not None:
            lines["Authorization"] = authorization(self._login)
        if body is not None:
            raw = json.dumps(body).encode()
            lines["Content-Type"] = "application/json"
        lines.update(headers or {})
        return self._service.send(method, f"{root}{path}", raw, lines)


class Service:
    """A backend in this process on a database of its own, with every identity of the cast.

    policy: rules by name over the defaults, or the name of a shipped policy. settings: further keys of the configuration; a `database`
    may be a URL of either store, of an empty database too.
    """

    def __init__(self, folder: pathlib.Path, *, policy: t.Mapping[str, str] | str | None = None, **settings: t.Any) -> None:
        self.folder = folder
        #: The file, or the URL of a PostgreSQL.
        self.database: pathlib.Path | str = folder / "maintenance.sqlite"
        url = str(settings.get("database", ""))
        if url.startswith("postgresql"):
            self.database = url
        elif url.startswith("sqlite:///"):
            settings["database"] = url.removeprefix("sqlite:///")
        if isinstance(self.database, pathlib.Path) and not self.database.exists():
            shutil.copy(_empty_database(), self.database)
        chosen: dict[str, t.Any] = {"service_project": cast.SERVICE_NAME, "public_endpoint": PUBLIC, "busy_timeout": 0.5, **settings}
        if policy is not None:
            chosen["policy_file"] = policy if isinstance(policy, str) else _written(folder / "policy.yaml", policy)
        chosen.setdefault("database", str(self.database))
        self.config = Config(auth_strategy="http_basic", **_identity_files(), **chosen)
        self.parts: Parts = app.parts_of(self.config)
        if isinstance(self.database, str):
            migrate.check(self.parts.store)
        # Who is who is the same for every service: the real authenticator, made once. One store serves the service and its tests.
        with (
            unittest.mock.patch.object(app, "build_authenticator", lambda _config: _authenticator()),
            unittest.mock.patch.object(app, "parts_of", lambda _config: self.parts),
        ):
            self._application = app.build(self.config)
        self._names = itertools.count(1)
        self._watch: sqlite3.Connection | None = None

    def by(self, login: str | None) -> Client:
        """Give the client of one of the cast; None: of someone without a credential."""
        return Client(self, login)

    def send(self, method: str, path: str, body: bytes | None, headers: t.Mapping[str, str]) -> Answer:
        """Send a request as it is, and check the answer if it is an error."""
        answer = self.unchecked(method, path, body, headers)
        errors_are_well_formed(answer.status, answer.content, str(self.folder))
        return answer

    def unchecked(self, method: str, path: str, body: bytes | None, headers: t.Mapping[str, str]) -> Answer:
        """Send a request as it is."""
        path, _mark, query = path.partition("?")
        length = {} if body is None else {"Content-Length": str(len(body))}
        environ = falcon.testing.create_environ(path, query, method=method, headers={**length, **headers}, body=body or b"")
        # The framework's own client checks for a Content-Type on empty answers, which Ironic's do not have either.
        start = falcon.testing.StartResponseMock()
        content = b"".join(falcon.testing.closed_wsgi_iterable(self._application(environ, start)))
        return Answer(int(start.status.partition(" ")[0]), dict(start.headers), content)

    def node(self, *, owner: str | None = cast.OWNER, lessee: str | None = cast.LESSEE, **members: t.Any) -> str:
        """Enrol a node and give its name."""
        name = f"node-{next(self._names)}"
        answer = self.by("admin").post("/nodes", {"name": name, "owner": owner, "lessee": lessee, **members})
        assert answer.status == 201, answer.everything
        return name

    def enrol_all(self, nodes: t.Sequence[t.Mapping[str, t.Any]]) -> None:
        """Enrol many nodes at once; each has a uuid."""
        columns = dict.fromkeys((*node_members.WRITABLE, "provision_state", "power_state"))
        columns.update(conductor_group="", properties={}, extra={})
        self.parts.store.change([], lambda _locked: Changes(create_nodes=[{**columns, **node} for node in nodes]))

    def uuid_of(self, node: str) -> str:
        """Give a node's uuid."""
        return t.cast(str, self.by("admin").get(f"/nodes/{node}").json["uuid"])

    def flag(self, node: str) -> tuple[bool, str | None]:
        """Give a node's boolean and reason as an old client reads them."""
        shown = self.by("admin").get(f"/nodes/{self.uuid_of(node)}", version=ABSENT).json
        return shown["maintenance"], shown["maintenance_reason"]

    def entries(self, node: str) -> list[dict[str, t.Any]]:
        """Give a node's entries as an operator sees them."""
        return t.cast("list[dict[str, t.Any]]", self.by("admin").get(f"/nodes/{node}/maintenance").json["maintenance"])

    def uuids(self, node: str) -> list[str]:
        """Give the uuids of a node's entries."""
        return [entry["uuid"] for entry in self.entries(node)]

    def events(self, node: str) -> list[dict[str, t.Any]]:
        """Give a node's history as an auditor sees it."""
        return t.cast("list[dict[str, t.Any]]", self.by("auditor").get(f"/nodes/{node}/history?detail=true").json["history"])

    def hold(self, node: str, type: str = "operator_hold", **members: t.Any) -> str:
        """Put an entry on a node, whoever could have asserted it (see hold_all); give its uuid."""
        return self.hold_all(node, [{"type": type, **members}])[0]

    def hold_all(self, node: str, entries: t.Sequence[t.Mapping[str, t.Any]]) -> list[str]:
        """Put entries on a node, in this order, and give their uuids.

        The members of one: type, scope (system), project (""), user, and key, reason, ticket, run, extra.
        """
        found = self.parts.source.find(node, None)  # type: ignore[arg-type]  # our own registry asks nobody
        assert found is not None
        made: list[Entry] = []

        def decide(locked: Locked) -> Changes:
            made[:] = [
                _entry(found.id, locked.now[found.id] + datetime.timedelta(microseconds=place), **members)
                for place, members in enumerate(entries)
            ]
            return Changes(insert=made, events=[_event(found, entry) for entry in made])

        self.parts.store.change([found.id], decide)
        return [entry.uuid for entry in made]

    def commits(self) -> int:
        """Give a number that changes with every transaction that the service commits, and with nothing else."""
        if isinstance(self.database, str):
            return hash(self.dump())
        if self._watch is None:
            self._watch = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)
        [version] = self._watch.execute("PRAGMA data_version").fetchone()
        return t.cast(int, version)

    def dump(self) -> str:
        """Give everything that the database holds, as text."""
        if isinstance(self.database, str):
            return server_dump(self.parts.store)
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            return "\n".join(connection.iterdump())

    def active(self, uuids: t.Iterable[str]) -> list[str]:
        """Give those of the entries that are stored, on whatever node."""
        with self.parts.store.reading() as connection:
            stored = {uuid for [uuid] in connection.exec_driver_sql("SELECT uuid FROM node_maintenance")}
        return [uuid for uuid in uuids if uuid in stored]

    def files(self) -> dict[str, bytes]:
        """Give the bytes of the database's files; the index of the write-ahead log, which readers write, is left out."""
        if isinstance(self.database, str):
            return {"dump": self.dump().encode()}
        return {path.name: path.read_bytes() for path in self.folder.glob("maintenance.sqlite*") if path.suffix != ".sqlite-shm"}

    def ahead(self, seconds: float) -> Service:
        """Give another service on the same database whose clock is ahead by this much."""
        return Service(self.folder, test_clock=seconds, **({"database": self.database} if isinstance(self.database, str) else {}))


def server_dump(store: Store) -> str:
    """Give every row that a PostgreSQL database holds, each with the transaction that wrote it, and its tables' definitions, as text."""
    columns = "SELECT table_name, column_name, data_type, column_default FROM information_schema.columns"
    where = "WHERE table_schema = 'public' ORDER BY 1, 2"
    with store.reading() as connection:
        names = [name for [name] in connection.exec_driver_sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")]
        parts = [connection.exec_driver_sql(f"{columns} {where}").all()]
        parts += [connection.exec_driver_sql(f"SELECT xmin::text, rows::text FROM {name} AS rows ORDER BY 2").all() for name in names]
    return "\n".join(str(part) for part in parts)


class Build(t.Protocol):
    """Makes a service with settings of its own."""

    def __call__(self, *, policy: t.Mapping[str, str] | str | None = None, **settings: t.Any) -> Service: ...


def authorization(login: str, password: str | None = None) -> str:
    """Give the Authorization header of a login."""
    return "Basic " + base64.b64encode(f"{login}:{password or password_of(login)}".encode()).decode()


def password_of(login: str) -> str:
    """Give the password of a login."""
    return f"{login}-password"


def parse_time(text: str) -> datetime.datetime:
    """Read a time of an answer."""
    return datetime.datetime.fromisoformat(text)


def _entry(
    node_id: int,
    when: datetime.datetime,
    *,
    type: str,
    scope: str = "system",
    project: str = "",
    user: str = f"{cast.CANARY}-id-of-someone",
    **members: t.Any,
) -> Entry:
    return Entry(
        id=None,
        uuid=str(uuid.uuid4()),
        node_id=node_id,
        type=type,
        scope=scope,
        asserted_by=user,
        asserted_by_name=f"name of {user}",
        asserted_by_project=project,
        asserted_by_project_name=f"name of {project}" if project else None,
        asserted_at=when,
        **{"key": "", "reason": None, "ticket": None, "run": None, "extra": {}, **members},
    )


def _event(node: Node, entry: Entry) -> Event:
    return Event(
        node_uuid=node.uuid,
        node_name=node.name,
        action="assert",
        entry_uuid=entry.uuid,
        type=entry.type,
        scope=entry.scope,
        key=entry.key,
        reason=entry.reason,
        ticket=entry.ticket,
        run=entry.run,
        user=entry.asserted_by,
        user_name=entry.asserted_by_name,
        project=entry.asserted_by_project,
        project_name=entry.asserted_by_project_name,
        actor_scope=entry.scope,
        source="api",
    )


def _written(path: pathlib.Path, content: t.Any) -> str:
    path.write_text(yaml.safe_dump(dict(content)), encoding="utf-8")
    path.chmod(0o600)
    return str(path)


@functools.cache
def _shared() -> tempfile.TemporaryDirectory[str]:
    """A folder for what is made once in this process; it goes away with the process."""
    return tempfile.TemporaryDirectory(prefix="baremetal-maintenance-")


@functools.cache
def _identity_files() -> dict[str, str]:
    folder = pathlib.Path(_shared().name)
    lines = [f"{login}:{bcrypt.hashpw(password_of(login).encode(), bcrypt.gensalt(4)).decode()}\n" for login in cast.CAST]
    passwords = folder / "htpasswd"
    passwords.write_text("".join(lines), encoding="utf-8")
    passwords.chmod(0o600)
    return {"basic_auth_file": str(passwords), "identities_file": _written(folder / "identities.yaml", cast.CAST)}


@functools.cache
def _authenticator() -> t.Any:
    return build_authenticator(Config(database="", auth_strategy="http_basic", **_identity_files()))


@functools.cache
def _empty_database() -> pathlib.Path:
    """A database of the newest schema without a node."""
    path = pathlib.Path(_shared().name) / "empty.sqlite"
    parts = app.parts_of(Config(database=str(path), auth_strategy="noauth"))
    migrate.check(parts.store)
    parts.store.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path
