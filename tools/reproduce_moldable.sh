#!/usr/bin/env bash
# Runs the campaigns of the bi-criteria paper with 1,000 runs per point and writes docs/background/moldable-results.md.
# usage: tools/reproduce_moldable.sh [PROGRAM=build/release/schedfarm]
# Results stay in results/; a campaign that was interrupted goes on from its journal. Running times are measured with one
# replication at a time; nothing else should run then.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=${1:-build/release/schedfarm}
page=docs/background/moldable-results.md
mkdir -p results

reproduce() { # NAME OPTION...
    local name=$1 verb=run
    shift
    [ -e "results/moldable_$name.h5.journal" ] && verb=resume
    "$program" "$verb" "campaigns/moldable/$name.yaml" --output "results/moldable_$name.h5" "$@"
    "$program" check "results/moldable_$name.h5" >/dev/null
}
reproduce figure7 --workers 1
reproduce claims

/usr/bin/python3 tools/moldable_page.py "$program" results >"$page.tmp"
mv "$page.tmp" "$page"
echo "$page written"
