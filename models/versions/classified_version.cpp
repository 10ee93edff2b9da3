// The jobs of any workload, a log or a model, told apart by their run times: class k has the jobs
// that run at least as long as the k-th limit and shorter than the next. Papers judge short and
// long jobs apart: Hollingsworth & Maneewongvatana (section 3.1) below 10, 100 and 1,000 s and
// above, Esbaugh (section 6.1) below 10 minutes and 3 hours and above. All else stays; classes of
// the workload's own are replaced. Draws nothing.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/workload_version.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::JobBlock;
using engine::Parameters;
using engine::ParameterType;
using engine::Value;
using engine::WorkloadContext;

constexpr std::size_t most_limits = 64;

std::vector<std::string> names(const std::vector<double>& limits) {
    std::vector<std::string> names = {fmt::format("run time < {:.10g}", limits.front())};
    for (std::size_t k = 1; k < limits.size(); ++k) {
        names.push_back(fmt::format("{:.10g} <= run time < {:.10g}", limits[k - 1], limits[k]));
    }
    names.push_back(fmt::format("run time >= {:.10g}", limits.back()));
    return names;
}

class ClassifiedVersion final : public VersionOfJobs {
  public:
    ClassifiedVersion(
        std::unique_ptr<engine::WorkloadModel> original,
        const Parameters& given,
        const WorkloadContext& /*context*/
    )
        : VersionOfJobs(std::move(original)), limits_(given.reals("run_times")) {
        traits_.class_names = names(limits_);
        traits_.job_classes = static_cast<std::uint32_t>(traits_.class_names.size());
    }

    void next(JobBlock& block) override {
        original_->next(block);
        block.job_class.resize(block.count);
        std::transform(
            block.service_time.begin(),
            block.service_time.end(),
            block.job_class.begin(),
            [this](double run_time) {
                const auto next = std::upper_bound(limits_.begin(), limits_.end(), run_time);
                return static_cast<std::uint32_t>(next - limits_.begin());
            }
        );
    }

  private:
    std::vector<double> limits_;
};

std::vector<engine::ParameterDescription> classified_version_parameters() {
    return {
        {.name = "run_times",
         .meaning = "shortest run time of each class but class 0, in rising order",
         .unit = "time",
         .type = ParameterType::real_list,
         .default_value = Value::List{600.0, 10800.0},
         .range = {.low = 0, .high = 1e12, .low_is_open = true}}};
}

std::vector<engine::ParameterProblem> classified_version_problems(const Parameters& given) {
    const std::vector<double> limits = given.reals("run_times");
    if (limits.empty() || limits.size() > most_limits) {
        return {
            {"run_times",
             fmt::format("{} limits (there must be 1 to {})", limits.size(), most_limits),
             "Write run_times: [600, 10800]."}};
    }
    const auto not_less = std::adjacent_find(limits.begin(), limits.end(), std::greater_equal<>());
    if (not_less != limits.end()) {
        return {
            {"run_times",
             fmt::format(
                 "{:.10g} stands before {:.10g} (no job is between)", *not_less, not_less[1]
             ),
             "Put them into rising order, each once."}};
    }
    return {};
}

std::vector<engine::WorkloadExample> classified_version_examples() {
    Parameters of_log;
    of_log.set("jobs", example_log());
    Parameters of_model;
    of_model.set("jobs", Choice{.name = "downey_97"});
    of_model.set("run_times", Value::List{10.0, 100.0, 1000.0});
    return {{of_log, {.clusters = {64}}}, {of_model, {.clusters = {256}}}};
}

}  // namespace

engine::WorkloadModelDescription describe_classified_version() {
    return describe_version<ClassifiedVersion>(
        {.alternative =
             {.name = "classified_version",
              .summary = "The jobs of a workload in classes by their run times.",
              .parameters = classified_version_parameters(),
              .check = classified_version_problems,
              .source = "Hollingsworth & Maneewongvatana, section 3.1; Esbaugh 2010, section 6.1"},
         .original = {.name = "jobs", .meaning = "the workload whose jobs are told apart"},
         .place = 20,
         .draws = [](const Parameters& /*given*/) { return false; },
         .examples = classified_version_examples()}
    );
}

}  // namespace schedfarm::models
