// What progress line and status say is known at every moment of a run: for every rule that ends
// cells and every kind of experiment, after every replication.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "app/cli/progress_text.hpp"
#include "app/run/tables/cell_summary.hpp"

#include "tests/app/run/small_campaign.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;    // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::uint64_t most_replications = 96;

struct Kind {
    const char* name;
    const char* text;
    std::vector<const char*> metrics;  ///< columns or bare probes
};

const std::vector<Kind>& kinds() {
    static const std::string coallocation =
        "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}}\n";
    static const std::string open = "experiment: open\nsystem: {clusters: [8]}\n" + coallocation
                                    + "load: {utilization: 0.6}\n"
                                      "probes: [{response_time: {quantiles: [0.9], per_class: "
                                      "true}}, queue_length]\n"
                                      "horizon: {jobs: 40, warm_up: {jobs: 10}}\n";
    static const std::string saturated = "experiment: saturated\nsystem: {clusters: [8]}\n"
                                         + coallocation
                                         + "horizon: {jobs: 40, warm_up: {jobs: 10}, backlog: 4}\n";
    static const std::string filling = "experiment: bin_filling\nsystem: {clusters: [8]}\n"
                                       + coallocation + "horizon: {fills: 30}\n";
    static const std::vector<Kind> all{
        {"bin filling", filling.c_str(), {"capacity_loss"}},
        {"open",
         open.c_str(),
         {"response_time", "response_time.p90", "response_time.mean[class=0]", "queue_length"}},
        {"saturated", saturated.c_str(), {"gross_utilization", "capacity_loss", "throughput"}},
        {"of a resampled log",
         "experiment: trace\nsystem: {clusters: [128]}\nworkload: {model: trace, file: example}\n"
         "probes: [{response_time: {quantiles: [0.9]}}]\nhorizon: {jobs: 60, warm_up: none}\n",
         {"response_time", "response_time.p90"}},
        {"of a shaken log",
         "experiment: trace\nsystem: {clusters: [128]}\nworkload: {model: trace, file: example, "
         "resampling: none, shake: 60}\nhorizon: {jobs: 60, warm_up: none}\n",
         {"response_time"}},
        {"off-line",
         "experiment: offline\nsystem: {clusters: [8]}\n"
         "workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}}\n"
         "horizon: {jobs: 40, warm_up: none}\n",
         {"response_time"}}};
    return all;
}

/// By name; METRIC stands for what is judged.
const std::map<std::string, std::string>& rules() {
    static const std::string policies = "factors: {policy: [fcfs, {fpfs: 7}, sjf]}\n";
    static const std::string limits = "min: 8, max: 40";
    static const std::string precision =
        "precision: {metric: 'METRIC', relative: 0.03, " + limits + "}\n";
    static const std::string compared = policies + "comparison: {factor: policy, metric: 'METRIC'";
    static const std::map<std::string, std::string> all{
        {"a fixed number", policies + "replications: 10\n"},
        {"one replication", policies + "replications: 1\n"},
        {"a relative precision", policies + precision},
        {"an absolute precision",
         policies + "precision: {metric: 'METRIC', absolute: 0.5, " + limits + "}\n"},
        {"the strict rule",
         policies + "precision: {metric: 'METRIC', relative: 0.1, rule: strict, " + limits + "}\n"},
        {"a budget",
         policies + "precision: {metric: 'METRIC', relative: 0.01, " + limits
             + ", budget: {replications: 20}}\n"},
        {"a comparison", compared + "}\nreplications: 10\n"},
        {"a comparison of precise cells", compared + "}\n" + precision},
        {"a precise comparison",
         compared
             + ", relative: 0.01}\nprecision: {metric: 'METRIC', "
               "relative: 0.5, "
             + limits + "}\n"},
        {"a precise comparison with a baseline",
         compared + ", baseline: sjf, absolute: 0.01}\n" + precision},
        {"KN",
         policies
             + "selection: {factor: policy, metric: 'METRIC', best: smallest, indifference: "
               "0.01, first_stage: 8, round: 4, max: 40}\n"}};
    return all;
}

/// Rules of open experiments alone, which have a load or a horizon of their own.
const std::vector<std::string>& open_campaigns() {
    static const std::string head =
        "experiment: open\nsystem: {clusters: [8]}\npolicy: fcfs\nworkload: {model: coallocation, "
        "components: 1, component_size: {uniform: [1, 4]}}\n";
    static const std::string precise =
        "precision: {metric: response_time, relative: 0.05, min: 8, max: 40}\n";
    static const std::vector<std::string> all{
        head + "horizon: {jobs: 400, warm_up: {jobs: 60}, start: {backlog: 60}}\n"
               "load: {search: {criterion: drift, between: [0.4, 1.0], width: 0.1}}\n",
        head + "horizon: {jobs: 200, warm_up: {jobs: 40}}\n"
               "load: {search: {criterion: response_time, threshold: 4, between: [0.2, 0.9], "
               "width: 0.1}}\n",
        head + precise + "horizon: {jobs: 100, warm_up: {jobs: 20}}\n"
               "pilot: {jobs: 100, warm_up: {jobs: 20}, backlog: 8, replications: 8}\n"
               "factors: {load.utilization: {below_saturation: 3}}\n",
        head + precise + "load: {utilization: 0.5}\n",
        head + precise + "horizon: {jobs: 4000, warm_up: {jobs: 400}, queue_limit: 20}\n"
               "load: {utilization: 0.95}\nallow_unstable: true\n"};
    return all;
}

std::string with_metric(std::string text, const std::string& metric) {
    for (std::size_t at = text.find("METRIC"); at != std::string::npos; at = text.find("METRIC")) {
        text.replace(at, 6, metric);
    }
    return "campaign_format: 1\nname: any moment\nseed: 3\n" + text;
}

/// What can be asked for at any moment.
void look(const CampaignProgress& progress, bool& has_said_of_a_difference) {
    const RunTotals totals = totals_of(progress);
    CHECK(totals.computed <= totals.predicted);
    std::string said = plain_text(totals, seconds_left(totals, totals.core_hours_spent, 100));
    for (const auto& cell : progress.cells()) {
        said += cell_text(progress, *cell) + done_text(*cell) + judged_text(judged(progress, *cell))
                + summarize(*cell).most_demanding;
    }
    CHECK(said.find("nan") == std::string::npos);
    CHECK(said.find("inf") == std::string::npos);
    has_said_of_a_difference =
        has_said_of_a_difference || said.find(" - cell ") != std::string::npos;
}

/// Whether it could be planned; looks at it after every replication, and counts it where a
/// difference was told.
bool walk(const std::string& text, std::size_t& saying_differences) {
    CAPTURE(text);
    Plan plan;
    try {
        plan = plan_of(text);
    } catch (const ConfigErrors&) {
        return false;
    }
    CampaignProgress progress(plan);
    bool has_said_of_a_difference = false;
    look(progress, has_said_of_a_difference);
    std::uint64_t done = 0;
    for (auto task = progress.next(); task && done < most_replications; task = progress.next()) {
        progress.take(result_of(*task, plan));
        look(progress, has_said_of_a_difference);
        ++done;
    }
    CHECK(done > 0);
    if (has_said_of_a_difference) {
        CHECK(plan.comparison->target);
        ++saying_differences;
    }
    return true;
}

}  // namespace

TEST_CASE("every kind of experiment under every rule can be looked at after every replication") {
    std::size_t saying_differences = 0;
    for (const Kind& kind : kinds()) {
        CAPTURE(kind.name);
        for (const auto& [rule, text] : rules()) {
            CAPTURE(rule);
            std::size_t planned = 0;
            for (const char* metric : kind.metrics) {
                planned +=
                    walk(with_metric(kind.text + text, metric), saying_differences) ? 1U : 0U;
            }
            CHECK(planned > 0);
        }
    }
    for (const std::string& text : open_campaigns()) {
        CHECK(walk(with_metric(text, ""), saying_differences));
    }
    CHECK(saying_differences >= kinds().size());
}
