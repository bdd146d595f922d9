# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the environment says about the way to a host. requests is told not to look by itself, since it would also read ~/.netrc."""

from __future__ import annotations

import ipaddress
import typing as t

#: The variables that say something about proxies, in lower case.
PROXY_VARIABLES: t.Final = frozenset({"http_proxy", "https_proxy", "all_proxy", "no_proxy"})


def is_loopback(host: str) -> bool:
    """Tell whether a host name or address means this very machine."""
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    return address is not None and address.is_loopback


def proxy_for(scheme: str, host: str, port: int, environ: t.Mapping[str, str]) -> str | None:
    """Give the proxy that the environment (`https_proxy`, `all_proxy`, `no_proxy`…, upper case too) names for a host, None for none.

    This machine itself is never asked through a proxy that only the environment names.
    """
    proxy = _either(environ, f"{scheme}_proxy") or _either(environ, "all_proxy")
    if not proxy or is_loopback(host) or _bypassed(host, port, _either(environ, "no_proxy") or ""):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _either(environ: t.Mapping[str, str], name: str) -> str | None:
    return environ.get(name) or environ.get(name.upper()) or None


def _bypassed(host: str, port: int, no_proxy: str) -> bool:
    name = host.strip("[]").lower()
    address = _address(name)
    for item in (part.strip().lower() for part in no_proxy.split(",")):
        if not item:
            continue
        if item == "*" or item in (name, f"{name}:{port}", f"[{name}]", f"[{name}]:{port}"):
            return True
        if address is None:
            suffix = item.removesuffix(f":{port}").lstrip("*").lstrip(".")
            if suffix and name.endswith(f".{suffix}"):
                return True
        elif _in_network(address, item):
            return True
    return False


def _in_network(address: ipaddress.IPv4Address | ipaddress.IPv6Address, item: str) -> bool:
    try:
        return "/" in item and address in ipaddress.ip_network(item, strict=False)
    except ValueError:
        return False


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
