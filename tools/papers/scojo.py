"""Esbaugh 2010: 9 tables, 25 figures, and the thesis's sentences."""
import gzip
import os
import pathlib

from ._rows import AGREES, BUILT, DEFINITION, DRAWING, NONE, NOT_BUILT, Campaign, Value, agrees, plain, reference, said, shown

TITLE = "Scojo-PECT: Esbaugh (2010)"
TEXT = """\
"Coarse-grain time sharing with advantageous overhead minimization for parallel job scheduling" (M.Sc. thesis, University of Windsor, 2010). Percentages
are means over workloads with paired t intervals, as far as there are several; that an interval several percent wide holds a printed 0.01 says little. In words:
[Scojo-PECT](scojo.md)."""

# Why sentences leave out levels.
REASONS = {"interval": "it is of the longest and the shortest", "rate": "it is of the highest and the lowest", "class": "it is of the type that it names"}
TYPES = {"short": 0, "medium": 1, "long": 2}
FITS = ("best worst", "best best", "worst worst", "worst best")
OTHERS = {"first_free": "first free", "intelligent": "intelligent"}
TEN = ("The thesis prints the mean of ten workloads without an interval; its slices and its scheduler's listing are not recoverable, and ten other workloads "
       "of the model give other means.")
SMALL = ("Overhead and response are measured on other workloads and slices than the thesis's, whose printed improvements, all below 4 %, have no interval.")
BLUE = "Not the thesis's jobs: no selection of the log was found that has its Table 2."
CM5 = "The jobs are the thesis's, its slices and its scheduler's listing are not recoverable; one schedule, no interval."
LOG = "LANL-CM5-1994-4.1-cln.swf.gz"


def improvement(campaign, metric, fits, other, **levels):
    """Percent, workload by workload: what the other allocator has more."""
    return campaign.paired(lambda own, base: 100 - 100 * own / base, metric, dict(allocator=fits, **levels), dict(allocator=other, **levels))


def table_2(folder):
    model, logs = Campaign(folder, "scojo/table2", "scojo_table2"), Campaign(folder, "scojo/table2_log", "scojo_table2_log")
    for line in reference("scojo/reference/table2.csv"):
        of_log = line["workload"] != "Lublin-Feitelson"
        campaign = logs if of_log else model
        cell = campaign.results.cell(log=line["workload"]) if of_log else 0
        shares = [types_of_jobs(campaign.results.jobs(*pair)) for pair in campaign.results.logged() if pair[0] == cell]
        machine = campaign.results.cells.set_index("cell").loc[cell, "clusters"]
        yield campaign.number("Table 2", f"{line['workload']}: machine size", line["machine_size"], Value(float(machine.strip("[]"))), "Another machine.")
        for what in ("jobs", "work"):
            for name in TYPES:
                yield campaign.number("Table 2", f"{line['workload']}: {name}, percent of the {what}", line[f"{what}_{name}"],
                                      plain(share[what, name] for share in shares), BLUE if of_log else TEN)


def types_of_jobs(log):
    """Percent of the jobs, and of their work, by type."""
    work = log["processors"] * log["service"]
    return {key: value for name, kind in TYPES.items() for key, value in (
        (("jobs", name), 100 * (log["class"] == kind).mean()), (("work", name), 100 * work[log["class"] == kind].sum() / work.sum()))}


def tables_4_to_7(ten):
    for line in reference("scojo/reference/tables4-7.csv"):
        fits, levels, item = f"{line['first_stage']} {line['second_stage']}", dict(assignment=line["assignment"]), f"Table {line['table']}"
        test = f"test {line['test']}, {line['assignment']}"
        for short, (column, other) in zip(("ff", "in"), OTHERS.items()):
            yield printed_or_not(ten, item, f"{test}: overhead over {other}", line[f"over_{column}"], improvement(ten, "overhead", fits, other, **levels), TEN)
            for name in ("long", "medium", "short", "all"):
                metric = "bounded_slowdown.mean" + (f"[class={TYPES[name]}]" if name in TYPES else "")
                yield printed_or_not(ten, item, f"{test}: {name} jobs over {other}", line[f"{short}_{name}"],
                                     improvement(ten, metric, fits, other, **levels), SMALL)


def printed_or_not(campaign, item, what, theirs, value, why):
    if theirs:
        return campaign.number(item, what, theirs, value, why)
    return campaign.row(item, what, "illegible", value, NONE, "Illegible in the published scan.")


def tables_8_and_9(folder):
    for number, why in ((8, BLUE), (9, CM5)):
        log = Campaign(folder, f"scojo/table{number}_log", f"scojo_table{number}_log", ("allocator",), REASONS)
        for line in reference("scojo/reference/tables8-9.csv"):
            if line["table"] == str(number):
                fits = f"{line['first_stage']} {line['second_stage']}"
                for column, other in OTHERS.items():
                    yield log.number(f"Table {number}", f"{fits}: overhead over {other}", line[f"over_{column}"], improvement(log, "overhead", fits, other), why)
        for other in OTHERS.values():
            changes = [improvement(log, metric, fits, other) for fits in FITS
                       for metric in ("bounded_slowdown.mean", *(f"bounded_slowdown.mean[class={kind}]" for kind in TYPES.values()))]
            yield log.held(f"Table {number}", f"relative responses remained relatively unchanged (here: within 5 %), percent less than {other}, by fits and types (section 6.3)",
                           "", changes, lambda lower, upper: -5 < lower and upper < 5, "Saving overhead of this size changes responses by more." if number == 8 else
                           "One schedule: some types of jobs gain or lose more.")


def independent(ten):
    for line in reference("scojo/reference/independent.csv"):
        value = improvement(ten, "overhead", "best worst", line["over"], assignment=line["assignment"])
        theirs = f"{line['mean']} ± {line['half']}"
        yield ten.number("independent program", f"{line['assignment']}: overhead, over {line['over']}, best and worst fit", theirs, value,
                         "It plans a waiting job without its first load.", float(line["half"]))


def figure_18():
    """Of the log's first 10,000 jobs that run: what they request of 32 MB, where the log has nothing, what they used."""
    path = pathlib.Path(os.environ.get("SCHEDFARM_TRACES", "/nowhere")) / LOG
    if not path.exists():
        raise FileNotFoundError(path)
    memory = []
    with gzip.open(path, "rt") as log:
        for line in log:
            fields = line.split()
            if fields and not line.startswith(";") and float(fields[3]) > 0 and len(memory) < 10000:
                memory.append(next((float(fields[n]) for n in (9, 6) if float(fields[n]) > 0), 0.0))
    below = [100 * sum(need <= share * 32768 for need in memory) / len(memory) for share in (0.15, 0.25, 0.5, 0.75, 1)]
    small = 100 * sum(need < 5000 for need in memory) / len(memory)
    name = "first 10,000 jobs of LANL-CM5 that run"
    yield said("Figure 18", f"{name}: percent that need at most 15, 25, 50, 75, 100 % of a node's memory", DRAWING, "Counted from the log, without a campaign.",
               "", ", ".join(shown(part) for part in below))
    close = agrees("50", Value(small), 5)
    yield said("section 5.4", f"{name}: approximately 50 % of the jobs (here: ± 5) require less than 5000 kB", AGREES if close else "differs",
               "" if close else "Counted from the log by requests (used where there is none).", "50", shown(small))
    yield said("section 5.4", "5000 kB are 15 % of the total capacity", AGREES, "", "5000, 15", shown(100 * 5000 / 32768))
    above = 100 - below[2]
    yield said("section 5.4", f"{name}: a low percentage (here: below 25) use more than half the memory", AGREES if above < 25 else "differs",
               "" if above < 25 else "Counted from the log by requests (used where there is none).", "", shown(above))


def sentences(folder, ten):
    load = [ten.estimate("gross_utilization", allocator=allocator, assignment=assignment)
            for allocator in ten.results.factors.levels("allocator") for assignment in ten.results.factors.levels("assignment")]
    yield ten.held("section 6.1", "all workload schedules show a utilization between 80 and 85 %", "80, 85", load, lambda lower, upper: 0.8 < upper and lower < 0.85,
                   "Scaled to 82.5 %.")
    yield ten.sentence("section 6.3", "in all cases less overhead than first free, percent", "", "first free", "Not at every place.")
    yield ten.sentence("section 6.3", "in all cases less overhead than intelligent selection, percent", "", "intelligent",
                       "Under MM2 and MM4 with worst fit in the first stage more, not less; at other places intervals straddle 0.")
    yield ten.sentence("section 6.3", "especially effective where memory does not trend with size: points of MM5 above MM1 to MM4", "", "MM5",
                       "Ten workloads are too few: MM5 gains most, but not with certainty at every place.")
    yield ten.sentence("section 6.3", "best fit in the first stage improves the reduction, points", "", "best first", "Intervals straddle 0 at more than half the places.")
    yield ten.sentence("section 6.3", "best fit in the second stage improves the reduction, points", "", "best second", "Intervals straddle 0 at more than half the places.")
    yield ten.sentence("section 6.3", "no real significant improvement in relative response (here: within 5 %), percent less than first free", "", "response",
                       "Ten workloads are too few to hold all within 5 %.")
    yield ten.sentence("section 7", "overhead reduced by 0.11 to 7.13 % over intelligent selection", "0.11 to 7.13", "intelligent range",
                       "Under MM4 nothing is gained, under MM1, MM3 and MM5 the intervals reach beyond 7.13.")
    yield ten.sentence("section 7", "the overhead accounts for about 1.5 % (here: 1 to 2) of the processing time", "1.5", "share",
                       "First loads, which no choice of nodes spares, are part of ours; the thesis does not say whether of its own.")
    yield ten.sentence("section 7", "the same without first loads, at some assignment", "1.5", "share without first loads", "Not at any place.")
    precise = Campaign(folder, "scojo/tables4-7_precise", "scojo_tables4-7_precise", ("allocator",), REASONS)
    for claim, what, why in (
            ("first free", "in all cases less overhead than first free, percent", "With MM5 some workloads have twice the overhead of first free: a short job on all nodes is displaced in every interval."),
            ("intelligent", "in all cases less overhead than intelligent selection, percent", "Under MM2 and MM4 with worst fit in the first stage more, not less."),
            ("MM5", "especially effective where memory does not trend with size, points", "Some workloads of MM5 have twice the overhead of first free."),
            ("best first", "best fit in the first stage improves the reduction, points", "Not at most places."),
            ("best second", "best fit in the second stage improves the reduction, points", "Not with certainty at most places."),
            ("response", "no real significant improvement in relative response (here: within 5 %), percent less than first free", "Long jobs of MM1 and MM3 gain some 7 % over first free.")):
        yield precise.sentence("section 6.3", f"{what}; 64 workloads", "", claim, why)
    interval = Campaign(folder, "scojo/interval", "scojo_interval", ("allocator",), REASONS)
    yield interval.sentence("section 3.2", "intervals between 30 and 60 minutes: less overhead than first free in each of 30, 45, 60, percent", "30, 60", "first free",
                            "At some fits the interval straddles 0.")
    yield interval.sentence("section 3.2", "more frequent preemptions: overhead of 30 minutes over that of 60", "", "more frequent preemptions", "Not at every place.")
    yield interval.sentence("section 3.2", "relative response of short jobs, 30 minutes over 60", "", "relative response",
                            "The loads that a shorter interval adds take what the shorter wait for a slice gives.")
    yield interval.sentence("section 3.2", "relative response of long jobs, 30 minutes over 60", "", "relative response of long jobs", "Not with certainty.")
    rate = Campaign(folder, "scojo/load_rate", "scojo_load_rate", ("allocator",), REASONS)
    yield rate.sentence("section 7", "more effective as overhead costs increase: points of the reduction over first free, 4 above 40 units in a second", "",
                        "share of the overhead", "As a share the gain does not grow with certainty.")
    yield rate.sentence("section 7", "more effective as overhead costs increase: seconds saved over first free, 4 over 40 units in a second", "", "seconds saved",
                        "Not with certainty.")


def without_numbers():
    drawings = {1: "time sharing", 2: "Ousterhout matrix", 3: "jobs sorted by run time", 4: "time slices of the types", 5: "slices filled with jobs",
                6: "backfilling in other types' slices", 7: "overhead at switches", 8: "jobs under first free", 9: "jobs under intelligent node selection",
                10: "memory capacity of nodes", 11: "a conflict of nodes", 12: "its resolution", 13: "ways to fit a job", 15: "part of a job swapped to disk",
                25: "visualization of the simulator"}
    defined = {14: "the allocation heuristic", 16: "how swapped jobs are charged", 17: "the five memory models", 19: "relative response time (its bound is missing: 60 s)",
               20: "reduction and improvement", 22: "best fit", 23: "worst fit", 24: "first fit"}
    for number in range(1, 26):
        if number in drawings:
            yield said(f"Figure {number}", drawings[number], DRAWING)
        elif number in defined:
            yield said(f"Figure {number}", defined[number], DEFINITION, "See [Scojo-PECT](../background/scojo-pect.md).")
    yield said("Figure 21", "the reductions of Tables 4 to 7 as bars", DRAWING, "Its numbers are those of the tables; drawn anew in the gallery.")
    yield said("Table 1", "jobs of a workload; limits of short (minutes) and medium jobs (hours); intervals of a day", DEFINITION, "`campaigns/scojo/common.yaml`.",
               "10000, 10, 3, 24")
    yield said("Table 3", "memory models of long, medium and short jobs under MM1 to MM5", DEFINITION, "`campaigns/scojo/tables4-7.yaml`.")
    yield said("section 1.2", "relative response: 15 minutes over 10 are 1.5", DEFINITION, "Figure 19.", "15, 10, 1.5")
    yield said("section 6.2", "without a bound a job of 1 s that waits 300 s has a relative response of 300", DEFINITION, "Figure 19.", "1, 300, 300")
    yield said("section 2", "other work: jobs need 100 MB to 1 GB", NONE, "Another paper's assumption.", "100, 1")
    yield said("section 5.4", "approximately 64 % of the model's jobs are short", DEFINITION, "Table 2.", "64")
    yield said("section 5.4", "high memory model: 20 % of the jobs each need 60, 70, 80, 90 and 100 %", DEFINITION, "Figure 17's vector.", "20, 60, 70, 80, 90, 100")
    yield said("section 6.1", "10 workloads; 1 % of the memory in a second, 100 s for all of it (163 s of 16 GB at 100 MB/s); 60 s before", DEFINITION,
               "`campaigns/scojo/common.yaml`.", "10, 1, 100, 163, 60")
    yield said("section 7", "previous models had 5 to 10 % overhead", NONE, "Another model: one overhead for all jobs at a switch.", "5 to 10")
    yield said("future work", "jobs that relocate to other nodes", BUILT, "`campaigns/scojo/prefetch_relocation.yaml`; also prefetching, which the thesis does not have.")
    yield said("future work", "jobs that alter their degree of parallelism upon preemption", NOT_BUILT, "Jobs under Scojo-PECT are rigid.")
    yield said("future work", "patterns of the schedule that indicate future backfilling", NOT_BUILT, "The thesis itself doubts their use.")


def rows(folder):
    ten = Campaign(folder, "scojo/tables4-7", "scojo_tables4-7", ("allocator",), REASONS)
    yield from table_2(folder)
    yield from tables_4_to_7(ten)
    yield from tables_8_and_9(folder)
    yield from independent(ten)
    yield from figure_18()
    yield from sentences(folder, ten)
    yield from without_numbers()
