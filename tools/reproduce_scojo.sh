#!/usr/bin/env bash
# Runs every campaign of the thesis on Scojo-PECT and beyond it in full and writes their tables to results/scojo.md: those on logs
# where these are found in $SCHEDFARM_TRACES.
# usage: tools/reproduce_scojo.sh [--replications N] [PROGRAM=build/release/schedfarm]
# See tools/reproduction.sh.
# shellcheck source=tools/reproduction.sh
source "$(dirname "${BASH_SOURCE[0]}")/reproduction.sh"

campaigns=(table2 tables4-7 tables4-7_precise interval load_rate)
if [ -e "${SCHEDFARM_TRACES:-}/LANL-CM5-1994-4.1-cln.swf.gz" ]; then
    campaigns+=(table2_log table8_log table9_log)
else
    echo "LANL-CM5 and SDSC-BLUE are not in the folder \$SCHEDFARM_TRACES names: campaigns on logs are left out" >&2
fi
campaigns+=(shares backfilling beside prefetch_relocation) # beyond the thesis
for name in "${campaigns[@]}"; do
    case $name in
        table2_log | table9_log) reproduce_in_full "campaigns/scojo/$name.yaml" "scojo_$name" ;; # one replication each
        *) reproduce "campaigns/scojo/$name.yaml" "scojo_$name" ;;
    esac
done

page() {
    local name results=()
    for name in "${campaigns[@]}"; do
        results+=("$name=$(results_of "scojo_$name")")
    done
    /usr/bin/python3 tools/scojo_page.py "$("$program" --version)" "${results[@]}"
    for name in "${campaigns[@]}"; do
        [[ $name != table2* ]] || continue
        echo
        echo "## \`campaigns/scojo/$name.yaml\`"
        echo
        "$program" report "$(results_of "scojo_$name")" --format markdown
        echo
        echo "Payload: \`$(payload_of "scojo_$name")\`"
    done
}
write_tables scojo page
