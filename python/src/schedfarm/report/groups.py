"""Means of job classes, clusters and users."""

from __future__ import annotations

from .. import _words as words
from .._terminal import Column, Table, table
from .section import section
from .view import Row, View


@section(100)
def class_sections(view: View) -> list[Table]:
    """Where a probe was asked for them and no quantity says more."""
    return [] if view.file.has("quantities") else _part_sections(view, "class", "By job class")


@section(110)
def cluster_sections(view: View) -> list[Table]:
    """What policies publish of each cluster."""
    return _part_sections(view, "cluster", "By cluster")


def _estimate(view: View, row: Row) -> str:
    """A number that all replications share, like a count of jobs, has no interval to show."""
    return f"{row['mean']:.10g}" if row["lower"] == row["upper"] else view.interval(row, "mean")


def _part_sections(view: View, part: str, title: str) -> list[Table]:
    """A row for each class or cluster of a cell and a column for each metric."""
    texts: dict[tuple[int, int], dict[str, str]] = {}
    metrics: dict[str, list[Row]] = {}  # in the order of the table
    for row in view.rows_where("estimates", "metric", lambda metric: not words.is_diagnostic(metric) and words.part_metric(metric, part) is not None):
        about = words.part_metric(row["metric"], part)
        if about is not None:
            metrics.setdefault(about[0], []).append({**row, part: about[1]})
    confidences = {row["confidence"] for rows in metrics.values() for row in rows if row["lower"] < row["upper"]}
    units = {}
    for metric, rows in metrics.items():
        units[metric], shown = view.in_unit(rows[0]["metric"], rows, "mean")
        for row in shown:
            texts.setdefault((row["cell"], row[part]), {})[metric] = _estimate(view, row)
    if not texts:
        return []
    found = table(title, ["<cell", f">{part}", "<which is"], 3)
    found.columns += [Column(words.metric_text(metric) + unit) for metric, unit in units.items()]
    is_one_class = part == "class"
    for (cell, number), by_metric in sorted(texts.items()):
        name = view.class_name(cell, number) if part == "class" else ""
        is_one_class = is_one_class and number == 0 and not name
        found.rows.append([view.label(cell), str(number), name, *(by_metric.get(metric, "") for metric in metrics)])
    found.drop_empty_columns()
    if confidences:
        found.notes.append(words.interval_note(confidences, view.style))
    if is_one_class:
        found.notes.append("All jobs are of one class: the workload was not told to tell classes apart (of a log: its parameter `classes`).")
    return [found]


@section(120, "users")
def user_sections(view: View) -> list[Table]:
    """Means of the busiest users, where the campaign asked for them; numbers without interval have two decimals or more."""
    unit, rows = view.in_unit("response_time", view.rows("users"), "response_time", "wait")
    found = table("By user", ["<cell", "<user", ">jobs", f">mean response time{unit}", f">mean wait{unit}", ">mean bounded slowdown"], 2)
    for row in rows:
        means = [words.estimate_text(row[name], 2) for name in ("response_time", "wait", "bounded_slowdown")]
        user = str(row["user"]) if row["user"] >= 0 else f"{row['users']} others"
        found.rows.append([view.label(row["cell"]), user, str(row["jobs"]), *means])
    found.notes = ["Over the measured jobs of the logged replications; those with most processor-time first."]
    return [found] if found.rows else []
