#!/usr/bin/env python3
"""What `schedfarm whatif` makes of results: calibration, changes, answers and their page, by hand and of results that were made up. No program is
run."""
import contextlib
import io
import math
import pathlib
import random
import tempfile
import types
import unittest
import unittest.mock
import warnings

import numpy as np
import pandas as pd
from whatif_made import WEEK, job_rows, made_draws, made_log

from schedfarm import _intervals
from schedfarm._reading import contract
from schedfarm.whatif import _answers, _calibration, _change, _differences, _page
from schedfarm.whatif._calibration import AGREES, DISAGREES, UNKNOWN, Class
from schedfarm.whatif._campaign import Variation
from schedfarm.whatif._change import Change
from schedfarm.whatif._differences import Difference
from schedfarm.whatif._kept import Kept

FACTS = {"never_given": ["user"]}
QUESTION = types.SimpleNamespace(left_out=(), log="l.sacct", conf="", associations="", facts=lambda: FACTS)
RAISED = Variation("a=2", "Raising a from 1 to 2")


def whole_of(verdict, ratio=0.99, lower=0.78, upper=1.25):
    return Class(-1, "all jobs", 9, 700.0, 700.0 * ratio, ratio, lower, upper, verdict)


class Calibration(unittest.TestCase):
    def test_the_ratio_and_its_jackknife_by_hand(self):
        # Four weeks with sums 10, 20, 30, 47 as logged and 12, 18, 35, 61 as simulated.
        ratio, lower, upper = _calibration.ratio_interval(np.array([10.0, 20, 30, 47]), np.array([12.0, 18, 35, 61]), np.array([0, 1, 3, 4]))
        left_out = np.log([114 / 97, 108 / 87, 91 / 77, 65 / 60])
        error = math.sqrt(3 / 4 * np.sum((left_out - left_out.mean()) ** 2))
        t = _intervals.t_two_sided(0.95, 3)
        self.assertAlmostEqual(ratio, 126 / 107)
        self.assertAlmostEqual(lower, 126 / 107 * math.exp(-t * error))
        self.assertAlmostEqual(upper, 126 / 107 * math.exp(t * error))

    def test_classes_are_judged_by_their_own_jobs(self):
        # Seven weeks of a job of class 0 (600 s logged, 300 s simulated, the last one 900 and 500) and two of class 1.
        submit = np.repeat(WEEK * np.arange(7.0), 3) + np.tile([0.0, 50, 90], 7)
        logged = np.tile([600.0, 100, 160], 7)
        simulated = np.tile([300.0, 104, 168], 7)
        logged[18], simulated[18] = 900, 500
        rows = job_rows(submit, simulated, np.tile([0, 1, 1], 7), 1, logged=logged)
        rows.loc[0, "logged_wait"] = math.nan  # a job whose wait the log does not know
        found = _calibration.judge(made_log([rows], {0: "partition not known, 1-3 processors", 1: "short, 9 processors"}, [4]))
        self.assertEqual([(own.number, own.name, own.jobs, own.verdict) for own in found],
                         [(-1, "all jobs", 20, DISAGREES), (0, "1-3 processors", 6, DISAGREES), (1, "short, 9 processors", 14, AGREES)])
        self.assertAlmostEqual(found[1].logged, (5 * 600 + 900) / 6)
        self.assertAlmostEqual(found[1].simulated, (5 * 300 + 500) / 6)
        self.assertAlmostEqual(found[1].ratio, 2000 / 3900)
        self.assertAlmostEqual(found[2].ratio, 272 / 260)
        self.assertEqual(_calibration.table_rows(found)[1][:4], ["1-3 processors", "6", "10.8", "5.56"])

    def test_blocks_are_weeks_from_six_on_and_days_before(self):
        self.assertEqual(_calibration._block(np.array([5.0, 6 * WEEK + 5])), WEEK)
        self.assertEqual(_calibration._block(np.array([5.0, 6 * WEEK + 4])), WEEK / 7)

    def test_too_few_blocks_have_no_interval_and_cannot_be_told(self):
        found = _calibration.ratio_interval(np.ones(9), np.full(9, 2.0), np.arange(9) % 2)
        self.assertEqual(found[0], 2)
        self.assertTrue(math.isnan(found[1]))
        self.assertEqual(_calibration.verdict(*found[1:]), UNKNOWN)
        self.assertFalse(math.isnan(_calibration.ratio_interval(np.ones(9), np.full(9, 2.0), np.arange(9) % 3)[1]))

    def test_a_verdict_is_by_the_nearer_bound(self):
        for lower, upper, verdict in ((0.85, 1.18, AGREES), (0.84, 1.1, UNKNOWN), (0.9, 1.19, UNKNOWN), (0.78, 1.25, UNKNOWN), (1.17, 9, UNKNOWN),
                                      (1.181, 9, DISAGREES), (0.1, 0.849, DISAGREES), (0.1, 0.86, UNKNOWN)):
            self.assertEqual(_calibration.verdict(lower, upper), verdict, (lower, upper))

    def test_waits_below_a_minute_are_the_same(self):
        short, long_ = np.full(20, 5.0), np.full(20, 55.0)
        block = np.arange(20) % 5
        self.assertEqual(_calibration._class(0, "a", short, long_, block).verdict, AGREES)
        self.assertEqual(_calibration._class(0, "a", short, long_ + 5, block).verdict, DISAGREES)
        self.assertEqual(_calibration._class(0, "a", 10 * short, 10 * long_, block).verdict, DISAGREES)
        self.assertEqual(_calibration._class(0, "a", short * 0, short * 0, block).verdict, AGREES)

    def test_a_log_without_waits_cannot_be_told(self):
        rows = job_rows([0.0, WEEK], [70.0, 90], 0, 1, logged=math.nan)
        found = _calibration.judge(made_log([rows], {}, [4]))
        self.assertEqual([(own.name, own.verdict) for own in found], [("all jobs", UNKNOWN)])
        shown = _calibration.section(found, QUESTION)
        self.assertEqual((shown.columns, shown.notes[0][:24]), ([], "The log records no waits"))
        self.assertEqual(_calibration.lacking(QUESTION)[0], "The log lacks: user.")
        self.assertEqual(_calibration.lacking(QUESTION)[1][:18], "Without slurm.conf")
        with_conf = types.SimpleNamespace(**vars(QUESTION) | {"conf": "slurm.conf"})
        self.assertEqual([text[:22] for text in _calibration.lacking(with_conf)[1:]], ["Without --associations"])
        self.assertEqual(len(_calibration.lacking(types.SimpleNamespace(**vars(with_conf) | {"associations": "a.txt"}))), 1)


class Changes(unittest.TestCase):
    def test_draws_by_hand(self):
        # Mean waits 200, 300, 150 s become 100, 200, 190 s; the fourth draw has no job.
        own = _change.of_draws(np.array([600.0, 1200, 900, 0]), np.array([300.0, 800, 1140, 0]), np.array([3.0, 4, 6, 0]), 5, 1.5)
        ratios = np.log([101 / 201, 201 / 301, 191 / 151])
        self.assertAlmostEqual(own.today, 2700 / 13)
        self.assertAlmostEqual(own.other, 2240 / 13)
        self.assertAlmostEqual(own.mean, math.log(2240 / 2700))
        self.assertAlmostEqual(own.error, ratios.std(ddof=1) * math.sqrt(1.5 * 5 / 4 + 1 / 3))
        self.assertEqual((own.degrees, own.weeks), (1, 5))  # 1 / (1/4 + 1/2) = 1.33

    def test_draws_that_are_all_the_same_have_no_interval(self):
        own = _change.of_draws(np.array([600.0, 600]), np.array([300.0, 300]), np.array([3.0, 3]), 5, 1.0)
        self.assertTrue(math.isnan(own.error) and own.mean == math.log(0.5))

    def test_degrees_come_from_weeks_and_draws(self):
        self.assertEqual([_change._degrees(weeks, draws) for weeks, draws in ((6, 20), (12, 20), (12, 400), (2, 2), (1, 1))], [4, 7, 11, 1, 1])

    def test_weeks_left_out_by_hand(self):
        own = _change.of_weeks(np.array([100.0, 0, 200, 400]), np.array([150.0, 0, 260, 330]), np.array([2.0, 0, 3, 5]))
        left_out = np.log([590 / 600, 480 / 500, 410 / 300])
        self.assertAlmostEqual(own.mean, math.log(740 / 700))
        self.assertAlmostEqual(own.today, 70)
        self.assertAlmostEqual(own.error, math.sqrt(2 / 3 * np.sum((left_out - left_out.mean()) ** 2)))
        self.assertEqual((own.degrees, own.weeks), (2, 3))

    def test_the_interval_is_longer_away_from_0(self):
        t = _intervals.t_two_sided(0.99, 5)
        for sign in (1, -1):
            logs = sorted(sign * math.log1p(end) for end in _change.ends(Change(90, 50, sign * 0.7, 0.05, 5, 8), 0.99))
            self.assertAlmostEqual(logs[0], 0.7 - t * 0.05)
            self.assertAlmostEqual(logs[1], 0.7 + t * math.sqrt(0.05 * 0.7 * 4 / 8))
            lower, upper = map(math.log1p, _change.ends(Change(90, 50, sign * 0.7, 0.4, 5, 8), 0.99))  # 4/8 of it is less than the error
            self.assertAlmostEqual(sign * 0.7 - lower, t * 0.4)
            self.assertAlmostEqual(upper - sign * 0.7, t * 0.4)

    def test_as_many_weeks_as_would_decide(self):
        own = Change(100, 80, math.log(0.8), 0.11, 4, 6)
        needed = _change.weeks_needed(own, 20, 0.975)
        for weeks, is_enough in ((needed, True), (needed - 1, False)):
            error = 0.11 * math.sqrt(6 / weeks)
            self.assertEqual(_intervals.t_two_sided(0.975, _change._degrees(weeks, 20)) * error < -own.mean, is_enough)
        self.assertIsNone(_change.weeks_needed(own._replace(mean=0.001), 20, 0.975))
        self.assertIsNone(_change.weeks_needed(own._replace(error=math.nan), 20, 0.975))

    def decided(self, *in_errors):
        """What Holm's procedure makes of changes that are so many standard errors of 0.01 from 0, of endless logs."""
        family = [(number, whole_of(AGREES), Change(100.0, 90, 0.01 * far, 0.01, 2, 10**9)) for number, far in enumerate(in_errors)]
        found = _differences.holm(family, 20)
        return [found[number][0] for number in range(len(family))]

    def test_intervals_after_holm_by_hand(self):
        # With 2 degrees of freedom P(|T| <= t) = c at t = c sqrt(2 / (1 - c^2)): of three 7.6488, of two 6.2053, of one 4.3027.
        t = [c * math.sqrt(2 / (1 - c * c)) for c in (1 - 0.05 / 3, 0.975, 0.95)]
        self.assertEqual([round(value, 4) for value in t], [7.6488, 6.2053, 4.3027])
        for farthest, factors, is_decided in (((4.4, -7.7, 6.3), (t[2], t[0], t[1]), [True, True, True]),
                                              ((4.2, 7.7, 6.3), (t[2], t[0], t[1]), [False, True, True]),
                                              ((4.4, 7.7, -6.1), (t[1], t[0], t[1]), [False, True, False]),  # behind an undecided one none is
                                              ((4.4, 7.6, 6.3), (t[0], t[0], t[0]), [False, False, False])):
            for own, far, factor, decided in zip(self.decided(*farthest), farthest, factors, is_decided):
                self.assertAlmostEqual(own.lower, math.expm1(0.01 * (far - factor)), 9)
                self.assertAlmostEqual(own.upper, math.expm1(0.01 * (far + factor)), 9)
                self.assertEqual(own.is_decided, decided)

    def test_what_cannot_be_judged_takes_no_share_of_the_confidence(self):
        judged, short, empty = Change(100, 90, -0.3, 0.05, 4, 6), Change(50, 20, -0.9, 0.1, 4, 6), Change(0, 200, math.nan, math.nan, 4, 6)
        doubtful, same = whole_of(UNKNOWN)._replace(name="doubtful"), Change(300, 300, 0.0, math.nan, 4, 6)
        family = [(1, whole_of(AGREES), short), (1, doubtful, judged), (1, whole_of(AGREES), empty), (2, whole_of(AGREES), same)]
        found = _differences.holm(family, 20)[1]
        self.assertEqual([(own.what, own.is_decided, own.is_short()) for own in found], [("doubtful", True, False), ("all jobs", False, True), ("all jobs", False, False)])
        self.assertEqual((found[0].lower, found[0].upper), _change.ends(judged, 0.95))
        self.assertEqual((found[0].doubt, found[1].doubt), ("0.99 [0.78, 1.25]", ""))
        self.assertEqual((found[2].today, found[2].other, math.isnan(found[2].share)), (0, 200, True))

    def test_sums_of_draws_are_those_of_a_class(self):
        sums = [[[100, 240, 0], [30, 70, 110]], [[90, 160, 0], [60, 150, 260]]]
        counts = [[2, 3, 0], [1, 2, 4]]
        drawn = made_draws(sums, counts, [0.5, 0.6], [10, 12], 5)
        calibration = [whole_of(AGREES), whole_of(AGREES)._replace(number=0, name="large"), whole_of(DISAGREES)._replace(number=1, name="small")]
        found = _differences.differences(drawn, calibration, [1])[1]
        self.assertEqual([own.what for own in found], ["all jobs", "large"])
        self.assertAlmostEqual(found[1].today, 340 / 5)
        self.assertAlmostEqual(found[1].other, 250 / 5)
        self.assertAlmostEqual(found[1].share, 250 / 340 - 1)
        means = np.array([[130 / 3, 62, 27.5], [50, 62, 65]])
        self.assertAlmostEqual(found[0].share, means[1].sum() / means[0].sum() - 1)


    def test_a_class_that_two_draws_have_has_no_interval_and_says_why(self):
        sums = [[[900, 800, 700, 600], [300, 0, 0, 500]], [[930, 860, 720, 640], [420, 0, 0, 610]]]
        drawn = made_draws(sums, [[2, 3, 2, 3], [1, 0, 0, 2]], [0.5, 0.6], [10, 12], 5)
        calibration = [whole_of(AGREES), whole_of(AGREES)._replace(number=0, name="large"), whole_of(AGREES)._replace(number=1, name="rare")]
        found = {own.what: own for own in _differences.differences(drawn, calibration, [1])[1]}
        self.assertEqual([found[name].gate for name in ("all jobs", "large", "rare")], ["passed", "passed", "carriers"])
        self.assertTrue(math.isnan(found["rare"].lower) and not found["rare"].is_decided and math.isfinite(found["large"].lower))
        answer = _answers.Answer("a=2", "Said.", False, None, [found["large"], found["rare"]], [], "utilization 1 % → 2 %")
        self.assertIn("No interval of the mean wait of rare: fewer than three", " ".join(_answers.text([answer]).split()))

    def test_every_no_of_the_gate_is_told_of_both_means(self):
        for gate in next(own.words for own in contract.schema().tables["estimates"].columns if own.name == "gate"):
            for doubted in (0, 1):
                drawn = made_draws([[[900, 800, 700]], [[930, 860, 720]]], [[2, 3, 2]], [0.5, 0.6], [10, 12], 5)
                rows = drawn.table("estimates")
                rows.loc[(rows["cell"] == doubted) & (rows["metric"] == "wait.mean"), "gate"] = gate
                whole, = _differences.differences(drawn, [whole_of(AGREES)], [1])[1]
                self.assertEqual(whole.gate, gate)
                answer = _answers.Answer("a=2", "Said.", False, whole, [], [], "utilization 1 % → 2 %")
                self.assertEqual(len(_answers.doubts(_answers.told_rows([answer]))), gate != "passed")
                self.assertEqual(_answers.as_json(answer)["whole"]["gate"], gate)


class Answers(unittest.TestCase):
    """Of a log of six weeks with a large and a small job in each: 400 s and 1,000 s (0 and 1) become 150 s and 1,300 s."""

    def setUp(self):
        submit = np.repeat(WEEK * np.arange(6.0), 2) + np.tile([10.0, 500], 6)
        waits = [np.tile([400.0, 1000], 6) + np.arange(12), np.tile([150.0, 1300], 6) + np.arange(12), np.tile([401.0, 1004], 6) + np.arange(12)]
        users = np.tile([7, 8, 7, 9], 3)
        self.log = made_log([job_rows(submit, own, np.tile([0, 1], 6), users) for own in waits], {0: "large", 1: "small"}, [100, 120, 100])
        self.calibration = _calibration.judge(self.log)
        draws = np.arange(9.0)
        self.drawn = made_draws([[6 * (400 + draws), 6 * (1000 - draws)], [6 * (150 + 2 * draws), 6 * (1300 + draws)], [6 * (401 + draws), 6 * (1004 + draws)]],
                                np.full((2, 9), 6), [0.61, 0.53, 0.6], [100, 120, 100], 6)
        self.variations = [Variation("n=+20", "Adding 20 processors"), Variation("b=2", "Raising b from 1 to 2")]

    def answered(self, failures=None, kept=None, **more):
        given = {"drawn": self.drawn, "log": self.log, "calibration": self.calibration} | more
        return _answers.answers(given["drawn"], given["log"], given["calibration"], self.variations, QUESTION, failures or {}, kept or Kept())

    def test_every_number_stands_where_it_belongs(self):
        first, second = self.answered()
        self.assertRegex(first.sentence, r"^Adding 20 processors lengthens the mean wait by 4 % \[2, 11\]; jobs of large wait 61 % \[57, 75\] less\.$")
        self.assertEqual([own.what for own in first.classes], ["small", "large"])  # who loses most comes first
        self.assertEqual([f"{own.today:.0f} {own.other:.0f}" for own in first.classes], ["996 1304", "404 158"])
        # Users 7, 8 and 9: 7 has the large jobs, 8 and 9 the small ones.
        self.assertEqual(first.said(), "In this log 67 % of 3 users wait over a minute longer, 33 % less; over the draws utilization 61.0 % → 53.0 %, idle processors 39 of 100 → "
                                       "56 of 120.")
        self.assertIn("In this log 0 % of 3 users wait over a minute longer, 0 % less", second.said())
        text = " ".join(_answers.text([first, second]).split())
        self.assertRegex(text, r"small 16.6 31 % longer \[\d\d, \d\d\] large 6.73 61 % shorter \[\d\d, \d\d\] In this log 67 %")
        self.assertNotIn("?:", text)

    def test_what_changes_no_start_is_told_of_its_own_configuration(self):
        cells = [self.log.jobs(cell) for cell in (0, 1, 0)]
        log = made_log(cells, {0: "large", 1: "small"}, [100, 120, 100])
        first, second = self.answered(log=log)
        self.assertEqual((first.is_same, second.is_same), (False, True))
        self.assertEqual(second.sentence, "Raising b from 1 to 2 changes no start of any job of this log.")

    def test_the_first_answer_names_changes_and_what_cannot_be_decided(self):
        text = " ".join(_answers.first_text(self.log, self.calibration, self.variations, {}, 20).split())
        self.assertIn("its mean wait of 11.8 min changes by n=+20: +4 %; b=2: +0 %.", text)
        self.assertNotIn("too few", text)
        weeks = np.array([900.0, 500, 300, 100, 80, 60])
        changed = weeks * [0.5, 1.2, 0.9, 2, 1.1, 0.7]
        log = made_log([job_rows(WEEK * np.arange(6), waits, 0, 1) for waits in (weeks, changed)], {}, [9, 9])
        own = _change.of_weeks(weeks, changed, np.ones(6))
        needed = _change.weeks_needed(own, 20, 0.95)
        text = " ".join(_answers.first_text(log, [whole_of(UNKNOWN)], self.variations[:1], {}, 20).split())
        self.assertIn(f"n=+20: 6 weeks are too few to decide a change of this size; {needed:,} like these would do.", text)
        plainer = weeks * [0.5, 0.6, 0.55, 0.7, 0.9, 0.8]  # of which four weeks would do
        self.assertEqual(_change.weeks_needed(_change.of_weeks(weeks, plainer, np.ones(6)), 20, 0.95), 4)
        decided = made_log([job_rows(WEEK * np.arange(6), waits, 0, 1) for waits in (weeks, plainer)], {}, [9, 9])
        text = " ".join(_answers.first_text(decided, [whole_of(AGREES)], self.variations[:1], {}, 20).split())
        self.assertIn("its mean wait of 5.39 min changes by n=+20: -43 %.", text)
        self.assertNotIn("too few", text)
        self.assertEqual(_answers.first_text(log, [whole_of(AGREES)], self.variations[:1], {1: "job 7 never starts"}, 20), "")
        both = [whole_of(DISAGREES), whole_of(AGREES)._replace(number=0)]
        self.assertEqual(_answers.first_text(log, both, self.variations[:1], {}, 20), "")
        self.assertIn("say nothing of waits", " ".join(_answers.first_text(log, both[:1], self.variations[:1], {}, 20).split()))

    def test_what_fails_in_one_answer_leaves_the_others(self):
        kept = Kept()
        first, second = self.answered({1: "job 7: partition small never gives as much"}, kept)
        self.assertEqual(first.sentence, "Adding 20 processors: no answer (job 7: partition small never gives as much).")
        self.assertRegex(second.sentence, "^Raising b from 1 to 2: waits were 0.9 % longer over the draws; 6 weeks are too few")
        self.assertTrue(kept.has_failed)
        kept = Kept()
        with unittest.mock.patch.object(_answers, "_users", lambda log, cell: 1 / (cell - 2)):
            first, second = self.answered(kept=kept)
        self.assertRegex(first.sentence, r"^Adding 20 processors: no answer \(unsupported operand .*TypeError\)\)\.$")
        self.assertEqual(second.sentence, "Raising b from 1 to 2: no answer (float division by zero (ZeroDivisionError)).".replace("float ", ""))
        self.assertTrue(kept.has_failed)
        self.assertEqual([own.sentence[-20:] for own in self.answered({0: "today's job 3 fails"})], ["today's job 3 fails)."[-20:]] * 2)
        self.assertNotIn("mean waits", _answers.text([first, second]))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.html"
            with unittest.mock.patch.object(_page, "_forest", lambda *_: 1 / 0), unittest.mock.patch.object(_page, "_week", lambda *_: None):
                _page.write(str(path), self.drawn, self.log, self.calibration, [first, *self.answered()], QUESTION, kept)
            text = path.read_text()
            self.assertIn("Not drawn: division by zero (ZeroDivisionError).", text)
            self.assertIn("Waits by class", text)

    def test_sentences_name_who_loses(self):
        whole = Difference("all jobs", 100, 93, -0.07, -0.11, -0.03, True)
        classes = [Difference("wide", 70, 91, 0.3, -0.15, 0.9, False), Difference("large", 90, 94, 0.04, 0.01, 0.08, True),
                   Difference("small", 80, 70, -0.125, -0.2, -0.05, True), Difference("narrow", 60, 42, -0.3, -0.7, 0.17, False)]

        def sentence(own, is_same=False):
            return _answers._sentence(RAISED, own, classes, is_same, 6)

        self.assertEqual(sentence(whole), "Raising a from 1 to 2 shortens the mean wait by 7 % [3, 11]; jobs of large wait 4 % [1, 8] longer.")
        self.assertEqual(sentence(whole._replace(share=0.07, lower=0.03, upper=0.11)),
                         "Raising a from 1 to 2 lengthens the mean wait by 7 % [3, 11]; jobs of small wait 12 % [5, 20] less.")
        self.assertEqual(sentence(whole._replace(share=0.18, lower=-0.12, upper=3.34, is_decided=False, weeks=40)),
                         "Raising a from 1 to 2: waits were 18 % longer over the draws; 6 weeks are too few to say whether that holds in general (12 % shorter to "
                         "334 % longer); 40 like these would do.")
        self.assertIn("in general (12 % shorter to no end); ten years of them would not do.", sentence(whole._replace(share=0.18, lower=-0.12, upper=math.inf, is_decided=False)))
        self.assertEqual(sentence(whole._replace(doubt="0.99 [0.78, 1.25]"))[-88:],
                         "longer. Whether the simulation is right this log cannot tell (simulated / logged: 0.99 [0.78, 1.25])."[-88:])
        self.assertEqual(sentence(whole._replace(today=20, other=45, share=1.25)), "Raising a from 1 to 2 leaves the mean wait below a minute (20 s today, 45 s then).")
        self.assertIn("from 100 s to 93 s; how far that holds they cannot show", sentence(whole._replace(lower=math.nan, is_decided=False)))
        self.assertIn("no start of any job", sentence(whole, is_same=True))
        self.assertEqual(sentence(None), "Raising a from 1 to 2: no answer for all jobs, since the simulation disagrees with their waits in the log.")

    def test_doubt_and_indecision_stand_beside_a_class(self):
        rows = [Difference("large", 90, 94, 0.04, -0.01, 0.08, False, 30, "0.9 [0.7, 1.1]"), Difference("small", 30, 50, 0.7, math.nan, math.nan, False)]
        text = _answers.text([_answers.Answer("a=2", "Said.", False, None, rows, [], "utilization 1 % → 2 %")])
        self.assertRegex(text, r"large +90 +4 % longer \[1 shorter, 8 longer\]  undecided \?\nsmall +30 +both below a minute\n")
        self.assertIn("?: calibration cannot tell.", " ".join(text.split()))
        many = [rows[1]._replace(what=f"class {number}") for number in range(11)]
        text = _answers.text([_answers.Answer("a=2", "Said.", False, None, many, [], "utilization 1 % → 2 %")])
        self.assertTrue("The ten classes that lose most, of 11." in text and "class 9 " in text and "class 10" not in text, text)

    def test_nodes_are_idle_on_which_no_job_runs(self):
        # Of 3 nodes one is busy half of the time; of 5 two all the time.
        tables = {0: "kind,begin,end,first,last\nrunning,7,17,0,3\nrunning,7,27,8,8\n", 1: "kind,begin,end,first,last\nrunning,9,29,0,7\n"}
        sizes = {(): [4, 4, 1], ("c",): [4, 4, 1, 8, 8]}
        log, question = made_log([None, None], {}, [9, 25]), types.SimpleNamespace(conf="slurm.conf")
        with unittest.mock.patch.object(_answers._program, "node_table", lambda path, cell, replication: tables[cell]), \
                unittest.mock.patch.object(_answers, "site_of", lambda question, changes: types.SimpleNamespace(node_sizes=lambda: sizes[changes])):
            self.assertEqual(_answers._nodes(log, 1, question, Variation("c", "", ("c",))), ["1.5 of 3 nodes idle → 3.0 of 5"])
            self.assertEqual(_answers._nodes(log, 1, question, RAISED), [])  # the file has other nodes than the machine


class Page(unittest.TestCase):
    def test_the_schedule_has_as_many_days_as_a_page_holds(self):
        jobs = [pd.DataFrame({"submit": [0.0], "start": [start], "finish": [start + 9]}) for start in (5.0, 7.0)]
        log = types.SimpleNamespace(jobs=lambda cell: jobs[cell])
        numbers = types.SimpleNamespace(svg=lambda span, label: "x" * int(1e6 * span / 604800))
        with unittest.mock.patch.object(_page.plot, "gantt_diff", lambda *given, begin, end, **more: end - begin):
            drawn = _page._week(log, [types.SimpleNamespace(label="a=2", machine="all")], numbers).figures[0]
        self.assertEqual((len(drawn.svg), drawn.caption[:26]), (250_000, "1.8 days of this log, today"[:26]))

    def test_a_figure_of_differences_ends_where_waits_can(self):
        numbers = types.SimpleNamespace(svg=lambda ax, label: ax.get_xlim())
        own = Difference("short", 90, 135, 0.5, -0.9, 2e3, False)
        self.assertEqual(_page._shares([own], "", numbers), (-105, 300))
        self.assertEqual(_page._shares([own._replace(upper=math.inf)], "", numbers), (-105, 300))
        _page._shares([own._replace(today=9, other=12), own._replace(share=math.nan)], "", numbers)
        table = _page._classes([types.SimpleNamespace(label="a=2", classes=[own])], types.SimpleNamespace(svg=lambda ax, label: "")).tables[0]
        self.assertEqual(table.rows, [("short", "90", "135", "50 % longer [90 shorter, 200,000 longer]", "undecided")])


class MadeUp(unittest.TestCase):
    """Questions on results that no log would have: of 2 to 12 weeks, 1 to 20 draws, 1 to 3 partitions, with weeks, classes and draws without jobs or
    waits, and waits of many sizes."""

    def asked(self, seed):
        draw, numbers = random.Random(seed), np.random.default_rng(seed)
        weeks, draws, parts, others = draw.randint(2, 12), draw.randint(1, 20), draw.randint(1, 3), draw.randint(1, 3)
        size = draw.choice([0, 1e-3, 1, 50, 1e4, 1e8])
        jobs = draw.choice([weeks, 5 * weeks, 200])
        submit = np.sort(numbers.uniform(0, weeks * WEEK, jobs)) if draw.random() < 0.8 else np.sort(numbers.uniform(0, WEEK, jobs)) + WEEK
        classes, users = numbers.integers(0, parts, jobs), numbers.integers(0, 4, jobs)
        waits = [size * numbers.lognormal(0, draw.choice([0.1, 1, 4]), jobs) * (numbers.random(jobs) < draw.choice([0, 0.1, 1])) for _ in range(others + 1)]
        if draw.random() < 0.2:
            waits[1:] = [waits[0]] * others
        logged = draw.choice([waits[0], waits[0] * draw.uniform(0.1, 3), math.nan, 0.0])
        failures = {draw.randint(1, others): "job 3 never starts"} if draw.random() < 0.1 else {}
        cells = [job_rows(submit, own, classes, users, logged=logged) for own in waits]
        log = made_log([None if cell in failures else own for cell, own in enumerate(cells)], {number: f"p{number}" for number in range(parts)}, [32] * (others + 1))
        sums = [[numbers.permutation(np.resize(own, draws)) * draw.choice([0, 1, 5]) for _ in range(parts)] for own in waits]
        counts = numbers.integers(0, draw.choice([1, 2, 99]), (parts, draws))
        drawn = made_draws(np.where(counts == 0, 0, sums), counts, numbers.random(others + 1), [32] * (others + 1), draw.randint(2, 12))
        variations = [Variation(f"v={number}", f"Setting v to {number}") for number in range(others)]
        kept = Kept()
        calibration = _calibration.judge(log)
        text = _calibration.table_text(_calibration.section(calibration, QUESTION)) if hasattr(_calibration, "table_text") else ""
        text += _answers.first_text(log, calibration, variations, failures, draws)
        found = _answers.answers(drawn, log, calibration, variations, QUESTION, failures, kept)
        text += _answers.text(found)
        self.assertEqual(kept.has_failed, bool(failures), [own.sentence for own in found])
        self.assertNotRegex(text, r"\bnan\b|\binf\b")
        if seed % 10 == 0:
            with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(_page, "_week", lambda *_: None):
                path = pathlib.Path(folder) / "page.html"
                _page.write(str(path), drawn, log, calibration, found, QUESTION, kept)
                self.assertNotIn("Not drawn", path.read_text())
        return text

    def test_a_hundred_questions_are_answered(self):
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()) as said:
            warnings.simplefilter("error")
            for seed in range(100):
                with self.subTest(seed=seed):
                    self.asked(seed)
        self.assertEqual(said.getvalue(), "")


if __name__ == "__main__":
    unittest.main()
