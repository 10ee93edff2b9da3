#!/usr/bin/env bash
# Runs the campaign over four logs in full and writes docs/background/backfilling-results.md.
# usage: SCHEDFARM_TRACES=FOLDER tools/reproduce_backfilling.sh [--replications N] [PROGRAM=build/release/schedfarm]
# --replications N: N of every cell for a first look; the page is then results/backfilling-N.md.
# Results stay in results/; a campaign that was interrupted goes on from its journal.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
campaign=campaigns/traces/backfilling.yaml
results=results/backfilling.h5
page=docs/background/backfilling-results.md
mkdir -p results
if [ "${1:-}" = --replications ]; then
    campaign=results/backfilling-$2.yaml
    results=results/backfilling-$2.h5
    page=results/backfilling-$2.md
    printf '%s\n' "campaign_format: 1" "include: [../campaigns/traces/backfilling.yaml]" "replications: $2" >"$campaign"
    shift 2
fi
program=${1:-build/release/schedfarm}

verb=run
[ -e "$results.journal" ] && verb=resume
"$program" "$verb" "$campaign" --output "$results"
"$program" check "$results" >/dev/null
/usr/bin/python3 tools/backfilling_page.py "$results" "$("$program" --version)" >"$page.tmp"
mv "$page.tmp" "$page"
echo "$page written"
