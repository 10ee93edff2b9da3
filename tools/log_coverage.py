"""How often intervals of resampled logs hold the truth, and what draws say of four real logs.

Six generators make logs of an M/M/1 queue whose mean response time is known. A campaign resamples each log as it does by
default; its 95 % interval holds the truth or not. Of the archive's logs, means of 400 draws stand beside the log's own, and
FCFS is compared with EASY by 50 draws.

usage: log_coverage.py PROGRAM [--logs N] [--weeks N] [--real FOLDER_OF_LOGS]     (a page goes to standard output)
"""
import argparse
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python" / "src"))

import schedfarm

WEEK, DAY = 604800.0, 86400.0
JOBS, SERVICE = 600, 0.8 * WEEK / 600  # of a week at load .8
REAL = [("KTH SP2", "KTH-SP2-1996-2.1-cln.swf.gz", 100), ("CTC SP2", "CTC-SP2-1996-3.1-cln.swf.gz", 338),
        ("SDSC Blue", "SDSC-BLUE-2000-4.2-cln.swf.gz", 1152), ("LANL CM-5", "LANL-CM5-1994-4.1-cln.swf.gz", 1024)]


def arrivals(random, load, start):
    return np.sort(start + WEEK * random.random(random.poisson(JOBS * load / 0.8)))


def steady(random, weeks, loads):
    times = np.concatenate([arrivals(random, load, WEEK * week) for week, load in enumerate(loads(random, weeks))])
    return times, random.exponential(SERVICE, len(times)), random.integers(0, 25, len(times))


def heavy_user(random, weeks):
    times, services, users = steady(random, weeks, lambda _, n: np.full(n, 0.8))
    return times, services, np.where(random.random(len(times)) < 0.4, 99, users)


def day_cycle(random, weeks):
    times = np.sort(WEEK * weeks * random.random(random.poisson(JOBS * weeks)))
    keep = random.random(len(times)) < 0.5 * (1 - np.cos(2 * math.pi * times / DAY))
    times = times[keep]
    return times, random.exponential(1.5 * SERVICE, len(times)), random.integers(0, 25, len(times))


def few_users(random, weeks):
    """Four, each of whom works in two weeks of three."""
    parts = [(arrivals(random, 0.25, WEEK * week), user)
             for week in range(weeks) for user in range(4) if random.random() < 2 / 3]
    times = np.concatenate([times for times, _ in parts] or [np.zeros(0)])
    users = np.concatenate([np.full(len(times), user) for times, user in parts] or [np.zeros(0, int)])
    order = np.argsort(times)
    return times[order], random.exponential(SERVICE, len(times)), users[order]


GENERATORS = {
    "equal weeks": lambda random, weeks: steady(random, weeks, lambda _, n: np.full(n, 0.8)),
    "weeks of different load": lambda random, weeks: steady(random, weeks, lambda r, n: r.uniform(0.5, 0.9, n)),
    "weeks of .35, .6 or .8": lambda random, weeks: steady(random, weeks, lambda r, n: r.choice([0.35, 0.6, 0.8], n)),
    "weeks of .7 to .9": lambda random, weeks: steady(random, weeks, lambda r, n: r.uniform(0.7, 0.9, n)),
    "trend": lambda random, weeks: steady(random, weeks, lambda _, n: np.linspace(0.5, 0.9, n)),
    "heavy user": heavy_user,
    "day cycle": day_cycle,
    "few users": few_users,
}


def mean_response(times, services):
    steps = np.concatenate([[0], services[:-1] - np.diff(times)])
    sums = np.cumsum(steps)
    return float(np.mean(sums - np.minimum.accumulate(sums) + services))


def truth(generator, weeks, name):
    """Of logs without end; with a trend the mean over logs."""
    random = np.random.default_rng(1)
    if name == "trend":
        return float(np.mean([mean_response(*generator(random, weeks)[:2]) for _ in range(2000)]))
    return float(np.mean([mean_response(*generator(random, 4000)[:2]) for _ in range(5)]))


def write_log(path, times, services, users, weeks):
    """A last job comes when the weeks are over, so that all of them are whole."""
    times, services = np.append(times, weeks * WEEK), np.append(services, 1.0)
    users = np.append(users, 0)
    lines = [f"{i + 1} {t:.3f} -1 {s:.4f} 1 -1 -1 1 {s:.4f} -1 1 {u + 1} -1 -1 -1 -1 -1 -1"
             for i, (t, s, u) in enumerate(zip(times, services, users))]
    path.write_text("; UnixStartTime: 946857600\n; MaxProcs: 1\n" + "\n".join(lines) + "\n")


def run(program, folder, text):
    campaign = folder / "campaign.yaml"
    campaign.write_text(text)
    results = folder / f"results{len(list(folder.iterdir()))}.h5"
    subprocess.run([program, "run", campaign, "--output", results, "--workers", "0"], cwd=folder, capture_output=True, text=True, check=True)
    return schedfarm.open(results)


def coverage(program, name, logs, weeks):
    generator = GENERATORS[name]
    random = np.random.default_rng(7)
    right = truth(generator, weeks, name)
    means, below, held, named, held_unnamed = [], 0, 0, 0, 0
    for first in range(0, logs, 8):  # as many as the program keeps in memory
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            files = [f"log{number}.swf" for number in range(first, min(first + 8, logs))]
            for file in files:
                write_log(folder / file, *generator(random, weeks), weeks)
            results = run(program, folder, f"""campaign_format: 1
name: {name}
seed: 1
experiment: trace
system: {{clusters: [1]}}
workload: {{model: trace}}
policy: fcfs
horizon: {{jobs: {JOBS * weeks}, warm_up: none}}
replications: 64
probes: [response_time]
factors: {{workload.file: [{", ".join(files)}]}}
""")
            rows = results.estimates("response_time.mean")
        holds, is_named = (rows.lower <= right) & (right <= rows.upper), rows.gate == "blocks"
        named += int(is_named.sum())
        held += int(holds.sum())
        held_unnamed += int((holds & ~is_named).sum())
        below += int((rows.upper < right).sum())
        means += list(rows["mean"] / right)
    share = held / logs
    error = math.sqrt(max(share * (1 - share), 0.05 * 0.95) / logs)
    return (f"| {name} | {weeks} | {logs} | {share:.3f} ± {error:.3f} | {below / logs:.3f} | {np.mean(means):.3f} | "
            f"{named / logs:.2f} | {held_unnamed} of {logs - named} |")


def real(program, traces):
    lines = []
    for label, file, processors in REAL:
        for resampling in ("weeks", "users", "free_users"):
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                head = f"""campaign_format: 1
name: {label}
seed: 1
experiment: trace
system: {{clusters: [{processors}]}}
probes: [response_time, bounded_slowdown, gross_utilization]
"""
                log = pathlib.Path(traces) / file
                own = run(program, folder, head + f"""workload: {{model: trace, file: {log}, resampling: none}}
horizon: {{jobs: all}}
replications: 1
policy: easy
""")
                drawn = run(program, folder, head + f"""workload: {{model: trace, file: {log}, resampling: {resampling}}}
horizon: {{jobs: 5000, warm_up: {{jobs: 1000}}}}
replications: 400
policy: easy
""")
                pair = run(program, folder, head + f"""workload: {{model: trace, file: {log}, resampling: {resampling}}}
horizon: {{jobs: 5000, warm_up: {{jobs: 1000}}}}
replications: 50
factors: {{policy: [easy, fcfs]}}
comparison: {{factor: policy, metric: bounded_slowdown, baseline: easy}}
""")
                mean = {metric: (float(own.estimates(metric)["mean"].iloc[0]), float(drawn.estimates(metric)["mean"].iloc[0]))
                        for metric in ("response_time.mean", "gross_utilization")}
                p_value = float(pair.table("comparisons").p_value.iloc[0])
                blocks = int(drawn.table("cells").log_blocks.iloc[0])
            response, load = mean["response_time.mean"], mean["gross_utilization"]
            lines.append(f"| {label} | {resampling} | {blocks} | {response[0]:.0f} | {response[1]:.0f} | {response[1] / response[0]:.2f} | "
                         f"{load[0]:.2f} | {load[1]:.2f} | {p_value:.2g} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--logs", type=int, default=400)
    parser.add_argument("--weeks", type=int, default=10)
    parser.add_argument("--real", help="the folder of the archive's logs")
    parser.add_argument("--only", help="one generator")
    given = parser.parse_args()
    program = str(pathlib.Path(given.program).resolve())
    print("# Resampled logs: how often intervals hold\n\nGenerated by `tools/log_coverage.py`; do not edit. 95 % intervals of logs like the one "
          "that is\nresampled, as by default, 64 replications as long as the log; the truth is that of the generator.\n\n"
          "| weeks of M/M/1 | weeks | logs | held | intervals below the truth | mean / truth | named (`blocks`) | held where not |\n"
          "| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in GENERATORS:
        if given.only in (None, name):
            print(coverage(program, name, given.logs, given.weeks), flush=True)
    if given.real:
        print("\n## Four logs of the archive\n\nEASY at the log's own load: mean response time in seconds and gross utilization of the "
              "whole log, and of\n400 draws of 5,000 jobs. Last column: p-value of FCFS against EASY, mean bounded slowdown, 50 draws.\n\n"
              "| log | resampling | effective blocks | response | of draws | ratio | load | of draws | FCFS, EASY |\n"
              "| :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        print("\n".join(real(program, given.real)))


if __name__ == "__main__":
    main()
