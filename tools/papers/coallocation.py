"""Bucur & Epema 2000: 5 tables, 7 figures, 6 formulas, and their sentences."""
import math

from ._rows import BUILT, DEFINITION, DRAWING, FORMULA, NONE, NOT_BUILT, Campaign, Value, reference, said, shown

TITLE = "Co-allocation: Bucur & Epema (2000)"
TEXT = """\
"The influence of the structure and sizes of jobs on the performance of co-allocation" (JSSPP 2000). In words:
[co-allocation](coallocation.md)."""

SIZES = ("[1, 4]", "[1, 8]")
FCFS, FPFS = "fcfs", "fpfs(max_jumps=7)"
QUEUEING = ("The paper takes for saturation a mean response of 1,500 service times in runs of unknown length; ours is the loss of the saturated system, "
            "which equals the exact one.")
SHORT_RUNS = ("The paper's runs were short: at MaxJumps 0 and utilization 0.78 the exact mean response is 6.2359, and it prints 4.8845; it does not say "
              "whether an arrival to a non-empty queue makes the scheduler scan it.")


LOADS = {"utilization": "at 0.1 and 0.2 differences are small (section 4.3); above 0.5 some are beyond saturation"}
STRUCTURE = ("structure",)
DIFFERENT = ("Clusters of 5 and 7 hold few components: unordered requests saturate at 87 % of the utilization of equal clusters, ordered ones at 65 %, and near that "
             "the response is a multiple.")


def maximal_utilization(folder):
    maximal = Campaign(folder, "coallocation/maximal_utilization", "maximal_utilization", STRUCTURE)
    for item, what, claim in (
            ("section 4.1", "total requests have the best maximal utilization; over unordered ones, FCFS and FPFS", "total above unordered"),
            ("section 4.1", "ordered requests have a lower one; unordered over ordered", "unordered above ordered"),
            ("section 4.2", "smaller requests increase the maximal utilization; [1, 4] over [1, 8], each type of requests", "small above large"),
            ("section 4.3", "FPFS improves the maximal utilization, with 64 jobs waiting; over FCFS", "FPFS above FCFS")):
        yield maximal.sentence(item, what, "", claim, "Not at every place.")


def different_sizes(folder):
    for name, what in (("cluster_sizes", "response time"), ("cluster_sizes_saturated", "maximal utilization")):
        campaign = Campaign(folder, f"coallocation/{name}", name)
        yield campaign.sentence("section 2.1", f"clusters of different sizes would not change the results significantly (here: 10 %): {what}, clusters of 5, 7, 9, 11 over 4 of 8",
                                "", "clusters of different sizes", DIFFERENT)


def low_arrival_rates(folder):
    low = Campaign(folder, "coallocation/low_load", "low_load", STRUCTURE)
    same = "for a low arrival rate, under all circumstances the same results (here: 2 %, utilization 0.01 and 0.1)"
    for what, claim, why in (("FPFS over FCFS", "policies alike", ""), ("sizes [1, 8] over [1, 4]", "sizes alike", "At 0.1 large requests meet others: 13 to 18 % more."),
                             ("ordered requests over total ones", "structures alike", "At 0.1 up to 5 % more, with sizes on [1, 8]."),
                             ("unordered requests over total ones", "unordered as total", "At 0.1 up to 4 % more, with sizes on [1, 8].")):
        yield low.sentence("section 4.3", f"{same}: {what}", "", claim, why)


def by_max_jumps(folder):
    jumps = Campaign(folder, "coallocation/max_jumps", "max_jumps")
    no_limit = 1_000_000_000
    for load in (0.62, 0.78):
        greatest = [jumps.estimate("wait.p99.99", max_jumps=limit, utilization=load) for limit in (7, no_limit)]
        yield jumps.judged("section 4.3", f"a MaxJumps that is too large hurts individual jobs: the wait that one in 10,000 exceeds, without a limit and, in the reason, with 7; "
                           f"utilization {load}", "", greatest[1], verdict_of(greatest[1], greatest[0]),
                           f"With MaxJumps 7 it is {shown(greatest[0].mean)} [{shown(greatest[0].lower)}, {shown(greatest[0].upper)}].",
                           {"max_jumps": "it is of none beside the paper's 7", "utilization": "each has a row"}, greatest)
        starved = [jumps.estimate("wait.p99.99", max_jumps=limit, utilization=load) for limit in (0, no_limit)]
        yield jumps.judged("section 4.3", f"MaxJumps without a limit would cause starvation: the wait that one in 10,000 exceeds, utilization {load}", "", starved[1],
                           "differs", f"Nobody starves: it is {shown(starved[0].mean)} under FCFS, for the largest request is half the cluster.",
                           {"max_jumps": "it is of none beside FCFS, which has 0", "utilization": "each has a row"}, starved)


def verdict_of(more, less):
    return "agrees" if more.lower > less.upper else "differs" if more.upper < less.lower else "undecided"


def tables(folder):
    table = Campaign(folder, "coallocation/table1", "table1")
    yield from table.reference_rows("Table 1", reference("coallocation/reference/table1.csv"), lambda line: f"{line['sizes']}: {line['column']}",
                                    lambda line: QUEUEING, "capacity_loss.fill_sd")
    table = Campaign(folder, "coallocation/table2", "table2")
    yield from table.reference_rows("Table 2", reference("coallocation/reference/table2.csv"), lambda line: f"q = {line['ratio']}: {line['column']}",
                                    lambda line: "", "capacity_loss.fill_sd")
    table = Campaign(folder, "coallocation/table3", "table3")
    yield from table.reference_rows("Table 3", reference("coallocation/reference/table3.csv"), lambda line: f"{line['sizes']}: {line['workload.request']}",
                                    lambda line: "", "capacity_loss.fill_sd")
    table = Campaign(folder, "coallocation/table4", "table4")
    yield from table.reference_rows("Table 4", reference("coallocation/reference/table4.csv"), lambda line: f"{line['sizes']}: {line['column']}",
                                    lambda line: "", "capacity_loss.fill_sd")
    table = Campaign(folder, "coallocation/table5", "table5")
    scan = {"true": "scan at every arrival", "false": "an arrival only joins"}
    yield from table.reference_rows(
        "Table 5", reference("coallocation/reference/table5.csv"),
        lambda line: f"MaxJumps {line['policy.fpfs.max_jumps']}: utilization {line['load.utilization']}, {scan[line['policy.fpfs.scan_on_arrival']]}",
        lambda line: SHORT_RUNS)


def sentences_on_tables(folder):
    one, four, five = (Campaign(folder, f"coallocation/table{n}", f"table{n}", named) for n, named in ((1, ()), (4, STRUCTURE), (5, ())))
    uniform = one.results.factors.levels("sizes")

    def beyond_filling(sizes):
        known = one.results.table("known_values", factors=True)
        known = known[(known["sizes"] == sizes) & (known["metric"] == "capacity_loss") & (known["experiment"] == "bin_filling")].set_index("label")["value"]
        value = Value(100 * float(known[next(label for label in known.index if "(4)" in label)]) / float(known["exact"]) - 100)
        return one.of(value, {"sizes": sizes, "experiment": "bin_filling"})
    yield one.held("section 3.2", "approximation beside bin filling, percent more: results agree very well (here: within 15 %) but for small intervals of large sizes", "",
                   [beyond_filling(sizes) for sizes in uniform[:-1]], lambda lower, upper: -15 < lower and upper < 15, "",
                   {"sizes": "in the next row", "experiment": "it is of bin filling"})
    yield one.held("section 3.2", "the exception: approximation beside bin filling, [13, 16], percent more", "", [beyond_filling(uniform[-1])],
                   lambda lower, upper: lower > 15, "", {"sizes": "in the row before", "experiment": "it is of bin filling"})

    def unordered_less(clusters, sizes):
        first, second = ({"sizes": sizes, "structure": f"C = {clusters} {request}"} for request in "UO")
        return four.paired(lambda a, b: a - b, "capacity_loss", first, second)
    yield four.held("section 3.3", "Worst Fit: unordered requests lose no more capacity than ordered ones, loss of U less that of O", "",
                    [unordered_less(clusters, sizes) for clusters in (4, 10) for sizes in four.results.factors.levels("sizes")],
                    lambda lower, upper: upper <= 1e-12 or (lower <= 0 <= upper), "Not at every place.")

    def by_jumps(more, less, load, scan):
        cell = dict(utilization=load, scan_on_arrival=scan)
        return five.ratio("response_time.mean", dict(max_jumps=more, **cell), dict(max_jumps=less, **cell))
    yield five.held("section 4.3", "a greater MaxJumps improves the response time up to a point: MaxJumps 7 over 0", "",
                    [by_jumps(7, 0, load, scan) for load in (0.62, 0.78) for scan in ("true", "false")], lambda lower, upper: upper < 1, "",
                    {"max_jumps": "between them it falls (Table 5)"})
    yield five.held("section 5", "not very sensitive to MaxJumps beyond 7 (here: 10 %): MaxJumps 12 and 20 over 7, utilization 0.62", "",
                    [by_jumps(jumps, 7, 0.62, scan) for jumps in (12, 20) for scan in ("true", "false")], lambda lower, upper: lower > 0.9 and upper < 1.1, "",
                    {"max_jumps": "not beyond 7", "utilization": "in the next row"})
    yield five.held("section 5", "the same, utilization 0.78 (the printed responses: 0.954)", "", [by_jumps(jumps, 7, 0.78, scan) for jumps in (12, 20) for scan in ("true", "false")],
                    lambda lower, upper: lower > 0.9 and upper < 1.1, "Near saturation the response still falls by some tenth.",
                    {"max_jumps": "not beyond 7", "utilization": "in the row before"})


def figures(folder):
    yield said("Figure 1", "the model of a multicluster system", DRAWING)
    for number, what in ((2, "response time, one cluster of 32, sizes [1, 16], FCFS"), (3, "response time by structure of requests, FCFS"),
                         (4, "response time by size of requests, FCFS"), (5, "ordered requests [1, 8] beside M/M/1"),
                         (6, "response time by policy"), (7, "response time, sizes that favour powers of two")):
        yield said(f"Figure {number}", what, DRAWING, f"A picture without numbers; drawn anew in the gallery by `campaigns/coallocation/figure{number}.yaml`.")


def sentences_on_figures(folder):
    three, five, six = (Campaign(folder, f"coallocation/figure{n}", f"figure{n}", named, LOADS)
                        for n, named in ((3, STRUCTURE), (5, ()), (6, ("structure", "policy"))))
    response = "response_time.mean"
    loads = (0.3, 0.4, 0.45, 0.5)

    def below_one(lower, upper):
        return upper < 1
    yield three.sentence("section 4.1", "Figure 3: total requests have the best response time; over unordered ones", "", "total below unordered", "Not at every place.")
    yield three.sentence("section 4.1", "Figure 3: unordered requests are better than ordered ones in all simulations; over ordered ones", "",
                         "unordered below ordered", "Not at every place.")
    yield three.held("section 4.2", "Figures 3 and 4: smaller requests decrease the response time of each type; [1, 4] over [1, 8]", "",
                     [three.ratio(response, dict(component_size=SIZES[0], structure=structure, utilization=load),
                                  dict(component_size=SIZES[1], structure=structure, utilization=load))
                      for structure in ("total", "unordered", "ordered") for load in loads], below_one, "Not at every place.")
    placement = five.results.placements().iloc[0]
    jobs = five.of_all(Value(float(placement["rho_max"]) * 32 / 18))
    yield five.judged("section 4.2", "Figure 5: ordered requests [1, 8], little more than one job in service: jobs in service at saturation (exact)", "", jobs, "agrees", "")
    yield five.held("section 4.2", "Figure 5: the maximum throughput is similar to that of M/M/1 (1; here: within 10 %)", "", [jobs], lambda lower, upper: 0.9 < lower and upper < 1.1)
    known = five.results.table("known_values")
    alone = known[known["label"].str.startswith("M/M/1")].set_index("cell")["value"]
    loads_of = five.results.factors.levels("load.utilization")
    below = [five.estimate(response, utilization=load).times(1 / alone[five.results.cell(utilization=load)]) for load in loads_of if load * 32 / 18 < 0.9]
    yield five.held("section 4.2", "Figure 5: the system behaves like a single processor (here: within 15 %): response over that of M/M/1 at the same arrival rate, up to 0.9",
                    "", below, lambda lower, upper: 0.85 < lower and upper < 1.15, "Now and then two small jobs run side by side, and near saturation that shortens the response by some 15 %.",
                    {"utilization": "from 0.9 of M/M/1 on its response grows beyond all bounds"})
    yield six.sentence("section 4.3", "Figure 6: FPFS improves the response time; over FCFS", "", "FPFS below FCFS", "Not at every place.")
    yield six.sentence("section 4.3", "far from saturation improvements are very small if any (here: 2 %); FPFS over FCFS at utilization 0.1", "", "alike at low load", "Not at every place.",
                       {"utilization": "not far from saturation"})
    kept = (0.3, 0.4, 0.5)
    yield six.held("section 4.3", "Figure 6: under FPFS, too, smaller requests respond sooner; [1, 4] over [1, 8]", "",
                   [six.ratio(response, dict(policy=FPFS, component_size=SIZES[0], structure=structure, utilization=load),
                              dict(policy=FPFS, component_size=SIZES[1], structure=structure, utilization=load))
                    for structure in ("total", "unordered", "ordered") for load in kept], below_one, "Not at every place.")
    for better, worse in (("total", "unordered"), ("unordered", "ordered")):
        yield six.held("section 6", f"under FPFS, too, {better} requests respond sooner than {worse} ones; over those", "",
                       [six.ratio(response, dict(policy=FPFS, component_size=size, structure=better, utilization=load),
                                  dict(policy=FPFS, component_size=size, structure=worse, utilization=load)) for size in SIZES for load in kept],
                       below_one, "Not at every place.")


def other_sentences(folder):
    grouping = Campaign(folder, "coallocation/grouping", "grouping")
    yield grouping.sentence("section 2.2", "components grouped on the same cluster: not much different (here: 5 %); response over that of distinct clusters", "",
                            "grouping", "Two components on one cluster leave room on another: the response is 6 % shorter at a utilization of 0.3 and 17 to 28 % at 0.5.")
    first_fit = Campaign(folder, "coallocation/first_fit", "first_fit", STRUCTURE)
    for claim in ("four clusters", "ten clusters"):
        yield first_fit.sentence("section 3.3", f"First Fit may make unordered requests lose much more capacity than ordered ones: U less O, {claim} of 32", "", claim,
                                 "At no size.")
    ladder = Campaign(folder, "coallocation/saturation_ladder", "saturation_ladder")
    yield ladder.held("section 4.3", "FPFS improves the maximal utilization, total requests [1, 4]: over FCFS, with 1 to 1,024 jobs waiting", "",
                      [ladder.ratio("gross_utilization", dict(policy=FPFS, backlog=backlog), dict(policy=FCFS, backlog=backlog)) for backlog in (1, 4, 16, 64, 256, 1024)],
                      lambda lower, upper: lower > 1, "With a single job waiting there is nobody to overtake.")
    search = Campaign(folder, "coallocation/saturation_search", "saturation_search")
    found = search.results.saturation().set_index("criterion")
    for criterion, what in (("response time", "by the paper's criterion, a mean response of 1,500"), ("drift", "by the load from which a queue of 500 jobs grows")):
        own = found.loc[criterion]
        value = search.of(Value(*(float(own[end]) for end in ("rho_max", "lower", "upper"))), {"criterion": criterion})
        exact = float(own["exact"])
        true = exact if not math.isnan(exact) else float(found["exact"].max())
        yield search.judged("section 3.2", f"saturation of total requests [1, 4], FCFS, {what}; exact: {true:.4f}", "", value,
                            "agrees" if value.lower <= true <= value.upper else "differs",
                            "The criterion depends on the length of the run: in 400,000 jobs the mean reaches 1,500 only beyond saturation.",
                            {"criterion": "each has a row"})


def without_numbers():
    yield said("formula (1)", "probability that i processors stay idle in bin filling", FORMULA, "Known value \"exact\" of bin filling, by dynamic programming.")
    yield said("formula (2)", "capacity loss of bin filling", FORMULA, "Known value \"exact\" of bin filling.")
    yield said("formula (3)", "approximation of the loss", FORMULA, "Known value with I = {0, …, n2 − 1}; Table 2's column.")
    yield said("formula (4)", "approximation for uniform sizes", FORMULA, "Equals formula (3); Table 1's column.")
    yield said("formula (5)", "approximation for sizes from 1", FORMULA, "Follows from formula (4).")
    yield said("formula (6)", "maximal utilization for sizes from 1", FORMULA, "Follows from formula (5).")
    yield said("section 2.4", "the DAS: 128 nodes and three clusters of 24; at most 15 minutes", DEFINITION, "`campaigns/coallocation/das.yaml`, without a limit of time.", "128, 24, 15")
    yield said("section 3.1", "all jobs of size ⌈(N + 1)/2⌉: the loss is close to 0.5 for large N", FORMULA,
               "(N mod d)/N of section 3.2 with d = N/2 + 1: 15/32 and 511/1024.", "0.5", "0.4688 (N = 32), 0.4990 (N = 1,024)")
    yield said("section 3.2", "each bin-filling result averages 10,000 fills; the queueing model is saturated at a mean response of 1,500", DEFINITION,
               "The noise of the fills counts as the paper's own interval.", "10,000, 1,500")
    yield said("section 4", "one cluster of 32, or 4 of 8 processors; components on [1, 4] and [1, 8]; mean service time 1", DEFINITION, "`campaigns/coallocation/common.yaml`.",
               "32, 4, 8, 1, 4, 1, 8, 1")
    yield said("section 4.3", "MaxJumps is 7", DEFINITION, "`campaigns/coallocation/figure6.yaml`.", "7")
    yield said("section 4.4", "sizes that favour powers of two: p, q, N", DEFINITION, "`campaigns/coallocation/figure7.yaml`.", "0.7, 0.90, 8")
    yield said("section 5", "other work: 40 to 60 % utilization under FCFS, 15 points more by backfilling", NONE, "Another paper's observation of installations.", "40 to 60, 15")
    yield said("section 5", "other work: MASC of 10, 100, 1,000 on logs of an SP2 and a Paragon", NONE, "Another paper's simulations.", "10, 100, 1000")
    yield said("section 5", "other work: speedup on 4 clusters of 8, 24 against 15; broadcasts in 50 % of the time; communication 50 times as slow", NONE,
               "Measurements of applications on the DAS.", "24, 15, 50")
    yield said("future work", "the effect of slower communication between clusters", NOT_BUILT, "A job's run time does not depend on where it runs.")
    yield said("future work", "traces of real multicluster systems", BUILT,
               "Logs joined to a federation run under any policy of `campaigns/calendars/`; a log of co-allocated components is not known to us.")


def rows(folder):
    yield from tables(folder)
    yield from figures(folder)
    yield from maximal_utilization(folder)
    yield from different_sizes(folder)
    yield from low_arrival_rates(folder)
    yield from by_max_jumps(folder)
    yield from other_sentences(folder)
    yield from sentences_on_tables(folder)
    yield from sentences_on_figures(folder)
    yield from without_numbers()
