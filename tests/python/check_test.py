#!/usr/bin/env python3
"""`schedfarm check`: every rule of SCHEMA.md, broken once in an otherwise good file, is one line that says where.

usage: check_test.py EXAMPLE.h5
"""
import dataclasses
import math
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import unittest
import unittest.mock

import h5py
import numpy as np

from schedfarm import FileError
from schedfarm._checks import bits, check, logs
from schedfarm._reading import contract, stored

EXAMPLE = sys.argv.pop(1)
NAN = math.nan
# Table, column, row, value → what is said beside the payload's hash.
ROWS = [
    ("cells", "replications_used", 0, 4, ["cells row 0: replications_used is 4, but 'replications' has 3"]),
    ("cells", "replications_computed", 0, 2, ["cells row 0: fewer replications computed (2) than used (3)"]),
    ("cells", "status", 1, b"done", ["cells.status row 1: 'done' is none of its words"]),
    ("replications", "replication", 0, 2, ["replications: rows 0 and 1 are in the wrong order"]),
    ("replications", "replication", 1, 0, ["replications: rows 0 and 1 are of the same key"]),
    ("replications", "replication", 2, 3, ["replications row 2: cell 0 has a hole before replication 3"]),
    ("factors", "cell", -1, 7, ["factors row 1: cell 7 is not in 'cells'"]),
    ("estimates", "cell", -1, 7, ["estimates row 0: cell 7 is not in 'cells'"]),
    ("comparisons", "second_cell", 0, 2, ["comparisons row 0: cell 2 is not in 'cells'"]),
    ("estimates", "mean", 0, 4, ["estimates row 0: mean 4 lies outside its interval [3.186, 3.234]"]),
    ("estimates", "mean", 0, NAN, []),
    ("estimates", "confidence", 0, 1, ["estimates row 0: confidence 1 is not between 0 and 1"]),
    ("estimates", "n", 0, 4, ["estimates row 0: rests on 4 replications, but cell 0 has 3"]),
    ("saturation", "n", 0, 3, ["saturation row 0: rests on 3 replications, but cell 1 has 2"]),
    ("saturation", "lower", 0, 0.9, ["saturation row 0: rho_max 0.7069 lies outside its interval [0.9, 0.7076]"]),
    ("known_values", "is_exact", 0, 2, ["known_values row 0: is_exact is 2, not 0 or 1"]),
    ("comparisons", "second_cell", 0, 0, ["comparisons row 0: cell 0 is compared with itself"]),
    ("comparisons", "n", 0, 3, ["comparisons row 0: rests on 3 replications, but cell 1 has 2"]),
    ("comparisons", "adjusted_p", 0, 1e-10, ["comparisons row 0: adjusted_p 1e-10 is below p_value 1e-09"]),
    ("comparisons", "p_value", 0, -0.1, ["comparisons row 0: p_value -0.1 is not between 0 and 1"]),
    ("comparisons", "e_value", 0, -2, ["comparisons row 0: e_value -2 is below 0"]),
    ("comparisons", "p_value", 0, 0, ["comparisons row 0: p_value 0 is not above 0"]),
    ("comparisons", "verdict", 0, b"not decided", ["comparisons row 0: verdict 'not decided' does not follow from [-0.542, -0.498]"]),
    ("comparisons", "width_reduction_upper", 0, 2.3, ["comparisons row 0: width_reduction 2.4 lies outside its interval [2.1, 2.3]"]),
    ("comparisons", "width_reduction", 0, NAN, []),
    ("comparisons", "upper", 0, 0, ["comparisons row 0: verdict 'first smaller' does not follow from [-0.542, 0]"]),  # 0 decides nothing
    ("selections", "standing", 1, b"leading", ["selections row 1: group 'load.utilization=0.6' has two cells ahead"]),
    ("selections", "indifference", 1, 0, ["selections row 1: indifference 0 is not positive"]),
    ("selections", "n", 0, 4, ["selections row 0: rests on 4 replications, but cell 0 has 3"]),
    ("controlled_estimates", "mean", 0, 3.3, ["controlled_estimates row 0: mean 3.3 lies outside its interval [3.194, 3.226]"]),
    ("controlled_estimates", "r_squared", 0, 1.5, ["controlled_estimates row 0: r_squared 1.5 is above 1"]),
    ("controlled_estimates", "loss_factor", 0, 0.9, ["controlled_estimates row 0: loss_factor 0.9 is below 1"]),
    ("stability", "verdict", 1, b"stable", ["stability row 1: the queue passed its limit, but is 'stable'"]),
    ("stability", "overflow_time", 1, NAN, ["stability row 1: overflow_time nan does not agree with overflow_replication 1"]),
    ("stability", "overflow_replication", 1, 2, ["stability row 1: overflow_replication 2 is not one of cell 1"]),
    ("stability", "half_ratio", 0, 2, ["stability row 0: half_ratio 2 lies outside its interval [0.97, 1.06]"]),
    ("stability", "growth", 0, 2, ["stability row 0: growth 2 lies outside its interval [-0.002, 0.003]"]),
    ("placements", "fraction", 0, 0.9, ["placements row 0: fraction 0.9 is not 0.9902390720045268"]),
    ("saturation", "rho_max", 0, 0.707, ["placements row 0: rho_max 0.7069 is not that of cell 1"]),
    ("placements", "pilot", 0, 0, ["placements row 0: rho_max 0.7069 is not that of cell 0"]),
    ("placements", "pilot", 0, -1, ["placements row 0: pilot -1 by method 'pilot'"]),
    ("placements", "method", 0, b"exact", ["placements row 0: pilot 1 by method 'exact'"]),
    ("placements", "method", 0, b"none", ["placements row 0: rho_max 0.7069 by method 'none'"]),
    ("placements", "upper", 0, 0.7, ["placements row 0: rho_max 0.7069 lies outside its interval [0.7062, 0.7]"]),
    ("search_steps", "step", 1, 2, ["search_steps row 1: is step 2, not step 1"]),
    ("search_steps", "replications", 1, 2, ["search_steps row 1: rests on replication 2, but cell 1 has 2"]),
    ("search_steps", "median", 0, 0.9, ["search_steps row 0: median 0.9 lies outside its interval [0.7, 0.81]"]),
    ("search_steps", "reliability", 0, 1.1, ["search_steps row 0: reliability 1.1 is not between 0 and 1"]),
    ("search_steps", "side", 0, b"left", ["search_steps.side row 0: 'left' is none of its words"]),
    ("quantiles", "probability", 1, 0.25, ["quantiles row 1: probability 0.25 does not follow 0.25"]),
    ("quantiles", "probability", 1, 50, ["quantiles row 1: probability 50 is not between 0 and 1"]),
    ("quantiles", "value", 0, 1.2, ["quantiles row 0: value 1.2 lies outside its interval [0.91, 1.11]"]),
    ("quantiles", "jobs", 1, 11, ["quantiles row 1: rests on 11 jobs, the row before on 10", "quantiles row 1: rests on 11 jobs, but the sketch has 10"]),
    ("sketches", "bucket", 2, 1, ["sketches row 2: bucket 1 does not follow 1"]),
    ("sketches", "lower", 2, 2.2, ["sketches row 2: bucket 38 begins above its end"]),
    ("sketches", "upper", 1, 2.2, ["sketches row 2: bucket 38 does not follow 1"]),
    ("warm_up", "first_job", 1, 99, ["warm_up row 1: begins at job 99, inside the part before"]),
    ("warm_up", "jobs", 1, 0, ["warm_up row 1: the part has no jobs"]),
    ("warm_up_checks", "mser_cut", 0, 4001,
     ["warm_up_checks row 0: verdict 'long enough' does not follow from a cut of 4001 and a warm-up of 4000 jobs"]),
    ("warm_up_checks", "verdict", 0, b"not settled", []),
    ("warm_up_checks", "mser_cut", 0, 4000, []),
    ("utilization_series", "begin", 1, 150, ["utilization_series row 1: the part does not follow the one before"]),
    ("utilization_series", "begin", 1, 250, ["utilization_series row 1: the part does not follow the one before"]),
    ("utilization_series", "gross_utilization", 0, 1.01, ["utilization_series row 0: gross_utilization 1.01 is not between 0 and 1"]),
    ("utilization_series", "gross_utilization", 0, -0.1, ["utilization_series row 0: gross_utilization -0.1 is not between 0 and 1"]),
    ("users", "jobs", 1, 3, ["users row 1: 4 users with 3 jobs"]),
    ("logged_waits", "by", 0, b"queue", ["logged_waits row 0: the group of all jobs is not the first of its cell"]),
    ("logged_waits", "jobs", 1, 211, ["logged_waits row 1: 211 jobs of 210"]),
    ("logged_waits", "within", 0, 1.5, ["logged_waits row 0: within 1.5 is not between 0 and 1"]),
    ("logged_waits", "rank_agreement", 1, -1.5, ["logged_waits row 1: rank_agreement -1.5 is not between -1 and 1"]),
    ("job_classes", "class", 1, 2, ["job_classes row 1: a class before class 2 lacks a name"]),
    ("job_classes", "name", 1, b"", ["job_classes row 1: the class has no name"]),
    ("job_classes", "name", 1, b"interactive", ["job_classes row 1: 'interactive' is the name of class 0 of this cell already"]),
    ("quantity_expressions", "expression", 0, b"share", ["quantity_expressions row 0: 'share': 'share' is not observed"]),
    ("quantity_expressions", "expression", 0, b"1 +", ["quantity_expressions row 0: '1 +': expected a number, a path or '('"]),
    ("claim_texts", "claim", 1, b"huge", ["claim_texts row 1: claim 'huge' has no place", "claim_places row 2: 'large' is not in 'claim_texts'"]),
    ("claim_texts", "high", 0, NAN, ["claim_texts row 0: no value is between nan and nan"]),
    ("claim_texts", "low", 0, 3, ["claim_texts row 0: no value is between 3 and 2"]),
    ("claim_texts", "confidence", 1, 1, ["claim_texts row 1: confidence 1 is not between 0 and 1"]),
    ("claim_texts", "needs", 1, b"all", ["claim_texts.needs row 1: 'all' is none of its words"]),
    ("claim_places", "expression", 0, b"share{cell=2}", ["claim_places row 0: 'share{cell=2}': 'share{cell=2}' is no quantity of a cell"]),
    ("claim_places", "expression", 1, b"(", ["claim_places row 1: '(': expected a number, a path or '('"]),
    # Rank 1 in run 1: [0.5, 0.52] and [0.52, 0.77]; in run 2: [0.125, 0.375].
    ("timings", "began", 1, 0.51, ["timings row 1: begins 0.51 s after its run began, but rank 1 is busy with row 0 until 0.52"]),
    ("timings", "began", 1, 0.519999, []),
    ("timings", "began", 2, 0.5, []),
    ("timings", "run", 3, 2, ["timings row 3: it has a run without a begin, or a begin without a run"]),
]
TEXTS = [
    ("campaign", "campaign_format: 1 ..", ["attribute 'campaign_hash' is not the SHA-256 of the campaign's text"]),
    ("plan_hash", "8f14e45f", ["attribute 'plan_hash' is not a SHA-256"]),
    ("git_dirty", "2", ["attribute 'git_dirty' is not 0 or 1"]),
    ("seed", "-1", ["attribute 'seed' is not a number"]),
    ("started", "2026-03-01 08:00:00Z", ["attribute 'started' is not a moment in ISO 8601"]),
    ("host", "a\nb", ["attribute 'host' is not one line without control characters"]),
    ("host", "node018", []),
    ("color", "red", ["attribute 'color' is not in the schema"]),
    ("program_version", np.float64(1.5), ["attribute 'program_version' is float64, not text"]),
    ("ranks", np.int32(3), ["attribute 'ranks' is neither text, int64 nor float64", "attribute 'ranks' is missing"]),
]


def without_hash(problems):
    return [line for line in problems if not line.startswith("payload_hash is ")]


class Check(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = str(pathlib.Path(self.folder.name) / "results.h5")

    def problems(self, change):
        shutil.copy(EXAMPLE, self.path)
        with h5py.File(self.path, "r+") as file:
            change(file)
        return without_hash(check.problems(self.path))

    def test_the_example_is_good(self):
        self.assertEqual(self.problems(lambda file: None), [])

    def test_rows_that_break_a_rule_are_found(self):
        file = stored.read(EXAMPLE)
        for table, column, row, value, lines in ROWS:
            own = file.tables[table]
            kinds = [(name, "S40" if own.records.dtype[name].kind == "S" else own.records.dtype[name]) for name in own.records.dtype.names]
            rows = own.records.astype(kinds)
            rows[column][row] = value
            file.tables[table] = dataclasses.replace(own, records=rows)
            with self.subTest(table=table, column=column, value=value):
                self.assertEqual(without_hash(check.problems_of(file)), lines)
            file.tables[table] = own

    def test_texts_beside_the_tables_are_held_to_what_they_must_be(self):
        for name, value, lines in TEXTS:
            def change(file):
                if name in file.attrs:
                    del file.attrs[name]
                file.attrs[name] = value
            with self.subTest(name=name, value=value):
                self.assertEqual(self.problems(change), lines)

    def test_what_is_missing_or_too_much_is_found(self):
        def without(name):
            def change(file):
                del file[name]
            return change

        def without_attribute(name):
            def change(file):
                del file["farm"].attrs[name]
            return change

        self.assertEqual(self.problems(lambda file: file.create_group("remarks")), ["'remarks' is not in the schema"])
        self.assertEqual(self.problems(lambda file: file.create_group("notes")), [])
        self.assertEqual(self.problems(without("farm")), ["table 'farm' is missing"])
        self.assertEqual(self.problems(without("claim_texts")), [f"claim_places row {row}: '{claim}' is not in 'claim_texts'"
                                                                 for row, claim in enumerate(("small", "small", "large"))])
        self.assertEqual(self.problems(lambda file: file.attrs.__delitem__("payload_hash")), ["attribute 'payload_hash' is missing"])
        self.assertEqual(self.problems(without_attribute("units"))[0], "farm.rank: unit '' is not '1'")
        self.assertTrue(self.problems(without_attribute("meanings"))[0].startswith("farm.rank: meaning '' is not"))
        self.assertEqual(self.problems(without_attribute("meaning")), ["farm: meaning is ''"])
        self.assertEqual(self.problems(without_attribute("columns")), ["farm: the attribute 'columns' does not name the columns"])

    def test_a_pipe_is_refused_and_not_waited_for(self):
        os.mkfifo(self.path)
        signal.alarm(20)
        for read in (check.problems, lambda path: bits.compared(EXAMPLE, path, "bitwise", ""), lambda path: bits.compared(path, EXAMPLE, "overlap", "")):
            with self.assertRaisesRegex(FileError, "it is not a regular file"):
                read(self.path)
        signal.alarm(0)

    def test_without_its_page_the_package_says_what_is_missing(self):
        with unittest.mock.patch.object(contract, "_PAGES", (pathlib.Path(self.folder.name) / "SCHEMA.md",)):
            contract.schema.cache_clear()
            self.addCleanup(contract.schema.cache_clear)
            with self.assertRaisesRegex(FileError, "SCHEMA.md: there is no such file .the schema, which comes with the package.. Install"):
                check.problems(EXAMPLE)

    def test_pieces_are_held_against_the_jobs_and_against_one_another(self):
        """Job 0 from 0 to 4 on 0 and 2; job 1 from 4 to 6 on 0-2, and from 7 to 10.5 on 1-3; job 3 comes and goes at 4."""
        file = stored.read(EXAMPLE)
        if (1, 1) not in file.logs:
            self.skipTest("the example has another log")
        jobs = file.log("jobs", 1, 1)
        columns = contract.schema().tables["pieces"].columns
        good = [(0, 0, 0, 4, 0, 0), (0, 0, 0, 4, 2, 2), (1, 0, 4, 6, 0, 2), (1, 1, 7, 10.5, 1, 3), (3, 0, 4, 4, 0, 3)]

        def found(row=None, column=None, value=None, rows=None):
            kinds = [(own.name, "<f8" if own.type == "float64" else "<u8") for own in columns]
            records = np.array(rows or good, kinds)
            if row is not None:
                records[column][row] = value
            return logs._of_processors(jobs, stored.Table("pieces/1/1", "", list(columns), records))
        self.assertEqual(found(), [])
        self.assertEqual(found(3, "last", 4), ["jobs/1/1 row 1: 3 processors, but ranges of 4"])
        self.assertEqual(found(1, "end", 3), ["jobs/1/1 row 0: 2 processors, but ranges of 1"])
        self.assertEqual(found(3, "begin", 5), ["pieces/1/1 row 2: held from 4 to 6, before 5"])
        self.assertEqual(found(3, "end", 10), ["pieces/1/1 row 3: held from 7 to 10, before 10.5"])
        self.assertEqual(found(2, "begin", 6.5), ["pieces/1/1 row 2: held from 6.5 to 6, before 7"])
        self.assertEqual(found(4, "job", 7), ["jobs/1/1 row 2: 4 processors, but ranges of 0"])
        self.assertEqual(found(rows=[*good, (7, 0, 1, 2, 0, 0)]), ["pieces/1/1: ranges of a job that is not there"])
        cut = [*good[:2], (1, 0, 1, 3, 3, 5), (1, 1, 4, 10.5, 1, 3), good[4]]
        self.assertEqual(found(rows=cut), [])
        self.assertEqual(found(2, "first", 2, [*good[:2], (1, 0, 1, 3, 2, 4), *cut[3:]]), ["pieces/1/1 row 2: job 1 gets a processor that another holds"])

    def test_a_changed_value_of_the_payload_is_found_by_its_hash(self):
        shutil.copy(EXAMPLE, self.path)
        with h5py.File(self.path, "r+") as file:
            rows = file["saturation"][:]
            rows["standard_error"][0] += 1e-3
            file["saturation"][:] = rows
        self.assertTrue(check.problems(self.path)[0].startswith("payload_hash is "))


if __name__ == "__main__":
    unittest.main()
