#include "app/campaign/keys/uses.hpp"

#include <algorithm>
#include <memory>
#include <variant>

#include <fmt/format.h>

#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

using engine::ExperimentKind;

constexpr ExperimentKind bin_filling = ExperimentKind::bin_filling;
constexpr ExperimentKind open = ExperimentKind::open;
constexpr ExperimentKind saturated = ExperimentKind::saturated;
constexpr ExperimentKind trace = ExperimentKind::trace;
constexpr ExperimentKind offline = ExperimentKind::offline;

std::vector<Use> all_uses() {
    return {
        {"horizon", {"jobs"}, {open, saturated, trace, offline}},
        {"horizon", {"warm_up"}, {open, saturated, trace}},
        {"horizon", {"backlog"}, {saturated}},
        {"horizon", {"fills"}, {bin_filling}},
        {"horizon", {"start"}, {open}},
        {"horizon", {"queue_limit", "ensemble_bins"}, {open, trace}},
        {"job_log", {"utilization_parts", "users"}, {}, "replications"},
        {"workload.coallocation", {"service", "size_classes"}, {open, saturated, trace, offline}},
        {"workload.coallocation", {"interarrival"}, {open, trace}},
        {"workload.listed", {"submit_times", "after", "think_times"}, {open, trace}},
        {"workload.trace", {"given_request"}, {}, "missing_request", {"given"}},
        {"workload.trace", {"shake", "load_factor"}, {open, trace}},
        {"workload.lublin_feitelson",
         {"batch_size", "batch_run_time"},
         {},
         "jobs",
         {"batch_and_interactive", "batch"}},
        {"workload.lublin_feitelson",
         {"batch_interarrival", "batch_cycle"},
         {open, trace},
         "jobs",
         {"batch_and_interactive", "batch"}},
        {"workload.lublin_feitelson",
         {"interactive_size", "interactive_run_time"},
         {},
         "jobs",
         {"batch_and_interactive", "interactive"}},
        {"workload.lublin_feitelson",
         {"interactive_interarrival", "interactive_cycle"},
         {open, trace},
         "jobs",
         {"batch_and_interactive", "interactive"}},
        {"workload.lublin_feitelson",
         {"typeless_size", "typeless_run_time"},
         {},
         "jobs",
         {"typeless"}},
        {"workload.lublin_feitelson",
         {"typeless_interarrival", "typeless_cycle"},
         {open, trace},
         "jobs",
         {"typeless"}},
        {"workload.*", {"days"}, {trace}},
        // A load says how often jobs come.
        {"workload.moldable", {"interarrival"}, {trace}},
        {"workload.downey_97", {"interarrival"}, {trace}},
        {"workload.feitelson_96", {"interarrival"}, {trace}},
        {"workload.moldable", {"large_sequential", "large_speedup"}, {}, "large_share"},
        {"workload.scaled_version", {"utilization"}, {open, trace}},
        {"workload.scaled_version", {"count"}, {open, trace}},
        {"workload.periodic_reservations", {"lead_time"}, {open, trace}},
        {"workload.federation", {"shifts"}, {open, trace}},
        {"policy.*",
         {"working_set_mb", "page_kb", "pages_per_s"},
         {},
         "switch_model",
         {"paging", "block_paging"}},
        {"policy.*", {"prefetched_fraction"}, {}, "switch_model", {"block_paging"}},
        {"policy.*", {"switch_cost_s"}, {}, "switch_model", {"fixed"}},
        {"policy.*", {"smallest_quantum_s"}, {}, "quanta", {"utilization"}},
        {"policy.matrix_gang", {"largest_small_job"}, {}, "packing", {"left_right"}},
        {"policy.*", {"numbers"}, {}, "assignment", {"number"}},
        {"policy.demt", {"processors"}, {}, "compaction", {"strict"}},
        {"policy.*", {"steps_per_octave"}, {}, "bounds", {"refined", "printed_and_refined", "all"}},
        {"policy.scojo_pect", {"first_stage", "second_stage"}, {}, "allocator", {"memory_aware"}}};
}

bool is_of(const Use& use, std::string_view owner) {
    if (!use.owner.ends_with(".*")) {
        return use.owner == owner;
    }
    return owner.starts_with(std::string_view(use.owner).substr(0, use.owner.size() - 1));
}

/// As a campaign writes it; of things with parameters their name.
std::string word_of(const engine::Value& value) {
    const auto* choice = std::get_if<std::shared_ptr<const engine::Choice>>(&value.data());
    return choice != nullptr ? (*choice)->name : value.text();
}

std::string listed(const std::vector<std::string>& names) {
    return "`" + joined(names, "`, `") + "`";
}

}  // namespace

const std::vector<Use>& uses() {
    static const std::vector<Use> all = all_uses();
    return all;
}

std::vector<const Use*> uses_of(std::string_view owner, std::string_view key) {
    std::vector<const Use*> found;
    for (const Use& use : uses()) {
        if (is_of(use, owner) && contains(use.keys, key)) {
            found.push_back(&use);
        }
    }
    return found;
}

std::string why_unused(
    const Use& use,
    ExperimentKind experiment,
    const engine::Parameters& given,
    const std::vector<engine::ParameterDescription>& table
) {
    if (!use.experiments.empty() && !contains(use.experiments, experiment)) {
        return fmt::format("is not used by experiment '{}'", experiment.name());
    }
    if (use.beside.empty() || !given.contains(use.beside)) {
        return "";
    }
    const std::string word = word_of(given.at(use.beside));
    const auto row = std::find_if(table.begin(), table.end(), [&use](const auto& each) {
        return each.name == use.beside;
    });
    const bool is_default = row != table.end() && row->default_value
                            && given.at(use.beside).text() == row->default_value->text();
    const bool counts = use.values.empty() ? !is_default : contains(use.values, word);
    return counts ? "" : fmt::format("is not used where '{}' is {}", use.beside, word);
}

const std::vector<std::string>& keys_that_only_show() {
    static const std::vector<std::string> keys{
        "name",
        "description",
        "time_unit",
        "report",
        "job_log",
        "reference",
        "claims",
        "certificate.source",
        "factors.labels"};
    return keys;
}

const std::vector<std::string>& keys_that_only_check() {
    static const std::vector<std::string> keys{"allow_unstable", "inputs", "workload.sha256"};
    return keys;
}

std::string uses_markdown() {
    std::string text =
        "## What counts where\n\n"
        "Keys that count only in some experiments, or only beside some value of another key. "
        "Elsewhere a value other than the\ndefault would be ignored, and is an error unless some "
        "cell uses it; `horizon` may come from an included file.\n\n"
        "| of | keys | in | where |\n|---|---|---|---|\n";
    for (const Use& use : uses()) {
        std::vector<std::string> experiments = names_of(use.experiments, &ExperimentKind::name);
        std::string where;
        if (!use.beside.empty()) {
            where = use.values.empty() ? fmt::format("`{}` is not its default", use.beside)
                                       : fmt::format("`{}` is {}", use.beside, listed(use.values));
        }
        text += fmt::format(
            "| `{}` | {} | {} | {} |\n",
            use.owner,
            listed(use.keys),
            experiments.empty() ? "" : listed(experiments),
            where
        );
    }
    return text
           + fmt::format(
               "\n{} change nothing but what is shown or kept beside the results; {} change "
               "nothing "
               "where what they ask for is so.\n\n",
               listed(keys_that_only_show()),
               listed(keys_that_only_check())
           );
}

}  // namespace schedfarm::app
