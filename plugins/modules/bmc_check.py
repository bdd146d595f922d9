#!/usr/bin/python
# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judge by their BMCs whether machines are fit for service."""

from __future__ import annotations

DOCUMENTATION = r"""
module: bmc_check
short_description: Judge by their BMCs whether machines are fit for service
version_added: 0.2.0
description:
  - Reads a BMC over IPMI or Redfish, as M(baremetal.maintenance.bmc_info) does, and judges the machine by rules. The result is a verdict
    that says what blocks, what warns and what was not checked, and the report that it rests on.
  - It touches neither holds nor power, so that what was found and what was released are two records. RV(evidence) is a sentence for the
    comment of the release.
  - What the BMC does not tell, or tells in a word that is not known, is never taken for well. What it reports about empty slots is no
    fault.
  - A BMC that can't be read is never a machine that may be released, whatever O(rules) and O(ignore) say.
extends_documentation_fragment:
  - baremetal.maintenance.bmc
  - baremetal.maintenance.attributes.reads
options:
  fault:
    description: Which fault is to be released, which decides what blocks, see O(rules). Without it every rule counts.
    type: str
    choices:
      - power failure
      - clean failure
      - rescue abort failure
      - service failure
  since:
    description:
      - From when events count, as a time in ISO 8601, such as the C(asserted_at) of the hold that is to be released.
      - Without it, old critical events only warn, unless the BMC says that they are not repaired.
    type: str
  expected:
    description: What the machine must have. What is left out or null is not compared. A machine may have more.
    type: dict
    suboptions:
      power_state:
        description: V(on) or V(off). It may be as Ironic has it, C(power on) or C(power off).
        type: str
      memory_mb:
        description:
          - The size of the memory in MB, such as the property C(memory_mb) of Ironic's node.
          - One and a half per cent less are accepted.
        type: int
      cpus:
        description: How many processors, not cores.
        type: int
      psus:
        description: How many power supplies.
        type: int
      drives:
        description: How many drives.
        type: int
      serials:
        description:
          - Serial numbers that the machine or its parts have.
          - Quote those that are numbers.
          - Over IPMI the inventory is read for them, which takes time.
        type: list
        elements: str
      firmware:
        description: The firmware of the BMC.
        type: str
  ignore:
    description:
      - Parts and sensors whose state is not to count, by all that is given of each; RV(verdict) tells which there were.
      - A part needs a name or a serial number.
      - It still counts as present, and weighs in the health that the BMC gives for the whole system.
    type: list
    elements: dict
    suboptions:
      kind:
        description: What it is.
        type: str
        choices:
          - cpu
          - memory
          - drive
          - controller
          - psu
          - chassis
          - bmc
          - other
          - sensor
      name:
        description: Its name in the report.
        type: str
      serial:
        description: Its serial number in the report.
        type: str
  targets:
    description:
      - Several BMCs, read at the same time. What one leaves out is as the task says. An empty list is nothing to do.
      - BMCs that do not answer are found out all at once, so that many dead ones take hardly more time than one.
      - A task for each host reads one BMC in each process of Ansible; this reads O(workers) at a time in one task. How each ended is told
        while the task runs, unless it is delegated.
    type: list
    elements: dict
    suboptions:
      node:
        description: What it is called in RV(targets_result), such as the name of its node. If it is not given, it is the address.
        type: str
      bmc_protocol:
        description: As O(bmc_protocol), of this BMC.
        type: str
        choices:
          - ipmi
          - redfish
      bmc_address:
        description: The BMC, as O(bmc_address).
        type: str
      bmc_username:
        description: As O(bmc_username), of this BMC.
        type: str
      bmc_password:
        description: As O(bmc_password), of this BMC.
        type: str
      bmc_kg:
        description: As O(bmc_kg), of this BMC.
        type: str
      bmc_system:
        description: As O(bmc_system), of this BMC.
        type: str
      bmc_manager:
        description: As O(bmc_manager), of this BMC.
        type: str
      bmc_validate_certs:
        description: As O(bmc_validate_certs), of this BMC.
        type: bool
      bmc_ca_path:
        description: As O(bmc_ca_path), of this BMC.
        type: path
      bmc_auth:
        description: As O(bmc_auth), of this BMC.
        type: str
        choices:
          - basic
          - session
      bmc_deadline:
        description: As O(bmc_deadline), of this BMC.
        type: float
      bmc_power_reads:
        description: As O(bmc_power_reads), of this BMC.
        type: int
      bmc_power_read_interval:
        description: As O(bmc_power_read_interval), of this BMC.
        type: float
      bmc_retries:
        description: As O(bmc_retries), of this BMC.
        type: int
      fault:
        description: As O(fault), of this machine.
        type: str
        choices:
          - power failure
          - clean failure
          - rescue abort failure
          - service failure
      since:
        description: As O(since), of this machine.
        type: str
      expected:
        description: As O(expected), of this machine.
        type: dict
        suboptions:
          power_state:
            description: V(on) or V(off). It may be as Ironic has it, C(power on) or C(power off).
            type: str
          memory_mb:
            description:
              - The size of the memory in MB, such as the property C(memory_mb) of Ironic's node.
              - One and a half per cent less are accepted.
            type: int
          cpus:
            description: How many processors, not cores.
            type: int
          psus:
            description: How many power supplies.
            type: int
          drives:
            description: How many drives.
            type: int
          serials:
            description:
              - Serial numbers that the machine or its parts have.
              - Quote those that are numbers.
              - Over IPMI the inventory is read for them, which takes time.
            type: list
            elements: str
          firmware:
            description: The firmware of the BMC.
            type: str
      ignore:
        description: As O(ignore), of this machine.
        type: list
        elements: dict
        suboptions:
          kind:
            description: What it is.
            type: str
            choices:
              - cpu
              - memory
              - drive
              - controller
              - psu
              - chassis
              - bmc
              - other
              - sensor
          name:
            description: Its name in the report.
            type: str
          serial:
            description: Its serial number in the report.
            type: str
  rules:
    description:
      - What a violation of a rule does, by the rule's name. V(block) means that the machine is not to be released, V(warn) that it is
        told, and V(off) that the rule is not looked at. It counts whatever O(fault) is.
      - The rules and their reasons follow.
      - >-
        C(R1). The BMC answers, lets us in, and reads the same power state, on or off, every time. One successful power read is what Ironic
        goes by; a flapping BMC passes it. A violation blocks; what can't be read blocks.
      - >-
        C(R2). The power state is the expected one. With maintenance gone, whoever manages the power forces its own record on the machine. A
        violation blocks; what can't be read blocks.
      - >-
        C(R3). No fault bit of the chassis (power, interlock, drive, cooling) is set. Only IPMI has them. The bits are the BMC's own alarm,
        and no sensor shows them. A violation blocks; what can't be read blocks.
      - >-
        C(R4). The health of the whole system is not critical: its own over Redfish, the worst of its sensors over IPMI. A critical system
        is a machine that itself asks for a person. A violation blocks; what can't be read is only named.
      - >-
        C(R5). No part that is there is critical, no drive predicts its failure, media have more than 10 % of their life left. On many
        machines a system that is ok hides single parts that are not. A violation blocks, and only warns where O(fault) is V(power failure)
        or V(rescue abort failure); what can't be read is only named.
      - >-
        C(R6). No power supply that is there is critical, their redundancy is not lost, and there are as many as expected. Without a spare
        the next failure takes the machine down. One at warning still feeds it; one gone, only an expectation tells. A violation blocks, and
        only warns where O(fault) is V(power failure) or V(rescue abort failure); what can't be read is only named.
      - >-
        C(R7). No temperature is at its critical limit, no sensor is critical, and no fan stands still while the machine is on. A machine
        that cooks takes its new parts with it. A violation blocks, and only warns where O(fault) is V(power failure) or V(rescue abort
        failure); what can't be read is only named.
      - >-
        C(R8). No critical event since the hold was asserted, none not repaired but an old one of a network link, and the log is complete.
        The log remembers what every health forgot, as an uncorrectable memory error; a cable once pulled stays unrepaired for ever. A
        violation blocks, and only warns where O(fault) is V(power failure) or V(rescue abort failure); what can't be read blocks where a
        violation does.
      - >-
        C(R9). Memory, processors, drives and serial numbers are the expected ones, and no uncorrectable error was logged since. A memory
        module that was dropped shows as a smaller size, not as a bad health. A violation blocks, and only warns where O(fault) is V(power
        failure) or V(rescue abort failure); what can't be read is only named.
      - >-
        C(W1). The BMC's clock is at most five minutes off. Times of events can't be trusted otherwise. A violation warns; what can't be
        read is only named.
      - >-
        C(W2). Neither the machine nor its BMC is just starting, testing itself or being updated. Minutes after a start, healths and sensors
        lag behind. A violation warns; what can't be read is only named.
      - >-
        C(W3). The BMC's firmware is the expected one. A replaced mainboard comes with its own firmware. A violation warns; what can't be
        read is only named.
      - >-
        C(W4). No boot override but to the disk and no virtual media are left over. The next start would boot the wrong thing, and an
        aborted rescue leaves them; Ironic sets an override for its own boots, too. A violation warns, and blocks where O(fault) is V(rescue
        abort failure); what can't be read is only named.
      - >-
        C(W5). Neither the system nor a part or sensor that is there is at warning. A warning is no fault yet; set this to block where only
        a machine without any may go back. A violation warns; what can't be read is only named.
      - >-
        C(W6). The BMC lists no task or job that waits or runs. Only Redfish has them. A change that waits for the next start is made on a
        machine that is thought to be done. A violation warns; what can't be read is only named.
    type: dict
  unknown_blocks:
    description:
      - Whether what can't be read, or what a BMC that speaks Redfish does not offer, blocks under every rule that blocks.
    type: bool
    default: false
  fail_on:
    description:
      - V(block) fails the task if a machine is not to be released. V(never) only tells.
      - If it is not given, it is V(block) for one BMC, so that a play that forgets to look at the verdict stops and releases nothing; and
        V(never) with O(targets), where one sick machine among many is a result like any other. Look at RV(targets_result) then.
    type: str
    choices:
      - block
      - never
  workers:
    description:
      - How many BMCs of O(targets) are read at the same time. Those that do not answer do not count.
    type: int
    default: 16
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - module: baremetal.maintenance.bmc_info
  - module: baremetal.maintenance.hold
  - module: baremetal.maintenance.node_fault
"""

EXAMPLES = r"""
- name: Check the machine before its fault is released
  baremetal.maintenance.bmc_check:
    bmc_protocol: "{{ bmc_protocol }}"
    bmc_address: "{{ bmc_address }}"
    bmc_username: "{{ bmc_username }}"
    bmc_password: "{{ bmc_password }}"
    fault: power failure
    since: "2026-11-28T09:12:40+00:00"
    expected:
      power_state: "on"
      psus: 2
  register: checked

- name: Check several machines at once, and go on with those that are well
  baremetal.maintenance.bmc_check:
    bmc_protocol: "{{ bmc_protocol }}"
    bmc_username: "{{ bmc_username }}"
    bmc_password: "{{ bmc_password }}"
    targets:
      - node: rack-c-07
        bmc_address: "{{ bmc_address }}"
        fault: clean failure
      - node: rack-c-08
        bmc_address: "{{ other_address }}"
    rules:
      R6: warn
  register: several

- name: Show what may be released
  ansible.builtin.debug:
    msg: "{{ several.targets_result | selectattr('release') | map(attribute='node') | list }}"
"""

RETURN = r"""
release:
  description: Whether nothing blocks.
  returned: without O(targets), if the BMC could be asked
  type: bool
  sample: true
address:
  description: Host and port of the BMC.
  returned: without O(targets), if the BMC could be asked
  type: str
  sample: 192.0.2.7:623
verdict:
  description: What was found by the rules.
  returned: without O(targets), if the BMC could be asked
  type: dict
  contains:
    release:
      description: As RV(release).
      type: bool
    blocking:
      description: What blocks, each with C(rule) and C(msg).
      type: list
      elements: dict
    warnings:
      description: What is worth knowing, each with C(rule) and C(msg).
      type: list
      elements: dict
    not_checked:
      description: >-
        What there was nothing to compare with, what the BMC does not offer and what is switched off, each with C(rule) and C(msg).
      type: list
      elements: dict
    ignored:
      description: The parts and sensors that O(ignore) named, each with C(kind), C(name) and C(serial).
      type: list
      elements: dict
  sample:
    release: true
    blocking: []
    warnings: []
    not_checked:
      - rule: R5
        msg: over IPMI parts are known by their sensors only
      - rule: R6
        msg: over IPMI parts are known by their sensors only
      - rule: R9
        msg: no memory size is expected
      - rule: R9
        msg: no number of processors is expected
      - rule: R9
        msg: no number of drives is expected
      - rule: R9
        msg: no serial numbers are expected
      - rule: W2
        msg: IPMI does not say whether the machine is starting
      - rule: W3
        msg: no firmware is expected
      - rule: W4
        msg: IPMI knows no virtual media
      - rule: W6
        msg: IPMI knows no tasks
    ignored: []
evidence:
  description: What the verdict rests on, in one sentence.
  returned: without O(targets), if the BMC could be asked
  type: str
  sample: >-
    ipmi BMC 192.0.2.7:623 judged for power failure; power on in 3 reads; health ok; 4 parts and 6 sensors; 0 critical events since
    2026-11-28T09:12:40+00:00; not checked R5, R6, R9, W2, W3, W4, W6
report:
  description: What was read, as RV(baremetal.maintenance.bmc_info#module:report).
  returned: without O(targets), if the BMC could be asked
  type: dict
  sample:
    protocol: ipmi
    address: 192.0.2.7:623
    reachable: true
    complete: true
    seconds: 0.25
    requests: 22
    power:
      state: 'on'
      reads:
        - 'on'
        - 'on'
        - 'on'
      faults: []
      faults_known: true
    health:
      overall: ok
      rollup: null
      state: null
      unknown: 0
    system:
      uri: null
      manufacturer: null
      model: null
      serial: null
      memory_mb: null
      cpus: null
      boot_override: none
      virtual_media: null
    components:
      - kind: psu
        name: PS1 Status
        location: null
        state: enabled
        health: ok
        model: null
        serial: null
        firmware: null
        size_mb: null
        failure_predicted: null
        media_life_left_pct: null
        watts: null
        uri: sensor:32.3.0
    sensors:
      - name: Inlet Temp
        type: temperature
        value: 24.0
        unit: C
        critical_high: 45.0
        state: null
        health: ok
    events:
      complete: true
      overflow: false
      since: '2026-11-28T09:12:40+00:00'
      cleared_at: null
      read: 0
      entries: []
    bmc:
      firmware: '9.08'
      model: null
      cipher: 3
      pending: null
    clock_skew_s: -1
    sections:
      power: ok
      system: ok
      cpu: absent
      memory: absent
      storage: absent
      psu: absent
      sensors: ok
      bmc: ok
      events: ok
      tasks: absent
    errors: []
targets_result:
  description: What was found about each of O(targets), in their order.
  returned: with O(targets)
  type: list
  elements: dict
  contains:
    node:
      description: What the target is called.
      type: str
    address:
      description: As RV(address); empty if the options of the target make no sense.
      type: str
    release:
      description: As RV(release).
      type: bool
    verdict:
      description: As RV(verdict).
      type: dict
    evidence:
      description: As RV(evidence).
      type: str
    report:
      description: As RV(report).
      type: dict
  sample:
    - node: rack-c-07
      address: 192.0.2.7:623
      release: false
      verdict:
        release: false
        blocking:
          - rule: R6
            msg: there are 2 power supplies, and 3 are expected
        warnings: []
        not_checked:
          - rule: R2
            msg: no power state is expected
          - rule: R5
            msg: over IPMI parts are known by their sensors only
          - rule: R6
            msg: over IPMI parts are known by their sensors only
          - rule: R9
            msg: no memory size is expected
          - rule: R9
            msg: no number of processors is expected
          - rule: R9
            msg: no number of drives is expected
          - rule: R9
            msg: no serial numbers are expected
          - rule: W2
            msg: IPMI does not say whether the machine is starting
          - rule: W3
            msg: no firmware is expected
          - rule: W4
            msg: IPMI knows no virtual media
          - rule: W6
            msg: IPMI knows no tasks
        ignored: []
      evidence: ipmi BMC 192.0.2.7:623 judged for clean failure; power on in 3 reads; health ok; 4 parts and 6 sensors; 0 critical
        events since ever; blocking R6; not checked R2, R5, R6, R9, W2, W3, W4, W6
      report:
        protocol: ipmi
        address: 192.0.2.7:623
        reachable: true
        complete: true
        seconds: 0.29
        requests: 22
        power:
          state: 'on'
          reads:
            - 'on'
            - 'on'
            - 'on'
          faults: []
          faults_known: true
        health:
          overall: ok
          rollup: null
          state: null
          unknown: 0
        system:
          uri: null
          manufacturer: null
          model: null
          serial: null
          memory_mb: null
          cpus: null
          boot_override: none
          virtual_media: null
        components:
          - kind: psu
            name: PS1 Status
            location: null
            state: enabled
            health: ok
            model: null
            serial: null
            firmware: null
            size_mb: null
            failure_predicted: null
            media_life_left_pct: null
            watts: null
            uri: sensor:32.3.0
        sensors:
          - name: Inlet Temp
            type: temperature
            value: 24.0
            unit: C
            critical_high: 45.0
            state: null
            health: ok
        events:
          complete: true
          overflow: false
          since: null
          cleared_at: null
          read: 0
          entries: []
        bmc:
          firmware: '9.08'
          model: null
          cipher: 3
          pending: null
        clock_skew_s: 0
        sections:
          power: ok
          system: ok
          cpu: absent
          memory: absent
          storage: absent
          psu: absent
          sensors: ok
          bmc: ok
          events: ok
          tasks: absent
        errors: []
code:
  description: >-
    What kind of failure it is. C(not_released) means that something blocks, C(option) that the options can't be used so and nothing was
    read.
  returned: on failure
  type: str
  sample: not_released
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import bmc_as_module, bmc_check


def main() -> None:
    """Run the module."""
    bmc_as_module.run(AnsibleModule(supports_check_mode=True, **bmc_check.OPERATION.spec()), bmc_check.OPERATION)


if __name__ == "__main__":
    main()
