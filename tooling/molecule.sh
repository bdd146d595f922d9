#!/bin/sh
# Run scenarios of Molecule, all of them or those that are named: tooling/molecule.sh [SCENARIO]...
# Everything that they leave is under MOLECULE_FOLDER, which is .build/molecule if nothing else is said.
set -eu

cd "$(dirname -- "$0")/.."
folder=${MOLECULE_FOLDER:-$PWD/.build/molecule}
mkdir -p "$folder/home"
# A home of its own, and none of the user's settings: whatever ansible keeps there is no part of the checkout's business.
unset ANSIBLE_CONFIG ANSIBLE_HOME ANSIBLE_COLLECTIONS_PATH
export HOME="$folder/home" PATH="$PWD/.venv/bin:$PATH"

if [ $# -eq 0 ]; then
    for file in extensions/molecule/*/molecule.yml; do
        set -- "$@" "$(basename -- "$(dirname -- "$file")")"
    done
fi
for scenario in "$@"; do
    MOLECULE_EPHEMERAL_DIRECTORY=$folder/$scenario molecule test --scenario-name "$scenario"
done
