#!/bin/sh
# Style, documentation, changelog and the direction of imports. Every check runs, even if one before it failed.
set -u

cd "$(dirname -- "$0")/.." || exit 1
export PATH="$PWD/.venv/bin:$PATH"
mkdir -p .build/lint-home
failed=

check() {
    name=$1
    shift
    # A home of their own: the linters keep copies of collections there.
    if ! HOME="$PWD/.build/lint-home" "$@"; then failed="$failed $name"; fi
}

check ruff ruff check --quiet --output-format concise .
check imports python tooling/layers.py .
check ansible-lint ansible-lint --offline --profile production -q --nocolor
check antsibull-docs antsibull-docs lint-collection-docs --plugin-docs --validate-collection-refs=self --skip-rstcheck .
check antsibull-changelog antsibull-changelog lint

if [ -n "$failed" ]; then
    echo "FAILED:$failed" >&2
    exit 1
fi
echo "ruff, imports, ansible-lint, antsibull-docs, antsibull-changelog: nothing to say"
