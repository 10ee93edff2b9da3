#!/usr/bin/env bash
# Draws the figures of the papers, as their campaigns list them, and writes docs/gallery/papers.md with what the papers say of them.
# usage: tools/paper_figures.sh [--replications N] [PROGRAM=build/release/schedfarm]
# Results are those of tools/reproduce_*.sh in results/, computed here as far as they are not there; --replications N: with N of every
# cell. The gang paper's figures are drawn of its log where it is found in $SCHEDFARM_TRACES, as in the paper, else of generated months.
# See tools/reproduction.sh.
# shellcheck source=tools/reproduction.sh
source "$(dirname "${BASH_SOURCE[0]}")/reproduction.sh"

on_log=
if [ -e "${SCHEDFARM_TRACES:-}/CTC-SP2-1996-3.1-cln.swf.gz" ]; then
    on_log=_log
fi
drawn=()
draw_from() { # CAMPAIGN NAME OPTION...
    reproduce "$@"
    drawn+=("$(results_of "$2")")
}
for figure in 2 3 4 5 6 7; do
    draw_from "campaigns/coallocation/figure$figure.yaml" "figure$figure"
done
replications=$suffix
[ -z "$on_log" ] || suffix= # a log is one replication
for figures in figure3 figures4-7 figures8-9; do
    draw_from "campaigns/gang/$figures$on_log.yaml" "gang_$figures$on_log"
done
suffix=$replications
draw_from campaigns/moldable/claims.yaml moldable_claims
draw_from campaigns/moldable/figure7.yaml moldable_figure7 --workers 1
draw_from campaigns/scojo/tables4-7.yaml scojo_tables4-7
if [ -n "$on_log" ]; then
    draw_from campaigns/calendars/figures2-5_log.yaml calendars_figures2-5_log
    draw_from campaigns/calendars/figures6-7_log.yaml calendars_figures6-7_log
    draw_from campaigns/calendars/figures8-9_shaken_log.yaml calendars_figures8-9_shaken_log
fi
/usr/bin/python3 tools/paper_figures.py "${drawn[@]}"
