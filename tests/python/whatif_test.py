#!/usr/bin/env python3
"""What `schedfarm whatif` makes of words, of slurm.conf, and of numbers, by hand. The program reads slurm.conf."""
import contextlib
import doctest
import io
import math
import pathlib
import tempfile
import types
import unittest
import unittest.mock

import numpy as np
import pandas as pd

from schedfarm import _intervals, _terminal
from schedfarm._intervals import Estimate
from schedfarm.errors import RequestError
from schedfarm.whatif import _answers, _calibration, _campaign, _log, _page, _site
from schedfarm.whatif._answers import Difference
from schedfarm.whatif._campaign import Question, variations_of

CONF = """\
PriorityWeightFairshare=1000   # of the site
SchedulerParameters=bf_max_job_test=500,defer
Include more.conf
NodeName=DEFAULT CPUs=32
NodeName=n[01-03] RealMemory=5
NodeName=g[1-2] Gres=gpu:4
PartitionName=DEFAULT MaxTime=2-0
PartitionName=standard \\
    Nodes=n[01-03]
PartitionName=gpu Nodes=g[1-2] MaxTime=60
"""
FACTS = {"dense_period": {"from": None, "before": None, "text": ""}, "requested_time": {"jobs": 9}, "first_submit": 0, "last_submit": 60 * 86400, "header": [["UnixStartTime", "1772409600"]],
         "logged_waits": [{"by": "partition", "group": "partition gpu"}], "never_given": []}


class Mapping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "slurm.conf").write_text(CONF)
        (self.folder / "more.conf").write_text("PriorityWeightAge=7\n")
        (self.folder / "qos.txt").write_text("Name|Priority\nnormal|0\n")
        (self.folder / "assoc.txt").write_text("Cluster|Account|User|Share|ParentName\nc|root||1|\n")

    def question(self, conf=True, facts=None, **more):
        given = {"log": "l.sacct", "conf": str(self.folder / "slurm.conf") if conf else "", "associations": "", "qos": "", "accept": (), "policy": "",
                 "processors": 96, "replications": 20, "seed": 1, "facts": FACTS | (facts or {})}
        return Question(**(given | more))

    def one(self, word, **more):
        found = variations_of(self.question(**more), [word], False)
        self.assertEqual(len(found), 1)
        return found[0]

    def refused(self, words, pattern, crossed=False, **more):
        with self.assertRaisesRegex(RequestError, pattern) as raised:
            variations_of(self.question(**more), [words] if isinstance(words, str) else words, crossed)
        self.assertNotIn("\n", str(raised.exception))

    def test_words_become_changes_of_the_configuration(self):
        self.assertEqual(self.one("bf_max_job_test=2000").changes, ("bf_max_job_test=2000",))
        self.assertEqual(self.one("bf_max_job_test=2000").words, "Raising bf_max_job_test from 500 to 2,000")
        self.assertEqual(self.one("bf_max_job_test=100").words, "Lowering bf_max_job_test from 500 to 100")
        self.assertEqual(self.one("PriorityWeightFairshare=x2", associations=str(self.folder / "assoc.txt")).changes, ("PriorityWeightFairshare=2000",))
        self.assertEqual(self.one("priorityweightage=x0.5").changes, ("priorityweightage=4",))  # of the included file
        self.assertEqual(self.one("partition.gpu.MaxTime=2:00:00").changes, ("PartitionName=gpu MaxTime=2:00:00",))
        self.assertEqual(self.one("assoc_limit_stop").changes, ("assoc_limit_stop",))
        self.assertEqual(self.one("window=2026-03-03T06:00+12h").window, {"from": 108000.0, "until": 151200.0, "clusters": [0]})

    def test_a_window_is_in_the_zone_of_the_log_or_its_own(self):
        def begin_and_end(word, *header):
            window = self.one(word, facts={"header": [*FACTS["header"], *header]}).window
            return window["from"], window["until"]

        new_york = ["TimeZoneString", "America/New_York"]  # five hours behind UTC, four from 8 March on
        self.assertEqual(begin_and_end("window=2026-03-03T06:30+45m", new_york), (127800.0, 130500.0))
        self.assertEqual(begin_and_end("window=2026-03-09T06:30+45m", new_york), (642600.0, 645300.0))
        self.assertEqual(begin_and_end("window=2026-03-03T06:30+45m", ["TimeZone", "5400"]), (104400.0, 107100.0))
        self.assertEqual(begin_and_end("window=2026-03-03T06:30+02:00+3d", new_york), (102600.0, 361800.0))
        self.refused("window=2026-03-03+12h", "zone.*Mars", facts={"header": [*FACTS["header"], ["TimeZoneString", "Mars/Base"]]})

    def test_nodes_that_come_are_as_those_of_the_partition(self):
        question = self.question()
        self.assertEqual(_campaign.site_of(question).node_sizes(), [32, 32, 32, 32, 32])
        found = self.one("nodes=gpu+20")
        self.assertEqual(found.changes, ("PartitionName=gpu Nodes=+20",))
        self.assertEqual(len(_campaign.site_of(question, found.changes).node_sizes()), 25)

    def test_events_and_reservations_are_of_the_log_and_not_of_its_draws(self):
        (self.folder / "r.txt").write_text("ReservationName=m StartTime=2026-03-02T01:00:00 EndTime=2026-03-02T02:00:00\n  Nodes=n[01-02] Created=5\n")
        question = self.question(events="e.txt", reservations=str(self.folder / "r.txt"), reading={"zone": "Europe/Rome", "from": "2026-03-03"})
        found = self.one("nodes=gpu+2")
        text = _campaign.log_text(question, [found])
        held = "ReservationName=m StartTime=1772409600 EndTime=1772413200 Nodes=n[01-02] Created=5"  # an hour before that of UTC
        self.assertIn(f'system.slurm.changes: [["{held}"], ["{held}", "PartitionName=gpu Nodes=+2"]]', text)
        self.assertIn("outages: {file: e.txt}", text)
        self.assertIn('zone: Europe/Rome, from: "2026-03-03"', text)
        drawn = _campaign.whatif_text(question, [found])
        self.assertNotIn("Reservation", drawn)
        self.assertNotIn("e.txt", drawn)
        self.refused("policy=fcfs", "Write --slurm-conf FILE", conf=False, events="e.txt")

    def test_several_values_are_several_variations_and_cross_has_every_combination(self):
        words = ["bf_max_job_test=1,2", "partition.gpu.Nodes=g[1,2]"]
        self.assertEqual([own.label for own in variations_of(self.question(), words, False)],
                         ["bf_max_job_test=1", "bf_max_job_test=2", "partition.gpu.Nodes=g[1,2]"])
        crossed = variations_of(self.question(), words, True)
        self.assertEqual(len(crossed), 3 * 2 - 1)
        self.assertEqual(crossed[-1].changes, ("bf_max_job_test=2", "PartitionName=gpu Nodes=g[1,2]"))

    def test_without_a_conf_policies_and_their_parameters_are_varied(self):
        self.assertEqual(self.one("policy=conservative", conf=False).policy, "conservative")
        self.assertEqual(self.one("order=sjf", conf=False).policy, {"easy": {"order": "sjf"}})
        self.assertEqual(self.one("reservations=7", conf=False, policy="k_reservations").policy, {"k_reservations": {"reservations": 7}})
        self.assertEqual(self.one("nodes=+20", conf=False).processors, 20)
        text = _campaign.whatif_text(self.question(conf=False), [self.one("nodes=+20", conf=False)])
        self.assertIn("policy: easy\n", text)
        self.assertIn("{zip: {system.clusters: [[96], [116]]}", text)
        self.assertNotIn("\nsystem:", text)

    def test_what_cannot_be_asked_is_refused_in_one_line_with_the_way_out(self):
        self.refused("bf_max_job_test=500", "leaves the configuration as it is")
        self.refused("partition.gpu.maxtime=60", "leaves the configuration as it is")
        self.refused("policy=easy", "leaves everything as it is", conf=False)
        self.refused("policy=easy", "Leave out --slurm-conf")
        self.refused("PriorityWeightFairshare=7", "no file says what these are. --associations FILE")
        self.refused("nodes=+4", r"to which partition.*nodes=standard\+4")
        self.refused("partition.gpu.MaxTime=banana", "'partition.gpu.MaxTime=banana' is no time limit.*1:30:00")
        self.refused("nodes=standrd+20", "no partition 'standrd'.*mean 'standard'")
        self.refused("partition.gpus.MaxTime=3", "no partition 'gpus'.*mean 'gpu'")
        self.refused("partition.MaxTime=3", "partition.NAME.MaxTime")
        self.refused("", "--vary '' does not say what is varied")
        self.refused("nodes=standard", r"PARTITION\+20")
        self.refused("bf_window=x2", "no number for bf_window.*the value itself")
        self.refused("window=tomorrow+12h", "window=2026-03-02T08:00")
        self.refused("window=2025-03-03+12h", "outside of")
        self.refused("window=2026-03-03+12h", "UnixStartTime|second 0", facts={"header": []})
        self.refused(["policy=fcfs", "policy=sjf"], "cannot be crossed", crossed=True, conf=False)
        self.refused("bf_max_job_test=1", "no time limits.*--policy fcfs", facts={"requested_time": {"jobs": 0}})
        self.refused("bf_max_job_test=1", "fewer than two whole weeks", facts={"last_submit": 13 * 86400})
        self.refused("bf_max_job_test=1", "fewer than two whole weeks", facts={"dense_period": {"from": 40 * 86400, "before": 53 * 86400, "text": "3 jobs"}})
        old = {"logged_waits": [{"by": "partition", "group": "partition old"}, {"by": "partition", "group": "partition gpu"}]}
        self.refused("bf_max_job_test=1", "partition old, which .* older than the configuration", facts=old)
        qos = {"logged_waits": [{"by": "QOS", "group": "QOS high"}, {"by": "QOS", "group": "QOS normal"}]}
        self.refused("bf_max_job_test=1", "QOS high, which .*sacctmgr -P show qos", facts=qos, qos=str(self.folder / "qos.txt"))
        (self.folder / "more.conf").write_text("PriorityWeightQOS=5\n")
        self.refused("bf_max_job_test=1", "weighs priorities by QOS.*--qos", facts=qos)

    def test_a_value_of_today_among_others_is_left_out_and_said(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(self.one("bf_max_job_test=7,500").label, "bf_max_job_test=7")
        self.assertRegex(said.getvalue(), "^schedfarm: 'bf_max_job_test=500' leaves the configuration as it is .*, and is left out\n$")

    def test_a_configuration_without_partitions_is_none(self):
        (self.folder / "slurm.conf").write_text("JobID|User\n")
        self.refused("bf_max_job_test=1", "has no line PartitionName. Is it a slurm.conf")

    def test_all_examples_hold(self):
        for module in (_answers, _calibration, _campaign, _log, _site, _terminal):
            failed, tried = doctest.testmod(module)
            self.assertTrue(failed == 0 and tried > 0, module.__name__)


class Judges(unittest.TestCase):
    def test_the_ratio_and_its_jackknife_by_hand(self):
        # Four weeks with sums 10, 20, 30, 40 as logged and 12, 18, 33, 37 as simulated: ratio 1.
        ratio, lower, upper = _calibration.ratio_interval(np.array([10.0, 20, 30, 40]), np.array([12.0, 18, 33, 37]), np.array([0, 1, 3, 4]))
        left_out = np.log([88 / 90, 82 / 80, 67 / 70, 63 / 60])
        error = math.sqrt(3 / 4 * np.sum((left_out - left_out.mean()) ** 2))
        t = _intervals.t_two_sided(0.95, 3)
        self.assertAlmostEqual(ratio, 1)
        self.assertAlmostEqual(lower, math.exp(-t * error))
        self.assertAlmostEqual(upper, math.exp(t * error))

    def test_too_few_blocks_have_no_interval_and_no_verdict(self):
        found = _calibration.ratio_interval(np.ones(9), np.ones(9), np.arange(9) % 3)
        self.assertEqual(found[0], 1)
        self.assertTrue(math.isnan(found[1]))
        self.assertEqual(_calibration.verdict(*found), _calibration.FEW)

    def test_classes_of_a_log_without_partitions_name_none(self):
        jobs = pd.DataFrame({"submit": np.arange(40) * 86400.0, "logged_wait": 100.0, "class": np.arange(40) % 2})
        jobs["start"] = jobs["submit"] + 100
        log = types.SimpleNamespace(jobs=lambda cell: jobs, class_names=lambda cell: {0: "partition not known, 1-3 processors", 1: "short, 9 processors"})
        self.assertEqual([own.name for own in _calibration.judge(log)], ["all jobs", "1-3 processors", "short, 9 processors"])

    def test_waits_below_a_minute_are_the_same(self):
        short, long_ = np.full(20, 5.0), np.full(20, 50.0)
        block = np.arange(20) % 5
        self.assertEqual(_calibration._class(0, "a", short, long_, block).verdict, _calibration.USABLE)
        self.assertEqual(_calibration._class(0, "a", 10 * short, 10 * long_, block).verdict, _calibration.NOT)
        self.assertEqual(_calibration._class(0, "a", short * 0, short * 0, block).verdict, _calibration.USABLE)

    def decided(self, *in_errors, skewness=0.0):
        """What Holm's procedure makes of differences that are so many standard errors of 0.01 from 0; `skewness`: of the first."""
        family = [(number, "all jobs", 100.0, Estimate(3, 0.01 * far, 0.01, 0.0 if number else skewness, 2, is_of_logs=True))
                  for number, far in enumerate(in_errors)]
        return [_answers.holm(family)[number][0] for number in range(len(family))]

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
        self.assertEqual([own.is_decided for own in self.decided(8, 7.7, skewness=-1)], [False, False])  # the first is skewed towards 0
        self.assertEqual([own.is_decided for own in self.decided(8, 7.7)], [True, True])

    def test_the_interval_is_longer_where_one_week_made_the_difference(self):
        # Waits of four weeks are 1, 1, 1, 1 today and 1, 1, 1, 5: they bring -1/2, -1/2, -1/2, 3/2, of skewness 2, their mean 2 / sqrt(4).
        submit = 604800.0 * np.arange(4)
        log = types.SimpleNamespace(jobs=lambda cell: pd.DataFrame({"submit": submit, "start": submit + [[1, 1, 1, 1], [1, 1, 1, 5]][cell], "class": 0}))
        rows = pd.DataFrame({"cell": [0, 0, 0, 1, 1, 1], "wait.mean": [1.0, 1, 1, 1, 2, 3]})
        drawn = types.SimpleNamespace(table=lambda name: rows, cells=pd.DataFrame({"log_blocks": [4], "log_variance_ratio": [1.0]}))
        estimate = _answers.log_ratio(drawn, log, 1)
        self.assertAlmostEqual(estimate.mean, math.log(2))
        self.assertAlmostEqual(estimate.standard_error, 0.5 * math.sqrt(4 / 3 + 1 / 3))
        self.assertAlmostEqual(estimate.skewness, 1)
        sides = {level: np.abs(np.array(_answers.interval(estimate, level)) - estimate.mean) for level in (0.95, 0.999)}
        self.assertGreater(sides[0.95][1], 2 * sides[0.95][0])
        self.assertAlmostEqual(sides[0.95][0], _intervals.t_two_sided(0.95, estimate.degrees) * estimate.standard_error)
        np.testing.assert_allclose(sides[0.999] / sides[0.95], _intervals.t_two_sided(0.999, estimate.degrees) / _intervals.t_two_sided(0.95, estimate.degrees))

    def test_nodes_are_idle_on_which_no_job_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "slurm.conf"
            path.write_text("NodeName=DEFAULT Sockets=2 CoresPerSocket=2\nNodeName=a[1-2]\nNodeName=b CPUs=1\n")
            self.assertEqual(_site.Site(str(path)).node_sizes(), [4, 4, 1])
            self.assertEqual(_site.Site(str(path), changes=["NodeName=c[1-2] CPUs=8"]).node_sizes(), [4, 4, 1, 8, 8])

    def test_the_schedule_has_as_many_days_as_a_page_holds(self):
        jobs = [pd.DataFrame({"submit": [0.0], "start": [start], "finish": [start + 9]}) for start in (5.0, 7.0)]
        log = types.SimpleNamespace(jobs=lambda cell: jobs[cell])
        numbers = types.SimpleNamespace(svg=lambda span, label: "x" * int(1e6 * span / 604800))
        with unittest.mock.patch.object(_page.plot, "gantt_diff", lambda *given, begin, end, **more: end - begin):
            drawn = _page._week(log, [types.SimpleNamespace(label="a=2")], numbers).figures[0]
        self.assertEqual((len(drawn.svg), drawn.caption[:26]), (250_000, "1.8 days of this log, today"[:26]))

    def test_a_figure_of_differences_ends_where_waits_can(self):
        numbers = types.SimpleNamespace(svg=lambda ax, label: ax.get_xlim())
        self.assertEqual(_page._shares([Difference("short", 9, 0.5, -0.9, 2e7, False)], "", numbers), (-105, 300))
        table = _page._classes([types.SimpleNamespace(label="a=2", classes=[Difference("short", 9, 0.5, -0.9, 2e7, False)])],
                               types.SimpleNamespace(svg=lambda ax, label: "")).tables[0]
        self.assertEqual(table.rows, [("short", "9", "50", "-90", "> 1000", "undecided")])

    def test_of_what_is_not_usable_no_difference_is_said(self):
        other = _calibration.Class(-1, "all jobs", 9, 1, 9, 9, 8, 10, _calibration.NOT)
        log = types.SimpleNamespace(jobs=lambda cell: pd.DataFrame({"submit": [0.0], "start": [9.0]}))
        self.assertIn("will say nothing of waits", " ".join(_answers.first_text(log, [other], []).split()))
        self.assertEqual(_answers.first_text(log, [other, other._replace(number=0, verdict=_calibration.USABLE)], []), "")
        text = _answers.text([_answers.Answer("a=2", "Raising a: not said.", False, None, [], [], "utilization 1 % → 2 %")])
        self.assertEqual(text, "Raising a: not said.\n\na=2\n\nOver the draws utilization 1 % → 2 %.\n")

    def test_sentences_name_who_loses(self):
        variation = _campaign.Variation("a=2", "Raising a from 1 to 2")
        whole = Difference("all jobs", 100, -0.07, -0.11, -0.03, True)
        classes = [Difference("large jobs", 9, 0.04, 0.01, 0.08, True), Difference("small jobs", 9, -0.1, -0.2, -0.05, True)]
        self.assertEqual(_answers._sentence(variation, whole, classes, False),
                         "Raising a from 1 to 2 shortens the mean wait by 7 % [3, 11]; jobs of large jobs wait 4 % [1, 8] longer.")
        self.assertIn("nothing that this log could show: -7 %", _answers._sentence(variation, whole._replace(is_decided=False), classes, False))
        self.assertIn("no start of any job", _answers._sentence(variation, whole, classes, True))
        self.assertIn("not said for all jobs", _answers._sentence(variation, None, classes, False))


if __name__ == "__main__":
    unittest.main()
