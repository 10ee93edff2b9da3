// The jobs of any workload, a log or a model, whose users request round values: each request is
// multiplied by a margin and raised to the least of the list that is not below it; longer ones
// stay. Where the workload knows no requests, those are the run times. In logs twenty values make
// nine requests of ten (Tsafrir, Etsion & Feitelson 2005); this is the least that such values add
// to requests that are right. All else stays. Draws nothing.
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "models/workload_version.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::JobBlock;
using engine::Parameters;
using engine::ParameterType;
using engine::Value;
using engine::WorkloadContext;

class RoundedVersion final : public VersionOfJobs {
  public:
    RoundedVersion(
        std::unique_ptr<engine::WorkloadModel> original,
        const Parameters& given,
        const WorkloadContext& /*context*/
    )
        : VersionOfJobs(std::move(original))
        , requests_(given.reals("requests"))
        , margin_(given.real("margin")) {}

    void next(JobBlock& block) override {
        original_->next(block);
        if (block.estimate.empty()) {
            block.estimate = block.service_time;
        }
        for (double& request : block.estimate) {
            request *= margin_;
            const auto round = std::lower_bound(requests_.begin(), requests_.end(), request);
            request = round == requests_.end() ? request : *round;
        }
    }

  private:
    std::vector<double> requests_;  // in rising order
    double margin_;
};

std::vector<engine::ParameterDescription> rounded_version_parameters() {
    constexpr double minute = 60;
    constexpr double hour = 3600;
    return {
        {.name = "requests",
         .meaning = "the values that users request, in rising order; a longer request stays",
         .unit = "time",
         .type = ParameterType::real_list,
         .default_value =
             Value::List{
                 5 * minute,
                 10 * minute,
                 15 * minute,
                 20 * minute,
                 30 * minute,
                 hour,
                 2 * hour,
                 3 * hour,
                 4 * hour,
                 5 * hour,
                 6 * hour,
                 8 * hour,
                 10 * hour,
                 12 * hour,
                 18 * hour},
         .range = {.low = 0, .high = 1e12, .low_is_open = true}},
        {.name = "margin",
         .meaning = "what a request is multiplied by before it is raised",
         .default_value = 1.0,
         .range = {.low = 1, .high = 1e6}}};
}

std::vector<engine::ParameterProblem> rounded_version_problems(const Parameters& given) {
    const std::vector<double> requests = given.reals("requests");
    if (std::adjacent_find(requests.begin(), requests.end(), std::greater_equal<>())
        == requests.end()) {
        return {};
    }
    return {
        {"requests",
         "the values do not rise (of two the greater would never be requested)",
         "Put them into rising order, each once."}};
}

std::vector<engine::WorkloadExample> rounded_version_examples() {
    Parameters of_log;
    of_log.set("jobs", example_log());
    Parameters of_model;
    of_model.set("jobs", Choice{.name = "lublin_feitelson"});
    of_model.set("requests", Value::List{3600.0, 86400.0});
    return {{of_log, {.clusters = {64}}}, {of_model, {.clusters = {128}}}};
}

}  // namespace

engine::WorkloadModelDescription describe_rounded_version() {
    return describe_version<RoundedVersion>(
        {.alternative =
             {.name = "rounded_version",
              .summary = "The jobs of a workload, their requested times raised to round values.",
              .parameters = rounded_version_parameters(),
              .check = rounded_version_problems,
              .source = "Tsafrir, Etsion & Feitelson 2005 (the values)"},
         .original = {.name = "jobs", .meaning = "the workload whose requested times are raised"},
         .place = 15,
         .draws = [](const Parameters& /*given*/) { return false; },
         .examples = rounded_version_examples()}
    );
}

}  // namespace schedfarm::models
