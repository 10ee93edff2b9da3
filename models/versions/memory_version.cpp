// The jobs of any workload, a log or a model, with the memory that they need on every processor: a
// share of the processor's own, drawn for each job from the list of its type, every entry as likely
// as the others. Types go by run times: type k has the jobs that run at least as long as the k-th
// limit and shorter than the next (Esbaugh 2010: short, medium, long). The named lists are those of
// the thesis's Appendix D (Figure 17 prints one entry too many for very_low). All else stays;
// memory that the workload knows itself is replaced.
//
// Draw of job j: value j of Purpose::memory.
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/random/uniforms.hpp"

#include "models/draws.hpp"
#include "models/workload_version.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::JobBlock;
using engine::ParameterProblem;
using engine::Parameters;
using engine::ParameterType;
using engine::Value;
using engine::WorkloadContext;

struct NamedShares {
    const char* name;
    std::vector<double> shares;
};

/// Appendix D.
const std::vector<NamedShares>& named_shares() {
    static const std::vector<NamedShares> table = {
        {"default", {1.0, 0.3, 0.3, 0.4, 0.5, 0.4, 0.3, 0.6, 1.0, 0.5}},
        {"high", {0.6, 0.6, 0.7, 0.7, 0.8, 0.8, 0.9, 0.9, 1.0, 1.0}},
        {"low", {0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4, 0.5}},
        {"very_high", {0.7, 0.7, 0.8, 0.8, 0.9, 0.9, 1.0, 1.0, 1.0, 1.0}},
        {"very_low", {0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.3, 0.3, 0.4}}};
    return table;
}

const std::vector<engine::Alternative>& share_lists() {
    static const auto alternatives = [] {
        std::vector<engine::Alternative> table;
        for (const NamedShares& named : named_shares()) {
            table.push_back(
                {.name = named.name,
                 .summary = fmt::format("One of {:g}.", fmt::join(named.shares, ", ")),
                 .parameters = {},
                 .source = "Esbaugh 2010, Appendix D"}
            );
        }
        table.push_back(
            {.name = "shares",
             .summary = "One of those listed, every entry as likely as the others.",
             .parameters =
                 {{.name = "shares",
                   .meaning = "of the memory of a processor",
                   .type = ParameterType::real_list,
                   .range = {.low = 0, .high = 1}}}}
        );
        return table;
    }();
    return alternatives;
}

std::vector<double> shares_of(const Choice& choice) {
    for (const NamedShares& named : named_shares()) {
        if (choice.name == named.name) {
            return named.shares;
        }
    }
    return choice.parameters.reals("shares");
}

/// By type of jobs.
std::vector<std::vector<double>> shares_of(const Parameters& given) {
    std::vector<std::vector<double>> shares;
    for (const Value& type : given.at("memory").as_list()) {
        shares.push_back(shares_of(type.as_choice()));
    }
    return shares;
}

class MemoryVersion final : public VersionOfJobs {
  public:
    MemoryVersion(
        std::unique_ptr<engine::WorkloadModel> original,
        const Parameters& given,
        const WorkloadContext& context
    )
        : VersionOfJobs(std::move(original))
        , limits_(given.reals("run_times"))
        , amounts_(shares_of(given))
        , stream_(stream_of(context, engine::Purpose::memory)) {
        double most = 0;
        for (std::vector<double>& of_type : amounts_) {
            for (double& amount : of_type) {
                amount *= context.system.memory_per_processor;
                most = std::max(most, amount);
            }
        }
        traits_.max_memory_per_processor = most;
    }

    void next(JobBlock& block) override {
        original_->next(block);
        uniforms_.resize(block.count);
        engine::fill_uniforms(stream_, block.first_index, uniforms_);
        block.memory_per_processor.resize(block.count);
        for (std::size_t i = 0; i < block.count; ++i) {
            const auto type =
                std::upper_bound(limits_.begin(), limits_.end(), block.service_time[i]);
            const auto& amounts = amounts_[static_cast<std::size_t>(type - limits_.begin())];
            const auto entry =
                static_cast<std::size_t>(uniforms_[i] * static_cast<double>(amounts.size()));
            block.memory_per_processor[i] = amounts[std::min(entry, amounts.size() - 1)];
        }
    }

  private:
    std::vector<double> limits_;
    std::vector<std::vector<double>> amounts_;  // by type of jobs
    engine::Stream stream_;
    std::vector<double> uniforms_;
};

std::vector<engine::ParameterDescription> memory_version_parameters() {
    return {
        {.name = "memory",
         .meaning = "shares of a processor's memory that jobs of each type need, the shortest jobs "
                    "first",
         .type = ParameterType::choice_list,
         .default_value =
             Value::List{
                 Choice{.name = "default"}, Choice{.name = "default"}, Choice{.name = "default"}},
         .alternatives = share_lists},
        {.name = "run_times",
         .meaning = "shortest run time of each type but the first, in rising order",
         .unit = "time",
         .type = ParameterType::real_list,
         .default_value = Value::List{600.0, 10800.0},
         .range = {.low = 0, .high = 1e12, .low_is_open = true}}};
}

std::vector<ParameterProblem> memory_version_problems(const Parameters& given) {
    const std::vector<double> limits = given.reals("run_times");
    if (std::adjacent_find(limits.begin(), limits.end(), std::greater_equal<>()) != limits.end()) {
        return {
            {"run_times",
             "the limits do not rise (no job is between)",
             "Put them into rising order, each once."}};
    }
    const auto shares = shares_of(given);
    if (shares.size() != limits.size() + 1) {
        return {
            {"memory",
             fmt::format(
                 "{} lists of shares for {} types (every type needs one)",
                 shares.size(),
                 limits.size() + 1
             ),
             "Give as many as 'run_times' and one more."}};
    }
    if (std::any_of(shares.begin(), shares.end(), [](const auto& list) { return list.empty(); })) {
        return {
            {"memory",
             "an empty list of shares (there is nothing to draw)",
             "List a share, or 0."}};
    }
    return {};
}

std::vector<ParameterProblem> memory_version_system_problems(
    const Parameters& /*given*/, const engine::SystemDescription& system
) {
    if (system.memory_per_processor > 0) {
        return {};
    }
    return {
        {"memory",
         "shares of a memory that the system does not have (no job would need any)",
         "Write system: {memory_per_processor: 400}, or leave memory_version out."}};
}

std::vector<engine::WorkloadExample> memory_version_examples() {
    Parameters of_log;
    of_log.set("jobs", example_log());
    Choice listed{.name = "shares"};
    listed.parameters.set("shares", Value::List{0.0, 0.25, 0.25});
    of_log.set("memory", Value::List{Choice{.name = "very_low"}, listed});
    of_log.set("run_times", Value::List{3600.0});
    Parameters of_model;
    of_model.set("jobs", Choice{.name = "lublin_feitelson"});
    return {
        {of_log, {.clusters = {64}, .memory_per_processor = 32768}},
        {of_model, {.clusters = {128}, .memory_per_processor = 400}}};
}

}  // namespace

engine::WorkloadModelDescription describe_memory_version() {
    return describe_version<MemoryVersion>(
        {.alternative =
             {.name = "memory_version",
              .summary = "The jobs of a workload with memory, drawn by type of jobs.",
              .parameters = memory_version_parameters(),
              .check = memory_version_problems,
              .source = "Esbaugh 2010, section 5.4 and Appendix D"},
         .original = {.name = "jobs", .meaning = "the workload whose jobs need memory"},
         .place = 30,
         .replaces_memory = true,
         .check_system = memory_version_system_problems,
         .examples = memory_version_examples()}
    );
}

}  // namespace schedfarm::models
