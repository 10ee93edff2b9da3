#!/usr/bin/env python3
"""Breaks the statistics of the Python package in one place after the other, and says which test sees it.

usage: mutants.py [--markdown]

Works on a copy of the package. A mutant that no test kills is a hole in the tests: exit code 1. Takes some three minutes.
The result is docs/results/mutants.md (`--markdown`).
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLAIMS, CERTIFICATE = "claims_test.py", "certificate_test.py"
# What is wrong, file of the package, what stands there, what is put in its place, the test that must see it.
MUTANTS = [
    ("claims take Student's t", "_claims.py", 'method = methods.pop() if len(methods) == 1 else "skew_adjusted"', 'method = "student_t"', CLAIMS),
    ("no Bonferroni over places", "_claims.py", "own = 1 - (1 - confidence) / divisor", "own = confidence", CLAIMS),
    ("places by their own skewness alone", "_claims.py", "self.estimate._replace(skewness=common)", "self.estimate", CLAIMS),
    ("no place is too skewed", "_claims.py", "_MOST_SKEW = 0.3", "_MOST_SKEW = math.inf", CLAIMS),
    ("a conjunction is off by one place", "_claims.py", "others = len(places) - needed + 1", "others = len(places) - needed + 2", CLAIMS),
    ("the mean of a ratio is the mean of ratios", "_claims.py", "ratio = sums.sum() / counts.sum()", "ratio = np.nanmean(sums / counts)", CLAIMS),
    ("one degree of freedom too many", "_intervals.py", "return Estimate(n, of_all, error, skewness(-left_out), n - 1)",
     "return Estimate(n, of_all, error, skewness(-left_out), n)", CLAIMS),
    ("the jackknife divides by n", "_intervals.py", "math.sqrt((n - 1) / n *", "math.sqrt(1 / n *", CLAIMS),
    ("skewness with the wrong sign", "_intervals.py", "return pivot(t), -pivot(-t)", "return -pivot(-t), pivot(t)", CLAIMS),
    ("intervals of logs shrink with the draws", "_intervals.py", "factor = math.sqrt(of_draws.n * (variance_ratio", "factor = math.sqrt((variance_ratio", CLAIMS),
    ("an interval without an end covers", "_seeds.py", "endless = np.unique(seeds[np.isinf(upper - lower)])", "endless = seeds[:0]", CERTIFICATE),
    ("seeds without a row count", "_seeds.py", 'measured.ends[~is_there & (measured.ends == "")] = "no row"', "pass", CERTIFICATE),
    ("any of several intervals may miss", "_seeds.py", "np.logical_and.at(measured.covers, seeds, covers)", "np.logical_or.at(measured.covers, seeds, covers)",
     CERTIFICATE),
    ("a row holds within no standard error", "_certificate.py", "CERTAINTY = 3", "CERTAINTY = 0", CERTIFICATE),
    ("a row that sees nothing holds", "_certificate.py", "power(row, result.judged, TOO_LOW) < 0.5", "False", CERTIFICATE),
    ("a negative control may hold", "_certificate.py", "bool(excludes(row, result.found, result.error)) == is_negative", "True", CERTIFICATE),
]


def is_killed(package, test):
    environment = os.environ | {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(ROOT / "tests/python" / test)]
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode != 0


def main(is_markdown):
    alive = []
    lines = ["| what is wrong | file | seen by |", "|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder) / "schedfarm"
        shutil.copytree(ROOT / "python/src/schedfarm", package)
        for test in (CLAIMS, CERTIFICATE):
            if is_killed(package, test):
                sys.exit(f"mutants.py: {test} fails without a mutant")
        for what, name, right, wrong, test in MUTANTS:
            text = (package / name).read_text(encoding="utf-8")
            if text.count(right) != 1:
                sys.exit(f"mutants.py: {name} has '{right}' {text.count(right)} times, not once")
            (package / name).write_text(text.replace(right, wrong), encoding="utf-8")
            seen = is_killed(package, test)
            (package / name).write_text(text, encoding="utf-8")
            alive += [] if seen else [what]
            lines.append(f"| {what} | `{name}` | {f'`{test}`' if seen else 'none'} |")
    if is_markdown:
        print("# Mutants of the statistics\n\nMade by `tools/mutants.py --markdown`: the Python package is broken in one place after the other, and a test "
              f"must see it. {len(MUTANTS) - len(alive)} of {len(MUTANTS)} are seen.\n")
    print("\n".join(lines))
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main("--markdown" in sys.argv[1:]))
