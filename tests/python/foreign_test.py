#!/usr/bin/env python3
"""Files of others: nothing outside of the file is read, damage is a FileError and nothing else, and a bomb does not go off.
SCHEDFARM_PROGRAM computes the file that is changed here."""
import os
import pathlib
import random
import shutil
import unittest
import zlib

import h5py
import numpy as np

import schedfarm
import small_campaigns as small
from schedfarm import FileError
from schedfarm._reading import schema
from schedfarm._reading.file import TABLES

SECRET = b"root:x:0:0:root:/root:/bin/bash\n" * 4000
small.CAMPAIGNS["logged"] = """\
campaign_format: 1
name: logged
seed: 7
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 50, warm_up: {fraction: 0.2}}
replications: 3
probes: [{response_time: {sketch: true, quantiles: [0.5]}}]
job_log: {replications: 1, utilization_parts: 5}
comparison: {factor: policy, metric: response_time}
load: {utilization: 0.5}
factors: {policy: [fcfs, sjf]}
"""


def read_all(path):
    """Everything that the package reads of a file."""
    with schedfarm.open(path) as results:
        repr(results)
        for name in results.table_names:
            results.table(name, factors="cell" in results.table(name) and name != "factors")
            results.columns(name)
        for metric in results.metrics:
            results.estimates(metric)
            results.unit(metric)
        for cell, replication in results.logged():
            results.jobs(cell, replication)
            results.processors(cell, replication)
        results.comparisons() if "comparisons" in results.table_names else None
        results.payload_hash()
        results.cite()


class Foreign(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(small.folder())
        self.path = str(self.folder / "foreign.h5")
        shutil.copy(small.path("logged"), self.path)

    def changed(self, change):
        with h5py.File(self.path, "r+") as file:
            change(file)

    def expect_refused(self, words):
        with self.assertRaisesRegex(FileError, words) as caught:
            read_all(self.path)
        self.assertIn(self.path, str(caught.exception))
        self.assertNotIn("root:", str(caught.exception))


class Elsewhere(Foreign):
    """What leads out of the file is refused before anything of it is read."""

    PLACES = ("cells", "estimates", "jobs/0/0", "processors/0/0")

    def test_no_external_storage_is_followed(self):
        (self.folder / "secret").write_bytes(SECRET)
        for place in self.PLACES:
            def change(file, place=place):
                kind, attributes = file[place].dtype, dict(file[place].attrs)
                del file[place]
                rows = len(SECRET) // kind.itemsize
                file.create_dataset(place, (rows,), kind, external=[(str(self.folder / "secret"), 0, rows * kind.itemsize)]).attrs.update(attributes)
            self.setUp()
            self.changed(change)
            self.expect_refused(f"table '{place}' lies in another file")

    def test_no_virtual_table_is_followed(self):
        other = shutil.copy(self.path, self.folder / "other.h5")
        for place in self.PLACES:
            def change(file, place=place):
                kind, shape, attributes = file[place].dtype, file[place].shape, dict(file[place].attrs)
                del file[place]
                layout = h5py.VirtualLayout(shape, kind)
                layout[:] = h5py.VirtualSource(str(other), place, shape, kind)
                file.create_virtual_dataset(place, layout).attrs.update(attributes)
            self.setUp()
            self.changed(change)
            self.expect_refused(f"table '{place}' lies in another file")

    def test_no_link_is_followed(self):
        other = shutil.copy(self.path, self.folder / "other.h5")
        for link in (h5py.ExternalLink(str(other), "/cells"), h5py.SoftLink("/factors")):
            for place in ("cells", "jobs", "jobs/0", "jobs/0/0", "unknown"):
                def change(file, place=place, link=link):
                    if place in file:
                        del file[place]
                    file[place] = link
                self.setUp()
                self.changed(change)
                self.expect_refused("is a link; a result file holds all that it is made of")

    def test_notes_are_the_users(self):
        self.changed(lambda file: file.__setitem__("notes", h5py.ExternalLink("other.h5", "/cells")))
        read_all(self.path)


class Bombs(Foreign):
    def test_do_not_go_off(self):
        for place in ("estimates", "jobs/0/0"):
            for stored in (600, 0):  # chunks of 1 MiB of zeros, and rows that are nowhere
                def change(file, place=place, stored=stored):
                    kind, attributes = file[place].dtype, dict(file[place].attrs)
                    del file[place]
                    chunk = (1 << 20) // kind.itemsize
                    rows = chunk * (stored or 1 << 30)
                    made = file.create_dataset(place, (rows,), kind, chunks=(chunk,), compression="gzip")
                    made.attrs.update(attributes)
                    packed = zlib.compress(bytes(chunk * kind.itemsize), 9)
                    for part in range(stored):
                        made.id.write_direct_chunk((part * chunk,), packed)
                self.setUp()
                self.changed(change)
                self.expect_refused("more than a file of this size may hold")


class Damage(Foreign):
    """A FileError, or the whole file where nothing that is read was hit."""

    def expect_harmless(self, what):
        with self.subTest(what):
            try:
                read_all(self.path)
                return 0
            except FileError as error:
                self.assertIn(self.path, str(error))
                return 1

    def test_of_bytes_is_refused(self):
        whole = pathlib.Path(self.path).read_bytes()
        refused = 0
        for seed in range(30):
            choice = random.Random(seed)
            damaged = bytearray(whole)
            for _ in range(1 + choice.randrange(3)):
                at, length = choice.randrange(len(damaged)), 1 + choice.randrange(200)
                way = choice.randrange(5)
                if way == 0:
                    damaged[at] ^= 1 << choice.randrange(8)
                elif way == 1:
                    damaged[at:at + length] = choice.randbytes(length)
                elif way == 2:
                    del damaged[at:at + length]
                elif way == 3:
                    damaged[at:at + length] = bytes(length)
                else:
                    del damaged[max(at, 100):]
            pathlib.Path(self.path).write_bytes(damaged)
            refused += self.expect_harmless(seed)
        self.assertGreater(refused, 10)

    def test_of_tables_is_refused(self):
        refused = 0
        for seed in range(60):
            self.setUp()
            self.changed(lambda file, seed=seed: self.change_one(file, random.Random(seed)))
            refused += self.expect_harmless(seed)
        self.assertGreater(refused, 30)

    def change_one(self, file, choice):
        place = choice.choice([name for name in TABLES if name in file] + ["jobs/0/0", "processors/0/0"])
        rows, attributes = file[place][:], dict(file[place].attrs)
        way = choice.randrange(8)
        if way == 0:
            del file[place]
        elif way == 1:  # without a column, or with it in another name
            column = choice.randrange(len(rows.dtype.names))
            kept = [name for number, name in enumerate(rows.dtype.names) if number != column]
            self.replace(file, place, rows[kept].copy() if kept else np.zeros(3), attributes)
        elif way == 2:
            owner = choice.choice([file, file[place]])
            del owner.attrs[choice.choice(sorted(owner.attrs))]
        elif way == 3:
            owner = choice.choice([file, file[place]])
            owner.attrs[choice.choice(sorted(owner.attrs))] = choice.choice(["", "other", 7, np.zeros(3)])
        elif way == 4:
            self.replace(file, place, file[choice.choice(schema.ALWAYS)][:], attributes)
        elif way == 5:
            self.replace(file, place, choice.choice([np.zeros(5), np.zeros((2, 2)), np.zeros((), rows.dtype)]), attributes)
        elif way == 6:
            self.replace(file, place, np.concatenate([rows, rows]), attributes)
        elif len(rows):
            column = choice.choice(rows.dtype.names)
            rows[column][choice.randrange(len(rows))] = choice.choice([0, 1, 1000, 2**40]) if rows.dtype[column].kind != "S" else b"\xff\x1b"
            file[place][:] = rows

    def replace(self, file, place, rows, attributes):
        del file[place]
        file.create_dataset(place, data=rows).attrs.update(attributes)

    def test_of_the_kind_of_file_is_refused(self):
        os.remove(self.path)
        os.mkfifo(self.path)
        self.addCleanup(os.remove, self.path)
        self.expect_refused("not a regular file")


class Schema(unittest.TestCase):
    def test_is_that_of_the_page(self):
        """Every table and column that readers rely on stands in SCHEMA.md, with its type."""
        words = {"uint64": "u", "int64": "i", "float64": "f", "text": "S"}
        known = {}
        for part in (small.ROOT / "results_schema/SCHEMA.md").read_text().split("\n### ")[1:]:
            name = part.split("\n")[0].strip("`/").split("/")[0]
            fields = [[field.strip(" `") for field in line.split("|")] for line in part.splitlines() if line.startswith("| `")]
            known[name] = {f"{field[1]}:{words.get(field[2])}" for field in fields}
            if name in schema.ALWAYS:
                self.assertIn("\nAlways present", part)
        for table, columns in schema.COLUMNS.items():
            self.assertLessEqual(set(columns.split()), known[table], table)
        self.assertLessEqual({f"{name}:S" for name in schema.TEXT_ATTRIBUTES}, known["Root attributes"])
        self.assertEqual(set(schema.COLUMNS) - {"jobs", "processors", "pieces"} - set(TABLES), set())


if __name__ == "__main__":
    unittest.main()
