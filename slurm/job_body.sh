# --- From here on every job of schedfarm is the same ---------------------------------------------
# Runs the farm on all tasks, hands Slurm's notice (USR1) to it, and asks for a further allocation
# when this one was too short and yet brought the campaign forward.
notice=${notice:-120} # seconds between the notice and the time limit
this_job=$SLURM_JOB_ID
share=()
if [ "${tasks:-1}" -gt 1 ]; then
    this_job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID # the number of one task is also the array's
    task=$((SLURM_ARRAY_TASK_ID + ${tasks_before:-0})) # of those before this array: Slurm's longest may be too short
    share=(--cells "$task/$tasks")
    results=${results%.h5}.part$task.h5
fi
limit=()
if [ "${allocation_seconds:-0}" -gt 0 ]; then
    limit=(--walltime "$((allocation_seconds - SECONDS))")
fi

say() { echo "schedfarm job $this_job: $*"; }
computed() { # replications in the journal
    if [ -e "$results.journal" ]; then "${program[@]}" status --format count "$results"; else echo 0; fi
}

successor=
drop_successor() {
    if [ -n "$successor" ]; then scancel "$successor"; fi
}

farm=
given_up=no
# shellcheck disable=SC2317 # called by a trap
save() { # replications under way have two thirds of the notice to end
    local left
    say "Slurm's notice has come; what is under way is finished and saved"
    kill -USR1 "$farm" 2>/dev/null || true
    for ((left = notice * 2 / 3; left > 0; --left)); do
        if ! kill -0 "$farm" 2>/dev/null; then return 0; fi
        sleep 1
    done
    say "replications under way outlast the notice and are given up"
    given_up=yes
    kill -TERM "$farm" 2>/dev/null || true
}
# shellcheck disable=SC2317 # called by a trap
end() { # cancelled, or past the time limit: Slurm has told the farm, too
    wait "$farm" || true
    drop_successor
    exit 143
}
trap save USR1
trap end TERM

if [ "${when_cut:-requeue}" = chain ]; then # starts at once when this job is cut, is dropped when it succeeds
    successor=$(
        waits_for=$SLURM_JOB_ID
        for name in "${!SLURM_@}"; do # of this allocation, masks of processors among them
            case $name in SLURM_CONF | SLURM_CLUSTERS | SLURM_JWT) ;; *) unset "$name" ;; esac
        done
        sbatch --parsable --kill-on-invalid-dep=yes --dependency="afternotok:$waits_for" "$0"
    )
    # Its number, alone on a line or in a sentence; one that is not found goes by itself when this job succeeds.
    successor=$(sed -nE 's/^.*Submitted batch job ([0-9]+).*$/\1/p; s/^[[:space:]]*([0-9]+)(;.*)?[[:space:]]*$/\1/p' \
        <<<"$successor" | tail -n 1)
fi
had=$(computed)
command=(run)
if [ -e "$results.journal" ]; then
    command=(resume)
    if [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ]; then command+=(--keep-failed); fi # not after every cut again
fi
say "${command[0]} with $SLURM_NTASKS workers on $SLURM_JOB_NODELIST, $had replications in the journal"
"${program[@]}" "${command[@]}" "$campaign" --output "$results" --workers "$SLURM_NTASKS" --progress lines \
    --launcher "${launcher:-auto}" "${share[@]}" "${limit[@]}" &
farm=$!
wait "$farm" || true # also ends when a trap was called
status=0
wait "$farm" || status=$?

if [ "$status" -ne 3 ] && [ "$given_up" = no ]; then
    drop_successor
    exit "$status"
fi
if [ "$(computed)" -le "$had" ]; then
    say "no replication ended within this allocation, so another one would not help." \
        "Give it a longer --time, or shorten the campaign's horizon" >&2
    drop_successor
    exit 1
fi
if [ "${when_cut:-requeue}" = requeue ]; then
    if [ "${tasks:-1}" -gt 1 ]; then # no more than one call of the scheduler per second
        sleep "$((SLURM_ARRAY_TASK_ID % (notice / 4 + 1)))"
    fi
    say "the campaign is not finished; asking for a further allocation, for which Slurm ends this one"
    scontrol requeue "$this_job" || say "cannot be queued again; submit it once more to go on" >&2
    sleep "$((notice / 4 + 1))" & # Slurm ends the script here
    wait "$!"
fi
exit 3
