# --- From here on every job of schedfarm is the same ---------------------------------------------
# Runs the farm, passes Slurm's notice (USR1) on, and goes on in a further allocation when this one
# was too short and yet brought the campaign forward.
notice=${notice:-120} # seconds between the notice and the time limit
if [ "${tasks:-1}" -gt 1 ]; then
    share=(--cells "$SLURM_ARRAY_TASK_ID/$tasks")
    results=${results%.h5}.part$SLURM_ARRAY_TASK_ID.h5
    sleep "$(((SLURM_ARRAY_TASK_ID - 1) % 30))" # the tasks of an array start, and end, one by one
else
    share=()
fi
if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
limit=()
if [ "${allocation_seconds:-0}" -gt 0 ]; then
    limit=(--walltime "$((allocation_seconds - SECONDS))")
fi

computed() { # replications in the journal
    if [ -e "$results.journal" ]; then "${program[@]}" status --format count "$results"; else echo 0; fi
}

farm=
notified_at=
given_up=no
# shellcheck disable=SC2317 # called by the trap
forward_notice() {
    notified_at=$SECONDS
    echo "schedfarm job: notice received, saving what is under way"
    kill -USR1 "$farm" 2>/dev/null || true
}
trap forward_notice USR1

run_farm() { # leaves the farm's exit code in $status
    local command=run
    if [ -e "$results.journal" ]; then command=resume; fi
    # The master sleeps while it waits: one rank more than there are tasks uses no more cores.
    mpirun --bind-to none --oversubscribe -n "$((SLURM_NTASKS + 1))" \
        "${program[@]}" "$command" "$campaign" --output "$results" --progress lines \
        "${share[@]}" "${limit[@]}" &
    farm=$!
    while kill -0 "$farm" 2>/dev/null; do
        if [ -n "$notified_at" ] && [ "$given_up" = no ] && [ "$((SECONDS - notified_at))" -ge "$((notice * 2 / 3))" ]; then
            echo "schedfarm job: replications under way outlast the notice and are given up"
            given_up=yes
            kill -TERM "$farm" 2>/dev/null || true
        fi
        sleep 1 &
        wait "$!" || true
    done
    status=0
    wait "$farm" || status=$?
}

run_until_it_ends() { # a crashed rank ends the run: go on from the journal, three times without progress at most
    local crashes=0 before now
    while :; do
        before=$(computed)
        run_farm
        if [ "$status" -le 4 ] || [ -n "$notified_at" ]; then return; fi
        now=$(computed)
        crashes=$((now > before ? 1 : crashes + 1))
        if [ "$crashes" -ge 3 ]; then return; fi
        echo "schedfarm job: the run ended with $status; going on from the journal"
    done
}

successor=
if [ "${when_cut:-requeue}" = chain ]; then # starts at once when this job is cut, is dropped when it succeeds
    successor=$(sbatch --parsable --kill-on-invalid-dep=yes --dependency="afternotok:$SLURM_JOB_ID" "$0" | tail -n 1)
    successor=${successor%%;*}
    sleep 1
fi
drop_successor() {
    if [ -n "$successor" ]; then scancel "$successor"; fi
}

had=$(computed)
run_until_it_ends
if [ "$status" -ne 3 ] && [ "$given_up" = no ]; then
    drop_successor
    exit "$status"
fi
if [ "$(computed)" -le "$had" ]; then
    echo "schedfarm job: no replication ended within this allocation, so another one would not help;" \
        "give it a longer --time, or shorten the campaign's horizon" >&2
    drop_successor
    exit 1
fi
if [ "${when_cut:-requeue}" = requeue ]; then
    echo "schedfarm job: asking for a further allocation"
    scontrol requeue "$SLURM_JOB_ID" # ends this script
    sleep "$notice"
fi
exit 3
