#include "app/campaign/checks/unserved_jobs.hpp"

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/simulation/job.hpp"

#include "models/trace/trace_settings.hpp"

#include "app/campaign/keys/catalogues.hpp"

namespace schedfarm::app {

using engine::Value;

UnservedJobs leave_out_unserved_jobs(
    const engine::Choice& policy,
    const engine::SystemDescription& system,
    const models::trace::PreparedLog& log,
    engine::Parameters& workload
) {
    UnservedJobs unserved;
    const auto& check = registered_catalogues().find_policy(policy.name)->job_check;
    if (!check || !log.columns.job_number.is_given()) {
        return unserved;
    }
    Value::List numbers;
    if (workload.contains("leave_out")) {
        numbers = workload.at("leave_out").as_list();
    }
    const engine::JobCheck problem_of = check(policy.parameters, system);
    const models::trace::JobList& jobs = log.jobs;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const std::uint32_t row = jobs.row[i];
        const std::int64_t number = log.columns.job_number[row];
        engine::Job job;
        job.index = static_cast<std::uint64_t>(number);
        job.size = jobs.processors[i];
        job.estimate = jobs.request[i];
        job.request = log.requests.requests.empty()
                          ? nullptr
                          : &log.requests.requests[log.requests.of_row[row]];
        if (auto problem = problem_of(job)) {
            unserved.first = unserved.count == 0 ? *std::move(problem) : unserved.first;
            ++unserved.count;
            numbers.push_back(number);
        }
    }
    unserved.jobs = jobs.size();
    if (unserved.count > 0 && !unserved.are_all()) {
        workload.set("leave_out", std::move(numbers));
    }
    return unserved;
}

UnservedJobs leave_out_unserved_jobs(
    const engine::Choice& policy, const engine::SystemDescription& system, engine::Choice& workload
) {
    const auto* const model = registered_catalogues().find_model(workload.name);
    if (model == nullptr) {
        return {};  // a distribution, or what else is chosen
    }
    const auto complete = with_defaults(model->alternative.parameters, workload.parameters);
    if (complete.contains("leave_out")) {
        const auto log = models::trace::prepared_log(models::trace::TraceSettings(complete));
        return leave_out_unserved_jobs(policy, system, *log, workload.parameters);
    }
    UnservedJobs unserved;
    const engine::Parameters given = workload.parameters;
    for (const auto& [name, value] : given.entries()) {
        if (std::holds_alternative<std::shared_ptr<const engine::Choice>>(value.data())) {
            engine::Choice inner = value.as_choice();
            UnservedJobs found = leave_out_unserved_jobs(policy, system, inner);
            unserved = unserved.count > 0 ? unserved : std::move(found);
            workload.parameters.set(name, std::move(inner));
        }
    }
    return unserved;
}

bool are_many(const UnservedJobs& unserved, std::uint64_t others) {
    return 100 * unserved.count > unserved.count + others;
}

std::string text_of(const UnservedJobs& unserved, std::uint64_t others) {
    const bool is_one = unserved.count == 1;
    return fmt::format(
        "{} of {} {} left out, for the site can never place {}: {}{}",
        unserved.count,
        engine::counted(unserved.count + others, "job"),
        is_one ? "is" : "are",
        is_one ? "it" : "them",
        is_one ? "" : "first ",
        unserved.first
    );
}

}  // namespace schedfarm::app
