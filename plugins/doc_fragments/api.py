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
      - With O(auth_type=keystone) it need not be given. The endpoint of the type C(baremetal) in Keystone's catalogue is used then.
    type: str
  auth_type:
    description:
      - How to log in. V(none) sends no credential, V(http_basic) sends O(username) and O(password), V(token) sends O(token) as
        C(X-Auth-Token), V(keystone) asks Keystone for a token as O(cloud), O(auth) or the environment say, and sends that.
      - A run asks for one token, whatever its number of hosts, and for another one when the API refuses it.
      - If the option is not given, O(cloud) and O(auth) mean V(keystone), else the first of the environment variables
        E(BAREMETAL_MAINTENANCE_AUTH_TYPE) and E(OS_AUTH_TYPE) that is set is used. For the latter C(password), C(token) and all that begins
        with C(v3) mean V(keystone). Without any of these it is V(keystone) if E(OS_CLOUD) or E(OS_AUTH_URL) is set and nothing says
        where the API is, and else V(none).
    type: str
    choices:
      - none
      - http_basic
      - token
      - keystone
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
  cloud:
    description:
      - For O(auth_type=keystone), the name of an entry of C(clouds.yaml), which is read as every OpenStack tool reads it, with
        C(secure.yaml), from the working folder, C(~/.config/openstack) and C(/etc/openstack), or from the files that
        E(OS_CLIENT_CONFIG_FILE) and E(OS_CLIENT_SECURE_FILE) name. Needs the Python library openstacksdk.
      - An entry for a service without a Keystone (C(auth_type) C(none) or C(http_basic)) is taken too.
      - If neither the option nor O(auth) is given, the environment variable E(OS_CLOUD) is used.
    type: str
  auth:
    description:
      - For O(auth_type=keystone), the login itself, in place of O(cloud). An application credential, a token or a password is
        recognised by the members that are given.
      - If neither the option nor O(cloud), nor E(OS_CLOUD), is given, the login is in the usual environment variables, such as
        E(OS_AUTH_URL), E(OS_USERNAME), E(OS_PASSWORD), E(OS_USER_DOMAIN_NAME), E(OS_PROJECT_NAME), E(OS_PROJECT_DOMAIN_NAME),
        E(OS_SYSTEM_SCOPE), E(OS_APPLICATION_CREDENTIAL_ID), E(OS_APPLICATION_CREDENTIAL_SECRET) and E(OS_TOKEN).
    type: dict
    suboptions:
      auth_url:
        description: Address of Keystone, for example C(https://keystone.example.org/v3).
        type: str
      username:
        description: The user's name. Needs the domain.
        type: str
      user_id:
        description: The user's id, in place of name and domain.
        type: str
      user_domain_name:
        description: The name of the user's domain, in most clouds C(Default).
        type: str
      user_domain_id:
        description: The id of the user's domain, in place of its name.
        type: str
      password:
        description: The user's password.
        type: str
      token:
        description: A token to get another one with, in place of user and password.
        type: str
      application_credential_id:
        description: The id of an application credential, which has its own project and roles.
        type: str
      application_credential_name:
        description: Its name, in place of the id. Needs the user.
        type: str
      application_credential_secret:
        description: Its secret.
        type: str
      project_name:
        description: The name of the project to act for. Needs the domain.
        type: str
      project_id:
        description: The project's id, in place of name and domain.
        type: str
      project_domain_name:
        description: The name of the project's domain, in most clouds C(Default).
        type: str
      project_domain_id:
        description: The id of the project's domain, in place of its name.
        type: str
      system_scope:
        description: V(all), to act for the system and not for a project, as operators do.
        type: str
        choices:
          - all
      trust_id:
        description: The id of a trust to act under.
        type: str
  region_name:
    description:
      - For O(auth_type=keystone), the region whose endpoint to take from the catalogue. The default is what the entry of O(cloud) says,
        or else any.
      - If the option is not given, the environment variable E(OS_REGION_NAME) is used.
    type: str
  interface:
    description:
      - For O(auth_type=keystone), the interface whose endpoint to take from the catalogue. The default is what the entry of O(cloud) says,
        or else V(public).
      - If the option is not given, the environment variable E(OS_INTERFACE) is used.
    type: str
    choices:
      - public
      - internal
      - admin
  validate_certs:
    description:
      - Whether the certificate of an C(https) address must be valid. Set it to V(false) for tests only.
      - The default is what the entry of O(cloud) says, or else V(true).
    type: bool
  ca_path:
    description:
      - A file or folder of certificates of the authorities to trust, of the API and of Keystone, instead of those that the Python library
        requests trusts. If the option is not given, what the entry of O(cloud) says comes before the environment.
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
  - keystoneauth1 >= 5.10 for O(auth_type=keystone)
  - openstacksdk >= 4.10 for O(cloud)
"""
