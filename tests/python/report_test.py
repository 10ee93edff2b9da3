#!/usr/bin/env python3
"""The report of the package: what sections say of made-up tables, how tables look in every format, tables of the file as CSV, and what a
site without numpy is given. Whole reports are golden files (tests/golden). SCHEDFARM_PROGRAM is the program."""
import csv
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

import h5py
import numpy as np

import schedfarm
import small_campaigns as small
from schedfarm import _terminal, _words, page, report
from schedfarm._checks import check
from schedfarm._reading import contract
from schedfarm._reading.file import ResultFile
from schedfarm._terminal import Column, Table
from schedfarm.report import claims, comparisons, evidence, groups, latex, loads, placements, summary, waits, writers
from schedfarm.report.main_table import main_section, main_table
from schedfarm.report.view import is_heavy_tailed

PROGRAM = os.environ["SCHEDFARM_PROGRAM"]
EXAMPLE = sys.argv.pop(1)
NAN = math.nan


class MadeUp(report.View):
    """Cells 0 and 1 are fcfs at 0.6 and 0.9, cells 2 and 3 easy, beside the tables given."""

    def __init__(self, attributes=None, **tables):
        levels = [(policy, load) for policy in ("fcfs", "easy") for load in ("0.6", "0.9")]
        cells = [{"cell": cell, "label": ", ".join(level), "experiment": "open", "policy": level[0], "workload": "w", "clusters": "[32]",
                  "replications_used": 4, "replications_computed": 5, "log_blocks": 0, "status": "fixed", "most_demanding": "",
                  "replication_key": str(cell)} for cell, level in enumerate(levels)]
        factors = [{"cell": cell, "factor": factor, "label": label} for cell, level in enumerate(levels)
                   for factor, label in zip(("policy", "load.utilization"), level)]
        tables = {"cells": cells, "factors": factors, **tables}
        of_times = (attributes or {}).get("time_unit", "time units")
        super().__init__(types.SimpleNamespace(
            attributes={"campaign_name": "made up", **(attributes or {})}, has=tables.__contains__, path="x.h5", shown_unit="",
            unit=lambda metric: of_times if metric.split(".")[0] in ("response_time", "wait") else "1",
            read_in=lambda unit, numbers: _words.time_unit(unit, numbers, self.file.shown_unit)))
        self._rows = {name: tables.get(name, []) for name in report_tables()} | tables


def report_tables():
    return ["cells", "factors", "estimates", "reference", "known_values", "made_metrics", "measured", "quantities", "claims", "claim_values",
            "comparisons", "selections", "stability", "placements", "search_steps", "saturation", "users", "quantiles", "failures",
            "warm_up_checks", "controlled_estimates", "job_classes", "logged_waits"]


def estimate(cell, metric, mean, half, **more):
    return {"cell": cell, "metric": metric, "n": 4, "mean": mean, "lower": mean - half, "upper": mean + half, "confidence": 0.95, "skewness": 0.0,
            **more}


def comparison(first, second, difference, half, verdict, **more):
    return {"group": f"load.utilization={('0.6', '0.9')[first % 2]}", "first_cell": first, "second_cell": second, "metric": "response_time.mean", "n": 12,
            "difference": difference, "lower": difference - half, "upper": difference + half, "confidence": 0.975, "adjusted_p": 0.00004,
            "skewness": 0.5, "width_reduction": 3.0, "width_reduction_lower": 2.0, "width_reduction_upper": 4.4, "verdict": verdict, **more}


def stability(cell, verdict, ratio=1.4, overflow=-1):
    return {"cell": cell, "verdict": verdict, "half_ratio": ratio, "half_ratio_lower": ratio - 0.2, "half_ratio_upper": ratio + 0.2, "start_bias": NAN,
            "start_bias_upper": NAN, "start_bias_allowed": NAN, "overflow_replication": overflow, "overflow_time": 12.5, "overflow_jobs": 77}


class Gate(unittest.TestCase):
    def test_every_number_says_every_no_of_the_gate(self):
        # Of all tables that have the column, whichever they are.
        gated = {table.name: column.words for table in contract.schema().tables.values() for column in table.columns if column.name == "gate"}
        self.assertGreaterEqual(len(gated), 9)
        for table, answers in gated.items():
            texts = {answer: self.text(table, answer) for answer in answers}
            for answer, text in texts.items():
                with self.subTest(table=table, answer=answer):
                    said = " ".join(_words.gate_text(answer, "").split()[-4:]) if answer != "passed" else ""
                    self.assertTrue(said in " ".join(text.split()) and (not said or said not in " ".join(texts["passed"].split())), text)

    def text(self, table, answer):
        """The report of the example with this answer in all rows of a table; of estimates without values of a paper beside them."""
        view = report.View(ResultFile(EXAMPLE))
        view._rows[table] = [{**row, "gate": answer} for row in view.rows(table)]
        view._rows["stability"] = []
        view._rows["saturation"] = [{**row, "method": "drift"} for row in view.rows("saturation")]
        if table in ("estimates", "made_metrics"):
            view._rows["reference"] = []
            view.file.attributes["report_metrics"] = "\n".join(row["metric"] for row in view.rows(table))
        return report._sections_text(view, "text")

    def test_decisions_say_it_where_they_are_said_first(self):
        for table, own in (("comparisons", "difference"), ("selections", "mean"), ("reference", "value")):
            view = report.View(ResultFile(EXAMPLE))
            before = report.answers(view)
            view._rows[table] = [{**row, "gate": "start"} for row in view.rows(table)]
            after = report.answers(view)
            self.assertEqual([text.startswith(first) for text, first in zip(after, before)], [True] * len(before), table)
            self.assertTrue(any(re.search(f"empty start may bias .*{own}", text) for text in after), (table, after))
        view = report.View(ResultFile(EXAMPLE))
        row = {**view.rows("comparisons")[0], "gate": "start"}
        view._rows["comparisons"] = [row, {**row, "metric": "wait.mean", "gate": "passed"}, {**row, "metric": "slowdown.mean"}]
        self.assertEqual([text for text in report.answers(view) if "empty start" in text],
                         ["The empty start may bias 2 of 3 differences by more than a tenth of the interval: give longer replications."])
        view._rows["cells"] = [{**view.cells[0], "status": status} for status in ("met", "met", "met_not_stationary", "not_met_cap", "fixed")]
        self.assertIn("2 of 4 cells are as precise as asked.", report.answers(view))
        with schedfarm.open(EXAMPLE) as results:
            rows, pair = results._file.frame("comparisons"), results.comparisons().iloc[0][["first", "second"]]
            self.assertNotIn("bias", results.compare(*pair))
            rows["gate"] = "start"
            self.assertRegex(results.compare(*pair), r"pairs, .*\)\. The empty start may bias this difference")


class Sections(unittest.TestCase):
    def only(self, sections):
        self.assertEqual(len(sections), 1)
        return sections[0]

    def test_a_report_without_analyses_has_its_table_alone(self):
        rows = [estimate(cell, "response_time.mean", 2 + cell, 0.1) for cell in range(4)] + [estimate(0, "backlog_growth", 0, 1)]
        found = self.only(report.sections(MadeUp(estimates=rows)))
        self.assertEqual([column.heading for column in found.columns], ["policy", "utilization", "mean response time", "n", "status"])
        self.assertEqual(found.rows[1], ["", "0.9", "3.00 ±0.10", "4", "fixed"])
        self.assertEqual(found.notes[0], "±: the longer side of a 95 % confidence interval.")
        self.assertIn("With fewer than 10 replications (4) the", found.warnings[0])

    def test_times_in_seconds_are_read_in_what_the_longest_is_three_of(self):
        """1.5 and 5 hours, differences of 20 minutes, quantiles of 4 and 40 s; the same of a campaign in minutes stay as they are."""
        rows = {"estimates": [estimate(0, "wait.mean", 5400, 600), estimate(1, "wait.mean", 18000, 900)],
                "comparisons": [comparison(0, 2, -1200, 300, "first smaller", metric="wait.mean")],
                "quantiles": [{"cell": cell, "metric": "wait", "probability": 0.5, "value": value, "lower": value - 1, "upper": value + 1, "own_mean": value,
                               "jobs": 100, "confidence": 0.95} for cell, value in ((0, 4.0), (1, 40.0))],
                "users": [{"cell": 0, "user": 3, "users": 1, "jobs": 10, "response_time": 400000.0, "wait": 86400.0, "bounded_slowdown": 7.0}],
                "measured": [{"cell": 0, "first_job": 1, "last_job": 9, "window_begin": 0.0, "window_end": 43210.0}]}
        view = MadeUp({"time_unit": "s"}, **rows)
        main, differences = report.sections(view)[0], self.only(comparisons.comparison_sections(view))
        self.assertEqual((main.columns[2].heading, [row[2] for row in main.rows]), ("mean wait (h)", ["1.50 ±0.17", "5.00 ±0.25"]))
        self.assertEqual((differences.columns[2].heading, differences.rows[0][2]), ("difference (min)", "-20.0 ±5.0"))
        quantiles, users = self.only(evidence.quantile_sections(view)), self.only(groups.user_sections(view))
        self.assertEqual((quantiles.title, [row[1] for row in quantiles.rows]), ("Quantiles of wait (s)", ["4.00 ±1.0", "40.0 ±1.0"]))
        self.assertEqual(([column.heading for column in users.columns[-3:]], users.rows[0][-3:]),
                         (["mean response time (d)", "mean wait (d)", "mean bounded slowdown"], ["4.63", "1.00", "7.00"]))
        self.assertIn("time averages from 0 to 12 h", report.measured(view)[0])
        view.file.shown_unit = "min"
        self.assertEqual(report.sections(view)[0].rows[1][2], "300 ±15")
        stays = report.sections(MadeUp({"time_unit": "minutes"}, **rows))[0]
        self.assertEqual((stays.columns[2].heading, stays.rows[0][2]), ("mean wait", "5400 ±600"))

    def test_theory_stands_beside_estimates_and_is_counted(self):
        known = [{"cell": cell, "metric": "m", "label": "exact", "value": 2.0, "is_exact": 1} for cell in range(4)]
        made = [{"cell": cell, "metric": "z of m", "mean": z} for cell, z in enumerate((0.5, -3.5, 1, 2))]
        view = MadeUp(estimates=[estimate(cell, "m", 2, 0.1) for cell in range(4)], known_values=known, made_metrics=made)
        found = report.sections(view)[0]
        self.assertEqual(found.columns[3].heading, "theory")
        self.assertEqual(found.notes[0], "theory: exact")
        self.assertIn("Exact values: 3 of 4 lie within 3 standard errors of ours (largest |z| 3.5).", found.notes)

    def test_the_runs_beyond_an_extreme_are_few_by_their_number_alone(self):
        self.assertAlmostEqual(summary.share_beyond(2), 1 - math.sqrt(0.05))
        self.assertLess(summary.share_beyond(59), 0.05)  # Wilks
        self.assertGreater(summary.share_beyond(58), 0.05)

    def test_differences_name_what_tells_cells_apart(self):
        rows = [comparison(0, 2, 1.5, 0.2, "second smaller"), comparison(1, 3, 0.1, 0.4, "not decided", adjusted_p=0.41)]
        found = self.only(comparisons.comparison_sections(MadeUp(comparisons=rows)))
        self.assertEqual(found.rows, [["utilization 0.6", "fcfs - easy", "1.50 ±0.20", "<0.0001", "easy", "3.00 (2.00–4.40)"],
                                      ["utilization 0.9", "fcfs - easy", "0.100 ±0.40", "0.4100", "undecided", "3.00 (2.00–4.40)"]])
        self.assertIn("hold for all 2 together at 95 % (Holm)", found.notes[0])
        few = [comparison(0, 2, 1.5, 0.2, "second smaller", n=5, skewness=-2.0, width_reduction=NAN)]
        found = self.only(comparisons.comparison_sections(MadeUp(comparisons=few)))
        self.assertEqual(found.columns[-1].heading, "smaller")
        self.assertIn("With fewer than 10 pairs (5, skewness up to ±2.0)", found.warnings[0])

    def test_pairs_with_an_unstable_cell_are_named(self):
        asked = {"effective_configuration": '{"seed": 1, "comparison": {"factor": "policy"}}'}
        for view in (MadeUp(comparisons=[], stability=[stability(1, "unstable")]), MadeUp(asked, stability=[stability(1, "unstable")])):
            found = self.only(comparisons.comparison_sections(view))
            self.assertEqual((found.title, found.warnings),
                             ("No differences", ["Pairs with an unstable cell are left out, since its mean says nothing: fcfs, 0.9."]))
        self.assertEqual(comparisons.comparison_sections(MadeUp(stability=[stability(1, "unstable")])), [])

    def test_means_without_their_controls_stand_where_they_are_known(self):
        own = [{**estimate(cell, "wait.mean", 7 + cell, 0.25), "controls": controls, "r_squared": 0.91, "variance_reduction": gain}
               for cell, controls, gain in ((0, "service_time.mean", 0.9), (3, "twin", 8.5))]
        estimates = [estimate(0, "wait.mean", 6.5, 0.75), estimate(3, "wait.mean", 10, 0.25)]
        both = self.only(comparisons.controlled_sections(MadeUp(controlled_estimates=own, estimates=estimates)))
        self.assertEqual([row[1:3] for row in both.rows], [["7.00 ±0.25", "6.50 ±0.75"], ["10.00 ±0.25", ""]])
        twins = self.only(comparisons.controlled_sections(MadeUp(controlled_estimates=own[1:], estimates=estimates)))
        self.assertEqual([column.heading for column in twins.columns], ["cell", "with controls", "adj. R²", "variance reduction"])
        self.assertEqual(twins.rows, [["easy, 0.9", "10.00 ±0.25", "0.91", "8.50"]])
        self.assertTrue(twins.notes[-1].endswith("the same interval without them."), twins.notes)

    def test_a_selection_promises_what_its_procedure_proves(self):
        rows = [{"group": "", "cell": cell, "metric": "m", "n": 30, "mean": 2.0, "indifference": 0.05, "confidence": 0.9, "procedure": "kn",
                 "standing": standing} for cell, standing in enumerate(("leading", "eliminated", "equal", "leading"))]
        found = self.only(comparisons.selection_sections(MadeUp(selections=rows)))
        self.assertEqual([row[-1] for row in found.rows], ["leading", "eliminated after 30", "equal", "leading"])
        self.assertEqual(found.columns[0].heading, "cell")
        self.assertIn("by 0.05 or more", found.notes[0])
        self.assertIn("Leading: the cap", found.warnings[0])

    def test_claims_show_where_they_do_not_hold(self):
        claim = {"claim": "small gain", "paper": "They gain.", "section": "6", "printed": "", "value": "a / b", "rule": "< 1", "needs": "every",
                 "places": 2, "confidence": 0.95, "verdict": "does not hold", "expected": "holds", "note": "Odd."}
        values = [{"claim": "small gain", "place": f"class {i}", "value": value, "lower": value - 0.1, "upper": value + 0.1, "side": side}
                  for i, (value, side) in enumerate(((0.5, "inside"), (2.0, "outside")))]
        found = self.only(claims.claim_sections(MadeUp(claims=[claim], claim_values=values)))
        self.assertEqual(found.rows, [["small gain", "0.5 to 2", "< 1 (every)", "1 of 2", "does not hold (expected: holds)"]])
        self.assertEqual(found.notes[:2], ["0 of 1 claims as expected; not as expected: small gain.",
                                           'small gain: "They gain." (6) Measured: a / b. outside: class 1 (2.00 ±0.10). Odd.'])

    def test_quantiles_without_an_upper_end_say_how_many_replications_would_give_one(self):
        rows = [{"cell": cell, "metric": "response_time", "probability": 0.9, "value": 8.0, "lower": 3.0, "upper": upper, "confidence": 0.95,
                 "own_mean": NAN, "jobs": 100} for cell, upper in enumerate((math.inf, 9.0, math.inf))]
        # Of the first cell 70 of 100 jobs lie below the lower end: h is .2, twice what lies beyond p90. Of the last none lies beyond the quantile.
        sketches = [{"cell": cell, "metric": metric, "lower": lower, "upper": upper, "count": count} for cell, metric, lower, upper, count in (
            (0, "response_time", 2.0, 3.0, 70), (0, "response_time", 7.5, 8.5, 25), (0, "response_time", 9.0, 9.5, 5), (0, "wait", 1.0, 2.0, 100),
            (2, "response_time", 2.0, 3.0, 30), (2, "response_time", 7.5, 8.5, 70))]

        def warned(cells):
            found = self.only(evidence.quantile_sections(MadeUp(quantiles=[rows[cell] for cell in cells], sketches=sketches)))
            return [text for text in found.warnings if "no upper end" in text]
        self.assertEqual(warned([0]), ["p90 in 1 cell: no upper end, since too few jobs lie beyond. Give about 16 replications, or longer ones."])
        self.assertEqual(warned([0, 1, 2]), ["p90 in 2 cells: no upper end, since too few jobs lie beyond. Give about 24 replications, or longer ones."])
        self.assertEqual(warned([1]), [])

    def test_heavy_tails_are_named(self):
        rows = [estimate(cell, metric, 5.0, 0.1, n=64, skewness=skewness) for metric, all in (("response_time.mean", (3.3, 3.1, -3.3, 0.0)),
                                                                                            ("wait.mean", (0.0,) * 4)) for cell, skewness in enumerate(all)]
        found = self.only(report.sections(MadeUp(estimates=rows)))
        self.assertTrue(any(text.startswith("Heavy tails (mean response time in 2 cells): ") for text in found.warnings), found.warnings)
        light = [row | {"skewness": 0.0} for row in rows]
        self.assertFalse(any("Heavy" in text for text in self.only(report.sections(MadeUp(estimates=light))).warnings))

    def test_quantiles_with_heavy_tails_are_not_advised_to_be_looked_at(self):
        def advice(*metrics):
            rows = [estimate(0, metric, 5.0, 0.1, n=64, skewness=3.3) for metric in metrics]
            return next(text.rpartition(". ")[2] for text in self.only(report.sections(MadeUp(estimates=rows))).warnings if text.startswith("Heavy"))
        self.assertEqual(advice("response_time.p95"), "Give longer replications.")
        self.assertEqual(advice("response_time.p95", "response_time.mean"), "Give longer replications, or look at quantiles.")

    def test_where_no_mean_can_be_precise_no_longer_run_is_advised(self):
        made = MadeUp(estimates=[estimate(0, "response_time.mean", 5.0, 0.1, n=64, skewness=9.0)], stability=[stability(0, "not_stationary", 1.2)])
        def warnings():
            return [text for found in report.sections(made) for text in found.warnings if "Heavy" in text or "Lengthen" in text]
        self.assertEqual(len(warnings()), 2)
        made.cells[0]["status"] = "not_met_variance"
        self.assertEqual(warnings(), [])

    def test_a_tail_is_heavy_by_the_skewness_or_by_one_of_a_thousand(self):
        heavy = is_heavy_tailed
        for n, most in ((10, 0.4), (255, 0.4), (256, 0.2), (5000, 0.2)):
            for sign in (-1, 1):
                self.assertFalse(heavy(n, sign * 0.99 * most * math.sqrt(n), NAN), n)
                self.assertTrue(heavy(n, sign * 1.01 * most * math.sqrt(n), NAN), n)
        self.assertFalse(heavy(9, 100.0, 1.0))
        self.assertFalse(heavy(1000, 0.0, 0.098))
        self.assertTrue(heavy(1000, 0.0, 0.104))
        self.assertFalse(heavy(999, 0.0, 0.104))
        self.assertFalse(heavy(1000, 0.0, NAN))

    def test_files_from_before_the_largest_share_go_by_the_skewness(self):
        rows = [estimate(cell, "wait.mean", 5.0, 0.1, n=1000, skewness=skewness) for cell, skewness in enumerate((0.0, 7.0, 0.0, 0.0))]
        for more, cells in (({}, 1), ({"largest_share": 0.5}, 4)):
            found = self.only(report.sections(MadeUp(estimates=[row | more for row in rows])))
            self.assertTrue(any(text.startswith(f"Heavy tails (mean wait in {cells} cell") for text in found.warnings), found.warnings)

    def test_claims_say_which_places_are_too_skewed_and_what_helps(self):
        claim = {"claim": "gain", "paper": "They gain.", "section": "", "printed": "", "value": "a", "rule": "< 1", "needs": "every",
                 "places": 2, "confidence": 0.95, "verdict": "undecided", "expected": "holds", "note": ""}
        values = [{"claim": "gain", "place": f"class {i}", "value": 0.5, "lower": 0.4, "upper": 0.6, "side": "too skewed"} for i in range(2)]
        found = self.only(claims.claim_sections(MadeUp(claims=[claim], claim_values=values)))
        self.assertIn("too skewed: class 0 (0.500 ±0.10); class 1 (0.500 ±0.10).", found.notes[1])
        self.assertTrue(any("More replications decide." in note for note in found.notes), found.notes)

    def test_an_estimate_of_exactly_0_shows_the_rule_of_three(self):
        rows = [estimate(cell, "loss", 0.0, 0) | {"upper": 0.5} for cell in range(4)]
        found = self.only(report.sections(MadeUp(estimates=rows)))
        self.assertTrue(any("(rule of three: 3 / 4)" in note for note in found.notes), found.notes)
        others = self.only(report.sections(MadeUp(estimates=[estimate(cell, "loss", 1.0, 0.5) for cell in range(4)])))
        self.assertFalse(any("rule of three" in note for note in others.notes), others.notes)

    def test_places_without_a_value_have_no_empty_brackets(self):
        claim = {"claim": "gain", "paper": "They gain.", "section": "", "printed": "", "value": "a / b", "rule": "< 1", "needs": "every",
                 "places": 2, "confidence": 0.95, "verdict": "not measured", "expected": "holds", "note": ""}
        values = [{"claim": "gain", "place": f"class {i}", "value": NAN, "lower": NAN, "upper": NAN, "side": "not measured"} for i in range(2)]
        found = self.only(claims.claim_sections(MadeUp(claims=[claim], claim_values=values)))
        self.assertEqual(found.notes[:2], ["0 of 1 claims as expected; open: gain.",
                                           'gain: "They gain." Measured: a / b. not measured: class 0; class 1.'])

    def test_advice_of_a_steady_state_fits_the_cells(self):
        """None to lower a load where nothing is unstable, none to lengthen a log."""
        made = MadeUp(stability=[stability(3, "not_stationary", 1.2)])
        found = self.only(loads.stability_sections(made))
        self.assertEqual([note.split(":")[0] for note in found.warnings], ["Not stationary"])
        self.assertIn("Lengthen", found.warnings[0])
        made.cells[3]["experiment"] = "trace"
        found = self.only(loads.stability_sections(made))
        self.assertEqual(len(found.warnings), 1)
        self.assertNotIn("Lengthen", found.warnings[0])

    def test_a_log_that_is_measured_whole_needs_no_warm_up(self):
        rows = [{"cell": cell, "replications": 9, "warm_up_jobs": jobs, "mser_cut": 50, "verdict": "short"} for cell, jobs in ((0, 0), (1, 7))]
        view = MadeUp(warm_up_checks=rows)
        self.assertEqual([row[0] for row in evidence.warm_up_sections(view)[0].rows], ["fcfs, 0.6", "fcfs, 0.9"])
        for cell in view.cells:
            cell["experiment"] = "trace"
        self.assertEqual([row[0] for row in evidence.warm_up_sections(view)[0].rows], ["fcfs, 0.9"])

    def test_unstable_cells_come_with_the_evidence(self):
        rows = [stability(0, "stable"), stability(1, "unstable", 2.0), stability(2, "unstable", overflow=3), stability(3, "not_stationary", 1.2)]
        found = self.only(loads.stability_sections(MadeUp(stability=rows, made_metrics=[{"cell": 1, "metric": "critical half_ratio", "mean": 1.43}])))
        self.assertEqual([row[:2] for row in found.rows], [["fcfs, 0.9", "unstable"], ["easy, 0.6", "unstable"], ["easy, 0.9", "not stationary"]])
        self.assertIn("doubles from the first to the second half of the run (ratio 2.00 [1.80, 2.20], above the critical 1.43)", found.rows[0][2])
        self.assertIn("in replication 3 at time 12.5, after 77 jobs had arrived", found.rows[1][2])
        self.assertIn("grows by 20 %", found.rows[2][2])
        self.assertEqual(len(found.warnings), 2)

    def test_ladders_say_whether_the_backlog_matters(self):
        def rung(cell, backlog, rho):
            return {"cell": cell, "method": "ratio", "rho_max": rho, "lower": rho - 0.01, "upper": rho + 0.01, "backlog": backlog, "n": 4}
        view = MadeUp(saturation=[rung(0, 100, 0.8), rung(1, 10, 0.7)])
        view._rows["factors"] = [{"cell": cell, "factor": "system.backlog", "label": str(cell)} for cell in range(4)]
        view.cells[0]["policy"] = view.cells[1]["policy"] = "fcfs"
        found = self.only(loads.backlog_sections(view))
        self.assertEqual(found.rows, [["10", "0.700 ±0.010"], ["100", "0.800 ±0.010"]])
        self.assertIn("state the backlog with the number", found.warnings[0])

    def test_placed_loads_say_of_what_they_are_a_share(self):
        rows = [{"cell": cell, "rho_max": 0.7, "lower": 0.69, "upper": 0.71, "fraction": 0.85, "method": method, "pilot": pilot}
                for cell, method, pilot in ((0, "pilot", 3), (1, "exact", -1), (2, "none", -1))]
        found = self.only(placements.placement_sections(MadeUp(placements=rows)))
        self.assertEqual(found.rows, [["fcfs, 0.6", "0.85", "0.700 ±0.010", "easy, 0.9"]])
        self.assertEqual(placements.placement_sections(MadeUp(placements=rows[1:])), [])

    def test_searches_without_a_root_say_on_which_side_it_lies(self):
        row = {"cell": 0, "method": "drift", "rho_max": NAN, "lower": 0.0, "upper": 0.4, "n": 8}
        found = self.only(loads.search_sections(MadeUp(saturation=[row])))
        self.assertEqual(found.rows, [["fcfs, 0.6", "below 0.4", "8", "", "backlog grows"]])

    def test_failures_tell_ten_and_what_they_keep_out(self):
        rows = [{"cell": 0, "replication": i, "status": "failed", "message": "why", "replay": f"schedfarm replay {i}"} for i in range(12)]
        view = MadeUp(failures=rows)
        view.cells[0].update(status="incomplete", replications_used=2, replications_computed=14)
        found = self.only(evidence.failure_sections(view))
        self.assertEqual(len(found.rows), 10)
        self.assertEqual(found.warnings, ["fcfs, 0.6: incomplete. n is 2 of 2 computed, those before the first that failed."])
        self.assertEqual(found.notes[1], "Replay one alone (the first 10 of 12; table failures of the file has all):")

    def test_quantiles_of_single_replications_may_be_biased(self):
        rows = [{"cell": cell, "metric": "response_time", "probability": 0.95, "value": 10.0, "lower": 9.0, "upper": math.inf, "confidence": 0.95,
                 "own_mean": own, "jobs": 100} for cell, own in ((0, 8.0), (1, 9.5))]
        found = self.only(evidence.quantile_sections(MadeUp(quantiles=rows)))
        self.assertEqual(found.rows[0], ["fcfs, 0.6", "10.0 [9.0, ∞)"])
        self.assertIn("at worst p95 by -20 % in 1 cell,", found.warnings[0])

    def test_unmet_cells_say_what_ended_them(self):
        view = MadeUp(estimates=[estimate(0, "m", 4, 0.2)])
        view.cells[0].update(status="not_met_budget", most_demanding="m")
        found = self.only(evidence.unmet_sections(view))
        self.assertEqual(found.rows, [["fcfs, 0.6", "4", "budget", "m", "4.00 ±0.20 (5 %)"]])
        self.assertIn("Raise the cap or the budget", found.warnings[0])

    def test_a_difference_that_falls_short_stands_beside_both_its_cells(self):
        metric = "response_time.mean"
        rows = [comparison(2, 0, 4, 0.2, ""), comparison(1, 0, -1, 0.5, "")]
        view = MadeUp(estimates=[estimate(cell, metric, 9, 1) for cell in range(4)], comparisons=rows)
        for cell in view.cells[:3]:
            cell.update(status="not_met_cap", most_demanding=f"{metric} (difference)")
        found = self.only(evidence.unmet_sections(view))
        self.assertEqual([row[-1] for row in found.rows], ["-1.00 ±0.50 (50 %)", "-1.00 ±0.50 (50 %)", "4.00 ±0.20 (5 %)"])

    def test_classes_have_their_names(self):
        rows = [estimate(0, f"response_time.mean[class={i}]", 2, 0.1) for i in range(2)]
        names = [{"cell": 0, "class": i, "name": name} for i, name in enumerate(("batch", "interactive"))]
        found = self.only(groups.class_sections(MadeUp(estimates=rows, job_classes=names)))
        self.assertEqual(found.rows[1], ["fcfs, 0.6", "1", "interactive", "2.00 ±0.10"])
        found = self.only(groups.class_sections(MadeUp(estimates=rows[:1])))
        self.assertIn("All jobs are of one class", found.notes[-1])

    def test_logged_waits_stand_beside_simulated_ones(self):
        def row(cell, by, group, jobs=28476, logged=15296.4, simulated=6891.2, within=0.579, tau=0.406):
            return {"cell": cell, "by": by, "group": group, "jobs": jobs, "logged": logged, "simulated": simulated, "within": within, "rank_agreement": tau}

        rows = [row(0, "all", "all jobs"), row(0, "queue", "night", 1, 7.25, 0, 1, NAN), row(1, "all", "all jobs", 0, NAN, NAN, NAN, NAN)]
        found = self.only(waits.wait_sections(MadeUp(logged_waits=rows)))
        self.assertEqual(found.rows, [["fcfs, 0.6", "all jobs", "28476", "15296", "6891", "58 %", "0.41"],
                                      ["", "night", "1", "7.25", "0", "100 %", ""]])
        self.assertEqual(found.notes[-1], "fcfs, 0.9: the log records no waits.")
        found = self.only(waits.wait_sections(MadeUp(logged_waits=rows[2:])))
        self.assertEqual((found.columns, found.rows, found.notes), ([], [], ["fcfs, 0.9: the log records no waits."]))
        self.assertEqual(_terminal.table_text(found), "Logged against simulated waits\n\nfcfs, 0.9: the log records no waits.\n")
        wide = [row(cell, "size", "64 to 127 processors") | {"cell": cell} for cell in (0, 1)]
        text = _terminal.table_text(self.only(waits.wait_sections(MadeUp(logged_waits=wide))), 60)
        self.assertEqual((text.count("Logged"), len([line for line in text.splitlines() if set(line) == {"-"}])), (1, 1), "one block")
        many = [row(cell, by, by) for cell in range(4) for by in ("all", "queue")] + [row(0, "all", "x") | {"cell": 4}, row(4, "queue", "y")]
        found = self.only(waits.wait_sections(MadeUp(logged_waits=many)))
        self.assertEqual([line[1] for line in found.rows], ["all"] * 4 + ["x"])
        self.assertIn("schedfarm report x.h5 --table logged_waits", found.notes[1])

    def test_a_number_keeps_its_unit_beside_it_in_every_width(self):
        shown = _terminal.table("t", ["~jobs of", ">n"], 1)
        shown.rows = [["standard, 129-2048 processors, >= 1 h", "7"]]
        for width in range(26, 60):
            lines = _terminal.table_text(shown, width).splitlines()
            self.assertEqual([line for line in lines if re.match(r"(h|1 h|2048)\b", line.strip())], [], width)
            self.assertIn(">= 1 h", " ".join(" ".join(lines).split()))

    def test_one_job_may_hold_a_tenth_of_all_slowdowns(self):
        made = [{"cell": cell, "metric": "share of the largest slowdown", "mean": share} for cell, share in ((0, 0.09), (1, 0.25))]
        self.assertEqual(self.only(evidence.slowdown_sections(MadeUp(made_metrics=made))).rows, [["fcfs, 0.9", "25 %"]])

    def test_a_paper_is_met_or_differs_by_so_much(self):
        def value(cell, measured, z, verdict):
            return {"cell": cell, "metric": "m", "column": "a", "value": 2.0, "rounding": 0.05, "measured": measured, "lower": NAN, "upper": NAN, "z": z,
                    "verdict": verdict, "known_label": "", "note": ""}
        table = main_table(MadeUp({"report_rows": "policy"}, reference=[value(0, 2.1, 0.5, "agrees"), value(2, 2.5, NAN, "differs")]))
        found = main_section(table)
        self.assertEqual([row[-1] for row in found.rows], ["agrees", "differs +25.0 %"])
        self.assertEqual(found.notes[0], "a: 1 of 2 agree (largest |z| 0.5).")


def _rows_of(records):
    """As JSON has them."""
    texts = [[value.decode() if isinstance(value, bytes) else None if isinstance(value, float) and not math.isfinite(value) else value
              for value in row] for row in records.tolist()]
    return [dict(zip(records.dtype.names, row)) for row in texts]


class Formats(unittest.TestCase):
    def test_latex_has_its_own_signs(self):
        for text, wanted in (("a_b & 5 %", "a\\_b \\& 5 \\%"), ("-0.5 (-1, -.5)", "$-$0.5 ($-$1, $-$.5)"), ("1-4 x-y 2026-11-27", "1-4 x-y 2026-11-27"),
                             ("a - b", "a - b"), ("--all", "-{}-all"), ("±2 <3", "$\\pm$2 $<$3"), ("a -2", "a $-$2")):
            self.assertEqual(latex.latex_text(text).replace("a $-$ b", "a - b"), wanted)
        found = Table("My [loss]", [Column("a"), Column("b", True)], [["[1, 4]", "2"], ["*", "3"]], source="S")
        text = latex.tables(found)
        self.assertIn("\\label{tab:My-loss-}", text)
        self.assertIn("\n{}[1, 4] & 2 \\\\\n{}* & 3 \\\\\n", text)

    def test_latex_divides_what_is_too_high(self):
        text = latex.tables(Table("High", [Column("a")], [[str(i)] for i in range(100)]))
        self.assertEqual(text.count("\\begin{table}"), 3)
        self.assertEqual(text.count("(continued)"), 2)
        self.assertEqual(text.count("\\toprule\na \\\\"), 3)

    def test_latex_breaks_long_texts_and_knows_no_columns_of_a_terminal(self):
        found = Table("Wide", [Column("text", wraps=True), Column("word"), *(Column(f"number {i}", True) for i in range(12))],
                      [["a long text " * 9, "W" * 60, *(f"{i}.000001" for i in range(12))]])
        text = latex.tables(found)
        self.assertEqual(text.count("\\begin{tabular}"), 1)
        self.assertIn("{@{}>{\\raggedright\\arraybackslash}p{20em}lrrrrrrrrrrrr@{}}", text)

    def test_a_constant_of_a_wide_table_is_told_once(self):
        found = Table("Wide", [Column("a"), Column("n", told_once=True)], [["x" * 78, "4"], ["y", "4"]])
        self.assertIn("n in every row: 4.", _terminal.table_text(found))

    def test_csv_and_markdown_escape_what_they_would_take_for_their_own(self):
        self.assertEqual(writers.csv(["a", "b"], [['x,"y"', "z\x1b"]]), 'a,b\n"x,""y""",z?\n')
        self.assertEqual(writers.csv(["=a", "b"], [["=1+2", "-3.5"], ["+4e-7", "-inf"], ["@SUM(A1)", "-5-6"], ["=7,8", "9=10"]]),
                         "'=a,b\n'=1+2,-3.5\n+4e-7,-inf\n'@SUM(A1),'-5-6\n\"'=7,8\",9=10\n")
        self.assertIn("| a\\|b |\n", writers.markdown(Table("T", [Column("c")], [["a|b"]])))


class Files(unittest.TestCase):
    def test_tables_have_every_digit_and_the_levels_of_their_cells(self):
        file = ResultFile(small.path("policies"))
        lines = report.one_table(file, "estimates", "csv").splitlines()
        self.assertTrue(lines[0].startswith("cell,policy,load.utilization,metric,n,mean,"), lines[0])
        records = file.records("estimates")
        self.assertEqual(len(lines), 1 + len(records))
        np.testing.assert_array_equal([float(line.split(",")[5]) for line in lines[1:]], records["mean"])

    def test_every_table_stands_alone_in_every_format_and_text_within_80_columns(self):
        for campaign in small.CAMPAIGNS:
            file = ResultFile(small.path(campaign))
            for name in file.names:
                forms = {form: report.one_table(file, name, form) for form in ("text", "markdown", "latex", "csv", "json")}
                self.assertTrue(all(forms.values()), name)
                self.assertEqual([row | columns for row, columns in zip(json.loads(forms["json"]), _rows_of(file.records(name)))], json.loads(forms["json"]))
                self.assertIn("\\label{tab:", forms["latex"])
                self.assertEqual(len(list(csv.reader(io.StringIO(forms["csv"])))), 1 + file.length(name), name)
                wide = [line for line in forms["text"].splitlines() if len(line) > 80]
                self.assertFalse(wide, f"{campaign}, {name}")

    def test_a_table_of_the_report_is_shown_as_there(self):
        file = ResultFile(small.path("policies"))
        for form in ("text", "markdown"):
            whole, alone = report.text(file, form), report.one_table(file, "comparisons", form)
            self.assertIn(alone, whole)
            self.assertIn("Differences of mean response time", alone)
            self.assertTrue(whole.startswith(report.one_table(file, "estimates", form)))

    def test_what_its_writer_found_wrong_is_the_first_line_of_every_report(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "marked.h5")
            shutil.copy(small.path("policies"), path)
            with h5py.File(path, "r+") as file:
                rows = np.array([(2, b"jobs/2/0 row 7: 4 processors, but ranges of 3"), (-1, b"odd")], [("cell", "<i8"), ("problem", "S50")])
                made = file.create_dataset("defects", data=rows)
                texts = h5py.string_dtype()
                own = contract.schema().tables["defects"]
                for name, value in (("columns", ["cell", "problem"]), ("units", ["1", ""]), ("meanings", [column.meaning for column in own.columns])):
                    made.attrs.create(name, value, dtype=texts)
                made.attrs["hashed"] = np.array([0, 0], np.int64)
                made.attrs["meaning"] = own.meaning
            first = ("This file fails the check of its writer (cell 2: jobs/2/0 row 7: 4 processors, but ranges of 3; 2 problems in all, table defects). "
                     "This is an error of schedfarm: report it.")
            file = ResultFile(path)
            for form in ("text", "markdown"):
                self.assertEqual(report.text(file, form).splitlines()[0], first)
            self.assertEqual(report.text(file, "latex").splitlines()[:2], ["% Needs \\usepackage{array,booktabs,graphicx}", first])
            self.assertEqual(report.text(file, "csv").splitlines()[0], f"# {first}")
            self.assertEqual(report.text(file, "warnings").splitlines()[1:3],
                             ['Defects,2,"jobs/2/0 row 7: 4 processors, but ranges of 3"', "Defects,,odd"])
            self.assertIn("4 processors, but ranges of 3", report.one_table(file, "defects", "text"))
            with schedfarm.open(path) as results:
                self.assertIn(first, page.html(results))
            self.assertIn("its writer found: odd", check.problems(path))

    def test_a_notebook_shows_the_first_table_of_the_cells_chosen(self):
        with schedfarm.open(small.path("policies")) as results:
            few = results.select(policy="fcfs")
            for shown in (results, few):
                page = shown._repr_html_()
                self.assertTrue(page.startswith("<pre>&lt;schedfarm results"), page)
                self.assertEqual(page.count("<tr>"), 1 + len(shown.cells))
                self.assertIn("<th>mean response time</th>", page)
            self.assertLess(len(few.cells), len(results.cells))

    def test_a_section_is_one_marked_function(self):
        places = [own.place for own in report.SECTIONS]
        self.assertEqual(places, sorted(set(places)))
        tables = [own.table for own in report.SECTIONS if own.table]
        self.assertEqual(len(tables), len(set(tables)))

    def test_names_wider_than_the_terminal_are_broken(self):
        found = Table("Wide", [Column("policy"), Column("load"), Column("n", True)], [["p" * 60, "l" * 60, "4"]], labels=2)
        text = _terminal.table_text(found)
        self.assertTrue(all(len(line) <= 80 for line in text.splitlines()), text)
        self.assertEqual(text.count("p"), 61)  # and that of the heading
        self.assertEqual(text.count("l"), 62)
        alone = _terminal.table_text(Table("One row", [Column(f"metric {number}") for number in range(20)], [["123.4 ±5.6"] * 20]))
        self.assertTrue(all(len(line) <= 80 for line in alone.splitlines()), alone)

    def test_text_imports_little_besides_numpy_and_h5py(self):
        code = ("import sys; from schedfarm import _command; _command.main(['report', sys.argv[1]]); "
                "assert not {'pandas', 'matplotlib', 'jinja2', 'numpy.typing', 'shutil', 'difflib'} & set(sys.modules), sorted(sys.modules)")
        done = subprocess.run([sys.executable, "-c", code, small.path("policies")], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_without_numpy_one_table_comes_and_the_line_that_says_how_to_get_the_rest(self):
        bare = small.folder() / "bare-report"
        bare.write_text("#!/bin/sh\nexec /usr/bin/python3 -S -E \"$@\"\n")
        bare.chmod(0o755)
        for wish in (str(bare), "no-python"):
            done = subprocess.run([PROGRAM, "report", small.path("policies")], capture_output=True, text=True, check=False,
                                  env={**os.environ, "SCHEDFARM_PYTHON": wish})
            plain = subprocess.run([PROGRAM, "report", "--plain", small.path("policies")], capture_output=True, text=True, check=True)
            self.assertEqual((done.returncode, done.stdout), (0, plain.stdout), done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn("numpy", done.stderr)
        self.assertIn("±", plain.stdout)
        done = subprocess.run([PROGRAM, "report", small.path("policies"), "-f", "latex"], capture_output=True, text=True, check=False,
                              env={**os.environ, "SCHEDFARM_PYTHON": str(bare)})
        self.assertEqual((done.returncode, done.stdout), (2, ""))


if __name__ == "__main__":
    unittest.main()
