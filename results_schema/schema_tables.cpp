#include "results_schema/schema.hpp"
#include "results_schema/schema_analysis_tables.hpp"
#include "results_schema/schema_columns.hpp"

namespace schedfarm::results_schema {

namespace {

using namespace columns;  // NOLINT(google-build-using-namespace)

ColumnSchema cell_status() {
    return text(
        "status",
        "met: every precision target met; met_not_stationary: they are, but the run is so short "
        "that "
        "the empty start may bias the mean by more than a fifth of its interval; fixed: fixed "
        "number of replications complete; "
        "not_met_cap, not_met_budget: cap on replications or budget reached first; "
        "not_met_log: the resampled log leaves more open than a target allows, however many "
        "replications; not_met_missing: a replication lacks the value of a target; unstable: the "
        "queue grows without bound; selected, eliminated: by the selection of the best; "
        "not_bracketed: the load searched for lies outside the bounds given; "
        "incomplete: a failed replication lies inside the prefix; provisional: stopped before n "
        "was decided, or by a clock",
        "fixed",
        {"met",
         "met_not_stationary",
         "fixed",
         "not_met_cap",
         "not_met_budget",
         "not_met_log",
         "not_met_missing",
         "unstable",
         "selected",
         "eliminated",
         "not_bracketed",
         "incomplete",
         "provisional"}
    );
}

TableSchema cells() {
    return {
        "cells",
        "one row per cell: what it simulates and how it ended",
        Presence::required,
        {"cell"},
        RowOrder::strictly_increasing,
        {
            count("cell", "number of the cell: 0, 1, 2, ...; equals the row number", "3"),
            text("label", "the cell's factor levels as one text", "fcfs, 0.7"),
            text(
                "experiment",
                "kind of experiment",
                "open",
                {"bin_filling", "open", "saturated", "trace", "offline"}
            ),
            text("policy", "policy with all its parameters, YAML flow style", "fcfs"),
            text(
                "workload",
                "workload model with all its parameters, YAML flow style",
                "{coallocation: {...}}"
            ),
            text("clusters", "processors of each cluster", "[8, 8, 8, 8]"),
            real(
                "utilization",
                "1",
                "offered gross utilization = arrival rate * E[size] * E[service time] / "
                "processors; NaN where the campaign sets none",
                "0.7"
            ),
            count(
                "replications_used",
                "n: replications 0 ... n - 1 of the cell are in `replications` and behind every "
                "estimate; where the program lengthened the horizon they begin at k * 1000000",
                "400"
            ),
            outside_payload(count(
                "replications_computed",
                "replications with an outcome, those beyond the stopping index and failed ones too",
                "412"
            )),
            count(
                "log_blocks",
                "users or weeks of the log that replications draw with replacement; 0: they "
                "resample none",
                "0"
            ),
            cell_status(),
            text(
                "most_demanding",
                "metric whose target needs most replications; empty without targets",
                "response_time.mean"
            ),
            outside_payload(text(
                "replication_key",
                "SHA-256 (hex) of everything that a replication of the cell depends on; cells with "
                "equal keys have equal replications",
                "a87ff679..."
            )),
            outside_payload(text(
                "resolved",
                "every value that a replication of the cell depends on, YAML flow style",
                "{experiment: open, system: {...}, ...}"
            )),
        }};
}

TableSchema factors() {
    return {
        "factors",
        "the coordinates of every cell, in long form: one row per cell and factor",
        Presence::required,
        {"cell"},
        RowOrder::non_decreasing,
        {
            cell(),
            text("factor", "name of the factor in the campaign", "load.utilization"),
            text("label", "level of the factor as shown in tables", "0.7"),
            real("number", "that of the factor", "the level where it is a number, else NaN", "0.7"),
        }};
}

TableSchema replications() {
    return {
        "replications",
        "one row per replication used, with one column more per observation: the union over the "
        "cells, NaN where a cell does not observe it or the number does not exist",
        Presence::required,
        {"cell", "replication"},
        RowOrder::strictly_increasing,
        {
            cell(),
            replication(),
            count(
                "fingerprint",
                "sum modulo 2^64 of a hash of (index, start, finish) over the jobs: equal "
                "schedules "
                "have equal fingerprints",
                "9151314442816847872"
            ),
            count("jobs", "jobs completed (bin filling: placed), measured or not", "20000"),
        },
        ExtraColumns::observations};
}

TableSchema estimates() {
    return {
        "estimates",
        "one row per cell and metric: point estimate and confidence interval from the replications "
        "used; NaN where fewer than two exist",
        Presence::required,
        {"cell"},
        RowOrder::non_decreasing,
        {
            cell(),
            metric("response_time.mean"),
            count("n", "replications behind the estimate", "400"),
            real(
                "mean",
                unit_of_metric,
                "sum of x_r / n; ratio: sum of numerators / sum of denominators, also of a mean "
                "over "
                "the jobs of a class; woodruff: the "
                "quantile of all jobs of the replications",
                "3.21"
            ),
            real(
                "standard_error",
                unit_of_metric,
                "of the mean: s / sqrt(n); ratio: residual standard deviation / (sqrt(n) * mean "
                "denominator); woodruff: half the interval / t, infinite without an upper end; "
                "resampled_log: s * sqrt(v * B / (B - 1) + 1 / n) with B blocks, v "
                "the variance at the log's own length over that of the replications",
                "0.0121"
            ),
            lower_end(unit_of_metric, "3.186"),
            upper_end(unit_of_metric, "3.234"),
            confidence(),
            real("skewness", "1", "of the observations", "0.31"),
            text(
                "method",
                "student_t, skew_adjusted, confidence_sequence, ratio or woodruff: over "
                "replications; resampled_log: of logs like the one that replications resample",
                "skew_adjusted"
            ),
            real(
                "given_log_lower",
                unit_of_metric,
                "resampled_log: lower end of the interval of the mean over all draws from this one "
                "log, which tells nothing of others; else NaN",
                "3.19"
            ),
            real("given_log_upper", unit_of_metric, "upper end of the same", "3.23"),
            outside_payload(text(
                "unit",
                "of mean, standard error and interval ends; `time` written as `time_unit` says; 1: "
                "none",
                "s"
            )),
        }};
}

TableSchema saturation() {
    return {
        "saturation",
        "one row per cell that looks for the maximal utilization rho_max: saturated, as ratio of "
        "busy to available processor-time, summed over the replications used; or a searched load, "
        "as root of the line through the replications near it (without such a line as median of "
        "the bisection's density)",
        Presence::required,
        {"cell"},
        RowOrder::strictly_increasing,
        {
            cell(),
            real(
                "rho_max",
                "1",
                "sum of busy processor-time / sum of processors * time; or the load found, NaN "
                "where it lies outside the bounds given",
                "0.7069"
            ),
            lower_end("1", "0.7062"),
            upper_end("1", "0.7076"),
            real(
                "standard_error",
                "1",
                "residual standard deviation / (sqrt(n) * mean available processor-time); of the "
                "root of the line; NaN for a load that has none",
                "0.00036"
            ),
            count("n", "replications behind the estimate", "400"),
            count(
                "backlog",
                "waiting jobs: constant at every instant, or at the start of a search",
                "1"
            ),
            outside_payload(
                real("exact", "1", "rho_max from theory; NaN where it is not known", "0.70692")
            ),
            text(
                "method", "how the interval was made", "ratio", {"ratio", "drift", "response_time"}
            ),
        }};
}

TableSchema known_values() {
    return outside_payload(TableSchema{
        "known_values",
        "what theory says of a cell",
        Presence::required,
        {"cell"},
        RowOrder::non_decreasing,
        {
            cell(),
            metric("capacity_loss"),
            text("label", "exact or approximation, with a qualifier", "approximation eq. (4)"),
            real("value", unit_of_metric, "the value", "0.0313"),
            integer("is_exact", "1: exact, 0: an approximation", "0"),
            text("source", "formula and paper", "Eq. (4)"),
        }});
}

TableSchema reference() {
    return outside_payload(TableSchema{
        "reference",
        "one row per value that a paper prints, in the order of the campaign's reference file, "
        "beside "
        "the cell that measures it",
        Presence::required,
        {},
        RowOrder::any,
        {
            cell(),
            metric("capacity_loss"),
            text(
                "known_label",
                "label of the known value that it is compared with; empty: the estimate",
                ""
            ),
            text("column", "heading of the paper's column", "bin filling"),
            real("value", unit_of_metric, "the value as printed", "0.031"),
            real("rounding", unit_of_metric, "half a unit of the last digit printed", "0.0005"),
            count("runs", "independent runs behind the paper's value; 0: not known", "10000"),
            real(
                "measured",
                unit_of_metric,
                "the estimate, or the known value; NaN: not measured",
                "0.03128"
            ),
            real("standard_error", unit_of_metric, "of the measured value", "0.00002"),
            real("lower", unit_of_metric, "lower end of its confidence interval", "0.03124"),
            real("upper", unit_of_metric, "upper end of its confidence interval", "0.03132"),
            real(
                "z",
                "1",
                "(measured - value) / standard error of the difference; NaN where neither has "
                "noise",
                "0.8"
            ),
            text("verdict", "agrees, differs or not measured", "agrees"),
            text("note", "what is known about a value that differs", ""),
        }});
}

TableSchema failures() {
    return outside_payload(TableSchema{
        "failures",
        "one row per replication without observations",
        Presence::required,
        {"cell", "replication"},
        RowOrder::non_decreasing,
        {
            cell(),
            replication(),
            text("status", "what happened", "failed", {"failed", "timeout", "crashed"}),
            text("message", "the error's text", "service time is negative"),
            text("replay", "command that runs this replication alone", "schedfarm replay ..."),
        }});
}

TableSchema timings() {
    return outside_payload(TableSchema{
        "timings",
        "one row per replication computed: what it cost",
        Presence::required,
        {"cell", "replication"},
        RowOrder::strictly_increasing,
        {
            cell(),
            replication(),
            real("seconds", "s", "wall time of the replication", "0.0213"),
            count("rank", "rank that ran it, row of `farm`", "2"),
            count(
                "run",
                "run that computed it: 1, 2, ... in the order in which runs and resumes of the "
                "campaign began; 0: not known",
                "1"
            ),
            real(
                "began",
                "s",
                "when it began, since the run began; by the clocks of two machines where rank 0 "
                "ran on another; NaN: not known",
                "4.25"
            ),
        }});
}

TableSchema farm() {
    return outside_payload(TableSchema{
        "farm",
        "one row per rank: what it did with its time",
        Presence::required,
        {"rank"},
        RowOrder::strictly_increasing,
        {
            count("rank", "rank, 0 is the master", "2"),
            text("host", "machine of the rank", "node017"),
            count("tasks", "replications run", "412"),
            real("busy", "s", "wall time inside replications", "8.8"),
            real("idle", "s", "wall time waiting for work", "0.1"),
            real(
                "dispatch",
                "s",
                "wall time between having done a replication and having the next, or that the "
                "master spends on giving them out",
                "0.02"
            ),
            real("io", "s", "wall time of the master in journal, stop rules and progress", "0.3"),
            count("run", "run of `timings` that the row tells of", "1"),
        }});
}

}  // namespace

const std::vector<TableSchema>& schema_tables() {
    static const std::vector<TableSchema> tables = [] {
        std::vector<TableSchema> all = {
            cells(),
            factors(),
            replications(),
            estimates(),
            saturation(),
            known_values(),
            reference()};
        for (auto* part : {&analysis_tables, &claim_tables}) {
            for (TableSchema& table : part()) {
                all.push_back(std::move(table));
            }
        }
        for (TableSchema (*table)() : {failures, timings, farm}) {
            all.push_back(table());
        }
        return all;
    }();
    return tables;
}

}  // namespace schedfarm::results_schema
