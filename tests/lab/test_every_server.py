# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every module and the inventory against every kind of server: our backend, with extensions and without, in front of an Ironic, and plain
Ironics with basic authentication and with Keystone. What a server can't do is refused with a sentence that says what would work."""

from __future__ import annotations

import dataclasses
import pathlib
import types
import typing as t

import pytest
import yaml
from ansible_collections.baremetal.maintenance.tests.integration.inventory.running import Sources
from ansible_collections.baremetal.maintenance.tests.integration.modules.running import Ran, Stage
from ansible_collections.baremetal.maintenance.tests.lab.fronted import Fronted
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.lab.keystone import Keystone
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

# The first run installs Ironic and Keystone.
pytestmark = [pytest.mark.lab, pytest.mark.timeout(900)]

ROOT: t.Final = pathlib.Path(__file__).resolve().parents[2]
API: t.Final = "group/baremetal.maintenance.api"
NODE: t.Final = "every-1"
FAULTY: t.Final = "every-2"
NOBODY: t.Final = "00000000-0000-4000-8000-000000000000"
SECRET: t.Final = "secret-6a1c"

#: How a server answers: it has typed holds and our extensions, typed holds as specified, or the maintenance flag only.
Kind = t.Literal["extended", "native", "boolean"]


@dataclasses.dataclass(frozen=True)
class Server:
    """One server. given: the connection's options. variables: of the environment. ironic: where faults can be put, None for none."""

    kind: Kind
    url: str
    given: dict[str, t.Any]
    variables: dict[str, str] = dataclasses.field(default_factory=dict)
    ironic: Ironic | None = None
    fronting: bool = False


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Server]:
    """Our backend with nodes of its own."""
    with Backend(tmp_path_factory.mktemp("ours")) as backend:
        yield Server("extended", backend.url, {"api_url": backend.url})


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Server]:
    """Our backend with its extensions switched off."""
    with Backend(tmp_path_factory.mktemp("native"), extensions=False) as backend:
        yield Server("native", backend.url, {"api_url": backend.url})


@pytest.fixture(scope="module")
def fronting(fronted: Fronted, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """Our backend in front of a real Ironic."""
    clouds = fronted.keystone.clouds_yaml(tmp_path_factory.mktemp("clouds") / "clouds.yaml", "system-admin")
    url = fronted.backend.url
    return Server("extended", url, {"cloud": "system-admin", "api_url": url}, {"OS_CLIENT_CONFIG_FILE": str(clouds)}, None, True)


@pytest.fixture(scope="module")
def ironic_basic(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Server]:
    """A real Ironic with basic authentication."""
    with Ironic(tmp_path_factory.mktemp("basic"), users={"admin": SECRET}) as ironic:
        login = {"api_url": ironic.url, "auth_type": "http_basic", "username": "admin", "password": SECRET}
        yield Server("boolean", ironic.url, login, ironic=ironic)


@pytest.fixture
def ironic_keystone(ironic_with_keystone: Ironic, real_keystone: Keystone) -> Server:
    """A real Ironic with a real Keystone, whose catalogue names it."""
    real_keystone.set_endpoint(ironic_with_keystone.url)
    variables = {"BAREMETAL_MAINTENANCE_URL": "", **real_keystone.environ("system-admin")}
    return Server("boolean", ironic_with_keystone.url, {"auth_type": "keystone"}, variables, ironic_with_keystone)


@pytest.fixture(params=["ours", "native", "fronting", "ironic_basic", "ironic_keystone"])
def server(request: pytest.FixtureRequest) -> Server:
    """Each of them."""
    return t.cast(Server, request.getfixturevalue(request.param))


def task(title: str, module: str, **options: t.Any) -> dict[str, t.Any]:
    """Give a task that may fail."""
    check = {"check_mode": options.pop("check_mode")} if "check_mode" in options else {}
    if "fleet" not in options:
        options = {"name" if module == "node" else "node": NODE, **options}
    return {"name": title, f"baremetal.maintenance.{module}": options, "ignore_errors": True, "register": title.replace(" ", "_"), **check}


HOLD: t.Final = {"type": "operator_hold", "reason": "CHG-2211"}
FIRST: t.Final = [
    task("enrol", "node", driver="fake-hardware"),
    task("enrol the other", "node", name=FAULTY, driver="fake-hardware"),
    task("enrol again", "node", driver="fake-hardware"),
    task("try the flag", "maintenance_flag", reason="old tools", check_mode=True),
    task("flag", "maintenance_flag", reason="old tools"),
    task("flag again", "maintenance_flag", reason="old tools"),
    task("see", "node_info"),
    task("try a hold", "hold", **HOLD, check_mode=True),
    task("hold", "hold", **HOLD),
    task("hold again", "hold", **HOLD),
    task("hold otherwise", "hold", **{**HOLD, "reason": "CHG-2212"}, on_existing="update"),
    task("holds", "hold_info"),
    task("holds of the fleet", "hold_info", fleet=True),
    task("fault", "node_fault", node=FAULTY, fault="power failure", reason="no answer"),
    task("past", "history_info"),
    task("past of a type", "history_info", type="operator_hold"),
    task("past of the fleet", "history_info", fleet=True),
]
SECOND: t.Final = [
    task("hold once more", "hold", **HOLD, on_existing="keep"),
    task("release", "hold", state="absent", uuid="{{ hold_once_more.entry.uuid | default('" + NOBODY + "') }}"),
    task("unflag", "maintenance_flag", state="absent"),
    task("unflag again", "maintenance_flag", state="absent"),
    task("see", "node_info"),
    task("remove", "node", state="absent"),
    task("remove the other", "node", name=FAULTY, state="absent", release_holds=True),
]

FLAG_ONLY: t.Final = "is an Ironic that knows the maintenance flag only, without typed holds; use the module"
NOT_OFFERED: t.Final = "does not offer"
UNTOLD: t.Final = f"The history of node {NODE} does not say type on this service: leave it out."
#: What becomes of each task, by kind of server: True (changed), False (not changed), or words of the refusal.
EXPECTED: t.Final[dict[str, dict[str, bool | str]]] = {
    "extended": {
        **dict.fromkeys(("enrol", "enrol the other", "try the flag", "flag", "try a hold", "hold", "hold otherwise", "fault"), True),
        **dict.fromkeys(("enrol again", "flag again", "see", "hold again", "holds", "holds of the fleet", "past"), False),
        **dict.fromkeys(("past of a type", "past of the fleet"), False),
        **dict.fromkeys(("release", "unflag", "remove", "remove the other"), True),
        **dict.fromkeys(("hold once more", "unflag again"), False),
    },
    "native": {
        **dict.fromkeys(("enrol", "enrol the other", "try the flag", "flag", "try a hold", "hold"), True),
        **dict.fromkeys(("enrol again", "flag again", "see", "hold again", "holds", "past"), False),
        "hold otherwise": "This service can't change an entry: its reason is 'CHG-2211', wanted is 'CHG-2212'",
        "holds of the fleet": "does not offer a listing of the holds of all nodes; ask for the holds of each node",
        "fault": "does not offer the assertion of faults",
        "past of a type": UNTOLD,
        "past of the fleet": "does not offer the history of all nodes; ask for the history of each node",
        **dict.fromkeys(("release", "unflag", "remove", "remove the other"), True),
        **dict.fromkeys(("hold once more", "unflag again"), False),
    },
    "boolean": {
        **dict.fromkeys(("enrol", "enrol the other", "try the flag", "flag"), True),
        **dict.fromkeys(("enrol again", "flag again", "see", "past"), False),
        **dict.fromkeys(("try a hold", "hold", "hold again", "hold otherwise", "holds", "fault", "hold once more", "release"), FLAG_ONLY),
        "holds of the fleet": NOT_OFFERED,
        "past of a type": UNTOLD,
        "past of the fleet": NOT_OFFERED,
        **dict.fromkeys(("unflag", "remove", "remove the other"), True),
        "unflag again": False,
    },
}
#: In front of an Ironic faults come from there.
FRONTING: t.Final[dict[str, bool | str]] = {"fault": "faults"}


def play(server: Server, folder: pathlib.Path, tasks: list[dict[str, t.Any]]) -> Ran:
    """Run the tasks against the server and check what became of each; give what ran."""
    folder.mkdir()
    stage = Stage(t.cast(Backend, types.SimpleNamespace(folder=folder, url=server.url)))
    hosts = {NODE: {}}
    defaults = {API: server.given}
    ran = stage.play(tasks, hosts=hosts, who=None, module_defaults=defaults, environment=server.variables, may_warn=True)
    assert ran.status == 0, ran.output
    expected = {**EXPECTED[server.kind], **(FRONTING if server.fronting else {})}
    for name in (each["name"] for each in tasks):
        result = ran.of(name, NODE)
        became = result["msg"] if result["failed"] else result["changed"]
        wanted = expected[name]
        assert wanted in became if isinstance(became, str) and isinstance(wanted, str) else became == wanted, (name, became)
    assert SECRET not in ran.output
    return ran


def test_every_module_and_the_inventory(server: Server, tmp_path: pathlib.Path) -> None:
    first = play(server, tmp_path / "first", FIRST)
    node = first.of("see", NODE)["nodes"][0]
    assert (node["name"], node["maintenance"]) == (NODE, True)
    assert isinstance(first.of("past", NODE)["events"], list)
    if server.ironic is not None:
        uuid = first.of("enrol the other", NODE)["node"]["uuid"]
        server.ironic.nodes.put_fault([uuid], "clean failure", "a step failed")
    groups = inventory(server, tmp_path)
    assert NODE in groups("hold_any")
    assert NODE not in groups("hold_none")
    if server.kind == "boolean":
        assert {NODE, FAULTY} <= groups("hold_any")
        assert FAULTY in groups("hold_fault_clean_failure")
        assert groups("hold_type_operator_hold") == set()
    else:
        assert NODE in groups("hold_type_operator_hold") & groups("hold_type_legacy") & groups("hold_scope_system")
        assert [entry["type"] for entry in first.of("holds", NODE)["entries"]] == ["legacy", "operator_hold"]
        assert (FAULTY in groups("hold_fault_power_failure")) is (server.kind == "extended" and not server.fronting)
    second = play(server, tmp_path / "second", SECOND)
    node = second.of("see", NODE)["nodes"][0]
    assert (node["maintenance"], node["maintenance_reason"]) == (False, None)


def inventory(server: Server, folder: pathlib.Path) -> t.Callable[[str], set[str]]:
    """Read the inventory; give what tells a group's members."""
    sources = Sources(folder)
    ran = sources.inventory(sources.holds(**server.given), **{name: value for name, value in server.variables.items() if value})
    assert ran.status == 0, ran.said
    assert ("knows maintenance as a flag only" in ran.said) is (server.kind == "boolean")
    assert SECRET not in ran.said
    return ran.members


def test_the_playbook_has_every_module_of_the_api() -> None:
    named = yaml.safe_load((ROOT / "meta" / "runtime.yml").read_text())["action_groups"]["api"]
    used = {key.rpartition(".")[2] for each in [*FIRST, *SECOND] for key in each if key.startswith("baremetal.")}
    assert used == set(named)
