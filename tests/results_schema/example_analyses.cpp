#include <limits>
#include <vector>

#include "results_schema/tables/table_filling.hpp"

#include "tests/results_schema/example_results.hpp"
#include "tests/results_schema/fillable_results.hpp"

namespace schedfarm::tests {

namespace {

using namespace results_schema;  // NOLINT(google-build-using-namespace)

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void fill_comparisons(ResultFile& results) {
    add_row(
        table_to_fill(results, "comparisons"),
        {{"group", "load.utilization=0.6"},
         {"first_cell", 0},
         {"second_cell", 1},
         {"metric", "response_time.mean"},
         {"n", 2},
         {"difference", -0.52},
         {"standard_error", 0.011},
         {"skewness", -0.4},
         {"lower", -0.542},
         {"upper", -0.498},
         {"relative", -0.16},
         {"relative_lower", -0.17},
         {"relative_upper", -0.15},
         {"confidence", 0.975},
         {"p_value", 1e-9},
         {"adjusted_p", 3e-9},
         {"e_value", 2e8},
         {"width_reduction", 2.4},
         {"width_reduction_lower", 2.1},
         {"width_reduction_upper", 2.7},
         {"verdict", "first smaller"},
         {"family", 1},
         {"gate", "passed"}}
    );
    Table& selections = table_to_fill(results, "selections");
    for (const int cell : {0, 1}) {
        add_row(
            selections,
            {{"group", "load.utilization=0.6"},
             {"cell", cell},
             {"metric", "response_time.mean"},
             {"n", 2},
             {"mean", 2.04 + cell},
             {"indifference", 0.05},
             {"confidence", 0.95},
             {"procedure", "kn"},
             {"standing", cell == 0 ? "selected" : "eliminated"},
             {"gate", "passed"}}
        );
    }
    add_row(
        table_to_fill(results, "controlled_estimates"),
        {{"cell", 0},
         {"metric", "response_time.mean"},
         {"controls", "service_time.mean, job_size.mean"},
         {"n", 3},
         {"mean", 3.21},
         {"standard_error", 0.0081},
         {"lower", 3.194},
         {"upper", 3.226},
         {"confidence", 0.95},
         {"r_squared", 0.55},
         {"loss_factor", 1.005},
         {"variance_reduction", 2.2},
         {"gate", "passed"}}
    );
}

void fill_stability(ResultFile& results) {
    Table& stability = table_to_fill(results, "stability");
    add_row(
        stability,
        {{"cell", 0},
         {"verdict", "stable"},
         {"growth", 0.0004},
         {"growth_lower", -0.002},
         {"growth_upper", 0.003},
         {"half_ratio", 1.01},
         {"half_ratio_lower", 0.97},
         {"half_ratio_upper", 1.06},
         {"start_bias", 0.004},
         {"start_bias_lower", 0.001},
         {"start_bias_upper", 0.007},
         {"start_bias_allowed", 0.012},
         {"overflow_replication", -1},
         {"overflow_time", nan},
         {"overflow_jobs", 0}}
    );
    add_row(
        stability,
        {{"cell", 1},
         {"verdict", "unstable"},
         {"growth", nan},
         {"growth_lower", nan},
         {"growth_upper", nan},
         {"half_ratio", nan},
         {"half_ratio_lower", nan},
         {"half_ratio_upper", nan},
         {"start_bias", nan},
         {"start_bias_lower", nan},
         {"start_bias_upper", nan},
         {"start_bias_allowed", nan},
         {"overflow_replication", 1},
         {"overflow_time", 812.5},
         {"overflow_jobs", 100001}}
    );
    Table& steps = table_to_fill(results, "search_steps");
    for (const int step : {0, 1}) {
        add_row(
            steps,
            {{"cell", 1},
             {"step", step},
             {"first_replication", step},
             {"replications", 1},
             {"utilization", 0.5 + 0.25 * step},
             {"observed", -0.02},
             {"standard_error", 0.004},
             {"side", step == 0 ? "above" : "below"},
             {"reliability", 0.95},
             {"median", 0.73},
             {"lower", 0.70},
             {"upper", 0.81}}
        );
    }
    add_row(
        table_to_fill(results, "placements"),
        {{"cell", 0},
         {"rho_max", 0.7069},
         {"lower", 0.7062},
         {"upper", 0.7076},
         {"fraction", 0.7 / 0.7069},
         {"method", "pilot"},
         {"pilot", 1},
         {"gate", "passed"}}
    );
}

/// Ten jobs: one of response time 0, three in bucket 1, six in bucket 38.
void fill_quantiles(ResultFile& results) {
    const double growth = 1.01 / 0.99;
    Table& sketches = table_to_fill(results, "sketches");
    const auto bucket = [&](std::int64_t index, double lower, double upper, int count) {
        add_row(
            sketches,
            {{"cell", 0},
             {"metric", "response_time"},
             {"bucket", index},
             {"lower", lower},
             {"upper", upper},
             {"count", count}}
        );
    };
    bucket(std::numeric_limits<std::int32_t>::min(), 0, 0, 1);
    bucket(1, 1, growth, 3);
    bucket(38, 2.0959872, 2.1383304, 6);
    Table& quantiles = table_to_fill(results, "quantiles");
    const auto quantile = [&](double probability, double value) {
        add_row(
            quantiles,
            {{"cell", 0},
             {"metric", "response_time"},
             {"probability", probability},
             {"value", value},
             {"lower", value - 0.1},
             {"upper", value + 0.1},
             {"confidence", 0.95},
             {"own_mean", 1.5},
             {"jobs", 10},
             {"gate", "passed"}}
        );
    };
    quantile(0.25, 1.01);
    quantile(0.5, 2.1169471);
}

void fill_warm_up(ResultFile& results) {
    Table& parts = table_to_fill(results, "warm_up");
    for (const int part : {0, 1}) {
        add_row(
            parts,
            {{"cell", 0},
             {"first_job", 100 * part},
             {"jobs", 100},
             {"mean", 3.0 + 0.2 * part},
             {"standard_error", 0.05},
             {"moving_average", 3.1}}
        );
    }
    add_row(
        table_to_fill(results, "warm_up_checks"),
        {{"cell", 0},
         {"replications", 3},
         {"warm_up_jobs", 4000},
         {"mser_cut", 1500},
         {"verdict", "long enough"}}
    );
    add_row(
        table_to_fill(results, "measured"),
        {{"cell", 0},
         {"first_job", 4001},
         {"last_job", 20000},
         {"window_begin", 0.0},
         {"window_end", 86400.0}}
    );
}

void fill_log_tables(ResultFile& results) {
    for (const int part : {0, 1}) {
        add_row(
            table_to_fill(results, "utilization_series"),
            {{"cell", 0},
             {"replication", 1},
             {"part", part},
             {"begin", 100.0 * (part + 1)},
             {"end", 100.0 * (part + 2)},
             {"gross_utilization", 0.75 + 0.25 * part}}
        );
    }
    for (const int user : {42, -1}) {
        add_row(
            table_to_fill(results, "users"),
            {{"cell", 0},
             {"user", user},
             {"users", user < 0 ? 4 : 1},
             {"jobs", user < 0 ? 5 : 210},
             {"processor_time", 81000.0},
             {"response_time", 12.5},
             {"wait", 2.5},
             {"bounded_slowdown", 1.25},
             {"requested_processor_time", 162000.0}}
        );
    }
}

void add_claim(
    ResultFile& results, const char* claim, double high, const std::vector<const char*>& places
) {
    add_row(
        table_to_fill(results, "claim_texts"),
        {{"claim", claim},
         {"paper", "Small jobs have shorter response times."},
         {"section", "section 6"},
         {"printed", "2 to 4"},
         {"value", "normalized / easy"},
         {"low", nan},
         {"high", high},
         {"needs", "every"},
         {"confidence", 0.95},
         {"expected", "holds"},
         {"note", ""}}
    );
    for (const char* place : places) {
        add_row(
            table_to_fill(results, "claim_places"),
            {{"claim", claim}, {"place", place}, {"expression", "share{cell=1} / min(1, 2)"}}
        );
    }
}

void fill_classes(ResultFile& results) {
    for (const char* by : {"all", "size"}) {
        add_row(
            table_to_fill(results, "logged_waits"),
            {{"cell", 0},
             {"by", by},
             {"group", by[0] == 'a' ? "all jobs" : "1 processor"},
             {"jobs", 210},
             {"logged", 15296.0},
             {"simulated", 6891.0},
             {"within", 0.58},
             {"rank_agreement", 0.41}}
        );
    }
    for (const int job_class : {0, 1}) {
        add_row(
            table_to_fill(results, "job_classes"),
            {{"cell", 0},
             {"class", job_class},
             {"name", job_class == 0 ? "interactive" : "1 to 4 processors"}}
        );
    }
}

void fill_claims(ResultFile& results) {
    add_row(
        table_to_fill(results, "made_metrics"),
        {{"cell", 0},
         {"metric", "wall_time_ms"},
         {"n", 3},
         {"mean", 21.3},
         {"lower", nan},
         {"upper", nan},
         {"confidence", nan},
         {"gate", "passed"}}
    );
    add_row(
        table_to_fill(results, "quantity_expressions"),
        {{"quantity", "share"}, {"expression", "gross_utilization[class=1]"}}
    );
    add_claim(results, "small", 2, {"class 0", "class 1"});
    add_claim(results, "large", 0.76, {""});
    add_row(
        table_to_fill(results, "certificates"),
        {{"cell", 0},
         {"subject", "interval"},
         {"table", "estimates"},
         {"scope", "cell"},
         {"where", ""},
         {"metric", "response_time.mean"},
         {"interval", "reported"},
         {"truth", 3.2},
         {"source", "M/M/1"},
         {"column", ""},
         {"is", ""},
         {"at_least", nan},
         {"low", 0.93},
         {"high", 0.97},
         {"expect", "inside"},
         {"judged", 0.9},
         {"virtual_workers", 0},
         {"first_look", 64},
         {"procedure", "engine/statistics/estimate.cpp"}}
    );
}

}  // namespace

void fill_analyses(ResultFile& results) {
    fill_comparisons(results);
    fill_stability(results);
    fill_quantiles(results);
    fill_warm_up(results);
    fill_log_tables(results);
    fill_classes(results);
    fill_claims(results);
}

}  // namespace schedfarm::tests
