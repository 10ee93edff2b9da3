#!/usr/bin/env python3
"""The package's reader of expressions agrees with the program's on one table of cases (tests/engine/foundation/expressions.txt).

usage: expressions_test.py SOURCE
"""
import pathlib
import sys
import unittest

from schedfarm._expressions import Expression

CASES = pathlib.Path(sys.argv.pop(1)) / "tests/engine/foundation/expressions.txt"
NUMBERS = {"load.utilization": 0.5, "a[1]{b=c, d=e}": 8.0}


def outcome(text):
    try:
        expression = Expression(text)
    except ValueError:
        return "error"
    return f"{float(expression(NUMBERS.__getitem__)):.15g}"


class Expressions(unittest.TestCase):
    def test_give_what_the_table_of_cases_says(self):
        cases = [line.split(" => ") for line in CASES.read_text().splitlines() if not line.startswith("#") and " => " in line]
        self.assertEqual(len(cases), 45)
        for text, result in cases:
            self.assertEqual((text, outcome(text)), (text, result.split(" at ")[0]))

    def test_are_not_nested_too_deep(self):
        for text in ("(" * 5000, "-" * 5000 + "1"):
            self.assertEqual(outcome(text), "error")


if __name__ == "__main__":
    unittest.main()
