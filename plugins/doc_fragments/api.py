# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documentation of the options of the group `api`; the options themselves are in module_utils/client/options.py."""

from __future__ import annotations


class ModuleDocFragment:
    """The connection options, of everything that speaks to the API."""

    DOCUMENTATION = r"""
options:
  api_url:
    description:
      - Address of the bare-metal API, with or without C(/v1) at its end, for example C(https://baremetal.example.org:6386).
      - If the option is not given, the first of the environment variables E(BAREMETAL_MAINTENANCE_URL) and E(OS_ENDPOINT) that is set is
        used.
    type: str
  auth_type:
    description:
      - How to log in. V(none) sends no credential, V(http_basic) sends O(username) and O(password), V(token) sends O(token) as
        C(X-Auth-Token).
      - If the option is not given, the first of the environment variables E(BAREMETAL_MAINTENANCE_AUTH_TYPE) and E(OS_AUTH_TYPE) that is
        set is used, and without them V(none).
      - Keystone is not built into this version. An E(OS_AUTH_TYPE) that means Keystone, such as C(v3password), is an error that says so.
    type: str
    choices:
      - none
      - http_basic
      - token
  username:
    description:
      - User name for O(auth_type=http_basic).
      - If the option is not given, the environment variable E(BAREMETAL_MAINTENANCE_USERNAME) is used, and where E(OS_AUTH_TYPE) chose the
        O(auth_type), E(OS_USERNAME) after it.
    type: str
  password:
    description:
      - Password for O(auth_type=http_basic). A password that goes over plain HTTP to another machine is warned about.
      - If the option is not given, the environment variable E(BAREMETAL_MAINTENANCE_PASSWORD) is used, and where E(OS_AUTH_TYPE) chose the
        O(auth_type), E(OS_PASSWORD) after it.
    type: str
  token:
    description:
      - Token for O(auth_type=token). A token that goes over plain HTTP to another machine is warned about.
      - If the option is not given, the environment variable E(BAREMETAL_MAINTENANCE_TOKEN) is used.
    type: str
  validate_certs:
    description:
      - Whether the certificate of an C(https) address must be valid. Set it to V(false) for tests only.
    type: bool
    default: true
  ca_path:
    description:
      - A file or folder of certificates of the authorities to trust, instead of those that the Python library requests trusts.
      - If the option is not given, the first of the environment variables E(BAREMETAL_MAINTENANCE_CA_PATH), E(OS_CACERT),
        E(REQUESTS_CA_BUNDLE) and E(CURL_CA_BUNDLE) that is set is used.
    type: path
  client_cert:
    description:
      - A file with the certificate with which to identify this client, and its key unless O(client_key) names another file.
      - If the option is not given, the first of the environment variables E(BAREMETAL_MAINTENANCE_CLIENT_CERT) and E(OS_CERT) that is set
        is used.
    type: path
  client_key:
    description:
      - A file with the key of O(client_cert), without a passphrase.
      - If the option is not given, the first of the environment variables E(BAREMETAL_MAINTENANCE_CLIENT_KEY) and E(OS_KEY) that is set is
        used.
    type: path
  proxy:
    description:
      - Address of the HTTP proxy through which to reach the API.
      - If the option is not given, the environment variable E(BAREMETAL_MAINTENANCE_PROXY) is used, and after it, unless the API is on this
        machine, the usual ones, E(https_proxy), E(http_proxy), E(all_proxy) and E(no_proxy).
    type: str
  timeout:
    description:
      - How long to wait for a connection, and then for an answer, in seconds; also the longest time to wait before trying again where the
        service asks for it.
    type: int
    default: 30
  retries:
    description:
      - How often to try again after a failed connection, when the node is locked by an operation in progress, or when the service is
        unavailable or asks for less haste. A refused login is never tried again.
      - A request that may have been done though its reply was lost is not blindly repeated; where it can't be found out, the task fails and
        says so.
    type: int
    default: 3
requirements:
  - Python >= 3.10
  - requests >= 2.31
"""
