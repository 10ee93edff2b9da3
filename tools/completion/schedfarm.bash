# Completion for bash (source it), and for zsh after `autoload -U compinit bashcompinit && compinit && bashcompinit`.
# shellcheck shell=bash
_schedfarm_words() { # -W WORDS or another selection of compgen: what begins as the word does
    local match
    while IFS= read -r match; do # zsh has no mapfile
        COMPREPLY+=("$match")
    done < <(compgen "$@" -- "$word" 2>/dev/null)
}

_schedfarm() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]:-}
    local options="" files="*"
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _schedfarm_words -W "init plan run resume simulate trace report plot diff gantt check rebuild status merge submit replay list certify whatif"
        return
    fi
    case $command in
    plan) files="*.yaml" options="--format" ;;
    run) files="*.yaml" options="--output --workers --cells --walltime --progress --fresh --extend --waits --general --verify --isolation --time-limit --memory-limit --crashes --levels --group-ranks" ;;
    resume) files="*.yaml" options="--output --workers --cells --walltime --progress --keep-failed --retry-quarantined --waits --general --verify --isolation --time-limit --memory-limit --crashes --levels --group-ranks" ;;
    replay) files="*.yaml" options="--cell --replication --utilization --output --verify --general" ;;
    submit) files="*.yaml" options="--output --nodes --ntasks --time --partition --account --array --notice --when-cut --sbatch --setup --program --pilot-seconds --dry-run" ;;
    certify) files="*.h5" options="--format" ;;
    whatif) options="--vary --cross --slurm-conf --slurm-version --associations --qos --accept --policy --processors --replications --seed --workers --fresh --output --events --reservations --zone --columns --from --before" ;;
    report) files="*.h5" options="--format --output --plain --table --unit" ;;
    plot) files="*.h5" options="--output --kind --x --y --by --facet --range --top --select --saturation --cell --replication --unit --style" ;;
    diff) files="*.h5" options="--mode --metric" ;;
    check | merge) files="*.h5" ;;
    status) options="--format" ;;
    simulate) options="--trace --max-jobs --format --columns --zone --cluster --partitions --accounts --fields --model --processors --clusters --policy --first --job-count --seed --utilization --set --jobs --ranges --waits --json --verify --general --slurm-conf --slurm-version --associations --qos --events --reservations --accept --from --before" ;;
    trace) options="--max-jobs --format --columns --zone --cluster --partitions --accounts --fields --model --processors --job-count --seed --utilization --set --write --anonymous --json" ;;
    gantt) options="--cell --replication --ranks --run --processors --unit --from --to --colour --clusters --trees --style --format --output --columns --zone --fields --cluster --partitions --accounts" ;;
    rebuild) files="*.journal" options="--output" ;;
    list)
        _schedfarm_words -W "policies models distributions probes experiments --markdown"
        return
        ;;
    esac
    case $word in
    -*)
        _schedfarm_words -W "$options --help"
        return
        ;;
    esac
    case $before in
    -*) files="*" ;; # a value, of which any file may be one
    esac
    _schedfarm_words -d
    if [ "$files" = "*" ]; then
        COMPREPLY=()
        _schedfarm_words -f
    else
        _schedfarm_words -f -X "!$files"
    fi
}
complete -o filenames -F _schedfarm schedfarm
