#!/usr/bin/env python3
"""What `schedfarm whatif` makes of words and of slurm.conf, which the program reads."""
import contextlib
import doctest
import gzip
import io
import pathlib
import tempfile
import unittest
import unittest.mock

from schedfarm import _terminal
from schedfarm.errors import RequestError
from schedfarm.whatif import _answers, _calibration, _campaign, _change, _differences, _kept, _log, _site
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
                 "processors": 96, "replications": 20, "seed": 1, "facts": lambda: FACTS | (facts or {})}
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

    def test_a_window_is_in_the_time_of_the_log(self):
        header = {"header": [["UnixStartTime", "1772409600"], ["TimeZoneString", "Asia/Tokyo"]]}
        for word, begin, length in (("window=2026-03-03T06:00+90m", 86400 - 3 * 3600, 5400), ("window=2026-03-05T06:30+2d", 3 * 86400 - 2.5 * 3600, 172800),
                                    ("window=2026-03-05T06:30Z+5h", 3 * 86400 + 6.5 * 3600, 18000), ("window=2026-03-02T09:00+1h", 0, 3600)):
            self.assertEqual(self.one(word, facts=header).window, {"from": begin, "until": begin + length, "clusters": [0]}, word)
        self.refused("window=2026-03-02T08:59+1h", "outside of", facts=header)

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

    def test_crossed_variations_have_what_all_of_them_change(self):
        found = variations_of(self.question(conf=False), ["policy=fcfs", "nodes=+20", "window=2026-03-03+3h"], True)
        self.assertEqual(len(found), 7)
        self.assertEqual((found[-1].policy, found[-1].processors, found[-1].window["until"]), ("fcfs", 20, 97200.0))

    def test_draws_are_as_many_as_asked_for_beside_today(self):
        text = _campaign.whatif_text(self.question(replications=17), [self.one("bf_max_job_test=7"), self.one("window=2026-03-03+3h")])
        self.assertIn("\nreplications: 17\n", text)
        self.assertIn('comparison: {factor: configuration, metric: wait.mean, baseline: today}', text)
        self.assertIn('system.outages: [none, none, {windows: [{from: 86400.0, until: 97200.0, clusters: [0]}]}]', text)

    def test_a_shorter_limit_is_of_its_own_partition_and_of_jobs_that_today_admits(self):
        limits = [("short", 1800.0), ("short", 2700.0), ("short", 3600.0), ("long", 3000.0), ("short", 5000.0)]
        with unittest.mock.patch.object(_log, "_limits", lambda *_: limits):
            with self.assertRaisesRegex(RequestError, "'short=30': 2 jobs of the log ask for more"):
                _log.expect_limits("l.sacct", {}, "short=30", "short", 3600, 1800)
            _log.expect_limits("l.sacct", {}, "long=55", "long", 7200, 3300)
            _log.expect_limits("l.sacct", {}, "short=99", "short", 3600, 5940)

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
        self.refused("nodes=standrd+20", "no partition 'standrd'.*It has .*standard")
        self.refused("partition.gpus.MaxTime=3", "no partition 'gpus'.*It has .*gpu")
        self.refused("partition.MaxTime=3", "partition.NAME.MaxTime")
        self.refused("", "--vary '' does not say what is varied")
        self.refused("nodes=standard", r"PARTITION\+20")
        self.refused("bf_window=x2", "no number for bf_window.*the value itself")
        self.refused("window=tomorrow+12h", "window=2026-03-02T08:00")
        self.refused("window=2025-03-03+12h", "outside of")
        self.refused("window=2026-05-02+12h", "outside of")
        self.refused("window=2026-03-03+12h", "UnixStartTime|second 0", facts={"header": []})
        self.refused(["policy=fcfs", "policy=sjf"], "cannot be crossed", crossed=True, conf=False)
        self.refused("bf_max_job_test=1", "no time limits.*--policy fcfs", facts={"requested_time": {"jobs": 0}})
        old = {"logged_waits": [{"by": "partition", "group": "partition old"}, {"by": "partition", "group": "partition gpu"}]}
        self.refused("bf_max_job_test=1", "partition old, which .* older than the configuration", facts=old)
        qos = {"logged_waits": [{"by": "QOS", "group": "QOS high"}, {"by": "QOS", "group": "QOS normal"}]}
        self.refused("bf_max_job_test=1", "QOS high, which .*sacctmgr -P show qos", facts=qos, qos=str(self.folder / "qos.txt"))
        (self.folder / "more.conf").write_text("PriorityWeightQOS=0\n")
        self.assertEqual(self.one("bf_max_job_test=1", facts=qos).label, "bf_max_job_test=1")
        (self.folder / "more.conf").write_text("PriorityWeightQOS=5\n")
        self.refused("bf_max_job_test=1", "weighs priorities by QOS.*--qos", facts=qos)

    def test_a_table_without_limits_is_refused_before_it_is_read(self):
        def unread():
            raise AssertionError("the log is read")

        for name, data in (("l.sacct", b"JobID|Submit|Start\n"), ("l.sacct.gz", gzip.compress(b"JobID|Submit|Start\n"))):
            (self.folder / name).write_bytes(data)
            question = self.question()._replace(log=str(self.folder / name), facts=unread)
            with self.assertRaisesRegex(RequestError, "no time limits"):
                variations_of(question, ["bf_max_job_test=1"], False)
        (self.folder / "broken.gz").write_bytes(b"\x1f\x8bno")
        self.assertEqual(self.one("bf_max_job_test=1", log=str(self.folder / "broken.gz")).label, "bf_max_job_test=1")
        self.assertEqual(self.one("policy=fpfs", conf=False, policy="fcfs", facts={"requested_time": {"jobs": 0}}, log=str(self.folder / "l.sacct")).policy, "fpfs")

    def test_a_value_of_today_among_others_is_left_out_and_said(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(self.one("bf_max_job_test=7,500").label, "bf_max_job_test=7")
        self.assertRegex(said.getvalue(), "^schedfarm: 'bf_max_job_test=500' leaves the configuration as it is .*, and is left out\n$")

    def test_a_configuration_without_partitions_is_none(self):
        (self.folder / "slurm.conf").write_text("JobID|User\n")
        self.refused("bf_max_job_test=1", "has no line PartitionName. Give LOG first")

    def test_all_examples_hold(self):
        for module in (_answers, _calibration, _campaign, _change, _differences, _kept, _log, _site, _terminal):
            failed, tried = doctest.testmod(module)
            self.assertTrue(failed == 0 and tried > 0, module.__name__)


if __name__ == "__main__":
    unittest.main()
