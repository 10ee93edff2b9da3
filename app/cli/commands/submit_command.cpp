#include "app/cli/commands/submit_command.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

#include "app/campaign/yaml/source.hpp"
#include "app/cli/commands/options/submit_request.hpp"
#include "app/cli/commands/package.hpp"
#include "app/cli/explain.hpp"
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

/// A job, as it is written and then submitted, when those before it of these places have ended.
struct Script {
    fs::path path;
    std::string text;
    std::vector<std::size_t> after;
};

/// The scripts of the run: of an array longer than `longest` several, with a limit one after
/// another, and one that joins the parts.
std::vector<Script> scripts_of(
    const JobRequest& request, const fs::path& output, std::uint32_t longest
) {
    std::vector<Script> scripts;
    std::vector<std::size_t> all;
    for (std::uint32_t before = 0; before < request.array; before += longest) {
        const std::string number = before == 0 ? "" : fmt::format(".{}", scripts.size() + 1);
        const ArrayTasks tasks{before, std::min(longest, request.array - before)};
        const bool is_after = request.array_limit > 0 && before > 0;
        scripts.push_back(
            {fs::path(output).replace_extension(number + ".sbatch"),
             job_script(request, tasks),
             is_after ? std::vector{all.back()} : std::vector<std::size_t>{}}
        );
        all.push_back(all.size());
    }
    if (request.array > 1) {
        scripts.push_back(
            {fs::path(output).replace_extension(".merge.sbatch"), merge_script(request), all}
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

/// The numbers of these, as a dependency has them; absent where sbatch does not tell one.
std::optional<std::string> numbers_of(
    const std::vector<SubmittedJob>& jobs, const std::vector<std::size_t>& places
) {
    std::string numbers;
    for (const std::size_t place : places) {
        if (place >= jobs.size() || jobs[place].number.empty()) {
            return std::nullopt;
        }
        numbers += (numbers.empty() ? "" : ":") + jobs[place].number;
    }
    return numbers;
}

/// Writes and submits the scripts; all of them, or none. Where sbatch does not tell a job's number,
/// those that wait for it are only written.
std::vector<SubmittedJob> submit_all(const std::vector<Script>& scripts, Scheduler& scheduler) {
    std::vector<SubmittedJob> jobs;
    std::vector<Script> written;
    try {
        for (const Script& script : scripts) {
            write_output(script.path, script.text);
            written.push_back(script);
            if (const auto after = numbers_of(jobs, script.after)) {
                jobs.push_back(scheduler.submit(script.path.string(), *after));
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
    std::string text;
    for (std::size_t i = 0; i < scripts.size(); ++i) {
        const std::string script = scripts[i].path.string();
        const bool is_last = is_array && i + 1 == scripts.size();
        text +=
            i < jobs.size() ? fmt::format(
                "{} {} ({})\n", job_text(jobs[i]), is_last ? "joins the parts" : "submitted", script
            )
                            : fmt::format(
                                "when it has ended: {}\n", shell_text({"sbatch", script})
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
    Plan plan = make_plan(load_source(options.campaign));
    plan_in_package(plan);
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
        if (request.when_cut == WhenCut::stop && options.when_cut == "requeue") {
            say("no job is queued again (--no-requeue): submit once more to go on\n");
        }
        const bool asks = request.array > 1 && options.mode == SubmitMode::submit;
        const std::vector<Script> scripts = scripts_of(
            request, output_of(options), asks ? scheduler.longest_array() : request.array
        );
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
