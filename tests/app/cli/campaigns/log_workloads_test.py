"""Campaigns over logs: `jobs: all`, tables by class and by user, queues of the log, jobs that no partition or queue
takes, and a share of the jobs as advance reservations, against what the job logs say.

usage: log_workloads_test.py PROGRAM
"""
import csv
import io
import itertools
import pathlib
import shutil
import sys

import numpy as np

from program import expect, main

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "python" / "src"))

import schedfarm

CAMPAIGN = """\
campaign_format: 1
name: a whole log
seed: 5
experiment: trace
system: {clusters: [16]}
workload: {model: trace, file: small.swf, resampling: RESAMPLING, classes: CLASSES}
horizon: {jobs: all, warm_up: none}
replications: 2
policy: easy
probes: [{response_time: {per_class: true}}, wait]
job_log: {replications: 2, users: 3}
"""
RESERVED = """\
campaign_format: 1
name: reservations
seed: 5
experiment: trace
system: {clusters: [16]}
workload:
  model: reserved_version
  jobs: {trace: {file: small.swf, resampling: none}}
  lead_time: {exponential: {mean: 600}}
horizon: {jobs: 400, warm_up: none}
replications: 1
factors:
  workload.share: [0, 0.3]
  policy: [easy, conservative]
"""
GROUPS = (9, 4, -1)


def log_itself(text):
    """The campaign on the log as it is, which is one sample."""
    return text.replace("RESAMPLING", "none").replace("replications: 2", "replications: 1")


def write_log(program):
    """400 jobs of six users in three groups (one unknown) and the queues 3 and 8; two weeks between the halves."""
    rng = np.random.default_rng(7)
    submit = np.cumsum(rng.integers(0, 90, 400)) + np.repeat([0, 14 * 86400], 200)
    jobs = []
    for job in range(400):
        run, size, user = rng.integers(1, 300), rng.integers(1, 10), rng.integers(1, 7)
        jobs.append((submit[job], run, size, user, GROUPS[user % 3], 3 if run < 100 else 8))
    lines = ["; MaxProcs: 16"] + [
        f"{number} {submit} -1 {run} {size} -1 -1 {size} {run} -1 1 {user} {group} -1 {queue} -1 -1 -1"
        for number, (submit, run, size, user, group, queue) in enumerate(jobs, 1)]
    program.write("small.swf", "\n".join(lines) + "\n")
    return jobs


def results_of(program, name, text):
    program.write(f"{name}.yaml", text)
    program.run("run", f"{name}.yaml", "--workers", "0", "-o", f"{name}.h5")
    program.run("check", f"{name}.h5")
    return schedfarm.open(program.folder / f"{name}.h5")


def expect_close(what, value, expected):
    expect(abs(value - expected) <= 1e-9 * max(1, abs(expected)), f"{what}: {value}, not {expected}")


def classes(program, jobs):
    rules = {"sizes": lambda job: int(job[2] - 1).bit_length(), "queues": lambda job: (3, 8).index(job[5]),
             "groups": lambda job: sorted(GROUPS).index(job[4])}
    for word, rule in rules.items():
        results = results_of(
            program, word, log_itself(CAMPAIGN.replace("CLASSES", word)))
        row, log = results.replications().iloc[0], results.jobs(0, 0)
        expect(len(log) == 400, f"{len(log)} of all jobs")
        found = np.array([rule(job) for job in jobs])
        expect(list(log["class"]) == list(found), f"{word}: other classes")
        expect(list(log.user) == [job[3] for job in jobs], "other users")
        response = log.finish - log.submit
        for number in sorted(set(found)):
            expect_close(f"{word}, class {number}", row[f"response_time.mean[class={number}]"],
                         response[found == number].mean())
        expect(f"response_time.mean[class={max(found) + 1}]" not in row, f"{word}: a class too many")
    busiest = log.assign(work=log.processors * log.service).groupby("user").work.sum().nlargest(3)
    expect(list(results.table("users").user) == list(busiest.index) + [-1], f"users {list(results.table('users').user)}")


def all_jobs(program):
    """A resampled log has no end: as many as there are in the log. Other workloads have no number of jobs."""
    results = results_of(program, "resampled", CAMPAIGN.replace("CLASSES", "none").replace("RESAMPLING", "users"))
    expect(list(results.replications().jobs) == [400, 400], f"{list(results.replications().jobs)}")
    numbered = CAMPAIGN.replace("CLASSES", "none").replace("RESAMPLING", "users").replace("jobs: all", "jobs: 400")
    program.write("numbered.yaml", numbered)
    program.run("run", "numbered.yaml", "--workers", "0", "-o", "numbered.h5")
    expect(program.payload_hash("numbered.h5") == program.payload_hash("resampled.h5"), "400 are not all")
    program.write("endless.yaml", "campaign_format: 1\nname: endless\nseed: 1\nexperiment: trace\n"
                  "system: {clusters: [128]}\nworkload: {model: feitelson_96}\nhorizon: {jobs: all}\npolicy: fcfs\n"
                  "replications: 2\n")
    done = program.run("plan", "endless.yaml", exit_code=2)
    expect_one_error(done.stderr, "endless.yaml:7:17: 'all' jobs cannot be counted")
    program.write("missing.yaml", CAMPAIGN.replace("CLASSES", "none").replace("RESAMPLING", "none")
                  .replace("small.swf", "nowhere.swf"))
    done = program.run("plan", "missing.yaml", exit_code=2)
    expect_one_error(done.stderr, "nowhere.swf: there is no such log")


def expect_one_error(text, wanted):
    expect(wanted in text and text.count("error:") == 1, f"not just {wanted}: {text}")


def queues(program):
    """Job 3 overtakes job 2 once job 1 has ended, for its queue goes first: starts 0, 15, 10."""
    jobs = [(0, 10, 1), (1, 10, 1), (2, 5, 2)]
    program.write("queues.swf", "\n".join(
        f"{number} {submit} -1 {run} 4 -1 -1 4 {run} -1 1 1 1 -1 {queue} -1 -1 -1"
        for number, (submit, run, queue) in enumerate(jobs, 1)) + "\n")
    done = program.run(
        "simulate", "--trace", "queues.swf", "-p", "4", "--policy", "queues", "--set", "assignment=number",
        "--set", "numbers=[1, 2]", "--set", "priority=[0, 10]", "--jobs", "-", "--verify")
    starts = [float(row["start"]) for row in csv.DictReader(io.StringIO(done.stdout))]
    expect(starts == [0, 15, 10], f"starts {starts}")


def unserved(program):
    """The log has jobs of 1 to 9 processors. Its largest are refused before anything runs, those between two ranges as
    the first arrives."""
    small = CAMPAIGN.replace("CLASSES", "none").replace("RESAMPLING", "users")
    simulate = ["simulate", "--trace", "small.swf", "-p", "16", "--policy"]
    for policy, option, reason in [
            ("partitions", "processors", "no partition takes such jobs (they take 1 to 8 processors"),
            ("queues", "largest_size", "no queue takes such jobs (they take 1 to 8 processors")]:
        line = f"policy: {{{policy}: {{{option}: "
        program.write("narrow.yaml", small.replace("policy: easy", line + "[8, 8]}}"))
        done = program.run("run", "narrow.yaml", "--workers", "0", "-o", "narrow.h5", exit_code=2)
        place = f"narrow.yaml:9:{len(line) + 1}: 'policy': jobs of the workload may need 9 processors and {reason}"
        expect(place in done.stderr, done.stderr)
        expect(not list(program.folder.glob("narrow.h5*")), "something was begun")
        done = program.run(*simulate, policy, "--set", option + "=[8, 8]", exit_code=2)
        expect(f"--set {option}=[8, 8]: 'policy': jobs of the workload may need 9 processors and {reason}" in done.stderr,
               done.stderr)
    program.write("wide.yaml", small.replace("policy: easy", "policy: {partitions: {processors: [9, 7]}}"))
    program.run("plan", "wide.yaml")

    reason = "asks for 5 processors and goes to no partition (they take 1 to 4 or 6 to 12 processors"
    settings = ["--set", "processors=[4, 12]", "--set", "smallest_size=[1, 6]"]
    done = program.run(*simulate, "partitions", *settings, exit_code=2)
    expect(reason in done.stderr, done.stderr)
    apart = "policy: {partitions: {processors: [4, 12], smallest_size: [1, 6]}}"
    program.write("apart.yaml", log_itself(CAMPAIGN.replace("CLASSES", "none").replace("policy: easy", apart)))
    program.run("run", "apart.yaml", "--workers", "0", "-o", "apart.h5", exit_code=1)
    failures = schedfarm.open(program.folder / "apart.h5").table("failures")
    expect(len(failures) == 1 and all(reason in text for text in failures.message), f"{failures}")


def reservations(program):
    results = results_of(program, "reserved", RESERVED)
    cells = results.replications(factors=True).groupby(["workload.share", "policy"], observed=True)
    refused = dict(iter(cells))
    shares = sorted({share for share, _ in refused})
    for policy in ("easy", "conservative"):
        none, some = (refused[(share, policy)] for share in shares)
        expect((some.reservations_refused > 5).all(), f"{policy} refuses {list(some.reservations_refused)}")
        expect((some.reservations_refused < 0.5 * 400).all(), f"{policy} refuses {list(some.reservations_refused)}")
        expect((some.reservations_missed == 0).all(), f"{policy} misses with exact requests")
        expect(none.reservations_refused.isna().all(), f"{policy} counts reservations that are not there")
    program.write("fcfs.yaml", RESERVED.replace("[easy, conservative]", "[fcfs]"))
    done = program.run("plan", "fcfs.yaml", exit_code=2)
    expect("reservation" in done.stderr, done.stderr)


def shaken(program):
    """Shaken copies of one log have intervals, and the report says of what; equal copies are refused."""
    text = CAMPAIGN.replace("CLASSES", "none").replace("RESAMPLING", "none")
    program.write("equal.yaml", text)
    done = program.run("plan", "equal.yaml", exit_code=2)
    expect("the same to the bit" in done.stderr, done.stderr)
    for name, resampling, is_of_one_log in (("shaken", "none, shake: 60", True), ("drawn", "users, shake: 60", False)):
        program.write(f"{name}.yaml", text.replace("resampling: none", f"resampling: {resampling}"))
        done = program.run("run", f"{name}.yaml", "--workers", "0", "-o", f"{name}.h5")
        done = program.run("report", f"{name}.h5")
        expect("±" in done.stdout, done.stdout)
        expect(("says nothing about other logs" in done.stdout.replace("\n", " ")) == is_of_one_log, done.stdout)


def like_it(program):
    """Intervals, differences and claims on a resampled log are of logs like it: by the replications of the file."""
    n, users = 16, 6
    text = CAMPAIGN.replace("CLASSES", "none").replace("RESAMPLING", "users").replace(
        "replications: 2\npolicy: easy", f"""replications: {n}
factors: {{policy: [fcfs, easy]}}
report: {{metrics: ["response_time.mean / wait.mean"]}}
comparison: {{factor: policy, metric: response_time}}
claims:
  quantities: {{response: response_time.mean}}
  list: [{{id: easy, paper: EASY is as good., where: here, value: "response{{policy=easy}} - response{{policy=fcfs}}", below: 0}}]""")
    results = results_of(program, "like_it", text.replace("{response_time: {per_class: true}}", "response_time"))
    expect(list(results.cells.log_blocks) == [users, users], f"blocks: {list(results.cells.log_blocks)}")
    values = results.replications().pivot(index="replication", columns="cell", values="response_time.mean")

    def error(sample):
        """v = 1: a replication has as many jobs as the log."""
        return sample.std() * np.sqrt(users / (users - 1) + 1 / n)

    for _, row in results.table("estimates").query("metric == 'response_time.mean'").iterrows():
        sample = values[row.cell]
        expect_close("standard error", row.standard_error, error(sample))
        expect(row.method == "resampled_log" and row.n == n, f"method {row.method}, n {row.n}")
        expect(row.lower < row.given_log_lower < row["mean"] < row.given_log_upper < row.upper, "the draws' is inside")
    difference = values[0] - values[1]
    compared = results.table("comparisons").iloc[0]
    expect_close("error of the difference", compared.standard_error, error(difference))
    expect(compared.n == n, f"{compared.n} pairs")
    claim = results.claim_values().iloc[0]
    expect_close("error of the claim", claim.standard_error, error(difference))
    expect(claim.n == n, f"{claim.n} replications of the claim")
    expect_close("lower end of claim and comparison", -claim.upper, compared.lower)
    printed = list(csv.DictReader(io.StringIO(program.run("report", "like_it.h5", "-f", "csv").stdout)))
    metric = "response_time.mean / wait.mean"
    over, under = (results.replications().pivot(index="replication", columns="cell", values=name) for name in metric.split(" / "))
    for (_, drawn), row in zip(results.estimates(metric).iterrows(), printed, strict=True):
        ratio = over[drawn.cell].sum() / under[drawn.cell].sum()
        of_logs = error((over[drawn.cell] - ratio * under[drawn.cell]) / under[drawn.cell].mean())
        expect_close("ratio", float(row["measured"]), ratio)
        side = 3.182446305284263 * of_logs  # t of 1 / (1 / 5 + 1 / 15), so 3, degrees of freedom
        shortest = ratio * -np.expm1(-side / ratio) if side > ratio else side  # on the log scale where it would reach below 0
        shorter = min(ratio - float(row["lower"]), float(row["upper"]) - ratio)
        expect_close("shorter side", shorter, shortest)
        for name in ("lower", "upper", "confidence"):
            expect_close(f"{name} of the ratio", float(row[name]), drawn[name])
    report = " ".join(program.run("report", "like_it.h5").stdout.split())
    expect("The log counts as 6 users of equal work" in report, report)
    program.write("fine.yaml", text.replace(f"replications: {n}", "precision: {metric: response_time, relative: 0.001}"))
    program.run("run", "fine.yaml", "--workers", "0", "-o", "fine.h5")
    cells = schedfarm.open(program.folder / "fine.h5").cells
    expect(set(cells.status) == {"not_met_log"} and set(cells.replications_used) == {64},
           f"{list(cells.status)} after {list(cells.replications_used)}")
    expect("the log is too short for this precision" in " ".join(program.run("report", "fine.h5").stdout.split()),
           "the report does not say why")


def federation(program):
    """Its interval is one of logs like those of all homes, whatever their order."""
    rng = np.random.default_rng(3)
    submit = np.cumsum(rng.integers(0, 3600, 2000))  # four users in six weeks
    jobs = [(at, run, size, 1 + user) for at, run, size, user in zip(
        submit, rng.integers(60, 7200, 2000), rng.choice([1, 2, 4, 8, 16], 2000), rng.integers(0, 4, 2000))]
    lines = [f"{k} {at} 0 {run} {size} -1 -1 {size} {run + 600} -1 1 {user} -1 -1 -1 -1 -1 -1"
             for k, (at, run, size, user) in enumerate(jobs, 1)]
    program.write("few.swf", "\n".join(["; MaxProcs: 64", "; UnixStartTime: 0", "; TimeZoneString: UTC", *lines]) + "\n")
    numbers = itertools.count()
    few = "{trace: {file: few.swf, resampling: users}}"
    of_weeks = few.replace("users", "weeks")
    for other, unit in (("{trace: {file: example, resampling: none, shake: 60}}", "users"), ("{trace: {file: example, resampling: weeks}}", "users"),
                        (of_weeks, "weeks")):
        few = of_weeks if unit == "weeks" else few
        found = []
        for homes in (f"{other}, {few}", f"{few}, {other}"):
            name = f"federation{next(numbers)}"
            results = results_of(program, name, f"""\
campaign_format: 1
name: order of homes
seed: 11
experiment: trace
system: {{clusters: [64, 64]}}
workload: {{model: federation, homes: [{homes}]}}
horizon: {{jobs: 600, warm_up: none}}
probes: [response_time]
policy: {{partitions: {{inner: easy, clusters: [1, 1], route: origin}}}}
replications: 10
""")
            row = results.estimates("response_time").iloc[0]
            own = results.replications()["response_time.mean"]
            expect(row.method == "resampled_log", f"{homes}: {row.method}")
            if unit == "users":
                expect_close(f"{homes}: standard error", row.standard_error, own.std() * np.sqrt(4 / 3 + 1 / 10))
            found.append(list(results.cells[["log_blocks", "log_block_unit", "log_variance_ratio"]].iloc[0]))
            report = " ".join(program.run("report", f"{name}.h5").stdout.split())
            expect(("counts as 4 users" in report) == (unit == "users") and "not resampled" not in report, report)
        expect(found[0] == found[1] and found[0][1] == unit, f"{other}: {found}")
        expect(unit == "weeks" or found[0] == [4, "users", 1], f"{other}: {found}")


def clock(program):
    """Passes of `slurm` go by the clock of the log, also where the log lies inside of another workload that changes no time."""
    for name in ("site.conf", "site.sacct.gz"):
        shutil.copy(ROOT / "docs/how-to" / name, program.folder)
    log = "{trace: {file: site.sacct.gz, resampling: none}}"
    results = results_of(program, "clock", f"""\
campaign_format: 1
name: the clock of a log
seed: 1
experiment: trace
system: {{slurm: {{conf: site.conf}}}}
probes: [wait]
horizon: {{jobs: all, warm_up: none}}
replications: 1
factors:
  workload:
  - {{model: trace, file: site.sacct.gz, resampling: none}}
  - {{model: classified_version, jobs: {log}}}
  - {{model: classified_version, jobs: {{scaled_version: {{utilization: 0, jobs: {log}}}}}}}
  - {{model: federation, homes: [{log}]}}
  policy: [slurm, {{slurm: {{clock_s: 0}}}}]
""")
    waits = [round(wait) for wait in results.replications()["wait.mean"]]
    expect(waits == 4 * [14347, 14424], f"mean waits with the clock and without: {waits}")


SITE = """\
campaign_format: 1
name: a site's own scheduler
seed: 1
experiment: trace
system: {slurm: {conf: CONF}}
probes: [wait]
horizon: {jobs: all, warm_up: none}
replications: 1
factors:
  workload:
  - {model: trace, file: few.sacct, resampling: none}
  - {model: classified_version, jobs: {trace: {file: few.sacct, resampling: none}}}
  - {model: classified_version, jobs: {scaled_version: {utilization: 0, jobs: {trace: {file: few.sacct, resampling: none}}}}}
policy: slurm
"""


def site(program):
    """A log inside of another workload has its partitions' limits, and is without the jobs that the site can never place. Job 23 asks for more
    nodes than there are; job 31 asks for no limit, has the minute of its partition, and overtakes job 19."""
    program.write("few.sacct", """\
JobID|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|Partition|ReqNodes|AllocNodes|ReqCPUS|AllocCPUS
17|1000000000|1000000000|1000000100|100|5|COMPLETED|batch|3|3|3|3
19|1000000000|1000000100|1000000150|50|5|COMPLETED|batch|4|4|4|4
23|1000000001|1000000100|1000000150|50|5|COMPLETED|batch|5|5|5|5
31|1000000002|1000000100|1000000120|20||COMPLETED|batch|1|1|1|1
""")
    conf = "NodeName=n[1-4]\nPartitionName=batch Nodes=ALL DefaultTime=1"
    program.write("site.conf", conf + "\n")
    results = results_of(program, "site", SITE.replace("CONF", "site.conf"))
    waits = [round(float(wait), 3) for wait in results.replications()["wait.mean"]]
    expect(len(waits) == 3 and len(set(waits)) == 1 and 30 < waits[0] < 55, f"mean waits of a log, and of versions of it: {waits}")
    program.write("short.conf", conf + " MaxTime=2\n")
    program.write("short.yaml", SITE.replace("CONF", "short.conf").replace("few.sacct", "two.sacct"))
    program.write("two.sacct", "\n".join((program.folder / "few.sacct").read_text().splitlines()[:3]) + "\n")
    program.run("run", "short.yaml", "--workers", "0", "-o", "short.h5", exit_code=1)
    texts = schedfarm.open(program.folder / "short.h5").table("failures").message
    reason = "no job of the log can be placed: job 17 asks for 5 minutes (partition batch gives at most 2)"
    expect(len(texts) == 3 and all(reason in text for text in texts), f"{list(texts)}")


def test(program, _arguments):
    jobs = write_log(program)
    classes(program, jobs)
    all_jobs(program)
    queues(program)
    unserved(program)
    reservations(program)
    shaken(program)
    like_it(program)
    federation(program)
    clock(program)
    site(program)


if __name__ == "__main__":
    sys.exit(main(test))
