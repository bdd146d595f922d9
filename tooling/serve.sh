#!/bin/sh
# Run the backend in the foreground on loopback, without authentication, on a database under .build/serve (kept between runs).
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
port=${PORT:-6386}
backend=ansible_collections.baremetal.maintenance.plugins.module_utils.backend

mkdir -p "$root/.build/serve"
export BAREMETAL_MAINTENANCE_BACKEND_DATABASE="$root/.build/serve/maintenance.sqlite"
export BAREMETAL_MAINTENANCE_BACKEND_AUTH_STRATEGY=noauth
export BAREMETAL_MAINTENANCE_BACKEND_HOST=127.0.0.1
export BAREMETAL_MAINTENANCE_BACKEND_PORT="$port"

"$root/.venv/bin/python" -m "$backend" migrate
echo "Without authentication, for trying out only; the database is kept in .build/serve; Ctrl-C ends it."
exec "$root/.venv/bin/python" -m "$backend" serve
