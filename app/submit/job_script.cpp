#include "app/submit/job_script.hpp"

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "app/submit/slurm_time.hpp"

namespace schedfarm::app {

namespace {

std::string option(const std::string& text) {
    return "#SBATCH " + text + "\n";
}

/// What both scripts ask Slurm for.
std::string common_options(const JobRequest& request) {
    std::string text;
    if (!request.partition.empty()) {
        text += option("--partition=" + request.partition);
    }
    if (!request.account.empty()) {
        text += option("--account=" + request.account);
    }
    for (const std::string& further : request.options) {
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

std::string job_script(const JobRequest& request) {
    const bool is_array = request.array > 1;
    std::string text = "#!/usr/bin/env bash\n# Written by schedfarm submit.\n";
    text += option("--job-name=" + request.name);
    text += option(is_array ? "--output=%x.%A_%a.log" : "--output=%x.%j.log");
    text += option(fmt::format("--nodes={}", request.nodes));
    text += option(fmt::format("--ntasks={}", request.ntasks));
    text += option("--time=" + slurm_time_text(request.time_s));
    if (is_array) {
        text += option(fmt::format("--array=1-{}", request.array));
    }
    text += common_options(request);
    text += option(request.when_cut == WhenCut::stop ? "--no-requeue" : "--requeue");
    text += option(fmt::format("--signal=B:USR1@{}", request.notice_s));
    text += setup_lines(request);
    text += "campaign=" + engine::shell_word(request.campaign) + "\n";
    text += "results=" + engine::shell_word(request.results) + "\n";
    text += "program=(" + engine::shell_word(request.program) + ")\n";
    text += fmt::format("allocation_seconds={}\n", request.time_s);
    text += fmt::format("notice={}\n", request.notice_s);
    text += "when_cut=" + when_cut_word(request.when_cut) + "\n";
    text += fmt::format("tasks={}\n\n", request.array);
    return text + std::string(job_body());
}

std::string merge_script(const JobRequest& request) {
    std::string text =
        "#!/usr/bin/env bash\n# Written by schedfarm submit: joins the array's results.\n";
    text += option("--job-name=" + request.name + "-merge");
    text += option("--output=%x.%j.log");
    text += option("--ntasks=1");
    text += option("--time=01:00:00");
    text += common_options(request);
    text += setup_lines(request);
    text += engine::shell_word(request.program) + " merge " + engine::shell_word(request.results);
    for (std::uint32_t task = 1; task <= request.array; ++task) {
        text += " \\\n    " + engine::shell_word(part_of(request, std::to_string(task)));
    }
    return text + "\n";
}

}  // namespace schedfarm::app
