#include "app/cli/commands/submit_command.hpp"

#include <cstdio>
#include <system_error>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

#include "app/cli/commands/options/submit_request.hpp"
#include "app/cli/explain.hpp"
#include "app/config/yaml/source.hpp"
#include "app/simulate/output_file.hpp"
#include "app/submit/cost_text.hpp"
#include "app/submit/pilot.hpp"
#include "app/submit/scheduler.hpp"
#include "app/submit/slurm_time.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

std::optional<CampaignCost> measure(const SubmitCommand& options, const Plan& plan) {
    if (options.pilot_seconds <= 0) {
        return std::nullopt;
    }
    PilotLimits limits;
    limits.seconds = options.pilot_seconds;
    const std::vector<MeasuredCell> measured = run_pilot(plan, limits);
    for (const MeasuredCell& cell : measured) {
        if (!cell.failure.empty()) {
            throw UsageError(fmt::format(
                "a replication of cell {} failed in the pilot ({}). See it alone with `{}`",
                cell.cell,
                cell.failure,
                engine::program_command(
                    {"replay",
                     options.campaign,
                     "-c",
                     std::to_string(cell.cell),
                     "-r",
                     std::to_string(cell.replications.size())}
                )
            ));
        }
    }
    return estimate_cost(plan, measured);
}

/// Messages: with --dry-run standard output is the script alone.
void say(const std::string& text) {
    std::fputs(text.c_str(), stderr);
}

std::string size_text(const JobRequest& request) {
    return fmt::format(
        "{}time limit {}, {} on {}\n",
        request.array > 1 ? fmt::format("{} jobs, each: ", request.array) : "",
        slurm_time_text(request.time_s),
        engine::counted(request.ntasks, "worker"),
        engine::counted(request.nodes, "node")
    );
}

std::string shell_text(const std::vector<std::string>& command) {
    std::string text;
    for (const std::string& word : command) {
        text += (text.empty() ? "" : " ") + engine::shell_word(word);
    }
    return text;
}

/// A job, as it is written and then submitted.
struct Script {
    fs::path path;
    std::string text;
};

/// The script of the run and, of an array, the one that joins its parts.
std::vector<Script> scripts_of(const JobRequest& request, const fs::path& output) {
    std::vector<Script> scripts{
        {fs::path(output).replace_extension(".sbatch"), job_script(request)}};
    if (request.array > 1) {
        scripts.push_back(
            {fs::path(output).replace_extension(".merge.sbatch"), merge_script(request)}
        );
    }
    return scripts;
}

/// Takes jobs and scripts back.
void undo(
    const std::vector<Script>& written, const std::vector<SubmittedJob>& jobs, Scheduler& scheduler
) {
    for (const Script& script : written) {
        std::error_code ignored;
        fs::remove(script.path, ignored);
    }
    for (const SubmittedJob& job : jobs) {
        try {
            scheduler.cancel(job);
        } catch (const SchedulerError& error) {
            spdlog::warn(
                "job {} is still in the queue ({}). Take it out with `{}`",
                job.number,
                error.what(),
                shell_text(command_of(job, {"scancel", job.number}))
            );
        }
    }
}

/// Writes and submits the scripts, each after the one before; all of them, or none. Where sbatch
/// does not tell a job's number, those that wait for it are only written.
std::vector<SubmittedJob> submit_all(const std::vector<Script>& scripts, Scheduler& scheduler) {
    std::vector<SubmittedJob> jobs;
    std::vector<Script> written;
    try {
        for (const Script& script : scripts) {
            write_output(script.path, script.text);
            written.push_back(script);
            if (jobs.empty() || !jobs.back().number.empty()) {
                const std::string after = jobs.empty() ? "" : jobs.back().number;
                jobs.push_back(scheduler.submit(script.path.string(), after));
            }
        }
    } catch (...) {
        undo(written, jobs, scheduler);
        throw;
    }
    return jobs;
}

std::string job_text(const SubmittedJob& job) {
    return job.number.empty() ? "a job" : "job " + job.number;
}

void print_jobs(
    const JobRequest& request,
    const std::vector<Script>& scripts,
    const std::vector<SubmittedJob>& jobs,
    const fs::path& output
) {
    const bool is_array = request.array > 1;
    const SubmittedJob& job = jobs[0];
    std::string text = fmt::format("{} submitted ({})\n", job_text(job), scripts[0].path.string());
    if (jobs.size() > 1) {
        text +=
            fmt::format("{} joins the parts ({})\n", job_text(jobs[1]), scripts[1].path.string());
    } else if (is_array) {
        text += fmt::format(
            "when it has ended: {}\n", shell_text({"sbatch", scripts[1].path.string()})
        );
    }
    text += fmt::format(
        "what it says:    {}.{}{}.log\nhow far it is:   {}\nin the queue:    {}\n",
        request.name,
        job.number.empty() ? "*" : job.number,
        is_array ? "_*" : "",
        engine::program_command({"status", fs::path(output).replace_extension(".h5")}),
        shell_text(
            job.number.empty() ? std::vector<std::string>{"squeue", "--me"}
                               : command_of(job, {"squeue", "-j", job.number})
        )
    );
    std::fputs(text.c_str(), stdout);
    if (job.number.empty()) {
        spdlog::warn(
            "sbatch took the job, but its answer holds no number ({})",
            job.answer.empty() ? "it is empty" : engine::without_controls(job.answer)
        );
    }
}

}  // namespace

ExitCode submit_command(const SubmitCommand& options) {
    const Plan plan = make_plan(load_source(options.campaign));
    expect_possible(options, plan);
    try {
        leave_allocation();
        Scheduler scheduler(real_world());
        if (options.mode == SubmitMode::submit) {
            scheduler.expect_present();  // said before the pilot takes its time
        }
        const std::optional<CampaignCost> cost = measure(options, plan);
        if (cost) {
            say(cost_text(*cost));
        }
        const JobRequest request = request_of(options, cost);
        say(size_text(request));
        const std::vector<Script> scripts = scripts_of(request, output_of(options));
        if (options.mode == SubmitMode::dry_run) {
            if (request.array > 1) {
                say("a further job joins their parts by schedfarm merge\n");
            }
            std::fputs(scripts.front().text.c_str(), stdout);
            return ExitCode::done;
        }
        print_jobs(request, scripts, submit_all(scripts, scheduler), output_of(options));
        return ExitCode::done;
    } catch (const SchedulerError& error) {
        throw UsageError(error.what());
    }
}

}  // namespace schedfarm::app
