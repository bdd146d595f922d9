# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every way in which the boolean endpoints differ from Ironic's below the typed version, on purpose, and why.

An exchange that is not listed here must be answered as Ironic answered it: same status, headers and body, same node afterwards.
"""

from __future__ import annotations

import dataclasses
import re
import typing as t

UNCHANGED: t.Final = "unchanged"
AS_IRONIC: t.Final = "as ironic"
NOT_HELD: t.Final = "not held"


@dataclasses.dataclass(frozen=True)
class Deviation:
    """Exchanges whose names match `cases`.

    status: ours, None where it is Ironic's. says: a part of the body of ours, None where the body is Ironic's.
    after: the watched node is afterwards as it was before (UNCHANGED), as Ironic leaves it, NOT_HELD, or held with the reason of the tuple.
    """

    why: str
    cases: str
    status: int | None = None
    says: str | None = None
    after: str | tuple[str | None] = AS_IRONIC

    def covers(self, name: str) -> bool:
        """Tell whether the exchange of this name is one of these."""
        return re.fullmatch(self.cases, name) is not None


DEVIATIONS: t.Final = (
    Deviation(
        "`latest` is the typed version: DELETE answers 204 from it on (spec)",
        r"delete ((uuid|name) at latest, .*|with .*version (latest|LATEST))",
        204,
    ),
    Deviation("`latest` is the typed version, and answers say so", r"put ((uuid|name) at latest, .*|with .*version (latest|LATEST))"),
    Deviation(
        "a version that can't be read is refused with the range of those that could be asked for",
        r"(put|delete) (uuid|name) at (abc|1), .*|(put|delete) with version of three parts",
    ),
    Deviation(
        "a negative number is no version",
        r"(put|delete) with version negative",
        says="Invalid value for X-OpenStack-Ironic-API-Version header",
        after=UNCHANGED,
    ),
    Deviation(
        "two versions in one request are ambiguous: refused, where Ironic takes the last",
        r"(put|delete) with version twice",
        406,
        "Invalid value",
        UNCHANGED,
    ),
    Deviation(
        "the typed endpoints are not there below their version (spec: 404; Ironic: 405)",
        r"(get|post) (uuid|name|uuid-slash|unknown-uuid) at (absent|1\.1|1\.42|1\.115)|post a typed body",
        404,
        "API version 1.116",
        UNCHANGED,
    ),
    Deviation("the typed listing is there at the typed version", r"get uuid at latest", 200, "legacy", UNCHANGED),
    Deviation("the typed endpoint wants a body at the typed version", r"post uuid at latest", 400, "must be a JSON object", UNCHANGED),
    Deviation(
        "URLs below the maintenance of a node are there from the typed version on; Ironic fails on PUT and DELETE of them",
        r"(get|delete) with-an-entry at .*|put with-fault at .*",
        404,
        "API version 1.116",
        UNCHANGED,
    ),
    Deviation(
        "likewise, with a method that they don't have",
        r"put with-an-entry at .*|delete with-fault at .*|get with-fault at .*|(post|patch) with-fault at .*|post with-an-entry at .*",
        405,
        "Method Not Allowed",
        UNCHANGED,
    ),
    Deviation("PATCH of an entry is there from the typed version on", r"patch with-an-entry at .*", 404, "API version 1.116", UNCHANGED),
    Deviation(
        "`Allow` names every method of a URL, at any version; the answer has the version headers",
        r"(patch|trace|head) (uuid|name|uuid-slash|unknown-uuid|alias-query|with-an-entry|with-fault) at .*|(get|post) alias-query at .*",
        405,
    ),
    Deviation("OPTIONS tells the methods", r"options .* at .*", 200),
    Deviation(
        "a path without /v1 is no route here",
        r"(put|delete) without-v1 at .*",
        404,
        "Not Found",
        UNCHANGED,
    ),
    Deviation(
        "a path with an empty segment or an encoded slash is no route here; Ironic refuses or fails",
        r"(put|delete) (double-slash|double-slash-before-maintenance|bad-name-slash) at .*",
        404,
        "Not Found",
        UNCHANGED,
    ),
    Deviation(
        "a path that is no route is 404 for every method; Ironic takes it for one of the node",
        r"(put|delete) (upper-case-maintenance at .*|(uuid|name|dotted-name)-json at 1\.(91|115))",
        404,
        "Not Found",
        UNCHANGED,
    ),
    Deviation(
        "from 1.5 on, not 1.10, a node's name may have capitals and underscores: no such node is 404",
        r"(put|delete) (upper-case-name|bad-name-underscore) at 1\.5",
        404,
        "could not be found",
        UNCHANGED,
    ),
    Deviation(
        "a name that is not UTF-8 is refused as any other bad name",
        r"(put|delete) bad-name-not-utf8 at .*",
        400,
        "Expected UUID or name for node_ident",
        UNCHANGED,
    ),
    Deviation(
        "a node named twice is refused; Ironic fails",
        r"(put|delete) ident-and-query at .*|(put|delete) body node-ident-member .*",
        400,
        "node_ident",
        UNCHANGED,
    ),
    Deviation(
        "a body that is no JSON object is refused; Ironic answers 202 and wipes the reason, or ends all maintenance",
        r"(put|delete) body (malformed|malformed-comma|trailing|byte-order-mark|list|list-of-object|string|number)( .*)?",
        400,
        "JSON",
        UNCHANGED,
    ),
    Deviation("NaN is no JSON", r"(put|delete) body malformed-nan( .*)?", 400, "not valid JSON", UNCHANGED),
    Deviation("what is no UTF-8 gets a sentence", r"(put|delete) body reason-not-utf8( .*)?", 400, "UTF-8", UNCHANGED),
    Deviation("what is no UTF-8 gets a sentence", r"(put|delete) query reason-not-utf8 .*", 400, "UTF-8", UNCHANGED),
    Deviation("JSON that is nested too deeply gets Ironic's usual shape", r"(put|delete) body deep( .*)?", 400, "nested", UNCHANGED),
    Deviation("NUL is refused: not every database keeps it", r"(put|delete) body reason-nul( .*)?", 400, "NUL", UNCHANGED),
    Deviation("a lone surrogate is no character; Ironic fails", r"(put|delete) body reason-lone-surrogate .*", 400, "surrogate", UNCHANGED),
    Deviation(
        "a body of another type is refused; Ironic ignores it and wipes the reason, or ends all maintenance",
        r"(put|delete) body type-(text|vendor|xml|octets|nonsense)( .*)?|(put|delete) body multipart( .*)?",
        415,
        "Content-Type: application/json",
        UNCHANGED,
    ),
    Deviation(
        "JSON is read under its type in any case, as a JSON patch, and without a type; Ironic ignores it",
        r"put body type-(upper-case|json-patch|absent|empty) at .*",
        202,
        after=("x",),
    ),
    Deviation(
        "likewise, and so DELETE sees the member",
        r"delete body type-(upper-case|json-patch|absent|empty) at .*",
        400,
        "Unexpected arguments: reason",
        UNCHANGED,
    ),
    Deviation("JSON is UTF-8, whatever its type says of a character set", r"put body type-charset-utf16 at .*", 202, after=("x",)),
    Deviation("likewise", r"put body type-charset-utf16 on .*", 404, "could not be found"),
    Deviation("likewise", r"delete body type-charset-utf16 at .*", 400, "Unexpected arguments: reason", UNCHANGED),
    Deviation("a form that is none is called that", r"(put|delete) body form-json( .*)?", 400, "not a valid form", UNCHANGED),
    Deviation(
        "a body beyond 1 MiB is refused in Ironic's usual shape; Ironic uses another for it",
        r"put body of (1048577|1048590|1100014) bytes|delete body of 1.1 MB",
        413,
        "too large",
        UNCHANGED,
    ),
    Deviation(
        "an argument that is given twice is called that",
        r"put query reason.* and a body at .*|(put|delete) query reason-twice at .*|put query unknown-and-reason and a body at .*",
        400,
        "given twice",
        UNCHANGED,
    ),
    Deviation(
        "what a client accepts is not looked at: answers are JSON", r"put with accept (text|html|xml)", 202, after=("HW_ERR: disk 3",)
    ),
    Deviation("likewise", r"delete with accept (text|html|xml)", 202, after=NOT_HELD),
    Deviation(
        "/maintenance becomes true or false: other values get a sentence, and null is refused, where Ironic fails",
        r"patch replace-(1|0|2|banana|empty|null|list|object), .*",
        400,
        "Expected boolean for /maintenance",
        UNCHANGED,
    ),
    Deviation("an operation needs a value", r"patch replace-without-value, .*", 400, "needs a value", UNCHANGED),
    Deviation("/maintenance can't be removed; Ironic fails", r"patch remove, .*", 400, "replace it with true or false", UNCHANGED),
    Deviation("move and copy are refused", r"patch (move|copy|copy-onto), .*", 400, "known are add, replace, remove, test", UNCHANGED),
    Deviation(
        "`test` is an operation here, and holds",
        r"patch (test-true, before|test-false, clear)",
        200,
        '"maintenance"',
        UNCHANGED,
    ),
    Deviation(
        "`test` is an operation here, and fails",
        r"patch (test-true, clear|test-false, before|test-then-replace, before)",
        400,
        "test of /maintenance",
        UNCHANGED,
    ),
    Deviation("`test`, then `replace`", r"patch test-then-replace, clear", 200, '"maintenance": true', (None,)),
    Deviation(
        "maintenance_reason and fault are derived: they can't be patched, and the sentence says what to do",
        r"patch (test-reason|(replace|add|remove)-(reason|fault)|true-and-reason), .*",
        400,
        "Cannot patch /",
        UNCHANGED,
    ),
    Deviation(
        "a path that can't be patched is named with those that can",
        r"patch (with-a-refused-path|upper-case), .*",
        400,
        "what can be set is",
        UNCHANGED,
    ),
    Deviation(
        "a path below or beside /maintenance is refused by name", r"patch (below|slash), .*", 400, "Cannot patch /maintenance/", UNCHANGED
    ),
    Deviation(
        "there are no interfaces to reset here",
        r"patch reset_interfaces at .*",
        400,
        "Unexpected arguments: reset_interfaces",
        UNCHANGED,
    ),
)
