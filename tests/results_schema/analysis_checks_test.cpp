// Every rule of the analysis tables, broken once in otherwise good results.
#include <limits>

#include <doctest/doctest.h>

#include "results_schema/checks/validation.hpp"
#include "results_schema/tables/table.hpp"

#include "tests/results_schema/example_results.hpp"
#include "tests/results_schema/fillable_results.hpp"

using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Sets one value of the example results; what `check` then finds, as one text.
template <typename T>
std::string after(const char* table, const char* column, std::size_t row, T value) {
    ResultFile results = example_results();
    for (Column& candidate : table_to_fill(results, table).columns) {
        if (candidate.name == column) {
            if constexpr (std::is_same_v<T, std::string>) {
                std::get<Texts>(candidate.data).set(row, value);
            } else {
                std::get<std::vector<T>>(candidate.data).at(row) = value;
            }
        }
    }
    CHECK(structural_problems(results).empty());
    std::string text;
    for (const std::string& problem : consistency_problems(results)) {
        text += (text.empty() ? "" : "; ") + problem;
    }
    return text;
}

std::string after_count(const char* table, const char* column, std::size_t row, int value) {
    return after<std::uint64_t>(table, column, row, static_cast<std::uint64_t>(value));
}

std::string after_real(const char* table, const char* column, std::size_t row, double value) {
    return after<double>(table, column, row, value);
}

std::string after_text(const char* table, const char* column, std::size_t row, const char* value) {
    return after<std::string>(table, column, row, value);
}

}  // namespace

TEST_CASE("a comparison must compare two cells and agree with its interval") {
    CHECK(
        after_count("comparisons", "second_cell", 0, 0)
        == "comparisons row 0: cell 0 is compared with itself"
    );
    CHECK(
        after_count("comparisons", "n", 0, 3)
        == "comparisons row 0: rests on 3 replications, but cell 1 has 2"
    );
    CHECK(
        after_real("comparisons", "adjusted_p", 0, 1e-10)
        == "comparisons row 0: adjusted_p 1e-10 is below p_value 1e-09"
    );
    CHECK(
        after_real("comparisons", "p_value", 0, -0.1)
        == "comparisons row 0: p_value -0.1 is not between 0 and 1"
    );
    CHECK(
        after_real("comparisons", "p_value", 0, 0) == "comparisons row 0: p_value 0 is not above 0"
    );
    CHECK(
        after_text("comparisons", "verdict", 0, "not decided")
        == "comparisons row 0: verdict 'not decided' does not follow from [-0.542, -0.498]"
    );
    CHECK(
        after_real("comparisons", "width_reduction_upper", 0, 2.3)
        == "comparisons row 0: width_reduction 2.4 lies outside its interval [2.1, 2.3]"
    );
    CHECK(after_real("comparisons", "width_reduction", 0, nan).empty());
    CHECK(  // an interval that ends at 0 decides nothing
        after_real("comparisons", "upper", 0, 0)
        == "comparisons row 0: verdict 'first smaller' does not follow from [-0.542, 0]"
    );
}

TEST_CASE("a selection has one cell ahead and a positive indifference") {
    CHECK(
        after_text("selections", "standing", 1, "leading")
        == "selections row 1: group 'load.utilization=0.6' has two cells ahead"
    );
    CHECK(
        after_real("selections", "indifference", 1, 0)
        == "selections row 1: indifference 0 is not positive"
    );
    CHECK(
        after_count("selections", "n", 0, 4)
        == "selections row 0: rests on 4 replications, but cell 0 has 3"
    );
}

TEST_CASE("a controlled estimate lies in its interval and pays for its controls") {
    CHECK(
        after_real("controlled_estimates", "mean", 0, 3.3)
        == "controlled_estimates row 0: mean 3.3 lies outside its interval [3.194, 3.226]"
    );
    CHECK(
        after_real("controlled_estimates", "r_squared", 0, 1.5)
        == "controlled_estimates row 0: r_squared 1.5 is above 1"
    );
    CHECK(
        after_real("controlled_estimates", "loss_factor", 0, 0.9)
        == "controlled_estimates row 0: loss_factor 0.9 is below 1"
    );
}

TEST_CASE("a queue that passed its limit is unstable and says when") {
    CHECK(
        after_text("stability", "verdict", 1, "stable")
        == "stability row 1: the queue passed its limit, but is 'stable'"
    );
    CHECK(
        after_real("stability", "overflow_time", 1, nan)
        == "stability row 1: overflow_time nan does not agree with overflow_replication 1"
    );
    CHECK(
        after<std::int64_t>("stability", "overflow_replication", 1, 2)
        == "stability row 1: overflow_replication 2 is not one of cell 1"
    );
    CHECK(
        after_real("stability", "half_ratio", 0, 2)
        == "stability row 0: half_ratio 2 lies outside its interval [0.97, 1.06]"
    );
    CHECK(
        after_real("stability", "growth", 0, 2)
        == "stability row 0: growth 2 lies outside its interval [-0.002, 0.003]"
    );
}

TEST_CASE("a placement is that of its pilot and a fraction of it") {
    CHECK(
        after_real("placements", "fraction", 0, 0.9)
        == "placements row 0: fraction 0.9 is not 0.9902390720045268"
    );
    CHECK(
        after_real("saturation", "rho_max", 0, 0.707)
        == "placements row 0: rho_max 0.7069 is not that of cell 1"
    );
    CHECK(
        after<std::int64_t>("placements", "pilot", 0, 0)
        == "placements row 0: rho_max 0.7069 is not that of cell 0"
    );
    CHECK(
        after<std::int64_t>("placements", "pilot", 0, -1)
        == "placements row 0: pilot -1 by method 'pilot'"
    );
    CHECK(
        after_text("placements", "method", 0, "exact")
        == "placements row 0: pilot 1 by method 'exact'"
    );
    CHECK(
        after_text("placements", "method", 0, "none")
        == "placements row 0: rho_max 0.7069 by method 'none'"
    );
    CHECK(
        after_real("placements", "upper", 0, 0.7)
        == "placements row 0: rho_max 0.7069 lies outside its interval [0.7062, 0.7]"
    );
}

TEST_CASE("the steps of a search are numbered and rest on computed replications") {
    CHECK(after_count("search_steps", "step", 1, 2) == "search_steps row 1: is step 2, not step 1");
    CHECK(
        after_count("search_steps", "replications", 1, 2)
        == "search_steps row 1: rests on replication 2, but cell 1 has 2"
    );
    CHECK(
        after_real("search_steps", "median", 0, 0.9)
        == "search_steps row 0: median 0.9 lies outside its interval [0.7, 0.81]"
    );
    CHECK(
        after_real("search_steps", "reliability", 0, 1.1)
        == "search_steps row 0: reliability 1.1 is not between 0 and 1"
    );
}

TEST_CASE("quantiles rise with their probabilities and rest on one sketch") {
    CHECK(
        after_real("quantiles", "probability", 1, 0.25)
        == "quantiles row 1: probability 0.25 does not follow 0.25"
    );
    CHECK(
        after_real("quantiles", "probability", 1, 50)
        == "quantiles row 1: probability 50 is not between 0 and 1"
    );
    CHECK(
        after_real("quantiles", "value", 0, 1.2)
        == "quantiles row 0: value 1.2 lies outside its interval [0.91, 1.11]"
    );
    CHECK(
        after_count("quantiles", "jobs", 1, 11)
        == "quantiles row 1: rests on 11 jobs, the row before on 10; "
           "quantiles row 1: rests on 11 jobs, but the sketch has 10"
    );
    ResultFile results = example_results();
    for (Column& column : table_to_fill(results, "quantiles").columns) {
        if (column.name == "value" || column.name == "lower") {
            std::get<std::vector<double>>(column.data)[1] = 1.0;
        }
    }
    CHECK(
        consistency_problems(results)
        == std::vector<
            std::string>{"quantiles row 1: quantile 1 is below that of a lower probability"}
    );
}

TEST_CASE("the buckets of a sketch rise and none is empty") {
    CHECK(
        after<std::int64_t>("sketches", "bucket", 2, 1)
        == "sketches row 2: bucket 1 does not follow 1"
    );
    CHECK(
        after_real("sketches", "lower", 2, 2.2) == "sketches row 2: bucket 38 begins above its end"
    );
    CHECK(after_real("sketches", "upper", 1, 2.2) == "sketches row 2: bucket 38 does not follow 1");
    const std::string empty = after_count("sketches", "count", 2, 0);
    CHECK(empty.find("sketches row 2: bucket 38 is empty") != std::string::npos);
    CHECK(
        empty.find("quantiles row 0: rests on 10 jobs, but the sketch has 4") != std::string::npos
    );
}

TEST_CASE("the parts of a warm-up follow one another and its verdict follows from the cut") {
    CHECK(
        after_count("warm_up", "first_job", 1, 99)
        == "warm_up row 1: begins at job 99, inside the part before"
    );
    CHECK(after_count("warm_up", "jobs", 1, 0) == "warm_up row 1: the part has no jobs");
    CHECK(
        after_count("warm_up_checks", "mser_cut", 0, 4001)
        == "warm_up_checks row 0: verdict 'long enough' does not follow from a cut of 4001 and a "
           "warm-up of 4000 jobs"
    );
    CHECK(after_text("warm_up_checks", "verdict", 0, "not settled").empty());
    CHECK(after_count("warm_up_checks", "mser_cut", 0, 4000).empty());
}

TEST_CASE("the parts of a series of utilizations follow one another and users have jobs") {
    CHECK(
        after_real("utilization_series", "begin", 1, 150)
        == "utilization_series row 1: the part does not follow the one before"
    );
    CHECK(
        after_real("utilization_series", "gross_utilization", 0, 1.01)
        == "utilization_series row 0: gross_utilization 1.01 is not between 0 and 1"
    );
    CHECK(
        after_real("utilization_series", "begin", 1, 250)
        == "utilization_series row 1: the part does not follow the one before"
    );
    CHECK(
        after_real("utilization_series", "gross_utilization", 0, -0.1)
        == "utilization_series row 0: gross_utilization -0.1 is not between 0 and 1"
    );
    CHECK(after_count("users", "jobs", 1, 3) == "users row 1: 4 users with 3 jobs");
}

TEST_CASE("the words of verdicts and standings and procedures are checked") {
    ResultFile results = example_results();
    for (Column& column : table_to_fill(results, "search_steps").columns) {
        if (column.name == "side") {
            std::get<Texts>(column.data).set(0, "left");
        }
    }
    CHECK(
        structural_problems(results)
        == std::vector<std::string>{"search_steps.side row 0: 'left' is none of its words"}
    );
}

TEST_CASE("job classes are numbered from 0 and have names") {
    CHECK(
        after_count("job_classes", "class", 1, 2)
        == "job_classes row 1: a class before class 2 lacks a name"
    );
    CHECK(after_text("job_classes", "name", 1, "") == "job_classes row 1: the class has no name");
    CHECK(
        after_text("job_classes", "name", 1, "interactive")
        == "job_classes row 1: 'interactive' is the name of class 0 of this cell already"
    );
}

TEST_CASE("a verdict on a claim follows from its values") {
    CHECK(
        after_text("claim_values", "side", 1, "straddles")
        == "claims row 0: verdict 'holds' does not follow from its values"
    );
    CHECK(
        after_text("claims", "verdict", 1, "does not hold")
        == "claims row 1: verdict 'does not hold' does not follow from its values"
    );
    CHECK(after_count("claims", "places", 0, 3) == "claims row 0: 3 places, but 2 values");
    CHECK(after_count("claims", "needed", 0, 3) == "claims row 0: 3 of 2 places are needed");
    CHECK(after_count("claims", "needed", 1, 0) == "claims row 1: 0 of 1 places are needed");
    ResultFile results = example_results();
    std::erase_if(results.tables, [](const Table& table) { return table.name == "claims"; });
    CHECK(
        consistency_problems(results)
        == std::vector<std::string>{"of the tables 'claims' and 'claim_values' one is missing"}
    );
    CHECK(
        after_real("claim_values", "lower", 0, 0.45)
        == "claim_values row 0: value 0.4 lies outside its interval [0.45, 0.6000000000000001]"
    );
    CHECK(
        after_count("quantities", "n", 0, 4)
        == "quantities row 0: rests on 4 replications, but cell 0 has 3"
    );
}
