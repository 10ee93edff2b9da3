#!/usr/bin/env python3
"""usage: doctest_test.py ROOT

The examples in the docstrings of the package print what stands below them, with the campaign of the how-to on figures.
"""
import doctest
import importlib
import os
import pathlib
import pkgutil
import re
import subprocess
import sys
import tempfile
import unittest

import matplotlib

import schedfarm

matplotlib.use("Agg")
ROOT = pathlib.Path(sys.argv.pop(1))
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


class Docstrings(unittest.TestCase):
    def test_examples_print_what_stands_below_them(self):
        how_to = (ROOT / "docs/how-to/draw-figures.md").read_text(encoding="utf-8")
        campaign = re.search(r"^```yaml\n(.*?)^```$", how_to, re.MULTILINE | re.DOTALL).group(1)
        names = [module.name for module in pkgutil.walk_packages(schedfarm.__path__, "schedfarm.") if "__main__" not in module.name]
        examples = 0
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            pathlib.Path("first.yaml").write_text(campaign, encoding="utf-8")
            subprocess.run([os.environ["SCHEDFARM_PROGRAM"], "run", "first.yaml", "-w", "0"], check=True, capture_output=True)
            for name in ["schedfarm", *names]:
                with schedfarm.open("first.h5") as first:
                    done = doctest.testmod(importlib.import_module(name), extraglobs={"schedfarm": schedfarm, "first": first},
                                           optionflags=FLAGS)
                self.assertEqual(done.failed, 0, name)
                examples += done.attempted
            os.chdir(ROOT)
        self.assertGreater(examples, 25)


if __name__ == "__main__":
    unittest.main()
