# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands `pin` and `unpin`: boolean-only behaviour while replicas of two versions run, and its end."""

from __future__ import annotations

import argparse
import sys
import time
import typing as t

from ..errors import Refusal
from ..fronting import ironic, pinning, reconciler
from ..fronting.keeping import LEASE, LEASE_NAME
from ..store import holders, leases
from ..store.store import Store
from . import opened

#: Seconds that `unpin` waits for a reconciler that still has the lease.
_PATIENCE: t.Final = 3 * LEASE


def pin(arguments: argparse.Namespace, environ: t.Mapping[str, str]) -> int:
    """Pin. Raises ConfigErrors, MissingPackage, Refusal."""
    with opened.fronting(arguments, environ) as (store, _parts):
        changed = pinning.pin(store, True)
    done = "pinned: typed holds are not offered, and what happens in Ironic is not learned from" if changed else "it was pinned already"
    sys.stdout.write(f"{done}; `unpin` ends it\n")
    return 0


def unpin(arguments: argparse.Namespace, environ: t.Mapping[str, str]) -> int:
    """Compare every node and unpin, under the reconciler's lease and only with a proven credential."""
    with opened.fronting(arguments, environ) as (store, parts):
        holder = holders.new()
        _require_lease(store, holder)
        try:
            parts.service.prove()
            released = parts.reconciler.trust() if arguments.trust_ironic else []
            pinning.pin(store, False)
            report = parts.reconciler.full()
        except ironic.IronicError as error:
            raise Refusal(503, "unavailable", f"{_state(store)}: {error}") from None
        finally:
            leases.release(store, LEASE_NAME, holder)
    sys.stdout.write(_sentence(report, released))
    return 0


def _require_lease(store: Store, holder: str) -> None:
    end = time.monotonic() + _PATIENCE
    while not leases.take(store, LEASE_NAME, holder, 10 * LEASE):
        if time.monotonic() > end:
            raise Refusal(503, "unavailable", "nothing was changed: a service is comparing nodes at this moment; try again, or pin first")
        time.sleep(0.5)


def _state(store: Store) -> str:
    return "still pinned" if pinning.is_pinned(store) else "unpinned, but not every node was compared; the service goes on with it"


def _sentence(report: reconciler.Report, released: list[str]) -> str:
    trusted = f" {len(released)} held nodes were released, since Ironic had cleared them." if released else ""
    left = f" {len(report.later)} are left to the service." if report.later else ""
    return f"unpinned: {report.listed} nodes compared, {len(report.settled)} settled.{left}{trusted}\n"
