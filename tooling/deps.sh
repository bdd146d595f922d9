#!/bin/sh
# Install the Debian packages of bindep.txt's test profile that are missing. Repeating it is harmless and quick.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
packages=$(awk '!/^#/ && /\[.*test.*\]/ {print $1}' "$root/bindep.txt")

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is no Debian: install what corresponds to these yourself: $(echo "$packages" | tr '\n' ' ')"
    exit 0
fi

missing=
for package in $packages; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
        installed) ;;
        *) missing="$missing $package" ;;
    esac
done

if [ -z "$missing" ]; then
    exit 0
elif [ "$(id -u)" -ne 0 ]; then
    echo "Not root, so nothing was installed: run 'apt-get install$missing' as root."
else
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # shellcheck disable=SC2086  # a list of names
    apt-get install -qq -y --no-install-recommends $missing >/dev/null
    echo "Installed:$missing"
fi
