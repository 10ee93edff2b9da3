#include "app/cli/commands/simulate_command.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include <spdlog/spdlog.h>

#include "engine/foundation/utf8.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "app/campaign/plan/policy_times.hpp"
#include "app/cli/arrivals_display.hpp"
#include "app/cli/commands/options/output_guard.hpp"
#include "app/cli/explain.hpp"
#include "app/report/schedule_tables.hpp"
#include "app/simulate/output_file.hpp"
#include "app/simulate/schedule_summary.hpp"

namespace schedfarm::app {

namespace {

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

std::string summary_of(const Simulation& simulation, const SimulateCommand& options) {
    const Occupation occupation =
        simulation.traits.preemptive ? Occupation::with_pauses : Occupation::unbroken;
    const ScheduleSummary summary = summarise_schedule(
        simulation.log, simulation.cell.system.processors(), occupation, simulation.experiment
    );
    return options.format == "json" ? simulation_json(simulation, summary)
                                    : simulation_text(simulation, summary);
}

std::string table_of(
    const Simulation& simulation, const engine::SegmentLog& segments, JobColumns columns
) {
    if (columns == JobColumns::with_ranges) {
        if (simulation.cell.system.clusters.size() > 1) {
            std::vector<engine::RunSegment> own = segments.segments();
            std::erase_if(own, [&](const engine::RunSegment& segment) {
                return segment.job >= simulation.log.jobs();
            });
            return segments_table(
                std::move(own),
                simulation.cell.system.clusters,
                [&](const engine::RunSegment& segment) {
                    return NamedJob{
                        simulation.source.number(segment.job), simulation.log.submit[segment.job]};
                }
            );
        }
        if (simulation.traits.preemptive) {
            for (const engine::RunSegment& segment : segments.segments()) {
                if (segment.processors.empty()) {
                    throw UsageError(
                        "--ranges wants processors by name (this policy gives jobs "
                        "processors by number). Leave it out"
                    );
                }
            }
            return segments_csv(simulation, segments.segments());
        }
    }
    return jobs_csv(simulation, columns);
}

}  // namespace

ExitCode simulate_command(const SimulateCommand& options) {
    const bool prints_jobs = options.jobs == "-";
    if (prints_jobs && options.format == "json") {
        throw UsageError(
            "--jobs - and --json both want standard output (they would be mixed). Name a file for "
            "the jobs"
        );
    }
    expect_other_file(options.jobs, options.request.trace);
    let_code_run();
    try {
        engine::SegmentLog segments;
        const bool has_segments = options.columns == JobColumns::with_ranges;
        const Simulation simulation = [&] {
            ArrivalsDisplay display;
            return simulate(
                options.request,
                options.kernel,
                has_segments ? &segments : nullptr,
                [&display](std::uint64_t jobs, std::uint64_t of) { display.show(jobs, of); },
                [&options](const engine::Choice& policy) {
                    expect_own_code({&policy}, {}, options.code);
                }
            );
        }();
        const std::string warning = default_times_warning(
            simulation.policy->choice,
            simulation.is_in_seconds ? TimeUnit::seconds : TimeUnit::of_workload
        );
        if (!warning.empty()) {
            spdlog::warn("{}", warning);
        }
        if (prints_jobs) {
            print(table_of(simulation, segments, options.columns));
            return ExitCode::done;
        }
        if (!options.jobs.empty()) {
            write_output(options.jobs, table_of(simulation, segments, options.columns));
        }
        const std::string summary = summary_of(simulation, options);
        print(
            options.format == "json" ? summary
                                     : engine::without_controls(summary, engine::LineBreaks::keep)
        );
        if (options.kernel == SimulatorChoice::verified) {
            spdlog::info("every action was checked: the schedule holds");
        }
        return ExitCode::done;
    } catch (const engine::ScheduleError& error) {
        spdlog::error("{}", error.what());
        return ExitCode::finished_short;
    }
}

}  // namespace schedfarm::app
