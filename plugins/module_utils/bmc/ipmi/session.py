# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An IPMI session with one BMC: opened, asked command by command, closed; what goes wrong said in our words."""

from __future__ import annotations

import socket
import struct
import typing as t

from .. import libs
from ..errors import BmcError, Ends
from ..target import Target
from . import pyghmi_fixes

#: What pyghmi says when a login fails, and what that is.
_REFUSALS = (
    (
        pyghmi_fixes.SILENT,
        "auth_failed",
        "The BMC {0} answers, but not to the login: many are silent about a user that they do not know.",
    ),
    ("Incorrect password", "auth_failed", "The BMC {0} does not accept this password."),
    ("Unauthorized name", "auth_failed", "The BMC {0} does not know this user, or does not let it in over the network."),
    ("Invalid username length", "auth_failed", "The name of the user is too long for the BMC {0}: IPMI allows 16 characters."),
    ("wrong Kg", "auth_failed", "The BMC {0} does not accept this Kg."),
    ("integrity check value", "auth_failed", "The BMC {0} does not accept this password or Kg."),
    ("nvalid role", "privilege", "The BMC {0} does not give this user the role that a reading needs."),
    ("role or privilege", "privilege", "The BMC {0} does not give this user the role that a reading needs."),
    ("privelege level", "privilege", "The BMC {0} does not give this user the privilege that a reading needs."),
    ("Insufficient resources", "session_limit", "The BMC {0} has no IPMI session left."),
    ("algorithm", "unsupported_cipher", "The BMC {0} offers no cipher suite that is supported."),
    ("integrity payload", "unsupported_cipher", "The BMC {0} offers no cipher suite that is supported."),
    ("MD5 required", "unsupported_cipher", "The BMC {0} offers IPMI 1.5 only, without the authentication that is supported."),
)


def stumbles() -> tuple[type[Exception], ...]:
    """What pyghmi raises for bytes that it cannot make sense of."""
    common = (ArithmeticError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError, struct.error)
    return (*common, libs.pyghmi().exceptions.PyghmiException)


class Refused(BmcError):
    """The BMC answered a command with a completion code that is not 0."""

    def __init__(self, what: str, code: int) -> None:
        super().__init__("bmc_error", f"The BMC refused {what} with the completion code 0x{code:02x}.")
        self.code = code


class Session:
    """An open session. `command` is pyghmi's object, for its decoders."""

    def __init__(self, target: Target, command: t.Any) -> None:
        self._address = target.address
        self.command = command
        #: How many commands were sent.
        self.commands = 0

    @property
    def cipher(self) -> int:
        """The cipher suite in use."""
        return 17 if getattr(self.command.ipmi_session, "attemptedhash", None) == 256 else 3

    def ask(self, what: str, netfn: int, command: int, data: t.Sequence[int] = (), lun: int = 0) -> bytearray:
        """Send one command and give the data of its reply; `what` says in messages what is asked for. Raises Refused for a completion code
        that is not 0, and Ends if the BMC does not answer any more."""
        self.commands += 1
        try:
            reply = self.command.raw_command(netfn=netfn, command=command, data=list(data), rslun=lun)
        except libs.pyghmi().exceptions.IpmiException as error:
            raise Ends("unreachable", f"The BMC {self._address} stopped answering when it was asked for {what}.") from error
        except stumbles() as error:
            raise BmcError("malformed", f"What the BMC {self._address} sent for {what} makes no sense.") from error
        if reply.get("code"):
            raise Refused(what, reply["code"])
        return bytearray(reply["data"])

    def close(self) -> None:
        """Tell the BMC that the session is over, also in the middle of a command; does not wait for its answer."""
        session = self.command.ipmi_session
        session.incommand = False
        session.lastpayload = None
        session.pendingpayloads.clear()
        try:
            session.logout()
        except libs.pyghmi().exceptions.IpmiException:
            # It has noticed that the BMC is gone.
            return


def connect(target: Target) -> Session:
    """Log in, once. Raises Ends."""
    pyghmi = libs.pyghmi()
    pyghmi_fixes.install(pyghmi.session)
    address = target.address
    try:
        command = pyghmi.command.Command(
            bmc=target.host, userid=target.username, password=target.password, port=target.port, kg=target.kg or None
        )
    except socket.gaierror as error:
        raise Ends("unreachable", f"The name {target.host} cannot be resolved: {error.strerror}.") from error
    except pyghmi.exceptions.IpmiException as error:
        raise _login_failed(str(error), address) from error
    except stumbles() as error:
        raise Ends("malformed", f"The login at {address} failed in the library pyghmi: {type(error).__name__}: {error}.") from error
    # What vendors add to IPMI would cost commands of their own, some over HTTPS to the same machine.
    command._oem = pyghmi.oem.OEMHandler(None, None)
    command._oemknown = True
    return Session(target, command)


def _login_failed(said: str, address: str) -> Ends:
    for words, kind, message in _REFUSALS:
        if words in said:
            return Ends(kind, message.format(address))
    if said in ("None", "timeout", "Session no longer connected"):
        silent = f"No IPMI answer from {address} (UDP; a wrong port or a firewall looks the same)."
        return Ends("unreachable", silent)
    return Ends("bmc_error", f"The login at {address} failed: {said}.")
