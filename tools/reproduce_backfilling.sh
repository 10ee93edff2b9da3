#!/usr/bin/env bash
# Runs the campaign over four logs in full and writes docs/background/backfilling-results.md.
# usage: SCHEDFARM_TRACES=FOLDER tools/reproduce_backfilling.sh [PROGRAM=build/release/schedfarm]
# Results stay in results/; a campaign that was interrupted goes on from its journal.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=${1:-build/release/schedfarm}
page=docs/background/backfilling-results.md
results=results/backfilling.h5
mkdir -p results

verb=run
[ -e "$results.journal" ] && verb=resume
"$program" "$verb" campaigns/traces/backfilling.yaml --output "$results"
"$program" check "$results" >/dev/null
python3 tools/backfilling_page.py "$results" "$("$program" --version)" >"$page.tmp"
mv "$page.tmp" "$page"
echo "$page written"
