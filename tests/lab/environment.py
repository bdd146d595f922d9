# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Virtual environments for real parts of the lab, kept in .build/lab between runs."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import pathlib
import shutil
import subprocess
import sys
import typing as t

BUILD: t.Final = pathlib.Path(__file__).resolve().parents[2] / ".build" / "lab"
MOST_SECONDS: t.Final = 240


class NotBuilt(Exception):
    """A part of the lab could not be installed; says why and what to do."""


def python_with(part: str, requirements: t.Sequence[str], constraints: pathlib.Path) -> pathlib.Path:
    """Give the Python of an environment that has the requirements installed at the versions of the constraints.

    It is built on first use and whenever the constraints or this Python change; other processes wait meanwhile. Raises NotBuilt.
    """
    BUILD.mkdir(parents=True, exist_ok=True)
    wanted = hashlib.sha256(constraints.read_bytes() + sys.version.encode() + b"compiled" + " ".join(requirements).encode()).hexdigest()
    folder = BUILD / f"{part}-venv"
    python, stamp = folder / "bin" / "python", folder / "built"
    with locked(part):
        if not (stamp.exists() and stamp.read_text() == wanted):
            shutil.rmtree(folder, ignore_errors=True)
            _run(part, sys.executable, "-m", "venv", "--without-pip", str(folder))
            # Compiled here: where PYTHONDONTWRITEBYTECODE is set, every start would take seconds longer for ever.
            install = ("-m", "pip", "--python", str(python), "install", "--quiet", "--compile", "--disable-pip-version-check")
            _run(part, sys.executable, *install, "--constraint", str(constraints), *requirements)
            stamp.write_text(wanted)
    return python


def kept(part: str, name: str, made_from: str, make: t.Callable[[pathlib.Path], None]) -> pathlib.Path:
    """Give a folder of a part that takes seconds to make, such as an empty database; `make` fills it on first use.

    made_from: what it depends on beside the part's environment; the folder is made anew when that changes. Copy it before use.
    """
    folder = BUILD / f"{part}-venv" / f"{name}-{hashlib.sha256(made_from.encode()).hexdigest()[:12]}"
    with locked(part):
        if not folder.exists():
            making = folder.with_name(f"{folder.name}.making")
            shutil.rmtree(making, ignore_errors=True)
            making.mkdir()
            make(making)
            making.rename(folder)
    return folder


@contextlib.contextmanager
def locked(part: str) -> t.Iterator[None]:
    """Be the only process that works on what is kept of a part."""
    with (BUILD / f"{part}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run(part: str, *command: str) -> None:
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise NotBuilt(_remedy(part, f"not done after {MOST_SECONDS} s")) from None
    if done.returncode:
        raise NotBuilt(_remedy(part, done.stderr.strip()[-2000:] or f"exit status {done.returncode}"))


def _remedy(part: str, why: str) -> str:
    return (
        f"a real {part} could not be installed into {BUILD}: {why}\n"
        "These tests install it from the Python package index once. Let pip reach one and run them again, or leave the tests of real"
        " parts out on purpose: make test ARGS=\"-m 'not lab'\""
    )
