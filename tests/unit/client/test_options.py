# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where connection options come from, and that what is documented is what is there."""

from __future__ import annotations

import re
import typing as t

import pytest
import yaml
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible_collections.baremetal.maintenance.plugins.doc_fragments.api import ModuleDocFragment
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors, options

DOCUMENTED: dict[str, dict[str, t.Any]] = yaml.safe_load(ModuleDocFragment.DOCUMENTATION)["options"]


def test_the_fragment_documents_each_option_in_the_same_order_and_no_other() -> None:
    assert list(DOCUMENTED) == list(options.ARGUMENT_SPEC)


@pytest.mark.parametrize("name", options.ARGUMENT_SPEC)
def test_type_default_and_choices_are_documented_as_they_are(name: str) -> None:
    spec, documented = options.ARGUMENT_SPEC[name], DOCUMENTED[name]
    for member in ("type", "default", "choices"):
        assert documented.get(member) == spec.get(member)


@pytest.mark.parametrize("name", [*options.ENVIRONMENT, *options.KEYSTONE_ENVIRONMENT])
def test_every_variable_is_documented_in_its_order(name: str) -> None:
    variables = {**options.ENVIRONMENT, **options.KEYSTONE_ENVIRONMENT}[name]
    text = " ".join(DOCUMENTED[name]["description"])
    named = [variable for variable in re.findall(r"E\((\w+)\)", text) if variable in variables]
    assert list(dict.fromkeys(named)) == list(variables)


def test_the_members_of_a_login_are_documented_in_the_same_order() -> None:
    documented = DOCUMENTED["auth"]["suboptions"]
    assert list(documented) == list(options.AUTH_MEMBERS)
    for name, spec in options.AUTH_MEMBERS.items():
        assert (documented[name]["type"], documented[name].get("choices")) == (spec["type"], spec.get("choices"))


def test_the_spec_is_one_that_ansible_takes() -> None:
    done = ArgumentSpecValidator(options.ARGUMENT_SPEC).validate({"api_url": "http://a", "timeout": "5", "validate_certs": "no"})
    assert done.error_messages == []
    assert (done.validated_parameters["timeout"], done.validated_parameters["validate_certs"]) == (5, False)


def test_password_and_token_are_secrets() -> None:
    assert [name for name, spec in options.ARGUMENT_SPEC.items() if spec.get("no_log")] == ["password", "token"]
    secrets = [name for name, spec in options.AUTH_MEMBERS.items() if spec.get("no_log")]
    assert secrets == ["password", "token", "application_credential_secret"]


def test_without_anything_there_are_defaults_and_nothing_else() -> None:
    given = {name: value for name, value in options.resolved({}, {}).items() if value is not None}
    assert given == {"auth_type": "none", "timeout": 30, "retries": 3}


def test_an_option_wins_over_the_environment_even_where_it_is_false() -> None:
    environ = {"BAREMETAL_MAINTENANCE_URL": "http://b", "OS_ENDPOINT": "http://c"}
    assert options.resolved({"api_url": "http://a", "validate_certs": False}, environ)["api_url"] == "http://a"
    assert options.resolved({"validate_certs": False}, environ)["validate_certs"] is False


@pytest.mark.parametrize(("name", "variables"), [item for item in options.ENVIRONMENT.items() if item[0] != "auth_type"])
def test_our_own_variable_comes_before_the_others_and_an_empty_one_counts_as_unset(name: str, variables: tuple[str, ...]) -> None:
    environ = {variable: f"from {variable}" for variable in variables}
    assert variables[0].startswith("BAREMETAL_MAINTENANCE_")
    for variable in variables:
        assert options.resolved({}, environ)[name] == f"from {variable}"
        environ[variable] = ""
    assert options.resolved({}, environ)[name] is None


def test_our_auth_type_comes_before_openstacks() -> None:
    environ = {"BAREMETAL_MAINTENANCE_AUTH_TYPE": "token", "OS_AUTH_TYPE": "http_basic"}
    assert options.resolved({}, environ)["auth_type"] == "token"
    assert options.resolved({"auth_type": "none"}, environ)["auth_type"] == "none"


def test_openstacks_login_is_taken_where_openstacks_auth_type_is() -> None:
    environ = {"OS_AUTH_TYPE": "http_basic", "OS_USERNAME": "op", "OS_PASSWORD": "pw"}
    chosen = options.resolved({}, environ)
    assert (chosen["auth_type"], chosen["username"], chosen["password"]) == ("http_basic", "op", "pw")


@pytest.mark.parametrize("given", [{"auth_type": "http_basic"}, {}])
def test_the_password_of_another_service_in_the_environment_is_left_alone(given: dict[str, str]) -> None:
    environ = {"OS_USERNAME": "op", "OS_PASSWORD": "pw", "BAREMETAL_MAINTENANCE_AUTH_TYPE": "http_basic"}
    chosen = options.resolved(given, environ)
    assert (chosen["username"], chosen["password"]) == (None, None)


@pytest.mark.parametrize("value", ["v3password", "v3token", "v3applicationcredential", "password", "token"])
def test_openstacks_auth_types_of_keystone_mean_keystone(value: str) -> None:
    assert options.resolved({}, {"OS_AUTH_TYPE": value, "OS_ENDPOINT": "http://a"})["auth_type"] == "keystone"


@pytest.mark.parametrize("given", [{"cloud": "c1"}, {"auth": {"auth_url": "http://k"}}])
def test_a_login_to_keystone_that_is_given_means_keystone(given: dict[str, t.Any]) -> None:
    environ = {"BAREMETAL_MAINTENANCE_AUTH_TYPE": "token", "OS_AUTH_TYPE": "http_basic", "OS_CLOUD": "c2"}
    chosen = options.resolved(given, environ)
    assert (chosen["auth_type"], chosen["cloud"]) == ("keystone", given.get("cloud"))
    assert options.resolved({**given, "auth_type": "none"}, environ)["auth_type"] == "none"


@pytest.mark.parametrize("variable", ["OS_CLOUD", "OS_AUTH_URL"])
def test_a_keystone_in_the_environment_is_asked_unless_something_says_where_the_api_is(variable: str) -> None:
    assert options.resolved({}, {variable: "x"})["auth_type"] == "keystone"
    assert options.resolved({"api_url": "http://a"}, {variable: "x"})["auth_type"] == "none"
    assert options.resolved({}, {variable: "x", "BAREMETAL_MAINTENANCE_URL": "http://a"})["auth_type"] == "none"
    assert options.resolved({}, {variable: "x", "BAREMETAL_MAINTENANCE_AUTH_TYPE": "token"})["auth_type"] == "token"


def test_without_keystone_openstacks_variables_of_it_are_left_alone() -> None:
    environ = {"OS_CLOUD": "c1", "OS_REGION_NAME": "r1", "OS_INTERFACE": "internal", "OS_ENDPOINT": "http://a"}
    assert [options.resolved({}, environ)[name] for name in options.KEYSTONE_ENVIRONMENT] == [None, None, None]
    chosen = options.resolved({"auth_type": "keystone"}, environ)
    assert [chosen[name] for name in options.KEYSTONE_ENVIRONMENT] == ["c1", "r1", "internal"]


def test_an_option_that_is_given_makes_openstacks_auth_type_unimportant() -> None:
    assert options.resolved({"auth_type": "none"}, {"OS_AUTH_TYPE": "v3password"})["auth_type"] == "none"


def test_an_unknown_auth_type_names_the_known_ones() -> None:
    with pytest.raises(errors.BadOption, match="OS_AUTH_TYPE is 'kerberos', and this version knows none, http_basic, token, keystone"):
        options.resolved({}, {"OS_AUTH_TYPE": "kerberos"})
