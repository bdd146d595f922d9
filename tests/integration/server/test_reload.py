# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SIGHUP: what may change while the service runs, and that a mistake changes nothing."""

from __future__ import annotations

import pathlib
import signal
import threading

import yaml

from .processes import Served, configure, eventually

GET = "baremetal:node:list_all"


def rules(folder: pathlib.Path, text: str) -> None:
    """Write the policy file."""
    (folder / "policy.yaml").write_text(text, encoding="utf-8")


def test_a_narrowed_policy_is_in_force_after_it_and_a_broken_one_is_not(tmp_path: pathlib.Path) -> None:
    rules(tmp_path, f"'{GET}': role:reader\n")
    with Served.backend(tmp_path, policy_file="policy.yaml") as served:
        assert served.get("/v1/nodes")[0] == 200
        narrow = "'baremetal:node:list': '!'\n'baremetal:node:list_all': '!'\n"
        rules(tmp_path, narrow)
        assert served.get("/v1/nodes")[0] == 200
        served.process.send_signal(signal.SIGHUP)
        assert eventually(lambda: served.get("/v1/nodes")[0] == 403)
        for broken in ("", "'baremetal:node:list': ''\n", "a: [\n", "'baremetal:node:lst': '@'\n"):
            rules(tmp_path, broken)
            before = served.log.read_text(encoding="utf-8").count("reload refused")
            served.process.send_signal(signal.SIGHUP)
            assert eventually(lambda: served.log.read_text(encoding="utf-8").count("reload refused") > before)  # noqa: B023
            assert served.get("/v1/nodes")[0] == 403
        (tmp_path / "policy.yaml").unlink()
        served.process.send_signal(signal.SIGHUP)
        assert served.logged("policy.yaml cannot be read")
        assert served.get("/v1/nodes")[0] == 403
        assert served.process.poll() is None


def test_every_worker_and_the_housekeeper_take_it_over(tmp_path: pathlib.Path) -> None:
    with Served.tiny(tmp_path, workers=2) as served:
        workers, housekeeper = served.workers, served.housekeeper
        configure(tmp_path, workers=2, types=["x_new"])
        served.process.send_signal(signal.SIGHUP)
        seen: dict[int, list[str]] = {}

        def all_new() -> bool:
            answer = served.get()[1]
            seen[answer["pid"]] = answer["types"]
            return set(seen) == workers and all(types == ["x_new"] for types in seen.values())

        assert eventually(all_new)
        assert eventually(lambda: served.housekeeper not in (None, housekeeper))
        assert served.workers == workers


def test_no_request_fails_meanwhile(tmp_path: pathlib.Path) -> None:
    failed: list[object] = []
    with Served.backend(tmp_path) as served:
        stop = threading.Event()

        def ask() -> None:
            while not stop.is_set():
                try:
                    status = served.get("/v1/nodes")[0]
                except OSError as error:
                    failed.append(error)
                else:
                    if status != 200:
                        failed.append(status)

        threads = [threading.Thread(target=ask) for _thread in range(4)]
        for thread in threads:
            thread.start()
        try:
            for number in range(3):
                served.process.send_signal(signal.SIGHUP)
                assert eventually(lambda: served.log.read_text(encoding="utf-8").count("reloaded") > number)  # noqa: B023
        finally:
            stop.set()
            for thread in threads:
                thread.join()
    assert failed == []


def test_what_needs_a_restart_is_said_and_kept(tmp_path: pathlib.Path) -> None:
    with Served.tiny(tmp_path) as served:
        path = tmp_path / "backend.yml"
        changed = {**yaml.safe_load(path.read_text(encoding="utf-8")), "threads": 3, "types": ["x_new"]}
        path.write_text(yaml.safe_dump(changed), encoding="utf-8")
        served.process.send_signal(signal.SIGHUP)
        assert served.logged("threads changed, which takes effect with the next start only")
        assert eventually(lambda: served.get()[1]["types"] == ["x_new"])


def test_a_failure_that_nobody_foresaw_ends_nothing(tmp_path: pathlib.Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    with Served.tiny(tmp_path, cwd=gone) as served:
        gone.rmdir()
        served.process.send_signal(signal.SIGHUP)
        assert served.logged("reload failed, the former settings stay in force")
        assert served.get()[0] == 200


def test_it_leaves_no_connection_to_the_database_behind(tmp_path: pathlib.Path) -> None:
    with Served.backend(tmp_path) as served:
        (worker,) = served.workers
        counts = []
        for number in range(8):
            assert served.get("/v1/nodes")[0] == 200
            counts.append(len(list(pathlib.Path(f"/proc/{worker}/fd").iterdir())))
            served.process.send_signal(signal.SIGHUP)
            assert eventually(lambda: served.log.read_text(encoding="utf-8").count("reloaded") > number)  # noqa: B023
        assert counts[-1] <= counts[1] + 2
