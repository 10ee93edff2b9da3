"""What a campaign of several seeds concludes of one of them is what the campaign with that seed alone concludes,
in every table, bit for bit: estimates, comparisons, selections, searches, loads placed by pilots.

usage: seeds_test.py PROGRAM
"""
import sys

import h5py
import numpy as np

from program import expect, main

HEAD = """\
campaign_format: 1
name: seeds
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}}
horizon: {jobs: 300, warm_up: {fraction: 0.2}}
"""
COMPARED = HEAD + """\
precision: {metric: response_time, relative: 0.3, min: 10, max: 40}
comparison: {factor: policy, metric: response_time, relative: 0.2}
factors:
  load.utilization: [0.5, 0.8]
  policy: [fcfs, {fpfs: {max_jumps: 7}}, sjf]
"""
SELECTED = HEAD + """\
load: {utilization: 0.8}
random_numbers: {streams: independent}
selection: {factor: policy, metric: response_time, best: smallest, indifference: 0.3, first_stage: 10, round: 5}
factors:
  policy: [fcfs, sjf]
"""
SEARCHED = HEAD + """\
load: {search: {criterion: response_time, threshold: 1.3, between: [0.3, 0.96], width: 0.05}}
factors:
  policy: [fcfs]
"""
PLACED = HEAD + """\
replications: 5
pilot: {replications: 10, jobs: 500}
factors:
  policy: [{fpfs: {max_jumps: 7}}]
  load.utilization: {of_saturation: [0.5, 0.8]}
"""
SEEDS = (7, 9)
TEXTS = ("group", "label")  # name the seed


def tables_of(path):
    with h5py.File(path) as file:
        return {name: table[:] for name, table in file.items() if isinstance(table, h5py.Dataset)}


def hashed_columns(path):
    with h5py.File(path) as file:
        return {name: [column for column, hashed in zip(table.attrs["columns"], table.attrs["hashed"]) if hashed]
                for name, table in file.items() if isinstance(table, h5py.Dataset)}


def of_seed(tables, seed):
    """The rows of the cells of a seed, numbered as they are in the campaign of that seed alone."""
    factors = tables["factors"]
    cells = factors["cell"][(factors["factor"] == b"seed") & (factors["label"] == str(seed).encode())]
    numbers = {cell: number for number, cell in enumerate(np.unique(cells))}
    rows = {}
    for name, table in tables.items():
        places = [column for column in ("cell", "first_cell", "second_cell") if column in (table.dtype.names or ())]
        if places:
            table = table[np.isin(table[places[0]], cells)].copy()
            for column in places:
                table[column] = [numbers[cell] for cell in table[column]]
            rows[name] = table[table["factor"] != b"seed"] if name == "factors" else table
    return rows


def expect_equal(mine, alone, columns, what):
    compared = 0
    for name, table in alone.items():
        for column in set(columns[name]) - set(TEXTS):
            a, b = mine[name][column], table[column]
            same = len(a) == len(b) and all(x == y or (x != x and y != y) for x, y in zip(a, b))
            expect(same, f"{what}: {name}.{column} is {a}, alone {b}")
            compared += len(b)
    expect(compared > 20, f"{what}: {compared} numbers compared")


def test(program, _arguments):
    for what, text in (("compared", COMPARED), ("selected", SELECTED), ("searched", SEARCHED), ("placed", PLACED)):
        listed = program.write(f"{what}.yaml", text + f"  seed: {list(SEEDS)}\n")
        program.run("run", listed, "-w", "0")
        tables = tables_of(program.folder / f"{what}.h5")
        for seed in SEEDS:
            name = f"{what}_{seed}"
            program.run("run", program.write(f"{name}.yaml", text + f"seed: {seed}\n"), "-w", "0")
            path = program.folder / f"{name}.h5"
            alone = {key: table for key, table in tables_of(path).items() if "rank" not in table.dtype.names}
            alone = {key: table for key, table in alone.items()
                     if {"cell", "first_cell"} & set(table.dtype.names)}
            expect_equal(of_seed(tables, seed), alone, hashed_columns(path), f"{what}, seed {seed}")


if __name__ == "__main__":
    sys.exit(main(test))
