# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings pip into the virtual environments of ansible-test, which otherwise downloads a script for it.

ansible-test imports or runs this with the arguments of that script: options and packages for `pip install`.
"""

from __future__ import annotations

import subprocess
import sys

NOT_PIP = {"--no-setuptools", "--no-wheel"}


def main() -> None:
    """Install the Python's own pip, and with it the packages named in the arguments."""
    # A process of its own: ensurepip.bootstrap() would make this process's pip ignore the machine's configuration.
    subprocess.check_call([sys.executable, "-m", "ensurepip"], stdout=subprocess.DEVNULL)
    wanted = [argument for argument in sys.argv[1:] if argument not in NOT_PIP]
    subprocess.check_call([sys.executable, "-m", "pip", "install", "--upgrade", *wanted])


if __name__ == "__main__":
    main()
