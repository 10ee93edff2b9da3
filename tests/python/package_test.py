#!/usr/bin/env python3
"""usage: package_test.py ROOT EXAMPLE_FILE

The package as a whole: mypy --strict finds nothing, the version is the program's, a file of a million replications opens
in little memory, and only judges make intervals.
"""
import ast
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

import schedfarm

ROOT, EXAMPLE = pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)

# Who looks at replications again, for campaigns, seeds and questions of one's own; all others show intervals that the file has.
JUDGES = {
    "_claims.py": "claims and quantities",
    "_certificate/seeds.py": "what every seed of a certificate found",
    "whatif/_change.py": "a difference from today's waits",
    "whatif/_differences.py": "all differences of a question together",
    "whatif/_calibration.py": "whether simulated waits are those of the log",
}
OF_INTERVALS = {"_intervals", "scipy", "statsmodels", "NormalDist", "erf", "erfc", "lgamma", "ppf", "inv_cdf", "t_two_sided", "jackknife", "sem"}
OPENS = """\
import re, sys
import schedfarm
results = schedfarm.open(sys.argv[1])
# Of this program alone: ru_maxrss begins with what the process that started it had.
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read()).group(1)) / 1024)
text = repr(results)
"""


def names_of(tree):
    """Of what is imported, defined, and called or read as a part of something; a module by each of its parts."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for text in [getattr(node, "module", None) or "", *(one.name for one in node.names)]:
                yield from text.split(".")
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.FunctionDef):
            yield node.name


class Package(unittest.TestCase):
    @unittest.skipUnless(shutil.which("mypy", path="/usr/bin"), "mypy is not installed")
    def test_is_typed(self):
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run(["/usr/bin/mypy", "--strict", "--cache-dir", cache], cwd=ROOT / "python",
                                  capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue((ROOT / "python/src/schedfarm/py.typed").exists())

    def test_has_the_version_of_the_program(self):
        text = (ROOT / "CMakeLists.txt").read_text()
        self.assertEqual(schedfarm.__version__, re.search(r"project\(schedfarm VERSION (\S+)", text).group(1))

    def test_is_imported_by_the_tools_under_names_that_it_has(self):
        written = [path for path in sorted((ROOT / "tools").rglob("*")) if path.suffix in {".py", ".sh"}]
        imports = [(path, module, name.split(" as ")[0].strip()) for path in written
                   for module, names in re.findall(r"from (schedfarm[.\w]*) import ([^#\n]+)", path.read_text()) for name in names.split(",")]
        self.assertGreater(len(imports), 5)
        for path, module, name in imports:
            with self.subTest(file=path.name, module=module, name=name):
                exec(f"from {module} import {name}", {})

    def test_makes_no_interval_but_in_its_judges(self):
        package = ROOT / "python/src/schedfarm"
        names = {str(path.relative_to(package)): set(names_of(ast.parse(path.read_text()))) for path in package.rglob("*.py")}
        self.assertGreater(len(names), 50)
        self.assertEqual({name for name, own in names.items() if own & OF_INTERVALS} - {"_intervals.py"}, set(JUDGES))

    def test_begins_without_pandas(self):
        """Most commands need no frame, and pandas takes longer than all else of them."""
        code = ("import sys, schedfarm.results, schedfarm.report; assert 'pandas' not in sys.modules; "
                "schedfarm.results.pd.Index([]); assert 'pandas' in sys.modules")
        subprocess.run([sys.executable, "-c", code], check=True)

    def test_opens_a_million_replications_without_reading_them(self):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(EXAMPLE, folder)
            with h5py.File(path, "r+") as file:
                table = file["replications"]
                attributes, dtype = dict(table.attrs), table.dtype
                del file["replications"]
                file.create_dataset("replications", data=np.zeros(10**6, dtype), chunks=1024, compression="gzip")
                file["replications"].attrs.update(attributes)
            done = subprocess.run([sys.executable, "-c", OPENS, path], capture_output=True, text=True, check=True)
        self.assertLessEqual(float(done.stdout), 100)  # MiB; the rows alone are more


if __name__ == "__main__":
    unittest.main()
