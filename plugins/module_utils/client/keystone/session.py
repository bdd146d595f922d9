# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Logging in: one token and one address, by keystoneauth, or an error that says in a sentence what is wrong and what to do."""

from __future__ import annotations

import dataclasses
import time
import typing as t
import urllib.parse

from .. import diagnosis, errors, libs, network
from ..settings import Settings, address, way_to
from . import clouds
from .wanted import Wanted

_PUBLIC: t.Final = "public"


@dataclasses.dataclass(frozen=True)
class Access:
    """What a login gives. settings: with the credential itself and the address, for `auth_type` token, http_basic or none.

    expires: when the token does, in seconds since 1970; None: there is nothing to share or to renew. who: user and scope, by their ids.
    """

    settings: Settings
    expires: float | None = None
    who: str = ""
    warnings: tuple[str, ...] = ()


def log_in(settings: Settings) -> Access:
    """Log in as settings.keystone wants. Asks Keystone for one token.

    Raises BadOption (what is given is no login), MissingLibrary, Refused (Keystone said no, or has no endpoint of ours), Unreachable and
    BadAnswer (something else answers there).
    """
    library = libs.keystoneauth1()
    if library is None:
        raise errors.MissingLibrary(
            "The Python library keystoneauth1 is needed where this runs and is not installed: pip install keystoneauth1"
        )
    wanted = t.cast(Wanted, settings.keystone)
    entry = clouds.read(wanted) if wanted.cloud is not None else None
    settings = _with_tls(settings, wanted, entry)
    plugin = entry.plugin if entry is not None else _plugin(library, wanted)
    if entry is not None and not hasattr(plugin, "get_access"):
        return _without_keystone(settings, wanted, entry)
    try:
        access = plugin.get_access(_session(library, settings, plugin.auth_url))
    except library.exceptions.ClientException as error:
        raise _error(library, error, plugin, settings) from error
    if not (access.project_id or access.domain_id or access.system_scoped):
        raise errors.BadOption(
            f"The login to Keystone at {_shown(plugin.auth_url)} has no scope, and so neither a role nor a catalogue: "
            "give project_name with its domain, or system_scope with the value all"
        )
    url = settings.url or (entry.endpoint if entry is not None else None) or _endpoint(library, access, wanted, entry, plugin.auth_url)
    found = _at(settings, wanted, url, auth_type="token", token=access.auth_token)
    warnings = found.warnings()
    if _is_open(plugin.auth_url):
        warnings.append(
            f"The password goes to {urllib.parse.urlsplit(plugin.auth_url).hostname} over plain HTTP, where anyone on the way can read it: "
            "use an https:// auth_url."
        )
    # A token without an end, which Keystone does not give, is asked for anew.
    expires = access.expires.timestamp() if access.expires is not None else time.time()
    who = f"{access.user_id} {access.project_id} {access.domain_id} {bool(access.system_scoped)}"
    return Access(found, expires, who, tuple(warnings))


def at_same_place(settings: Settings, stored: t.Mapping[str, t.Any]) -> Settings:
    """Give settings with the access that another fork stored."""
    tls = {name: stored[name] for name in ("validate_certs", "ca_path", "client_cert", "client_key")}
    simple = dataclasses.replace(settings, **tls)
    return _at(simple, t.cast(Wanted, settings.keystone), stored["url"], auth_type="token", token=stored["token"])


def _at(settings: Settings, wanted: Wanted, url: str, **credential: t.Any) -> Settings:
    """Give settings for an address, with a credential that needs no login."""
    place = address(url)
    return dataclasses.replace(settings, url=place, proxy=way_to(place, settings.proxy, dict(wanted.proxies)), keystone=None, **credential)


def _with_tls(settings: Settings, wanted: Wanted, entry: clouds.Entry | None) -> Settings:
    """Let an entry of clouds.yaml say about TLS what no option says."""
    if entry is None:
        return settings
    said = {name: getattr(entry, name) for name in ("validate_certs", "ca_path", "client_cert", "client_key")}
    return dataclasses.replace(
        settings, **{name: value for name, value in said.items() if value is not None and name not in wanted.insisted}
    )


def _plugin(library: t.Any, wanted: Wanted) -> t.Any:
    """Make keystoneauth's plugin. Raises BadOption if there is none of that name, or it lacks members."""
    members = dict(wanted.auth)
    try:
        loader = library.loading.get_plugin_loader(wanted.plugin)
        taken: dict[str, t.Any] = {}
        for option in loader.get_options():
            names = [option.dest, *(old.dest for old in option.deprecated)]
            name = next((name for name in names if name in members), None)
            if name is not None:
                taken[option.dest] = members.pop(name)
        if members and not wanted.loose:
            raise errors.BadOption(f"auth has {' and '.join(sorted(members))}, which a login of the kind {wanted.plugin} does not take")
        return loader.load_from_options(**taken)
    except library.exceptions.NoMatchingPlugin:
        raise errors.BadOption(f"OS_AUTH_TYPE is {wanted.plugin!r}, which keystoneauth does not know where this runs") from None
    except (library.exceptions.AuthPluginException, library.exceptions.AuthorizationFailure) as error:
        raise errors.BadOption(f"The login to Keystone cannot be used: {_line(error)}") from error


def _session(library: t.Any, settings: Settings, auth_url: str) -> t.Any:
    """Give a session that reads neither ~/.netrc nor the process's own variables, and takes no password to where a redirect points."""
    http = libs.requests.Session()
    http.trust_env = False
    proxy = way_to(auth_url, settings.proxy, dict(t.cast(Wanted, settings.keystone).proxies))
    if proxy:
        http.proxies = {"http": proxy, "https": proxy}
    if not settings.validate_certs:
        # The user has said so; a line on stderr for each request would say it again.
        libs.urllib3.disable_warnings(libs.urllib3.exceptions.InsecureRequestWarning)
    return library.session.Session(
        session=http,
        verify=(settings.ca_path or True) if settings.validate_certs else False,
        cert=(settings.client_cert, settings.client_key) if settings.client_key else settings.client_cert,
        timeout=settings.timeout,
        redirect=False,
        user_agent="baremetal.maintenance",
    )


def _without_keystone(settings: Settings, wanted: Wanted, entry: clouds.Entry) -> Access:
    """Take the access from an entry of clouds.yaml for a service without a Keystone, such as Bifrost writes it."""
    url = settings.url or entry.endpoint or entry.auth.get("endpoint")
    if not url:
        raise errors.BadOption(
            f"cloud {wanted.cloud!r} has auth_type {entry.auth_type} and no endpoint: add baremetal_endpoint_override, or give api_url"
        )
    if entry.auth_type == "none":
        found = _at(settings, wanted, url, auth_type="none")
    elif entry.auth_type == "http_basic":
        login = {name: entry.auth.get(name) for name in ("username", "password")}
        found = _at(settings, wanted, url, auth_type="http_basic", **login)
    elif entry.auth.get("token"):
        found = _at(settings, wanted, url, auth_type="token", token=entry.auth["token"])
    else:
        raise errors.BadOption(f"cloud {wanted.cloud!r} has auth_type {entry.auth_type}, which the bare-metal API does not take")
    return Access(found, warnings=tuple(found.warnings()))


def _endpoint(library: t.Any, access: t.Any, wanted: Wanted, entry: clouds.Entry | None, auth_url: str) -> str:
    """Give the endpoint that the catalogue has. Raises Refused, saying what it has instead."""
    region = wanted.region_name or (entry.region_name if entry is not None else None)
    interface = wanted.interface or (entry.interface if entry is not None else None) or _PUBLIC
    catalogue = access.service_catalog if access.has_service_catalog() else None
    try:
        if catalogue is not None:
            return t.cast(str, catalogue.endpoint_data_for(service_type=clouds.SERVICE_TYPE, interface=interface, region_name=region).url)
    except library.exceptions.CatalogException:
        pass
    others = []
    if catalogue is not None:
        for found in catalogue.get_endpoints_data(service_type=clouds.SERVICE_TYPE).values():
            others += [f"{each.interface} in {each.region_name}" for each in found]
    place = f" in region {region}" if region else ""
    remedy = (
        f"it has {', '.join(others)}: set interface or region_name"
        if others
        else "give its address as api_url, or have the catalogue name it"
    )
    raise errors.Refused(
        f"Keystone at {_shown(auth_url)} has no endpoint of type {clouds.SERVICE_TYPE} with interface {interface}{place} for this login; "
        f"{remedy}",
        code="not_found",
    )


def _error(library: t.Any, error: Exception, plugin: t.Any, settings: Settings) -> errors.ClientError:
    """Give the error for what keystoneauth raised while it asked for a token."""
    known = library.exceptions
    where = _shown(plugin.auth_url)
    if isinstance(error, known.ConnectionError):
        said, _sent, retryable = diagnosis.diagnose(
            error, url=plugin.auth_url, timeout=settings.timeout, client_cert=settings.client_cert, option="auth_url"
        )
        return errors.Unreachable(f"Cannot log in: Keystone at {where} {said}", code="unreachable", retryable=retryable)
    if isinstance(error, known.Unauthorized):
        login, check = _login(settings)
        return errors.Refused(
            f"Cannot log in: Keystone at {where} refuses {login} (HTTP 401): check {check}", code="unauthenticated", status=401
        )
    if isinstance(error, (known.DiscoveryFailure, known.NotFound, known.InvalidResponse, known.MissingAuthPlugin)):
        return errors.BadAnswer(
            f"Cannot log in: what answers at {where} is not a Keystone with the API v3; check auth_url, which usually ends in /v3",
            code="bad_answer",
            status=getattr(error, "http_status", None),
        )
    if isinstance(error, known.HttpError):
        busy = error.http_status in (429, 503)
        return errors.Refused(
            f"Cannot log in: Keystone at {where} answers {_line(error)}; {'try again later' if busy else 'its log says why'}",
            code="unavailable" if busy else "failed",
            status=error.http_status,
            retryable=busy,
        )
    return errors.BadOption(f"Cannot log in to Keystone at {where}: {_line(error)}")


def _login(settings: Settings) -> tuple[str, str]:
    """Name the login, and what may be wrong with it."""
    wanted = t.cast(Wanted, settings.keystone)
    if wanted.cloud is not None:
        return (
            f"the login of cloud {wanted.cloud!r}",
            "its entry in clouds.yaml: user and domain, password or secret, and that it has a role in that scope",
        )
    members = dict(wanted.auth)
    if wanted.plugin == "v3applicationcredential":
        name = members.get("application_credential_id") or members.get("application_credential_name")
        return f"application credential {name!r}", "its id and secret, and that it has not ended"
    if wanted.plugin in ("token", "v3token"):
        return "the token", "that it has not ended, and that it may be used for that scope"
    scope = members.get("project_name") or members.get("project_id")
    place = "the system" if members.get("system_scope") else f"project {scope!r}" if scope else "no scope"
    user = members.get("username") or members.get("user_id")
    return f"user {user!r} for {place}", "name, domain and password, that the project exists, and that the user has a role there"


def _is_open(url: str) -> bool:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme == "http" and not network.is_loopback(parts.hostname or "")


def _shown(url: str) -> str:
    """Give a URL without a user name and password."""
    parts = urllib.parse.urlsplit(url)
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".")[:300]
