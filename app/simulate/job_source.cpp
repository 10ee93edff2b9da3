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

#include "app/campaign/checks/cell_checks.hpp"
#include "app/campaign/checks/unserved_jobs.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/plan/simulated_cell.hpp"
#include "app/campaign/yaml/config_error.hpp"
#include "app/campaign/yaml/problems.hpp"
#include "app/run/replication.hpp"

namespace schedfarm::app {

namespace {

namespace trace = models::trace;

/// The interval of sizes that are kept ends at the machine. What is no interval is left to the
/// model's own check. REQUIRES: parameters of `trace`.
void leave_out_larger_jobs(
    const engine::SystemDescription& system, engine::Parameters& parameters
) {
    const std::vector<double> given = parameters.reals("sizes");
    const double most = system.processors();
    if (given.empty()) {
        parameters.set("sizes", engine::Value::List{1.0, most});
    } else if (given.size() == 2 && given[0] <= given[1]) {
        if (given[0] > most) {
            throw_problem(
                {.file = "--set workload.sizes"},
                fmt::format("no job of these sizes fits (the system has {} processors)", most),
                "Give smaller sizes or more processors."
            );
        }
        parameters.set("sizes", engine::Value::List{given[0], std::min(given[1], most)});
    }
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

void add_note(const std::string& note, JobSource& source) {
    source.notes += (source.notes.empty() || note.empty() ? "" : "; ") + note;
}

/// A log in which no job has a requested time is the only reason to look at it twice.
std::shared_ptr<const trace::PreparedLog> prepared(
    const SimulationRequest& request, NamedModel& model, JobSource& source
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
    add_note("no job has a requested time: each requests its run time", source);
    return log;
}

/// Where the policy is Slurm under a site's files, they say what partitions admit.
void add_partition_limits(const engine::Choice& policy, engine::Parameters& log) {
    const auto files = policies::slurm::site_files(policy.parameters);
    if (!files.conf.empty()) {
        const auto site = policies::slurm::read_site(files);
        log.set("partition_limits", policies::slurm::partition_limits(site.settings));
    }
}

/// The cell as far as its tree goes, and what does not fit together in it. A load is the model's
/// own by default, and one replication is simulated.
CellSettings read_settings(
    const SimulationRequest& request, const Node& tree, KnownCellParts& known
) {
    Problems problems;
    for (const char* key : {"experiment", "load", "policy", "replications", "system", "workload"}) {
        problems.excuse(key);
    }
    CellSettings settings = read_cell(tree, registered_catalogues(), known, problems);
    settings.utilization = request.utilization;
    settings.allow_unstable = true;  // the jobs have an end
    Theory theory;
    check_parts({settings, tree, ""}, theory, problems);
    problems.throw_if_any();
    return settings;
}

/// The log with what the system leaves of it, opened.
NamedModel read_log(const SimulationRequest& request, OpenedCell& opened) {
    if (request.utilization) {
        throw_problem(
            {.file = "--utilization"},
            "a log brings its own load (it is taken as it is)",
            "Write --set workload.load_factor=1.2."
        );
    }
    NamedModel model = workload_of(request, *opened.tree.find("workload"));
    leave_out_larger_jobs(*opened.settings.system, model.choice.parameters);
    Problems problems;
    const auto found = trace::interval_problems(model.choice.parameters);
    add_parameter_problems(found, nullptr, {.file = "--set"}, "workload", problems);
    problems.throw_if_any();
    const auto& policy = opened.settings.policy;
    if (policy && policy->choice.name == "slurm" && !sets(request, "workload.partition_limits")) {
        add_partition_limits(policy->choice, model.choice.parameters);
    }
    opened.source.replayed = prepared(request, model, opened.source);
    opened.source.name = request.trace;
    return model;
}

/// Takes in the jobs of the log, but for those that the site can never place.
void take_log(const SimulationRequest& request, OpenedCell& opened) {
    JobSource& source = opened.source;
    const engine::Parameters& parameters = opened.settings.workload->choice.parameters;
    const UnservedJobs& unserved = opened.settings.unserved;
    const double processors = opened.cell.system.processors();
    auto log = std::exchange(source.replayed, nullptr);
    if (unserved.are_all()) {
        throw engine::UnservedJobError("no job of the log can be placed: " + unserved.first);
    }
    if (unserved.count > 0) {
        log = trace::prepared_log(trace_settings(request, parameters));
        source.unserved = text_of(unserved, log->jobs.size());
        source.has_many_unserved = are_many(unserved, log->jobs.size());
    }
    source.jobs =
        std::min<std::uint64_t>(log->jobs.size(), request.first.value_or(log->jobs.size()));
    const std::string changes = notes_of(
        *log,
        sets(request, "workload.sizes")
            ? "of another size"
            : "larger than " + engine::counted(opened.cell.system.processors(), "processor")
    );
    const bool is_part = source.jobs < log->jobs.size();
    add_note((is_part && !changes.empty() ? "of the whole log: " : "") + changes, source);
    const trace::TraceSettings settings = trace_settings(request, parameters);
    if (const auto why = trace::why_one_block(*log, settings.resampling); !why.empty()) {
        add_note(fmt::format("resampling has one block to draw from: {}", why), source);
    }
    source.left_waiting = log->left.size();
    if (!log->period_text.empty()) {
        source.not_dense = fmt::format(
            "{} (load {:.1f} % of the machine with these days, {:.1f} % without; leave them out by "
            "--set workload.period=dense)",
            log->period_text,
            100 * log->offered_area_per_s / processors,
            100 * trace::area_per_s(log->jobs, log->period) / processors
        );
    }
    source.oddities = log->oddities;
    if (settings.resampling == trace::Resampling::none && settings.shake_s == 0) {
        source.numbered = log;
    }
    if (!is_part && trace::is_own_replay(settings, *log, opened.cell.system.processors())) {
        source.replayed = log;
    }
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

NamedModel read_model(const SimulationRequest& request, OpenedCell& opened) {
    NamedModel model = workload_of(request, *opened.tree.find("workload"));
    expect_load_fits(model, request);
    if (!model.description->first_with_response_times()) {
        throw_problem(
            {.file = "--model " + model.choice.name},
            "this model's jobs do not come with time (they only fill bins)",
            "Write a campaign with 'experiment: bin_filling'."
        );
    }
    opened.source.name = "model " + model.choice.text();
    return model;
}

void take_model(const SimulationRequest& request, OpenedCell& opened) {
    const std::uint64_t most =
        std::min(request.job_count, request.first.value_or(request.job_count));
    const bool has_end = opened.settings.workload_facts().end != engine::JobsEnd::open_ended;
    opened.source.jobs = has_end ? count_jobs(*opened.make_jobs(), most) : most;
}

}  // namespace

std::int64_t JobSource::number(std::size_t job) const {
    return numbered == nullptr ? static_cast<std::int64_t>(job) + 1
                               : numbered->columns.job_number[numbered->jobs.row[job]];
}

OpenedCell open_cell(const SimulationRequest& request) {
    const bool is_log = !request.trace.empty();
    OpenedCell opened;
    Node& tree = opened.tree;
    KnownCellParts known;
    tree = cell_tree(request);
    const Node::Entry workload = *tree.find_entry("workload");
    tree.erase("workload");
    // What is wrong with the other words is said before a log is looked at, and then read.
    read_settings(request, tree, known);
    add_clusters(request, tree);
    opened.settings = read_settings(request, tree, known);
    tree.entries.push_back(workload);
    const NamedModel model = is_log ? read_log(request, opened) : read_model(request, opened);
    known.workloads.of({workload.value}, [&] { return std::optional(model); });
    const auto experiment = *model.description->first_with_response_times();
    tree.entries.push_back({"experiment", {}, Node::text(experiment.name(), {})});
    tree.entries.push_back({"probes", {}, Node::list({}, {})});
    opened.settings = read_settings(request, tree, known);
    opened.cell = simulated_cell(opened.settings);
    opened.cell.random.seed = request.seed;
    opened.make_jobs = [cell = opened.cell] {
        return make_workload(cell, {});
    };
    if (is_log) {
        take_log(request, opened);
    } else {
        take_model(request, opened);
    }
    if (opened.source.jobs == 0) {
        throw_problem({.file = opened.source.name}, "there are no jobs");
    }
    // The jobs are all there are, and all are measured.
    opened.cell.lengthening.reset();
    opened.cell.experiment = {
        .kind = experiment.is_open() ? engine::ExperimentKind::trace : experiment,
        .horizon = {.jobs = opened.source.jobs}};
    return opened;
}

}  // namespace schedfarm::app
