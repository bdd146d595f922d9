# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong with a BMC: kinds that a playbook can tell apart, plain words, and what to do next."""

from __future__ import annotations

import typing as t

#: Each kind with the next step for an operator; None where the message says it.
HINTS: dict[str, str | None] = {
    "unreachable": "Check the address and port, and from this machine the network and firewalls in between; the BMC may be restarting.",
    "auth_failed": "Check user and password. It was tried once only, so as not to lock the account.",
    "privilege": "Give the account the role of an operator or administrator, for IPMI on the LAN channel.",
    "session_limit": "The BMC has no session left: wait until old ones expire or end them on the BMC; with Redfish use bmc_auth: basic.",
    "tls_untrusted": "Give the certificate of the authority that signed it as bmc_ca_path, or put one on the BMC that is trusted.",
    "tls_or_port": "Check the port, and whether the BMC speaks https or http there (give bmc_address as a URL to say which).",
    "redirect": "Give the address that the BMC is really reached at; the password is not carried to another address.",
    "not_redfish": "What answers there is no Redfish service: check address and port, and whether Redfish is enabled on the BMC.",
    "system_not_found": "Set bmc_system to one of the systems that the BMC lists.",
    "several_systems": "Set bmc_system to the one that is meant.",
    "unsupported_cipher": "Enable cipher suite 3 or 17 for IPMI over LAN on the BMC.",
    "bmc_error": "The BMC answered with an error: if that persists, restart the BMC and run this again.",
    "malformed": "The BMC answered with what makes no sense: if that persists, restart or update the BMC.",
    "too_large": "The BMC offers more than is read; what was read is in the report.",
    "deadline": "Raise bmc_deadline if the BMC is only slow; what was read before is in the report.",
    "child_failed": "The process that read the BMC ended early: see the message, and what is installed where the task runs.",
    "library_missing": "Install what requirements.txt of the collection names, for the Python that runs the task.",
    "bad_option": None,
}


class BmcError(Exception):
    """A reason why something could not be read or done. Ends the section in which it is raised."""

    def __init__(self, kind: str, msg: str) -> None:
        super().__init__(msg)
        self.kind = kind
        self.msg = msg
        #: Whether it is in the report already.
        self.told = False

    def problem(self, section: str) -> dict[str, t.Any]:
        """The entry for `errors` in a report."""
        return {"section": section, "kind": self.kind, "msg": self.msg, "hint": HINTS[self.kind]}


class Ends(BmcError):
    """A reason why nothing more can be read from this BMC. Ends the reading."""


class NotOffered(Exception):
    """The BMC has no such section."""


class DeadlineReached(BaseException):
    """The time for the reading is over. No Exception, so that no library takes it for one of its own."""

    #: Whether it is in the report already.
    told = False
