"""Hollingsworth & Maneewongvatana (1999). The supplies and utilizations of Figures 7 to 9 are means over schedules of the same jobs with
submissions moved by up to a second; where the printed number is one of those that such schedules give, `why` says so."""
import functools
import statistics

import numpy

from ._rows import AGREES, BUILT, DEFINITION, DIFFERS, DRAWING, NONE, Campaign, Row, Value, numbers, plain, reference, said, shown

TITLE = "Imprecise calendars: Hollingsworth & Maneewongvatana (1999)"
TEXT = """\
Slots of growing length on one cluster (Figures 2 to 5), the queues of a CM-5 (Figures 6 and 7) and ten clusters under one manager (Figures 8
and 9). The metric is the mean of response over run time. What this tells of the paper is in
[imprecise calendars](../background/imprecise-calendars.md) and in [the summary](calendars.md)."""

MONTHS = {"October": ["2,404", "156", "1,005", "496", "747"], "November": ["1,982", "194", "580", "376", "832"]}
LENGTHS = ["below 10 s", "10 to 100 s", "100 to 1,000 s", "above 1,000 s"]
STRUCTURES = ["<100,000, 40 sec>", "<64, 40 sec>, <*, 2560 sec>", "<8, 40 sec>, <8, 320 sec>, <*, 2560 sec>",
              "<2, 40 sec>, <2, 1280 sec>, <*, 2560 sec>", "<2, 10 sec>, <2, 1280 sec>, <*, 2560 sec>",
              "<32, 10 sec>, <8, 320 sec>, <*, 2560 sec>"]
QUEUES = {1: (32, "18.0", "18.1"), 2: (32, "21.5", "21.7"), 3: (64, "24.7", "24.9"), 4: (128, "36.4", "36.3"), 5: (256, "38.9", "38.9"),
          6: (512, "38.8", "38.8")}
# Figure 9: jobs, utilization apart, processors per job, utilization together.
CLUSTERS = {1: ("939", "34.5", "14.6", "86.6"), 2: ("2,267", "72.9", "9.2", "80.2"), 3: ("1,597", "79.3", "9.9", "75.4"),
            4: ("1,594", "70.8", "10.9", "73.4"), 5: ("2,549", "55.2", "10.8", "76.9"), 6: ("1,759", "65.4", "11.1", "65.0"),
            7: ("1,700", "63.6", "10.8", "65.9"), 8: ("2,119", "72.9", "10.9", "61.5"), 9: ("1,630", "61.2", "12.0", "67.7"),
            10: ("1,483", "77.3", "10.2", "52.6"), "all": ("17,637", "65.3", "10.8", "")}
PRINTED = {"supply": "261,365", "consume": "261,365", "balance": "0", "local": "237,033"}  # of all clusters
LOGS = 10  # schedules of figures8-9_shaken_log whose jobs are kept
NOT_FOUND = "no metric (18 were tried) and no size of the machine (13) brings the paper's level"
ISOLATED = "the same work in 223.8 hours; 227 by the paper's numbers"
PERIOD = "the paper does not say of which days its node-hours are, and its utilizations are of processor time, ours of run time"


# Why sentences leave out levels.
REASONS = {"month": "it is of the month that it names", "class": "it is of the lengths or queues that it names"}


def rows(folder):
    one = Campaign(folder, "calendars/figures2-5_log", "calendars_figures2-5_log", ("scheduler",), REASONS)
    queues = Campaign(folder, "calendars/figures6-7_log", "calendars_figures6-7_log", ("queues",), REASONS)
    plan = Campaign(folder, "calendars/figures8-9_log", "calendars_figures8-9_log", ("federation",), REASONS)
    shaken = Campaign(folder, "calendars/figures8-9_shaken_log", "calendars_figures8-9_shaken_log", ("federation",), REASONS)
    yield said("Figure 1", "a calendar at two resolutions, of a manager and of its nodes", DRAWING)
    yield from single_cluster(one)
    yield from partitions(queues)
    yield from clusters(plan, shaken)
    yield from figure_9(plan, shaken)
    yield from future_work()


def single_cluster(one):
    for printed in reference("calendars/reference/figures2-5.csv"):
        cell = {"month": printed["month"], "scheduler": printed["scheduler"]}
        yield one.number(printed["note"], f"{printed['month']}, {printed['scheduler']}", printed["value"],
                         one.estimate("slowdown.mean", **cell), NOT_FOUND)
    sentence = functools.partial(one.sentence, "Figure 2")
    yield sentence("64 fine slots in place of 100,000 make jobs wait longer, in both months", "5.6 to 7.7, 4.8 to 5.5", "two levels cost",
                   "a level's difference is small: October 1 % less, November 4 % more")
    yield sentence("a middle level makes November worse", "", "a middle level")
    yield sentence("and does so by the jobs of 10 to 100 s", "", "short jobs")
    yield sentence("the fifth structure, as the text describes it (the sixth of Figure 4), is the best of those of several levels", "",
                   "the fifth structure", "configuration 3 is better in October, configuration 2 in November")
    yield sentence("the fifth structure of Figure 4 is the best of them", "", "the fifth of Figure 4",
                   "configuration 3 is better in October, configuration 2 in November")
    yield sentence("it is almost identical with 100,000 slots", "", "almost identical",
                   "in the paper's metric November is 12 % worse; in total response over total run time both months are within 1 % (next row)")
    yield sentence("the same by total response over total run time", "", "three levels suffice")
    for month, printed in MONTHS.items():
        counts = [one.estimate(f"slowdown.count[class={k}]", month=month, scheduler="slots 1") for k in range(4)]
        counts = [Value(round(sum(count.mean for count in counts))), *(Value(round(count.mean)) for count in counts)]
        for what, theirs, ours in zip(["all", *LENGTHS], printed, counts):
            yield one.number("Figure 3", f"jobs of {month}, {what}", theirs, ours, "one job more in the log")
    for number, theirs in enumerate(STRUCTURES, start=1):
        yield said("Figure 4", f"configuration {number}", DEFINITION, "`slots 1` to `slots 6` of figures2-5_log", theirs)
    slots = 32 + 8 + -(-(100_000 * 40 - 32 * 10 - 8 * 320) // 2560)
    yield Row("Figure 4", "slots of configuration 6 for the time of 100,000 of 40 s", "1,511", str(slots), verdict=DIFFERS,
              why="by arithmetic: 32 + 8 + 1,562")
    yield Row("Figure 4", "fewer slots by a factor of", "sixty", shown(100_000 / slots), verdict=AGREES)
    yield one.sentence("Figure 5", "October: about the delay of backfilling", "", "October as backfilling")
    yield one.sentence("Figure 5", "November: half the delay of backfilling", "10 to 5", "November halved",
                       "calendars are 15 % worse than conservative backfilling and 16 % worse than EASY")


def partitions(queues):
    together, apart = {"queues": "bump 600 s"}, {"queues": "separate EASY"}
    yield said("Figure 6", "bars of delay by queue, apart and together", DRAWING, "figures6-7_log draws them")
    yield queues.sentence("Figure 6", "both queues of 32 nodes wait by over a factor of three less", "three", "32 nodes")
    yield queues.sentence("Figure 6", "without significant delay to larger jobs", "", "larger queues",
                          "queues of 64 and 128 gain; those of 256 and 512 wait three times as long, for they run jobs of the others")
    yield said("Figure 7", "sizes of the queues", DEFINITION, "`system.clusters` of figures6-7_log", "32, 32, 64, 128, 256, 512")
    for number, (size, alone, shared) in QUEUES.items():
        yield queues.number("Figure 7, utilization", f"queue {number}: apart, %", alone,
                            apart_in_percent(queues, number, size, apart), PERIOD)
        yield queues.number("Figure 7, utilization", f"queue {number}: together, %", shared,
                            plain(used(queues, number, size, range(1, 7), 1024, together)), PERIOD)
    for number in QUEUES:
        ratio = plain(with_others / alone for with_others, alone in zip(ran(queues, number, together), ran(queues, number, apart)))
        yield value_row(queues, "Figure 7", f"the utilization of queue {number} is almost unchanged (node-hours together over apart)", "", ratio,
                        0.95 < ratio.lower and ratio.upper < 1.05, "jobs move from queues of up to 128 nodes to those of 256 and 512")
    for printed in reference("calendars/reference/figures6-7.csv"):
        theirs, ours = printed["value"], queues.estimate(printed["metric"], **together)
        sign = "the same sign" if numbers(theirs)[0] * ours.mean > 0 else "the opposite sign"
        why = PERIOD + (f"; {sign}" if printed["metric"].startswith("balance") else "")
        yield queues.number("Figure 7, trade in node-hours", of_cluster("queue", printed["metric"]), theirs, ours, why)
    balances = {k: queues.estimate(f"balance[cluster={k}]", **together) for k in QUEUES}
    negative = [k for k, balance in balances.items() if balance.upper < 0]
    yield value_row(queues, "Figure 7", "four of the six balances are negative", "four", Value(len(negative)), len(negative) == 4,
                    f"those of queues {' and '.join(map(str, negative))}")
    alike = [k for k in QUEUES if (k in negative) == (k in (1, 2, 3, 5))]
    yield value_row(queues, "Figure 7", "queues 1, 2, 3 and 5 have negative balances, 4 and 6 positive ones: as in the paper", "", Value(len(alike)),
                    len(alike) == 6, f"queues {' and '.join(map(str, alike))} alone")
    yield value_row(queues, "Figure 7", "the two queues that gain most (1 and 2) have negative balances: the least, node-hours", "",
                    min(balances[1], balances[2], key=lambda balance: balance.mean), {1, 2} <= set(negative),
                    "they send away more than they take, which is why they gain")
    elsewhere = {k: plain(100 * away / (away + home) for away, home in zip(queues.replications(f"consume[cluster={k}]", **together),
                                                                           queues.replications(f"local[cluster={k}]", **together))) for k in QUEUES}
    gains = {k: queues.ratio(f"slowdown.mean[class={k - 1}]", apart, together) for k in QUEUES}
    gainers, others = sorted(QUEUES, key=lambda k: -gains[k].mean)[:2], sorted(QUEUES, key=lambda k: -gains[k].mean)[2:]
    yield value_row(queues, "Figure 7", "the two queues that gain most (in print 1 and 2) run a larger share of their jobs elsewhere than all others: the smaller of both, % of node-hours",
                    "", min((elsewhere[k] for k in gainers), key=lambda share: share.mean),
                    min(elsewhere[k].lower for k in gainers) > max(elsewhere[k].upper for k in others),
                    f"queues 1 to 6 have {', '.join(f'{elsewhere[k].mean:.0f}' for k in QUEUES)} % elsewhere, and delays alone over together of "
                    + ", ".join(f"{gains[k].mean:.1f}" for k in QUEUES))


def apart_in_percent(queues, number, size, cell):
    """Utilization of a queue by itself, until its own last job ends."""
    logs = (queues.results.jobs(queues.results.cell(**cell), replication) for replication in range(5))
    own = (log[log["class"] == number - 1] for log in logs)
    return plain(100 * (jobs["service"] * jobs["processors"]).sum() / size / (jobs["finish"].max() - jobs["submit"].min()) for jobs in own)


def ran(campaign, number, cell):
    """Node-hours that a cluster was busy, replication by replication."""
    return numpy.add(campaign.replications(f"supply[cluster={number}]", **cell), campaign.replications(f"local[cluster={number}]", **cell))


def used(campaign, number, size, all_numbers, processors, cell):
    """Utilization of a cluster in %, until the last job ends: its part of all work × all processors / its own × utilization of all."""
    work = sum(ran(campaign, k, cell) for k in all_numbers)
    return 100 * ran(campaign, number, cell) / work * processors / size * numpy.array(campaign.replications("utilization", **cell))


def clusters(plan, shaken):
    isolated, levels = {"federation": "isolated"}, {"federation": "two levels"}
    yield said("section 3.3", "ten clusters of 336 nodes, the first eight days of ten months; promoted: above 112 nodes or from 12 hours on",
               DEFINITION, "campaigns/calendars/log.yaml", "336, 3,360, 112, 1/3, 12 hours, eight days")
    yield said("Figure 8", "bars of delay by cluster and length of job", DRAWING, "figures8-9_log draws those of all jobs by cluster")
    for printed in reference("calendars/reference/figures8-9.csv"):
        if printed["metric"] == "slowdown.mean":
            yield shaken.number("Figure 8", f"all clusters, {printed['federation']}", printed["value"],
                                shaken.estimate("slowdown.mean", federation=printed["federation"]),
                                of_range(printed["value"], shaken.replications("slowdown.mean", federation=printed["federation"])))
    yield shaken.sentence("Figure 8", "two levels reduce the mean delay", "", "all clusters")
    yield shaken.sentence("Figure 8", "by 25 %: together over apart", "25 %", "by a quarter",
                          f"by {100 - 100 * shaken.claim_value('by a quarter').mean:.0f} %, which is more")
    homes = [(shaken.replications(f"slowdown.mean[class={k}]", **levels), shaken.replications(f"slowdown.mean[class={k}]", **isolated))
             for k in range(10)]
    ratios = numpy.array([numpy.divide(*home) for home in homes])  # home × replication
    better = plain((ratios < 1).sum(axis=0).tolist())
    yield shaken.number("Figure 8", "clusters that gain, mean of 40 shaken logs", "7", better,
                        f"seven is chance: {counts((ratios < 1).sum(axis=0))}; by the means over the schedules six gain")
    modest = plain(((ratios > 1) & (ratios < 1.5)).sum(axis=0).tolist())
    yield shaken.number("Figure 8", "clusters that lose modestly (by less than half)", "1", modest,
                        f"of the forty schedules {((ratios > 1) & (ratios < 1.5)).sum(axis=0).tolist().count(1)} have one")
    for number in (1, 5):
        yield shaken.number("Figure 8", f"cluster {number} waits longer by a factor of", "3", plain(ratios[number - 1]),
                            "more than in the paper" if ratios[number - 1].mean() > 3 else "less than in the paper")
    yield from lengths(shaken, isolated, levels)


def counts(values):
    """How many of the forty schedules have each count."""
    return "of the forty schedules " + ", ".join(f"{int((values == count).sum())} have {count}" for count in sorted(set(values.tolist())))


def lengths(shaken, isolated, levels):
    """Sentences on the lower panels, from the logs of jobs: mean slowdown by home and length of run, replication by replication."""
    def means(replication, cell):
        jobs = shaken.results.jobs(shaken.results.cell(**cell), replication)
        slowdown = (jobs["finish"] - jobs["submit"]) / jobs["service"]
        return slowdown.groupby([jobs["class"], numpy.digitize(jobs["service"], [10, 100, 1000])]).mean().unstack()

    tables = [(means(replication, levels), means(replication, isolated)) for replication in range(LOGS)]
    rise = [[(together / apart).loc[home] for home in (0, 4)] for together, apart in tables]
    for home, number in enumerate((1, 5)):
        by_length = {k: plain(table[home][k] for table in rise) for k in (1, 2, 3)}  # the figure has no panel for shorter jobs
        where = max(by_length, key=lambda k: by_length[k].mean)
        yield value_row(shaken, "Figure 8", f"cluster {number} suffers most with jobs of 10 to 1,000 s: factor, 10 to 100 s", "", by_length[1],
                        where in (1, 2), f"most with those {LENGTHS[where]}")

    def variation(table, k):
        return table[k].std(ddof=0) / table[k].mean()
    for k, what in ((2, "100 to 1,000 s"), (3, "over 1,000 s")):
        difference = plain(variation(together, 1) - variation(together, k) for together, _ in tables)
        value = plain(variation(together, k) for together, _ in tables)
        short = plain(variation(together, 1) for together, _ in tables)
        yield value_row(shaken, "Figure 8", f"delays of jobs of {what} differ little between clusters, those of 10 to 100 s much: "
                        "coefficients of variation over the clusters", "", value, difference.lower > 0,
                        "not less than those of 10 to 100 s", f"{shown(value.mean)} and {shown(short.mean)}")


def of_cluster(word, metric):
    """"cluster 3: supply" of supply[cluster=3]."""
    name, number = metric.rstrip("]").split("[cluster=")
    return f"{word} {number}: {name}"


def value_row(campaign, item, what, theirs, value, holds, why, ours=None):
    row = campaign.judged(item, what, theirs, value, AGREES if holds else DIFFERS, why)
    if ours:
        row.ours, row.lower, row.upper = ours, "", ""
    return row


def of_range(theirs, values):
    """Whether the printed number, which is of one schedule, is one of those that the schedules give."""
    printed = numbers(theirs)[0]
    if min(values) <= printed <= max(values):
        return "the paper has one schedule; of our forty some give less and some more"
    return f"the paper has one schedule; all of our forty give {'more' if min(values) > printed else 'less'}"


def figure_9(plan, shaken):
    isolated, levels = {"federation": "isolated"}, {"federation": "two levels"}
    jobs = plan.results.jobs(plan.results.cell(**isolated), 0)
    for number, (count, apart, nodes, together) in CLUSTERS.items():
        own = jobs if number == "all" else jobs[jobs["class"] == number - 1]
        yield plan.number("Figure 9, jobs", f"cluster {number}: jobs", count, Value(len(own)), "")
        yield plan.number("Figure 9, jobs", f"cluster {number}: nodes per job", nodes, Value(own["processors"].mean()), "")
    for number, (_, apart, _, together) in CLUSTERS.items():
        for theirs, cell, what in ((apart, isolated, "isolated"), (together, levels, "two levels")):
            if number == "all":
                continue
            values = used(shaken, number, 336, range(1, 11), 3360, cell)
            yield shaken.number("Figure 9, utilization", f"cluster {number}: {what}, %", theirs, plain(values),
                                ISOLATED if cell is isolated else of_range(theirs, values))
    alone = [used(shaken, number, 336, range(1, 11), 3360, isolated).mean() for number in range(1, 11)]
    yield value_row(shaken, "section 3.3", "clusters 1 and 5 have the lowest utilization by themselves: the greater of both, in %", "", Value(alone[4]),
                    sorted(alone)[:2] == [alone[0], alone[4]], "others have less")
    yield value_row(plan, "section 3.3", "nodes per job, less than", "11", Value(jobs["processors"].mean()), jobs["processors"].mean() < 11, "")
    all_of_them = plain(100 * utilization for utilization in shaken.replications("utilization", **isolated))
    yield shaken.number("Figure 9", "utilization of all, isolated, %", CLUSTERS["all"][1], all_of_them, ISOLATED)
    for printed in reference("calendars/reference/figures8-9.csv"):
        if printed["metric"] != "slowdown.mean":
            yield shaken.number("Figure 9, trade in node-hours", of_cluster("cluster", printed["metric"]), printed["value"],
                                shaken.estimate(printed["metric"], federation=printed["federation"]),
                                of_range(printed["value"], shaken.replications(printed["metric"], **levels)))
    for name, theirs in PRINTED.items():
        totals = sum(numpy.array(shaken.replications(f"{name}[cluster={k}]", **levels)) for k in range(1, 11))
        yield shaken.number("Figure 9, trade in node-hours", f"all: {name}", theirs, plain(totals.round(6)), of_range(theirs, totals))
    work = [shaken.estimate("work_1", **levels)]
    yield shaken.number("Figure 9", "consume + local of cluster 1: the work of its jobs", "26,303", work[0], "")
    all_work = sum(shaken.estimate(f"{name}[cluster={k}]", **levels).mean for k in range(1, 11) for name in ("supply", "local"))
    ends = plain(all_work / 3360 / utilization for utilization in shaken.replications("utilization", **levels))
    yield shaken.number("Figure 9", "hours until the last end with two levels, as supply, local and utilization of cluster 1 give them", "210.3", ends,
                        "0.3 % less")
    foreign = numpy.array([numpy.array(shaken.replications(f"supply[cluster={k}]", **levels)) > shaken.replications(f"local[cluster={k}]", **levels)
                           for k in range(1, 11)])
    for what, theirs, printed, part in (("clusters of the ten that are busy with jobs of others for most of their time", "five", 5, foreign),
                                        ("of the first six clusters", "five", 5, foreign[:6])):
        count = part.sum(axis=0)
        yield value_row(shaken, "Figure 9", what, theirs, plain(count.tolist()), plain(count.tolist()).lower <= printed <= plain(count.tolist()).upper,
                        counts(count))
    eligible = int(((jobs["processors"] > 112) | (jobs["service"] >= 43200)).sum())
    yield value_row(plan, "section 3.3", "jobs that may run on other clusters", "just over 2,000", Value(eligible), 2000 < eligible < 2100, "")
    yield value_row(plan, "section 3.3", "of a total of over", "17,000", Value(len(jobs)), len(jobs) > 17_000, "")


def future_work():
    yield said("future work", "an allocation without the bias to lower numbers (footnote 3)", BUILT, "`tie: least_loaded` of `managers`")
    yield said("section 2.2", "a limit to the trade deficit, by the account balance", BUILT, "`most_deficit`; not simulated by the authors")
    yield said("section 2.3", "jobs handed up when the first slot is too far in the future", BUILT,
               "`bump_s`; the paper does not say whether its simulations have it")
    yield said("section 2.3", "reservations of a specific time", BUILT, "reservations_log; not simulated by the authors")
    yield said("section 2.4", "shadow calendars, inquiries, two-phase commit", BUILT, "staleness_log, delay_log; not simulated by the authors")
    yield said("section 2.1", "fundamental slots of the order of tens of seconds, doubled every 2k slots", DEFINITION, "`slot_sizes`, `slot_counts`")
    yield said("section 3.2", "footnote 2: slots of 16 × 10, 40, 160, 640 and 2,560 s", DEFINITION, "figures6-7_log has them")
