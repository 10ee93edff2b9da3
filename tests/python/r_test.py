#!/usr/bin/env python3
"""usage: r_test.py ROOT EXAMPLE_FILE

What `schedfarm.R` reads is what the package reads: every table to the last bit, fingerprints from 2^63 on, the columns of factors.
Skipped where there is no R with hdf5r.
"""
import csv
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import pandas as pd

import small_campaigns as small
import schedfarm

ROOT, EXAMPLE = pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)
SOURCE = str(ROOT / "r" / "schedfarm.R")

WRITES = """\
words <- commandArgs(TRUE)
source(words[1])
write_rows <- function(rows, name) {
    for (column in names(rows)) if (is.numeric(rows[[column]])) rows[[column]] <- sprintf("%.17g", rows[[column]])
    write.csv(rows, file.path(words[3], paste0(name, ".csv")), row.names = FALSE, na = "", fileEncoding = "UTF-8")
}
if (schedfarm_attributes(words[2])$campaign_name != "four policies") {
    for (name in schedfarm_tables(words[2])) write_rows(schedfarm_table(words[2], name), name)
} else {
    write_rows(schedfarm_estimates(words[2]), "means")
    write_rows(schedfarm_table(words[2], "cells", factors = TRUE), "cells_of_factors")
    write_rows(schedfarm_table(words[2], "jobs/0/0"), "jobs")
    write_rows(data.frame(level = levels(schedfarm_factors(words[2])$policy)), "levels")
    write_rows(data.frame(hash = schedfarm_attributes(words[2])$payload_hash), "hash")
    write_rows(schedfarm_columns(words[2], "replications"), "columns")
}
for (wrong in list(quote(schedfarm_table(words[2], "nothing")), quote(schedfarm_estimates(words[2], "nothing")),
                   quote(schedfarm_table("nothing.h5", "cells")), quote(schedfarm_table(words[1], "cells"))))
    cat(tryCatch({ eval(wrong); "read" }, error = conditionMessage), "\\n")
"""


def has_hdf5r():
    try:
        return subprocess.run(["Rscript", "-e", "library(hdf5r)"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


class R(unittest.TestCase):
    def read(self, path, folder):
        script = pathlib.Path(folder, "writes.R")
        script.write_text(WRITES)
        done = subprocess.run(["Rscript", str(script), SOURCE, path, folder], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        tables = {}
        for file in pathlib.Path(folder).glob("*.csv"):
            with file.open(encoding="utf-8", newline="") as lines:
                heads, *rows = csv.reader(lines)
            tables[file.stem] = pd.DataFrame(rows, columns=heads)
        return tables, done.stdout

    def expect_equal(self, read, rows, name):
        self.assertEqual(list(read), list(rows), name)
        self.assertEqual(len(read), len(rows), name)
        for column in rows:
            if pd.api.types.is_numeric_dtype(rows[column]):
                numbers = [float(text or "nan") for text in read[column]]
                np.testing.assert_array_equal(numbers, rows[column].to_numpy(dtype=float), f"{name}.{column}")
            else:
                self.assertEqual(list(read[column]), [str(text) for text in rows[column]], f"{name}.{column}")

    def test_reads_what_the_package_reads(self):
        with tempfile.TemporaryDirectory() as folder, schedfarm.open(EXAMPLE) as results:
            tables, _ = self.read(EXAMPLE, folder)
            judged = set(results.table_names) - set(tables)  # by the package, from what the file has
            self.assertEqual(judged, {"quantities", "claims", "claim_values"})
            for name in set(results.table_names) - judged:
                self.expect_equal(tables[name], results.table(name), name)
            self.assertIn("f" * 16, set(tables["replications"]["fingerprint"]))

    def test_joins_factors_in_the_order_of_the_campaign(self):
        results = small.results("policies")
        with tempfile.TemporaryDirectory() as folder:
            tables, messages = self.read(small.path("policies"), folder)
        self.expect_equal(tables["means"], results.estimates(), "estimates")
        self.expect_equal(tables["cells_of_factors"], results.table("cells", factors=True), "cells")
        self.expect_equal(tables["jobs"], results.jobs(0), "jobs")
        self.assertEqual(list(tables["levels"]["level"]), results.factors.levels("policy"))
        self.assertEqual(tables["hash"]["hash"][0], results.attributes["payload_hash"])
        self.assertEqual(list(tables["columns"]["unit"]), [column.unit for column in results.columns("replications")])
        for words in ("there is no table 'nothing'", "no estimate of 'nothing'", "there is no such file", "HDF5"):
            self.assertIn(words, messages)
        self.assertNotIn("read \n", messages)

    def test_of_the_how_to_runs(self):
        text = (ROOT / "docs/how-to/read-results-in-python.md").read_text(encoding="utf-8")
        block, = re.findall(r"^```r\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(SOURCE, folder)
            shutil.copy(small.path("policies"), pathlib.Path(folder, "first.h5"))
            done = subprocess.run(["Rscript", "-e", block], cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    if not has_hdf5r():
        print("skipped: no R with hdf5r. Install r-cran-hdf5r.")
        sys.exit(77)
    unittest.main()
