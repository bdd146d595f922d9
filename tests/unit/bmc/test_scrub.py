# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""No secret in what is given back, and no verdict blanked out by a secret that looks like one."""

from __future__ import annotations

import base64

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import scrub

SECRETS = scrub.forms("admin", ["p@ss/canary", None, ""])


def test_a_secret_is_masked_wherever_it_turns_up():
    header = base64.b64encode(b"admin:p@ss/canary").decode()
    value = {
        "msg": "login with p@ss/canary failed",
        "list": [{"url": "https://u:p%40ss%2Fcanary@bmc", "header": f"Basic {header}"}],
        "n": 3,
    }
    masked = scrub.scrub(value, SECRETS)
    assert "canary" not in str(masked) and header not in str(masked)
    assert masked["n"] == 3
    assert masked["msg"] == "login with ******** failed"


def test_a_password_that_is_a_word_of_a_report_does_not_change_what_the_report_says():
    secrets = scrub.forms("admin", ["critical"])
    assert scrub.scrub({"health": "critical", "msg": "critical!"}, secrets) == {"health": "critical", "msg": "********!"}


def test_short_secrets_are_left_since_they_are_in_every_word():
    assert scrub.forms("admin", ["abc"]) == []
