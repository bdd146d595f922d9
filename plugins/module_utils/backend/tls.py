# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The server's certificate and key."""

from __future__ import annotations

import ssl


def mistakes(certificate: str | None, key: str | None) -> list[str]:
    """Give one sentence for each reason why this pair of PEM files cannot serve TLS, [] if it can or both are None."""
    if certificate is None and key is None:
        return []
    found = []
    texts = {}
    for name, path in (("tls_certificate", certificate), ("tls_key", key)):
        if path is None:
            found.append(f"{name} is missing: TLS needs both tls_certificate and tls_key")
            continue
        try:
            with open(path, encoding="ascii") as stream:
                texts[name] = stream.read()
        except UnicodeDecodeError:
            found.append(f"{name}: {path} is not a PEM file")
        except OSError as error:
            found.append(f"{name}: {path} cannot be read: {(error.strerror or str(error)).lower()}")
    if found or certificate is None or key is None:
        return found
    if "ENCRYPTED" in texts["tls_key"]:
        return [f"tls_key: {key} is encrypted; store it decrypted in a file that only the service can read"]
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except ssl.SSLError as error:
        reason = "the key does not belong to the certificate" if error.reason == "KEY_VALUES_MISMATCH" else "not a PEM certificate and key"
        return [f"tls_certificate {certificate} and tls_key {key} cannot be used: {reason}"]
    if "BEGIN PRIVATE KEY" not in texts["tls_key"]:
        return [f"tls_key: {key} must be in PKCS #8 form: openssl pkcs8 -topk8 -nocrypt -in {key} -out NEW_FILE"]
    return []
