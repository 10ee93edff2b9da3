"""What the tables of a result file say of one another and of themselves, row by row: SCHEMA.md, "Consistency". Tables that have no
structural problem come in; the lines of complaint come out, in the order of tables and rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .. import _claims
from .._expressions import Expression
from .._reading.stored import Table, shown

Rows = np.ndarray[Any, np.dtype[Any]]
Rule = tuple[Any, str]  # the rows that break it, and what is said of one; `{column}`: its value there

LEVEL = 1_000_000  # where the program lengthens the horizon of a cell, its replications are counted from a multiple of this
_CLOCK_S = 1e-5  # what two readings of a clock may differ by
_ROUNDING = 1e-9


def problems(tables: Mapping[str, Table]) -> list[str]:
    """REQUIRES: the tables that are never missing, none with a structural problem."""
    found = unknown_cells(tables)
    if found:
        return found  # the other rules look cells up
    with np.errstate(invalid="ignore", divide="ignore"):
        cells = tables["cells"]
        found = _prefixes(cells, tables["replications"])
        for name, table in tables.items():
            if name in RULES:
                found += RULES[name](table, tables)
        return found + _sketched(tables)


def broken(table: Table, *rules: Rule, **more: Any) -> list[str]:
    """A line for every row that breaks a rule, the first of them; `more`: values by row, or one for all."""
    masks = [np.asarray(mask) for mask, _ in rules]
    if not any(mask.any() for mask in masks):
        return []
    found = []
    for row in np.flatnonzero(np.logical_or.reduce(masks)):
        text = next(text for mask, (_, text) in zip(masks, rules) if mask[row])
        names = {name: shown(values[row]) if isinstance(values, np.ndarray) else values for name, values in more.items()}
        found.append(f"{table.name} row {row}: " + text.format_map(_Values(table, int(row), names)))
    return found


class _Values(dict):  # type: ignore[type-arg]
    """The values of a row by column, as they are shown, and some more."""

    def __init__(self, table: Table, row: int, more: Mapping[str, str]) -> None:
        super().__init__(more)
        self._table, self._row = table, row

    def __missing__(self, column: str) -> str:
        return self._table.shown(column, self._row)


def intervals(table: Table, middle: str, lower: str = "lower", upper: str = "upper") -> list[str]:
    """They contain their estimate; NaN stands for an end that does not exist."""
    outside = (table[lower] > table[middle]) | (table[middle] > table[upper])
    return broken(table, (outside, f"{middle} {{{middle}}} lies outside its interval [{{{lower}}}, {{{upper}}}]"))


def _confidence(table: Table) -> list[str]:
    return broken(table, ((table["confidence"] <= 0) | (table["confidence"] >= 1), "confidence {confidence} is not between 0 and 1"))


def _counts(table: Table, cells: Table, column: str = "cell") -> list[str]:
    used = cells["replications_used"][table[column]]
    return broken(table, (table["n"] > used, f"rests on {{n}} replications, but cell {{{column}}} has {{used}}"), used=used)


def _shares(table: Table, *columns: str) -> list[str]:
    return [line for column in columns
            for line in broken(table, ((table[column] < 0) | (table[column] > 1), f"{column} {{{column}}} is not between 0 and 1"))]


def _before(values: Rows) -> Rows:
    """Of every row what the row before has; the first has its own."""
    return np.concatenate([values[:1], values[:-1]])


def _continues(table: Table, *columns: str) -> Rows:
    """Whether a row has the cell of the row before, and the same in these columns."""
    same = np.arange(len(table)) > 0
    for column in ("cell", *columns):
        same &= table[column] == _before(table[column])
    return same


def unknown_cells(tables: Mapping[str, Table]) -> list[str]:
    """Cells are 0, 1, 2, …, and every column that names one names one that exists."""
    cells = tables["cells"]
    found = [f"cells row {row}: is cell {cells['cell'][row]}, not cell {row}" for row in np.flatnonzero(cells["cell"] != np.arange(len(cells)))[:1]]
    for name, table in tables.items():
        for column in ("cell", "first_cell", "second_cell"):
            wrong = np.flatnonzero(table[column] >= len(cells))[:1].tolist() if table.has(column) else []
            found += [f"{name} row {row}: cell {table[column][row]} is not in 'cells'" for row in wrong]
    return found


def _prefixes(cells: Table, replications: Table) -> list[str]:
    """The replications of a cell are 0 … replications_used − 1, counted from its horizon's first."""
    cell, index = replications["cell"], replications["replication"]
    rows = np.bincount(cell.astype(np.int64), minlength=len(cells)).astype(np.uint64)
    start = np.searchsorted(cell, cell)
    first = np.where(index[start] % LEVEL == 0, index[start], 0)
    holes = np.flatnonzero(index != first + (np.arange(len(cell)) - start).astype(np.uint64))[:1]
    if len(holes):
        return [f"replications row {row}: cell {cell[row]} has a hole before replication {index[row]}" for row in holes]
    used, computed = cells["replications_used"], cells["replications_computed"]
    return (broken(cells, (rows != used, "replications_used is {replications_used}, but 'replications' has {rows}"), rows=rows)
            + broken(cells, (computed < used, "fewer replications computed ({replications_computed}) than used ({replications_used})")))


def _unique(table: Table, column: str) -> list[str]:
    """No cell has two rows of one name."""
    order = np.lexsort((table[column], table["cell"]))
    same = (table["cell"][order][1:] == table["cell"][order][:-1]) & (table[column][order][1:] == table[column][order][:-1])
    return [f"{table.name} row {row}: {column} '{table.shown(column, row)}' of cell {table['cell'][row]} is there twice" for row in order[1:][same]]


def _estimates(table: Table, tables: Mapping[str, Table]) -> list[str]:
    return _counts(table, tables["cells"]) + intervals(table, "mean") + _confidence(table) + _unique(table, "metric")


def _saturation(table: Table, tables: Mapping[str, Table]) -> list[str]:
    return _counts(table, tables["cells"]) + intervals(table, "rho_max")


def _factors(table: Table, tables: Mapping[str, Table]) -> list[str]:
    return _unique(table, "factor")


def _known(table: Table, tables: Mapping[str, Table]) -> list[str]:
    return broken(table, (~np.isin(table["is_exact"], (0, 1)), "is_exact is {is_exact}, not 0 or 1"))


def _timings(table: Table, tables: Mapping[str, Table]) -> list[str]:
    """A rank runs one replication at a time, and every replication with a begin has a run."""
    run, rank, began = table["run"], table["rank"], table["began"]
    found = broken(table, ((run == 0) != np.isnan(began), "it has a run without a begin, or a begin without a run"))
    order = np.lexsort((began, rank, run))
    order = order[(run[order] != 0) & ~np.isnan(began[order])]
    ended = began + table["seconds"]
    rows, before = order[1:], order[:-1]
    clash = (run[rows] == run[before]) & (rank[rows] == rank[before]) & (began[rows] < ended[before] - _CLOCK_S)
    return found + [f"timings row {row}: begins {shown(began[row])} s after its run began, but rank {rank[row]} is busy with row {other} until "
                    f"{shown(ended[other])}" for row, other in zip(rows[clash], before[clash])]


def _comparisons(table: Table, tables: Mapping[str, Table]) -> list[str]:
    cells = tables["cells"]
    verdict = np.select([table["upper"] < 0, table["lower"] > 0], [b"first smaller", b"second smaller"], b"not decided")
    return (intervals(table, "difference") + _confidence(table) + _counts(table, cells, "first_cell") + _counts(table, cells, "second_cell")
            + intervals(table, "width_reduction", "width_reduction_lower", "width_reduction_upper") + _shares(table, "p_value", "adjusted_p")
            + broken(table, (table["first_cell"] == table["second_cell"], "cell {first_cell} is compared with itself"),
                     (table["p_value"] == 0, "p_value 0 is not above 0"),
                     *([(table["e_value"] < 0, "e_value {e_value} is below 0")] if table.has("e_value") else []),
                     (table["adjusted_p"] < table["p_value"], "adjusted_p {adjusted_p} is below p_value {p_value}"),
                     (table["verdict"] != verdict, "verdict '{verdict}' does not follow from [{lower}, {upper}]")))


def _selections(table: Table, tables: Mapping[str, Table]) -> list[str]:
    ahead = np.isin(table["standing"], (b"selected", b"leading"))
    second = np.zeros(len(table), bool)
    seen = set()
    for row in np.flatnonzero(ahead & (table["indifference"] > 0)):
        group = (table["group"][row], table["metric"][row])
        second[row] = group in seen
        seen.add(group)
    return (_confidence(table) + _counts(table, tables["cells"])
            + broken(table, (~(table["indifference"] > 0), "indifference {indifference} is not positive"), (second, "group '{group}' has two cells ahead")))


def _controlled(table: Table, tables: Mapping[str, Table]) -> list[str]:
    return (intervals(table, "mean") + _confidence(table) + _counts(table, tables["cells"])
            + broken(table, (table["loss_factor"] < 1, "loss_factor {loss_factor} is below 1"),
                     (table["r_squared"] > 1, "r_squared {r_squared} is above 1")))  # adjusted, it may be below 0


def _stability(table: Table, tables: Mapping[str, Table]) -> list[str]:
    overflow = table["overflow_replication"]
    last = tables["cells"]["replications_computed"][table["cell"]].astype(np.int64) - 1
    found = [line for name in ("growth", "half_ratio", "start_bias") for line in intervals(table, name, f"{name}_lower", f"{name}_upper")]
    return found + broken(
        table, ((overflow < -1) | (np.fmod(overflow, LEVEL) > last), "overflow_replication {overflow_replication} is not one of cell {cell}"),
        ((overflow >= 0) == np.isnan(table["overflow_time"]), "overflow_time {overflow_time} does not agree with overflow_replication {overflow_replication}"),
        ((overflow >= 0) & (table["verdict"] != b"unstable"), "the queue passed its limit, but is '{verdict}'"))


def _searches(table: Table, tables: Mapping[str, Table]) -> list[str]:
    expected = np.where(_continues(table), _before(table["step"]) + 1, 0)
    computed = tables["cells"]["replications_computed"][table["cell"]]
    end = np.fmod(table["first_replication"], LEVEL) + table["replications"]
    return (intervals(table, "median") + _shares(table, "reliability")
            + broken(table, (table["step"] != expected, "is step {step}, not step {expected}"),
                     (end > computed, "rests on replication {last}, but cell {cell} has {computed}"), expected=expected, last=end - 1, computed=computed))


def _placements(table: Table, tables: Mapping[str, Table]) -> list[str]:
    saturation = dict(zip(tables["saturation"]["cell"].tolist(), tables["saturation"]["rho_max"].tolist()))
    rho_max, pilot, fraction = table["rho_max"], table["pilot"], table["fraction"]
    foreign = np.array([cell >= 0 and saturation.get(cell) != rho for cell, rho in zip(pilot.tolist(), rho_max.tolist())], bool)
    share = tables["cells"]["utilization"][table["cell"]] / rho_max
    return intervals(table, "rho_max") + broken(
        table, (np.isnan(rho_max) != (table["method"] == b"none"), "rho_max {rho_max} by method '{method}'"),
        ((table["method"] == b"pilot") != (pilot >= 0), "pilot {pilot} by method '{method}'"),
        (foreign, "rho_max {rho_max} is not that of cell {pilot}"),
        ((fraction != share) & ~(np.isnan(fraction) & np.isnan(share)), "fraction {fraction} is not {share}"), share=share)


def _quantiles(table: Table, tables: Mapping[str, Table]) -> list[str]:
    goes_on = _continues(table, "metric")
    before = {column: _before(table[column]) for column in ("probability", "value", "jobs")}
    return (intervals(table, "value") + _confidence(table) + _shares(table, "probability") + broken(
        table, (goes_on & ~(table["probability"] > before["probability"]), "probability {probability} does not follow {earlier}"),
        (goes_on & (table["value"] < before["value"]), "quantile {value} is below that of a lower probability"),
        (goes_on & (table["jobs"] != before["jobs"]), "rests on {jobs} jobs, the row before on {others}"),
        earlier=before["probability"], others=before["jobs"]))


def _sketches(table: Table, tables: Mapping[str, Table]) -> list[str]:
    rises = (table["bucket"] > _before(table["bucket"])) & (table["upper"] > _before(table["upper"]))
    return broken(table, (table["count"] == 0, "bucket {bucket} is empty"),
                  (~(table["lower"] <= table["upper"]), "bucket {bucket} begins above its end"),
                  (_continues(table, "metric") & ~rises, "bucket {bucket} does not follow {earlier}"), earlier=_before(table["bucket"]))


def _sketched(tables: Mapping[str, Table]) -> list[str]:
    """Quantiles rest on the jobs that their sketch counts."""
    if "quantiles" not in tables or "sketches" not in tables:
        return []
    quantiles, sketches = tables["quantiles"], tables["sketches"]
    jobs: dict[tuple[int, bytes], int] = {}
    for cell, metric, count in sketches[["cell", "metric", "count"]].tolist():
        jobs[cell, metric] = jobs.get((cell, metric), 0) + count
    has = np.array([jobs.get(key, 0) for key in quantiles[["cell", "metric"]].tolist()], np.uint64)
    return broken(quantiles, (quantiles["jobs"] != has, "rests on {jobs} jobs, but the sketch has {has}"), has=has)


def _warm_up(table: Table, tables: Mapping[str, Table]) -> list[str]:
    inside = _continues(table) & (table["first_job"] < _before(table["first_job"]) + _before(table["jobs"]))
    return broken(table, (table["jobs"] == 0, "the part has no jobs"), (inside, "begins at job {first_job}, inside the part before"))


def _warm_up_checks(table: Table, tables: Mapping[str, Table]) -> list[str]:
    cuts_more = table["mser_cut"] > table["warm_up_jobs"]
    wrong = (table["verdict"] != b"not settled") & ((table["verdict"] == b"short") != cuts_more)
    return broken(table, (wrong, "verdict '{verdict}' does not follow from a cut of {mser_cut} and a warm-up of {warm_up_jobs} jobs"))


def _utilizations(table: Table, tables: Mapping[str, Table]) -> list[str]:
    follows = (table["part"] == 0) | ((np.arange(len(table)) > 0) & (table["begin"] == _before(table["end"])))
    utilization = table["gross_utilization"]
    return broken(table, (~(table["begin"] < table["end"]) | ~follows, "the part does not follow the one before"),
                  (~((utilization >= 0) & (utilization <= 1 + _ROUNDING)), "gross_utilization {gross_utilization} is not between 0 and 1"))


def _users(table: Table, tables: Mapping[str, Table]) -> list[str]:
    return broken(table, ((table["users"] == 0) | (table["jobs"] < table["users"]), "{users} users with {jobs} jobs"))


def _waits(table: Table, tables: Mapping[str, Table]) -> list[str]:
    """A cell has a group of all jobs first, and no larger one."""
    jobs, starts = table["jobs"], ~_continues(table)
    of_all = jobs[np.maximum.accumulate(np.where(starts, np.arange(len(jobs)), 0))]
    within, tau = table["within"], table["rank_agreement"]
    return broken(table, (starts != (table["by"] == b"all"), "the group of all jobs is not the first of its cell"),
                  (jobs > of_all, "{jobs} jobs of {all}"), ((within < 0) | (within > 1), "within {within} is not between 0 and 1"),
                  (np.abs(tau) > 1 + _ROUNDING, "rank_agreement {rank_agreement} is not between -1 and 1"), all=of_all)


def _classes(table: Table, tables: Mapping[str, Table]) -> list[str]:
    """The classes of a cell are 0, 1, 2, …, each with a name of its own."""
    number = table["class"]
    expected = np.where(_continues(table), _before(number) + 1, 0)
    owner: dict[tuple[int, bytes], int] = {}
    other = np.array([owner.setdefault((cell, name), own) if name else own for cell, own, name in table[["cell", "class", "name"]].tolist()], np.uint64)
    return broken(table, (number != expected, "a class before class {class} lacks a name"), (table["name"] == b"", "the class has no name"),
                  (other != number, "'{name}' is the name of class {other} of this cell already"), other=other)


def _quantities(table: Table, tables: Mapping[str, Table]) -> list[str]:
    columns = tables["replications"].records.dtype.names or ()
    return _unsound(table, lambda text: _claims.quantity_expression(text, columns))


def _claim_texts(table: Table, tables: Mapping[str, Table]) -> list[str]:
    low, high = table["low"], table["high"]
    return _confidence(table) + broken(table, (~np.isin(table["claim"], _claims_of("claim_places", tables)), "claim '{claim}' has no place"),
                                       ((np.isnan(low) & np.isnan(high)) | (low > high), "no value is between {low} and {high}"))


def _claim_places(table: Table, tables: Mapping[str, Table]) -> list[str]:
    names = [row["quantity"] for row in _claims.texts(tables["quantity_expressions"].records)] if "quantity_expressions" in tables else []

    def expect_terms(text: str) -> None:
        for path in Expression(text).paths:
            _claims.term(path, names, len(tables["cells"]))
    return broken(table, (~np.isin(table["claim"], _claims_of("claim_texts", tables)), "'{claim}' is not in 'claim_texts'")) + _unsound(table, expect_terms)


def _claims_of(name: str, tables: Mapping[str, Table]) -> Rows:
    return tables[name]["claim"] if name in tables else np.array([], "S1")


def _unsound(table: Table, read: Callable[[str], object]) -> list[str]:
    """What reading its expressions says is wrong with them."""
    found = []
    for row, own in enumerate(_claims.texts(table.records)):
        try:
            read(own["expression"])
        except ValueError as error:
            found.append(f"{table.name} row {row}: '{own['expression']}': {error}")
    return found


RULES = {"estimates": _estimates, "saturation": _saturation, "factors": _factors, "known_values": _known, "timings": _timings,
         "comparisons": _comparisons, "selections": _selections, "controlled_estimates": _controlled, "stability": _stability,
         "search_steps": _searches, "placements": _placements, "quantiles": _quantiles, "sketches": _sketches, "warm_up": _warm_up,
         "warm_up_checks": _warm_up_checks, "utilization_series": _utilizations, "users": _users, "logged_waits": _waits, "job_classes": _classes,
         "quantity_expressions": _quantities, "claim_texts": _claim_texts, "claim_places": _claim_places}
