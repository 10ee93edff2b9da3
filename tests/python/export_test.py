#!/usr/bin/env python3
"""usage: export_test.py EXAMPLE_FILE

What other tools read of exports is what stands in the tables. Formats whose library is missing are skipped; without one the call
says what it needs.
"""
import importlib.util
import os
import sys
import tempfile
import unittest

import numpy as np
import pandas as pd

import small_campaigns as small
import schedfarm
from schedfarm import _export

EXAMPLE = sys.argv.pop(1)


def has(*libraries):
    return any(importlib.util.find_spec(library) is not None for library in libraries)


class Exports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_write_every_table(self):
        with schedfarm.open(EXAMPLE) as results:
            files = results.export(self.folder)
            self.assertEqual({os.path.basename(file) for file in files},
                             {f"{name}.csv" for name in results.table_names} | {"jobs_1_1.csv", "processors_1_1.csv"})
            rows = pd.read_csv(f"{self.folder}/estimates.csv")
            self.assertEqual(rows["mean"].tolist(), results.estimates()["mean"].tolist())
            self.assertEqual(pd.read_csv(f"{self.folder}/replications.csv", dtype={"fingerprint": str})["fingerprint"].tolist(),
                             results.replications()["fingerprint"].tolist())
            with self.assertRaisesRegex(schedfarm.RequestError, "no format 'xls'. Formats: csv, parquet, netcdf"):
                results.export(self.folder, format="xls")

    def test_as_csv_hold_texts_that_are_no_formulas(self):
        rows = pd.DataFrame({"name": ["=1+2", "a", None], "number": [-3.5, 4.25, -0.5], "+kind": pd.Categorical(["@x", "-6", "@x"])})
        text = _export.frame_csv(rows)
        self.assertEqual(text, "name,number,'+kind\n'=1+2,-3.5,'@x\na,4.25,-6\n,-0.5,'@x\n")
        self.assertEqual(rows["name"][0], "=1+2")

    @unittest.skipUnless(has("pyarrow"), "pyarrow is not installed")
    def test_as_parquet_are_the_tables(self):
        with schedfarm.open(EXAMPLE) as results:
            files = results.export(self.folder, format="parquet")
            self.assertEqual(len(files), len(results.table_names) + 2)
            for name in results.table_names:
                rows = results.table(name)
                rows = results.with_factors(rows) if "cell" in rows and name != "factors" else rows
                pd.testing.assert_frame_equal(pd.read_parquet(f"{self.folder}/{name}.parquet"), rows, check_index_type=False)

    @unittest.skipIf(has("pyarrow"), "pyarrow is installed")
    def test_as_parquet_say_what_they_need(self):
        with schedfarm.open(EXAMPLE) as results, self.assertRaisesRegex(schedfarm.MissingPackage, "Python package pyarrow"):
            results.export(self.folder, format="parquet")

    @unittest.skipUnless(has("xarray") and has("netCDF4", "scipy"), "xarray and netCDF4 are not installed")
    def test_as_netcdf_are_the_estimates_by_factors(self):
        import xarray
        results = small.results("policies")
        file, = results.export(self.folder, format="netcdf")
        with xarray.open_dataset(file) as data:
            self.assertEqual(dict(data.sizes), {"policy": 3, "load_utilization": 4})
            self.assertEqual(list(data["policy"].values), results.factors.levels("policy"))
            self.assertEqual(data.attrs["payload_hash"], results.attributes["payload_hash"])
            means = data["response_time.mean.mean"]
            self.assertEqual(means.attrs["units"], "time units")
            table = results.pivot("response_time", rows="policy", columns="utilization").reindex(columns=data["load_utilization"].values)
            np.testing.assert_array_equal(means.values, table.to_numpy())

    @unittest.skipIf(has("netCDF4", "scipy") or not has("xarray"), "netCDF4 is installed")
    def test_as_netcdf_say_what_they_need(self):
        with self.assertRaisesRegex(schedfarm.MissingPackage, "netCDF4 or scipy"):
            small.results("policies").export(self.folder, format="netcdf")


if __name__ == "__main__":
    unittest.main()
