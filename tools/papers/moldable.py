"""Dutot, Eyraud, Mounié & Trystram 2004: 7 figures, no table, and their sentences, most of them in section 4.2."""
from ._rows import AGREES, BUILT, DEFINITION, DIFFERS, DRAWING, FORMULA, NONE, NOT_BUILT, Campaign, Value, cells_of, ratio, said

TITLE = "Moldable jobs: Dutot, Eyraud, Mounié & Trystram (2004)"
TEXT = """\
"Bi-criteria algorithm for scheduling jobs on cluster platforms" (SPAA 2004). Its figures are pictures, so that its sentences are held against the
results: ratios of sums to sums of lower bounds, as in the paper. In words: [moldable jobs](moldable.md)."""

CIRNE = "The parameters of this workload are ours; with them the longest job alone makes most of the makespan of few."
# Of claims that do not hold.
WHY = {
    "minsum never above 2.5 as printed": "The linear program as printed is no bound and its optimum is smaller than the refined bound's; against that the sentence holds.",
    "minsum around 2 as printed": "Against the linear program as printed the mean is greater; against the refined bound the sentence holds.",
    "cirne makespan 1.9": CIRNE,
}
# Of claims whose printed number does not stand in the campaign.
PRINTED = {"weakly parallel within 2": "2", "highly parallel lists": "2", "minsum never above 2.5": "2.5", "minsum never above 2.5 as printed": "2.5",
           "minsum around 2": "2", "minsum around 2 as printed": "2", "makespan below 2": "2", "makespan 1.9": "1.9", "cirne makespan 1.9": "1.9"}
BESIDE = {"weakly parallel within 2": "of every run, what goes beyond 2", "highly parallel lists": "of every run, what goes beyond 2",
          "makespan below 2": "of every run, what goes beyond 2", "minsum never above 2.5": "of every run, what goes beyond 2.5, against the refined bound",
          "minsum never above 2.5 as printed": "the same, against the program as printed",
          "minsum around 2": "against the refined bound", "minsum around 2 as printed": "against the program as printed",
          "makespan 1.9": "recursive speedups", "cirne makespan 1.9": "Cirne-Berman", "cirne stable": "greatest less least ratio",
          "cirne others less stable": "the others' greatest less least over DEMT's", "DEMT within 4": "DEMT, beyond 4", "shelves within 3": "shelves, beyond 3"}
# Why sentences leave out levels.
REASONS = {"tasks": "it is of the figure that it names", "jobs": "it is of the fewest and the most tasks"}
WITHOUT = {"mixed lists": {"jobs": "it is of 400 tasks over 50", "tasks": "it is of the figure that it names"},
           "makespan 1.9": {"tasks": "in the next row"}, "cirne makespan 1.9": {"tasks": "in the row before"},
           "better when more parallel": {"tasks": "it is of the weakly and the highly parallel"}}
TASKS = ("weakly_parallel", "highly_parallel", "mixed", "cirne_berman")
METRICS = (("makespan", "makespan_bound", "makespan"), ("weighted_completion", "minsum_bound.refined", "minsum against the refined bound"))
JOBS = ("25", "50", "100", "200", "400")


def claims(campaign):
    for name, line in campaign.results.claims().set_index("claim").iterrows():
        section, _, figure = line["section"].partition(", ")
        beside = "; ".join(part for part in (figure, BESIDE.get(name, "")) if part)
        what = line["paper"].rstrip(".") + (f" ({beside})" if beside else "")
        yield campaign.sentence(section, what, PRINTED.get(name, ""), name, WHY.get(name, "Not at every place, or not with certainty."), WITHOUT.get(name))


def ratios(claims_file, metric, bound, tasks, algorithm):
    cells = [dict(tasks=tasks, jobs=jobs, algorithm=algorithm) for jobs in JOBS]
    return [claims_file.of(ratio(claims_file.replications(metric, **cell), claims_file.replications(bound, **cell)), cell) for cell in cells]


def sentences(file):
    lists = ("Sequential", "List", "LPTF", "SAF")
    yield file.held("section 4.2", "Figure 3: all other algorithms have an average makespan ratio around 1.5 (here: 1.4 to 1.6, the mean over n of each)", "1.5",
                    [mean_of(ratios(file, "makespan", "makespan_bound", "weakly_parallel", algorithm)) for algorithm in lists],
                    lambda lower, upper: 1.4 < lower and upper < 1.6, "List has 1.33, and Sequential goes from 1.87 (25 tasks) to 1.03 (400).")
    for metric, bound, what in METRICS:
        yield file.held("section 4.2", f"Figure 5: the algorithm is still stable with a ratio of around 2 (here: 1.5 to 2.5), {what}", "2",
                        ratios(file, metric, bound, "mixed", "DEMT"), lambda lower, upper: 1.5 < lower and upper < 2.5, "Not at every n.")
    for algorithm in ("List", "LPTF", "SAF"):
        demt, other = (ratios(file, "weighted_completion", "minsum_bound.refined", "highly_parallel", name) for name in ("DEMT", algorithm))
        yield file.held("section 4.2", f"Figure 4: {algorithm} is stable (minsum at every n within 25 % of its mean)", "",
                        [over(value, mean_of(other)) for value in other], lambda lower, upper: 0.75 < lower and upper < 1.25, "Its ratio grows with n.")
        yield file.held("section 4.2", f"Figure 4: {algorithm} has a larger ratio on minsum; over that of DEMT", "",
                        [over(b, a) for a, b in zip(demt, other)], lambda lower, upper: lower > 1, "Not at the least n.")
    for metric, bound, what in METRICS:
        yield file.held("section 4.2", f"for most cases not much worse than 2 (here: at most 2.2), {what}", "2",
                        [value for tasks in TASKS for value in ratios(file, metric, bound, tasks, "DEMT")],
                        lambda lower, upper: upper < 2.2, "Not at every place.")


def mean_of(values):
    return Value(sum(value.mean for value in values) / len(values), cells=cells_of(values))


def over(one, other):
    return Value(one.mean / other.mean, cells=cells_of([one, other]))


def running_time(folder):
    file = Campaign(folder, "moldable/figure7", "moldable_figure7", ("algorithm",), {"jobs": "it is of the largest instances"})
    rows = file.results.estimates(metric="wall_time_ms beyond none", jobs="400", algorithm="DEMT")
    slowest = file.of(Value(float(rows["mean"].max()) / 1000), *({"jobs": "400", "algorithm": "DEMT", "tasks": tasks} for tasks in TASKS))
    verdict = AGREES if slowest.mean < 2 else DIFFERS
    yield file.judged("section 4.2", "Figure 7: less than 2 seconds for the largest instances (400 jobs, the slowest of four workloads, median of 40 runs, s)", "2",
                      slowest, verdict, "" if verdict == AGREES else "A slow machine.")


def without_numbers():
    for number, what, kind in ((1, "job submission in clusters", DRAWING), (2, "principle of the algorithm", DRAWING), (3, "weakly parallel tasks", DRAWING),
                               (4, "highly parallel tasks", DRAWING), (5, "mixed tasks", DRAWING), (6, "Cirne-Berman tasks", DRAWING), (7, "execution time", DRAWING)):
        yield said(f"Figure {number}", what, kind, "A picture without numbers; drawn anew in the gallery." if number > 2 else "")
    yield said("section 1", "52 networks of workstations and 123 clusters in the Top500; Icluster2 of 104 machines, ranked 151; Icluster1 of 225", NONE,
               "Facts about machines.", "52, 123, 104, 151, 225")
    yield said("section 1.3", "the best known guarantees: 3/2 + ε for the makespan, 3 + ε on-line; minsum 8 and 8.53 with weights; (12, 12) for both", NONE,
               "Other authors' theorems; 3/2 and 3 are those that the shelves keep (section 2.2).", "3/2, 3, 8, 8.53, 12, 12")
    yield said("section 3.2", "the algorithm: batches that double, a knapsack each, compaction by a list, shuffles", DEFINITION, "Policy `demt`.")
    yield said("section 3.2", "the knapsack's recursion; O(mn) each, O(mnK) in all", FORMULA, "The times are measured by `campaigns/moldable/figure7.yaml`.")
    yield said("section 3.3", "the linear program, a lower bound of minsum", DIFFERS,
               "As printed it is no bound: tasks that end at t_0 or before have no interval; with one machine, times 1 and 2 and weights 10 and 1 it has 16.5 and "
               "the optimum is 13. `safe` and `refined` are bounds.", "", "16.5 above 13")
    yield said("section 4.1", "40 runs; 200 processors, 25 to 400 tasks; times 1 to 10; N(1, 0.5) and N(10, 5), 70 % small; X from N(0.9, 0.2) or N(0.1, 0.2); weights 1 to 10",
               DEFINITION, "`campaigns/moldable/common.yaml`; 1,000 runs here.", "40, 200, 25, 400, 1, 10, 1, 0.5, 10, 5, 70, 0.9, 0.2, 0.1, 0.2, 1, 10")
    yield said("section 4.1", "the recursive speedup", FORMULA, "As printed X and 1 − X are exchanged; both readings can be chosen.")
    yield said("future work", "reservation of nodes, which reduces the cluster", NOT_BUILT, "the paper gives neither rules nor numbers")
    yield said("future work", "a mix of moldable and rigid jobs", BUILT, "`campaigns/moldable/mixed_jobs.yaml`.")
    yield said("future work", "divisible load jobs", NOT_BUILT, "No job has a load that can be divided at will.")
    yield said("future work", "the algorithm on Icluster2", NOT_BUILT, "A machine, not a simulation.")


def rows(folder):
    file = Campaign(folder, "moldable/claims", "moldable_claims", ("algorithm",), REASONS)
    yield from claims(Campaign(folder, "moldable/online", "moldable_online", ("algorithm",), REASONS))
    yield from claims(file)
    yield from sentences(file)
    yield from running_time(folder)
    yield from without_numbers()
