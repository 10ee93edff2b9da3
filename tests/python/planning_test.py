#!/usr/bin/env python3
"""Claims laid out over cells, and figures that name what a campaign has: places, terms, names, and what is said of what is wrong."""
import json
import unittest

from schedfarm._planning import answer

LEVELS = [["fcfs", "0.5"], ["fcfs", "0.6"], ["fpfs(7)", "0.5"], ["fpfs(7)", "0.6"]]
QUANTITIES = {"normalized": "response_time.mean[class] / service_time.mean[class]", "response": "response_time.mean"}
COLUMNS = [f"{probe}.mean{part}" for probe in ("response_time", "service_time") for part in ("", "[class=0]", "[class=1]")]


def asked(configuration, factors=("policy", "load.utilization"), levels=LEVELS, **facts):
    """What the package says; a cell with other levels has other replications and observes the first columns."""
    numbers = [[float(label) if label[0].isdigit() else None for label in own] for own in levels]
    cells = {"factors": factors, "levels": levels, "numbers": numbers, "columns": [COLUMNS], "observed": [0] * len(levels),
             "replications": list(range(len(levels))), "has_sketches": False, "known": [], "knows": [], "reference": [], "certificates": [], **facts}
    return json.loads(answer(json.dumps({"configuration": configuration, "cells": cells})))


def said(found):
    return [(problem["key"], problem["reason"], problem["suggestion"] or problem["name"]) for problem in found["problems"]]


class Certificates(unittest.TestCase):
    SECTION = {"subject": "interval", "table": "estimates", "scope": "cell", "metric": "response_time", "interval": "reported", "truth": "exact",
               "band": [0.93, 0.97], "expect": "inside", "judged": 0.9, "virtual_workers": 0}
    TRUTHS = [["response_time.mean", "exact", 2.5, "M/M/1"], ["response_time.mean", "from empty", 2.4, "recursion"]]

    def found(self, load_is_known=True, levels=LEVELS, **changes):
        own = {"cell": len(levels) - 1, "sections": [{**self.SECTION, **changes}], "truths": self.TRUTHS, "load_is_known": load_is_known,
               "first_look": 64}
        return asked({}, levels=levels, certificates=[own, {**own, "cell": 0}])

    def row(self, **changes):
        found = self.found(**changes)
        self.assertEqual(found["problems"], [])
        return found["certificates"]["certificates"][0]

    def test_number_is_that_of_its_label_or_as_written_and_a_bare_probe_its_mean(self):
        row = self.row(where={"class": "1"}, procedure=["a.cpp", "b.cpp"])
        self.assertEqual(row, {
            "cell": 3, "subject": "interval", "table": "estimates", "scope": "cell", "where": "class=1", "metric": "response_time.mean",
            "interval": "reported", "truth": 2.5, "source": "M/M/1", "column": "", "is": "", "at_least": None, "low": 0.93, "high": 0.97,
            "expect": "inside", "judged": 0.9, "virtual_workers": 0, "first_look": 64, "procedure": "a.cpp; b.cpp"})
        self.assertEqual([self.row(**own)[key] for own in ({"truth": "from empty"}, {"truth": "7.25", "source": "a book"}) for key in ("truth", "source")],
                         [2.4, "recursion", 7.25, "a book"])
        row = self.row(table="quantiles", truth="3.5", metric="slowdown")
        self.assertEqual((row["metric"], row["truth"]), ("slowdown", 3.5))

    def test_decision_has_words_or_a_least_number_and_no_truth(self):
        row = self.row(subject="decision", table="comparisons", metric="wait", column="verdict", **{"is": ["first", "none"]}, at_least=0.5)
        self.assertEqual((row["metric"], row["truth"], row["is"], row["at_least"]), ("wait", None, "first; none", None))
        self.assertEqual(self.row(subject="decision", column="p", at_least=0.05)["at_least"], 0.05)

    def test_what_is_not_known_is_said_once_of_the_first_cell(self):
        found = self.found(truth="limit")
        self.assertEqual(said(found), [("truth", "nothing 'limit' other than 0 is known of 'response_time.mean' in cell 3", "limit")])
        self.assertEqual((found["problems"][0]["cell"], found["problems"][0]["item"], found["problems"][0]["known"]), (3, 0, ["exact", "from empty"]))
        one = LEVELS[:1]
        self.assertEqual(said(self.found(metric="service_time", levels=one)),
                         [("truth", "nothing 'exact' other than 0 is known of 'service_time.mean'", "Choose a cell with closed forms.")])
        self.assertEqual(said(self.found(metric="slowdown", levels=one)), [("metric", "metric 'slowdown' is not observed", "slowdown")])
        self.assertEqual(said(self.found(load_is_known=False, levels=one)),
                         [("metric", "nothing is known (its load is still to be found)", "Give it load: {utilization: 0.5}.")])
        self.assertEqual(self.row(load_is_known=False, truth="4")["truth"], 4)


class Claims(unittest.TestCase):
    def laid_out(self, value, at=None, names=None, quantities=QUANTITIES, rule=None, **facts):
        claim = {"id": "one", "paper": "A sentence.", "value": value, "in": at or {}, **(rule or {"above": 1})}
        return asked({"claims": {"confidence": 0.9, "quantities": quantities, "names": names or {}, "list": [claim]}}, **facts)

    def places(self, *arguments, **more):
        found = self.laid_out(*arguments, **more)
        self.assertEqual(found["problems"], [])
        return [(row["place"], row["expression"]) for row in found["tables"]["claim_places"]]

    def problem(self, *arguments, **more):
        found = self.laid_out(*arguments, **more)
        (key, reason, way), = said(found)
        self.assertEqual((key, found["problems"][0]["item"], found["tables"]["claim_texts"]), ("value", 0, []))
        return reason.removeprefix("claim 'one': "), way

    def test_is_measured_in_every_combination_and_names_cells_by_levels(self):
        places = self.places("normalized{policy=fpfs(7)} / normalized{policy=fcfs}", {"class": [0, 1], "load.utilization": "all"})
        self.assertEqual([label for label, _ in places],
                         ["class 0, utilization 0.5", "class 0, utilization 0.6", "class 1, utilization 0.5", "class 1, utilization 0.6"])
        self.assertEqual(places[3][1], "normalized[1]{cell=3} / normalized[1]{cell=1}")

    def test_row_says_when_it_is_true_and_what_is_the_same_at_all_places(self):
        found = self.laid_out("normalized / 1", {"policy": "fcfs", "class": [0, 1], "load.utilization": 0.50}, rule={"below": 2, "needs": "some"})
        row, = found["tables"]["claim_texts"]
        self.assertEqual(row, {"claim": "one", "paper": "A sentence.", "section": "", "printed": "", "low": None, "high": 2, "needs": "some",
                               "value": "normalized / 1 at policy fcfs, load.utilization 0.5", "confidence": 0.9, "expected": "holds", "note": ""})
        self.assertEqual(found["tables"]["claim_places"][1]["expression"], "normalized[1]{cell=0} / 1")
        row, = self.laid_out("2 * 3", rule={"between": [0.5, 7], "expect": "does not hold"})["tables"]["claim_texts"]
        self.assertEqual((row["low"], row["high"], row["needs"], row["expected"]), (0.5, 7, "every", "does not hold"))
        self.assertEqual(found["tables"]["quantity_expressions"][1], {"quantity": "response", "expression": "response_time.mean"})

    def test_terms_have_their_own_class_and_levels_and_names_stand_for_expressions_or_numbers(self):
        self.assertEqual(
            self.places("normalized[1]{policy=fcfs, utilization=0.5} - base + printed - printed[0]", {"class": 1, "load.utilization": 0.6},
                        {"base": "normalized{policy=fcfs}", "printed": [1.5, 4]}),
            [("", "normalized[1]{cell=0} - (normalized[1]{cell=1}) + 4 - 1.5")])
        self.assertEqual(self.places("max(2 * response, 1)", {"class": 1, "policy": "fcfs", "utilization": 0.60}),
                         [("", "max(2 * response{cell=1}, 1)")])

    def test_cells_are_those_of_the_first_seed_and_equal_ones_are_one(self):
        levels = [["7", "fcfs"], ["7", "sjf"], ["8", "fcfs"], ["8", "sjf"]]
        self.assertEqual(self.places("response{policy=sjf}", factors=["seed", "policy"], levels=levels), [("", "response{cell=1}")])
        self.assertEqual(self.places("response", factors=["seed", "policy"], levels=levels, replications=[5, 5, 6, 6]), [("", "response{cell=0}")])

    def test_what_is_left_open_must_not_matter(self):
        self.assertEqual(self.problem("response", {"policy": "fcfs"}), ("'response' belongs to 2 cells (0 and 1, …)", "Say which, as in response{factor=level}."))
        self.assertEqual(self.problem("normalized", {"policy": "fcfs", "load.utilization": 0.5}),
                         ("'normalized' has one value for each class, but no class is named", "Add 'in: {class: 0}'."))
        self.assertEqual(self.problem("printed", names={"printed": [3]})[0], "'printed' has a number for each class, but no class is named")
        self.assertEqual(self.problem("printed", {"class": 1}, names={"printed": [3]}), ("'printed' has no number of class 1 (its list has 1)", "Add it to the list."))

    def test_what_is_not_there_is_told_with_what_might_be_meant(self):
        found = self.laid_out("normalised", {"class": 0})
        self.assertEqual((found["problems"][0]["name"], found["problems"][0]["known"]), ("normalised", ["normalized", "response"]))
        self.assertEqual(self.problem("normalised", {"class": 0}), ("'normalised' is neither a quantity nor a name", "normalised"))
        self.assertEqual(self.problem("x", quantities={})[1], "Add it to 'claims.quantities'.")
        self.assertEqual(self.problem("response", {"polcy": "fcfs"}), ("'polcy' is no factor of the campaign", "polcy"))
        self.assertEqual(self.problem("response", {"policy": "sjf"}), ("no cell has policy sjf", ""))
        self.assertEqual(self.problem("response", {"load.utilization": 0.7, "policy": "sjf"})[0], "no cell has policy sjf, load.utilization 0.7")
        self.assertEqual(self.problem("normalized", {"class": 7, "policy": "fcfs", "load.utilization": 0.5})[0], "cell 0 observes no 'normalized' of class 7")
        self.assertEqual(self.problem("response", {"class": "x"}), ("'x' is no number of a job class", "Write [8]."))
        self.assertEqual(self.problem("response", {"class": "all"})[0], "'class: all' is not known")
        self.assertEqual(self.problem("response{fcfs}"), ("'{fcfs}' does not name a factor and its level", "Write {policy=easy}."))

    def test_names_take_neither_class_nor_levels_nor_names(self):
        self.assertEqual(self.problem("base[1]", names={"base": "response"}),
                         ("'base[1]' stands for an expression, which takes no levels and no class", "Write out what 'base' stands for."))
        self.assertEqual(self.problem("twice", {"class": 0}, {"once": "normalized", "twice": "2 * once"}),
                         ("it uses a name that stands for another name, 'once'", "Write out what 'once' stands for; names are made of quantities."))
        deep = "(" * 60 + "{}" + ")" * 60
        self.assertEqual(self.problem(deep.format("deep"), names={"deep": deep.format("response{policy=fcfs, utilization=0.5}")})[0],
                         "its value is nested too deep with its names written out")

    def test_a_quantity_is_observed_somewhere_and_what_stands_on_it_adds_no_message(self):
        lacking = ("q", "no cell observes all columns of quantity 'q'", "Add probes, with 'per_class: true' for what is of a class.")
        for value, names in (("q", {}), ("2 * twice", {"twice": "2 * q"})):
            self.assertEqual(said(self.laid_out(value, names=names, quantities={"q": "wait.mean"})), [lacking])
        self.assertEqual(self.problem("q", {"policy": "fcfs"}, quantities={"q": "wait.mean"}, levels=LEVELS[:3:2], columns=[["x"], ["wait.mean"]],
                                      observed=[0, 1])[0], "cell 0 observes no 'q'")


class Figures(unittest.TestCase):
    def said(self, figure, **more):
        facts = {key: more.pop(key) for key in ("has_sketches", "columns") if key in more}
        return said(asked({"report": {"figures": [figure]}, **more}, **facts))

    def test_name_what_the_campaign_has(self):
        self.assertEqual(self.said({"kind": "curve", "x": "load.utilization", "y": "response_time", "by": ["policy"], "facet": "class", "top": 20,
                                    "range": "response_time.mean", "select": {"policy": ["fcfs", "fpfs(7)"]}}), [])
        for y in ("twice", "wall_time_ms beyond fcfs", "least response_time", "service_time / response_time"):
            self.assertEqual(self.said({"kind": "curve", "y": y}, claims={"quantities": {"twice": "2 * response_time.mean"}}), [], y)
        self.assertEqual(self.said({"kind": "curve", "x": "load"}), [("x", "'load' is no factor of the campaign", "load")])
        self.assertEqual(self.said({"kind": "curve", "by": ["polcy"]}), [("by", "'polcy' is no factor of the campaign", "polcy")])
        self.assertEqual(self.said({"kind": "curve", "y": "greatest wiat"}), [("y", "metric 'wiat' is not observed in any cell", "wiat")])
        self.assertEqual(self.said({"kind": "curve", "range": "twice"}, claims={"quantities": {"twice": "2 * response_time.mean"}}),
                         [("range", "metric 'twice' is not observed in any cell", "twice")])
        self.assertEqual(self.said({"kind": "curve", "top": "high"}), [("top", "'high' is no number", "")])
        self.assertEqual(self.said({"kind": "curve", "select": {"policy": ["fcfs", "sfj"]}}), [("select.policy", "'sfj' is no level of 'policy'", "sfj")])
        self.assertEqual(self.said({"kind": "curve", "select": {"polcy": "fcfs"}}), [("select.polcy", "'polcy' is no factor of the campaign", "polcy")])
        self.assertEqual(self.said({"kind": "pareto", "x": "response_time"}), [("kind", "a pareto figure needs two metrics", "Add x and y, two metrics.")])

    def test_are_of_what_the_result_file_will_have(self):
        logged = {"job_log": {"replications": 1, "utilization_parts": 9}}
        for kind, what, more in (
                ("forest", "comparison", {"comparison": {"factor": "policy"}}), ("paper", "value of a paper", {"reference": "x.csv"}),
                ("queue", "job log", logged), ("utilization", "utilization over time", logged)):
            self.assertEqual([reason for _, reason, _ in self.said({"kind": kind})], [f"the campaign has no {what} to draw"])
            self.assertEqual(self.said({"kind": kind}, **more), [])
        self.assertEqual(len(self.said({"kind": "utilization"}, job_log={"replications": 1, "utilization_parts": 0})), 1)
        self.assertEqual(self.said({"kind": "bars"}), [])
        self.assertEqual(self.said({"kind": "bars"}, columns=[["response_time.mean"]])[0][1], "the campaign has no metric by class to draw")
        of_one = {"kind": "ecdf", "select": {"policy": "fcfs", "load.utilization": 0.5}}
        self.assertEqual(self.said(of_one, has_sketches=True), [])
        self.assertEqual(self.said(of_one)[0][1], "the campaign has no sketch to draw")
        self.assertEqual(self.said({"kind": "welch", "select": {"policy": "fcfs"}}),
                         [("kind", "a figure of kind welch shows one cell (this one has 2)", "Choose it with select: {factor: level}.")])
        self.assertEqual(self.said({"kind": "ranks"}), [])


class References(unittest.TestCase):
    """2 x 2 cells that measure capacity_loss, whose exact value is known."""

    HEADER = "workload.component_size,horizon.fills,metric,known_label,value,runs,column,note"

    def found(self, header, *rows):
        """Fields are separated by ; or, where there is none, by commas."""
        records = []
        for line, row in enumerate([header, *rows], 1):
            fields = row.split(";" if ";" in row else ",")
            records.append({"line": line, "fields": fields, "columns": [1 + sum(map(len, fields[:i])) + i for i in range(len(fields))]})
        levels = [[size, fills] for size in ("[1, 4]", "[1, 5]") for fills in ("10", "20")]
        return asked({}, ["workload.component_size", "horizon.fills"], levels, columns=[["capacity_loss", "wait.mean"]], reference=records,
                     known=[[["capacity_loss", "exact"]]], knows=[0] * 4)

    def said(self, *lines):
        found = self.found(*lines)
        return [(problem["line"], problem["column"], reason, way) for problem, (_, reason, way) in zip(found["problems"], said(found))]

    def test_find_their_cells_by_label_or_number(self):
        first, second, third = self.found(self.HEADER, "[1, 5];10.0;capacity_loss;;0.042;1e4;bin filling;a note",
                                          "[1, 4];2e1;capacity_loss;exact;-1.20;;;", "[1, 4];10;wait;;7;3;;")["references"]
        self.assertEqual(first, {"cell": 2, "metric": "capacity_loss", "known_label": "", "value": 0.042, "rounding": 0.0005, "runs": 10000,
                                 "column": "bin filling", "note": "a note"})
        self.assertEqual((second["cell"], second["known_label"], second["value"], second["rounding"], second["runs"]), (1, "exact", -1.2, 0.005, 0))
        self.assertEqual((third["cell"], third["metric"], third["rounding"], third["column"]), (0, "wait.mean", 0.5, ""))

    def test_have_columns_that_are_factors_or_known(self):
        self.assertEqual(self.said("workload.component_sise,metric,value"),
                         [(1, 1, "column 'workload.component_sise' is no factor of the campaign", "workload.component_sise")])
        self.assertEqual(self.said("metric,metric,value"), [(1, 8, "column 'metric' is there twice", "Remove one.")])
        self.assertEqual(self.said("horizon.fills,runs"), [(1, 1, f"there is no column '{name}'", "Add it.") for name in ("metric", "value")])
        self.assertEqual(self.said("root:x:0:0"),
                         [(1, 1, "this is no table of reference values (its first line names no column of one)", "Name a CSV file.")])

    def test_fit_exactly_one_cell(self):
        self.assertEqual(self.said(self.HEADER, "[1, 6];10;capacity_loss;;0.1;;a;"),
                         [(2, 1, "factor 'workload.component_size' has no level '[1, 6]'", "[1, 6]")])
        self.assertEqual(self.said(self.HEADER, "[1, 4];10.5;capacity_loss;;0.1;;a;"), [(2, 8, "factor 'horizon.fills' has no level '10.5'", "10.5")])
        self.assertEqual(self.said("workload.component_size,metric,value", "[1, 4];capacity_loss;0.1"),
                         [(2, 1, "this row fits 2 cells (0 and 1, …)", "Add a column for horizon.fills.")])
        self.assertEqual(self.said(self.HEADER, "1;10;capacity_loss")[0][:3], (2, 1, "3 fields, but the header has 8"))

    def test_name_what_is_measured_or_known_and_numbers(self):
        self.assertEqual(self.said(self.HEADER, "[1, 4];10;capacity_los;;0.1;;a;"),
                         [(2, 11, "metric 'capacity_los' is not observed in cell 0", "capacity_los")])
        self.assertEqual(self.said(self.HEADER, "[1, 4];10;capacity_loss;exakt;0.1;;a;"),
                         [(2, 25, "theory gives no 'exakt' for 'capacity_loss' in cell 0", "exakt")])
        self.assertEqual(self.said(self.HEADER, "[1, 4];10;capacity_loss;;abc;-1;a;"),
                         [(2, 26, "value 'abc' is not a number", ""), (2, 30, "runs '-1' is not a number of runs", "")])
        for value in ("nan", "1e999", "", "1_0"):
            self.assertEqual(self.said(self.HEADER, f"[1, 4];10;capacity_loss;;{value};;a;"), [(2, 26, f"value '{value}' is not a number", "")])
        self.assertEqual(len(self.said(self.HEADER, "[1, 4];10;capacity_loss;;1;1.5;;")), 1)


if __name__ == "__main__":
    unittest.main()
