#include "models/trace/submit_options.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "models/trace/reading/number.hpp"
#include "models/trace/tables/cells.hpp"
#include "models/trace/tables/submit_line.hpp"

namespace schedfarm::models::trace {

namespace {

std::uint32_t count_in(std::string_view text) {
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::uint32_t>(std::clamp(count_of(text).value_or(0), 0.0, most));
}

/// "600", "4G": MB.
double memory_in(std::string_view text) {
    constexpr double kb = 1024;
    return std::max(memory_of(text, kb).value_or(Memory{}).kb / kb, 0.0);
}

/// "30", "30:15", "1:30:15", "2-12", "2-12:30", "2-12:30:15": minutes first, behind days hours.
double time_in(std::string_view text) {
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos) {
        return std::max(duration_of(text, 60).value_or(0), 0.0);
    }
    double seconds = count_of(text.substr(0, dash)).value_or(0) * 86400;
    text.remove_prefix(dash + 1);
    for (double unit = 3600; !text.empty() && unit >= 1; unit /= 60) {
        const std::string_view part = text.substr(0, text.find(':'));
        seconds += count_of(part).value_or(0) * unit;
        text.remove_prefix(std::min(part.size() + 1, text.size()));
    }
    return std::max(seconds, 0.0);
}

/// "gpu:a100:2", "gpu:2", "a100:2", "2" of a node.
void take_gpus(std::string_view text, SubmitOptions& options) {
    text.remove_prefix(text.starts_with("gpu:") ? 4 : 0);
    const std::size_t colon = text.rfind(':');
    const std::string_view last = text.substr(colon == std::string_view::npos ? 0 : colon + 1);
    const bool has_count = parse_integer(last).has_value();
    options.gpus_per_node = has_count ? count_in(last) : 1;
    const std::string_view type =
        !has_count ? text : text.substr(0, colon == std::string_view::npos ? 0 : colon);
    options.gpu_type = type == "gpu" ? "" : type;
}

/// The first entry of GPUs in a list of what a job asks for on each node.
void take_gres(std::string_view list, SubmitOptions& options) {
    while (!list.empty()) {
        const std::string_view entry = list.substr(0, list.find(','));
        if (entry == "gpu" || entry.starts_with("gpu:")) {
            take_gpus(entry, options);
            return;
        }
        list.remove_prefix(std::min(entry.size() + 1, list.size()));
    }
}

}  // namespace

SubmitOptions submit_options(std::string_view submit_line) {
    const SubmitLine line(submit_line);
    const auto said = [&](std::string_view name) {
        return line.option(name).value_or("");
    };
    SubmitOptions options{
        .tasks = count_in(said("ntasks")),
        .cpus_per_task = count_in(said("cpus-per-task")),
        .tasks_per_node = count_in(said("ntasks-per-node")),
        .memory_per_node = memory_in(said("mem")),
        .memory_per_cpu = memory_in(said("mem-per-cpu")),
        .limit_s = time_in(said("time")),
        .least_limit_s = time_in(said("time-min")),
        .is_exclusive = line.option("exclusive") == "",
        .is_all = line.script() == "wrap"};
    if (said("mem") == "0") {
        options.memory_per_node = std::numeric_limits<double>::infinity();
    }
    const std::string_view nodes = said("nodes");
    const std::size_t dash = nodes.find('-');
    options.nodes = count_in(nodes.substr(0, dash));
    options.max_nodes =
        dash == std::string_view::npos ? options.nodes : count_in(nodes.substr(dash + 1));
    options.max_nodes = std::max(options.max_nodes, options.nodes);
    if (options.tasks > 0 && options.nodes > 0) {  // as sbatch has it: a task for each node
        options.max_nodes = std::min(options.max_nodes, options.tasks);
        options.nodes = std::min(options.nodes, options.tasks);
    } else if (options.tasks == 0) {
        options.tasks = options.tasks_per_node * options.nodes;
    }
    take_gres(said("gres"), options);
    if (const std::string_view gpus = said("gpus-per-node"); !gpus.empty()) {
        take_gpus(gpus, options);
    }
    return options;
}

}  // namespace schedfarm::models::trace
