#!/usr/bin/env bash
# Runs the campaigns of the bi-criteria paper, with 1,000 runs per point of its figures, and writes
# their tables to results/moldable.md.
# usage: tools/reproduce_moldable.sh [--replications N] [PROGRAM=build/release/schedfarm]
# Running times are measured with one replication at a time; nothing else should run then.
# See tools/reproduction.sh.
# shellcheck source=tools/reproduction.sh
source "$(dirname "${BASH_SOURCE[0]}")/reproduction.sh"

reproduce campaigns/moldable/figure7.yaml moldable_figure7 --workers 1
reproduce campaigns/moldable/claims.yaml moldable_claims
reproduce campaigns/moldable/online.yaml moldable_online
write_tables moldable /usr/bin/python3 tools/moldable_page.py \
    "$program" "$(results_of moldable_claims)" "$(results_of moldable_figure7)" "$(results_of moldable_online)"
