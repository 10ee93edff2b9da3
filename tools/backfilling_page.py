"""Writes what campaigns/traces/backfilling.yaml measured as a page: EASY against the other policies by the comparisons in the file; and
all means with their intervals as a table.

usage: backfilling_page.py RESULTS.h5 VERSION TABLE.csv     (the page goes to standard output)
"""
import csv
import math
import pathlib
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python" / "src"))

import schedfarm

LOG, ESTIMATES, LOAD, POLICY = "log", "workload.estimates", "workload.load_factor", "policy"
BASELINE = "easy"


def levels(frame, factor):
    """In the order of the campaign."""
    return list(dict.fromkeys(frame[factor]))


def number(value, decimals, digits, sign=""):
    """With these decimals, and more where they show fewer digits than `digits`; below 0 decimals are tens, hundreds."""
    if value:
        decimals = max(decimals, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{round(value, decimals):{sign},.{max(decimals, 0)}f}"


def text(value, lower, upper, unit=""):
    """As `schedfarm report` prints it: two digits of the interval, three of the estimate at least; by its ends where one is more than
    twice as far off as the other."""
    side = max(upper - value, value - lower)
    decimals = 1 - math.floor(math.log10(side)) if side > 0 else 0
    shown = number(value, decimals, 3, "+" if unit else "") + unit
    if side > 2 * min(upper - value, value - lower):
        return f"{shown} [{number(lower, decimals, 2)}, {number(upper, decimals, 2)}]"
    return f"{shown} ±{number(side, decimals, 2)}"


def row(cells):
    return "| " + " | ".join(cells) + " |"


def write_means(estimates, path):
    """Mean bounded slowdown and mean wait in hours, of every cell."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["log", "metric", "estimates", "load", "policy", "mean", "lower", "upper"])
        for metric, name, unit in (("bounded_slowdown.mean", "bounded slowdown", 1), ("wait.mean", "wait, hours", 3600)):
            for own in estimates[estimates.metric == metric].to_dict("records"):
                writer.writerow([own[LOG], name, own[ESTIMATES], own[LOAD], own[POLICY], *(f"{own[end] / unit:.4g}" for end in ("mean", "lower", "upper"))])


def with_levels(comparisons, results):
    """The factor levels of both cells beside each comparison."""
    factors = results.table("factors").pivot(index="cell", columns="factor", values="label")
    joined = comparisons.join(factors, on="first_cell")
    joined["other"] = factors[POLICY].reindex(joined.second_cell).to_numpy()
    # A comparison is first − second; turned where the baseline stands first.
    turned = joined[POLICY] == BASELINE
    expected = turned | (joined.other == BASELINE)
    if not expected.all():
        raise SystemExit("the comparisons are not with " + BASELINE)
    joined["compared"] = joined[POLICY].where(~turned, joined.other)
    joined["easy_cell"] = joined.second_cell.where(~turned, joined.first_cell)
    sign = 1 - 2 * turned.astype(int)
    joined["change"] = sign * joined.difference
    joined["least"] = joined.lower.where(~turned, -joined.upper)
    joined["greatest"] = joined.upper.where(~turned, -joined.lower)
    means = results.estimates(comparisons.metric.iloc[0]).set_index("cell")["mean"]
    joined["of_easy"] = means.reindex(joined.easy_cell).to_numpy()
    joined["sign"] = (joined.verdict != "not decided") * ((joined.change > 0) * 2 - 1)
    return joined


def verdicts(joined):
    """In how many groups each policy has a larger or smaller mean than EASY, by kind of estimates."""
    lines = [row(["policy", *levels(joined, ESTIMATES)]),
             row([":---"] + ["---:"] * len(levels(joined, ESTIMATES)))]
    for policy in levels(joined, "compared"):
        cells = []
        for words in levels(joined, ESTIMATES):
            signs = joined[(joined.compared == policy) & (joined[ESTIMATES] == words)].sign
            smaller = (joined.change[signs.index] < 0).sum()
            cells.append(f"{(signs < 0).sum()} / {(signs == 0).sum()} / {(signs > 0).sum()} ({smaller})")
        lines.append(row([policy, *cells]))
    return lines


def against_conservative(joined):
    rows = joined[joined.compared == "conservative"]
    loads = levels(rows, LOAD)
    lines = [row(["log", "estimates", *(f"×{load}" for load in loads)]), row([":---", ":---"] + ["---:"] * len(loads))]
    for log in levels(rows, LOG):
        for words in levels(rows, ESTIMATES):
            group = rows[(rows[LOG] == log) & (rows[ESTIMATES] == words)].set_index(LOAD)
            cells = [text(*(100 * group[end][load] / group.of_easy[load] for end in ("change", "least", "greatest")), " %")
                     + ("" if group.sign[load] == 0 else " *") for load in loads]
            lines.append(row([log, words, *cells]))
    return lines


def unstable(results):
    stability = results.table("stability", factors=True)
    bad = stability[stability.verdict == "unstable"]
    if bad.empty:
        return ["No cell is unstable."]
    names = [f"{log} ({', '.join(sorted(set(group[POLICY])))} at ×{', ×'.join(f'{load:g}' for load in sorted(set(group[LOAD])))})"
             for log, group in bad.groupby(LOG, sort=False, observed=True)]
    return [f"{len(bad)} of {len(stability)} cells have queues that grow through all 5,000 jobs, so that their means "
            f"depend on that number: {'; '.join(names)}."]


def mean_of(estimates, policy, words):
    """Mean bounded slowdown by log and load."""
    rows = estimates[(estimates.metric == "bounded_slowdown.mean") & (estimates[POLICY] == policy)
                     & (estimates[ESTIMATES] == words)]
    return rows.set_index([LOG, LOAD])["mean"]


def findings(estimates, joined):
    conservative = joined[joined.compared == "conservative"]
    slow = joined[joined.compared == "fcfs"]
    sorted_queue = joined[joined.compared == "easy(order=sjf)"]
    easy = {words: mean_of(estimates, BASELINE, words) for words in levels(estimates, ESTIMATES)}
    fcfs = mean_of(estimates, "fcfs", "user") / easy["user"]
    gain = easy["user"] / mean_of(estimates, "easy(order=sjf)", "user")
    exact_gain = easy["exact"] / mean_of(estimates, "easy(order=sjf)", "exact")
    decided = (conservative.sign != 0).sum()
    caution = ("" if decided else " Whoever calls one better than the other on such logs needs longer ones than these, or "
               "reports one sample.")
    sentences = [
        f"EASY or conservative: {decided} of {len(conservative)} comparisons are decided. "
        f"Conservative backfilling has the smaller mean in {(conservative.change < 0).sum()}.{caution}",
        f"The order in which the queue is searched matters more: shortest first (SJF) has the smaller mean in "
        f"{(sorted_queue.change < 0).sum()} of {len(sorted_queue)} combinations, {gain.min():.1f} to {gain.max():.1f} "
        f"times smaller with the users' requests, {exact_gain.min():.1f} to {exact_gain.max():.1f} times with exact "
        "ones: what it gains is what requests tell it.",
        f"Exact requests in place of the users' make EASY's mean smaller in {(easy['exact'] < easy['user']).sum()} of "
        f"{len(easy['user'])} combinations, Tsafrir's in {(easy['tsafrir'] < easy['user']).sum()}.",
        f"FCFS has {fcfs.min():.0f} to {fcfs.max():.0f} times the mean of EASY: {(slow.sign > 0).sum()} of {len(slow)} "
        "comparisons are decided."]
    return [textwrap.fill(sentence, 118, initial_indent="- ", subsequent_indent="  ") for sentence in sentences]


def page(results, version):
    estimates = results.estimates()
    joined = with_levels(results.table("comparisons"), results)
    replications = estimates.n.max()
    lines = [
        "# Backfilling on four logs: what the campaign measured", "",
        f"Generated by `tools/reproduce.py backfilling` with {version}; do not edit. The campaign is",
        "`campaigns/traces/backfilling.yaml`: 4 logs × 3 kinds of estimates × 3 load factors × 7 policies, each cell",
        f"{replications} replications of 5,000 jobs (the first 1,000 are not measured) in weeks drawn from the log with",
        "replacement. Intervals are at 95 %, of logs like these: more replications do not make them shorter. Policies see",
        "the same jobs.", "",
        f"Payload (schema {results.attributes['schema_version']}): `{results.attributes['payload_hash']}`", "",
        "*user*: the requests in the log; *exact*: the run time; *tsafrir*: a model of what users request.", "",
        *unstable(results), "",
        "## What it shows", "", *findings(estimates, joined), "", "## EASY and conservative backfilling", "",
        "Mean bounded slowdown under conservative backfilling, more (+) or less than under EASY, in per cent of EASY's",
        "mean. *: EASY and conservative differ. Verdicts hold for all comparisons on this page together (Holm); each interval",
        "has the level of its Holm step.", "",
        *against_conservative(joined), "",
        "## All policies against EASY", "",
        "In how many of the 12 combinations of log and load the mean bounded slowdown is smaller than EASY's, not",
        "decided, or larger; in brackets in how many it is smaller, decided or not. Unstable cells are not compared:", "",
        *verdicts(joined), "",
        "[backfilling.csv](backfilling.csv) has the means of bounded slowdown (threshold 10 s) and wait of every log, kind of",
        "estimates, load and policy."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    found = schedfarm.open(sys.argv[1])
    write_means(found.estimates(), sys.argv[3])
    print(page(found, sys.argv[2]), end="")
