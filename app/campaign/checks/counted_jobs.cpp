#include "app/campaign/checks/counted_jobs.hpp"

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace schedfarm::app {

namespace {

/// Beyond every log; whoever has more has no end.
constexpr std::uint64_t most_counted = 20'000'000;

/// REQUIRES: it has an experiment, a system and a workload.
std::optional<std::uint64_t> job_count_of(const CellSettings& settings) {
    engine::Parameters parameters = settings.workload->choice.parameters;
    if (parameters.contains("resampling")) {
        parameters.set("resampling", "none");
    }
    engine::WorkloadContext context;
    context.system = *settings.system;
    context.experiment = *settings.experiment;
    if (settings.workload->description->facts(parameters).end == engine::JobsEnd::open_ended) {
        return std::nullopt;
    }
    const auto model = settings.workload->description->make(parameters, context);
    engine::JobBlock block;
    std::uint64_t count = 0;
    do {
        model->next(block);
        count += block.count;
    } while (block.count > 0 && count < most_counted);
    return block.count == 0 ? std::optional(count) : std::nullopt;
}

}  // namespace

bool can_be_counted(const CellSettings& settings) {
    return settings.experiment && settings.system && settings.workload
           && settings.experiment->has_response_times() && !settings.is_open();
}

std::optional<std::uint64_t> count_of_finite(const CellSettings& settings) {
    if (!settings.experiment || !settings.system || !settings.workload
        || settings.workload_facts().end != engine::JobsEnd::given) {
        return std::nullopt;
    }
    return job_count_of(settings);
}

std::optional<Node> with_counted_jobs(
    const Node& cell, const CellSettings& settings, Problems& problems
) {
    const Node* horizon = cell.find("horizon");
    const Node* jobs = horizon == nullptr ? nullptr : horizon->find("jobs");
    if (jobs == nullptr || jobs->kind != Node::Kind::scalar || jobs->scalar != "all") {
        return std::nullopt;
    }
    const auto count = can_be_counted(settings) ? job_count_of(settings) : std::nullopt;
    const bool are_known = settings.experiment && settings.system && settings.workload;
    if (!count && are_known) {
        problems.add(
            jobs->at,
            "horizon.jobs",
            "'all' jobs cannot be counted (only workloads with an end have a number of jobs: a log "
            "in a trace experiment, listed jobs offline)",
            "Write a number, 20000."
        );
    }
    // What cannot be counted, and was said to be wrong, counts as many.
    const std::string number = fmt::format("{}", count.value_or(most_counted));
    Node counted = cell;
    set_path(counted, "horizon.jobs", Node::text(number, jobs->at), jobs->at);
    return counted;
}

bool lengthens(const CellSettings& settings) {
    return settings.horizon && settings.horizon->is_auto
           && settings.horizon->horizon.warm_up_jobs > 0
           && settings.horizon->horizon.start_backlog == 0 && settings.takes_load()
           && (!settings.load_search
               || settings.load_search->criterion == SearchCriterion::response_time)
           && settings.workload && settings.workload_facts().end != engine::JobsEnd::given;
}

}  // namespace schedfarm::app
