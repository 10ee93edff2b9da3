"""Job logs in result files: however a campaign is run they are the same, they agree with what the replications say of
themselves (fingerprint, means, loss of capacity and missed fair starts, computed here once more), and asking for them
changes no number.

usage: job_log_test.py PROGRAM
"""
import pathlib
import sys

import h5py
import numpy as np

from program import expect, main

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "python" / "src"))

import schedfarm

CAMPAIGN = """\
campaign_format: 1
name: logged
seed: 5
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
load: {utilization: 0.7}
horizon: {jobs: 300, warm_up: {jobs: 50}}
replications: 3
probes: [response_time, {bounded_slowdown: {threshold: 2}}, fair_start_miss, loss_of_capacity, gross_utilization]
factors:
  policy: [fcfs, sjf, {fpfs: {max_jumps: 7}}, easy]
"""
OTHER_KINDS = """\
campaign_format: 1
name: other kinds
seed: 5
system: {clusters: [8, 8]}
workload: {model: coallocation, components: 2, component_size: {uniform: [1, 4]}, request: unordered}
horizon: {jobs: 200, backlog: 5, fills: 10}
replications: 2
policy: fcfs
job_log: {replications: 2}
factors:
  experiment: [bin_filling, saturated]
"""
TRACE_CAMPAIGN = """\
campaign_format: 1
name: users
seed: 5
experiment: trace
system: {clusters: [16]}
workload: {model: trace, file: users.swf, resampling: none, classes: queues}
horizon: {jobs: 400, warm_up: {jobs: 100}}
replications: 1
policy: easy
probes:
  - {response_time: {per_class: true}}
  - {gross_utilization: {per_class: true}}
  - {queue_length: {per_class: true, quantiles: [0.5, 0.9]}}
  - {bounded_slowdown: {threshold: 30}}
job_log: {replications: 1, utilization_parts: 8, users: 2}
"""
NUMBERS_CAMPAIGN = """\
campaign_format: 1
name: numbers
seed: 5
experiment: trace
system: {{clusters: [16]}}
workload: {workload}
horizon: {{jobs: 1000}}
replications: 1
policy: {policy}
job_log: {{replications: 1}}
"""


def expect_time_averages(row, suffix, log, window):
    """Busy processors and waiting jobs of a log in a window are those of its replication."""
    begin, end = window
    busy = (np.clip(log.finish, begin, end) - np.clip(log.start, begin, end)) * log.processors
    expect_close("share" + suffix, row["gross_utilization" + suffix], busy.sum() / 16 / (end - begin))
    times = np.unique(np.clip(np.concatenate([log.submit, log.start, window]), begin, end))
    lengths = np.array([((log.submit <= time) & (time < log.start)).sum() for time in times[:-1]])
    spans = np.diff(times)
    expect_close("queue" + suffix, row["queue_length.mean" + suffix], (lengths * spans).sum() / (end - begin))
    for p in (0.5, 0.9):
        least = next(n for n in range(lengths.max() + 1) if spans[lengths <= n].sum() >= p * (end - begin))
        expect_close("quantile" + suffix, row[f"queue_length.p{100 * p:g}{suffix}"], least)


def open_file(program, name):
    return schedfarm.open(program.folder / name)


def expect_same_logs(program, a, b):
    with h5py.File(program.folder / a) as first, h5py.File(program.folder / b) as second:
        for kind in ("jobs", "processors"):
            expect(list(first[kind]) == list(second[kind]), f"{kind} of {a} and {b}: other cells")
            for cell in first[kind]:
                expect(list(first[kind][cell]) == list(second[kind][cell]), f"{kind}/{cell}: other replications")
                for index in first[kind][cell]:
                    rows = (first[kind][cell][index][:], second[kind][cell][index][:])
                    expect(rows[0].tobytes() == rows[1].tobytes(), f"{kind}/{cell}/{index} differs in {a} and {b}")


def idle_while_waiting(log, window, processors):
    """Between neighbouring instants at which something happens: idle processors if somebody waits."""
    times = np.unique(np.clip(np.concatenate([log.submit, log.start, log.finish]), *window))
    area = 0.0
    for begin, end in zip(times, times[1:]):
        if ((log.submit <= begin) & (log.start >= end)).any():
            busy = log.processors[(log.start <= begin) & (log.finish >= end)].sum()
            area += (processors - busy) * (end - begin)
    return area


def fair_start(log, job, processors):
    """Processor by processor."""
    now = log.submit[job]
    runs = (log.start < now) & (log.finish > now)
    free_at = [end for end, size in zip(log.finish[runs], log.processors[runs]) for _ in range(int(size))]
    free_at = np.array(free_at + [now] * (processors - len(free_at)))
    earliest = now
    for other in range(job + 1):
        if log.start[other] >= now or other == job:
            free_at.sort()
            size = int(log.processors[other])
            earliest = max(earliest, free_at[size - 1])
            free_at[:size] = earliest + log.service[other]
    return earliest


def expect_close(what, value, expected):
    expect(abs(value - expected) <= 1e-9 * max(1, abs(expected)), f"{what}: {value}, not {expected}")


def what_replications_say(program, name):
    results = open_file(program, name)
    replications = results.replications().set_index(["cell", "replication"])
    expect(results.logged() == [(cell, index) for cell in range(4) for index in range(2)],
           f"logs of {results.logged()}")
    for cell, index in results.logged():
        row = replications.loc[(cell, index)]
        log = results.jobs(cell, index)
        expect(results.fingerprint(cell, index) == replications["fingerprint"][(cell, index)],
               f"fingerprint of {cell}/{index}")
        expect(list(log.job) == list(range(300)), "jobs are missing")
        measured = log[50:]
        response = measured.finish - measured.submit
        expect_close("response time", row["response_time.mean"], response.mean())
        bounded = np.maximum(1, response / np.maximum(measured.service, 2))
        expect_close("bounded slowdown", row["bounded_slowdown.mean"], bounded.mean())
        window = (log.submit[50], log.submit[299])
        area = 32 * (window[1] - window[0])
        expect_close("loss of capacity", row["loss_of_capacity"], idle_while_waiting(log, window, 32) / area)
        miss = [max(0, log.start[job] - fair_start(log, job, 32)) for job in range(50, 300)]
        expect_close("mean miss", row["fair_start_miss.mean"], np.mean(miss))
        expect_close("share of misses", row["fair_start_miss.share"], np.mean(np.array(miss) > 0))
        held = results.processors(cell, index)
        expect((held.groupby("job").apply(lambda ranges: (ranges["last"] - ranges["first"] + 1).sum())
                == log.processors).all(), "ranges of other sizes")
    fcfs, sjf = (replications.loc[(cell, 0)] for cell in (0, 1))
    expect(fcfs["fair_start_miss.share"] == 0, "FCFS makes jobs miss their fair start")
    expect(sjf["fair_start_miss.share"] > 0.05, "SJF does not")


def other_kinds(program):
    program.write("kinds.yaml", OTHER_KINDS)
    program.run("run", "kinds.yaml", "--workers", "0", "-o", "kinds.h5")
    program.run("check", "kinds.h5")
    results = open_file(program, "kinds.h5")
    expect(results.logged() == [(1, 0), (1, 1)], f"bin filling has logs: {results.logged()}")
    expect(len(results.jobs(1, 0)) == 200, "200 jobs start")
    expect(results.estimates().skewness.isna().all(), "two replications have a skewness")
    expect(open_file(program, "one.h5").estimates().skewness.notna().all(), "three replications have none")
    expect(results.jobs(1, 0).submit.isna().all(), "a saturated experiment has submissions")
    expect(results.processors(1, 0) is None, "processors of several clusters")


def number_of(job):
    return 3 * job + 7


def write_trace(program):
    """400 jobs of five users, of whom 1 to 3 request twice their run times."""
    rng = np.random.default_rng(1)
    submit = np.cumsum(rng.integers(0, 60, 400))
    lines = ["; MaxProcs: 16", "; MaxNodes: 16", "; Queue: 1 day (8 to 18 h)", "; Queue: 2 night"]
    for job in range(400):
        run, size, user = rng.integers(1, 300), rng.integers(1, 9), rng.integers(1, 6)
        request = 2 * run if user <= 3 else run
        lines.append(f"{number_of(job)} {submit[job]} -1 {run} {size} -1 -1 {size} {request} -1 1 {user} 1 1 "
                     f"{1 + job % 2} -1 -1 -1")
    program.write("users.swf", "\n".join(lines) + "\n")


def tables_of_users_and_time(program):
    program.write("users.yaml", TRACE_CAMPAIGN)
    program.run("run", "users.yaml", "--workers", "0", "-o", "users.h5",
                environment={"SCHEDFARM_TRACES": str(program.folder)})
    program.run("check", "users.h5")
    results = open_file(program, "users.h5")
    expect(results.estimates().skewness.isna().all(), "one replication has a skewness")
    log = results.jobs(0, 0)
    expect((log.estimate == np.where(log.user <= 3, 2, 1) * log.service).all(), "estimates of other jobs")
    expect(list(log.job_number) == [number_of(job) for job in range(400)], "numbers of another log")
    expect(results.class_names(0) == {0: "queue 1 (day)", 1: "queue 2 (night)"}, str(results.class_names(0)))
    measured = log[100:].assign(
        response=lambda jobs: jobs.finish - jobs.submit, work=lambda jobs: jobs.processors * jobs.service)
    measured["slowdown"] = np.maximum(1, measured.response / np.maximum(measured.service, 30))
    busiest = list(measured.groupby("user").work.sum().sort_values(ascending=False).index)
    expect(list(results.table("users").user) == busiest[:2] + [-1], f"{list(results.table('users').user)}, not {busiest}")
    expect(list(results.table("users").users) == [1, 1, 3], "five users")
    groups = [measured[measured.user == user] for user in busiest[:2]]
    groups.append(measured[measured.user.isin(busiest[2:])])
    for row, jobs in zip(results.table("users").itertuples(), groups):
        expect(row.jobs == len(jobs), "jobs of a user")
        expect_close("response time of a user", row.response_time, jobs.response.mean())
        expect_close("wait of a user", row.wait, (jobs.start - jobs.submit).mean())
        expect_close("bounded slowdown of a user", row.bounded_slowdown, jobs.slowdown.mean())
    series = results.table("utilization_series")
    expect(len(series) == 8, "eight parts")
    window = (log.submit[100], log.submit[399])
    expect((series.begin[0], series.end[7]) == window, "the window")
    for part in series.itertuples():
        time = np.clip(log.finish, part.begin, part.end) - np.clip(log.start, part.begin, part.end)
        expect_close("utilization", part.gross_utilization, (time * log.processors).sum() / 16 / (part.end - part.begin))
    expect_close("mean of the series", series.gross_utilization.mean(),
                 results.replications()["gross_utilization"][0])
    for number in (0, 1):
        expect_time_averages(results.replications().iloc[0], f"[class={number}]", log[log["class"] == number], window)
    expect_time_averages(results.replications().iloc[0], "", log, window)
    report = program.run("report", "users.h5").stdout
    expect("By user" in report and "3 others" in report, report)
    jobs = (program.folder / "users.swf").read_text()
    program.write("users.swf", jobs.replace(" 8 -1 -1 8 ", " 7 -1 -1 7 "))
    done = program.run("rebuild", "users.h5.journal", "-o", "changed_trace.h5", exit_code=2,
                       environment={"SCHEDFARM_TRACES": str(program.folder)})
    expect("A log that the campaign names has changed" in done.stderr, done.stderr)
    expect(not (program.folder / "changed_trace.h5").exists(), "a log of another trace is written")


def numbers_of_the_log(program):
    """A logged job is found in the log by its number, however the workload is made of the log."""
    lines = [line.split() for line in (program.folder / "users.swf").read_text().splitlines() if line[0] != ";"]
    run_times = {int(line[0]): float(line[3]) for line in lines}
    log = "{file: users.swf, resampling: users}"
    for number, (workload, policy) in enumerate([
            ("{model: trace, file: users.swf, resampling: users}", "easy"),
            (f"{{model: reserved_version, jobs: {{trace: {log}}}, share: 0.1, lead_time: {{exponential: 60}}}}", "easy"),
            (f"{{model: periodic_reservations, jobs: {{trace: {log}}}, length: 50, period: 2000}}", "easy"),
            (f"{{model: moldable_version, rigid: {{trace: {log}}}, share: 0}}", "demt")]):
        program.write("numbers.yaml", NUMBERS_CAMPAIGN.format(workload=workload, policy=policy))
        program.run("run", "numbers.yaml", "--workers", "0", "-o", f"numbers{number}.h5")
        jobs = open_file(program, f"numbers{number}.h5").jobs(0, 0)
        of_log = jobs[jobs.job_number >= 0]
        expect(len(of_log) > 900 and (len(of_log) < len(jobs)) == (number == 2), f"{len(of_log)} of {len(jobs)}: {workload}")
        expect((of_log.service == of_log.job_number.map(run_times)).all(), f"jobs of other numbers: {workload}")
    jobs = open_file(program, "one.h5").jobs(0, 0)
    expect((jobs.job_number == -1).all(), "jobs of no log have numbers")


def asked_for_later(program):
    """A finished campaign to which the request for logs is added, and what is refused."""
    program.write("later.yaml", CAMPAIGN)
    program.run("run", "later.yaml", "--workers", "0", "-o", "later.h5")
    expect(open_file(program, "later.h5").logged() == [], "logs that nobody asked for")
    expect(program.payload_hash("later.h5") == program.payload_hash("one.h5"), "logs change the payload")
    program.write("later.yaml", CAMPAIGN + "job_log: {replications: 2}\n")
    program.run("resume", "later.yaml", "--workers", "0", "-o", "later.h5")
    expect_same_logs(program, "one.h5", "later.h5")
    program.write("wrong.yaml", CAMPAIGN + "job_log: {replication: 2}\n")
    done = program.run("run", "wrong.yaml", exit_code=2)
    expect("Did you mean 'replications'?" in done.stderr, done.stderr)


def differences(program):
    done = program.run("diff", "one.h5", "three.h5")
    expect("Same payload" in done.stdout and "The 8 job logs in both are the same" in done.stdout, done.stdout)
    (program.folder / "changed.h5").write_bytes((program.folder / "one.h5").read_bytes())
    with h5py.File(program.folder / "changed.h5", "r+") as file:
        rows = file["jobs/1/0"][:]
        rows["start"][17] += 0.25
        file["jobs/1/0"][...] = rows
    done = program.run("diff", "one.h5", "changed.h5", exit_code=1)
    expect("jobs/1/0" in done.stdout and "1 of 300" in done.stdout and "job 17" in done.stdout, done.stdout)
    done = program.run("check", "changed.h5", exit_code=1)
    expect("its jobs have the fingerprint" in done.stdout + done.stderr, done.stdout + done.stderr)


def test(program, _arguments):
    program.write("logged.yaml", CAMPAIGN + "job_log: {replications: 2}\n")
    program.run("run", "logged.yaml", "--workers", "0", "-o", "one.h5")
    program.run("run", "logged.yaml", "-o", "three.h5", ranks=3)
    for name in ("one.h5", "three.h5"):
        program.run("check", name)
    expect_same_logs(program, "one.h5", "three.h5")
    program.run("rebuild", "one.h5.journal", "-o", "rebuilt.h5")
    expect_same_logs(program, "one.h5", "rebuilt.h5")
    what_replications_say(program, "one.h5")
    asked_for_later(program)
    differences(program)
    other_kinds(program)
    write_trace(program)
    numbers_of_the_log(program)
    tables_of_users_and_time(program)


if __name__ == "__main__":
    sys.exit(main(test))
