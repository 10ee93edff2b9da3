// Damaged campaigns never crash or hang; one that is accepted has the cells of its own effective
// configuration.
// SCHEDFARM_MUTATIONS sets how many (1,000), SCHEDFARM_MUTATION_SEED which. For many under
// AddressSanitizer leave fast_unwind_on_malloc at its default: the slow unwinder takes minutes for
// a damaged campaign of 50,000 cells.
#include "tests/app/campaign/mutation.hpp"

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "app/campaign/keys/describe.hpp"
#include "app/campaign/yaml/config_error.hpp"

#include "tests/app/campaign/campaign_text.hpp"

namespace schedfarm::app::tests {

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t fallback) {
    const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

/// Precision, searches, pilots, comparisons, selections, control variates, certificates.
std::vector<Lines> new_campaigns() {
    return {
        {{9,
          "precision: {metric: response_time, rule: strict, min: 20, budget: {jobs: 1e9, "
          "replications: 500, core_hours: 0.5}}"},
         {10, "random_numbers: {generator: mrg32k3a, streams: independent}"},
         {11,
          "horizon: {jobs: 900, warm_up: {jobs: 100}, start: {backlog: 64}, queue_limit: 5000, "
          "ensemble_bins: 30}"}},
        {{8, "load: {search: {criterion: drift, between: [0.4, 0.9], round: 8, width: 0.02}}"},
         {9, ""},
         {10, "horizon: {jobs: 900, warm_up: {jobs: 100}, start: {backlog: 64}}"}},
        {{7, ""},
         {8, ""},
         {9, "precision: {metric: response_time, min: 20, max: 700, budget: {events: 1e7}}"},
         {10,
          "factors: {policy: [fcfs, {fpfs: 7}, sjf], load.utilization: {of_saturation: [0.5, "
          "0.75]}}"},
         {11, "pilot: {jobs: 800, warm_up: {jobs: 80}, backlog: 9, replications: 12}"},
         {12,
          "comparison: {factor: policy, metric: response_time, baseline: fcfs, relative: 0.1, "
          "confidence: 0.9}"}},
        {{7, ""},
         {8, ""},
         {9, ""},
         {10, "factors: {policy: [fcfs, sjf, ljf], load.utilization: [0.5, 0.7]}"},
         {11,
          "selection: {factor: policy, metric: response_time, best: smallest, indifference: 0.1, "
          "first_stage: 20, max: 5000}"},
         {12, "random_numbers: {streams: independent}"},
         {13, "probes: [response_time, service_time, job_size]"},
         {14, "control_variates: {metric: response_time, controls: [service_time, job_size]}"}},
        {{5, "system: {clusters: [1]}"},
         {6, "workload: {model: coallocation, components: 1, component_size: {constant: 1}}"},
         {7, ""},
         {10, "factors: {policy: [fcfs], load.utilization: [0.5, 0.7]}"},
         {8, ""},
         {11,
          "certificate: {subject: first_finished, metric: response_time, band: [-0.1, 0.1], "
          "expect: outside, virtual_workers: 64}"},
         {12, "comparison: {factor: load.utilization, metric: response_time, baseline: 0.5}"}}};
}

std::vector<CampaignSource> right_campaigns() {
    std::vector<CampaignSource> sources{source_of(init_template()), source_of(campaign_text({}))};
    sources.push_back(source_of(campaign_text(
        {{7, ""},
         {8, ""},
         {10,
          "factors:\n  policy: [fcfs, {fpfs: 7}, {fpfs: {max_jumps: 3}}]\n  load.utilization: "
          "{linear: {from: 0.5, to: 0.7, count: 3}}"},
         {11, "derived: {horizon.jobs: \"max(100, 2000 * (1 + load.utilization))\"}"},
         {12, "overrides:\n  - {when: {policy: fpfs}, set: {horizon.jobs: 70, replications: 4}}"}}
    )));
    sources.push_back(source_of(campaign_text(
        {{8, ""},
         {9, "precision: {targets: [{metric: slowdown.p95, relative: 0.1}], min: 10, max: 20}"},
         {10, "probes: [{slowdown: {quantiles: [0.5, 0.95]}}]"},
         {11, "factors: {load.utilization: {of_saturation: [0.5, 0.9]}}"}}
    )));
    for (const Lines& lines : new_campaigns()) {
        sources.push_back(source_of(campaign_text(lines)));
    }
    const std::filesystem::path folder =
        std::filesystem::path(SCHEDFARM_SOURCE) / "campaigns/coallocation";
    for (const char* name :
         {"table1.yaml",
          "table3.yaml",
          "figure2.yaml",
          "table5.yaml",
          "das.yaml",
          "saturation_search.yaml",
          "response_curve.yaml"}) {
        sources.push_back(load_source(folder / name));
    }
    return sources;
}

/// The source with one of its files damaged: mostly the main one.
CampaignSource damaged(CampaignSource source, std::uint64_t seed) {
    auto file = source.files.find(source.main_file);
    if (seed % 5 == 0) {
        file = std::next(source.files.begin(), static_cast<long>(seed / 5 % source.files.size()));
    }
    file->second = mutated(file->second, seed);
    return source;
}

struct Outcome {
    bool is_accepted = false;
    std::string problem;  ///< what is wrong with an acceptance
};

Outcome judge(const CampaignSource& source) {
    try {
        std::optional<Plan> plan;
        try {
            plan = make_plan(source);
        } catch (const ConfigErrors& errors) {
            return {false, errors.problems().empty() ? "refused without a reason" : ""};
        }
        CampaignSource effective = source;
        effective.files[source.main_file] = plan->effective;
        const bool is_same = make_plan(effective).plan_hash == plan->plan_hash;
        return {true, is_same ? "" : "the effective configuration gives other cells"};
    } catch (const std::exception& error) {
        return {false, error.what()};
    }
}

}  // namespace

TEST_CASE("mutated campaigns are refused with a reason or have the cells of their configuration") {
    const std::vector<CampaignSource> right = right_campaigns();
    const std::uint64_t count = from_environment("SCHEDFARM_MUTATIONS", 1000);
    const std::uint64_t first = from_environment("SCHEDFARM_MUTATION_SEED", 0);
    std::uint64_t accepted = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const CampaignSource source = damaged(right[seed % right.size()], seed);
        const Outcome outcome = judge(source);
        accepted += outcome.is_accepted ? 1 : 0;
        CAPTURE(seed);
        CAPTURE(source.files.at(source.main_file));
        CHECK(outcome.problem == "");
    }
    MESSAGE(accepted, " of ", count, " accepted");
    CHECK(accepted > count / 20);
    CHECK(accepted < count);
}

}  // namespace schedfarm::app::tests
