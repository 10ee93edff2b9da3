"""`schedfarm whatif` from a log of Slurm to answers and their page, with the program and ranks: the log of the policy itself is usable, that of
another is not; both campaigns run again to the same payloads.

usage: whatif_test.py PROGRAM
"""
import contextlib
import csv
import datetime
import gzip
import html
import io
import math
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
from unittest import mock

from matplotlib.container import ErrorbarContainer
import numpy as np
from printed_numbers import Numbers, expect_found, expect_wrong_numbers_are_seen
from program import expect, main

SOURCES = pathlib.Path(__file__).resolve().parents[4] / "python" / "src"
sys.path.insert(0, str(SOURCES))

import schedfarm
from schedfarm import _command
from schedfarm.page import _sections
from schedfarm.whatif import _calibration, _change, _differences, _page

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=300,bf_max_job_test=50
NodeName=n[1-8] CPUs=4
PartitionName=DEFAULT OverSubscribe=EXCLUSIVE
PartitionName=standard Nodes=n[1-8] Default=YES
PartitionName=short Nodes=n[1-8] MaxTime=60 PriorityTier=2
"""
COLUMNS = "JobIDRaw User Account Partition QOS Submit Eligible Start End ElapsedRaw TimelimitRaw State AllocNodes AllocCPUS".split()


def rows_of(jobs=800, weeks=8):
    draw = random.Random(7)
    rows = []
    for number, second in enumerate(sorted(draw.randrange(weeks * 604800) for _ in range(jobs)), 1):
        is_short = draw.random() < 0.3
        limit = draw.choice([30, 60] if is_short else [120, 240, 480])
        nodes = draw.choice([1, 1, 2, 4, 8])
        submit = 1772409600 + second
        rows.append({"JobIDRaw": number, "User": f"secret{number % 7}", "Account": "a", "Partition": "short" if is_short else "standard", "QOS": "normal",
                     "Submit": submit, "Eligible": submit, "ElapsedRaw": draw.randrange(60, 60 * limit), "TimelimitRaw": limit, "State": "COMPLETED",
                     "AllocNodes": nodes, "AllocCPUS": 4 * nodes})
    return rows


def write_log(program, name, rows, waits):
    whole = [row | {"Start": row["Submit"] + int(wait), "End": row["Submit"] + int(wait) + row["ElapsedRaw"]} for row, wait in zip(rows, waits)]
    program.write("plain.sacct", "\n".join(["|".join(COLUMNS), *("|".join(str(row[column]) for column in COLUMNS) for row in whole)]) + "\n")
    program.run("trace", "plain.sacct", "--write", name)


def waits_under(program, policy):
    done = program.run("simulate", "--trace", "none.sacct", "--processors", "32", "--policy", policy, "--jobs", "-")
    rows = list(csv.DictReader(io.StringIO(done.stdout[done.stdout.index("job,"):])))
    return [float(row["start"]) - float(row["submit"]) for row in sorted(rows, key=lambda row: int(row["job"]))]


def stopped(program, name, is_time, *words):
    """What it prints until Ctrl-C, and its exit code. Nothing says that it runs on."""
    process = subprocess.Popen([program.path, "whatif", *words, "--output", f"{name}.yaml"], cwd=program.folder, start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while process.poll() is None and not is_time():
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    text = process.communicate()[0]
    expect(process.returncode == 3 and "Traceback" not in text and not list(program.folder.glob("*.lock")), (process.returncode, text))
    return text


def stopped_between(program, *words):
    """Ctrl-C when the program has just finished its first campaign, and in what follows it. The former answer stays as it is."""
    def interrupted(function, is_time=lambda *_: True):
        def calls(*arguments, **options):
            result = function(*arguments, **options)
            if is_time(*arguments):
                os.kill(os.getpid(), signal.SIGINT)
            return result
        return calls

    kept = (program.folder / "whatif.html").read_bytes()
    for module, name, *is_time in ((subprocess, "run", lambda words: words[1] == "run"), (_calibration, "judge")):
        printed = io.StringIO()
        with mock.patch.object(module, name, interrupted(getattr(module, name), *is_time)), contextlib.chdir(program.folder), \
                contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(printed), mock.patch.dict(os.environ, SCHEDFARM_PROGRAM=program.path):
            try:
                code = _command.main(["whatif", *words])
            except SystemExit as end:
                code = end.code
        text = printed.getvalue()
        expect(code == 3 and "running whatif.yaml" not in text and text.count("everything is saved. Go on with `") == 1, (name, code, text))
        expect((program.folder / "whatif.html").read_bytes() == kept, name)


def wrong_questions(program, over_half_an_hour):
    """What is asked, of own.sacct and slurm.conf unless it names others: one line with the way out, and the last answer stays as it is."""
    program.write("odd.conf", CONF.replace("bf_interval", "bf_tomorrow=3,bf_interval"))
    program.write("older.conf", CONF.replace("PartitionName=short", "PartitionName=brief"))
    program.write("qos.conf", CONF + "PriorityWeightQOS=5\n")
    program.write("qos.txt", "Name|Priority\nhigh|0\n")
    program.write("nolimits.sacct", re.sub(r"(?m)^((?:[^|]*\|){10})\d+", r"\1", (program.folder / "plain.sacct").read_text()))
    (program.folder / "table.sacct.gz").write_bytes(gzip.compress((program.folder / "own.sacct").read_bytes()))
    bf = "bf_max_job_test=2"
    for words, problem in (
            ("bf_max_jobtest=3", "Write 'bf_max_job_test', or, to ignore it, --accept bf_max_jobtest"),
            ("PriorityWeightAg=3", "Write 'priorityweightage', or"),
            ("kill_invalid_depend", "'kill_invalid_depend' is nothing that touches schedules"),
            ("bf_max_job_test=banana", "'bf_max_job_test=banana' does not say a whole number from 1 to 1000000 (jobs that backfill tests in a pass)"),
            ("bf_window", "'bf_window' does not say a whole number from 1 to 43200 (how far backfill plans ahead, in min)"),
            ("PriorityWeightAge=banana", "'PriorityWeightAge=banana' does not say a whole number from 0 to 4294967293 (weight of the age)"),
            ("PriorityMaxAge=banana", "'PriorityMaxAge=banana' does not say a time (age of full weight; minutes, or days-hours:minutes:seconds)"),
            ("SchedulerType=banana", "SchedulerType=banana would change schedules and is not modelled. To ignore it: --accept scheduler_type"),
            ("bf_max_job_test=50", "leaves the configuration as it is (slurm.conf says so already). Give another value."),
            ("bf_max_job_test=x2.5x", "'bf_max_job_test=x2.5x' does not say a whole number"),
            ("PriorityWeightAge=x2", "slurm.conf has no number for PriorityWeightAge that could be multiplied. Write the value itself."),
            ("PriorityWeightFairshare=5", "--associations FILE of sacctmgr -P show assoc"),
            ("policy=easy", "Leave out --slurm-conf, as in --policy easy --vary policy=conservative."),
            ("partition.short.MaxTme=3", "unknown word 'maxtme' of PartitionName (it might change schedules). Write 'maxtime', or, to ignore it, --accept maxtme"),
            ("partition.shrt.MaxTime=3", "no partition 'shrt' in slurm.conf. It has "),
            ("partition.MaxTime=3", "names no key of a partition. Write partition.NAME.MaxTime."),
            ("partition.short.MaxTime=banana", "'partition.short.MaxTime=banana' is no time limit. Write minutes (MaxTime=90), 1:30:00 or 1-12."),
            ("partition.short.MaxTime=30", f"{over_half_an_hour} jobs of the log ask for more"),
            ("partition.short.Nodes=n[1-9]", "no node is named n9 (no NodeName line has it, no NodeSet line above). Add one"),
            ("nodes=standrd+8", "no partition 'standrd' in slurm.conf. It has "),
            ("nodes=+4", "to which partition they come. Write, as one example, nodes=standard+4."),
            ("nodes=standard", "Write nodes=PARTITION+20, for 20."),
            ("window=tomorrow+2d", "Write it like window=2026-03-02T08:00+12h, with m, h or d."),
            ("window=1999-03-16T00:00+2d", "Give a date between its first and last submission."),
            ("=3", "Write, as one example, --vary bf_max_job_test=2000."),
            (f"{bf} slurm.conf own.sacct", "own.sacct has no line PartitionName. Give LOG first, and a slurm.conf with --slurm-conf."),
            (f"{bf} own.sacct own.sacct", "own.sacct has no line PartitionName. Give LOG first, and a slurm.conf with --slurm-conf."),
            (f"{bf} own.sacct table.sacct.gz", "table.sacct.gz has no line PartitionName. Give LOG first, and a slurm.conf with --slurm-conf."),
            (f"{bf} own.sacct odd.conf", "unknown word 'bf_tomorrow' of SchedulerParameters (it might change schedules). Write 'bf_window', or, to ignore it, --accept bf_tomorrow"),
            (f"{bf} own.sacct older.conf", "the log is older than the configuration, or of another machine."),
            (f"{bf} own.sacct qos.conf", "--qos FILE of sacctmgr -P show qos"),
            (f"{bf} own.sacct slurm.conf --qos qos.txt", "has jobs of QOS normal, which qos.txt has not. Dump it again: sacctmgr -P show qos"),
            (f"{bf} nolimits.sacct slurm.conf", "--policy fcfs --vary policy=fpfs,random_order,smallest_area_first"),
            (f"{bf} week.sacct slurm.conf", "the log has fewer than two whole weeks, of which draws are made. Dump more weeks"),
            (f"{bf} own.sacct slurm.conf --before 2026-03-09", "the log has fewer than two whole weeks, of which draws are made. Dump more weeks"),
            (f"{bf} own.sacct slurm.conf --from 2027-03-09", "no job is left (left out: 800 outside the dates). Give fewer conditions"),
            (f"{bf} own.sacct slurm.conf --policy easy", "--policy and --processors are of logs without --slurm-conf, which says both."),
            (f"{bf} none.sacct nowhere.conf", "nowhere.conf: the file cannot be read"),
            (f"{bf} lxf.sacct slurm.conf", "Choose another --output, or begin anew with --fresh")):
        vary, log, conf, *more = [*words.split(), *("own.sacct", "slurm.conf")[len(words.split()) - 1:]]
        kept = {path.name: path.read_bytes() for path in program.folder.glob("whatif*")}
        done = program.run("whatif", log, "--slurm-conf", conf, "--vary", vary, "--replications", "16", "--workers", "2", *more, exit_code=2)
        said = [line for line in done.stderr.splitlines() if not line.startswith("schedfarm: running whatif")]
        expect(problem in done.stderr and len(said) == 1 and said[0].startswith("schedfarm: error: "), (words, done.stderr))
        expect({path.name: path.read_bytes() for path in program.folder.glob("whatif*")} == kept, f"{words} left other files")
def left_out(program, rows):
    """Jobs that one variation cannot place are jobs of none, and the first line of the answer and of its page say how many these are. Where a
    variation can place no job at all its place has the reason, which is said nowhere else."""
    words = ["--slurm-conf", "slurm.conf", "--replications", "2", "--workers", "0"]
    own = [row["JobIDRaw"] for row in rows if row["Partition"] == "standard" and row["AllocNodes"] > 2]
    done = program.run("whatif", "own.sacct", *words, "--vary", "partition.standard.MaxNodes=2", "--vary", "bf_max_job_test=1", "--output", "two.yaml")
    said = (f"{len(own)} of {len(rows)} jobs are left out under every configuration, first job {own[0]}: a configuration that is compared here can "
            "never place them.")
    text = " ".join(done.stdout.split())
    expect(text.index(said) < text.index("Calibration:") and text.count(said) == 2, done.stdout)
    answer = html.unescape((program.folder / "two.html").read_text())
    expect(answer.index(said) < answer.index("MaxNodes=2"), "the page's answer does not begin with it")
    with schedfarm.open(program.folder / "two-log.h5") as log:
        expect(all(list(log.jobs(cell)["job_number"]) == [row["JobIDRaw"] for row in rows if row["JobIDRaw"] not in own] for cell in range(3)), "other jobs")
    # What the program warns of is said once, and names options, not keys of campaigns.
    warnings = [line for line in done.stderr.splitlines() if line.startswith("schedfarm: warning: ")]
    expect(len(warnings) == len(set(warnings)) and not re.search(r"leave_out|left_waiting|'from'|missing_request|period: ", done.stderr), done.stderr)
    # A part by dates is calibrated, too.
    done = program.run("whatif", "own.sacct", *words, "--vary", "bf_max_job_test=1", "--from", "2026-03-09", "--output", "part.yaml")
    expect(re.search(r"(?m)^all jobs +\d+ +[\d,.]+ +[\d,.]+ +\d\.\d\d \[", done.stdout), done.stdout)
    large = [row for row in rows if row["Partition"] == "standard" and row["AllocNodes"] > 2]
    write_log(program, "large.sacct", large, [0] * len(large))
    done = program.run("whatif", "large.sacct", *words, "--vary", "partition.standard.MaxNodes=2", "--vary", "bf_max_job_test=1", "--output", "large.yaml",
                       exit_code=1)
    reason = f"no answer (no job of the log can be placed: job {large[0]['JobIDRaw']} asks for {large[0]['AllocNodes']} nodes"
    expect(f"Setting partition.standard.MaxNodes=2: {reason}" in " ".join(done.stdout.split()), done.stdout)
    expect("failed" not in done.stderr and "error" not in done.stderr and "Lowering bf_max_job_test" in done.stdout, done.stderr)


def without_limits(program):
    """A fifth of the jobs of the how-to's log ask for no limit: they have that of their partition, and all are calibrated."""
    how_to = SOURCES.parents[1] / "docs" / "how-to"
    rows = [line.split("|") for line in gzip.decompress((how_to / "site.sacct.gz").read_bytes()).decode().splitlines()]
    limit = rows[0].index("Timelimit")
    for row in rows[1::5]:
        row[limit] = "UNLIMITED"
    program.write("unlimited.sacct", "".join("|".join(row) + "\n" for row in rows))
    program.write("site.conf", (how_to / "site.conf").read_text())
    done = program.run("whatif", "unlimited.sacct", "--slurm-conf", "site.conf", "--vary", "nodes=standard+8", "--replications", "2", "--workers", "0",
                       "--output", "unlimited.yaml")
    expect(re.search(r"^all jobs +2,000 +[\d.]+ +[\d.]+ ", done.stdout, re.MULTILINE) and "left out" not in done.stdout, done.stdout)


def recorded(program):
    """Of six workloads, each under three configurations of a real Slurm: from the log of one whatif tells the waits of another, both ways."""
    folder = SOURCES.parents[1] / "tests" / "slurm" / "whatif"

    def wait(name):
        rows = list(csv.DictReader(gzip.decompress((folder / f"{name}.sacct.gz").read_bytes()).decode().splitlines(), delimiter="|"))
        return np.mean([(datetime.datetime.fromisoformat(row["Start"]) - datetime.datetime.fromisoformat(row["Eligible"])).total_seconds() for row in rows])

    for today, other, vary in (("A", "B", "SchedulerType=sched/builtin"), ("A", "C", "bf_max_job_test=3"), ("B", "A", "SchedulerType=sched/backfill"),
                               ("C", "A", "bf_max_job_test=500")):
        done = program.run("whatif", folder / f"{today}.sacct.gz", "--slurm-conf", folder / f"{today}.conf", "--vary", vary, "--workers", "0", "--fresh",
                           "--output", "recorded.yaml")
        expect(re.search(r"(?m)^all jobs .* agrees$", done.stdout), (today, other, done.stdout))
        verb, low, high = re.search(r"(shortens|lengthens) the mean wait by \d+ % \[(\d+), (\d+)\]", " ".join(done.stdout.split())).groups()
        change = 100 * (wait(other) / wait(today) - 1)
        expect(int(low) <= abs(change) <= int(high) and (verb == "lengthens") == (change > 0), (today, other, change, done.stdout))


def numbers_of(program, nodes):
    """Means are those of the jobs and draws of both files, ratios and differences those that the judge finds in them; `nodes`: of the machine,
    today and under each variation."""
    log, drawn = (schedfarm.open(program.folder / f"{name}.h5") for name in ("whatif-log", "whatif"))
    calibration = _calibration.judge(log)
    jobs, users = [log.jobs(cell) for cell in range(len(nodes))], log.jobs(0)["user"]
    waits = [own["start"] - own["submit"] for own in jobs]
    busy = [((own["finish"] - own["start"]) * own["processors"]).sum() / 4 / (own["finish"].max() - own["start"].min()) for own in jobs]
    idle = 1 - drawn.estimates("gross_utilization")["mean"].to_numpy()
    shares, judged = [], [*nodes, *(nodes - busy), *(4 * idle * nodes), users.nunique(), *(value for own in calibration for value in own[2:8])]
    wholes = _differences.differences(drawn, calibration[:1], range(1, len(nodes)))
    for cell in range(1, len(nodes)):
        judged.append(_change.weeks_needed(_differences.of_log(log, cell), 16, 1 - 0.05 / (len(nodes) - 1)) or 0)
        longer = waits[cell].groupby(users).mean() - waits[0].groupby(users).mean()
        shares += [waits[cell].mean() / waits[0].mean() - 1, (longer > 60).mean(), (longer < -60).mean()]
        for own in [*wholes[cell], *_differences.differences(drawn, calibration[1:], [cell])[cell]]:
            judged += [own.today, own.other, own.weeks or 0]
            shares += [*(sign * share for share in (own.share, own.lower, own.upper) for sign in (1, -1))]
    waits = [wait for own in calibration for wait in (own.logged, own.simulated)] + [wait for cell in wholes for own in wholes[cell] for wait in (own.today, own.other)]
    waits += [wait for cell in range(1, len(nodes)) for own in _differences.differences(drawn, calibration[1:], [cell])[cell] for wait in (own.today, own.other)]
    return Numbers(log.path, drawn.path, also=[*judged, *(wait / unit for wait in waits for unit in (60, 3600)), *(100 * share for share in shares), 0.85, 1.18, 95])


def asked_again(program, *words):
    """The same question, without another process: what it prints, and what its figures show: texts, but for the axes, and where points and the ends
    of their intervals lie."""
    figures, printed = [], io.StringIO()

    class Watched(_sections.Numbers):
        def svg(self, drawn, label, rows=None):
            texts, places = [label], []
            for ax in np.ravel(drawn):
                texts += [text.get_text() for text in [*ax.figure.texts, *ax.texts, ax.title, *(ax.get_legend().get_texts() if ax.get_legend() else [])]]
                for points, _, bars in (bars for bars in ax.containers if isinstance(bars, ErrorbarContainer)):
                    places += [*points.get_xdata(), *(end for bar in bars for (begin, _), (end, _) in bar.get_segments() for end in (begin, end))]
            figures.append(("\n".join(texts), places))
            return super().svg(drawn, label, rows)

    with mock.patch.object(_page, "Numbers", Watched), contextlib.chdir(program.folder), contextlib.redirect_stdout(printed), \
            mock.patch.dict(os.environ, SCHEDFARM_PROGRAM=program.path):
        _command.main(["whatif", *words])
    return printed.getvalue(), figures


def expect_figures(program, figures, numbers):
    """The last one is that of the schedule, whose jobs have their numbers in the log."""
    points = "".join(f"\n{place:.6g}" for _, places in figures for place in places if math.isfinite(place))
    expect_found(numbers, "\n".join(texts for texts, _ in figures[:-1]) + points, "a figure")
    expect_wrong_numbers_are_seen(numbers, points, "figures")
    jobs = schedfarm.open(program.folder / "whatif-log.h5").jobs(0)
    expect_found(Numbers(also=jobs["job_number"]), figures[-1][0], "the schedule")


def expect_page(page, numbers):
    """What it says beside its figures."""
    text = html.unescape(re.sub("<[^>]*>", " ", re.sub(r"(?s)<(style|script|svg)\b.*?</\1>", " ", page)))
    expect_found(numbers, text, "the page")
    expect_wrong_numbers_are_seen(numbers, text, "the page")


def test(program, _arguments):
    rows = rows_of()
    program.write("slurm.conf", CONF)
    week = [row for row in rows if row["Submit"] < 1772409600 + 604800]
    write_log(program, "week.sacct", week, [0] * len(week))
    write_log(program, "none.sacct", rows, [0] * len(rows))
    write_log(program, "own.sacct", rows, waits_under(program, "{slurm: {conf: slurm.conf}}"))
    write_log(program, "lxf.sacct", rows, waits_under(program, "lxf"))

    words = ["--slurm-conf", "slurm.conf", "--replications", "16", "--workers", "2"]
    variations = ["--vary", "nodes=standard+2", "--vary", "partition.short.PriorityTier=1", "--vary", "bf_max_job_test=49", "--vary", "window=2026-03-16T00:00+2d"]
    done = program.run("whatif", "own.sacct", *words, *variations)
    text = " ".join(done.stdout.split())
    lines = [line for line in done.stdout.splitlines() if re.search(r"\d\.\d\d \[", line)]
    expect(len(lines) >= 5 and all("1.00 [1.00, 1.00]" in line for line in lines), done.stdout)
    expect("Adding 2 nodes to standard" in text and re.search(r"partition standard, [\d.]+ \d+ % shorter", text), text)
    expect("Lowering bf_max_job_test from 50 to 49 changes no start of any job of this log." in text, text)
    expect("Taking the machine down from 2026-03-16T00:00 for 2d" in text, text)
    first = re.search(r"A first answer, .* changes by nodes=standard\+2: -\d+ %; partition.*window=2026-03-16T00:00\+2d: \+\d+ %", text)
    expect(first and first.start() < text.index("Adding 2 nodes"), text)
    expect(re.search(r"In this log \d+ % of 7 users wait over a minute longer, \d+ % less, \d\.\d of 8 nodes idle → \d\.\d of 10; over the draws utilization",
                     text), text)
    expect("95 % intervals for logs like this one" in text and "change [95 %]" in text and text.endswith("schedfarm run whatif.yaml --fresh"), text)
    expect("the draws" in text and not re.search(r"\d\n(h|%|s) ", done.stdout), done.stdout)
    expect("secret" not in done.stdout, "names of users")
    expect(max(map(len, done.stdout.splitlines())) <= 80, done.stdout)

    numbers = numbers_of(program, np.array([8, 10, 8, 8, 8]))
    rules, shown = done.stdout.split("Calibration:", 1)
    expect(rules.startswith("Slurm's rules are those of 22.05. For another release: --slurm-version"), rules)
    expect_found(numbers, shown, "whatif")
    expect_wrong_numbers_are_seen(numbers, shown, "whatif")
    page = (program.folder / "whatif.html").read_text()
    expect_page(page, numbers)
    expect(len(page) < 500_000 and page.count("<svg") >= 4 and "secret" not in page, len(page))
    expect(not re.search(r"(src|href)=.(https?:)?//", page), "the page asks somebody")
    expect("today and with nodes=standard+2" in page, "the page does not say whose schedule it shows")
    for name in ("whatif", "whatif-log"):
        first = program.run("check", f"{name}.h5").stdout
        program.run("run", f"{name}.yaml", "--output", f"{name}.h5", "--fresh", "-w", "0")
        expect(program.run("check", f"{name}.h5").stdout == first and first[:12] in first, first)
        expect(re.search(r"payload ([0-9a-f]+)", first).group(1) in page, "the page names another payload")

    journal = program.folder / "whatif.h5.journal"
    kept = journal.read_bytes()
    text, figures = asked_again(program, "own.sacct", *words, *variations)
    expect(text == done.stdout and journal.read_bytes().startswith(kept), "computed anew what was there")
    expect((program.folder / "whatif.html").read_text() == page, "another page of the same answer")
    expect_figures(program, figures, numbers)
    long = ["own.sacct", "--slurm-conf", "slurm.conf", "--workers", "0", "--vary", "bf_max_job_test=1", "--replications", "400"]

    def begun(name):
        return int(program.run("status", name, "--format", "count", exit_code=None).stdout.strip() or 0)

    text = stopped(program, "long", (program.folder / "long-log.h5.journal").exists, *long)
    expect("running long-log.yaml; `schedfarm status long-log.h5` says" in text, text)
    expect("Go on with `schedfarm whatif " in text and "--replications=400" in text and "resume" not in text, text)
    text = stopped(program, "long", lambda: begun("long.h5.journal") > 0, *long)
    expect("A first answer" in text and "running long.yaml" in text and text.count("Go on with `schedfarm whatif ") == 1, text)
    expect("resume" not in text, text)
    expect(0 < begun("long.yaml") < 800, begun("long.yaml"))
    (program.folder / "long.h5.journal").unlink()
    expect("what if: own.sacct" in program.run("status", "long.yaml").stdout, "no status of the replay of the log")
    stopped_between(program, "own.sacct", *words, *variations)
    wrong_questions(program, sum(row["TimelimitRaw"] == 60 for row in rows))
    left_out(program, rows)
    without_limits(program)
    recorded(program)
    done = program.run("whatif", "lxf.sacct", *words, "--vary", "nodes=standard+8", "--fresh")
    # Waits of some weeks under another scheduler exclude no bound: the answer comes with its doubt.
    expect(re.search(r"all jobs .* cannot tell", done.stdout), done.stdout)
    expect("Whether the simulation is right this log cannot tell" in " ".join(done.stdout.split()), done.stdout)
    done = program.run("whatif", "own.sacct", "--policy", "easy", "--processors", "32", "--vary", "policy=fcfs", "--replications", "8", "-w", "0",
                       "--output", "plain.yaml")
    expect("Without slurm.conf" in done.stdout and (program.folder / "plain.html").exists(), done.stdout)

    program.write("mine.yaml", "name: mine\n")
    done = program.run("whatif", "own.sacct", *words, "--vary", "bf_max_job_test=3", "--output", "mine.yaml", exit_code=2)
    expect("is no campaign of whatif" in done.stderr, done.stderr)


if __name__ == "__main__":
    sys.exit(main(test))
