#!/usr/bin/env python3
"""usage: python_reader_test.py MODULE_FOLDER RESULT_FILE

Reads the example results with h5py and pandas alone, and with the module; recomputes the payload hash.
"""
import math
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv[1])

import h5py
import numpy as np
import pandas as pd
import schedfarm_results

PATH = sys.argv[2]

SINCE_VERSION_1_1 = {
    "selections", "controlled_estimates", "stability", "search_steps", "quantiles", "sketches", "warm_up",
    "warm_up_checks",
}
SINCE_VERSION_1_3 = {"utilization_series", "users"}
SINCE_VERSION_1_4 = {"quantities", "claims", "claim_values"}


SINCE_VERSION_1_5 = {"job_classes"}


def tables_of(version):
    tables = set(schedfarm_results.TABLES) - (SINCE_VERSION_1_5 if version < "1.5" else set())
    tables -= SINCE_VERSION_1_4 if version < "1.4" else set()
    tables -= SINCE_VERSION_1_3 if version < "1.3" else set()
    return tables - SINCE_VERSION_1_1 if version == "1.0" else tables


class EveryTable(unittest.TestCase):
    def test_is_read_by_h5py_and_pandas_without_help(self):
        with h5py.File(PATH) as file:
            names = set(file) - {"jobs", "processors"}
            self.assertEqual(names, tables_of(file.attrs["schema_version"]))
            for name in names:
                frame = pd.DataFrame(file[name][:])
                self.assertEqual(list(frame.columns), list(file[name].attrs["columns"]))
                self.assertGreater(len(frame), 0)
                for attribute in ("units", "meanings", "hashed"):
                    self.assertEqual(len(file[name].attrs[attribute]), len(frame.columns))

    def test_is_an_attribute_of_the_module_with_decoded_texts(self):
        results = schedfarm_results.open_results(PATH)
        self.assertEqual(set(results.table_names()), tables_of(results.attributes["schema_version"]))
        for name in results.table_names():
            frame = getattr(results, name)
            for column in frame.columns:
                self.assertFalse(any(isinstance(value, bytes) for value in frame[column]))


class Values(unittest.TestCase):
    def setUp(self):
        self.results = schedfarm_results.open_results(PATH)

    def test_survive(self):
        self.assertEqual(self.results.cells["label"][0], "fcfs, ρ = 0.7")
        self.assertEqual(self.results.cells["label"][1], "")
        self.assertEqual(self.results.replications["fingerprint"][0], 2**64 - 1)
        response = self.results.replications["response_time.mean"]
        self.assertEqual(math.copysign(1, response[0]), -1)
        self.assertEqual(response[1], math.inf)
        self.assertEqual(response[2], 5e-324)
        self.assertTrue(math.isnan(response[3]))
        self.assertEqual(self.results.reference["note"][0], "first line\nsecond line")

    def test_have_units_and_meanings(self):
        self.assertEqual(self.results.units("replications")["response_time.mean"], "time")
        self.assertIn("confidence interval", self.results.meanings("estimates")["lower"])

    def test_are_joined_with_factors(self):
        frame = self.results.with_factors("estimates")
        self.assertEqual(frame["load.utilization"][0], 0.7)

    def test_are_pivoted(self):
        table = self.results.pivot("response_time.mean", rows="load.utilization", columns="policy")
        self.assertEqual(table.iloc[0, 0], 3.21)
        pd.testing.assert_frame_equal(self.results.pivot("response_time.mean", "utilization", "policy"), table)
        pd.testing.assert_frame_equal(self.results.pivot("response_time", "utilization", "policy"), table)

    def test_are_pivoted_in_the_order_of_the_campaign(self):
        self.results._records["factors"]["label"] = [b"z" if label == b"fcfs" else label for label in
                                                     self.results._records["factors"]["label"]]
        table = self.results.pivot("response_time.mean", rows="policy", columns="load.utilization")
        chosen = self.results.with_factors("estimates").query("metric == 'response_time.mean'")
        # As texts: the cell has no policy, and NaN is not equal to itself.
        self.assertEqual([str(level) for level in table.index], [str(level) for level in dict.fromkeys(chosen["policy"])])

    def test_wrong_names_are_named(self):
        with self.assertRaisesRegex(KeyError, "no metric 'response_tim.mean'. The file has: .*response_time.mean"):
            self.results.pivot("response_tim.mean", rows="utilization", columns="policy")
        with self.assertRaisesRegex(KeyError, "no single factor 'polcy'. The file has: .*policy"):
            self.results.pivot("response_time.mean", rows="utilization", columns="polcy")
        with self.assertRaisesRegex(KeyError, "no table 'estimate'. The file has: cells, "):
            self.results.with_factors("estimate")
        with self.assertRaisesRegex(KeyError, "table 'farm' has no column 'cell'. Its columns: "):
            self.results.with_factors("farm")
        self.results._records["factors"] = self.results._records["factors"][:0]
        with self.assertRaisesRegex(KeyError, "no single factor 'policy'. The file has: none"):
            self.results.pivot("response_time.mean", rows="policy", columns="utilization")

    def test_attributes_are_plain(self):
        self.assertEqual(self.results.attributes["seed"], "2001")
        self.assertEqual(self.results.attributes["ranks"], 9)

    def test_payload_hash_is_that_of_the_program(self):
        self.assertEqual(self.results.payload_hash(), self.results.attributes["payload_hash"])

    def test_payload_hash_notices_one_bit(self):
        bits = self.results._records["replications"]["response_time.mean"].view("<u8")
        before = self.results.payload_hash()
        bits[2] ^= np.uint64(1) << np.uint64(40)
        self.assertNotEqual(self.results.payload_hash(), before)


class ThreeFactors(unittest.TestCase):
    """Eight cells of three factors with two levels each, in no order of the alphabet; cell c has the mean c."""

    FACTORS = {"policy": ("sjf", "fcfs"), "load.utilization": ("0.6", "0.3"), "workload.request": ("total", "any")}

    def setUp(self):
        self.results = schedfarm_results.open_results(PATH)
        records = self.results._records
        factors, estimates = (np.zeros(n, records[name].dtype) for n, name in ((24, "factors"), (8, "estimates")))
        for cell in range(8):
            estimates[cell]["cell"] = estimates[cell]["mean"] = cell
            estimates[cell]["lower"] = cell - 0.5
            estimates[cell]["metric"] = b"m"
            for place, (factor, levels) in enumerate(self.FACTORS.items()):
                label = levels[cell >> (2 - place) & 1]
                row = factors[3 * cell + place]
                row["cell"], row["factor"], row["label"] = cell, factor.encode(), label.encode()
                row["number"] = float(label) if factor == "load.utilization" else math.nan
        records["factors"], records["estimates"] = factors, estimates

    def test_stand_beside_each_other_in_rows(self):
        table = self.results.pivot("m", rows=["utilization", "request"], columns="policy")
        self.assertEqual(table.index.tolist(), [(0.6, "total"), (0.6, "any"), (0.3, "total"), (0.3, "any")])
        self.assertEqual(table.columns.tolist(), ["sjf", "fcfs"])
        self.assertEqual(table.to_numpy().tolist(), [[0, 4], [1, 5], [2, 6], [3, 7]])

    def test_stand_beside_each_other_in_columns(self):
        table = self.results.pivot("m", rows="utilization", columns=["policy", "request"])
        self.assertEqual(table.columns.names, ["policy", "workload.request"])
        self.assertEqual(table.loc[0.3].tolist(), [2, 3, 6, 7])
        self.assertEqual(table["fcfs", "any"].tolist(), [5, 7])

    def test_have_several_values(self):
        table = self.results.pivot("m", ["policy", "utilization"], ["request"], values=["mean", "lower"])
        self.assertEqual(table["lower"].to_numpy().tolist(), [[-0.5, 0.5], [1.5, 2.5], [3.5, 4.5], [5.5, 6.5]])
        self.assertEqual(table["mean"].to_numpy().tolist(), [[0, 1], [2, 3], [4, 5], [6, 7]])

    def test_that_do_not_tell_cells_apart_are_refused(self):
        with self.assertRaisesRegex(ValueError, r"several cells .* differ in: workload.request. .*'workload.request'\]"):
            self.results.pivot("m", rows="utilization", columns="policy")
        with self.assertRaisesRegex(ValueError, "a factor stands twice in rows and columns"):
            self.results.pivot("m", rows=["utilization", "policy"], columns=["policy", "request"])

    def test_and_what_is_no_name(self):
        with self.assertRaisesRegex(ValueError, "is not one metric"):
            self.results.pivot(["m"], rows="utilization", columns="policy")
        with self.assertRaisesRegex(ValueError, "an empty list names nothing"):
            self.results.pivot("m", rows=[], columns="policy")
        with self.assertRaisesRegex(KeyError, "no value 'men'. Estimates have: .*mean"):
            self.results.pivot("m", ["utilization", "policy"], "request", values="men")
        with self.assertRaisesRegex(KeyError, "no single factor 'polcy'"):
            self.results.pivot("m", ["utilization", "polcy"], "request")


class JobLogs(unittest.TestCase):
    """The example's log, of replication 1 of cell 1: three jobs on four processors."""

    def setUp(self):
        self.results = schedfarm_results.open_results(PATH)
        if not self.results.job_logs():
            self.assertLess(self.results.attributes["schema_version"], "1.3")
            self.skipTest("no logs before version 1.3")

    def test_are_listed_and_read(self):
        self.assertEqual(self.results.job_logs(), [(1, 1)])
        log = self.results.job_log(1, 1)
        self.assertEqual(list(log["start"]), [0, 4, 4])
        self.assertEqual(list(log["processors"]), [2, 3, 4])
        self.assertTrue(math.isnan(log["submit"][2]))
        if self.results.attributes["schema_version"] >= "1.6":
            self.assertEqual(list(log["job_number"]), [100, 101, 103])
        with self.assertRaisesRegex(KeyError, "no log of replication 0 of cell 1"):
            self.results.job_log(1, 0)

    def test_are_joined_with_their_processors(self):
        held = self.results.job_log(1, 1).merge(self.results.processors(1, 1), on="job")
        self.assertEqual(list(held["first"]), [0, 2, 0, 0])
        self.assertEqual(sum(held["last"] - held["first"] + 1), 2 + 3 + 4)

    def test_have_the_fingerprint_of_their_replication(self):
        replications = self.results.replications
        row = replications[(replications["cell"] == 1) & (replications["replication"] == 1)]
        self.assertEqual(self.results.job_log_fingerprint(1, 1), row["fingerprint"].iloc[0])


class PooledQuantiles(unittest.TestCase):
    """The example's ten jobs: a zero, three in bucket 1, six in bucket 38; growth g = 1.01 / 0.99."""

    def setUp(self):
        self.results = schedfarm_results.open_results(PATH)
        if self.results.attributes["schema_version"] == "1.0":
            self.skipTest("version 1.0 has no sketches")

    def quantile(self, p):
        return self.results.pooled_quantile(0, "response_time", p)

    def test_are_those_of_the_sketched_jobs(self):
        self.assertEqual(self.quantile(0), 0)
        self.assertAlmostEqual(self.quantile(1 / 9), 1.01)  # job 1 of 0..9: 2 g / (g + 1) = 1.01
        self.assertAlmostEqual(self.quantile(0.43), 1.01)  # floor(3.87): job 3
        self.assertAlmostEqual(self.quantile(0.45), 0.99 * (1.01 / 0.99) ** 38)  # job 4
        self.assertAlmostEqual(self.quantile(1), 0.99 * (1.01 / 0.99) ** 38)

    def test_agree_with_the_table_of_quantiles(self):
        for row in self.results.quantiles.itertuples():
            value = self.results.pooled_quantile(row.cell, row.metric, row.probability)
            self.assertAlmostEqual(value, row.value, places=6)

    def test_lie_within_one_percent_of_every_value_of_their_bucket(self):
        for row in self.results.sketches.itertuples():
            middle = schedfarm_results._bucket_value(row.bucket)
            for end in (row.lower, row.upper):
                self.assertLessEqual(abs(middle - end), 0.0100001 * end)

    def test_of_what_was_not_sketched_are_refused(self):
        with self.assertRaisesRegex(KeyError, "no sketch of 'slowdown'"):
            self.results.pooled_quantile(0, "slowdown", 0.5)
        with self.assertRaisesRegex(ValueError, "no probability"):
            self.quantile(95)


class ForeignFiles(unittest.TestCase):
    def test_are_refused(self):
        with tempfile.NamedTemporaryFile(suffix=".h5") as file:
            h5py.File(file.name, "w").close()
            with self.assertRaisesRegex(ValueError, "not a result file"):
                schedfarm_results.open_results(file.name)
            with h5py.File(file.name, "w") as other:
                other.attrs["filetype"] = "schedfarm results"
                other.attrs["schema_version"] = "2.0"
            with self.assertRaisesRegex(ValueError, "schema version 2.0"):
                schedfarm_results.open_results(file.name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
