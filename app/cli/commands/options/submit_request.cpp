#include "app/cli/commands/options/submit_request.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "engine/foundation/utf8.hpp"

#include "app/cli/explain.hpp"
#include "app/cli/launcher.hpp"
#include "app/run/run_campaign.hpp"
#include "app/submit/slurm_time.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

std::uint64_t time_of(const std::string& text) {
    const auto seconds = parse_slurm_time(text);
    if (!seconds) {
        throw UsageError(fmt::format(
            "--time {}: no time (sbatch takes minutes, h:m:s or days-h:m:s). Write it like --time "
            "2:00:00",
            text
        ));
    }
    return *seconds;
}

WhenCut when_cut_of(const std::string& word) {
    if (word == "chain") {
        return WhenCut::chain;
    }
    return word == "stop" ? WhenCut::stop : WhenCut::requeue;
}

/// A line of the script each: what follows a line break would be a line of the shell.
void expect_one_line(const char* option, const std::string& text) {
    if (engine::without_controls(text) != text) {
        throw UsageError(fmt::format(
            "{}: it has a line break or another control character (in the script it would become "
            "more than the option). Write it without",
            option
        ));
    }
}

void expect_array_possible(const SubmitCommand& options, const Plan& plan) {
    for (const std::string& further : options.options) {
        if (is_option(further, "-a --array")) {
            throw UsageError(fmt::format(
                "--sbatch={}: the tasks of an array share the cells (others would compute them "
                "again). Write --array 100%8 beside it, without --sbatch",
                further
            ));
        }
    }
    if (options.array > 1 && options.when_cut == "chain") {
        throw UsageError(
            "--array with --when-cut chain (the merge could not wait for the whole chain). Use "
            "--when-cut requeue"
        );
    }
    const std::vector<bool> last = cells_of_share(plan, {options.array - 1, options.array});
    if (std::find(last.begin(), last.end(), true) == last.end()) {
        throw UsageError(fmt::format(
            "--array {}: the campaign has fewer cells, or sets of cells that are decided together "
            "(a job would have none). Use a smaller array, or more --ntasks",
            options.array
        ));
    }
}

/// Results that are there must be those of this campaign, or the job would only find out.
void expect_no_other_results(const SubmitCommand& options, const Plan& plan) {
    const fs::path output = output_of(options);
    const fs::path journal = journal_path(output);
    if (fs::exists(journal) && engine::read_journal(journal).header.plan_hash != plan.plan_hash) {
        throw UsageError(fmt::format(
            "{} belongs to another campaign, or to an earlier version of this one or of a log that "
            "it names (the job would "
            "refuse it). Name another --output",
            journal.string()
        ));
    }
    const fs::path folder = fs::absolute(output).parent_path();
    if (!fs::is_directory(folder)) {
        throw UsageError(fmt::format(
            "{} is no folder (the results are to lie in it). Create it, or name another --output",
            folder.string()
        ));
    }
}

/// Slurm's name of the job: of the file's name what needs no quotes.
std::string job_name(const fs::path& output) {
    std::string name = output.stem().string();
    std::replace_if(
        name.begin(),
        name.end(),
        [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.'; },
        '_'
    );
    return name;
}

std::uint64_t proposed_time(const SubmitCommand& options, const std::optional<CampaignCost>& cost) {
    if (!cost) {
        throw UsageError(
            "no replication ended within the pilot (so no time can be proposed). Give --time, or "
            "more --pilot-seconds"
        );
    }
    if (!cost->unending.empty()) {
        throw UsageError(fmt::format(
            "no replication of cell {} ended within its part of the pilot (so no time can be "
            "proposed). Give --time, or more --pilot-seconds",
            cost->unending.front()
        ));
    }
    return proposed_time_s(*cost, std::uint64_t{options.ntasks} * std::uint64_t{options.array});
}

/// A job in which not even one replication ends would be queued again for ever.
void expect_long_enough(const JobRequest& request, const std::optional<CampaignCost>& cost) {
    if (request.time_s <= request.notice_s) {
        throw UsageError(fmt::format(
            "a job of {} with a notice of {} s is stopped at once. Give a longer --time or a "
            "shorter --notice",
            slurm_time_text(request.time_s),
            request.notice_s
        ));
    }
    const std::uint64_t usable_s = request.time_s - request.notice_s;
    if (cost && cost->longest_s > static_cast<double>(usable_s)) {
        throw UsageError(fmt::format(
            "a replication of cell {} lasts {:.0f} s or more, and a job of {} leaves {} s before "
            "its notice (it would never end). Give a longer --time, or shorten the horizon",
            cost->longest_cell,
            cost->longest_s,
            slurm_time_text(request.time_s),
            usable_s
        ));
    }
}

}  // namespace

fs::path output_of(const SubmitCommand& options) {
    return options.output.empty() ? default_output(options.campaign) : options.output;
}

void expect_possible(const SubmitCommand& options, const Plan& plan) {
    if (!options.time.empty()) {
        time_of(options.time);
    } else if (options.pilot_seconds <= 0) {
        throw UsageError("without a pilot no time can be proposed. Give --time");
    }
    if (output_of(options).extension() != ".h5") {
        throw UsageError(fmt::format(
            "--output {}: result files end in .h5 here (scripts and parts are named after them)",
            output_of(options).string()
        ));
    }
    if (options.ntasks < options.nodes) {
        throw UsageError(fmt::format(
            "{} tasks on {} nodes (a node would be idle). Give more --ntasks or fewer --nodes",
            options.ntasks,
            options.nodes
        ));
    }
    expect_one_line("--partition", options.partition);
    expect_one_line("--account", options.account);
    for (const std::string& option : options.options) {
        expect_one_line("--sbatch", option);
    }
    expect_array_possible(options, plan);
    expect_no_other_results(options, plan);
}

JobRequest request_of(const SubmitCommand& options, const std::optional<CampaignCost>& cost) {
    const fs::path output = output_of(options);
    JobRequest request;
    request.program = options.program.empty() ? own_program() : options.program;
    request.campaign = fs::absolute(options.campaign).string();
    request.results = fs::absolute(output).string();
    request.name = job_name(output);
    request.nodes = options.nodes;
    request.ntasks = options.ntasks;
    request.time_s = options.time.empty() ? proposed_time(options, cost) : time_of(options.time);
    request.notice_s = options.notice_s;
    request.partition = options.partition;
    request.account = options.account;
    request.array = options.array;
    request.array_limit = options.array_limit;
    request.when_cut = when_cut_of(options.when_cut);
    request.launcher = options.launcher;
    request.options = options.options;
    const bool is_never_requeued = std::ranges::any_of(options.options, [](const auto& further) {
        return is_option(further, "--no-requeue");
    });
    if (is_never_requeued && request.when_cut == WhenCut::requeue) {
        request.when_cut = WhenCut::stop;
    }
    request.setup = options.setup;
    expect_long_enough(request, cost);
    return request;
}

}  // namespace schedfarm::app
