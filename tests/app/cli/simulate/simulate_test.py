"""`schedfarm simulate`: schedules worked out by hand or by plain loops, what it prints and writes, and wrong words of
every kind.

usage: simulate_test.py PROGRAM [--logs]     with --logs: the real logs in $SCHEDFARM_TRACES instead
"""
import csv
import gzip
import io
import json
import math
import random
import re
import subprocess
import sys

import plain_backfilling
from program import expect, expect_logs_are_refused, expect_refused, logs_or_skip, main, short_or_long

HEADER = "job,submit,start,finish,processors"
# (submit, processors, run, request) on 8 processors. Under EASY: jobs 1 and 2 start at 0, job 3 (6 processors) heads
# the queue; its shadow time is 12, when job 1 is expected to end, with no extra processors. At 2 job 4 (9 s, until 11)
# overtakes, job 5 (30 s) may not, and job 6 finds no processor. Job 1 ends at 10, but job 4 holds two processors: job 3
# starts at 11, and jobs 5 and 6 at 16.
EIGHT = [(0, 4, 10, 12), (0, 2, 20, 20), (1, 6, 5, 5), (2, 2, 9, 9), (2, 2, 30, 30), (3, 1, 4, 4)]
EIGHT_ENDS = [10, 20, 16, 11, 46, 20]


def swf(jobs, first_number=1):
    lines = ["; MaxProcs: 8"]
    for number, (submit, processors, run, request) in enumerate(jobs, first_number):
        lines.append(f"{number} {submit} -1 {run} {processors} -1 -1 {processors} {request} -1 1 7 -1 -1 -1 -1 -1 -1")
    return "\n".join(lines) + "\n"


def jobs_of(program, *arguments):
    """The lines of the CSV, as numbers."""
    text = program.run("simulate", *arguments, "--jobs", "-").stdout
    rows = list(csv.reader(io.StringIO(text)))
    expect(",".join(rows[0]) == HEADER, f"header {rows[0]}")
    return [[float(value) for value in row] for row in rows[1:]]


def starts_of(program, *arguments):
    return [row[2] for row in jobs_of(program, *arguments)]


def expect_same(found, wanted, what):
    expect(len(found) == len(wanted), f"{what}: {len(found)} jobs, not {len(wanted)}")
    for place, (a, b) in enumerate(zip(found, wanted)):
        expect(a == b, f"{what}: job at place {place} starts at {a}, not {b}")


def by_hand(program):
    program.write("eight.swf", swf(EIGHT, first_number=11))
    expected = [HEADER] + [
        f"{11 + i},{submit},{end - run},{end},{size}"
        for i, ((submit, size, run, _), end) in enumerate(zip(EIGHT, EIGHT_ENDS))]
    for more in ([], ["--verify"], ["--general"]):
        done = program.run("simulate", "--trace", "eight.swf", "--processors", "8", "--policy", "easy", "--jobs", "-",
                           *more)
        expect(done.stdout.splitlines() == expected, f"{more}: {done.stdout}")


def ranges(program):
    """Jobs 1 and 2 start side by side; 4 gets the rest; at 11 job 3 fills what 2 leaves it, and so on."""
    arguments = ["--trace", "eight.swf", "-p", "8", "--policy", "easy", "--jobs", "-"]
    plain = program.run("simulate", *arguments).stdout.splitlines()
    wanted = ["ranges", "0-3", "4-5", "0-3 6-7", "6-7", "0-1", "2"]
    for more in ([], ["--verify"]):
        found = program.run("simulate", *arguments, "--ranges", *more).stdout.splitlines()
        expect(found == [f"{line},{held}" for line, held in zip(plain, wanted)], f"{more}: {found}")
    program.write("ranges.csv", "\n".join(found) + "\n")
    drawn = program.run("gantt", "ranges.csv", "-f", "csv").stdout.splitlines()
    expect(sorted(drawn[1:]) == sorted(line + ",running" for line in found[1:]), f"drawn otherwise: {drawn}")


def fractions_and_order(program):
    """Unsorted submits are sorted and told by the jobs' numbers, whole numbers have no decimals, others read back."""
    program.write("fractions.swf", swf([(10, 1, 0.1, 5), (0.5, 2, 3.25, 4), (7, 9, 1, 1), (1, 1, 0, 3), (1, 1, 9, 2)]))
    done = program.run("simulate", "--trace", "fractions.swf", "-p", "8", "--policy", "fcfs", "--jobs", "-")
    expect(done.stdout.splitlines()[1:] == ["1,10,10,10.1,1", "2,0.5,0.5,3.75,2", "5,1,1,3,1"], done.stdout)
    text = program.run("simulate", "--trace", "fractions.swf", "-p", "8", "--policy", "fcfs").stdout
    said = " ".join(text.split())
    expect("2 left out (1 larger than 8 processors, 1 run time 0); 1 cut at their requested time" in said, text)
    expect(all(len(line) <= 80 for line in text.splitlines()), f"wider than 80 columns:\n{text}")
    expect("oddities first in line 3 (submitted before the job of the line above), line 4 (more "
           "processors than the machine has); all by:" in said
           and "\n    schedfarm trace fractions.swf\n" in text, text)
    told = json.loads(program.run("simulate", "--trace", "fractions.swf", "-p", "8", "--policy", "fcfs", "--json").stdout)
    known = json.loads(program.run("trace", "fractions.swf", "--json").stdout)
    expect(told["oddities"] == known["oddities"] and len(told["oddities"]) > 2, f"{told['oddities']}")
    expect("submits 0.5 s to 10 s makespan" in said and "\nresponse time (s) " in text and "whole log" not in said, text)
    log_inside = "workload.jobs={trace: {file: example, resampling: none}}"
    for words, in_seconds in ((["lublin_feitelson"], True), (["feitelson_96"], False), (["moldable"], False),
                              (["reserved_version", "--set", log_inside], True)):
        text = program.run("simulate", "--model", *words, "-p", "256", "--policy", "easy", "--job-count", "9").stdout
        expect(bool(re.search(r"^wait \((s|min|h|d)\) +\d.*\n^response time \(", text, re.MULTILINE)) == in_seconds, f"{words}: {text}")
        expect(bool(re.search(r"^wait   .*\n^response time   ", text, re.MULTILINE)) != in_seconds, f"{words}: {text}")
    program.write("long.swf", swf([(0, 8, 36000, 36000), (3600, 8, 7200, 7200)]))  # waits 0 and 9 h, responses 10 and 11 h
    rows = program.run("simulate", "--trace", "long.swf", "-p", "8", "--policy", "fcfs").stdout.splitlines()
    for label, *numbers in (["submits", "0", "s", "to", "60", "min"], ["makespan", "12", "h"], ["wait", "(h)", "4.5"], ["response", "time", "(h)", "10.5"]):
        expect(any(row.split()[:1 + len(numbers)] == [label, *numbers] for row in rows), f"no {label} {numbers} among {rows}")
    gang = ["simulate", "-p", "128", "--policy", "matrix_gang", "--job-count", "9", "--model"]
    for words, warns in ((["feitelson_96"], 1), (["lublin_feitelson"], 0), (["feitelson_96", "--set", "slice_s=10"], 0)):
        said = " ".join(program.run(*gang, *words, "--set", "switch_paid=every_slice").stderr.split())
        expect(("meant in seconds (slice_s 100.0, switch_cost_s 1.0)" in said) == warns, f"{words}: {said}")
    part = program.run("simulate", "--trace", "fractions.swf", "-p", "8", "--policy", "fcfs", "--first", "2").stdout
    expect("of the whole log: 2 left out (" in " ".join(part.split()), part)
    first = jobs_of(program, "--trace", "fractions.swf", "-p", "8", "--policy", "fcfs", "--first", "2")
    expect([row[0] for row in first] == [2, 5], f"--first 2: {first}")
    program.write("silent.swf", swf([(0, 8, 5, -1), (0, 8, 6, -1)]))
    done = program.run("simulate", "--trace", "silent.swf", "-p", "8", "--policy", "easy")
    expect("each requests its run time" in done.stdout, done.stdout)
    rest = [(0, 8, 5, 6)] * 9
    for silent, hints in ((1, True), (0, False)):
        program.write("some.swf", swf([(0, 8, 5, -1)] * silent + rest))
        said = " ".join(program.run("simulate", "--trace", "some.swf", "-p", "8", "--policy", "easy").stdout.split())
        expect(("workload.missing_request=run_time` keeps those without" in said) == hints, f"{silent}: {said}")
        said = " ".join(program.run("trace", "some.swf").stdout.split())
        expect(("missing_request: run_time keeps those without" in said) == hints, f"{silent}: {said}")
    expect("oddities" not in program.run("simulate", "--trace", "eight.swf", "-p", "8", "--policy", "easy").stdout,
           "oddities of a log without any")
    text = (program.folder / "eight.swf").read_bytes()
    (program.folder / "more.swf.gz").write_bytes(gzip.compress(text) + text)
    more = program.run("simulate", "--trace", "more.swf.gz", "-p", "8", "--policy", "easy").stdout
    expect("first in the file (something that is not compressed" in " ".join(more.split()), f"in silence: {more}")
    asked = ["--set", "workload.missing_request=dropped"]
    program.run("simulate", "--trace", "silent.swf", "-p", "8", "--policy", "easy", *asked, exit_code=2)


def quantile(values, share):
    return sorted(values)[max(1, math.ceil(share * len(values))) - 1]


def summary(program):
    """The summary against the CSV, with the loss of capacity from a sweep over all instants."""
    arguments = ["--trace", "example", "-p", "64", "--policy", "easy", "--set", "workload.load_factor=2"]
    rows = jobs_of(program, *arguments)
    found = json.loads(program.run("simulate", *arguments, "--json", "--jobs", "jobs.csv").stdout)
    printed = program.run("simulate", *arguments, "--jobs", "-").stdout
    expect((program.folder / "jobs.csv").read_text() == printed, "a file is not what is printed")
    expect(len(rows) == found["jobs"] > 1000, f"{len(rows)} jobs")
    begin, end = rows[0][1], max(row[3] for row in rows)
    service = [finish - start for _, _, start, finish, _ in rows]
    response = [finish - submit for _, submit, _, finish, _ in rows]
    quantities = {
        "wait": [start - submit for _, submit, start, _, _ in rows],
        "response_time": response,
        "slowdown": [r / s for r, s in zip(response, service)],
        "bounded_slowdown": [max(1, r / max(s, 10)) for r, s in zip(response, service)]}
    for name, values in quantities.items():
        wanted = {"mean": sum(values) / len(values), "median": quantile(values, 0.5),
                  "p95": quantile(values, 0.95), "max": max(values)}
        for key, value in wanted.items():
            expect(math.isclose(found[name][key], value, rel_tol=1e-9), f"{name}.{key}: {found[name]}, not {wanted}")
    capacity = 64 * (end - begin)
    area = sum(row[4] * s for row, s in zip(rows, service))
    expect(math.isclose(found["utilization"], area / capacity, rel_tol=1e-9), f"utilization {found['utilization']}")
    changes = sorted([(row[1], 1, 0) for row in rows] + [(row[2], -1, row[4]) for row in rows]
                     + [(row[3], 0, -row[4]) for row in rows])
    waiting = busy = lost = used = 0
    last, window_end = begin, rows[-1][1]
    for time, more_waiting, more_busy in changes:
        length = max(0, min(time, window_end) - last)
        lost += (64 - busy) * length if waiting > 0 else 0
        used += busy * length
        waiting, busy, last = waiting + more_waiting, busy + more_busy, time
    expect(lost > 0, "nothing is lost in this case")
    window = 64 * (window_end - begin)
    expect(math.isclose(found["loss_of_capacity"], lost / window, rel_tol=1e-6), f"{found['loss_of_capacity']}")
    expect(math.isclose(found["gross_utilization"], used / window, rel_tol=1e-9), f"{found['gross_utilization']}")


def policies_in_few_words(program):
    """Of a policy with many parameters those that were given, and of a file what it is worth knowing."""
    program.write("slurm.conf", "NodeName=n[1-64] CPUs=1\nPartitionName=all Nodes=ALL Default=YES\n")
    done = program.run("simulate", "--trace", "example", "-p", "64", "--policy", "slurm", "--set", "conf=slurm.conf", "--set", "bf_interval=60")
    words = " ".join(done.stdout.split())
    expect('{slurm: {conf: "2 lines", bf_interval: 60}}, all else as by default' in words, done.stdout)
    (program.folder / "site").mkdir()
    program.write("site/own.conf", (program.folder / "slurm.conf").read_text())
    same = program.run("simulate", "--trace", "example", "-p", "64", "--policy", "{slurm: {conf: site/own.conf, bf_interval: 60}}")
    expect(same.stdout.split("policy", 1)[0] == done.stdout.split("policy", 1)[0], same.stdout)


def models(program):
    arguments = ["--model", "coallocation", "--clusters", "8,8", "--policy", "fcfs", "--job-count", "500",
                 "--set", "workload.component_size={uniform: [1, 4]}", "--set", "workload.request=unordered"]
    rows = jobs_of(program, *arguments, "--utilization", "0.5")
    expect([row[0] for row in rows] == list(range(1, 501)), "job numbers of a model")
    expect(rows == jobs_of(program, *arguments, "--utilization", "0.5", "--verify"), "verified is another schedule")
    expect(rows != jobs_of(program, *arguments, "--utilization", "0.5", "--seed", "2"), "another seed, the same jobs")
    listed = ["--model", "listed", "-p", "4", "--set", "workload.service_times=[2, 3]", "--set", "workload.sizes=[4, 3]",
              "--policy", "fcfs"]
    expect(starts_of(program, *listed) == [0, 2], "a model of two jobs")
    # The second job is an advance reservation for 10, so the first cannot start before it has run.
    reserved = ["--model", "listed", "-p", "4", "--set", "workload.service_times=[11, 3]",
                "--set", "workload.sizes=[4, 3]", "--set", "workload.fixed_starts=[-1, 10]"]
    expect(starts_of(program, *reserved, "--policy", "easy") == [13, 10], "a reservation under EASY")
    refuse(program, [*reserved, "--policy", "fcfs"], 2, "--policy fcfs:", "advance reservations", "Take one of ",
           " k_reservations,")


def generated_jobs(seed):
    """Many ties; half of the requests are exact."""
    dice = random.Random(seed)
    submit = 0
    jobs = []
    for _ in range(400):
        submit += dice.choice([0, 0, 1, 2, 5])
        run = dice.randint(1, 20)
        jobs.append((submit, dice.choice([1, 1, 2, 3, 4, 6, 8]), run, run + dice.choice([0, 0, 1, 4, 30])))
    return jobs


def against_plain_loops(program):
    for seed in range(short_or_long(6, 20)):
        jobs = generated_jobs(seed)
        program.write("generated.swf", swf(jobs))
        compare(program, jobs, 8, ["--trace", "generated.swf"])


def conservative_by_early_finishes(jobs, processors):
    return plain_backfilling.conservative(jobs, processors, every_finish=False)


def compare(program, jobs, processors, arguments):
    for policy, more, plain in (
            ("fcfs", [], plain_backfilling.fcfs),
            ("easy", [], plain_backfilling.easy),
            ("easy", ["--set", "simultaneous=submit_first"], plain_backfilling.easy_per_event),
            ("conservative", [], plain_backfilling.conservative),
            ("conservative", ["--set", "compress=early_finish"], conservative_by_early_finishes)):
        found = starts_of(program, *arguments, "-p", processors, "--policy", policy, *more)
        expect_same(found, plain(jobs, processors), f"{policy} {more} {arguments}")


def refuse(program, arguments, exit_code, *fragments):
    expect_refused(program, ["simulate", *arguments], exit_code, *fragments)


def wrong_words(program):
    def easy(*more):
        return ["--trace", "eight.swf", "-p", "8", "--policy", "easy", *more]

    refuse(program, easy("--set", "simultaneos=batch"), 2, "--set simultaneos=batch:", "'simultaneous'?")
    refuse(program, easy("--set", "simultaneous=bach"), 2, "'bach'")
    refuse(program, easy("--set", "workload.sizs=[1, 2]"), 2, "'sizes'?")
    refuse(program, easy("--set", "workload.sizes=[2, 1]"), 2, "[low, high]")
    refuse(program, easy("--set", "order"), 2, "key=value")
    refuse(program, easy("--set", "order=[1"), 2, "--set order=[1")
    refuse(program, easy("--set", "workload.run_times=[100, 200]"), 2, "no job is left")
    of_header = ["simulate", "--trace", "eight.swf", "--policy", "easy"]
    assert program.run(*of_header).stdout == program.run(*of_header, "-p", "8").stdout
    program.write("bare.swf", "1 0 0 5 1 -1 -1 1 9 -1 1 1 1 -1 1 -1 -1 -1\n")
    refuse(program, ["--trace", "bare.swf", "--policy", "easy"], 2, "with the machine's, such as --processors 64.")
    for size, wanted in (("1,024", 1024), ("16 (nodes of 4)", 16)):
        program.write("size.swf", f"; MaxProcs: {size}\n1 0 0 5 1 -1 -1 1 9 -1 1 1 1 -1 1 -1 -1 -1\n")
        expect(f"{wanted} processors" in program.run("simulate", "--trace", "size.swf", "--policy", "easy").stdout, size)
    for size in ("64 nodes x 16", "1.024", "99999999999", "64x16"):
        program.write("size.swf", f"; Note: x\n; MaxProcs: {size}\n; MaxNodes: 64\n1 0 0 5 1 -1 -1 1 9 -1 1 1 1 -1 1 -1 -1 -1\n")
        refuse(program, ["--trace", "size.swf", "--policy", "easy"], 2, f"size.swf:2: the header says MaxProcs '{size}'")
        program.run("simulate", "--trace", "size.swf", "--policy", "easy", "-p", "64")
    wide = 9223372036854775807
    program.write("wide.swf", f"{wide} 0 -1 5 1 -1 -1 1 9 -1 1 {wide} {wide} {wide} {wide} {wide} {wide} -1\n")
    jobs = program.run("simulate", "--trace", "wide.swf", "-p", "8", "--policy", "easy", "--jobs", "-").stdout
    expect(jobs.endswith(f"\n{wide},0,0,5,1\n"), jobs)
    refuse(program, easy("--utilization", "0.5"), 2, "--model")
    model = ["--policy", "easy", "-p", "128", "--model"]
    refuse(program, [*model, "lublin_feitelson", "--utilization", "70"], 2, "70 times the work", "Write 0.7 for 70 %.")
    refuse(program, [*model, "lublin_feitelson", "--utilization", "7000"], 2, "Write 0.7 for 70 %.")
    program.run("simulate", *model, "lublin_feitelson", "--utilization", "2", "--job-count", "9")
    listed = ["listed", "--set", "workload.service_times=[1]", "--set", "workload.sizes=[1]"]
    refuse(program, [*model, *listed, "--utilization", "0.5"], 2, "jobs of workload 'listed' come when it says")
    program.run("simulate", *model, *listed)
    refuse(program, easy("--model", "listed"), 2, "--model")
    refuse(program, easy("--clusters", "8"), 2, "--clusters")
    refuse(program, easy("--first", "0"), 2, "--first")
    refuse(program, easy("--json", "--jobs", "-"), 2, "--json")
    refuse(program, easy("--ranges"), 2, "--jobs")
    refuse(program, ["--trace", "eight.swf", "-p", "8", "--policy", "esy"], 2, "'easy'?")
    refuse(program, ["--trace", "eight.swf", "-p", "0", "--policy", "easy"], 2, "0")
    refuse(program, ["--trace", "eight.swf", "-p", "x", "--policy", "easy"], 2, "'x'")
    refuse(program, ["--trace", "eight.swf", "-p", "8"], 2, "--policy")
    refuse(program, ["-p", "8", "--policy", "easy"], 2, "--trace")
    refuse(program, ["--model", "colocation", "-p", "8", "--policy", "easy"], 2, "'coallocation'?")


def partial_executions(program):
    """The line of the whole job counts, those of its parts do not, in files and in pipes."""
    whole, part = swf([(0, 4, 50, 60), (30, 4, 9, 60)]).splitlines()[1:], "1 0 -1 20 4 -1 -1 4 60 -1 2 7" + 6 * " -1"
    text = "\n".join(["; MaxProcs: 8", whole[0], part, whole[1], ""])
    program.write("partial.swf", text)
    expected = [[1, 0, 0, 50, 4], [2, 30, 30, 39, 4]]
    easy = ["-p", "8", "--policy", "easy"]
    expect(jobs_of(program, "--trace", "partial.swf", *easy) == expected, "partial executions are counted")
    kept = jobs_of(program, "--trace", "partial.swf", *easy, "--set", "workload.statuses=[1, 2]")
    expect(len(kept) == 3, f"statuses keep partial executions: {kept}")
    piped = subprocess.run(
        ["bash", "-c", f"{program.path} simulate --trace <(cat partial.swf) -p 8 --policy easy --jobs -"],
        cwd=program.folder, capture_output=True, text=True, check=False)
    expect(piped.stdout.splitlines()[1:] == ["1,0,0,50,4", "2,30,30,39,4"], f"{piped.stdout}{piped.stderr}")


def wrong_files(program):
    def easy(trace, *more):
        return ["--trace", trace, "-p", "8", "--policy", "easy", *more]

    expect_logs_are_refused(program, ["simulate", "--trace"], *easy("")[2:])
    expect_logs_are_refused(program, ["simulate", "--trace"], "--policy", "easy")  # the size is that of the header
    program.write("large.swf", swf([(0, 9, 1, 1)]))
    refuse(program, easy("large.swf"), 2, "no job is left")
    piped = subprocess.run(["bash", "-c", f"{program.path} simulate --trace <(echo '1 2 x') -p 8 --policy easy"],
                           cwd=program.folder, capture_output=True, text=True, check=False)
    expect(piped.returncode == 2 and ":1: " in piped.stderr, f"a pipe with a wrong line: {piped.stderr}")
    refuse(program, easy("eight.swf", "--jobs", "no/folder/x.csv"), 4, "no/folder/x.csv")
    refuse(program, easy("eight.swf", "--jobs", "."), 4, "folder")
    refuse(program, easy("eight.swf", "--jobs", "/dev/full"), 4, "/dev/full", "No space left")
    full = subprocess.run(f"{program.path} simulate --trace eight.swf -p 8 --policy easy > /dev/full", shell=True,
                          cwd=program.folder, capture_output=True, text=True, check=False)
    expect(full.returncode == 4 and "No space left" in full.stderr, f"full standard output: {full}")
    program.write("old.csv", "old")
    small = subprocess.run(f"ulimit -f 1; trap '' XFSZ; {program.path} simulate --trace example -p 64 --policy easy "
                           "--jobs old.csv", shell=True, executable="/bin/bash", cwd=program.folder,
                           capture_output=True, text=True, check=False)
    expect(small.returncode == 4 and "old.csv" in small.stderr, f"a file that grows too large: {small}")
    expect((program.folder / "old.csv").read_text() == "old", "the file that was there is lost")
    expect(not list(program.folder.glob("*.tmp")), "a temporary file is left")


def real_logs(program, traces):
    ctc60(program)
    kth = traces / "KTH-SP2-1996-2.1-cln.swf.gz"
    numbered = plain_backfilling.read_normalised(kth)
    expect(len(numbered) == 28467, f"KTH has {len(numbered)} jobs")
    compare(program, [job for _, job in numbered], 100, ["--trace", kth.name])
    rows = jobs_of(program, "--trace", kth.name, "-p", "100", "--policy", "easy")
    expect([int(row[0]) for row in rows] == [number for number, _ in numbered], "job numbers of KTH")


def ctc60(program):
    """Mean response / mean service of CTC jobs above 60 s by size class, EASY with requests raised to the run time."""
    rows = jobs_of(
        program, "--trace", "CTC-SP2-1996-3.1-cln.swf.gz", "-p", "320", "--policy", "easy",
        "--set", "workload.overrun=request_raised", "--set", "workload.from=3048840",
        "--set", "workload.before=5727240", "--set", "workload.run_times=[60.001, 1e9]")
    counts, response, service = [0] * 10, [0] * 10, [0] * 10
    for _, submit, start, finish, size in rows:
        size_class = math.ceil(math.log2(size))
        counts[size_class] += 1
        response[size_class] += finish - submit
        service[size_class] += finish - start
    expect(counts == [2514, 710, 747, 599, 900, 473, 420, 74, 45, 23], f"ctc60: {counts}")
    found = [f"{r / s:.3g}" for r, s in zip(response, service)]
    expect(found == ["1.66", "1.89", "2.53", "3.81", "3.34", "4.18", "4.94", "5.55", "85.8", "23.8"], f"ctc60: {found}")


def test(program, arguments):
    if arguments == ["--logs"]:
        real_logs(program, logs_or_skip())
        return
    by_hand(program)
    ranges(program)
    fractions_and_order(program)
    summary(program)
    policies_in_few_words(program)
    models(program)
    against_plain_loops(program)
    wrong_words(program)
    partial_executions(program)
    wrong_files(program)


if __name__ == "__main__":
    sys.exit(main(test))
