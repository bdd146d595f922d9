# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`observe`: what is sent through us is answered by Ironic alone, to the letter, and what we would have done is in the log."""

from __future__ import annotations

import base64
import dataclasses
import json
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.direct import Direct
from ansible_collections.baremetal.maintenance.tests.lab.environment import NotBuilt
from ansible_collections.baremetal.maintenance.tests.lab.fronting.comparing import differences
from ansible_collections.baremetal.maintenance.tests.lab.fronting.plain import raw
from ansible_collections.baremetal.maintenance.tests.lab.fronting.tap import Tap
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend, password

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]

PEOPLE: t.Final = {
    "op": {"user_id": "op", "roles": ["admin"], "system": True},
    "owner": {"user_id": "owner", "project_id": "p-1", "roles": ["member"]},
}
#: In order: method, path, body and, where it is not json, the version.
RECORDED: t.Final[tuple[tuple[t.Any, ...], ...]] = (
    ("GET", "/"),
    ("GET", "/v1"),
    ("GET", "/v1/nodes"),
    ("GET", "/v1/nodes/{node}"),
    ("GET", "/v1/nodes/{name}?fields=maintenance,name"),
    ("GET", "/v1/nodes/detail?limit=1"),
    ("GET", "/v1/nodes?maintenance=true"),
    ("GET", "/v1/ports"),
    ("GET", "/v1/nope"),
    ("HEAD", "/v1/nodes"),
    ("GET", "/v1/nodes", None, "1.116"),
    ("GET", "/v1/nodes", None, "1.1"),
    ("GET", "/v1/nodes", None, "latest"),
    ("GET", "/v1/nodes/{node}/maintenance"),
    ("POST", "/v1/nodes/{node}/maintenance", {"type": "operator_hold"}, "1.116"),
    ("PUT", "/v1/nodes/{node}/states/provision", {"target": "manage"}),
    ("WAIT",),
    ("PUT", "/v1/nodes/{node}/maintenance", {"reason": "why"}),
    ("GET", "/v1/nodes/{node}"),
    ("PUT", "/v1/nodes/{node}/states/provision", {"target": "clean", "clean_steps": [{"interface": "bios", "step": "factory_reset"}]}),
    ("PUT", "/v1/nodes/{name}/maintenance", {"reason": "other"}),
    ("PUT", "/v1/nodes/{node}/maintenance", {"reason": 5}),
    ("PATCH", "/v1/nodes/{node}", [{"op": "add", "path": "/extra/x", "value": 1}]),
    ("PATCH", "/v1/nodes/{node}", [{"op": "replace", "path": "/maintenance", "value": False}]),
    ("WAIT",),
    ("GET", "/v1/nodes/{node}/states"),
    ("PATCH", "/v1/nodes/{node}", [{"op": "replace", "path": "/maintenance", "value": "yes"}]),
    ("WAIT",),
    ("PATCH", "/v1/nodes/{node}", [{"op": "remove", "path": "/extra/nope"}]),
    ("DELETE", "/v1/nodes/{node}/maintenance"),
    ("DELETE", "/v1/nodes/{node}/maintenance"),
    ("POST", "/v1/nodes", {"name": "{name}-2", "driver": "fake-hardware"}),
    ("PUT", "/v1/nodes/{name}-2/maintenance", {}),
    ("DELETE", "/v1/nodes/{name}-2"),
    ("DELETE", "/v1/nodes/{name}-2"),
    ("PUT", "/v1/nodes/maintenance", {"node_ident": "{node}", "reason": "alias"}),
    ("PUT", "/v1/nodes/{node}/maintenance/", {"reason": "slash"}),
    ("POST", "/v1/chassis", {"description": "x"}),
    ("PUT", "/v1/nodes/{node}/vifs", {}),
    ("GET", "/v1/nodes/{node}/history"),
)


@dataclasses.dataclass(frozen=True)
class Observed:
    """An Ironic with users of its own, the wire to it, and who looks on."""

    ironic: Ironic
    tap: Tap
    backend: Backend

    def asked(self, login: str, *, through: bool) -> Direct:
        """Ask as somebody."""
        return Direct(self.backend.url if through else self.ironic.url, login=(login, password(login)))


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Observed]:
    """The three of them."""
    ironic = Ironic(tmp_path_factory.mktemp("ironic"), users={login: password(login) for login in PEOPLE})
    try:
        ironic.start()
    except NotBuilt as error:
        pytest.fail(str(error), pytrace=False)
    try:
        with Tap(ironic.port) as tap:
            section = {"endpoint": tap.url, "auth_type": "http_basic", "username": "op", "password": password("op")}
            folder = tmp_path_factory.mktemp("observing")
            with Backend(folder, users=PEOPLE, node_source="ironic", ironic=section, observe=True, reconcile_interval=2) as backend:
                yield Observed(ironic, tap, backend)
    finally:
        ironic.stop()


def logged(observed: Observed, *words: str, seconds: float = 90.0) -> None:
    """Wait until a line of the log that begins with `observe:` has all these words."""
    end = time.monotonic() + seconds
    while not any("observe:" in line and all(word in line for word in words) for line in observed.backend.log.splitlines()):
        assert time.monotonic() < end, (words, observed.backend.log[-3000:])
        time.sleep(0.2)


def test_recorded_traffic(observed: Observed) -> None:
    """Every answer is Ironic's own to the letter, and nothing is written but what was sent."""
    nodes = observed.ironic.nodes
    mine, twin = nodes.enrol("observed-1"), nodes.enrol("observed-2")
    direct, through = (observed.asked("op", through=way) for way in (False, True))
    same = {observed.tap.url: "URL", observed.backend.url: "URL", observed.ironic.url: "URL", mine: "NODE", twin: "NODE"}
    same |= {"observed-1": "NAME", "observed-2": "NAME", "observed-": "NAME"}
    observed.tap.requests.clear()
    different, sent = {}, []
    for number, (method, *rest) in enumerate(RECORDED):
        if method == "WAIT":
            for node in (mine, twin):
                direct.until(node, lambda seen: not seen["reservation"], "reservation")
            continue
        path, body, version = (*rest, *(None, "1.115")[len(rest) - 1 :])
        answers = []
        for service, node, name in ((direct, mine, "observed-1"), (through, twin, "observed-2")):
            text = json.dumps(body).replace("{node}", node).replace("{name}", name)
            answers.append(service.send(method, path.format(node=node, name=name), json.loads(text), version=version))
        if method not in ("GET", "HEAD"):
            sent.append(f"{method} {path.format(node=twin, name='observed-2')}")
        lists = path.startswith(("/v1/nodes?", "/v1/nodes/detail")) or path == "/v1/nodes"
        lines = differences(*answers, same, bodies=not lists)
        newest = [answer.headers.get("X-OpenStack-Ironic-API-Maximum-Version") for answer in answers]
        if lines or newest[0] != newest[1] or "refusal" in str(answers[1].json):
            different[f"{number} {method} {path}"] = [*lines, str(newest)]
    assert different == {}
    assert observed.tap.writes == sent
    logged(observed, "would refuse to provision node", twin)
    assert "ALERT" not in observed.backend.log and "Traceback" not in observed.backend.log


def test_what_would_have_been_done(observed: Observed) -> None:
    """A node that Ironic found faulty, a flag that is cleared round us, and somebody without standing."""
    nodes, direct = observed.ironic.nodes, observed.asked("op", through=False)
    faulty, flipped, kept = (nodes.enrol(f"would-{number}") for number in range(3))
    observed.tap.requests.clear()
    nodes.put_fault([faulty], "clean failure", "no step")
    logged(observed, "found on node", faulty)
    assert observed.asked("op", through=True).put(f"/v1/nodes/{flipped}/maintenance", {"reason": "why"}).status == 202
    assert direct.delete(f"/v1/nodes/{flipped}/maintenance").status == 202
    logged(observed, flipped, "would tell Ironic to")
    assert observed.asked("op", through=True).put(f"/v1/nodes/{kept}/maintenance", {"reason": "why"}).status == 202
    # In Ironic every user may; here the owner of another project's node has no business with it.
    assert observed.asked("owner", through=True).delete(f"/v1/nodes/{kept}/maintenance").status == 202
    assert observed.tap.writes == [
        f"PUT /v1/nodes/{flipped}/maintenance", f"PUT /v1/nodes/{kept}/maintenance", f"DELETE /v1/nodes/{kept}/maintenance",
    ]  # fmt: skip
    assert not nodes.flags()[kept][0] and not nodes.flags()[flipped][0]
    time.sleep(5)
    assert len(observed.tap.writes) == 3, "something of ours was written to Ironic"


def test_a_body_in_chunks(observed: Observed) -> None:
    node = observed.ironic.nodes.enrol("chunked")
    login = "Authorization: Basic " + base64.b64encode(f"op:{password('op')}".encode()).decode()
    headers = ("Content-Type: application/json", "Transfer-Encoding: chunked", login)
    status, said = raw(observed.backend.url, "PUT", f"/v1/nodes/{node}/maintenance", b'11\r\n{"reason": "why"}\r\n0\r\n\r\n', *headers)
    assert status == 202, said
    assert observed.ironic.nodes.flags()[node] == (True, "why", None)


def test_with_ironic_away(observed: Observed) -> None:
    observed.tap.down()
    try:
        answer = observed.asked("op", through=True).get("/v1/nodes")
        assert answer.status == 503 and "does not answer" in answer.said
    finally:
        observed.tap.up()
    assert observed.asked("op", through=True).get("/v1/nodes").status == 200
    assert observed.asked("nobody", through=True).get("/v1/nodes").status == observed.asked("nobody", through=False).get("/v1/nodes").status
