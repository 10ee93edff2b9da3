"""What numbers rest on: the warm-up, the replications one after another, and what the ranks did."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from .. import _labels, _series
from .._tables import one_metric
from .._words import time_text
from ..errors import RequestError
from ..results import Results
from ._canvas import COLOURS, GREY, LATER, canvas, height_of_rows, legend


def welch(results: Results, cell: int, *, ax: Axes | None = None, style: str | None = None) -> Axes:
    """Welch's plot: the response time of the jobs in the order of submission, averaged over replications, with the warm-up that is not
    measured and what MSER-5 would cut."""
    parts = results.table("warm_up") if "warm_up" in results.table_names else None
    parts = parts[parts["cell"] == cell] if parts is not None else None
    if parts is None or parts.empty:
        raise RequestError(f"the file has no Welch plot of cell {cell}. A campaign asks for it with warm_up_check: true")
    checks = results.table("warm_up_checks").set_index("cell") if "warm_up_checks" in results.table_names else None
    middle = parts["first_job"] + parts["jobs"] / 2
    errors = parts["standard_error"].fillna(0)  # one replication has none
    with canvas(ax, style) as ax:
        ax.errorbar(middle, parts["mean"], yerr=errors, linestyle="none", marker=".", markersize=2.5, color=GREY, elinewidth=0.6,
                    label="parts ± standard error" if errors.any() else "parts")
        ax.plot(middle, parts["moving_average"], color=COLOURS[0], label="moving average of 11 parts")
        if checks is not None and cell in checks.index:
            check = checks.loc[cell]
            ax.axvspan(0, check["warm_up_jobs"], color="#E9E9E9", zorder=0, linewidth=0, label="warm-up")
            ax.axvline(check["mser_cut"], color=LATER, linestyle="--", label=f"MSER-5 ({check['verdict']})")
            _labels.note(ax, f"{_labels.cell_labels(results)[cell]}: {_labels.counted(int(check['replications']), 'replication')}")
        ax.set_xlim(0, float((parts["first_job"] + parts["jobs"]).max()))
        ax.set_xlabel("job, in the order of submission")
        _labels.measure(ax.yaxis, "mean response time", results.time_unit, results.file.shown_unit)
        legend(ax)
    return ax


def convergence(results: Results, cell: int, metric: str | None = None, *, ax: Axes | None = None,
                style: str | None = None) -> Axes:
    """The mean of the first n replications with ± one standard error, and at the end the interval that the file states.

    `metric`: that of the cell's target, else the first."""
    demanding = results.cells.set_index("cell").at[cell, "most_demanding"].removesuffix(" (difference)")
    found = one_metric(metric or demanding or _series.all_metrics(results)[0], results.metrics)
    rows = results.replications()
    if found not in rows:
        raise RequestError(f"{found} is not observed in replications. Take a metric that is")
    values = rows.loc[rows["cell"] == cell, found].dropna().to_numpy()
    estimates = results.estimates(found)
    estimates = estimates[estimates["cell"] == cell]
    if len(values) == 0 or estimates.empty:
        raise RequestError(f"cell {cell} has no replication with {found}. Take another cell.")
    final = estimates.iloc[0]
    n = np.arange(1, len(values) + 1)
    means = np.cumsum(values) / n
    squares = np.cumsum((values - values.mean()) ** 2) - n * (means - values.mean()) ** 2
    errors = np.sqrt(np.maximum(squares[1:], 0) / (n[1:] - 1) / n[1:])  # of one there is none
    with canvas(ax, style) as ax:
        ax.fill_between(n[1:], means[1:] - errors, means[1:] + errors, color=COLOURS[0], alpha=0.25, linewidth=0,
                        label="± standard error" if len(n) > 1 else None)
        ax.plot(n, means, color=COLOURS[0], label="mean of the first n")
        has_interval = np.isfinite([final["lower"], final["upper"]]).any()
        ax.errorbar([len(values)], [final["mean"]], yerr=[*map(np.array, _series.sides(estimates.iloc[:1]))], color=LATER, marker="o", capsize=3,
                    label=f"{100 * final['confidence']:.10g} % interval" if has_interval else "estimate", zorder=3)
        ax.set_xlim(0, len(values) * 1.04)
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.set_xlabel("replications n")
        _labels.measure_metric(ax.yaxis, results, found)
        _labels.note(ax, _labels.cell_labels(results)[cell])
        legend(ax)
    return ax


def ranks(results: Results, *, ax: Axes | None = None, style: str | None = None) -> Axes:
    """What every rank did with its time in the run that wrote the file, in per cent of its whole time."""
    farm = results.table("farm")
    if farm.empty:
        raise RequestError("the file tells nothing of ranks (it was written without a run). Take the file of a run.")
    parts = {"busy": "replications", "dispatch": "waiting for the master", "io": "journal and stop rules", "idle": "no work"}
    colours = (COLOURS[0], COLOURS[4], COLOURS[3], "#DDDDDD")
    whole = farm[list(parts)].sum(axis=1).replace(0, np.nan)
    with canvas(ax, style, height_of_rows(style, 1 + min(24, len(farm)))) as ax:
        left = np.zeros(len(farm))
        for colour, (part, words) in zip(colours, parts.items()):
            shares = (100 * farm[part] / whole).fillna(0).to_numpy()
            if shares.any():
                ax.barh(farm["rank"], shares, left=left, color=colour, label=words if shares.max() >= 0.2 else None, height=0.8)
            left += shares
        ax.set_xlim(0, 100)
        ax.set_ylim(len(farm) - 0.4, -0.6)
        ax.set_yticks(farm["rank"][:: max(1, len(farm) // 16)])
        ax.grid(axis="y", visible=False)
        ax.set_xlabel("% of the rank's time")
        ax.set_ylabel("rank")
        _labels.note(ax, f"{_labels.counted(int(farm['tasks'].sum()), 'replication')}, {time_text(farm['busy'].sum(), 's', farm['busy'].sum())} of computing")
        legend(ax)
    return ax
