#!/usr/bin/env python3
"""What schema 1 called `queueing_time` is the `wait`: a result file of then, its journal, and the journals of its parts are read, shown,
resumed and merged, and whoever asks by the former name gets what is meant. SCHEDFARM_PROGRAM is the program."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import h5py
import matplotlib

matplotlib.use("Agg")

import schedfarm
from schedfarm import plot
from schedfarm._reading.file import ResultFile

PROGRAM = os.environ["SCHEDFARM_PROGRAM"]
FORMER = pathlib.Path(__file__).resolve().parent / "schema_1"


class SchemaOne(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for file in FORMER.iterdir():
            shutil.copy(file, self.folder)
        self.results = schedfarm.open(self.folder / "results.h5")
        self.addCleanup(self.results.close)

    def said(self, *words, exit_code=0):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, exit_code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_the_sample_is_of_then(self):
        with h5py.File(FORMER / "results.h5") as file:
            self.assertEqual(file.attrs["schema_version"], "1.0")
            self.assertIn("queueing_time.mean", file["replications"].dtype.names)
            self.assertIn("queueing_time", file["users"].dtype.names)

    def test_no_table_has_the_former_word(self):
        for name in self.results.table_names:
            rows = self.results[name]
            self.assertNotIn("queueing", f"{[column for column in self.results.columns(name)]} {rows.to_csv()}", name)
        self.assertIn("wait.mean", self.results.metrics)
        self.assertIn("wait", self.results["users"])
        self.assertEqual(self.results.payload_hash(), self.results.attributes["payload_hash"])

    def test_the_former_name_is_understood(self):
        results = self.results
        for ask in (results.estimates, results.comparisons, results.by_class, results.unit, lambda name: results.quantile(0.5, name, policy="easy"),
                    lambda name: results.estimates(f"{name}.mean / service_time.mean"), lambda name: plot.curve(results, name).get_ylabel()):
            self.assertEqual(str(ask("queueing_time")), str(ask("wait")))
        self.said("plot", "results.h5", "--kind", "ecdf", "--y", "queueing_time", "-o", "ecdf.svg")
        self.said("diff", "results.h5", "results.h5", "--mode", "overlap", "--metric", "queueing_time")

    def test_is_sound_and_changes_are_seen(self):
        self.assertIn("agrees with schema 1.0", self.said("check", "results.h5"))
        self.results.close()
        with h5py.File(self.folder / "results.h5", "a") as file:
            rows = file["replications"][:]
            rows["queueing_time.mean"][0] += 1
            file["replications"][:] = rows
        self.assertIn("payload_hash", self.said("check", "results.h5", exit_code=1))
        self.assertIn("changed after it was written", self.said("report", "--plain", "results.h5", exit_code=1))

    def expect_same_replications(self, *names):
        """What is judged of them may be judged otherwise by now."""
        self.assertEqual(len({self.said("report", name, "--table", "replications") for name in ("results.h5", *names)}), 1)
        for name in names:
            self.said("diff", "results.h5", name, "--mode", "paired")

    def test_is_shown_rebuilt_and_resumed(self):
        for form in ("text", "markdown", "latex", "csv"):
            self.assertIn("wait", self.said("report", "results.h5", "-f", form))
        self.assertIn("mean wait", self.said("report", "--plain", "results.h5"))
        self.assertIn("Same payload", self.said("diff", "results.h5", "results.h5"))
        self.said("rebuild", "results.h5.journal", "-o", "rebuilt.h5")
        self.expect_same_replications("rebuilt.h5")
        self.assertIn("agrees with schema 2.0", self.said("check", "rebuilt.h5"))
        self.said("resume", "results.h5.journal")  # writes it anew
        self.expect_same_replications("rebuilt.h5")
        self.assertEqual(ResultFile(str(self.folder / "results.h5")).attributes["schema_version"], "2.0")

    def test_its_parts_are_merged_with_parts_of_now(self):
        self.said("run", "campaign.yaml", "--cells", "2/2", "-w", "0", "-o", "part2.h5", "--progress", "none")
        self.said("merge", "whole.h5", "part1.h5", "part2.h5")
        self.expect_same_replications("whole.h5")

    def test_the_campaign_is_that_of_one_with_the_current_word(self):
        text = (self.folder / "campaign.yaml").read_text(encoding="utf-8")
        (self.folder / "current.yaml").write_text(text.replace("queueing_time", "wait"), encoding="utf-8")
        self.assertEqual(self.said("plan", "current.yaml", "--format", "yaml"), self.said("plan", "campaign.yaml", "--format", "yaml"))
        self.said("run", "current.yaml", "-w", "0", "-o", "current.h5", "--progress", "none")
        self.expect_same_replications("current.h5")


if __name__ == "__main__":
    unittest.main()
