"""Results of `schedfarm whatif` that no program made: of a log of some weeks and of draws from it, under today's configuration and others."""
import json
import types

import numpy as np
import pandas as pd

WEEK = 604800.0


def job_rows(submit, waits, classes, users, run=100.0, logged=None):
    """Of one configuration. `logged`: waits of the log; None: those of the simulation."""
    submit, waits = np.asarray(submit, float), np.asarray(waits, float)
    start = submit + waits
    return pd.DataFrame({"job": np.arange(len(submit)), "job_number": np.arange(1, len(submit) + 1), "submit": submit, "start": start,
                         "finish": start + run, "processors": 1, "class": classes, "user": users,
                         "logged_wait": waits if logged is None else logged})


def made_log(cells, names, clusters, failures=()):
    """`cells`: rows of jobs by configuration, None: it has none; `clusters`: processors of each."""
    return types.SimpleNamespace(
        jobs=cells.__getitem__, class_names=lambda cell: names, path="whatif-log.h5", attributes={"payload_hash": "a" * 16, "campaign": "policy: slurm\n"},
        cells=pd.DataFrame({"cell": range(len(cells)), "clusters": [json.dumps([size]) for size in clusters]}), table=lambda name: failures)


def made_draws(sums, counts, use, clusters, blocks):
    """`sums[cell, class, draw]`: of waits, in seconds; `counts[class, draw]`: of jobs; `use`: utilization of each configuration."""
    sums, counts = np.asarray(sums, float), np.asarray(counts)
    frames = []
    for cell, own in enumerate(sums):
        columns = {"cell": cell, "replication": range(counts.shape[1]), "wait.mean": own.sum(axis=0) / np.maximum(counts.sum(axis=0), 1)}
        for number, (waits, jobs) in enumerate(zip(own, counts)):
            with np.errstate(invalid="ignore"):
                columns |= {f"wait.mean[class={number}]": np.where(jobs > 0, waits / np.maximum(jobs, 1), np.nan), f"wait.count[class={number}]": jobs}
        frames.append(pd.DataFrame(columns))
    rows = pd.concat(frames, ignore_index=True)
    cells = pd.DataFrame({"cell": range(len(sums)), "log_blocks": blocks, "log_variance_ratio": 1.0, "replications_used": counts.shape[1],
                          "clusters": [json.dumps([size]) for size in clusters]})
    names = ["wait.mean", *(f"wait.mean[class={number}]" for number in range(len(counts)))]
    carriers = [counts.shape[1], *(int((own > 0).sum()) for own in counts)]
    gates = ["passed" if own == counts.shape[1] or own >= 3 else "carriers" for own in carriers]
    estimates = pd.DataFrame([(cell, *own) for cell in range(len(sums)) for own in zip(names, gates)], columns=["cell", "metric", "gate"])
    return types.SimpleNamespace(table={"replications": rows, "estimates": estimates}.__getitem__, cells=cells, path="whatif.h5", attributes={"payload_hash": "b" * 16, "campaign": "policy: slurm\n"},
                                 estimates=lambda metric: pd.DataFrame({"cell": range(len(sums)), "mean": use}))
