#include "app/plan/identity/keys.hpp"

#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/hash.hpp"

#include "app/config/yaml/numbers.hpp"
#include "app/plan/analyses/certificates.hpp"
#include "app/plan/identity/cell_values.hpp"
#include "app/plan/identity/results_version.hpp"

namespace schedfarm::app {

namespace {

std::string optional_text(const std::optional<double>& value) {
    return value ? number_text(*value) : "none";
}

void add_groups(engine::Sha256& hash, const std::vector<CellGroup>& groups) {
    for (const CellGroup& group : groups) {
        hash.add("group");
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
            lasting_name(comparison.metric),
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
            "selection {} of {} by {} at {}, stages {} {}\n",
            static_cast<int>(rule.best),
            lasting_name(plan.selection->metric),
            number_text(rule.indifference),
            number_text(rule.confidence),
            rule.first_stage,
            rule.round
        ));
        add_groups(hash, plan.selection->groups);
    }
    if (!plan.control_metric.empty()) {
        hash.add("controlled " + lasting_name(plan.control_metric) + "\n");
    }
}

}  // namespace

std::uint64_t seed_of(const std::string& hash) {
    std::uint64_t seed = 0;
    constexpr std::size_t digits = 16;
    std::from_chars(hash.data(), hash.data() + digits, seed, 16);
    return seed;
}

std::string simulation_key(const Cell& cell, const Cell* pilot, std::uint64_t campaign_seed) {
    Cell copy = cell;
    copy.random.seed = campaign_seed;
    engine::Sha256 hash;
    hash.add(fmt::format("results version {}\n", results_version));
    hash.add(simulation_bytes(copy, pilot));
    return hash.hex();
}

void identify(Cell& cell, const Cell* pilot, std::uint64_t campaign_seed, StreamSharing streams) {
    cell.random.seed = streams == StreamSharing::common
                           ? campaign_seed
                           : seed_of(simulation_key(cell, pilot, campaign_seed));
    engine::Sha256 hash;
    hash.add(fmt::format("results version {}\n", results_version));
    hash.add(simulation_bytes(cell, pilot));
    hash.add(observation_bytes(cell));
    cell.replication_key = hash.hex();
}

std::string plan_hash(const Plan& plan) {
    engine::Sha256 hash;
    hash.add(fmt::format("plan of {} cells, seed {}\n", plan.cells.size(), plan.seed));
    for (const Cell& cell : plan.cells) {
        hash.add(cell.replication_key + "\n");
        hash.add(replications_bytes(cell.replications));
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
