#!/usr/bin/env python3
"""The judge of claims: numbers worked out by hand, verdicts counted by hand, and agreement with plain computations at random places."""
import math
import random
import re
import types
import unittest

import numpy as np

from schedfarm import _claims, _intervals
from schedfarm._claims import Judge, Place, Region, needed_places
from schedfarm._expressions import Expression
from schedfarm._intervals import Estimate, t_two_sided
from schedfarm.errors import FileError

NAN = math.nan
NO_BLOCKS = (0, NAN)


def table(rows, **kinds):
    return np.array([tuple(row) for row in rows], list(kinds.items()))


def made_up(replications, quantities, claims=(), blocks=None, interval="student_t"):
    """A file of cells 0, 1, …: observations of each as lists by column. A claim: name, low, high, needs, expressions at its places."""
    columns = list(dict.fromkeys(name for own in replications for name in own))
    rows = [(cell, index, *(own[name][index] if name in own else NAN for name in columns))
            for cell, own in enumerate(replications) for index in range(max(map(len, own.values()), default=0))]
    blocks = blocks or [NO_BLOCKS] * len(replications)
    tables = {
        "cells": table([(0.95, interval, *own) for own in blocks], confidence="f8", interval="S20", log_blocks="u8", log_variance_ratio="f8"),
        "replications": np.array(rows, [("cell", "u8"), ("replication", "u8"), *((name, "f8") for name in columns)]),
        "quantity_expressions": table(quantities.items(), quantity="S40", expression="S200"),
        "claim_texts": table([(name, "", "", "", "", low, high, needs, 0.95, "holds", "") for name, low, high, needs, _ in claims], claim="S20", paper="S1",
                             section="S1", printed="S1", value="S1", low="f8", high="f8", needs="S10", confidence="f8", expected="S20", note="S1"),
        "claim_places": table([(name, f"place {i}", place) for name, *_, places in claims for i, place in enumerate(places)],
                              claim="S20", place="S20", expression="S400")}
    return types.SimpleNamespace(path="x.h5", has=tables.__contains__, records=tables.__getitem__)


def judged(*arguments, cells=None, **more):
    """The only claim, and its values."""
    judge = Judge(made_up(*arguments, **more))
    return judge.claims(cells)[0], judge.claim_values(cells)


class Gate(unittest.TestCase):
    """What the estimates behind a place answer goes with it: the worst of all of its terms, by class, and of the cells that stand for others."""

    def test_travels_to_quantities_and_claims(self):
        file = made_up([{"a": [1, 2, 4], "b.mean[class=0]": [1, 8, 2], "b.mean[class=1]": [3, 5, 9]},
                        {"a": [2, 3, 7], "b.mean[class=0]": [6, 4, 3], "b.mean[class=1]": [4, 6, 5]}],
                       {"a": "a", "b": "b.mean[class]", "sum": "a + 2 * b.mean[class]"},
                       [("first", NAN, 50, "every", ["a{cell=0}", "a{cell=1}", "a{cell=0} / a{cell=1}", "b[1]{cell=0}", "sum[1]{cell=1}"])])
        told = table([(0, "a", "passed"), (1, "a", "tail"), (0, "b.mean[class=1]", "blocks"), (0, "b.mean[class=0]", "moments"), (1, "b.mean[class=1]", "start")],
                     cell="u8", metric="S20", gate="S20")
        without = Judge(file)
        self.assertEqual({row["gate"] for row in without.claim_values() + without.quantities()}, {"passed"})
        of_all = {name: file.records(name) for name in ("cells", "replications", "quantity_expressions", "claim_texts", "claim_places")} | {"estimates": told}
        judge = Judge(types.SimpleNamespace(path="x.h5", has=of_all.__contains__, records=of_all.__getitem__))
        self.assertEqual([row["gate"] for row in judge.claim_values()], ["passed", "tail", "tail", "blocks", "start"])
        self.assertEqual([row["gate"] for row in judge.claim_values([1, 0])], ["tail", "passed", "tail", "start", "blocks"])
        self.assertEqual({(row["cell"], row["quantity"]): row["gate"] for row in judge.quantities() if row["class"] in (-1, 1)},
                         {(0, "a"): "passed", (1, "a"): "tail", (0, "b"): "blocks", (1, "b"): "start", (0, "sum"): "blocks", (1, "sum"): "start"})


class Quantities(unittest.TestCase):
    COUNTED = {"m.mean[class=0]": [4, NAN, 7], "m.count[class=0]": [1, 0, 2]}

    def rows(self, *arguments, **more):
        return Judge(made_up(*arguments, **more)).quantities()

    def test_of_means_over_the_jobs_of_a_class_are_those_of_all_jobs_of_all_replications(self):
        # (4 + 0 + 14) / (1 + 0 + 2) = 6; residuals 4 - 6, 0 and 14 - 2 * 6 over a mean count of 1: the linearized ratio is 4, 6, 8, its
        # mean without each of them 7, 6, 5; 1 / 6 has the pseudo-values 3 / 6 - 2 / 7, 3 / 6 - 2 / 6, 3 / 6 - 2 / 5.
        judge = Judge(made_up([self.COUNTED], {"m": "m.mean[class]", "inverse": "1 / m.mean[class]"}))
        np.testing.assert_allclose(judge._values(_claims.Term("m", 0, 0), 3), [4, 6, 8])
        np.testing.assert_allclose(judge._values(_claims.Term("inverse", 0, 0), 3), [3 / 6 - 2 / 7, 3 / 6 - 2 / 6, 3 / 6 - 2 / 5])
        first, second = judge.quantities()
        self.assertEqual((first["quantity"], first["class"], first["n"]), ("m", 0, 3))
        self.assertTrue(first["mean"] == 6 and math.isnan(first["lower"] + first["upper"]))  # two replications have a job
        self.assertAlmostEqual(second["mean"], (9 / 6 - 2 / 7 - 2 / 6 - 2 / 5) / 3)

    def test_of_rare_classes_count_the_replications_that_have_a_job(self):
        # (4 + 14 + 18) / 6 = 6; residuals -2, 0, 2, 0: s² = 8 / 3 over 4 and a mean count of 1.5, times 3 / 2 · 3 / 4: standard error 1 / √3.
        rare = {"m.mean[class=0]": [4, NAN, 7, 6], "m.count[class=0]": [1, 0, 2, 3]}
        half = 4.302652729911275 / math.sqrt(3)  # Student's t of 2 degrees of freedom
        for expression, mean, lower, upper in (("m.mean[class]", 6, 6 / math.exp(half / 6), 6 * math.exp(half / 6)),
                                               ("m.mean[class] - 2", 4, 4 - half, 4 + half)):
            row, = self.rows([rare], {"m": expression})
            np.testing.assert_allclose([row[name] for name in ("mean", "standard_error", "lower", "upper")], [mean, 1 / math.sqrt(3), lower, upper])

    def test_means_weighed_by_work_are_ratios_too_and_others_are_not(self):
        weighed = {"w.mean": [1, 5], "w.weight": [3, 1], "m.mean": [1, 5]}
        self.assertEqual([row["mean"] for row in self.rows([weighed], {"w": "w.mean", "m": "m.mean"})], [2, 3])

    def test_are_made_of_every_replication_where_nothing_is_a_ratio_of_sums(self):
        row, = self.rows([{"a": [1, 2], "b": [2, 8]}], {"q": "a / b"})
        self.assertEqual((row["class"], row["mean"]), (-1, (1 / 2 + 2 / 8) / 2))  # not 3 / 10

    def test_are_there_for_every_class_that_all_columns_have(self):
        columns = {f"{name}.mean[class={k}]": [1.0 + k, 2.0] for name, classes in (("a", 3), ("b", 2)) for k in range(classes)}
        self.assertEqual([(row["cell"], row["class"]) for row in self.rows([columns, {"c": [1.0]}], {"q": "a.mean[class] / b.mean[class]"})], [(0, 0), (0, 1)])

    def test_without_a_number_have_no_row_and_of_one_replication_no_interval(self):
        rows = self.rows([{"a": [3.0]}, {"a": [NAN, 1]}, {}, {"b": [1.0]}], {"q": "a"})
        self.assertEqual([(row["cell"], row["n"], row["mean"]) for row in rows], [(0, 1, 3.0)])
        self.assertTrue(all(math.isnan(rows[0][name]) for name in ("standard_error", "lower", "upper")))

    def test_have_the_interval_of_their_cell(self):
        # Of 1, 2, 9: mean 4, error 2.5166, t 4.3027; G1 = 1.5 * 90 / 82.82, b = .15686: G(t) = 2.2271, G(-t) = -7.8835.
        sequence = _intervals.sequence_factor(3, 0.95) * 2.5166
        for interval, lower, upper in (("student_t", -6.828, 14.828), ("skew_adjusted", -1.605, 23.84), ("confidence_sequence", 4 - sequence, 4 + sequence)):
            row, = self.rows([{"a": [1.0, 2.0, 9.0]}], {"q": "a"}, interval=interval)
            np.testing.assert_allclose([row["lower"], row["upper"]], [lower, upper], rtol=1e-3, err_msg=interval)


class Values(unittest.TestCase):
    def test_a_claim_is_a_function_of_means_over_the_replications_that_its_cells_share(self):
        # The doubles cancel: (2 + 4) / (1 + 3) + 10 of the first two replications; without each 4 / 3 and 2 / 1, whose jackknife error is 1 / 3.
        claim, (place,) = judged([{"a": [2, 4]}, {"a": [1, 3, 100]}], {"d": "2 * a"}, [("c", 1, NAN, "every", ["d{cell=0} / (d{cell=1}) + 10"])])
        self.assertEqual((place["n"], place["value"], place["side"]), (2, 11.5, "inside"))
        self.assertAlmostEqual(place["standard_error"], 1 / 3)
        self.assertAlmostEqual(place["upper"], 11.5 + 12.706204736174698 / 3)
        self.assertEqual((claim["verdict"], claim["rule"], claim["needed"]), ("holds", "> 1", 1))

    def test_of_one_replication_the_value_is_taken_as_it_is_and_of_none_nothing_is_measured(self):
        claims = [("c", NAN, 1, "every", ["q{cell=0} / q{cell=1}"])]
        claim, (place,) = judged([{"a": [2, 3, 4]}, {"a": [4]}], {"q": "a"}, claims)
        self.assertEqual((place["n"], place["value"], place["side"], claim["verdict"]), (1, 0.5, "inside", "holds"))
        self.assertTrue(math.isnan(place["lower"]) and math.isnan(place["standard_error"]))
        claim, (place,) = judged([{"a": [2, 3, 4]}, {}], {"q": "a"}, claims)
        self.assertEqual((place["n"], place["side"], claim["verdict"]), (0, "not measured", "not measured"))

    def test_a_place_with_a_failed_replication_or_a_division_by_zero_is_not_measured(self):
        for values in ([2, NAN], [0, 0]):
            claim, (place,) = judged([{"a": [1, 2]}, {"a": values}], {"q": "a"}, [("c", 0, NAN, "some", ["q{cell=0} / q{cell=1}"])])
            self.assertEqual((place["side"], claim["verdict"]), ("not measured", "not measured"), values)

    def test_constants_alone_are_exact(self):
        claim, (place,) = judged([{"a": [1]}], {"q": "a"}, [("c", 3, 3, "every", ["1 + 2"])])
        self.assertEqual((place["n"], place["value"], claim["verdict"], claim["rule"]), (1, 3, "holds", "3 to 3"))

    def test_a_class_stands_in_brackets(self):
        counted = {f"m.{part}[class={k}]": [value, value + 1] for part, k, value in (("mean", 0, 5), ("mean", 1, 2), ("count", 0, 1), ("count", 1, 1))}
        _, (place,) = judged([counted], {"m": "m.mean[class]"}, [("c", 0, NAN, "every", ["m[1]{cell=0} - m[0]{cell=0}"])])
        self.assertAlmostEqual(place["value"], (2 + 6) / 3 - (5 + 12) / 3)

    def test_of_resampled_logs_the_interval_is_for_logs_like_them(self):
        # Differences 1, 2, 6: mean 3, s^2 = 7, G1 = 1.6198. The fewest blocks are 5, the largest ratio 2: an error of s sqrt(2 * 5 / 4 + 1 / 3), whole part
        # of 1 / (1 / 4 + 1 / 2) = 1 degree of freedom, whose t is 12.7062; the upper side has q = t + 1 / 6 = 12.8729: q + q^2 / 3 + 5 / 27 q^3.
        claims = [("c", 0, NAN, "every", ["q{cell=0} - q{cell=1}"])]
        _, (place,) = judged([{"a": [2, 3, 7]}, {"a": [1, 1, 1]}], {"q": "a"}, claims, blocks=[(5, 1.0), (9, 2.0)])
        error = math.sqrt(7 * (2.5 + 1 / 3))
        q = 12.706204736174698 + 1 / 6
        np.testing.assert_allclose([place[name] for name in ("n", "value", "standard_error", "lower", "upper")],
                                   [3, 3, error, 3 - 12.706204736174698 * error, 3 + (q + q**2 / 3 + 5 / 27 * q**3) * error])

    def test_other_cells_may_stand_for_those_of_the_places(self):
        # Two seeds of two cells; the places speak of the first.
        cells = [{"a": [1, 1]}, {"a": [2, 2]}, {"a": [30, 30]}, {"a": [3, 3]}]
        claims = [("c", NAN, 1, "every", ["q{cell=0} / q{cell=1}"])]
        for own, value, verdict in ((None, 0.5, "holds"), ([0, 1], 0.5, "holds"), ([2, 3], 10, "does not hold")):
            claim, (place,) = judged(cells, {"q": "a"}, claims, cells=own)
            self.assertEqual((place["value"], claim["verdict"]), (value, verdict))

    def test_agree_with_plain_computations_at_random_places(self):
        for seed in range(200):
            dice = random.Random(seed)
            cells = [[dice.uniform(1, 9) for _ in range(dice.randint(2, 9))] for _ in range(3)]

            def value(left_out, n, seed=seed, cells=cells):
                kept = [[x for r, x in enumerate(own[:n]) if r != left_out] for own in cells]
                return random_sum(random.Random(seed), {f"q{{cell={i}}}": sum(own) / len(own) for i, own in enumerate(kept)}, 3)
            text, _ = value(None, 9)
            used = [own for i, own in enumerate(cells) if f"cell={i}" in text]
            if not used or "round" in text:
                continue
            n = min(map(len, used))
            (_, of_all), without = value(None, n), [value(r, n)[1] for r in range(n)]
            centre = sum(without) / n
            error = math.sqrt((n - 1) / n * sum((one - centre) ** 2 for one in without))
            _, (place,) = judged([{"a": own} for own in cells], {"q": "a"}, [("c", 0, NAN, "every", [text])])
            for name, expected in (("n", n), ("value", of_all), ("standard_error", error)):
                np.testing.assert_allclose(place[name], expected, rtol=1e-7, atol=1e-9, err_msg=text)

    def test_what_is_no_quantity_is_refused(self):
        for quantity, place, what in (("b", "q{cell=0}", "'b' is not observed"), ("a +", "q{cell=0}", "expected a number, a path"),
                                      ("a", "q{cell=7}", "'q{cell=7}' is no quantity of a cell"), ("a", "r{cell=0}", "'r{cell=0}' is no quantity of a cell"),
                                      ("a", "q", "'q' is no quantity of a cell"), ("a", "(" * 101 + "1" + ")" * 101, "nested too deep")):
            with self.assertRaisesRegex(FileError, re.escape(what)):
                judged([{"a": [1]}], {"q": quantity}, [("c", 0, NAN, "every", [place])])


class Verdicts(unittest.TestCase):
    """With 2 observations Student's t is 12.706 at .95, 25.452 at .975 and 38.188 at 1 - .05 / 3."""

    def expect(self, word, needs, *places):
        own = [Estimate(2, place[0], place[1], 0.0, 1) if isinstance(place, tuple) else Estimate(1, place, 0.0, 0.0, 0) for place in places]
        judged = [Place("", own_place.n, own_place, "student_t") for own_place in own]
        self.assertEqual(_claims.verdict(judged, Region(1, NAN), needed_places(needs, len(own)), 0.95), word, (needs, places))

    def test_an_interval_lies_inside_or_outside_a_region_or_straddles_its_edge(self):
        for low, high, lower, upper, side in ((1, NAN, 1.1, 2, "inside"), (1, NAN, 1, 2, "straddles"), (1, NAN, 0, 1, "outside"), (NAN, 1, 0, 0.9, "inside"),
                                              (NAN, 1, 0.5, 1, "straddles"), (NAN, 1, 1, 2, "outside"), (2, 4, 2, 4, "inside"), (2, 4, 1.9, 3, "straddles"),
                                              (2, 4, 4, 5, "straddles"), (2, 4, 4.1, 5, "outside"), (0, 0, 0, 0, "inside"), (1, NAN, NAN, NAN, "straddles")):
            self.assertEqual(Region(low, high).side(lower, upper), side, (low, high, lower, upper))

    def test_rules_are_written_as_the_program_writes_numbers(self):
        self.assertEqual([Region(*ends).rule() for ends in ((1, NAN), (NAN, 0.25), (2, 1e-05))], ["> 1", "< 0.25", "2 to 1e-05"])

    def test_most_is_more_than_half(self):
        self.assertEqual([needed_places(needs, n) for needs, n in (("every", 4), ("most", 4), ("most", 5), ("most", 1), ("some", 4))], [4, 3, 3, 1, 1])

    def test_values_without_intervals_are_taken_as_they_are(self):
        self.expect("holds", "every", 1.2, 1.1)
        self.expect("does not hold", "every", 1.2, 1)
        self.expect("holds", "some", 1.2, 1)
        self.expect("does not hold", "some", 0.2, 1)
        self.expect("holds", "most", 2, 2, 0)
        self.expect("does not hold", "most", 2, 0, 0)
        self.expect("not measured", "some", 2, NAN)
        self.expect("not measured", "every")

    def test_every_place_holds_at_the_plain_confidence_and_one_fails_at_bonferronis(self):
        # Half widths at .95: 1.27 of 0.1, so that 2.5 lies above 1 and 2.2 does not; at .975 2.55, so that -1.6 lies below and -1.5 does not.
        self.expect("holds", "every", (2.5, 0.1), (2.5, 0.1), (2.5, 0.1))
        self.expect("undecided", "every", (2.5, 0.1), (2.2, 0.1))
        self.expect("does not hold", "every", (9, 0.1), (-1.6, 0.1))
        self.expect("undecided", "every", (9, 0.1), (-1.5, 0.1))

    def test_some_place_holds_at_bonferronis_confidence_and_all_fail_at_the_plain_one(self):
        self.expect("holds", "some", (3.6, 0.1), (0, 0.1))
        self.expect("undecided", "some", (3.5, 0.1), (0, 0.1))
        self.expect("does not hold", "some", (-0.3, 0.1), (-0.3, 0.1))
        self.expect("undecided", "some", (-0.2, 0.1), (-0.3, 0.1))

    def test_most_of_three_places_are_two_and_each_side_is_judged_at_1_less_alpha_by_two(self):
        self.expect("holds", "most", (3.6, 0.1), (3.6, 0.1), (1, 0.1))
        self.expect("undecided", "most", (3.6, 0.1), (3.5, 0.1), (1, 0.1))
        self.expect("does not hold", "most", (-1.6, 0.1), (-1.6, 0.1), (9, 0.1))
        self.expect("undecided", "most", (-1.6, 0.1), (-1.5, 0.1), (9, 0.1))


class Skewness(unittest.TestCase):
    """Means of 20 exponential observations whose mean is 1: a claim that each of 8 places is at least that is true."""

    def places(self, dice, n=20, count=8):
        return [Place("", n, _intervals.of_mean(dice.exponential(1, n)), "skew_adjusted") for _ in range(count)]

    def wrong(self, seeds, judge):
        return sum(judge(self.places(np.random.default_rng(seed))) for seed in range(seeds)) / seeds

    def test_a_claim_over_several_places_is_wrong_as_rarely_as_it_says(self):
        def denied(places):
            return _claims.verdict(places, Region(1, NAN), 8, 0.95) == "does not hold"
        bound = 0.05 + 3 * math.sqrt(0.05 * 0.95 / 600)
        self.assertLessEqual(self.wrong(600, denied), bound)
        self.assertGreater(self.wrong(600, lambda places: denied([place._replace(method="student_t", estimate=place.estimate._replace(skewness=0.0))
                                                                  for place in places])), bound)

    def test_a_single_place_has_the_interval_of_its_cell(self):
        for method in ("student_t", "skew_adjusted", "confidence_sequence"):
            observed = {"a": [1.0, 2.0, 9.0, 3.0]}
            _, (place,) = judged([observed], {"q": "a"}, [("c", 0, NAN, "every", ["q{cell=0}"])], interval=method)
            quantity, = Judge(made_up([observed], {"q": "a"}, interval=method)).quantities()
            np.testing.assert_allclose([place["lower"], place["upper"]], [quantity["lower"], quantity["upper"]], rtol=1e-12, err_msg=method)

    def test_where_all_places_are_too_skewed_for_their_number_nothing_is_decided(self):
        # One 100 among 20: skewness 4.47, over 6 sqrt(20) .167; Student's t is 2.09 at .95 and 3.07 at 1 - .05 / 8, whose products are .35 and .51.
        observed = {"a": [0.0] * 19 + [100.0]}
        for count, side, word in ((1, "outside", "does not hold"), (8, "too skewed", "undecided")):
            claim, values = judged([observed], {"q": "a"}, [("c", 1000, NAN, "every", ["q{cell=0}"] * count)], interval="skew_adjusted")
            self.assertEqual((claim["verdict"], {place["side"] for place in values}), (word, {side}))

    def test_a_place_is_judged_by_the_skewness_of_all_where_that_is_greater(self):
        symmetric, skewed = ([0.9, 1.1] * 5, [1.0] * 9 + [2.0])
        places = [Place("", 10, _intervals.of_mean(np.array(values)), "skew_adjusted") for values in (symmetric, skewed)]
        common = _claims.common_skewness(places)
        own, wider = (place.interval(0.975)[1] for place in (places[0], places[0]._replace(estimate=places[0].estimate._replace(skewness=common))))
        self.assertLess(own, wider)
        for edge, side in (((own + wider) / 2, "straddles"), (wider + 0.001, "outside")):
            self.assertEqual(places[0].side(Region(edge, NAN), common, 0.975), side)


def random_sum(dice, values, depth):
    """A text and what it is worth with these values by path, worked out along the way."""
    return chain(dice, "+-", lambda: chain(dice, "*/", lambda: random_factor(dice, values, depth - 1)))


def chain(dice, signs, part):
    text, value = part()
    for _ in range(dice.randrange(3)):
        sign, (more, other) = dice.choice(signs), part()
        text += f"{dice.choice(['', ' '])}{sign} {more}"
        value = finite({"+": value + other, "-": value - other, "*": value * other, "/": value / other if other else NAN}[sign])
    return text, value


def random_factor(dice, values, depth):
    kind = dice.randrange(6 if depth > 0 else 2)
    if kind == 0:
        text = dice.choice(["0", "1", "2.5", "1e-3", ".5", "3."])
        return text, float(text)
    if kind == 1:
        path = dice.choice(list(values))
        return path, values[path]
    if kind == 2:
        text, value = random_factor(dice, values, depth - 1)
        return f"-{text}", -value
    parts = [random_sum(dice, values, depth - 1) for _ in range(1 if kind < 5 else dice.randint(1, 3))]
    text, numbers = ", ".join(text for text, _ in parts), [number for _, number in parts]
    name, worth = {3: ("", sum), 4: ("round", lambda of: math.floor(of[0] + 0.5) if math.isfinite(of[0]) else NAN), 5: ("max", max)}[kind]
    return f"{name}({text})", finite(NAN if any(map(math.isnan, numbers)) else worth(numbers))


def finite(number):
    return float(number) if math.isfinite(number) else NAN


class EValues(unittest.TestCase):
    """The numbers of tests/engine/statistics/multiple_comparison_test.cpp."""

    BY_HAND = (1.0251471 + 1.1401385 + 1.3859293) / 3

    def test_are_those_of_the_program(self):
        plain = Estimate(4, 5.0, 1.5, 0.0, 3)
        self.assertAlmostEqual(_intervals.e_value(plain, 8, "student_t"), self.BY_HAND, 6)
        self.assertAlmostEqual(_intervals.e_value(plain._replace(n=6, skewness=2.0, is_sparse=True), 8, "skew_adjusted"), self.BY_HAND, 6)
        skewed, b = Estimate(36, -3.0, 1.5, 2.0, 35), 2 / 36
        other = skewed._replace(mean=1.5 * (-2 * (1 - 4 * b + 16 / 3 * b * b) + b))
        self.assertAlmostEqual(_intervals.e_value(skewed, 0, "skew_adjusted"), _intervals.e_value(other, 0, "student_t"), 12)
        self.assertLess(_intervals.e_value(Estimate(3000, 1.0, 0.0, 0.0, 2999), 1, "student_t"), 1)
        self.assertTrue(1e300 < _intervals.e_value(Estimate(3000, 1.0, 0.0, 0.0, 2999), 0.5, "student_t") < math.inf)
        for none in (plain._replace(n=1), plain._replace(is_of_logs=True), plain._replace(standard_error=NAN)):
            self.assertTrue(math.isnan(_intervals.e_value(none, 8, "student_t")))

    def test_of_a_claim_are_means_of_those_against_it(self):
        # t = 2 of the end that is nearer (BY_HAND), 3 and 5, within 0 to 8, and one place outside with t = 4.
        places = [Place("", 4, Estimate(4, mean, 1.5, 0.0, 3), "student_t") for mean in (5.0, 3.5, 4.5, 14.0)]
        own = [place.e_value(Region(0, 8)) for place in places]
        self.assertAlmostEqual(own[0], self.BY_HAND, 6)
        self.assertAlmostEqual(own[1], _intervals.e_value(places[1].estimate, 0, "student_t"))
        inner = sorted(own[:3])
        for needed, expected in ((4, own[3] / 4), (3, inner[0] / 2), (2, (inner[0] + inner[1]) / 3), (1, sum(inner) / 4)):
            self.assertAlmostEqual(_claims.e_value(places, Region(0, 8), needed), expected, 9, needed)
        self.assertAlmostEqual(_claims.e_value(places[3:], Region(0, 8), 1), own[3])
        self.assertTrue(math.isnan(_claims.e_value([], Region(0, 8), 1)))


class Numbers(unittest.TestCase):
    def test_quantiles_of_t_are_those_of_closed_forms(self):
        for c in (0.01, 0.5, 0.9, 0.95, 0.999, 1 - 0.05 / 45):
            half = c / 2
            quartic = 4 * (math.cos(math.acos(math.sqrt(1 - c * c)) / 3) / math.sqrt(1 - c * c) - 1)
            for degrees, t in ((1, math.tan(math.pi * half)), (2, c * math.sqrt(2 / (1 - c * c))), (4, math.sqrt(quartic))):
                self.assertLess(abs(t_two_sided(c, degrees) / t - 1), 1e-10, (c, degrees))

    def test_quantiles_of_t_have_their_probability(self):
        nodes, weights = np.polynomial.legendre.leggauss(400)
        for degrees in (3, 5, 9, 10, 99, 400, 1999):
            for confidence in (0.5, 0.95, 0.99, 0.9999):
                angle = math.atan(t_two_sided(confidence, degrees) / math.sqrt(degrees))
                area = angle / 2 * float(weights @ np.cos(angle / 2 * (nodes + 1)) ** (degrees - 1))
                whole = math.sqrt(math.pi) / 2 * math.exp(math.lgamma(degrees / 2) - math.lgamma((degrees + 1) / 2))
                self.assertLess(abs(area / whole - confidence), 1e-12 * degrees, (degrees, confidence))
        self.assertAlmostEqual(t_two_sided(0.95, 100_000), 1.9599877077, 9)

    def test_a_confidence_lies_between_0_and_1(self):
        for confidence in (0, 1, -1, 2, NAN):
            self.assertRaises(ValueError, t_two_sided, confidence, 3)

    def test_means_without_each_lose_nothing_beside_a_large_value(self):
        self.assertEqual(_intervals.without_each(np.array([1e20, 1.0, 2.0])).tolist()[0], 1.5)

    def test_expressions_agree_with_python(self):
        dice = random.Random(1)
        for _ in range(500):
            values = {"a": 2.0, "b.c[1]": -0.5, "d{x=1, y=2}": 0.0}
            text, value = random_sum(dice, values, 4)
            np.testing.assert_allclose(float(Expression(text)(values.__getitem__)), value, rtol=1e-15, err_msg=text)

    def test_expressions_say_what_is_wrong(self):
        for text, what in (("", "expected a number"), ("1 +", "expected a number"), ("(1", "expected ')'"), ("1 2", "unexpected '2'"), ("a ! b", "unexpected '!'"),
                           ("f(1)", "unknown function 'f'"), ("round(1, 2)", "unknown function 'round'"), ("-" * 101 + "1", "nested too deep")):
            with self.assertRaisesRegex(ValueError, re.escape(what), msg=text):
                Expression(text)
        self.assertEqual(float(Expression("round(2.5) -\n round(-2.5)")(None)), 5)
        self.assertEqual(float(Expression("+".join(["1"] * 20_000))(None)), 20_000)


if __name__ == "__main__":
    unittest.main()
