#!/usr/bin/env bash
# Runs the campaign over four logs in full and writes docs/results/backfilling.md and .csv.
# usage: SCHEDFARM_TRACES=FOLDER tools/reproduce_backfilling.sh [--replications N] [PROGRAM=build/release/schedfarm]
# See tools/reproduction.sh.
# shellcheck source=tools/reproduction.sh
source "$(dirname "${BASH_SOURCE[0]}")/reproduction.sh"

reproduce campaigns/traces/backfilling.yaml backfilling
# shellcheck disable=SC2154  # suffix: of a short run, whose page the repository does not keep
table=${suffix:+results/backfilling$suffix.csv}
write_page backfilling \
    /usr/bin/python3 tools/backfilling_page.py "$(results_of backfilling)" "$("$program" --version)" "${table:-docs/results/backfilling.csv}"
