#include "policies/gang/bound_gang.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

std::vector<ParameterDescription> rotation_parameters() {
    std::vector<ParameterDescription> table = bound_gang_parameters();
    table.push_back(
        {.name = "after_empty",
         .meaning = "where the time slices go on when there was no job to serve. next: after the "
                    "last; top: at the beginning of the cycle",
         .type = ParameterType::text,
         .default_value = "next",
         .words = {"next", "top"}}
    );
    return table;
}

BoundGangSettings bound_gang_settings(const Parameters& given) {
    return {
        .gang = gang_settings(given),
        .assignment = node_assignment(given),
        .after_empty = given.text("after_empty") == "top" ? AfterEmpty::top : AfterEmpty::next};
}

PolicyDescription bound_gang_description() {
    PolicyDescription description;
    description.alternative.parameters = rotation_parameters();
    description.alternative.check = gang_problems;
    description.traits = [](const Parameters&) {
        return PolicyTraits{.preemptive = true, .names_processors = true};
    };
    description.check_system = gang_system_problems;
    return description;
}

void BoundGang::react(const EventBatch& events, Actions& actions) {
    for (const JobId id : events.completions) {
        jobs_.leave(id);
    }
    for (const JobId id : events.arrivals) {
        const Job& job = actions.job(id);
        const std::uint32_t job_class = gang_class(job, trees_);
        quanta_.arrive(job.submit_time, job.service_time, job_class);
        jobs_.arrive(id, job_class, job.size);
    }
    change_.clear();
    decide(events.timers, actions);
    actions.carry_out(change_);
}

}  // namespace schedfarm::policies
