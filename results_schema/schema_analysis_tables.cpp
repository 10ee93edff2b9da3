#include "results_schema/schema_analysis_tables.hpp"

#include "results_schema/schema_columns.hpp"

namespace schedfarm::results_schema {

namespace {

using namespace columns;  // NOLINT(google-build-using-namespace)

ColumnSchema metric_real(std::string name, std::string meaning, std::string example) {
    return real(std::move(name), unit_of_metric, std::move(meaning), std::move(example));
}

ColumnSchema sketched_metric() {
    return text("metric", "what was sketched of every measured job", "response_time");
}

TableSchema comparisons() {
    return unordered_table(
        "comparisons",
        "one row per pair of cells: paired difference of a metric under common random numbers; the "
        "rows of a campaign are one family",
        {
            text("group", "factor levels that the two cells share", "load.utilization=0.6"),
            count("first_cell", "cell that is compared", "3"),
            count("second_cell", "cell that it is compared with", "4"),
            metric("response_time.mean"),
            count("n", "pairs of replications with equal index", "400"),
            metric_real("difference", "sum of (first_r - second_r) / n", "-0.52"),
            metric_real("standard_error", "of the difference: s of the pairs / sqrt(n)", "0.011"),
            real("skewness", "1", "of the pairs' differences, NaN below three", "0.31"),
            lower_end(unit_of_metric, "-0.542"),
            upper_end(unit_of_metric, "-0.498"),
            real(
                "confidence",
                "1",
                "nominal coverage of this interval: the family's, adjusted after Holm, so that the "
                "interval excludes 0 where Holm rejects",
                "0.975"
            ),
            real(
                "p_value",
                "1",
                "two-sided p-value of no difference: paired t, adjusted for skewness",
                "1e-9"
            ),
            real("adjusted_p", "1", "p-value adjusted after Holm over the family", "3e-9"),
            real(
                "width_reduction",
                "1",
                "how many times shorter the interval is than with independent streams at the same "
                "cost: sqrt((var first + var second) / var difference); NaN below ten pairs",
                "2.4"
            ),
            real("width_reduction_lower", "1", "lower end of its interval (jackknife)", "2.1"),
            real("width_reduction_upper", "1", "upper end of its interval", "2.7"),
            text(
                "verdict",
                "which of the two is smaller at the family's confidence",
                "first smaller",
                {"first smaller", "second smaller", "not decided"}
            ),
        }
    );
}

TableSchema selections() {
    return unordered_table(
        "selections",
        "one row per cell that took part in a selection of the best",
        {
            text("group", "factor levels that the cells share", "load.utilization=0.6"),
            cell(),
            metric("response_time.mean"),
            count("n", "replications behind the decision on this cell", "160"),
            metric_real("mean", "over these replications", "2.04"),
            metric_real("indifference", "difference that does not matter", "0.05"),
            real("confidence", "1", "probability of a right selection at least", "0.95"),
            text("procedure", "how it was selected", "kn", {"kn", "gsp"}),
            text(
                "standing",
                "selected, eliminated, or leading and trailing where the cap came first",
                "selected",
                {"selected", "eliminated", "leading", "trailing"}
            ),
        }
    );
}

TableSchema controlled_estimates() {
    return table_by_cell(
        "controlled_estimates",
        "one row per cell: the metric's mean with control variates of known mean",
        RowOrder::strictly_increasing,
        {
            cell(),
            metric("response_time.mean"),
            text("controls", "the controls", "service_time.mean, job_size.mean"),
            count("n", "replications behind the estimate", "400"),
            metric_real(
                "mean", "regression estimate at the controls' known means, jackknifed", "3.21"
            ),
            metric_real("standard_error", "of this mean", "0.0081"),
            lower_end(unit_of_metric, "3.194"),
            upper_end(unit_of_metric, "3.226"),
            confidence(),
            real(
                "r_squared", "1", "adjusted share of the variance that the controls explain", "0.55"
            ),
            real("loss_factor", "1", "(n - 2) / (n - q - 2) with q controls", "1.005"),
            real(
                "variance_reduction",
                "1",
                "variance of the plain mean over that of this one; below 1 the controls do not pay",
                "2.2"
            ),
        }
    );
}

TableSchema stability() {
    return table_by_cell(
        "stability",
        "one row per cell with arrivals: whether the queue grows without bound, and the evidence",
        RowOrder::strictly_increasing,
        {
            cell(),
            text(
                "verdict",
                "unstable: the queue grows faster than a critically loaded one, or passed its "
                "limit; not_stationary: it still grows within the run, or the empty start may bias "
                "a "
                "target by more than start_bias_allowed; stable: neither is seen",
                "stable",
                {"stable", "not_stationary", "unstable"}
            ),
            real("growth", "1", "mean rise of queueing time per unit of time", "0.0004"),
            real("growth_lower", "1", "lower end of its interval at confidence .999", "-0.002"),
            real("growth_upper", "1", "upper end of its interval", "0.003"),
            real(
                "half_ratio",
                "1",
                "mean queueing time in the second half of the measured jobs over that in the first",
                "1.01"
            ),
            real("half_ratio_lower", "1", "lower end of its interval at confidence .999", "0.97"),
            real("half_ratio_upper", "1", "upper end of its interval", "1.06"),
            real(
                "start_bias",
                "1",
                "share of the stationary mean queueing time that the empty start takes from the "
                "measured one, read off the mean over the warm-up; NaN: not judged (no precision "
                "target, no warm-up, a start from a backlog, a log)",
                "0.004"
            ),
            real("start_bias_lower", "1", "lower end of its interval at confidence .9", "0.001"),
            real("start_bias_upper", "1", "upper end of its interval", "0.007"),
            real(
                "start_bias_allowed",
                "1",
                "a fifth of the targets' intervals, as a share of the mean queueing time",
                "0.012"
            ),
            integer(
                "overflow_replication",
                "first replication whose queue passed the limit; -1: none",
                "-1"
            ),
            real("overflow_time", "time", "when it did; NaN: it did not", "NaN"),
            count("overflow_jobs", "jobs submitted until then", "0"),
        }
    );
}

TableSchema search_steps() {
    return table_by_cell(
        "search_steps",
        "one row per visit of a load by a search, in the order of the search",
        RowOrder::non_decreasing,
        {
            cell(),
            count("step", "number of the visit, from 0", "3"),
            count("first_replication", "first replication that it rests on", "48"),
            count("replications", "how many it rests on", "16"),
            real("utilization", "1", "load at which they ran", "0.71"),
            real(
                "observed",
                "1",
                "change of the backlog / time for which it was watched, sums over the "
                "replications; or 1 - threshold / mean response time; NaN without any time",
                "-0.02"
            ),
            real("standard_error", "1", "of that ratio", "0.004"),
            text(
                "side",
                "where the load searched for lies; undecided: the visit was no answer",
                "above",
                {"below", "above", "undecided"}
            ),
            real(
                "reliability",
                "1",
                "weight of the answer in the bisection; 0.5 without an answer",
                "0.95"
            ),
            real("median", "1", "of the density after the visit", "0.73"),
            real("lower", "1", "lower end of the central interval after the visit", "0.70"),
            real("upper", "1", "upper end of the interval after the visit", "0.81"),
        }
    );
}

TableSchema placements() {
    return outside_payload(table_by_cell(
        "placements",
        "one row per cell with an offered load in an open experiment: the maximal utilization of "
        "its system, and its share of it",
        RowOrder::strictly_increasing,
        {
            cell(),
            real("rho_max", "1", "maximal utilization; NaN where neither is known", "0.7069"),
            real("lower", "1", "lower end of its confidence interval; exact: rho_max", "0.7062"),
            real("upper", "1", "upper end of its confidence interval; exact: rho_max", "0.7076"),
            real("fraction", "1", "utilization of the cell / rho_max", "0.85"),
            text(
                "method",
                "exact: from theory; pilot: as its row of `saturation` says; none: not "
                "known",
                "pilot",
                {"exact", "pilot", "none"}
            ),
            integer("pilot", "cell that estimates rho_max; -1: no pilot", "12"),
        }
    ));
}

TableSchema quantiles() {
    return table_by_cell(
        "quantiles",
        "one row per cell, sketched metric and probability: quantiles of all measured jobs of all "
        "replications, those asked for among them",
        RowOrder::non_decreasing,
        {
            cell(),
            sketched_metric(),
            real("probability", "1", "p of the quantile", "0.95"),
            metric_real("value", "quantile of the pooled jobs, to 0.25 % of its value", "9.1"),
            metric_real("lower", "lower end of Woodruff's interval, the bound of a bucket", "8.9"),
            metric_real(
                "upper", "upper end; infinite where too few jobs lie beyond the quantile", "9.4"
            ),
            confidence(),
            metric_real(
                "own_mean",
                "mean of the replications' own quantiles; biased where they have few jobs beyond "
                "them",
                "9.0"
            ),
            count("jobs", "jobs behind the quantile", "6400000"),
        }
    );
}

TableSchema sketches() {
    return table_by_cell(
        "sketches",
        "one row per cell, sketched metric and bucket: how many measured jobs lie in (lower, "
        "upper]; rows of several files add up",
        RowOrder::non_decreasing,
        {
            cell(),
            sketched_metric(),
            integer(
                "bucket",
                "i: values in (g^(i-1), g^i], g = 1.0025 / 0.9975; the least int32: zeros; the "
                "greatest: infinite values",
                "38"
            ),
            metric_real("lower", "lower end of the bucket, not in it", "2.095"),
            metric_real("upper", "upper end of the bucket, in it", "2.138"),
            count("count", "measured jobs in the bucket", "1021"),
        }
    );
}

TableSchema warm_up() {
    return table_by_cell(
        "warm_up",
        "one row per cell and part of the jobs: response time averaged over the first replications "
        "(Welch's plot)",
        RowOrder::non_decreasing,
        {
            cell(),
            count("first_job", "index of the first job of the part", "200"),
            count("jobs", "jobs of the part", "100"),
            real("mean", "time", "mean response time of the part's jobs", "3.2"),
            real("standard_error", "time", "of that mean, over replications", "0.05"),
            real("moving_average", "time", "of 11 neighbouring parts, fewer at the ends", "3.1"),
        }
    );
}

TableSchema warm_up_checks() {
    return table_by_cell(
        "warm_up_checks",
        "one row per cell: whether the warm-up covers the transient of the ensemble average",
        RowOrder::strictly_increasing,
        {
            cell(),
            count("replications", "replications that were averaged", "64"),
            count("warm_up_jobs", "jobs that are not measured", "4000"),
            count("mser_cut", "jobs that MSER-5 of the ensemble average cuts", "1500"),
            text(
                "verdict",
                "short: MSER-5 cuts more than the warm-up; not settled: its cut lies at the end of "
                "what it admits, half the run",
                "long enough",
                {"long enough", "short", "not settled"}
            ),
        }
    );
}

TableSchema utilization_series() {
    return outside_payload(TableSchema{
        "utilization_series",
        "one row per logged replication and part of its measurement window: gross utilization over "
        "time",
        Presence::optional,
        {"cell", "replication", "part"},
        RowOrder::strictly_increasing,
        {
            cell(),
            replication(),
            count("part", "number of the part, from 0; all are equally long", "7"),
            real("begin", "time", "begin of the part", "700"),
            real("end", "time", "end of the part", "800"),
            real(
                "gross_utilization",
                "1",
                "busy processor-time in the part / (processors * (end - begin))",
                "0.71"
            ),
        }});
}

TableSchema users() {
    const auto mean = [](std::string name, std::string unit, const std::string& of) {
        return real(std::move(name), std::move(unit), "mean of " + of + " over these jobs", "12.5");
    };
    return outside_payload(table_by_cell(
        "users",
        "one row per cell and user: means over the measured jobs of the logged replications; those "
        "with most processor-time first, all others together last",
        RowOrder::non_decreasing,
        {
            cell(),
            integer("user", "number of the user in the workload; -1: all others", "42"),
            count("users", "how many users the row is about", "1"),
            count("jobs", "their measured jobs", "210"),
            real("processor_time", "processor*time", "sum of processors * service", "81000"),
            mean("response_time", "time", "finish - submit"),
            mean("queueing_time", "time", "first start - submit"),
            mean(
                "bounded_slowdown",
                "1",
                "max(1, (finish - submit) / max(service, threshold)), the threshold being that of "
                "the cell's probe, or else 10,"
            ),
        }
    ));
}

}  // namespace

std::vector<TableSchema> analysis_tables() {
    return {
        comparisons(),
        selections(),
        controlled_estimates(),
        stability(),
        search_steps(),
        placements(),
        quantiles(),
        sketches(),
        warm_up(),
        warm_up_checks(),
        utilization_series(),
        users()};
}

}  // namespace schedfarm::results_schema
