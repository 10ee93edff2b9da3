#!/usr/bin/env python3
"""The judge of certificates over tables made by hand: what counts as right, in every seed, and what follows from how often it was."""
import math
import sys
import types
import unittest

import numpy as np

from schedfarm import _certificate
from schedfarm._certificate import Certificate
from schedfarm._certificate import seeds as _seeds
from schedfarm._certificate import text as _certificate_text
from schedfarm._certificate.seeds import Row
from schedfarm._reading.schema import COLUMNS
from schedfarm.errors import RequestError

KINDS = {"u": np.uint64, "i": np.int64, "f": np.float64, "S": "S60"}
METRIC = "response_time.mean"


class Made:
    """A result file of some tables; columns that are not given are 0, or empty."""

    def __init__(self, **tables):
        self.path = "made.h5"
        self.attributes = {"campaign_name": "made", "ranks": 3, "plan_hash": "00", "program_version": "0", "git_revision": "0123456789abcdef",
                           "git_dirty": "0", "compiler": "GNU", "finished": "2026-01-01T00:00:00Z", "seed": "1"}
        self.tables = {"timings": [], **tables}

    def has(self, name):
        return name in self.tables

    def length(self, name):
        return len(self.tables[name])

    def records(self, name):
        own = self.tables[name]
        columns = [(part.split(":")[0], KINDS[part.split(":")[1]]) for part in COLUMNS[name].split()]
        known = {column for column, _ in columns}
        columns += [(column, np.float64) for column in dict.fromkeys(key for row in own for key in row) if column not in known]
        records = np.zeros(len(own), columns)
        for i, row in enumerate(own):
            for column, value in row.items():
                records[i][column] = value
        return records


def made(seeds, levels=("a",), seed_first=False, status="fixed", **tables):
    """A campaign of these seeds and levels of another factor; `tables`: rows of every (seed, level), with the number of the cell."""
    grid = [(seed, level) for seed in range(seeds) for level in levels]
    if not seed_first:
        grid.sort(key=lambda cell: (levels.index(cell[1]), cell[0]))
    factors = [{"cell": cell, "factor": factor, "label": str(label)} for cell, (seed, level) in enumerate(grid)
               for factor, label in (("seed", seed), ("level", level))]
    rows = {name: [{"cell": cell, **row} for cell, (seed, level) in enumerate(grid) for row in rows_of(seed, level)]
            for name, rows_of in tables.items()}
    cells = [{"cell": cell, "status": status(seed) if callable(status) else status, "replications_used": 10, "confidence": 0.95}
             for cell, (seed, _) in enumerate(grid)]
    return Made(cells=cells, factors=factors, certificates=[], **rows)


def judged(file, row):
    return Certificate_of(file, [row]).judge()[0]


def Certificate_of(file, rows):
    file.tables["certificates"] = [{
        **{name: value for name, value in vars(row).items() if name not in ("words", "procedure")}, "is": "; ".join(row.words),
        "procedure": "; ".join(row.procedure)} for row in rows]
    return Certificate(file)


def covering(times):
    """Intervals that contain 5 in the first seeds, so many of them."""
    return lambda seed, _level: [{"metric": METRIC, "mean": 5.5, "lower": 4.0 if seed < times else 5.2, "upper": 6.0}]


class Judging(unittest.TestCase):
    def test_a_row_holds_where_its_band_is_within_three_standard_errors(self):
        for times in (0, 1, 60, 73, 74, 75, 76, 95, 99, 100):
            for expect in ("inside", "outside"):
                own = judged(made(100, estimates=covering(times)), Row(0, metric=METRIC, truth=5.0, low=0.86, high=0.88, expect=expect))
                share = times / 100
                error = max(math.sqrt(share * (1 - share) / 100), 0.01)
                holds = share + 3 * error >= 0.86 and share - 3 * error <= 0.88
                self.assertEqual((own.found, own.judged), (share, 100))
                self.assertAlmostEqual(own.error, error)
                self.assertEqual(own.is_right, holds == (expect == "inside"), times)
                self.assertEqual(own.word, {("inside", True): "holds", ("inside", False): "fails", ("outside", True): "holds but should not",
                                            ("outside", False): "fails as it should"}[expect, holds])

    def test_a_row_that_would_hardly_find_a_coverage_of_90_percent_is_not_judged(self):
        for seeds, word in ((400, "too few seeds"), (4000, "holds")):
            file = made(seeds, estimates=covering(seeds))
            certificate = Certificate_of(file, [Row(0, metric=METRIC, truth=5.0, low=0.93, high=1.0)])
            verdicts = certificate.judge()
            self.assertEqual((verdicts[0].word, verdicts[0].is_right), (word, True))
            self.assertEqual(_certificate_text.closing(verdicts), "Nothing is judged: 1 row with too few seeds to find a coverage of 0.9" if seeds == 400
                             else "1 of 1 rows are as they should be")

    def test_power_is_the_binomial_probability_of_what_lies_outside(self):
        row = Row(0, low=0.93, high=0.97)
        for n, coverage in ((20, 0.9), (200, 0.9), (300, 0.99)):
            fails = [k for k in range(n + 1) if _certificate.excludes(row, k / n, _certificate.share_error(k / n, n))]
            exact = sum(math.comb(n, k) * coverage**k * (1 - coverage) ** (n - k) for k in fails)
            self.assertAlmostEqual(_certificate.power(row, n, coverage), exact, 9)
        self.assertGreater(_certificate.power(row, 4000, 0.9), 0.999)

    def test_seeds_that_do_not_end_as_planned_are_counted_apart(self):
        row = Row(0, metric=METRIC, truth=5.0)
        for bad, word, right in ((0, "holds", True), (2, "holds", True), (3, "too few ended as planned", False),
                                 (19, "not judged", False), (20, "not judged", False)):
            file = made(20, estimates=covering(20), status=lambda seed, bad=bad: "not_met_cap" if seed < bad else "met")
            own = judged(file, row)
            self.assertEqual((own.judged, own.word, own.is_right), (20 - bad, word, right))
        own = judged(file, Row(0, metric=METRIC, truth=5.0, judged=0.0))
        self.assertEqual((own.word, own.is_right), ("gives no number", True))
        self.assertIn("20 of 20 seeds are counted apart: 20 not_met_cap.", _certificate_text.text(Certificate_of(file, [row]), [own], "text"))

    def test_a_missing_row_or_number_is_an_end(self):
        def rows(seed, _level):
            return [] if seed == 0 else [{"metric": METRIC, "mean": math.nan if seed == 1 else 5, "lower": 4, "upper": 6}]
        own = judged(made(20, estimates=rows), Row(0, metric=METRIC, truth=5.0))
        self.assertEqual(own.measured.ends.tolist(), ["no row", "no number"] + [""] * 18)
        self.assertEqual(own.word, "holds")

    def test_one_seed_is_not_judged(self):
        self.assertEqual(judged(made(1, estimates=covering(1)), Row(0, metric=METRIC, truth=5.0)).word, "not judged")

    def test_a_row_is_about_its_cell_in_every_seed(self):
        for seed_first in (True, False):
            file = made(10, ("a", "b"), seed_first, estimates=lambda seed, level: [
                {"metric": METRIC, "mean": 5, "lower": 4 if level == "b" and seed < 7 else 5.5, "upper": 6}])
            cell = 1 if seed_first else 10
            certificate = Certificate_of(file, [Row(cell, metric=METRIC, truth=5.0)])
            self.assertEqual((certificate.judge()[0].found, certificate.name(certificate.rows[0])), (0.7, "b"))

    def test_an_interval_without_an_end_is_no_interval_that_covers(self):
        file = made(10, quantiles=lambda seed, _level: [{"metric": METRIC, "probability": 0.99, "value": 5, "lower": 4 if seed != 3 else 6,
                                                         "upper": 7 if seed < 4 else math.inf}])
        verdict = judged(file, Row(0, table="quantiles", truth=5.0, judged=0.0))
        self.assertEqual((verdict.judged, verdict.found, sorted(set(verdict.measured.ends))), (4, 0.75, ["", "without an end"]))
        self.assertEqual(judged(file, Row(0, table="quantiles", truth=5.0)).word, "too few ended as planned")

    def test_a_row_about_all_cells_stands_once_and_needs_all(self):
        rows = [{"first_cell": 0}]
        file = made(4, ("a", "b", "c"), True, comparisons=lambda seed, level: rows)
        file.tables["comparisons"] = [{"first_cell": 3 * seed + level, "second_cell": 3 * seed + 2, "lower": -1,
                                       "upper": 1 if (seed, level) != (2, 0) else -0.5, "verdict": "not decided" if seed or level else "first smaller"}
                                      for seed in range(4) for level in range(2)]
        intervals = [Row(cell, table="comparisons", scope="campaign", truth=0.0) for cell in range(3)]
        words = Row(0, "decision", "comparisons", "campaign", column="verdict", words=("not decided", "second smaller"))
        certificate = Certificate_of(file, [*intervals, words])
        self.assertEqual([own.found for own in certificate.judge()], [0.75, 0.75])
        self.assertEqual((certificate.name(certificate.rows[0]), certificate.rows[0].cell), ("comparisons", 0))

    def test_decisions_are_by_words_or_by_a_least_number(self):
        file = made(4, comparisons=lambda seed, _level: [])
        file.tables["comparisons"] = [{"first_cell": seed, "p_value": p} for seed, p in enumerate((0.04, 0.05, 0.5, math.nan))]
        own = judged(file, Row(0, "decision", "comparisons", column="p_value", at_least=0.05))
        self.assertEqual((own.found, own.measured.covers.tolist()), (0.5, [False, True, True, False]))

    def test_conditions_choose_rows_and_unknown_columns_are_refused(self):
        file = made(4, quantiles=lambda seed, _level: [{"metric": METRIC, "probability": p, "value": 5, "lower": 4, "upper": 5 + p - 0.5}
                                                       for p in (0.5, 0.99)])
        self.assertEqual(judged(file, Row(0, table="quantiles", where="probability=0.99", truth=5.3)).found, 1)
        self.assertEqual(judged(file, Row(0, table="quantiles", where="probability=0.50", truth=5.3)).found, 0)
        for row in (Row(0, table="quantiles", where="chance=0.5", truth=5.0), Row(0, "decision", "quantiles", column="verdict", words=("x",))):
            with self.assertRaisesRegex(RequestError, "which has none"):
                judged(file, row)

    def test_claims_are_judged_within_each_seed(self):
        file = made(3, ("a", "b"), False, estimates=covering(3))
        certificate = Certificate_of(file, [
            Row(0, "decision", "claims", "campaign", "claim=x", column="verdict", words=("holds", "undecided")),
            Row(0, table="claim_values", scope="campaign", where="claim=x", truth=2.0)])
        verdicts = {(0, 3): "holds", (1, 4): "undecided", (2, 5): "does not hold"}  # by the cells that stand for 0 and 3
        certificate.seeds._claims = types.SimpleNamespace(
            claims=lambda cells: [{"claim": "x", "verdict": verdicts[cells[0], cells[3]]}, {"claim": "y", "verdict": "holds"}],
            claim_values=lambda cells: [{"claim": "x", "value": 2.0, "lower": 1.5 + 0.4 * cells[0], "upper": 3.0}])
        self.assertEqual([own.found for own in certificate.judge()], [2 / 3, 2 / 3])

    def test_own_rows_are_exact_values_that_are_measured(self):
        file = made(10, estimates=covering(10), known_values=lambda seed, _level: [
            {"metric": METRIC, "label": "exact from empty", "value": 0, "is_exact": 1},
            {"metric": METRIC, "label": "exact", "value": 9, "is_exact": 1, "source": "a"},
            {"metric": METRIC, "label": "exact from empty", "value": 5, "is_exact": 1, "source": "b"},
            {"metric": "other", "label": "exact", "value": 5, "is_exact": 1}, {"metric": METRIC, "label": "rough", "value": 5}])
        del file.tables["certificates"]
        rows = Certificate(file).rows
        self.assertEqual([(row.metric, row.truth, row.source, round(row.low, 9), round(row.high, 9)) for row in rows], [(METRIC, 5, "b", 0.93, 0.97)])
        file.tables["known_values"] = []
        with self.assertRaisesRegex(RequestError, "nothing to certify"):
            Certificate(file)


class Replications(unittest.TestCase):
    # Two workers: worker 0 runs 0 to 4, worker 1 runs 1 to 1, 2 to 3, 3 to 4, worker 0 then 4 to 13, worker 1 then 5 to 5. The first
    # six of seven to finish: 1, 2, 0, 3, 5, 6.
    DURATIONS = (4.0, 1.0, 2.0, 1.0, 9.0, 1.0, 7.0)

    def file(self, shift=0.0, seeds=3):
        return made(seeds, replications=lambda seed, _level: [{"replication": i, METRIC: value} for i, value in enumerate(self.DURATIONS)],
                    estimates=lambda seed, _level: [{"metric": METRIC, "mean": _seeds.running_mean(np.array(self.DURATIONS)) + shift}],
                    timings=lambda seed, _level: [{"replication": i, "began": 10 - i, "seconds": 0.5, "run": 1} for i in range(7)])

    def test_the_first_to_finish_leave_out_the_long_ones_under_way(self):
        own = judged(self.file(), Row(0, "first_finished", metric=METRIC, truth=2.0, virtual_workers=2))
        self.assertAlmostEqual(own.found, (16 / 6 - 2) / 2)
        self.assertEqual(own.measured.used.tolist(), [6, 6, 6])
        own = judged(self.file(), Row(0, "first_finished", metric=METRIC, truth=2.0))  # the last of 7 begin first; 2 ranks work
        self.assertAlmostEqual(own.found, (sum(self.DURATIONS[1:]) / 6 - 2) / 2)

    def test_an_estimate_is_the_mean_of_the_first_by_index_to_the_bit(self):
        row = Row(0, "ordered_prefix", metric=METRIC, truth=25 / 7, low=-0.1, high=0.1)
        own = judged(self.file(), row)
        self.assertEqual((own.is_right, own.measured.differing), (True, 0))
        self.assertIn("in 3 of 3 seeds replications finished in another order", own.measured.note)
        own = judged(self.file(1e-15), row)
        self.assertEqual((own.is_right, own.measured.differing), (False, 3))

    def test_every_look_must_contain_the_truth(self):
        generator = np.random.default_rng(1)
        samples = generator.normal(5, 1, (40, 200))
        samples[0, :20] += 3  # far away at the first look, and near at the end
        file = made(40, replications=lambda seed, _level: [{"replication": i, METRIC: value} for i, value in enumerate(samples[seed])],
                    estimates=lambda seed, _level: [{"metric": METRIC, "mean": 5}])
        covers = judged(file, Row(0, "every_look", metric=METRIC, truth=5.0, first_look=20)).measured.covers
        self.assertEqual(covers.tolist(), [False] + [True] * 39)
        covers = judged(file, Row(0, "every_look", metric=METRIC, truth=5.0, first_look=200)).measured.covers
        self.assertTrue(covers.all())


class Printing(unittest.TestCase):
    def test_every_format_says_what_was_found(self):
        certificate = Certificate_of(made(100, estimates=covering(95)), [
            Row(0, metric=METRIC, truth=5.0, source="M/M/1", low=0.93, high=0.97, procedure=("engine/a.cpp",)),
            Row(0, metric=METRIC, truth=5.0, low=0.5, high=0.6, expect="outside"),
            Row(0, "bias", metric=METRIC, truth=5.0, low=-1.0, high=1.0)])
        certificate.seeds.records("estimates")["mean"][:50] += 1
        verdicts = certificate.judge()
        text, markdown, csv = (_certificate_text.text(certificate, verdicts, format) for format in ("text", "markdown", "csv"))
        self.assertIn("2 of 2 rows are as they should be; 1 with too few seeds.", text)
        self.assertIn("| 0.2000 ± 0.0101 | 0.043 | holds |", markdown)  # 4.28 standard errors
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertIn("| a | response_time.mean 5 | M/M/1 | [0.93, 0.97] | 100 of 100 | 10 | 0.194 | 0.9500 ± 0.0218 |", markdown)
        self.assertIn("### Negative controls: made", markdown)
        self.assertRegex(markdown, r"`made.yaml`, 100 seeds from 0, plan `00`, .*revision 0123456789ab, GNU. Procedure: `engine/a.cpp`\.")
        self.assertEqual(len(csv.splitlines()), 4)
        self.assertTrue(all(part in csv for part in ("0.9500 ± 0.0218", "fails as it should")))


if __name__ == "__main__":
    sys.exit(unittest.main())
