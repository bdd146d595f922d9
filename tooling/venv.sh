#!/bin/sh
# Bring the checkout's .venv up to date: tooling/venv.sh run|test
# "run" is what the collection and its backend need, "test" also what tests and linters need.
# Takes the first Python that is new enough and really runs (a pyenv shim may exist and not run); exit 2 if there is none.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
venv=$root/.venv

usable() {
    "$1" -c 'import ensurepip, sqlite3, ssl, sys, venv; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1
}

minor() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])'
}

candidates() {
    if [ -n "${PYTHON:-}" ]; then printf '%s\n' "$PYTHON"; fi
    printf '%s\n' python3.13 python3.12 python3.14 python3
    for binary in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python; do printf '%s\n' "$binary"; done
    if command -v uv >/dev/null 2>&1; then uv python find --system '>=3.12' 2>/dev/null || true; fi
}

find_python() {
    candidates | while IFS= read -r candidate; do
        if usable "$candidate"; then
            # The interpreter itself, not a shim or a virtual environment that may be gone tomorrow.
            "$candidate" -c 'import sys; print(getattr(sys, "_base_executable", None) or sys.executable)'
            break
        fi
    done
}

keep_venv() {
    usable "$venv/bin/python" || return 1
    if [ -z "${PYTHON:-}" ]; then return 0; fi
    if ! usable "$PYTHON"; then
        echo "PYTHON=$PYTHON is no Python 3.12 or newer that can make virtual environments; $venv keeps its own." >&2
        return 0
    fi
    [ "$(minor "$PYTHON")" = "$(minor "$venv/bin/python")" ]
}

if ! keep_venv; then
    python=$(find_python)
    if [ -z "$python" ]; then
        echo "No Python 3.12 or newer that can make virtual environments was found:" \
            "install one (Debian, Ubuntu: python3 and python3-venv) or name it, as in: make PYTHON=/path/to/python3.12 …" >&2
        exit 2
    fi
    echo "Making .venv with $python ($("$python" --version))." >&2
    "$python" -m venv --clear "$venv"
fi

exec "$venv/bin/python" "$root/tooling/fill_venv.py" "$@"
