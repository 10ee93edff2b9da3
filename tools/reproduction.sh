# What the scripts reproduce_*.sh of this folder share. Each sources it; their arguments are
#     [--replications N] [PROGRAM=build/release/schedfarm]
# --replications N: N of every cell in place of what the campaigns ask for, as a first look; its results and its page have
# -N in their names, and the page lies beside them in results/.
# Results stay in results/; a campaign that was interrupted goes on from its journal.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
suffix=
if [ "${1:-}" = --replications ]; then
    suffix=-$2
    shift 2
fi
program=${1:-build/release/schedfarm}
mkdir -p results

results_of() { # NAME
    echo "results/$1$suffix.h5"
}

reproduce_in_full() { # CAMPAIGN NAME OPTION...: whatever --replications says
    local results verb=run
    results=$(results_of "$2")
    if [ -e "$results.journal" ]; then
        verb=resume
    fi
    "$program" "$verb" "$1" --output "$results" "${@:3}"
    "$program" check "$results" >/dev/null
}

reproduce() { # CAMPAIGN NAME OPTION...: overrides, if it has some, tell how many replications cells have
    local campaign=$1
    if [ -n "$suffix" ]; then
        campaign=results/$2$suffix.yaml
        printf '%s\n' "campaign_format: 1" "include: [../$1]" "replications: ${suffix#-}" "overrides: []" >"$campaign"
    fi
    reproduce_in_full "$campaign" "${@:2}"
}

payload_of() { # NAME
    "$program" check "$(results_of "$1")" | sed -n 's/^payload //p'
}

write_page() { # NAME COMMAND...: what the command prints becomes docs/results/NAME.md
    if [ -n "$suffix" ]; then
        write_tables "$@"
    else
        write_whole "docs/results/$1.md" "${@:2}"
    fi
}

write_tables() { # NAME COMMAND...: what the command prints becomes results/NAME.md, which the repository does not keep
    write_whole "results/$1$suffix.md" "${@:2}"
}

write_whole() { # PAGE COMMAND...: whole or not at all
    local page=$1
    "${@:2}" >"$page.tmp"
    mv "$page.tmp" "$page"
    echo "$page written"
}
