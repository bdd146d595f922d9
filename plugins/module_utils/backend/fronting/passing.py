# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests that pass through to Ironic: headers by allow-list, versions clamped to what Ironic knows, answers streamed."""

from __future__ import annotations

import json
import typing as t
import urllib.parse

from .. import libs
from ..errors import Refusal
from ..resources import versions
from . import paths
from .upstream import Upstream

#: What of a request's headers reaches Ironic. Identity headers never do: in noauth and http_basic Ironic believes them.
FORWARDED: t.Final = (
    "Accept",
    "Authorization",
    "Content-Type",
    "If-Match",
    "If-None-Match",
    "User-Agent",
    "X-Auth-Token",
    "X-Service-Token",
    "X-Openstack-Request-Id",
)
#: What of an answer's headers is between two hops, or is made anew here.
_HOP: t.Final = frozenset(
    (
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "te",
        "trailer",
        "trailers",
        "transfer-encoding",
        "upgrade",
        "content-length",
        "date",
        "server",
        "openstack-api-version",
        *(name.lower() for name in (versions.HEADER, versions.OLDEST_HEADER, versions.NEWEST_HEADER)),
    )
)
_CHUNK: t.Final = 64 * 1024
#: A bound against an answer that never ends, and what of a document is worth reading for the links in it.
_LARGEST: t.Final = 256 * 1024 * 1024
_LARGEST_READ: t.Final = 16 * 1024 * 1024


class Stream:
    """An answer's body on its way; the connection goes back when it is read, or is closed when it is not."""

    def __init__(self, response: t.Any) -> None:
        self._response = response

    def __iter__(self) -> t.Iterator[bytes]:
        yield from self._response.stream(_CHUNK, decode_content=False)
        self._response.release_conn()

    def close(self) -> None:
        """Give the connection up."""
        self._response.close()


class Passing:
    """Forwards requests."""

    def __init__(self, upstream: Upstream, public_endpoint: str | None) -> None:
        self._upstream = upstream
        self._public = public_endpoint

    def base(self, req: t.Any) -> str:
        """Give our own URL before /v1."""
        return self._public or req.prefix

    def open(self, req: t.Any, *, query: str | None = None, body: t.Any = None, own: bool = False, plain: bool = False) -> t.Any:
        """Send the request on and give urllib3's response, unread.

        query: in place of the request's. body: with own, in place of the request's (None for none). plain: the answer must not be
        compressed, because it is read here.
        """
        headers = {name: value for name in FORWARDED if (value := req.get_header(name)) is not None}
        headers |= _version(req)
        if not plain and req.get_header("Accept-Encoding"):
            headers["Accept-Encoding"] = req.get_header("Accept-Encoding")
        headers.setdefault("X-Openstack-Request-Id", req.context.request_id)
        # So that the links that Ironic makes of the request's own address are ours.
        headers["Host"] = req.netloc
        if not own:
            body = self._body(req, headers)
        elif body is None:
            headers.pop("Content-Type", None)
        query = req.query_string if query is None else query
        url = self._upstream.endpoint + paths.quoted(req.path) + (f"?{query}" if query else "")
        return self._upstream.open(req.method, url, headers, body)

    def look(self, req: t.Any, ident: str, *, full: bool = False, tail: str = "") -> t.Any:
        """GET a node (only its uuid, or in full), or what is below it, as the request's caller; give urllib3's response, unread."""
        headers = {name: value for name in FORWARDED if (value := req.get_header(name)) is not None and name != "Content-Type"}
        headers |= _version(req)
        headers["Host"] = req.netloc
        query = "" if full or tail else "?fields=uuid"
        url = f"{self._upstream.endpoint}/v1/nodes/{urllib.parse.quote(ident, safe='')}{tail}{query}"
        return self._upstream.open("GET", url, headers, None)

    def relay(self, req: t.Any, resp: t.Any, response: t.Any) -> None:
        """Answer with what Ironic answered: a document with links of ours, anything else as it streams."""
        self.head(req, resp, response)
        length = response.headers.get("Content-Length")
        is_json = (response.headers.get("Content-Type") or "").startswith("application/json")
        if req.method == "GET" and response.status == 200 and is_json and (length or "0").isdigit() and int(length or 0) <= _LARGEST_READ:
            if resp.get_header("Content-Encoding"):
                resp.delete_header("Content-Encoding")
            resp.data = json.dumps(self.links(req, self.document(response))).encode()
            return
        if req.method == "HEAD" or response.status in (204, 304) or length == "0":
            response.release_conn()
            if length is not None and req.method == "HEAD":
                resp.content_length = length
            return
        resp.stream = Stream(response)
        if length is not None:
            resp.content_length = length

    def head(self, req: t.Any, resp: t.Any, response: t.Any) -> None:
        """Answer with Ironic's status and headers."""
        resp.status = response.status
        for name, value in response.headers.items():
            if name.lower() == "location":
                resp.set_header(name, self.ours(req, value))
            elif name.lower() not in _HOP:
                resp.set_header(name, value)
        if "Content-Type" not in response.headers:
            resp.content_type = None

    def ours(self, req: t.Any, url: str) -> str:
        """Give a URL of Ironic's as one of ours; what has no host stays as it is."""
        parts = urllib.parse.urlsplit(url)
        if not parts.scheme or not parts.netloc:
            return url
        prefix = urllib.parse.urlsplit(self._upstream.endpoint).path
        path = parts.path.removeprefix(prefix) if prefix else parts.path
        return self.base(req) + path + (f"?{parts.query}" if parts.query else "")

    def document(self, response: t.Any) -> t.Any:
        """Read an answer's JSON whole. Refusal 503: it broke off."""
        try:
            raw = response.read(_LARGEST + 1, decode_content=True)
        except libs.urllib3().exceptions.HTTPError:
            raise Refusal(503, "unavailable", "The Ironic behind this service broke off its answer: try again in a moment.") from None
        finally:
            response.release_conn()
        if response.length_remaining or len(raw) > _LARGEST:
            raise Refusal(503, "unavailable", "The Ironic behind this service broke off its answer: try again in a moment.")
        try:
            return json.loads(raw) if raw else None
        except ValueError:
            raise Refusal(503, "unavailable", "The Ironic behind this service answers with something that is not JSON.") from None

    def links(self, req: t.Any, value: t.Any) -> t.Any:
        """Let every link in a document, and `next`, carry our own endpoint. The document is changed and given back."""
        ours = self._rewriting(req)
        if isinstance(value, dict) and isinstance(value.get("next"), str):
            value["next"] = ours(value["next"])
        # A list of a thousand nodes has ten thousand links and eighty thousand members: what is not looked into is not kept either.
        parts = [value]
        while parts:
            part = parts.pop()
            if isinstance(part, list):
                parts += [inner for inner in part if isinstance(inner, (dict, list))]
            elif isinstance(part, dict):
                href = part.get("href")
                if href is not None and isinstance(href, str) and part.get("rel") in ("self", "bookmark"):
                    part["href"] = ours(href)
                parts += [
                    inner
                    for name, inner in part.items()
                    if inner and isinstance(inner, (dict, list)) and name not in _USERS_OWN
                ]
        return value

    def _rewriting(self, req: t.Any) -> t.Callable[[str], str]:
        """Give `ours` for the many links of one document, which differ in their ends only."""
        known: dict[str, str] = {}
        base, prefix = self.base(req), urllib.parse.urlsplit(self._upstream.endpoint).path

        def ours(url: str) -> str:
            end = url.find("/", url.find("//") + 2)
            origin = url[:end]
            if end < 0 or "#" in url:
                return self.ours(req, url)
            if origin not in known:
                parts = urllib.parse.urlsplit(origin)
                known[origin] = base if parts.scheme and parts.netloc and origin == f"{parts.scheme}://{parts.netloc}" else ""
            # Whatever begins otherwise than with an origin gets a closer look.
            return known[origin] + url[end:].removeprefix(prefix) if known[origin] else self.ours(req, url)

        return ours

    def _body(self, req: t.Any, headers: dict[str, str]) -> t.Any:
        """Give the request's body as it comes, with the headers that it needs; None for none."""
        kept: bytes | None = vars(req.context).get("body")
        body: t.Any = kept or None
        if kept is None and req.content_length:
            headers["Content-Length"] = str(req.content_length)
            body = whole(req.bounded_stream.read, req.content_length)
        elif kept is None and "chunked" in (req.get_header("Transfer-Encoding") or "").lower():
            body = iter(lambda: req.stream.read(_CHUNK), b"")
        if body is not None:
            # Without it Ironic's router reads the body of a POST as a form.
            headers.setdefault("Content-Type", "application/json")
        return body


#: Members of Ironic's documents that are somebody's own data, whatever they look like.
_USERS_OWN: t.Final = frozenset(("extra", "properties", "instance_info", "driver_info", "driver_internal_info", "raid_config", "traits"))


def whole(read: t.Callable[[int], bytes], length: int) -> t.Iterator[bytes]:
    """Give a body of so many bytes, part by part. Raises OSError where it ends before: Ironic must not wait for the rest."""
    while length:
        part = read(min(_CHUNK, length))
        if not part:
            raise OSError("the client broke off")
        length -= len(part)
        yield part


def _version(req: t.Any) -> dict[str, str]:
    """Give the version that Ironic is asked for: the request's own, Ironic's newest where that is the typed one, none where it has none."""
    if not (req.get_header(versions.HEADER) or req.get_header(versions.STANDARD_HEADER)):
        return {}
    return {versions.HEADER: f"1.{min(req.context.version, versions.ironic_newest())}"}
