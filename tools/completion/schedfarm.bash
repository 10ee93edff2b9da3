# Completion for bash, and for zsh after `autoload bashcompinit && bashcompinit`.
# shellcheck shell=bash
_schedfarm() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]:-}
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "init plan run resume simulate trace report diff gantt check rebuild status merge submit replay list certify bench" -- "$word")
        return
    fi
    case $command in
    plan | run | resume | replay | submit | certify) mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- "$word") ;;
    report | diff | check | status | merge) mapfile -t COMPREPLY < <(compgen -f -X '!*.h5' -- "$word") ;;
    simulate) mapfile -t COMPREPLY < <(compgen -f -W "--trace --model --instance --processors --clusters --policy --set --first --job-count --seed --utilization --jobs --ranges --reservations --json --front --verify --general" -- "$word") ;;
    trace) mapfile -t COMPREPLY < <(compgen -f -W "--model --processors --set --job-count --seed --utilization --write --json" -- "$word") ;;
    gantt) mapfile -t COMPREPLY < <(compgen -f -W "--output --format --from --to --width --height --colour --trees --processors --ranks --run --cell --replication" -- "$word") ;;
    rebuild) mapfile -t COMPREPLY < <(compgen -f -X '!*.journal' -- "$word") ;;
    bench) mapfile -t COMPREPLY < <(compgen -W "--farm --seconds --repeats --output" -- "$word") ;;
    list) mapfile -t COMPREPLY < <(compgen -W "policies models distributions probes experiments" -- "$word") ;;
    esac
}
complete -o filenames -F _schedfarm schedfarm
