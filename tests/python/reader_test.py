#!/usr/bin/env python3
"""usage: reader_test.py EXAMPLE_FILE

Reads the example results with h5py and pandas alone, and with the package; recomputes the hashes.
"""
import math
import os
import shutil
import sys
import tempfile
import unittest

import h5py
import numpy as np
import pandas as pd

import schedfarm
from schedfarm import FileError, RequestError, _sketch
from schedfarm._reading.file import JUDGED_FROM, TABLES

PATH = sys.argv.pop(1)


class EveryTable(unittest.TestCase):
    def test_is_read_by_h5py_and_pandas_without_help(self):
        with h5py.File(PATH) as file:
            names = set(file) - {"jobs", "processors"}
            self.assertEqual(names, set(TABLES) - {"defects"})
            for name in names:
                frame = pd.DataFrame(file[name][:])
                self.assertEqual(list(frame.columns), list(file[name].attrs["columns"]))
                self.assertGreater(len(frame), 0)
                for attribute in ("units", "meanings", "hashed"):
                    self.assertEqual(len(file[name].attrs[attribute]), len(frame.columns))

    def test_comes_with_texts_and_signed_integers(self):
        with schedfarm.open(PATH) as results:
            self.assertEqual(set(results.table_names), {*TABLES, *JUDGED_FROM} - {"defects"})
            for name in results.table_names:
                for column, dtype in results.table(name).dtypes.items():
                    self.assertIn(dtype.kind, "ifO", f"{name}.{column}")
                    self.assertFalse(any(isinstance(value, bytes) for value in results.table(name)[column]))

    def test_is_the_callers_own(self):
        with schedfarm.open(PATH) as results:
            results.cells.loc[0, "label"] = "changed"
            self.assertEqual(results.cells["label"][0], "fcfs, ρ = 0.7")


class JudgedTables(unittest.TestCase):
    """Shares .7 and .8: mean .75, error .05, Student's t of one degree of freedom."""

    def test_are_made_of_the_replications(self):
        with schedfarm.open(PATH) as results:
            self.assertEqual(results.claims()[["claim", "places", "rule", "verdict"]].to_numpy().tolist(),
                             [["small", 2, "< 2", "holds"], ["large", 1, "< 0.76", "undecided"]])
            values = results.claim_values()
            self.assertEqual(values["place"].tolist(), ["class 0", "class 1", ""])
            np.testing.assert_allclose(values[["value", "standard_error", "lower", "upper"]].iloc[2], [0.75, 0.05, 0.75 - 0.6353102, 0.75 + 0.6353102], rtol=1e-6)
            self.assertEqual(results.table("quantities")[["cell", "quantity", "class", "n"]].to_numpy().tolist(), [[1, "share", -1, 2]])
            self.assertEqual(results.estimates("share", factors=False)["mean"].round(12).tolist(), [0.75])

    def test_are_described_as_those_of_the_file(self):
        with schedfarm.open(PATH) as results:
            for name in JUDGED_FROM:
                columns = results.columns(name)
                self.assertEqual([column.name for column in columns], list(results.table(name)))
                self.assertTrue(all(column.meaning and not column.hashed for column in columns), name)
            self.assertEqual([column.unit for column in results.columns("claim_values")][1:4], ["", "1", "that of the value"])

    def test_of_a_file_that_has_them_stored_are_those(self):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(PATH, folder)
            with schedfarm.open(PATH) as results, h5py.File(path, "r+") as file:
                columns, records = results._file._judged["claims"]
                for name in ("claim_texts", "claim_places"):
                    del file[name]
                file["claims"] = records
                file["claims"].attrs.update({part: [str(getattr(column, part[:-1])) for column in columns] for part in ("units", "meanings")})
                file["claims"].attrs.update({"columns": [column.name for column in columns], "hashed": [0] * len(columns)})
            with schedfarm.open(path) as before:
                self.assertEqual(before.claims()["verdict"].tolist(), ["holds", "undecided"])
                self.assertNotIn("claim_values", before.table_names)

    def test_are_refused_where_the_file_does_not_say_what_to_judge(self):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(PATH, folder)
            with h5py.File(path, "r+") as file:
                rows = file["claim_places"][:]
                rows["expression"][0] = b"share{cell=9}"
                file["claim_places"][:] = rows
            with schedfarm.open(path) as results, self.assertRaisesRegex(FileError, "'small' cannot be judged .*is no quantity of a cell"):
                results.claims()


class Values(unittest.TestCase):
    def setUp(self):
        self.results = schedfarm.open(PATH)
        self.addCleanup(self.results.close)

    def test_survive(self):
        self.assertEqual(self.results.cells["label"][1], "")
        replications = self.results.replications()
        self.assertEqual(replications["fingerprint"][0], "ffffffffffffffff")
        response = replications["response_time.mean"]
        self.assertEqual(math.copysign(1, response[0]), -1)
        self.assertEqual(response[1], math.inf)
        self.assertEqual(response[2], 5e-324)
        self.assertTrue(math.isnan(response[3]))
        self.assertEqual(self.results.reference()["note"][0], "first line\nsecond line")

    def test_have_units_and_meanings(self):
        self.assertEqual(self.results.unit("response_time.mean"), "time units")
        meanings = {column.name: column.meaning for column in self.results.columns("estimates")}
        self.assertIn("confidence interval", meanings["lower"])

    def test_have_the_unit_of_time_of_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(PATH, folder)
            with h5py.File(path, "a") as file:
                file.attrs["time_unit"] = "s"
            with schedfarm.open(path) as results:
                self.assertEqual(results.unit("response_time.mean"), "s")

    def test_are_told_in_a_line(self):
        text = repr(self.results)
        for word in ("'Table 1'", "2 cells", "load.utilization", "5 replications", self.results.attributes["payload_hash"][:12]):
            self.assertIn(word, text)

    def test_are_plain_in_attributes(self):
        self.assertEqual(self.results.attributes["seed"], "2001")
        self.assertEqual(self.results.attributes["ranks"], 9)

    def test_name_both_cells_of_a_comparison(self):
        row = self.results.comparisons("response_time").iloc[0]
        self.assertEqual((row["first"], row["second"], row["difference"]), ("fcfs, ρ = 0.7", "", -0.52))

    def test_are_cited_with_what_identifies_them(self):
        for bibtex in (False, True):
            text = self.results.cite(bibtex)
            self.assertIn(self.results.attributes["payload_hash"][:16], text)
            self.assertIn("0.1.0", text)

    def test_of_several_files_have_the_files_name(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(PATH, f"{folder}/a.h5")
            shutil.copy(PATH, f"{folder}/b.h5")
            with schedfarm.open_many([f"{folder}/a.h5", f"{folder}/b.h5"]) as many:
                self.assertEqual(list(many.estimates("response_time")["file"]), ["a.h5", "b.h5"])
                self.assertEqual(list(many.comparisons()["first"]), ["fcfs, ρ = 0.7"] * 2)
                self.assertEqual(many["b.h5"].name, "Table 1")
                self.assertEqual(list(many.select(utilization=0.7).table("cells")["cell"]), [0, 0])


class Hashes(unittest.TestCase):
    def test_of_the_payload_is_the_programs(self):
        with schedfarm.open(PATH) as results:
            self.assertEqual(results.payload_hash(), results.attributes["payload_hash"])

    def test_of_the_payload_notices_one_bit(self):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(PATH, folder)
            with h5py.File(path, "r+") as file:
                rows = file["replications"][:]
                rows["response_time.mean"].view("<u8")[2] ^= np.uint64(1) << np.uint64(40)
                file["replications"][:] = rows
            with schedfarm.open(path) as results:
                self.assertNotEqual(results.payload_hash(), results.attributes["payload_hash"])

    def test_of_the_payload_leaves_out_notes_of_users(self):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(PATH, folder)
            with schedfarm.open(path) as results:
                before = results.check()
            with h5py.File(path, "a") as file:
                file.require_group("notes/figures").attrs["why"] = "a first try"
            with schedfarm.open(path) as results:
                self.assertEqual(results.check(), before)
                self.assertEqual(results.payload_hash(), results.attributes["payload_hash"])
            with h5py.File(path, "a") as file:
                file.require_group("remarks")
            with schedfarm.open(path) as results:
                self.assertIn("'remarks' is not in the schema", "".join(results.check()))

    def test_of_a_schedule_is_that_of_its_replication(self):
        with schedfarm.open(PATH) as results:
            rows = results.replications()
            row = rows[(rows["cell"] == 1) & (rows["replication"] == 1)]
            self.assertEqual(results.fingerprint(1, 1), row["fingerprint"].iloc[0])


def with_tables(folder, **tables):
    """A copy of the example with other rows in some tables."""
    path = shutil.copy(PATH, folder)
    with h5py.File(path, "r+") as file:
        for name, rows in tables.items():
            attributes = dict(file[name].attrs)
            del file[name]
            file[name] = rows
            file[name].attrs.update(attributes)
    return path


class ThreeFactors(unittest.TestCase):
    """Eight cells of three factors with two levels each, in no order of the alphabet; cell c has the mean c."""

    FACTORS = {"policy": ("sjf", "fcfs"), "load.utilization": ("0.6", "0.3"), "workload.request": ("total", "any")}

    def setUp(self):
        with h5py.File(PATH) as file:
            dtypes = {name: file[name].dtype for name in ("cells", "factors", "estimates")}
        cells, factors, estimates = (np.zeros(n, dtypes[name]) for n, name in ((8, "cells"), (24, "factors"), (8, "estimates")))
        for cell in range(8):
            cells[cell]["cell"] = estimates[cell]["cell"] = estimates[cell]["mean"] = cell
            cells[cell]["confidence"], cells[cell]["interval"] = 0.95, b"student_t"
            estimates[cell]["lower"] = cell - 0.5
            estimates[cell]["metric"] = b"response_time.mean"
            for place, (factor, levels) in enumerate(self.FACTORS.items()):
                label = levels[cell >> (2 - place) & 1]
                row = factors[3 * cell + place]
                row["cell"], row["factor"], row["label"] = cell, factor.encode(), label.encode()
                row["number"] = float(label) if factor == "load.utilization" else math.nan
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = schedfarm.open(with_tables(folder.name, cells=cells, factors=factors, estimates=estimates))
        self.addCleanup(self.results.close)

    def test_are_columns_in_the_order_of_the_campaign(self):
        rows = self.results.estimates(metric="response_time")
        self.assertEqual(list(rows["policy"].cat.categories), ["sjf", "fcfs"])
        self.assertTrue((rows["policy"] < "fcfs").tolist() == [True] * 4 + [False] * 4)
        self.assertEqual(rows["load.utilization"].tolist(), [0.6, 0.6, 0.3, 0.3] * 2)

    def test_select_cells(self):
        for levels, cells in (({"policy": "fcfs"}, [4, 5, 6, 7]), ({"utilization": 0.3, "request": "any"}, [3, 7]),
                              ({"utilization": slice(0.5, 0.8), "policy": ["sjf"]}, [0, 1]),
                              ({"load__utilization": slice(None, 0.3)}, [2, 3, 6, 7]), ({"policy": slice("fcfs", None)}, [4, 5, 6, 7])):
            self.assertEqual(self.results.select(**levels).cells["cell"].tolist(), cells, levels)
            self.assertEqual(self.results.estimates("response_time", **levels)["mean"].tolist(), cells, levels)
        self.assertEqual(self.results.select(policy="sjf").select(request="any").cells["cell"].tolist(), [1, 3])
        self.assertEqual(self.results.cell(policy="fcfs", utilization=0.3, request="total"), 6)

    def test_that_leave_several_cells_are_refused_with_what_to_add(self):
        with self.assertRaisesRegex(RequestError, "2 cells.*They differ in workload.request: give it too"):
            self.results.cell(policy="fcfs", utilization=0.3)
        with self.assertRaisesRegex(RequestError, "no level 'easy'. Levels of policy: sjf, fcfs"):
            self.results.select(policy="easy")
        with self.assertRaisesRegex(RequestError, "no cell has "):
            self.results.select(policy="sjf").cell(policy="fcfs")

    def test_stand_beside_each_other_in_rows(self):
        table = self.results.pivot("response_time", rows=["utilization", "request"], columns="policy")
        self.assertEqual(table.index.tolist(), [(0.6, "total"), (0.6, "any"), (0.3, "total"), (0.3, "any")])
        self.assertEqual(table.columns.tolist(), ["sjf", "fcfs"])
        self.assertEqual(table.to_numpy().tolist(), [[0, 4], [1, 5], [2, 6], [3, 7]])

    def test_stand_beside_each_other_in_columns(self):
        table = self.results.pivot("response_time", rows="utilization", columns=["policy", "request"])
        self.assertEqual(table.columns.names, ["policy", "workload.request"])
        self.assertEqual(table.loc[0.3].tolist(), [2, 3, 6, 7])
        self.assertEqual(table["fcfs", "any"].tolist(), [5, 7])

    def test_have_several_values(self):
        table = self.results.pivot("response_time", ["policy", "utilization"], ["request"], values=["mean", "lower"])
        self.assertEqual(table["lower"].to_numpy().tolist(), [[-0.5, 0.5], [1.5, 2.5], [3.5, 4.5], [5.5, 6.5]])
        self.assertEqual(table["mean"].to_numpy().tolist(), [[0, 1], [2, 3], [4, 5], [6, 7]])

    def test_that_do_not_tell_cells_apart_are_no_rows_and_columns(self):
        with self.assertRaisesRegex(RequestError, r"several cells .* differ in: workload.request. .*'workload.request'\]"):
            self.results.pivot("response_time", rows="utilization", columns="policy")
        with self.assertRaisesRegex(RequestError, "a factor stands twice in rows and columns"):
            self.results.pivot("response_time", rows=["utilization", "policy"], columns=["policy", "request"])

    def test_and_what_is_no_name_is_refused(self):
        with self.assertRaisesRegex(RequestError, "is not one metric"):
            self.results.pivot(["response_time"], rows="utilization", columns="policy")
        with self.assertRaisesRegex(RequestError, "an empty list names nothing"):
            self.results.pivot("response_time", rows=[], columns="policy")
        with self.assertRaisesRegex(RequestError, "no value 'men'. Estimates have: .*mean"):
            self.results.pivot("response_time", ["utilization", "policy"], "request", values="men")
        with self.assertRaisesRegex(RequestError, "no factor 'polcy'. The file has: policy, "):
            self.results.pivot("response_time", ["utilization", "polcy"], "request")
        with self.assertRaisesRegex(RequestError, "no metric 'respons'. The file has: response_time.mean"):
            self.results.estimates("respons")
        with self.assertRaisesRegex(RequestError, "no table 'estimate'. The file has: cells, "):
            self.results.table("estimate")
        with self.assertRaisesRegex(RequestError, "no column 'cell'. Their columns: "):
            self.results.table("farm", factors=True)

    def test_are_had_by_name(self):
        self.assertTrue(self.results["estimates"].equals(self.results.table("estimates")))
        self.assertEqual(list(self.results), self.results.table_names)
        self.assertTrue("estimates" in self.results and "estimate" not in self.results)
        with self.assertRaisesRegex(RequestError, "no table 'estimate'. The file has: cells, "):
            self.results["estimate"]

    def test_are_dimensions(self):
        try:
            import xarray  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(schedfarm.MissingPackage, "^this needs the Python package xarray .*python3-xarray.$"):
                self.results.to_xarray()
            return
        data = self.results.to_xarray()
        self.assertEqual(dict(data.sizes), {"policy": 2, "load_utilization": 2, "workload_request": 2})
        self.assertEqual(data["response_time.mean.mean"].values.ravel().tolist(), list(range(8)))
        self.assertEqual(data["response_time.mean.mean"].attrs["units"], "time units")
        self.assertEqual(float(data["response_time.mean.lower"].sel(policy="fcfs", load_utilization=0.3, workload_request="any")), 6.5)


class JobLogs(unittest.TestCase):
    """The example's log, of replication 1 of cell 1: three jobs on four processors."""

    def setUp(self):
        self.results = schedfarm.open(PATH)
        self.addCleanup(self.results.close)

    def test_are_listed_and_read(self):
        self.assertEqual(self.results.logged(), [(1, 1)])
        log = self.results.jobs(1, 1)
        self.assertEqual(list(log["start"]), [0, 4, 4])
        self.assertEqual(list(log["processors"]), [2, 3, 4])
        self.assertTrue(math.isnan(log["submit"][2]))
        self.assertEqual(list(log["job_number"]), [100, 101, 103])
        self.assertEqual(list(log["offered"].notna()), [False, True, False])
        with self.assertRaisesRegex(RequestError, r"no log of replication 0 of cell 1. .*: \(1, 1\)"):
            self.results.jobs(1, 0)

    def test_are_joined_with_their_processors(self):
        held = self.results.jobs(1, 1).merge(self.results.processors(1, 1), on="job")
        self.assertEqual(list(held["first"]), [0, 2, 0, 0])
        self.assertEqual(sum(held["last"] - held["first"] + 1), 2 + 3 + 4)


class Sketches(unittest.TestCase):
    """The example's ten jobs: a zero, three in bucket 1, six in bucket 38; growth g = 1.01 / 0.99."""

    def setUp(self):
        self.results = schedfarm.open(PATH)
        self.addCleanup(self.results.close)

    def quantile(self, p):
        return self.results.quantile(p, "response_time", utilization=0.7)

    def test_give_the_quantiles_of_their_jobs(self):
        self.assertEqual(self.quantile(0), 0)
        self.assertEqual(self.quantile(0.1), 0)
        self.assertAlmostEqual(self.quantile(0.11), 1.01)  # the second of ten: 2 g / (g + 1) = 1.01
        self.assertAlmostEqual(self.quantile(0.4), 1.01)
        self.assertAlmostEqual(self.quantile(0.41), 0.99 * (1.01 / 0.99) ** 38)  # the fifth
        self.assertAlmostEqual(self.quantile(1), 0.99 * (1.01 / 0.99) ** 38)

    def test_agree_with_the_table_of_quantiles(self):
        rows = self.results.table("quantiles")
        for row in rows[rows["cell"] == 0].itertuples():
            self.assertAlmostEqual(self.quantile(row.probability), row.value, places=6)

    def test_give_the_share_of_jobs_up_to_every_bound(self):
        share = self.results.ecdf("response_time", utilization=0.7)["share"].tolist()
        np.testing.assert_allclose(share, [0.1, 0.4, 1])

    def test_lie_within_one_percent_of_every_value_of_their_bucket(self):
        for row in self.results.table("sketches").itertuples():
            for end in (row.lower, row.upper):
                self.assertLessEqual(abs(_sketch.bucket_value(row.lower, row.upper) - end), 0.0100001 * end)

    def test_that_are_not_there_are_refused(self):
        with self.assertRaisesRegex(RequestError, "no sketch of 'slowdown'"):
            self.results.quantile(0.5, "slowdown", utilization=0.7)
        with self.assertRaisesRegex(RequestError, "no probability"):
            self.quantile(95)


class ForeignFiles(unittest.TestCase):
    def test_are_refused(self):
        with tempfile.NamedTemporaryFile(suffix=".h5") as file:
            with self.assertRaisesRegex(FileError, "HDF5 cannot open it"):
                schedfarm.open(file.name)
            h5py.File(file.name, "w").close()
            with self.assertRaisesRegex(FileError, "not a result file"):
                schedfarm.open(file.name)
            with h5py.File(file.name, "w") as other:
                other.attrs["filetype"] = "schedfarm results"
                other.attrs["schema_version"] = "2.0"
            with self.assertRaisesRegex(FileError, "schema version 2.0"):
                schedfarm.open(file.name)
            os.truncate(file.name, 1000)
            with self.assertRaisesRegex(FileError, "damaged or cut short"):
                schedfarm.open(file.name)
        with self.assertRaisesRegex(FileNotFoundError, "there is no such file"):
            schedfarm.open(file.name)

    def test_and_closed_ones_say_so(self):
        with schedfarm.open(PATH) as results:
            pass
        with self.assertRaisesRegex(FileError, "the file is closed"):
            results.estimates()


if __name__ == "__main__":
    unittest.main()
