"""How often intervals of `schedfarm whatif` hold the truth in logs of few weeks, and which of them is the shortest that does.

Logs of a queue with one server are made and drawn from in this process: weeks of equal load, of different loads, of a load that grows. Beside
today's, four configurations run the same jobs: three servers of other speeds, and services drawn anew, which change nothing in the long run. The
truth is the ratio of the mean waits of all logs of a row. A last table has six weeks that vary as those of a site did.

usage: whatif_intervals.py [--logs N] [--draws N] [--seed N]     (a page goes to standard output)
"""
import argparse
import collections
import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python" / "src"))

from schedfarm import _intervals
from schedfarm.whatif import _change

WEEK = 604800.0
JOBS = 200  # of a week at load .8
LOAD = 0.8
WEEKS = (4, 6, 8, 12)
LOWEST = 0.93
OTHERS = {"speed × 1.33": 0.75, "speed × 1.08": 0.93, "speed × 0.94": 1.06, "other services": None}
KINDS = {
    "equal weeks": lambda random, n: np.full(n, LOAD),
    "weeks of different load": lambda random, n: random.uniform(0.5, 0.9, n),
    "a trend": lambda random, n: np.linspace(0.5, 0.9, n),
}
SITE_SPREAD = 0.6
SITE = lambda random, n: random.uniform(0.35, 1.0, n)


def make_log(random, loads):
    """Seconds of submission in each week, and service times, as rows of equal length: places without a job have no service time."""
    counts = random.poisson(JOBS * loads / LOAD)
    shape = len(loads), max(1, counts.max())
    is_job = np.arange(shape[1]) < counts[:, None]
    submit = WEEK * np.sort(np.where(is_job, random.random(shape), 2.0))
    last = np.where(counts > 0, submit[np.arange(len(loads)), np.maximum(counts - 1, 0)], 0.0)
    service = np.where(is_job, random.exponential(WEEK * LOAD / JOBS, shape), 0.0)
    return np.where(is_job, submit, last[:, None]), service, counts


def services_under(random, service, spread):
    """Of every other configuration; `spread`: by how much what it does differs from week to week, at most 1."""
    weekly = 1 + spread * random.uniform(-1, 1, (len(service), 1)) if spread else 1.0
    anew = np.where(service > 0, random.exponential(WEEK * LOAD / JOBS, service.shape), 0.0)
    half = random.random(service.shape) < 0.5
    return [service * factor**weekly if factor else np.where(half, anew, service) for factor in OTHERS.values()]


def waits(submit, service):
    """Sums of waits by week (the last axis but one) where one server takes all jobs in turn (Lindley 1952)."""
    times = (submit + WEEK * np.arange(submit.shape[-2])[:, None]).reshape(*submit.shape[:-2], -1)
    flat = service.reshape(times.shape)
    steps = np.concatenate([np.zeros_like(times[..., :1]), flat[..., :-1] - np.diff(times)], axis=-1)
    sums = np.cumsum(steps, axis=-1)
    own = np.where(flat > 0, sums - np.minimum.accumulate(sums, axis=-1), 0.0)
    return own.reshape(submit.shape).sum(axis=-1)


class Asked:
    """A log and draws from it: sums of waits under today's configuration (row 0) and every other."""

    def __init__(self, random, loads, draws, spread=0.0):
        submit, service, counts = make_log(random, loads)
        services = [service, *services_under(random, service, spread)]
        chosen = random.integers(0, len(loads), (draws, len(loads)))
        self.counts = counts
        self.weeks = np.array([waits(submit, own) for own in services])
        self.draws = np.array([waits(submit[chosen], own[chosen]).sum(axis=1) for own in services])
        self.jobs = counts[chosen].sum(axis=1)
        work = service.sum(axis=1)
        self.blocks = max(2, math.floor(work.sum() ** 2 / (work**2).sum() + 0.5))

    def change(self, other):
        return _change.of_draws(self.draws[0], self.draws[other], self.jobs, self.blocks, 1.0)


def symmetric(mean, error, degrees):
    t = _intervals.t_two_sided(0.95, degrees)
    return mean - t * error, mean + t * error


def linearized(asked, other, is_skewed):
    """As whatif judged until November 2026: the ratio linearized, so that a heavy week drawn twice counts twice."""
    today, changed = asked.draws[0] / asked.jobs, asked.draws[other] / asked.jobs
    values = math.log(changed.mean() / today.mean()) + changed / changed.mean() - today / today.mean()
    estimate = _intervals.of_mean(values)
    sums = asked.weeks[[0, other]]
    brought = np.diff(sums / sums.mean(axis=1, keepdims=True), axis=0)[0]
    skewness = _intervals.skewness(brought) / math.sqrt(len(brought)) if is_skewed else 0.0
    return _intervals.interval(_intervals.of_logs_like_it(estimate._replace(skewness=skewness), asked.blocks, 1.0), 0.95, "skew_adjusted")


def percentiles(asked, other):
    ratios = np.log(asked.draws[other] / asked.draws[0])
    return tuple(np.quantile(ratios, [0.025, 0.975]))


def weeks_left_out(asked, other):
    own = _change.of_weeks(asked.weeks[0], asked.weeks[other], asked.counts)
    return symmetric(own.mean, own.error, own.degrees)


def of_draws(far):
    return lambda asked, other: tuple(math.log1p(end) for end in _change.ends(asked.change(other), 0.95, far))


INTERVALS = {
    "2.5 and 97.5 % of the draws": percentiles,
    "weeks left out, Student's t": weeks_left_out,
    "linearized draws, Student's t": lambda asked, other: linearized(asked, other, False),
    "linearized draws, longer for skewed weeks": lambda asked, other: linearized(asked, other, True),
    **{f"ratios of draws, {f'away from 0 by {far}' if far else 'the same on both sides'}": of_draws(far) for far in range(7)},
}


class Row:
    """Of one kind of log, number of weeks and configuration: for every interval whether it held, its length, whether it decided."""

    def __init__(self, truth, ends):
        lower, upper = ends.T
        held = (lower <= truth) & (truth <= upper)
        self.truth, self.held, self.below, self.above = truth, held.mean(), (upper < truth).mean(), (lower > truth).mean()
        self.length, self.decided = float(np.median(upper - lower)), ((lower > 0) | (upper < 0)).mean()
        self.holds = self.held + 3 * math.sqrt(max(self.held * (1 - self.held), 1 / len(held)) / len(held)) >= LOWEST


def rows_of(loads, weeks, logs, draws, seed, spread=0.0):
    """By interval, a row per configuration."""
    sums, ends = np.zeros((len(OTHERS) + 1)), collections.defaultdict(list)
    for number in range(logs):
        random = np.random.default_rng([seed, weeks, number])
        asked = Asked(random, loads(random, weeks), draws, spread)
        sums += asked.weeks.sum(axis=1)
        for name, interval in INTERVALS.items():
            ends[name].append([interval(asked, other) for other in range(1, len(OTHERS) + 1)])
    truths = np.log(sums[1:] / sums[0])
    return {name: [Row(truth, np.array(own)[:, place]) for place, truth in enumerate(truths)] for name, own in ends.items()}


def chosen_of(found):
    """The shortest of the intervals whose rows all hold: by the geometric mean of the median lengths of all rows."""
    lengths = {name: math.exp(np.mean([math.log(row.length) for rows in of_name for row in rows]))
               for name, of_name in ((name, [rows[name] for rows in found.values()]) for name in INTERVALS)}
    holding = [name for name in INTERVALS if all(row.holds for rows in found.values() for row in rows[name])]
    return lengths, holding, min(holding, key=lengths.get)


def page(logs, draws, seed):
    found = {(kind, weeks): rows_of(loads, weeks, logs, draws, seed + place) for place, (kind, loads) in enumerate(KINDS.items()) for weeks in WEEKS}
    lengths, holding, chosen = chosen_of(found)
    lines = ["# What if: which interval", "",
             "Generated by `tools/whatif_intervals.py`; do not edit. How often do 95 % intervals of the change of the mean wait hold the truth, where a log",
             f"has 4 to 12 weeks? {logs:,} logs of every kind and number of weeks, {draws} draws each, of a queue with one server and Poisson arrivals: {JOBS} jobs in",
             "a week at load .8; weeks of different load: from .5 to .9 at random; a trend: from .5 to .9 in even steps. The truth is the ratio of the mean",
             "waits of all logs of a row. A row holds, as in the [certificate](certificate.md), where .93 or more lies within 3 standard errors of the",
             "coverage that was found. Among the intervals all of whose rows hold `whatif` has the shortest.", "",
             "| interval | least coverage | mean coverage | rows that hold | length |", "| :--- | ---: | ---: | ---: | ---: |"]
    for name in INTERVALS:
        rows = [row for of_names in found.values() for row in of_names[name]]
        mark = " **chosen**" if name == chosen else ""
        lines.append(f"| {name}{mark} | {min(row.held for row in rows):.3f} | {np.mean([row.held for row in rows]):.3f} | "
                     f"{sum(row.holds for row in rows)} of {len(rows)} | {lengths[name]:.2f} |")
    lines += ["", "Length: geometric mean over all rows of the median length, of the logarithm of the ratio. \"Away from 0 by a\": with B weeks, change m and",
              "standard error s the side towards 0 is t s, the other t √(s · max(s, |m| a / B)): logs with few heavy weeks show too little of a change, and seem",
              "more certain of it than they are. Nearly all misses of changes lie on that side.", "",
              f"## {chosen}", "", "| logs | weeks | change | true change | held | all below it | all above it | decided | verdict |",
              "| :--- | ---: | :--- | ---: | ---: | ---: | ---: | ---: | :--- |"]
    lines += [row_line(kind, weeks, other, row) for (kind, weeks), rows in found.items() for other, row in zip(OTHERS, rows[chosen])]
    rows = rows_of(SITE, 6, max(100, logs // 10), draws, seed + 9, SITE_SPREAD)[chosen]
    lines += ["", "## Six weeks of a site", "", f"{max(100, logs // 10)} logs of six weeks whose mean waits, and the changes of them, vary as in a log of EASY that was at hand: coefficient of variation",
              "about .9, standard deviation of the logarithms of the weeks' ratios about .5; loads from .35 to 1.", "",
              *lines[-2 - len(OTHERS) * len(found):][:2], *(row_line("a site's", 6, other, row) for other, row in zip(OTHERS, rows))]
    return "\n".join(lines) + "\n"


def row_line(kind, weeks, other, row):
    return (f"| {kind} | {weeks} | {other} | {100 * math.expm1(row.truth):+.0f} % | {row.held:.3f} | {row.below:.3f} | {row.above:.3f} | {row.decided:.2f} | "
            f"{'holds' if row.holds else 'fails'} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", type=int, default=1000)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(page(given.logs, given.draws, given.seed), end="")


if __name__ == "__main__":
    main()
