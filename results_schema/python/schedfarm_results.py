"""Reads schedfarm result files with h5py and pandas; needs Debian's python3-h5py and python3-pandas.

    from schedfarm_results import open_results

    results = open_results("table1.h5")
    results.estimates                     # a pandas DataFrame, texts decoded; so for every table
    results.attributes["campaign_name"]
    results.units("estimates")["mean"]    # also results.meanings(...)
    results.with_factors("estimates")     # the cell's factor levels as columns beside the table's own
    results.pivot("response_time.mean", rows="load.utilization", columns="policy")   # lists of names too
    results.pooled_quantile(0, "response_time", 0.95)   # any quantile of all jobs, from the sketch
    assert results.payload_hash() == results.attributes["payload_hash"]

    results.class_names(0)                # {0: "interactive", 1: "batch"}: the classes of [class=...] and of job logs
    results.job_logs()                    # [(cell, replication), ...] of the replications with a log
    jobs = results.job_log(0, 0)          # a row per job: submit, start, finish, processors, ...
    results.processors(0, 0)              # a row per range of processors that a job held
    assert results.job_log_fingerprint(0, 0) == results.replications["fingerprint"][0]

The payload hash is computed from its definition in SCHEMA.md, independently of the program.
"""

import hashlib
import math

import h5py
import numpy as np
import pandas as pd

FILETYPE = "schedfarm results"
READABLE_MAJOR = 1

# In the order in which they are hashed.
TABLES = (
    "cells",
    "factors",
    "replications",
    "estimates",
    "saturation",
    "known_values",
    "reference",
    "comparisons",
    "selections",
    "controlled_estimates",
    "stability",
    "search_steps",
    "quantiles",
    "sketches",
    "warm_up",
    "warm_up_checks",
    "utilization_series",
    "users",
    "job_classes",
    "quantities",
    "claims",
    "claim_values",
    "failures",
    "timings",
    "farm",
)

SKETCH_ACCURACY = 0.01  # of every quantile, relative

_TYPE_WORDS = {"i": "int64", "u": "uint64", "f": "float64", "S": "text"}


def open_results(path):
    """Reads the whole file. Raises ValueError when it is no result file of a readable version."""
    return Results(path)


class Results:
    """The tables of a file as DataFrames (`.cells`, `.replications`, ...) and its root attributes."""

    def __init__(self, path):
        self._records = {}
        self._columns = {}
        self._path = path
        with h5py.File(path, "r") as file:
            self.attributes = {name: _plain(value) for name, value in file.attrs.items()}
            self._expect_readable(path)
            for name in TABLES:
                if name in file:
                    self._records[name] = file[name][:]
                    self._columns[name] = _describe(file[name])

    def _expect_readable(self, path):
        if self.attributes.get("filetype") != FILETYPE:
            raise ValueError(f"{path}: not a result file (its filetype is not '{FILETYPE}')")
        version = self.attributes["schema_version"]
        if int(version.split(".")[0]) != READABLE_MAJOR:
            raise ValueError(
                f"{path}: schema version {version} (this module reads {READABLE_MAJOR}.x). "
                "Use the module that came with the program that wrote it"
            )

    def __getattr__(self, name):
        if name in TABLES and name in self.__dict__.get("_records", {}):
            return self.table(name)
        raise AttributeError(f"the file has no table '{name}'. It has: {', '.join(self.__dict__.get('_records', {}))}")

    def table_names(self):
        return list(self._records)

    def table(self, name):
        """A table as a DataFrame, texts decoded."""
        if name not in self._records:
            raise KeyError(f"no table '{name}'. The file has: {', '.join(self._records)}")
        records = self._records[name]
        return pd.DataFrame({column: _decoded(records[column]) for column in records.dtype.names})

    def units(self, table):
        return dict(self._columns[table]["unit"])

    def meanings(self, table):
        return dict(self._columns[table]["meaning"])

    def with_factors(self, table):
        """A table that has a column `cell`, with one column more per factor of the campaign."""
        rows = self.table(table)
        if "cell" not in rows:
            raise KeyError(f"table '{table}' has no column 'cell'. Its columns: {', '.join(rows)}")
        factors = self.factors
        levels = factors.pivot(index="cell", columns="factor", values="label")
        numbers = factors.pivot(index="cell", columns="factor", values="number")
        for factor in levels.columns:
            is_numeric = levels[factor].notna() == numbers[factor].notna()
            if is_numeric.all():
                levels[factor] = numbers[factor]
        levels = levels[list(dict.fromkeys(factors["factor"]))]
        return rows.merge(levels, left_on="cell", right_index=True, how="left")

    def pivot(self, metric, rows, columns, values="mean"):
        """Estimates of one metric (a bare probe stands for its mean) as a table of `rows` by `columns`, both names of
        factors, of which the last part is enough, or lists of such names, whose levels then stand beside each other; levels in the order of the
        campaign. A list of `values` gives the columns of each beside those of the next. Raises KeyError where the
        file has no such metric, factor or value, and ValueError where rows and columns leave several cells for one
        place or where `metric` is no single name."""
        if not isinstance(metric, str):
            raise ValueError(f"{metric!r} is not one metric. Pivot one after another?")
        estimates = self.with_factors("estimates")
        chosen = estimates[estimates["metric"] == metric]
        if chosen.empty:
            chosen = estimates[estimates["metric"] == f"{metric}.mean"]
        if chosen.empty:
            raise KeyError(f"no metric '{metric}'. The file has: {', '.join(estimates['metric'].unique())}")
        for value in _listed(values):
            if value not in self._records["estimates"].dtype.names:
                known = ', '.join(self._records["estimates"].dtype.names)
                raise KeyError(f"no value '{value}'. Estimates have: {known}")
        row_factors = [self._factor(name) for name in _listed(rows)]
        column_factors = [self._factor(name) for name in _listed(columns)]
        self._expect_single_cells(chosen, row_factors + column_factors)
        index = row_factors if len(row_factors) > 1 else row_factors[0]
        heads = column_factors if len(column_factors) > 1 else column_factors[0]
        tables = [chosen.pivot(index=index, columns=heads, values=value).reindex(
            index=_levels(chosen, index), columns=_levels(chosen, heads)) for value in _listed(values)]
        return pd.concat(tables, axis=1, keys=values) if _is_several(values) else tables[0]

    def _expect_single_cells(self, chosen, factors):
        if len(set(factors)) < len(factors):
            raise ValueError(f"a factor stands twice in rows and columns: {', '.join(factors)}")
        if chosen.duplicated(factors).any():
            others = [name for name in dict.fromkeys(self.factors["factor"])
                      if name not in factors and chosen[name].nunique(dropna=False) > 1]
            raise ValueError(f"several cells have one place in a table by {', '.join(factors)}. Cells also differ in: "
                             f"{', '.join(others)}. Give rows or columns a list with it, [..., '{others[0]}']?")

    def _factor(self, name):
        names = list(dict.fromkeys(self.factors["factor"]))
        found = [factor for factor in names if factor == name] or [
            factor for factor in names if factor.rsplit(".", 1)[-1] == name]
        if len(found) != 1:
            raise KeyError(f"no single factor '{name}'. The file has: {', '.join(names) or 'none, its rows are .estimates'}")
        return found[0]

    def pooled_quantile(self, cell, metric, p):
        """The p-quantile of all measured jobs of a cell, to 1 % of its value, from the sketch."""
        if not 0 <= p <= 1:
            raise ValueError(f"{p} is no probability (it must lie between 0 and 1)")
        if "sketches" not in self._records:
            raise KeyError("the file has no sketches. They are there where a probe keeps them: {response_time: {sketch: true}}")
        sketches = self.sketches
        chosen = sketches[(sketches["cell"] == cell) & (sketches["metric"] == metric)]
        if chosen.empty:
            known = sorted(set(zip(sketches["cell"].tolist(), sketches["metric"])))
            raise KeyError(f"cell {cell} has no sketch of '{metric}'. The file has: {known}")
        position = math.floor(p * (int(chosen["count"].sum()) - 1))
        ends = chosen["count"].cumsum().to_numpy()
        return _bucket_value(int(chosen["bucket"].iloc[np.searchsorted(ends, position, "right")]))

    def class_names(self, cell):
        """What the job classes of a cell are called, {0: "interactive", ...}; empty where they have no names."""
        if "job_classes" not in self._records:
            return {}
        classes = self.job_classes
        chosen = classes[classes["cell"] == cell]
        return dict(zip(chosen["class"].tolist(), chosen["name"]))

    def job_logs(self):
        """The (cell, replication) that have a log of their jobs, in order."""
        with h5py.File(self._path, "r") as file:
            jobs = file.get("jobs", {})
            return sorted((int(cell), int(index)) for cell in jobs for index in jobs[cell])

    def job_log(self, cell, replication):
        """What became of every job of a replication, as a DataFrame."""
        return self._log("jobs", cell, replication)

    def processors(self, cell, replication):
        """Which processors the jobs of a replication held, one row per range; None where that is not known."""
        with h5py.File(self._path, "r") as file:
            is_known = f"processors/{cell}/{replication}" in file
        return self._log("processors", cell, replication) if is_known else None

    def job_log_fingerprint(self, cell, replication):
        """The fingerprint of a log's jobs, as SCHEMA.md defines it: that of its row in `replications`."""
        log = self.job_log(cell, replication)
        words = _mixed(log["job"].to_numpy().astype("<u8") + np.uint64(0x9E3779B97F4A7C15))
        for column in ("start", "finish"):
            words = _mixed(words ^ log[column].to_numpy().astype("<f8").view("<u8"))
        return int(np.sum(words, dtype=np.uint64))

    def _log(self, kind, cell, replication):
        with h5py.File(self._path, "r") as file:
            name = f"{kind}/{cell}/{replication}"
            if name not in file:
                raise KeyError(f"the file has no log of replication {replication} of cell {cell}. Logs are there where the "
                               "campaign asks for them: job_log: {replications: 1}")
            return pd.DataFrame(file[name][:])

    def payload_hash(self):
        digest = hashlib.sha256(b"schedfarm payload 1\n")
        for name in TABLES:
            if name not in self._records or not self._columns[name]["hashed"].any():
                continue
            records = self._records[name]
            digest.update(f"table {name} {len(records)}\n".encode())
            for column, hashed in self._columns[name]["hashed"].items():
                if hashed:
                    _hash_column(digest, column, records[column])
        return digest.hexdigest()


def _is_several(names):
    return not isinstance(names, str)


def _listed(names):
    listed = list(names) if _is_several(names) else [names]
    if not listed:
        raise ValueError("an empty list names nothing")
    return listed


def _levels(frame, factors):
    """The levels of one factor, or of a list of factors together, in the order of their first rows."""
    if isinstance(factors, str):
        return pd.Index(frame[factors].unique(), name=factors)
    return pd.MultiIndex.from_frame(frame[factors].drop_duplicates())


def _mixed(words):
    """The bits of every word mixed, modulo 2^64."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _bucket_value(index):
    """What stands for the values of a bucket: off by no more than SKETCH_ACCURACY."""
    limits = np.iinfo(np.int32)
    if index in (limits.min, limits.max):
        return 0.0 if index == limits.min else math.inf
    growth = (1 + SKETCH_ACCURACY) / (1 - SKETCH_ACCURACY)
    return 2 * growth**index / (growth + 1)


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


def _describe(dataset):
    attributes = dataset.attrs
    return pd.DataFrame(
        {
            "unit": list(attributes["units"]),
            "meaning": list(attributes["meanings"]),
            "hashed": [flag != 0 for flag in attributes["hashed"]],
        },
        index=list(attributes["columns"]),
    )


def _decoded(values):
    if values.dtype.kind != "S":
        return values
    return np.array([text.decode() for text in values], dtype=object)


def _hash_column(digest, name, values):
    kind = values.dtype.kind
    digest.update(f"column {name} {_TYPE_WORDS[kind]}\n".encode())
    if kind == "S":
        for text in values:
            digest.update(len(text).to_bytes(8, "little") + bytes(text))
    elif kind == "f":
        bits = values.astype("<f8").view("<u8")
        bits = np.where(np.isnan(values), np.uint64(0x7FF8000000000000), bits)
        bits = np.where(values == 0, np.uint64(0), bits)
        digest.update(bits.astype("<u8").tobytes())
    else:
        digest.update(values.astype("<" + kind + "8").tobytes())
