# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fill the virtual environment that runs this file: requirements against the lock, and a link to the checkout.

usage: .venv/bin/python tooling/fill_venv.py link|run|test
"link" installs nothing, "run" what the collection and its backend need, "test" also what tests and linters need.
The requirements are installed again only when their files, the lock or the Python changed. The link makes every name of the
collection usable from any folder, whatever the clone is called; "test" also makes the commands and plugins of clients/ known, from where
they are. Standard library only.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import pathlib
import subprocess
import sys
import sysconfig

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOCK = "constraints.txt"
#: What says which commands and plugins clients/ has.
CLIENTS = ("pyproject.toml", "galaxy.yml")
RUN = ("requirements.txt", "requirements-controller.txt", "requirements-backend.txt")
PROFILES = {"link": (), "run": RUN, "test": (*RUN, "requirements-test.txt")}


def fingerprint(files: tuple[str, ...]) -> str:
    """A digest that changes with the files, the lock and the Python."""
    digest = hashlib.sha256(sys.version.encode())
    for name in (*files, LOCK):
        digest.update(name.encode() + b"\0" + (ROOT / name).read_bytes())
    return digest.hexdigest()


def install(profile: str) -> None:
    """Install the profile's requirements, unless they or those of a larger profile are there."""
    prefix = pathlib.Path(sys.prefix)
    wider = [name for name, files in PROFILES.items() if set(files) >= set(PROFILES[profile])]
    for name in wider:
        stamp = prefix / f".requirements-{name}"
        if stamp.is_file() and stamp.read_text() == fingerprint(PROFILES[name]):
            return
    files = PROFILES[profile]
    sys.stderr.write(f"Installing {', '.join(files)} into {prefix.name}.\n")
    command = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--constraint", LOCK]
    for name in files:
        command += ["--requirement", name]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise SystemExit("The requirements could not be installed: see pip's message above.")
    (prefix / f".requirements-{profile}").write_text(fingerprint(files))


def register_clients() -> None:
    """Make clients/ importable and its entry points known, unless they are as the project file has them."""
    digest = hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in CLIENTS) + str(ROOT).encode()).hexdigest()
    stamp = pathlib.Path(sys.prefix) / ".clients"
    if stamp.is_file() and stamp.read_text() == digest:
        return
    command = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]
    if subprocess.run([*command, "--editable", str(ROOT)], check=False).returncode:
        raise SystemExit("The clients could not be made known: see pip's message above.")
    stamp.write_text(digest)


def link() -> None:
    """Make the checkout importable as ansible_collections.baremetal.maintenance."""
    place = pathlib.Path(sysconfig.get_path("purelib"), "ansible_collections", "baremetal", "maintenance")
    if place.is_symlink():
        if place.resolve() == ROOT:
            return
        place.unlink()
    elif place.exists():
        raise SystemExit(f"{place} is an installed copy of the collection that would hide this checkout: remove it.")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(ROOT, target_is_directory=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("profile", choices=PROFILES)
    profile = parser.parse_args().profile
    build = ROOT / ".build"
    build.mkdir(exist_ok=True)
    with (build / "venv.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if PROFILES[profile]:
            install(profile)
        if profile == "test":
            register_clients()
        link()


if __name__ == "__main__":
    main()
