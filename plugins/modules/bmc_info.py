#!/usr/bin/python
# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Read what BMCs tell about their machines."""

from __future__ import annotations

DOCUMENTATION = r"""
module: bmc_info
short_description: Read what BMCs tell about their machines
version_added: 0.2.0
description:
  - Gives one report about a machine, in the same shape over IPMI and Redfish. It has the power state, health, parts, sensors, events,
    and what could not be read and why.
  - The reading ends at O(bmc_deadline) whatever the BMC does, and gives what was read until then.
  - A health is C(ok), C(warning), C(critical) or C(unknown). What the BMC leaves out, or gives in a word that is not known, is unknown.
    A part or sensor in the state C(absent) is not there, and counts nowhere.
extends_documentation_fragment:
  - baremetal.maintenance.bmc
  - baremetal.maintenance.bmc.targets
  - baremetal.maintenance.attributes.reads
options:
  sections:
    description:
      - What to read.
      - V(fru) is what IPMI knows about serial numbers. It takes time, and is not read unless it is asked for; over Redfish serial numbers
        are in the other sections.
    type: list
    elements: str
    choices:
      - power
      - system
      - cpu
      - memory
      - storage
      - psu
      - sensors
      - bmc
      - events
      - tasks
      - fru
    default:
      - power
      - system
      - cpu
      - memory
      - storage
      - psu
      - sensors
      - bmc
      - events
      - tasks
  since:
    description:
      - From when events count, as a time in ISO 8601, such as the C(asserted_at) of the hold that is to be released.
      - Older ones are left out of the report, unless they are critical and the BMC says that they are not repaired.
    type: str
  fail_on:
    description:
      - When the task fails. V(unreachable) means that the BMC could not be read at all, V(incomplete) that anything that was asked for
        could not be read. The report is in the result all the same.
      - If it is not given, it is V(unreachable) for one BMC, and V(never) with O(targets), where one dead BMC among many is a result
        like any other.
    type: str
    choices:
      - never
      - unreachable
      - incomplete
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - module: baremetal.maintenance.bmc_check
  - module: baremetal.maintenance.bmc_identify
"""

EXAMPLES = r"""
- name: Read the BMC of the host
  baremetal.maintenance.bmc_info:
    bmc_protocol: "{{ bmc_protocol }}"
    bmc_address: "{{ bmc_address }}"
    bmc_username: "{{ bmc_username }}"
    bmc_password: "{{ bmc_password }}"
  register: about

- name: Read only the power state, once, of several BMCs
  baremetal.maintenance.bmc_info:
    bmc_protocol: "{{ bmc_protocol }}"
    bmc_username: "{{ bmc_username }}"
    bmc_password: "{{ bmc_password }}"
    bmc_power_reads: 1
    sections:
      - power
    targets:
      - node: rack-c-07
        bmc_address: "{{ bmc_address }}"
      - node: rack-c-08
        bmc_address: "{{ other_address }}"
  register: powers
"""

RETURN = r"""
report:
  description: What was read.
  returned: without O(targets), if the BMC could be asked
  type: dict
  contains:
    protocol:
      description: C(ipmi) or C(redfish).
      type: str
    address:
      description: Host and port of the BMC.
      type: str
    reachable:
      description: Whether the BMC answered and let us in.
      type: bool
    complete:
      description: Whether everything that was asked for was read, or is not offered by the BMC.
      type: bool
    seconds:
      description: How long it took.
      type: float
    requests:
      description: How many HTTP requests or IPMI commands it took.
      type: int
    power:
      description: >-
        C(state), which is C(on), C(off), C(poweringon), C(poweringoff), C(paused) or C(unknown), C(reads), the state each time it was
        read, C(faults), the fault bits of the chassis over IPMI, and C(faults_known), whether these were read.
      type: dict
    health:
      description: >-
        C(overall), the worst that is known of parts, sensors, fault bits and the roll-up, C(rollup), what the system says about itself,
        C(state), the system's own, and C(unknown), how many parts and sensors have an unknown health.
      type: dict
    system:
      description: >-
        C(uri), C(manufacturer), C(model), C(serial), C(memory_mb), C(cpus), C(boot_override) and C(virtual_media) of the machine, null
        where the BMC does not say.
      type: dict
    components:
      description: >-
        Each part, with C(kind), C(name), C(location), C(state), C(health), C(model), C(serial), C(firmware), C(size_mb) of memory,
        C(failure_predicted) and C(media_life_left_pct) of drives, C(watts) of power supplies, and C(uri). What the BMC does not say is
        null.
      type: list
      elements: dict
    sensors:
      description: Each sensor, with C(name), C(type), C(value), C(unit), C(critical_high), C(state) and C(health).
      type: list
      elements: dict
    events:
      description: >-
        C(entries) of the logs that are not ok, each with C(id), C(log), C(time), C(severity), C(message) and C(repaired), C(complete),
        whether the logs were read to their end and have lost nothing, C(overflow), C(since), C(cleared_at), and C(read), how many entries
        were read.
      type: dict
    bmc:
      description: >-
        C(firmware) and C(model) of the BMC, C(cipher), the cipher suite of IPMI, and C(pending), its tasks and jobs that wait or run, null
        if it is not known whether there are any. Of the tasks and of the jobs the last ten are looked at.
      type: dict
    clock_skew_s:
      description: The BMC's clock minus ours in seconds, null if it could not be read. The times of events are corrected by it.
      type: int
    sections:
      description: For each section that was begun C(ok), C(absent) if the BMC does not offer it, or C(error).
      type: dict
    errors:
      description: What could not be read, with C(section), C(kind), C(msg) and C(hint), which says what to do next.
      type: list
      elements: dict
  sample:
    protocol: ipmi
    address: 192.0.2.7:623
    reachable: true
    complete: true
    seconds: 0.3
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
targets_result:
  description: What was read of each of O(targets), in their order.
  returned: with O(targets)
  type: list
  elements: dict
  contains:
    node:
      description: What the target is called.
      type: str
    address:
      description: Host and port of the BMC; empty if the options of the target make no sense.
      type: str
    report:
      description: As RV(report).
      type: dict
  sample:
    - node: rack-c-07
      address: 192.0.2.7:623
      report:
        protocol: ipmi
        address: 192.0.2.7:623
        reachable: true
        complete: true
        seconds: 0.3
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
    What kind of failure it is. C(option) means that the options can't be used so and nothing was read; others are as C(kind) in the
    C(errors) of RV(report).
  returned: on failure
  type: str
  sample: unreachable
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import bmc_as_module, bmc_info


def main() -> None:
    """Run the module."""
    bmc_as_module.run(AnsibleModule(supports_check_mode=True, **bmc_info.OPERATION.spec()), bmc_info.OPERATION)


if __name__ == "__main__":
    main()
