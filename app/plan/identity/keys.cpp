#include "app/plan/identity/keys.hpp"

#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/hash.hpp"
#include "engine/simulation/probe.hpp"

#include "app/config/counted_jobs.hpp"
#include "app/config/schema/schema.hpp"
#include "app/config/yaml/numbers.hpp"
#include "app/config/yaml/suggestion.hpp"
#include "app/plan/analyses/certificates.hpp"
#include "app/plan/identity/results_version.hpp"

namespace schedfarm::app {

namespace {

using engine::ExperimentKind;

/// Where the program finds the length, the shortest horizon and how it grows say all.
std::string jobs_text(const HorizonSettings& settings, bool lengthens) {
    if (!lengthens) {
        return fmt::format("{}", settings.horizon.jobs);
    }
    return fmt::format(
        "auto from {}{}", settings.horizon.jobs, settings.warm_up_grows ? "" : " with one warm-up"
    );
}

std::string horizon_text(ExperimentKind kind, const HorizonSettings& settings, bool lengthens) {
    const engine::Horizon& horizon = settings.horizon;
    if (!kind.has_time()) {
        return fmt::format("{{fills: {}}}", horizon.fills);
    }
    std::string text = fmt::format(
        "{{jobs: {}, warm_up: {{jobs: {}}}", jobs_text(settings, lengthens), horizon.warm_up_jobs
    );
    if (kind.keeps_backlog()) {
        text += fmt::format(", backlog: {}", horizon.backlog);
    }
    if (horizon.start_backlog > 0) {
        text += fmt::format(", start: {{backlog: {}}}", horizon.start_backlog);
    }
    if (kind.has_arrivals()) {
        text += fmt::format(
            ", queue_limit: {}, ensemble_bins: {}", horizon.queue_limit, settings.series_bins
        );
    }
    return text + "}";
}

/// What the load of every replication follows from: the cap on a search is not among it.
std::string load_text(const CellSettings& settings, const Cell* pilot) {
    if (settings.utilization) {
        return fmt::format("{{utilization: {}}}", number_text(*settings.utilization));
    }
    if (settings.load_search) {
        const LoadSearch& search = *settings.load_search;
        return fmt::format(
            "{{search: {{criterion: {}, threshold: {}, between: [{}, {}], width: {}, confidence: "
            "{}, reliability: {}, round: {}}}}}",
            search.criterion == SearchCriterion::drift ? "drift" : "response_time",
            number_text(search.threshold),
            number_text(search.low),
            number_text(search.high),
            number_text(search.width),
            number_text(search.confidence),
            number_text(search.reliability),
            search.round
        );
    }
    return fmt::format(
        "{{of_saturation: {}, pilot: {}, replications: \"{}\"}}",
        number_text(*settings.saturation_fraction),
        pilot->replication_key,
        replications_text(pilot->replications)
    );
}

/// Empty where the cell draws as every cell did before there was a choice.
std::string random_text(const RandomSettings& random) {
    const bool is_philox = random.generator == engine::Generator::philox;
    const bool is_common = random.streams == StreamSharing::common;
    return is_philox && is_common ? ""
                                  : fmt::format(
                                      "random_numbers: {{generator: {}, streams: {}}}\n",
                                      is_philox ? "philox" : "mrg32k3a",
                                      is_common ? "common" : "independent"
                                  );
}

/// The name alone where a time average is wanted as each was before there was a choice.
std::string probe_text(const engine::Choice& probe) {
    const engine::ProbeRequest request = engine::make_probe_request(probe);
    const bool is_bare =
        engine::is_time_average(request.metric) && !request.per_class && request.quantiles.empty();
    return is_bare ? probe.name : probe.text();
}

/// ", outages: {…}" where there are some: when which processors are out, and not how it was said.
std::string outages_text(const engine::Outages& outages) {
    if (outages.empty()) {
        return "";
    }
    std::vector<std::string> listed;
    for (const engine::Outage& outage : outages.listed) {
        listed.push_back(fmt::format(
            "[{}, {}, {}, {}, {}, {}]",
            number_text(outage.from),
            number_text(outage.until),
            outage.first_processor,
            outage.count,
            number_text(outage.every),
            outage.is_planned ? "planned" : "logged"
        ));
    }
    constexpr std::size_t most_shown = 20;
    const std::string all = "[" + joined(listed) + "]";
    const engine::NodeFailures& failures = outages.failures;
    return fmt::format(
        ", outages: {{listed: {}, failures: [{}, {}, {}], running: {}}}",
        listed.size() <= most_shown ? all : engine::sha256_hex(all),
        number_text(failures.mean_time_between_failures),
        number_text(failures.mean_time_to_repair),
        failures.processors_per_node,
        outages.running == engine::RunningJobs::cut ? "cut" : "drain"
    );
}

std::string workload_text(const engine::Choice& workload) {
    std::string text = "{model: " + workload.name;
    for (const auto& [name, value] : workload.parameters.entries()) {
        text += ", " + name + ": " + value.text();
    }
    return text + "}";
}

std::string optional_text(const std::optional<double>& value) {
    return value ? number_text(*value) : "none";
}

/// ", 5 jobs" where there is such a limit.
template <typename Number>
std::string limit_text(const std::optional<Number>& limit, const char* unit) {
    return limit ? fmt::format(", {} {}", *limit, unit) : "";
}

std::string budget_text(const Budget& budget) {
    const std::string text = limit_text(budget.replications, "replications")
                             + limit_text(budget.jobs, "jobs") + limit_text(budget.events, "events")
                             + limit_text(budget.core_hours, "core-hours");
    return text.empty() ? "" : "; at most" + text.substr(1);
}

void add_groups(engine::Sha256& hash, const std::vector<CellGroup>& groups) {
    for (const CellGroup& group : groups) {
        hash.add("group " + group.label);
        for (const std::uint32_t cell : group.cells) {
            hash.add(fmt::format(" {}", cell));
        }
        hash.add("\n");
    }
}

void add_analyses(engine::Sha256& hash, const Plan& plan) {
    if (plan.comparison) {
        const ComparisonPlan& comparison = *plan.comparison;
        hash.add(fmt::format(
            "comparison of {} with {} at {}",
            comparison.metric,
            comparison.baseline ? std::to_string(*comparison.baseline) : "each other",
            number_text(comparison.confidence)
        ));
        if (comparison.target) {
            hash.add(fmt::format(
                " to relative {} absolute {}",
                optional_text(comparison.target->relative),
                optional_text(comparison.target->absolute)
            ));
        }
        hash.add("\n");
        add_groups(hash, comparison.groups);
    }
    if (plan.selection) {
        const engine::SelectionSettings& rule = plan.selection->settings;
        hash.add(fmt::format(
            "selection {} {} of {} by {} at {}, stages {} {} {}\n",
            static_cast<int>(rule.procedure),
            static_cast<int>(rule.best),
            plan.selection->metric,
            number_text(rule.indifference),
            number_text(rule.confidence),
            rule.first_stage,
            rule.round,
            rule.screening_rounds
        ));
        add_groups(hash, plan.selection->groups);
    }
    if (!plan.control_metric.empty()) {
        hash.add("controlled " + plan.control_metric + "\n");
    }
}

}  // namespace

std::string replications_text(const ReplicationPlan& plan) {
    std::string text = fmt::format(
        "{} to {} at {} by method {}",
        plan.limits.min,
        plan.limits.max,
        number_text(plan.confidence),
        static_cast<int>(plan.method)
    );
    for (const MetricTarget& target : plan.targets) {
        text += fmt::format(
            "; {} relative {} absolute {}",
            target.metric,
            optional_text(target.target.relative),
            optional_text(target.target.absolute)
        );
        if (target.target.method != plan.method) {
            text += fmt::format(" by method {}", static_cast<int>(target.target.method));
        }
    }
    return text + budget_text(plan.budget);
}

std::string cell_text(const CellSettings& settings, const Cell* pilot) {
    const ExperimentKind kind = *settings.experiment;
    std::vector<std::string> clusters;
    for (const std::uint32_t processors : settings.system->clusters) {
        clusters.push_back(std::to_string(processors));
    }
    std::string text = fmt::format("experiment: {}\n", kind.name());
    text += fmt::format(
        "system: {{clusters: [{}], memory_per_processor: {}{}}}\n",
        joined(clusters),
        number_text(settings.system->memory_per_processor),
        outages_text(settings.system->outages)
    );
    text += "workload: " + workload_text(settings.workload->choice) + "\n";
    text += "policy: " + settings.policy->choice.text() + "\n";
    if (settings.takes_load()) {
        text += "load: " + load_text(settings, pilot) + "\n";
    }
    text += "horizon: " + horizon_text(kind, *settings.horizon, lengthens(settings)) + "\n";
    text += random_text(*settings.random);
    if (kind.has_response_times()) {
        std::vector<std::string> probes;
        for (const engine::Choice& probe : settings.probe_choices) {
            probes.push_back(probe_text(probe));
        }
        text += "probes: [" + joined(probes) + "]\n";
    }
    return text;
}

std::string replication_key(const std::string& cell_text, std::uint64_t seed) {
    return engine::sha256_hex(
        fmt::format("results_version: {}\nseed: {}\n{}", results_version, seed, cell_text)
    );
}

std::uint64_t independent_seed(const std::string& replication_key) {
    std::uint64_t seed = 0;
    constexpr std::size_t digits = 16;
    std::from_chars(replication_key.data(), replication_key.data() + digits, seed, 16);
    return seed;
}

std::string plan_hash(const Plan& plan) {
    engine::Sha256 hash;
    hash.add(fmt::format("plan of {} cells, seed {}\n", plan.cells.size(), plan.seed));
    for (const Cell& cell : plan.cells) {
        hash.add(cell.replication_key + "\n");
        for (const FactorLevel& level : cell.levels) {
            hash.add(fmt::format("{}={}\n", level.factor, level.label));
        }
        hash.add(replications_text(cell.replications) + "\n");
        for (const ControlMean& control : cell.controls) {
            hash.add(fmt::format("control {} = {}\n", control.column, number_text(control.mean)));
        }
        for (const Certificate& certificate : cell.certificates) {
            hash.add(text_of(certificate));
        }
    }
    add_analyses(hash, plan);
    return hash.hex();
}

}  // namespace schedfarm::app
