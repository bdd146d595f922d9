# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""No spelling of a write moves Ironic's maintenance, or starts something on a held node, behind our back."""

from __future__ import annotations

import json
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.fronting.plain import Plain, raw

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]

JSON: t.Final = "Content-Type: application/json"
FORM: t.Final = "Content-Type: application/x-www-form-urlencoded"
CHUNKED: t.Final = "Transfer-Encoding: chunked"
REASON: t.Final = b'{"reason": "sneak"}'
TRUE: t.Final = b'[{"op": "replace", "path": "/maintenance", "value": true}]'
PARTS: t.Final = b'--b\r\nContent-Disposition: form-data; name="_method"\r\n\r\nPUT\r\n--b--\r\n'
NODE: t.Final = "/v1/nodes/{node}"
HERE: t.Final = NODE + "/maintenance"
#: Method, target, body, headers and version.
Spelling = tuple[str, str, bytes, tuple[str, ...], str]


def put(target: str, body: bytes = REASON, *headers: str, version: str = "1.115") -> Spelling:
    """Give a PUT."""
    return "PUT", target, body, headers or (JSON,), version


def post(target: str, body: bytes, *headers: str) -> Spelling:
    """Give a POST."""
    return "POST", target, body, headers, "1.115"


def patch(target: str, body: bytes = TRUE, *headers: str, version: str = "1.115") -> Spelling:
    """Give a PATCH."""
    return "PATCH", target, body, headers or (JSON,), version


def operation(**members: t.Any) -> bytes:
    """Give a patch of one operation."""
    return json.dumps([members]).encode()


def chunked(body: bytes) -> bytes:
    """Give a body in one chunk."""
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


REFUSED_ENDS: t.Final = (
    ".xml", ".html", ".JSON", ".txt", ".json.json", ";x=1", "%3Bx=1", "%00", "%0a", "%20", "/.", "/..", "/%2e%2e", "/reason", "%252Ejson",
    "/x", "?reason=a&reason=b", "?x", "\\", ".foo",
)  # fmt: skip
REFUSED_PLACES: t.Final = (
    "/v1/nodes/{node}/x/../maintenance", "/v1/nodes/{node}/%2e%2e/{node}/maintenance", "/v1/./nodes/{node}/maintenance",
    "/v1/nodes/{node}/Maintenance", "/v1/nodes/{node}/MAINTENANCE", "/v1/Nodes/{node}/maintenance", "/V1/nodes/{node}/maintenance",
    "/v1/nodes/{UPPER}/maintenance", "/v1/nodes/{name}.json/maintenance", "/v1/nodes/{node}.json/maintenance",
    "/v1/nodes/maintenance/{node}", "/v1.json/nodes/{node}/maintenance", "/v1/nodes.json/{node}/maintenance",
    "/v1/nodes/{node}%5Cmaintenance",
)  # fmt: skip
REFUSED: t.Final[tuple[Spelling, ...]] = (
    *(put(HERE + end, version=version) for end in REFUSED_ENDS for version in ("1.115", "1.60")),
    *(put(place, version=version) for place in REFUSED_PLACES for version in ("1.115", "1.60")),
    *(put(HERE + end) for end in (".json", ".json/", "%2Ejson")),
    put("/v1/nodes/maintenance.json?node_ident={node}"),
    put(HERE, b"reason=form&_method=delete", FORM),
    put(HERE, b"{bad"),
    *(post(HERE + query, REASON, JSON) for query in ("?_method=PUT", "?_method=put", "?%5fmethod=PUT", "?x;_method=PUT", "?+_method=PUT")),
    *(post(HERE, body, FORM) for body in (b"_method=PUT", b"%5Fmethod=PUT", b"reason=a&_method=PUT")),
    post(HERE, b"_method=PUT"),
    post(HERE, PARTS, "Content-Type: multipart/form-data; boundary=b"),
    post("/v1/nodes/maintenance?node_ident={node}&_method=PUT", b""),
    post("/v1/nodes?node_ident={node}&_method=PATCH", TRUE, JSON),
    *(patch(NODE + end, version=version) for end in (".json", "/x", "?node_ident=x") for version in ("1.115", "1.60")),
    *(patch(f"/v1/nodes{end}?node_ident={{node}}", version=version) for end in ("", "/", ".json") for version in ("1.115", "1.60")),
    patch(NODE, b'[{"op": "replace", "path": "/maintenance", "path": "/description", "value": {"a": 1}}]'),
    *(
        patch(NODE, operation(op="replace", path=path, value=True))
        for path in ("maintenance", "//maintenance", "/maintenance/", "/maintenance ", "/Maintenance", "/mainten%61nce", "/maintenance/x")
    ),
    patch(NODE, operation(op="add", path="", value={"maintenance": True})),
    patch(NODE, operation(op="copy", path="/maintenance", **{"from": "/console_enabled"})),
    patch(NODE, operation(op="move", path="/extra/x", **{"from": "/maintenance"})),
    patch(NODE, TRUE, "Content-Type: text/plain"),
)
#: Other words for PUT on the node's maintenance.
TAKEN: t.Final[tuple[Spelling, ...]] = (
    *(put(HERE + end) for end in ("", "//", "%2F")),
    *(put(HERE + end, version="1.90") for end in (".json", ".json/")),
    put(HERE + "?reason=sneak", b""),
    put("/v1//nodes/{node}%2Fmaintenance"),
    put("/v1%2Fnodes/{name}/%6daintenance"),
    put("/v1/nodes/maintenance?node_ident={node}"),
    put("/v1/nodes/maintenance.json?node_ident={name}", version="1.60"),
    put("/v1/nodes/maintenance/", b'{"node_ident": "{node}", "reason": "sneak"}'),
    put("http://elsewhere:99/v1/nodes/{node}/maintenance#x"),
    put(HERE, b"reason=sneak", FORM),
    put(HERE, b'{"reason": "a", "reason": "sneak"}', JSON, "X-HTTP-Method-Override: DELETE"),
    put(HERE, chunked(REASON), JSON, CHUNKED),
)
#: Patches of /maintenance, whichever value there is for true.
PATCHES: t.Final[tuple[Spelling, ...]] = (
    patch(NODE + "/"),
    patch("/v1/nodes/{name}", b'[{"op": "replace", "path": "/extra", "path": "/maintenance", "value": true}]'),
    patch(NODE, TRUE, "X-Nothing: 1"),
    patch(NODE, chunked(TRUE), JSON, CHUNKED),
)


def sent(plain: Plain, spelling: Spelling, node: str, name: str, before: bytes = b"", after: bytes = b"") -> int:
    """Send one through us, with something else in it; give the status."""
    method, target, body, headers, version = spelling
    shown = target.format(node=node, UPPER=node.upper(), name=name).replace(before.decode(), after.decode())
    data = body.replace(b"{node}", node.encode()).replace(before, after)
    return raw(plain.backend.url, method, shown, data, *headers, version=version)[0]


def test_what_is_refused_reaches_nobody(plain: Plain) -> None:
    """Many of these set the flag in Ironic, asked directly."""
    node = plain.ironic.nodes.enrol("spelled")
    for spelling in REFUSED:
        status = sent(plain, spelling, node, "spelled")
        assert 400 <= status < 500 or (status == 500 and b"description" in spelling[2]), (spelling, status)
        assert not plain.flag(node).maintenance and plain.held(node) == [], (spelling, status)
    assert len(REFUSED) > 100


def test_what_is_taken_is_an_entry(plain: Plain) -> None:
    """Whatever is taken for a PUT or a PATCH goes through our entries: Ironic's reason is theirs at every step."""
    node = plain.ironic.nodes.enrol("spelled-2")
    for number, spelling in enumerate(TAKEN):
        # As long as the word that it stands for: there are lengths in chunks.
        reason = f"r-{number:03}"
        status = sent(plain, spelling, node, "spelled-2", b"sneak", reason.encode())
        assert status == 202, (spelling, status)
        assert plain.held(node) == [("legacy", reason)] and plain.flag(node).reason == reason, (spelling, plain.held(node))
    false = patch(NODE, operation(op="replace", path="/maintenance", value="off"))
    for spelling in PATCHES:
        assert sent(plain, false, node, "spelled-2") == 200
        assert plain.held(node) == [] and not plain.flag(node).maintenance
        assert sent(plain, spelling, node, "spelled-2") == 200
        assert plain.held(node) == [("legacy", None)] and plain.flag(node).maintenance, spelling


def test_none_clears_it_while_somebody_holds_the_node(plain: Plain) -> None:
    """The same for the other direction; each of these is refused, or goes through the entries."""
    node = plain.ironic.nodes.enrol("cleared")
    false = TRUE.replace(b"true", b"false")
    plain.hold(node)
    for method, target, body, headers in (
        ("DELETE", "/v1/nodes/maintenance/{node}", b"", ()),
        ("DELETE", "/v1/nodes/{node}/maintenance.xml", b"", ()),
        ("DELETE", "/v1/nodes/{node}/maintenance/x", b"", ()),
        ("POST", "/v1/nodes/{node}/maintenance?_method=DELETE", b"", ()),
        ("POST", "/v1/nodes/{node}/maintenance", b"_method=DELETE", (FORM,)),
        ("GET", "/v1/nodes/{node}/maintenance?_method=delete", b"", ()),
        ("PUT", "/v1/nodes/{node}/maintenance?_method=delete", b"", ()),
        ("PATCH", "/v1/nodes?node_ident={node}", false, (JSON,)),
        ("PATCH", "/v1/nodes/{node}.json", false, (JSON,)),
        ("DELETE", "/v1/nodes?node_ident={node}", b"", ()),
    ):
        status, _said = raw(plain.backend.url, method, target.format(node=node), body, *headers, version="1.60")
        assert status >= 400 and plain.flag(node).maintenance and plain.held(node) == [("operator_hold", "moving")], (method, target)


def test_a_node_that_is_called_like_a_path(plain: Plain) -> None:
    """Ironic reserves such names; one that is there all the same is reached by its uuid only."""
    node = plain.ironic.nodes.enrol("soon")
    with plain.ironic.rows() as rows:
        rows.execute("UPDATE nodes SET name = 'maintenance' WHERE uuid = ?", (node,))
    through = plain.through
    assert through.put("/v1/nodes/maintenance", {"reason": "x"}).status == 400
    assert through.put("/v1/nodes/maintenance/maintenance", {"reason": "x"}).status == 404
    assert not plain.flag(node).maintenance and plain.held(node) == []
    assert through.put(f"/v1/nodes/{node}/maintenance", {"reason": "x"}).status == 202
    assert plain.entries(node) == [("legacy", "x")] and plain.flag(node).reason == "x"
    with plain.ironic.rows() as rows:
        rows.execute("UPDATE nodes SET name = NULL WHERE uuid = ?", (node,))


CLEAN: t.Final = {"target": "clean", "clean_steps": [{"interface": "bios", "step": "factory_reset"}]}
SERVICE: t.Final = {"target": "service", "service_steps": CLEAN["clean_steps"]}


def test_nothing_is_started_on_a_held_node_in_a_gap(plain: Plain) -> None:
    """Ironic's flag is gone, nobody has noticed yet: what Ironic would not do with the flag is not done."""
    node = plain.ironic.nodes.enrol("gated", state="manageable")
    plain.hold(node)
    plain.gap([node])
    steps = {"clean_steps": CLEAN["clean_steps"]}
    for target, body, version in (
        ("/v1/nodes/{node}/states/provision", CLEAN, "1.115"),
        ("/v1/nodes/gated/states/provision", CLEAN, "1.115"),
        ("/v1/nodes/{node}/states/provision/", CLEAN, "1.115"),
        ("/v1/nodes/{node}/states//provision", CLEAN, "1.115"),
        ("/v1/nodes/{node}/states%2Fprovision", CLEAN, "1.115"),
        ("/v1/nodes/{node}/states/provision.json", CLEAN, "1.115"),
        ("/v1/nodes/{node}/states/provision.json", CLEAN, "1.87"),
        ("/v1/nodes/{node}.json/states/provision", CLEAN, "1.87"),
        ("/v1/nodes/gated.json/states/provision", CLEAN, "1.87"),
        ("/v1/nodes/{node}/states/provision/clean", steps, "1.115"),
        ("/v1/nodes/{node}/states/provision?target=clean", steps, "1.115"),
        ("/v1/nodes/states/provision?node_ident={node}", CLEAN, "1.115"),
        ("/v1/nodes/states/provision.json?node_ident={node}", CLEAN, "1.87"),
        ("/v1/nodes/states/provision", {"node_ident": node, **CLEAN}, "1.115"),
        ("/v1/nodes/states/provision/{node}", CLEAN, "1.115"),
        ("/v1/nodes/{node}/states/provision", {"target": ["clean"]}, "1.115"),
        *(("/v1/nodes/{node}/states/provision", {"target": gated}, "1.115") for gated in ("active", "rebuild", "rescue", "unrescue")),
        ("/v1/nodes/{node}/states/provision", SERVICE, "1.115"),
    ):
        data = json.dumps(body).encode()
        status, said = raw(plain.backend.url, "PUT", target.format(node=node), data, JSON, version=version)
        assert 400 <= status < 500, (target, body, version, status, said)
        assert "refusal" in json.loads(said) or body["target"] == ["clean"], (target, said)
        assert plain.direct.node(node, "provision_state", "reservation")["provision_state"] == "manageable", (target, body)
    twice = b'{"target": "manage", "target": "clean", "clean_steps": [{"interface": "bios", "step": "factory_reset"}]}'
    assert raw(plain.backend.url, "PUT", f"/v1/nodes/{node}/states/provision", twice, JSON)[0] == 400
    status, _said = raw(plain.backend.url, "PUT", f"/v1/nodes/{node}/states/provision", b"target=clean", FORM)
    assert status == 415
    assert not plain.flag(node).maintenance, "the gap was closed meanwhile, so that nothing was tried"
    for passed in ({"target": "provide"}, {"target": "manage"}):
        assert plain.through.put(f"/v1/nodes/{node}/states/provision", passed).status == 202
        plain.direct.until(node, lambda seen: not seen["reservation"], "reservation", "provision_state")


def test_a_form_passes_to_a_node_that_nobody_holds(plain: Plain) -> None:
    node = plain.ironic.nodes.enrol("free")
    for headers, body in (((FORM,), b"target=manage"), ((JSON, CHUNKED), chunked(b'{"target": "provide"}'))):
        status, said = raw(plain.backend.url, "PUT", f"/v1/nodes/{node}/states/provision", body, *headers)
        assert status == 202, said
        plain.direct.until(node, lambda seen: not seen["reservation"], "reservation")
    assert plain.direct.node(node, "provision_state")["provision_state"] == "available"
