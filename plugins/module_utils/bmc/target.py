# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which BMC, and how to read it: what the options of the group `bmc` say, without their prefix `bmc_`."""

from __future__ import annotations

import dataclasses
import typing as t
import urllib.parse

PORTS = {"ipmi": 623, "https": 443, "http": 80}
DEADLINES = {"ipmi": 30.0, "redfish": 60.0}


class BadTarget(Exception):
    """A target that cannot be read as it is described; the text is one sentence without any secret."""


@dataclasses.dataclass(frozen=True)
class Target:
    """One BMC. `scheme` is https or http for Redfish, ipmi for IPMI; `host` is bare (an IPv6 address without brackets)."""

    protocol: str
    scheme: str
    host: str
    port: int
    username: str
    password: str = dataclasses.field(repr=False)
    kg: str | None = dataclasses.field(default=None, repr=False)
    #: Redfish: the Id or path of the system, needed where the BMC has several; of the manager, where a system has several.
    system: str | None = None
    manager: str | None = None
    validate_certs: bool = True
    ca_path: str | None = None
    #: Redfish: `basic` sends the password with each request and leaves no session behind, `session` opens one and closes it.
    auth: str = "basic"
    power_reads: int = 3
    #: Seconds.
    power_read_interval: float = 10.0
    #: How often an unreachable BMC is asked again.
    retries: int = 2

    @property
    def address(self) -> str:
        """Host and port for messages, as a URL has them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """Where Redfish is."""
        return f"{self.scheme}://{self.address}"

    @property
    def deadline(self) -> float:
        """How long a reading may take, in seconds, if nothing else is said."""
        return DEADLINES[self.protocol]


def target(options: t.Mapping[str, t.Any]) -> Target:
    """Read the options of one BMC: `protocol`, `address` (host, host:port, [IPv6]:port, or for Redfish a URL), `username`, `password` and
    the other fields of `Target`, of which those that are left out or null have their defaults. Raises BadTarget."""
    protocol = options.get("protocol")
    if protocol not in DEADLINES:
        raise BadTarget(f"The protocol of a BMC is ipmi or redfish, not {protocol!r}.")
    scheme, host, port = _address(protocol, options.get("address"))
    for name in ("username", "password"):
        if not isinstance(options.get(name), str):
            raise BadTarget(f"The {name} for the BMC {host} is missing.")
    known = {field.name for field in dataclasses.fields(Target)} - {"protocol", "scheme", "host", "port"}
    unknown = set(options) - known - {"protocol", "address", "deadline", "since"}
    if unknown:
        raise BadTarget(f"A BMC has no option {', '.join(sorted(unknown))}.")
    given = {name: options[name] for name in known if options.get(name) is not None}
    if given.get("auth", "basic") not in ("basic", "session"):
        raise BadTarget("The authentication at a Redfish BMC is basic or session.")
    if given.get("power_reads", 1) < 1:
        raise BadTarget("The power state is read at least once.")
    return Target(protocol=protocol, scheme=scheme, host=host, port=port, **given)


def _address(protocol: str, address: t.Any) -> tuple[str, str, int]:
    """Take an address apart. Never repeats it in a message: it may hold a password."""
    if not isinstance(address, str) or not address.strip():
        raise BadTarget("The address of a BMC is missing.")
    address = address.strip()
    scheme = "ipmi" if protocol == "ipmi" else "https"
    if "://" in address:
        scheme, _separator, address = address.partition("://")
        if protocol == "ipmi" or scheme not in ("http", "https"):
            raise BadTarget("The address of a BMC is HOST, HOST:PORT or [IPv6]:PORT, and for Redfish also http://… or https://….")
    if address.count(":") > 1 and not address.startswith("["):
        address = f"[{address.rstrip('/')}]"
    try:
        parts = urllib.parse.urlsplit(f"//{address}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadTarget("The address of a BMC has a host or port that is none.") from None
    if parts.username is not None or parts.password is not None or "@" in address:
        raise BadTarget("The address of a BMC must not hold a user or password: use the options for them.")
    if not host or parts.path.rstrip("/") not in ("", "/redfish/v1", "/redfish") or parts.query or parts.fragment:
        raise BadTarget(
            "The address of a BMC is HOST, HOST:PORT or [IPv6]:PORT, and for Redfish also http://… or https://… without a path."
        )
    return scheme, host, port if port is not None else PORTS[scheme]
