#include "models/trace/submit_options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

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

/// Calls use(entry) for each of "a,b".
template <typename Use>
void for_each_entry(std::string_view list, Use&& use) {
    while (!list.empty()) {
        const std::string_view entry = list.substr(0, list.find(','));
        use(entry);
        list.remove_prefix(std::min(entry.size() + 1, list.size()));
    }
}

void add_entry(std::string& list, std::string_view entry) {
    list.append(list.empty() ? "" : ",").append(entry);
}

/// The first entry of GPUs in a list of what a job asks for on each node, and all others.
void take_gres(std::string_view list, SubmitOptions& options) {
    bool has_gpus = false;
    for_each_entry(list, [&](std::string_view entry) {
        entry.remove_prefix(entry.starts_with("gres:") ? 5 : 0);
        if (entry != "gpu" && !entry.starts_with("gpu:")) {
            add_entry(options.gres, entry);
        } else if (!std::exchange(has_gpus, true)) {
            take_gpus(entry, options);
        }
    });
}

/// Of "cpu=4,gres/fpga=4,gres/fpga:x=4,node=2", which is of the whole job: "fpga:x:2". Where types
/// are told, the sum of all is left out.
std::string gres_of_nodes(std::string_view tres) {
    const double nodes = std::max(count_of(value_in_list(tres, "node")).value_or(1), 1.0);
    std::string found;
    for_each_entry(tres, [&](std::string_view entry) {
        const std::size_t equals = std::min(entry.find('='), entry.size() - 1);
        const std::string_view name = entry.substr(0, equals);
        const bool is_typed = name.find(':') != std::string_view::npos;
        const bool has_types = tres.find(std::string(name) + ':') != std::string_view::npos;
        if (!name.starts_with("gres/") || name.starts_with("gres/gpu")
            || (!is_typed && has_types)) {
            return;
        }
        const double count = count_of(entry.substr(equals + 1)).value_or(0) / nodes;
        add_entry(found, name.substr(5));
        found += ':' + std::to_string(static_cast<std::int64_t>(std::ceil(count)));
    });
    return found;
}

}  // namespace

SubmitOptions submit_options(const SubmitLine& line, const AskedColumns& columns) {
    const auto said = [&](std::string_view name) {
        return line.option(name).value_or("");
    };
    SubmitOptions options{
        .tasks = count_in(said("ntasks")),
        .cpus_per_task = count_in(said("cpus-per-task")),
        .tasks_per_node = count_in(said("ntasks-per-node")),
        .tasks_per_core = count_in(said("ntasks-per-core")),
        .threads_per_core = count_in(said("threads-per-core")),
        .cpus_per_gpu = count_in(said("cpus-per-gpu")),
        .memory_per_node = memory_in(said("mem")),
        .memory_per_cpu = memory_in(said("mem-per-cpu")),
        .memory_per_gpu = memory_in(said("mem-per-gpu")),
        .limit_s = time_in(said("time")),
        .least_limit_s = time_in(said("time-min")),
        .is_exclusive = line.option("exclusive") == "",
        .is_oversubscribed = line.option("oversubscribe").has_value(),
        .is_all = line.script() == "wrap",
        .names_nodes = line.option("nodelist").has_value() || line.option("exclude").has_value()
                       || line.option("nodefile").has_value()};
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
    if (said("hint") == "nomultithread") {
        options.threads_per_core = 1;
    }
    if (options.gres.empty()) {
        options.gres = gres_of_nodes(columns.tres);
    }
    options.constraint = columns.constraint.empty() ? said("constraint") : columns.constraint;
    options.licences = columns.licences.empty() ? said("licenses") : columns.licences;
    return options;
}

}  // namespace schedfarm::models::trace
