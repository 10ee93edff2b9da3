#!/usr/bin/env python3
"""Schedules of tables and logs, worked out by hand; placing and overlaps are held against plain arrays of processors."""
import types
import unittest
import unittest.mock

import numpy as np

from schedfarm import FileError, RequestError, _schedules
from schedfarm._schedules import Schedule, of_table

# EASY on 8 processors. Job 4 is backfilled; 3 gets 0-3 and 6-7, since 2 holds 4-5 until 20.
SIX = """job,submit,start,finish,processors
1,0,0,10,4
2,0,0,20,2
3,1,11,16,6
4,2,2,11,2
5,2,16,46,2
6,3,16,20,1
"""
HEAD, RANGED = "job,submit,start,finish,processors\n", "job,submit,start,finish,processors,ranges\n"
WHOLE = RANGED[:-1] + ",kind\n"

BATSIM = """job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state,starting_time,execution_time,\
finish_time,waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata
1,w0,d1,0.000000,4,60,1,COMPLETED_SUCCESSFULLY,0.000000,10.000000,10.000000,0.000000,10.000000,1.000000,0-3,-1,"a, b"
2,w0,d2,0.500000,2,60,0,COMPLETED_WALLTIME_REACHED,0.500000,19.500000,20.000000,0,19.5,1,4 6,-1,""
3,w0,d2,0.750000,9,60,0,REJECTED,-1.000000,-1.000000,-1.000000,-1,-1,-1,,-1,""
4,w0,d2,1.000000,2,60,1,COMPLETED_SUCCESSFULLY,10.000000,2.25,12.250000,9,11.25,5,0,-1,"c"
"""
OF_BATSIM = WHOLE + "1,0,0,10,4,0-3,running\n2,0.5,0.5,20,2,4 6,running\n4,1,10,12.25,1,0,running\n"


def table(text, processors=None):
    return of_table(text.splitlines(), "t.csv", processors)


def random_jobs(chance, count):
    """Small integer times, some of length 0."""
    start = np.sort(chance.integers(0, 60, count)).astype(float)
    finish, sizes = start + chance.integers(0, 12, count), chance.integers(1, 10, count)
    order = np.lexsort((finish > start, start))
    return start[order], finish[order], sizes[order]


def first_shared(start, finish, ranges):
    """Whether two hold one processor at a time, unit by unit."""
    held = set()
    for row, first, last in ranges.tolist():
        own = {(time, place) for time in range(int(start[row]), int(finish[row])) for place in range(first, last + 1)}
        if own & held:
            return True
        held |= own
    return False


class Tables(unittest.TestCase):
    def expect_refused(self, text, says, processors=None):
        with self.assertRaises(FileError) as caught:
            table(text, processors)
        self.assertIn(says, str(caught.exception))

    def test_six_jobs_get_the_processors_worked_out_by_hand(self):
        schedule = table(SIX)
        self.assertEqual(schedule.processors, 8)
        self.assertEqual(schedule.table(), WHOLE + "1,0,0,10,4,0-3,running\n2,0,0,20,2,4-5,running\n4,2,2,11,2,6-7,running\n"
                                                   "3,1,11,16,6,0-3 6-7,running\n5,2,16,46,2,0-1,running\n6,3,16,20,1,2,running\n")
        self.assertEqual(table(SIX, 10).processors, 10)
        self.expect_refused(SIX, "t.csv: 7 processors are too few (the jobs hold up to 8). Give --processors 8.", 7)
        self.expect_refused(RANGED + "1,0,0,1,1,7\n", "7 processors are too few", 7)
        self.assertEqual(table(RANGED + "1,0,0,1,1,7\n", 8).processors, 8)

    def test_of_what_begins_at_one_instant_that_comes_first_which_takes_no_time(self):
        schedule = table(HEAD + "1,0,0,5,2\n2,0,0,0,3\n")
        self.assertEqual((schedule.processors, schedule.table()), (3, WHOLE + "2,0,0,0,3,0-2,running\n1,0,0,5,2,0-1,running\n"))

    def test_what_was_written_is_read_as_the_same_schedule(self):
        """Job 7 loads, runs, is suspended and goes on elsewhere while 8 holds its place; nodes with names like formulas have an apostrophe."""
        text = WHOLE[:-1] + (",user,home\n7,0,0,2,2,0-1,loading,,2\n7,0,2,5.5,2,0-1,running,,2\n8,1,5.5,9,2,0-1,running,41,1\n7,0,7,9,2,2 4,running,,2\n"
                             "-1,3,3,8,2,5-6,out_of_order,,\n'=1+2,0,0,0,3,0-2,node,,\n-4,0,0,0,1,3,node,,\n\"n,9\",0,0,0,2,4-5,node,,\n")
        schedule = table(text)
        self.assertEqual((schedule.processors, schedule.table()), (7, text))
        self.assertEqual(schedule.nodes, [("=1+2", 0, 2), ("-4", 3, 3), ("n,9", 4, 5)])
        self.assertEqual(schedule.first_rows().tolist(), [0, 2])
        self.assertEqual(table("\r\n".join((HEAD + "1,0,0,1,1\n\n2,0,1e0,2.5,1\n").splitlines())).table(),
                         WHOLE + "1,0,0,1,1,0,running\n2,0,1,2.5,1,0,running\n")

    def test_jobs_csv_of_batsim_and_evalys_are_the_schedule_of_their_columns(self):
        """Job 3 was rejected, job 4 got less than it asked for; formerly the order was another, and there was no metadata."""
        schedule = table(BATSIM)
        self.assertEqual((schedule.table(), schedule.notes), (OF_BATSIM, ["left out: 1 job, never started"]))
        older = ("workload_name,jobID,submission_time,requested_number_of_processors,starting_time,finish_time,allocated_processors\n"
                 "w0,1,0.0,4,0.0,10.0,0-3\nw0,2,0.5,2,0.5,20.0,4 6\nw0,3,0.75,9,,,\nw0,4,1.0,1,10.0,12.25,0\n")
        self.assertEqual(table(older).table(), OF_BATSIM)
        for name in ("1", "first", "1.5", "99999999999999999"):  # two workloads with a job 1, names that are no numbers
            numbered = table(BATSIM.replace("\n4,w0", f"\n{name},w1"))
            self.assertEqual(numbered.table(), OF_BATSIM.replace("\n4,", "\n3,"))
            self.assertIn("jobs are numbered by their rows", numbered.notes[1])
        self.expect_refused("job_id,submission_time,starting_time,finish_time\n1,0,0,1\n", "t.csv:1: this is no table of jobs")
        self.expect_refused(BATSIM.replace("4 6", "6 4"), "t.csv:3: '6 4' are no ranges")
        self.expect_refused(BATSIM.replace("4 6", "3-4"), "t.csv:3: processor 3 is held twice")

    def test_a_table_that_is_none_is_refused_with_line_and_reason(self):
        for text, says in (
                ("", "t.csv:1: this is no table of jobs (it begins with ''"),
                ("job,submit,start\n", "t.csv:1: this is no table of jobs"),
                ("job,submit,start,finish,process\n", "t.csv:1: this is no table"),
                (HEAD, "t.csv: there is no job to draw"),
                (HEAD + "1,0,0,1\n", "t.csv:2: this line has 4 values (the first has 5). Check that it is whole."),
                (HEAD + "1,0,0,1,1\n1,0,x,1,1\n", "t.csv:3: 'x' is no number (of column 'start'). Check that no column is missing."),
                (HEAD + "1,0,nan,1,1\n", "t.csv:2: 'nan' is no number"),
                (HEAD + "1,0,1e999,1,1\n", "t.csv:2: '1e999' is no number"),
                (HEAD + "1,0,1_0,1,1\n", "t.csv:2: '1_0' is no number"),
                (HEAD + "1.5,0,0,1,1\n", "t.csv:2: '1.5' cannot be in column 'job'"),
                (HEAD + "1,0,0,1,0\n", "t.csv:2: '0' cannot be in column 'processors' (an integer from 1 to 16777216 is expected)"),
                (HEAD + "1,0,0,1,1e9\n", "'1e9' cannot be in column 'processors'"),
                (HEAD + "1,5,0,6,1\n", "t.csv:2: job 1 goes back in time (submit 5, start 0, finish 6). Check the order of the columns."),
                (HEAD + "1,0,7,6,1\n", "t.csv:2: job 1 goes back in time"),
                (HEAD + "1,0,0,1,1\n1,1,1,2,1\n", "t.csv:3: job 1 was submitted at 1 (an earlier line says 0)"),
                (HEAD + "1,0,0,1,1\n2,0,9,2,1\n3,0,x,2,1\n", "t.csv:3: job 2 goes back"),  # the first line that is wrong
                (RANGED + "1,0,0,1,2,1-0\n", "t.csv:2: '1-0' are no ranges"),
                (RANGED + "1,0,0,1,2,3 1\n", "'3 1' are no ranges"),
                (RANGED + "1,0,0,1,2,\n", "'' are 0 processors (column 'processors' says 2)"),
                (RANGED + "1,0,0,1,2,0-2\n", "'0-2' are 3 processors"),
                (WHOLE + "1,0,0,1,1,0,waits\n", "'waits' is nothing that a job does"),
                (WHOLE[:-1] + ",user\n1,0,0,1,1,0,running,x\n", "'x' is no number (of column 'user')"),
                # Job 2 begins where 1 ends, which it may.
                (RANGED + "1,0,0,10,4,0-3\n2,0,10,12,2,2-3\n3,0,11,12,2,3-4\n",
                 "t.csv:4: processor 3 is held twice (job 3 begins at 11, and line 3 gives it to job 2 until 12)")):
            with self.subTest(text):
                self.expect_refused(text, says)
        for wrong in ("a", "-1", "3-", "3-1", "1 1", "2 1", "0-5 5", "99999999999", str(1 << 24)):
            self.expect_refused(RANGED + f"1,0,0,1,1,{wrong}\n", f"'{wrong}' are no ranges")
        self.assertEqual(table(RANGED + f"1,0,0,1,1,{(1 << 24) - 1}\n").processors, 1 << 24)


class Places(unittest.TestCase):
    def test_named_processors_never_overlap_and_are_the_lowest_free_ones(self):
        for seed in range(40):
            start, finish, sizes = random_jobs(np.random.default_rng(seed), 60)
            ranges = _schedules.lowest_free(start, finish, sizes)
            busy_until = np.zeros(1000)
            for row in range(60):
                own = np.concatenate([np.arange(first, last + 1) for of, first, last in ranges.tolist() if of == row])
                self.assertEqual(own.tolist(), np.flatnonzero(busy_until <= start[row])[:sizes[row]].tolist())
                busy_until[own] = finish[row]
            self.assertIsNone(_schedules.held_twice(start, finish, ranges))

    def test_a_processor_that_is_held_twice_is_found_wherever_a_plain_search_finds_one(self):
        found = 0
        for seed in range(200):
            start, finish, sizes = random_jobs(np.random.default_rng(seed), 12)
            ranges = _schedules.lowest_free(start, finish, sizes)
            ranges[seed % len(ranges), 1:] += 1
            columns = dict(job=np.arange(12), submit=start, start=start, finish=finish, processors=sizes, line=np.arange(2, 14))
            is_wrong = first_shared(start, finish, ranges)
            with self.subTest(seed):
                try:
                    _schedules.expect_once(Schedule("t", columns, ranges))
                    self.assertFalse(is_wrong)
                except FileError:
                    self.assertTrue(is_wrong)
            found += is_wrong
        self.assertTrue(20 < found < 180, found)


class Logs(unittest.TestCase):
    """What the program says of a log, from here on."""

    def of_log(self, lines, processors=None):
        with unittest.mock.patch.object(_schedules._program, "schedule_table", lambda path, *words: WHOLE[:-1] + ",user\n" + lines):
            return _schedules.of_log("l.swf", processors=processors)

    def test_that_hold_more_than_their_machine_are_drawn_on_it(self):
        """Job 1 has 0-2 and job 2 has 3-5, of which the machine has only 3."""
        lines = "1,0,0,10,3,,running,5\n2,1,9,19,3,,running,\n-1,0,0,0,4,,machine,\n"
        schedule = self.of_log(lines)
        self.assertEqual((schedule.processors, schedule.notes), (6, ["the log holds up to 6 processors at once; those above 4 are not drawn"]))
        self.assertEqual(schedule.table(), WHOLE[:-1] + ",user\n1,0,0,10,3,0-2,running,5\n2,1,9,19,3,3-5,running,\n")
        drawn = schedule.on_machine()
        self.assertEqual((drawn.processors, drawn["processors"].tolist(), drawn.ranges.tolist()), (4, [3, 1], [[0, 0, 2], [1, 3, 3]]))
        self.assertEqual((self.of_log(lines, 9).processors, self.of_log(lines, 9).on_machine().processors), (9, 9))
        self.assertEqual(self.of_log("1,0,0,10,3,,running,5\n1,1,9,19,3,,running,\n-1,0,0,0,0,,machine,\n").processors, 6)  # of one number, as requeued

    def test_that_name_nodes_are_drawn_on_them_unless_jobs_share_some(self):
        nodes = "n1,0,0,0,1,0,node,\nn2,0,0,0,1,1,node,\nn10,0,0,0,1,2,node,\n-1,0,0,0,0,,machine,\n"
        named = self.of_log("1,0,0,10,8,1-2,running,\n2,0,0,5,4,0,running,\n3,1,5,9,4,0,running,\n" + nodes)
        self.assertEqual((named.processors, named["processors"].tolist(), named.notes), (3, [2, 1, 1], ["rows are the nodes that the log names, n1 to n10"]))
        self.assertEqual(named.ranges.tolist(), [[0, 1, 2], [1, 0, 0], [2, 0, 0]])
        shared = self.of_log("1,0,0,10,8,0,running,\n2,0,0,5,4,0,running,\n" + nodes)
        self.assertEqual((shared.processors, shared["processors"].tolist()), (12, [8, 4]))


class Cells(unittest.TestCase):
    """Jobs 0 and 3 of a log, of which the second has no submit time, and what the program says of them."""

    def of_cell(self, clusters="[32]", policy="fpfs", held=(), found="", jobs=2, processors=None, pauses=False):
        log = np.array([(0, 0.5, 1, 4, 3, 2, 42), (3, np.nan, 2, 6, 3 if pauses else 4, 3, 41)][:jobs],
                       [(name, float) for name in ("job", "submit", "start", "finish", "service", "processors", "user")])
        text = [(name, "S99") for name in ("clusters", "label", "policy")]
        tables = {"jobs/2/1": log, "cells": np.array([(clusters, "fpfs, 0.6", policy)] * 3, text),
                  "processors/2/1": np.array(list(held), [(name, np.uint64) for name in ("job", "first", "last")]),
                  "replications": np.zeros(0, [("cell", int), ("replication", int)])}
        file = types.SimpleNamespace(path="a.h5", logs=[(2, 1)], has=tables.__contains__, records=tables.__getitem__, attributes={})
        self.asked = []

        def program(path, *words):
            self.asked += [words[-1]]
            return WHOLE[:-1] + ",user,home\n" + found
        with unittest.mock.patch.object(_schedules._program, "schedule_table", program):
            return _schedules.of_cell(file, 2, 1, processors)

    def test_are_drawn_on_the_processors_that_the_file_names(self):
        held = [(0, 1, 1), (0, 7, 7), (3, 2, 4)]
        schedule = self.of_cell(held=held)
        self.assertEqual(schedule.table(), WHOLE[:-1] + ",user\n0,0.5,1,4,2,1 7,running,42\n3,2,2,6,3,2-4,running,41\n")
        self.assertEqual((schedule.name, schedule.processors, schedule.unit, schedule.notes, self.asked),
                         ("cell 2 (fpfs, 0.6), replication 1", 32, "time units", [], []))
        self.assertEqual(self.of_cell(held=held, processors=8).processors, 8)
        with self.assertRaisesRegex(RequestError, r"a\.h5: cell 2 .*: it cannot be drawn on 7 processors \(its jobs need 8, and"):
            self.of_cell(held=held, processors=7)
        with self.assertRaisesRegex(RequestError, "there is no job to draw .none started"):
            self.of_cell(jobs=0)

    def test_without_processors_get_the_lowest_free_ones(self):
        schedule = self.of_cell(found="0,1,1,4,2,,running,,\n3,2,2,6,3,,running,,\n")
        self.assertEqual((schedule.ranges.tolist(), self.asked), ([[0, 0, 1], [1, 2, 4]], ["segments"]))
        self.assertEqual(schedule.notes, ["the file does not say which processors jobs held: each has the lowest free ones"])

    def test_run_in_the_stretches_that_the_program_finds(self):
        """Job 3 runs from 2 to 3 and from 4 to 6; job 1 is not logged; nothing is said of job 0, whose processors the file has."""
        found = "3,2,2,3,3,4-6,running,,\n1,3,3,4,1,0,running,,\n3,4,4,6,3,7-9,running,,\n-1,1,1,3,2,10-11,out_of_order,,\n"
        schedule = self.of_cell(found=found, held=[(0, 1, 2)], pauses=True)
        self.assertEqual(schedule.table(), WHOLE[:-1] + ",user\n0,0.5,1,4,2,1-2,running,42\n3,2,2,3,3,4-6,running,41\n3,2,4,6,3,7-9,running,41\n"
                                                        "-1,1,1,3,2,10-11,out_of_order,\n")

    def test_of_several_clusters_have_homes(self):
        schedule = self.of_cell("[4, 2]", found="0,1,1,4,3,0-1 4,running,,2\n3,2,2,6,2,2-3,running,,1\n")
        self.assertEqual((schedule.processors, schedule.clusters), (6, (4, 2)))
        self.assertEqual(schedule.table(), WHOLE[:-1] + ",user,home\n0,0.5,1,4,3,0-1 4,running,42,2\n3,2,2,6,2,2-3,running,41,1\n")

    def test_of_slurm_have_the_names_of_nodes(self):
        schedule = self.of_cell(policy="{slurm: {conf: x}}", held=[(0, 1, 2), (3, 8, 10)], found="n1,0,0,0,4,0-3,node,,\nbig,0,0,0,28,4-31,node,,\n")
        self.assertEqual((self.asked, schedule.nodes), (["names"], [("n1", 0, 3), ("big", 4, 31)]))
        self.assertEqual(schedule["job"].tolist(), [0, 3])


if __name__ == "__main__":
    unittest.main(verbosity=2)
