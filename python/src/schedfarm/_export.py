"""The tables for other tools: folders of CSV, Parquet or netCDF, and an xarray.Dataset of the estimates."""

from __future__ import annotations

import os
import pathlib
import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._new_file import write_file
from ._reading.lazy_pandas import pd
from .errors import MissingPackage, RequestError, one_of
from .report.writers import spreadsheet_text

if TYPE_CHECKING:
    import xarray

    from .results import Results


def dataset(results: Results, values: list[str]) -> xarray.Dataset:
    xarray = _xarray()
    factors = results.factors.varying(pd.Index(results.cells["cell"]))
    rows = results.estimates()
    _expect_grid(results, factors)
    levels = {name: [level for level in results.factors.levels(name) if level in set(rows[name])] for name in factors}
    names = {name: name.replace(".", "_") for name in factors}
    arrays: dict[str, Any] = {}
    for metric, part in rows.groupby("metric", sort=False):
        places = tuple(_places(part[name], levels[name]) for name in factors)
        for value in values:
            if value not in part:
                raise one_of("value", value, list(results.table("estimates")), "Estimates have")
            grid = np.full([len(levels[name]) for name in factors], np.nan)
            grid[places] = part[value].to_numpy(dtype=float)
            attributes = {"units": "1" if value == "n" else results.unit(metric), "metric": metric}
            arrays[f"{metric}.{value}" if len(values) > 1 else metric] = ([names[name] for name in factors], grid, attributes)
    coordinates = {names[name]: (names[name], levels[name], {"factor": name}) for name in factors}
    about = {key: results.attributes[key] for key in ("campaign_name", "payload_hash", "program_version", "seed")}
    return xarray.Dataset(arrays, coordinates, {**about, "confidence": rows["confidence"].max()})


def _places(column: pd.Series, levels: list[Any]) -> list[int]:
    place = {level: index for index, level in enumerate(levels)}
    return [place[level] for level in column]


def _expect_grid(results: Results, factors: list[str]) -> None:
    own = results.factors.columns.loc[results.cells["cell"], factors]
    if factors and own.isna().any(axis=None):
        missing = [name for name in factors if own[name].isna().any()]
        raise RequestError(f"some cells have no {' and no '.join(missing)} (they are no grid). Take .select first.")


def export(results: Results, folder: str, format: str) -> list[str]:
    writers: dict[str, Callable[[Results, str], list[str]]] = {"csv": _csv, "parquet": _parquet, "netcdf": _netcdf}
    if format not in writers:
        raise one_of("format", format, list(writers), "Formats")
    os.makedirs(folder, exist_ok=True)
    return writers[format](results, folder)


def _tables(results: Results) -> dict[str, pd.DataFrame]:
    """Every table, with factors where it has cells; job logs as jobs_CELL_REPLICATION."""
    tables = {}
    for name in results.table_names:
        rows = results.table(name)
        tables[name] = results.with_factors(rows) if "cell" in rows and name != "factors" else rows
    for cell, replication in results.logged():
        tables[f"jobs_{cell}_{replication}"] = results.jobs(cell, replication)
        held = results.processors(cell, replication)
        if held is not None:
            tables[f"processors_{cell}_{replication}"] = held
    return tables


def _csv(results: Results, folder: str) -> list[str]:
    files = []
    for name, rows in _tables(results).items():
        files.append(os.path.join(folder, f"{name}.csv"))
        write_file(files[-1], frame_csv(rows).encode())
    return files


def frame_csv(rows: pd.DataFrame) -> str:
    texts = {name: _spreadsheet_texts(column) for name, column in rows.select_dtypes(["object", "category", "string"]).items()}
    text: str = rows.assign(**texts).rename(columns=spreadsheet_text).to_csv(index=False)
    return text


def _spreadsheet_texts(column: pd.Series) -> pd.Series:
    changed = {text: own for text in column.unique() if isinstance(text, str) and (own := spreadsheet_text(text)) != text}
    return column.map(lambda value: changed.get(value, value)) if changed else column


def _parquet(results: Results, folder: str) -> list[str]:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise MissingPackage("Parquet needs the Python package pyarrow. Install it (extra `arrow`), or take csv") from error
    files = []
    for name, rows in _tables(results).items():
        files.append(os.path.join(folder, f"{name}.parquet"))
        write_file(files[-1], rows.to_parquet(index=False))
    return files


def _netcdf(results: Results, folder: str) -> list[str]:
    file = os.path.join(folder, "estimates.nc")
    data = dataset(results, ["mean", "lower", "upper", "n"])
    try:
        with tempfile.TemporaryDirectory() as beside:
            data.to_netcdf(os.path.join(beside, "estimates.nc"))
            write_file(file, pathlib.Path(beside, "estimates.nc").read_bytes())
    except ValueError as error:
        raise MissingPackage(
            "netCDF needs the Python package netCDF4 or scipy. Install one (Debian: python3-netcdf4), or take csv"
        ) from error
    return [file]


def _xarray() -> Any:
    try:
        import xarray
    except ImportError as error:
        raise MissingPackage("this needs the Python package xarray (extra `xarray`; Debian: python3-xarray)") from error
    return xarray
