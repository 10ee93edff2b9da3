#include "app/simulate/job_source.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"
#include "engine/simulation/kernel/unserved_job.hpp"

#include "models/trace/prepared_log.hpp"
#include "models/trace/reading/blocks.hpp"
#include "models/trace/reading/log_error.hpp"
#include "models/trace/trace_settings.hpp"
#include "policies/slurm/site/site.hpp"

#include "app/campaign/checks/unserved_jobs.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/config_error.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

namespace {

namespace trace = models::trace;

std::unique_ptr<engine::WorkloadModel> make_workload(
    const NamedModel& model,
    const SimulationRequest& request,
    const engine::SystemDescription& system,
    const JobSource& source
) {
    engine::WorkloadContext context;
    context.system = system;
    context.experiment = source.experiment;
    context.utilization = request.utilization;
    context.seed = request.seed;
    return model.description->make(model.choice.parameters, context);
}

void expect_parts_agree(const NamedModel& model) {
    Problems problems;
    add_parameter_problems(
        trace::interval_problems(model.choice.parameters),
        nullptr,
        {.file = "--set"},
        "workload",
        problems
    );
    problems.throw_if_any();
}

std::string left_out_text(const trace::PreparedLog& log, const std::string& size_reason) {
    return fmt::format(
        "{} left out ({}){}",
        log.lines - log.jobs.size() - log.left.size(),
        trace::dropped_text(log.dropped, size_reason),
        trace::lacks_requested_times(log.dropped, log.lines)
            ? "; `--set workload.missing_request=run_time` keeps those without a requested time"
            : ""
    );
}

std::string notes_of(const trace::PreparedLog& log, const std::string& size_reason) {
    std::string notes;
    if (log.lines > log.jobs.size() + log.left.size()) {
        notes = left_out_text(log, size_reason);
    }
    if (log.cut > 0) {
        notes +=
            fmt::format("{}{} cut at their requested time", notes.empty() ? "" : "; ", log.cut);
    }
    for (const trace::Oddity& oddity : log.oddities) {
        if (oddity.kind == trace::OddityKind::without_limit) {
            notes += fmt::format(
                "{}{} asked for no limit (UNLIMITED) and request a year, or MaxTime of a "
                "slurm.conf",
                notes.empty() ? "" : "; ",
                oddity.count
            );
        }
    }
    return notes;
}

/// A log in which no job has a requested time is the only reason to look at it twice.
std::shared_ptr<const trace::PreparedLog> prepared(
    const SimulationRequest& request, NamedModel& model, std::string& notes
) {
    engine::Parameters& parameters = model.choice.parameters;
    const auto read = [&] {
        return trace::prepared_log(
            trace_settings(request, parameters), trace::Checksum::none, request.waits
        );
    };
    std::exception_ptr first_problem;
    try {
        return read();
    } catch (const trace::LogError&) {
        if (sets(request, "workload.missing_request")) {
            throw;
        }
        first_problem = std::current_exception();
    }
    parameters.set("missing_request", "run_time");
    std::shared_ptr<const trace::PreparedLog> log;
    try {
        log = read();
    } catch (const trace::LogError&) {  // of a pipe nothing is left to be read again
        std::rethrow_exception(first_problem);
    }
    notes = "no job has a requested time: each requests its run time";
    return log;
}

JobSource open_trace(const SimulationRequest& request, const engine::SystemDescription& system) {
    if (request.utilization) {
        throw_problem(
            {.file = "--utilization"},
            "a log brings its own load (it is taken as it is)",
            "Write --set workload.load_factor=1.2."
        );
    }
    NamedModel model = read_workload(request, system);
    expect_parts_agree(model);
    const bool has_policy = !request.policy.empty() || !request.site.conf.empty();
    const engine::Choice policy = has_policy ? read_policy(request).choice : engine::Choice{};
    if (policy.name == "slurm" && !sets(request, "workload.partition_limits")) {
        const auto files = policies::slurm::site_files(policy.parameters);
        if (!files.conf.empty()) {
            const auto site = policies::slurm::read_site(files);
            model.choice.parameters.set(
                "partition_limits", policies::slurm::partition_limits(site.settings)
            );
        }
    }
    JobSource source;
    auto log = prepared(request, model, source.notes);
    if (has_policy) {
        engine::Parameters& parameters = model.choice.parameters;
        const UnservedJobs unserved = leave_out_unserved_jobs(policy, system, *log, parameters);
        if (unserved.are_all()) {
            throw engine::UnservedJobError("no job of the log can be placed: " + unserved.first);
        }
        if (unserved.count > 0) {
            log = trace::prepared_log(trace_settings(request, parameters));
            source.unserved = text_of(unserved, log->jobs.size());
            source.has_many_unserved = are_many(unserved, log->jobs.size());
        }
    }
    const std::string changes = notes_of(
        *log,
        sets(request, "workload.sizes")
            ? "of another size"
            : "larger than " + engine::counted(system.processors(), "processor")
    );
    source.jobs =
        std::min<std::uint64_t>(log->jobs.size(), request.first.value_or(log->jobs.size()));
    if (!changes.empty()) {
        const bool is_part = source.jobs < log->jobs.size();
        source.notes += source.notes.empty() ? "" : "; ";
        source.notes += (is_part ? "of the whole log: " : "") + changes;
    }
    const trace::TraceSettings settings = trace_settings(request, model.choice.parameters);
    if (const auto why = trace::why_one_block(*log, settings.resampling); !why.empty()) {
        source.notes += source.notes.empty() ? "" : "; ";
        source.notes += fmt::format("resampling has one block to draw from: {}", why);
    }
    source.left_waiting = log->left.size();
    if (!log->period_text.empty()) {
        source.not_dense = fmt::format(
            "{} (load {:.1f} % of the machine with these days, {:.1f} % without; leave them out by "
            "--set workload.period=dense)",
            log->period_text,
            100 * log->offered_area_per_s / system.processors(),
            100 * trace::area_per_s(log->jobs, log->period) / system.processors()
        );
    }
    source.name = request.trace;
    source.is_in_seconds = true;
    source.oddities = log->oddities;
    if (settings.resampling == trace::Resampling::none && settings.shake_s == 0) {
        const std::vector<std::int64_t>& of_row = log->columns.job_number;
        for (const std::uint32_t row : log->jobs.row) {
            source.numbers.push_back(of_row.empty() ? engine::no_job_number : of_row[row]);
        }
    }
    if (source.jobs == log->jobs.size()
        && trace::is_own_replay(settings, *log, system.processors())) {
        source.replayed = log;
    }
    source.workload = make_workload(model, request, system, source);
    return source;
}

/// How many of `most` jobs there are; spends the workload.
std::uint64_t count_jobs(engine::WorkloadModel& workload, std::uint64_t most) {
    engine::JobBlock block;
    std::uint64_t count = 0;
    while (count < most) {
        workload.next(block);
        if (block.count == 0) {
            return count;
        }
        count += block.count;
    }
    return most;
}

/// A load in per cent is refused, and one that nothing would follow.
void expect_load_fits(const NamedModel& model, const SimulationRequest& request) {
    constexpr double most = 10;  // as far as a campaign looks for loads (load.search.between)
    if (!request.utilization) {
        return;
    }
    const double given = *request.utilization;
    if (given > most) {
        throw_problem(
            {.file = fmt::format("--utilization {:.6g}", given)},
            fmt::format(
                "the jobs would bring {:.6g} times the work that the machine can do (at most {} is "
                "taken)",
                given,
                most
            ),
            given <= 100 ? fmt::format("Write {:.6g} for {:.6g} %.", given / 100, given)
                         : "Write 0.7 for 70 %."
        );
    }
    if (model.description->facts(model.choice.parameters).has_own_arrivals) {
        throw_problem(
            {.file = "--utilization"},
            fmt::format(
                "jobs of workload '{}' come when it says (the load would be ignored)",
                model.choice.name
            ),
            "Leave it out."
        );
    }
}

JobSource open_model(const SimulationRequest& request, const engine::SystemDescription& system) {
    const NamedModel model = read_workload(request, system);
    check_system(model, system);
    expect_load_fits(model, request);
    JobSource source;
    const auto experiment = model.description->first_with_response_times();
    if (!experiment) {
        throw_problem(
            {.file = "--model " + model.choice.name},
            "this model's jobs do not come with time (they only fill bins)",
            "Write a campaign with 'experiment: bin_filling'."
        );
    }
    source.experiment = *experiment;
    source.name = "model " + model.choice.text();
    source.is_in_seconds = model.description->facts(model.choice.parameters).is_in_seconds;
    const std::uint64_t most =
        std::min(request.job_count, request.first.value_or(request.job_count));
    source.jobs = count_jobs(*make_workload(model, request, system, source), most);
    source.workload = make_workload(model, request, system, source);
    if (source.experiment.is_open()) {
        source.experiment = engine::ExperimentKind::trace;  // its jobs are all there are
    }
    return source;
}

}  // namespace

JobSource open_jobs(const SimulationRequest& request, const engine::SystemDescription& system) {
    JobSource source =
        request.trace.empty() ? open_model(request, system) : open_trace(request, system);
    if (source.jobs == 0) {
        throw_problem({.file = source.name}, "there are no jobs");
    }
    return source;
}

}  // namespace schedfarm::app
