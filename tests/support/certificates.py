# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates for tests of TLS: an authority of a test's own, and what it signs for 127.0.0.1."""

from __future__ import annotations

import dataclasses
import datetime
import ipaddress
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclasses.dataclass(frozen=True)
class Pair:
    """A certificate file and its key file (PKCS#8, PEM)."""

    certificate: str
    key: str


class Authority:
    """Signs certificates; its own is in the file `certificate`."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name("test authority")
        self._self = self._sign("test authority", self._key.public_key(), authority=True)
        self.certificate = self._write("ca.pem", self._self.public_bytes(serialization.Encoding.PEM))

    def issue(self, name: str) -> Pair:
        """Sign a certificate for 127.0.0.1, good for a server and for a client."""
        key = ec.generate_private_key(ec.SECP256R1())
        signed = self._sign(name, key.public_key(), authority=False)
        private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        return Pair(self._write(f"{name}.pem", signed.public_bytes(serialization.Encoding.PEM)), self._write(f"{name}.key", private))

    def _sign(self, name: str, public_key: ec.EllipticCurvePublicKey, *, authority: bool) -> x509.Certificate:
        now = datetime.datetime.now(datetime.timezone.utc)
        usage = dict.fromkeys(("content_commitment", "data_encipherment", "encipher_only", "decipher_only", "key_agreement"), False)
        return (
            x509.CertificateBuilder()
            .subject_name(_name(name))
            .issuer_name(self._name)
            .public_key(public_key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=1))
            .not_valid_after(now + datetime.timedelta(hours=1))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(
                x509.KeyUsage(digital_signature=True, key_cert_sign=authority, crl_sign=authority, key_encipherment=not authority, **usage),
                critical=True,
            )
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
            .sign(self._key, hashes.SHA256())
        )

    def _write(self, name: str, content: bytes) -> str:
        file = self._folder / name
        file.write_bytes(content)
        return str(file)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
