#include "app/submit/job_script.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "app/submit/slurm_time.hpp"

namespace schedfarm::app {

namespace {

std::string option(const std::string& text) {
    return "#SBATCH " + text + "\n";
}

/// Who runs where and hears of it; all else is of the tasks, such as their resources.
constexpr std::string_view options_of_all_jobs =
    "-A --account -C --constraint -D --chdir -M --clusters -p --partition -q --qos -x --exclude "
    "--comment --export --mail-type --mail-user --nice --reservation --wckey";

/// What both scripts ask Slurm for.
std::string common_options(const JobRequest& request, const std::vector<std::string>& options) {
    std::string text;
    if (!request.partition.empty()) {
        text += option("--partition=" + request.partition);
    }
    if (!request.account.empty()) {
        text += option("--account=" + request.account);
    }
    for (const std::string& further : options) {
        text += option(further);
    }
    return text + option("--open-mode=append");
}

std::string setup_lines(const JobRequest& request) {
    std::string text = "set -euo pipefail\n";
    for (const std::string& line : request.setup) {
        text += line + "\n";
    }
    return text + "\n";
}

std::string when_cut_word(WhenCut when_cut) {
    switch (when_cut) {
        case WhenCut::requeue:
            return "requeue";
        case WhenCut::chain:
            return "chain";
        case WhenCut::stop:
            break;
    }
    return "stop";
}

std::string part_of(const JobRequest& request, const std::string& task) {
    return request.results.substr(0, request.results.size() - 3) + ".part" + task + ".h5";
}

}  // namespace

bool is_option(std::string_view option, std::string_view names) {
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find(' '));
        names.remove_prefix(std::min(name.size() + 1, names.size()));
        const bool is_letter = name.size() == 2;  // "-N2"
        const std::string_view rest = option.substr(std::min(name.size(), option.size()));
        if (option.starts_with(name)
            && (is_letter || rest.empty() || rest[0] == '=' || rest[0] == ' ')) {
            return true;
        }
    }
    return false;
}

std::string job_script(const JobRequest& request) {
    return job_script(request, {.before = 0, .count = request.array});
}

std::string job_script(const JobRequest& request, const ArrayTasks& tasks) {
    const bool is_array = request.array > 1;
    std::string text = "#!/usr/bin/env bash\n# Written by schedfarm submit.\n";
    text += option("--job-name=" + request.name);
    text += option(is_array ? "--output=%x.%A_%a.log" : "--output=%x.%j.log");
    text += option(fmt::format("--nodes={}", request.nodes));
    text += option(fmt::format("--ntasks={}", request.ntasks));
    text += option("--time=" + slurm_time_text(request.time_s));
    if (is_array) {
        const std::string limit =
            request.array_limit > 0 ? fmt::format("%{}", request.array_limit) : "";
        text += option(fmt::format("--array=1-{}{}", tasks.count, limit));
    }
    text += option(request.when_cut == WhenCut::stop ? "--no-requeue" : "--requeue");
    text += common_options(request, request.options);
    text += option(fmt::format("--signal=B:USR1@{}", request.notice_s));
    text += setup_lines(request);
    text += "campaign=" + engine::shell_word(request.campaign) + "\n";
    text += "results=" + engine::shell_word(request.results) + "\n";
    text += "program=(" + engine::shell_word(request.program) + ")\n";
    text += fmt::format("allocation_seconds={}\n", request.time_s);
    text += fmt::format("notice={}\n", request.notice_s);
    text += "when_cut=" + when_cut_word(request.when_cut) + "\n";
    text += request.launcher == "auto" ? "" : "launcher=" + request.launcher + "\n";
    text += fmt::format("tasks={}\ntasks_before={}\n\n", request.array, tasks.before);
    return text + std::string(job_body());
}

std::string merge_script(const JobRequest& request) {
    std::string text =
        "#!/usr/bin/env bash\n# Written by schedfarm submit: joins the array's results.\n";
    text += option("--job-name=" + request.name + "-merge");
    text += option("--output=%x.%j.log");
    text += option("--ntasks=1");
    text += option("--time=01:00:00");
    std::vector<std::string> options;
    std::ranges::copy_if(request.options, std::back_inserter(options), [](const auto& further) {
        return is_option(further, options_of_all_jobs);
    });
    text += common_options(request, options);
    text += setup_lines(request);
    text += engine::shell_word(request.program) + " merge " + engine::shell_word(request.results);
    for (std::uint32_t task = 1; task <= request.array; ++task) {
        text += " \\\n    " + engine::shell_word(part_of(request, std::to_string(task)));
    }
    return text + "\n";
}

}  // namespace schedfarm::app
