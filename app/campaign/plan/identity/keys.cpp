#include "app/campaign/plan/identity/keys.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"
#include "engine/simulation/measurement/metrics.hpp"
#include "engine/simulation/measurement/own_metric.hpp"

#include "app/campaign/keys/words.hpp"
#include "app/campaign/plan/identity/results_version.hpp"
#include "app/campaign/plan/twins.hpp"
#include "app/campaign/yaml/numbers.hpp"

namespace schedfarm::app {

namespace {

/// Writes values so that equal ones have equal bytes: numbers as values (1000 is 1000.0), names as
/// text, parameters in the order of their names. How a campaign was written is no part of a key.
/// The names and their order are part of every key that was ever computed: they stay.
class KeyBytes {
  public:
    void operator()(const char* name, const auto& value) {
        writer_.text(name);
        put(value);
    }

    engine::Bytes take() { return writer_.take(); }

  private:
    void put(bool value) { writer_.u8(value ? 1 : 0); }
    void put(std::uint32_t value) { writer_.u64(value); }
    void put(std::uint64_t value) { writer_.u64(value); }
    void put(std::int64_t value) { writer_.u64(static_cast<std::uint64_t>(value)); }
    void put(double value) { writer_.real(value == 0 ? 0.0 : value); }  // -0 is 0
    void put(const std::string& value) { writer_.text(value); }
    void put(const engine::ExperimentKind& kind) { writer_.text(kind.name()); }
    void put(engine::IntervalMethod method) { writer_.u8(static_cast<std::uint8_t>(method)); }
    void put(engine::Metric metric) {
        writer_.text(lasting_name(engine::description_of(metric).name));
    }

    template <typename T>
        requires std::is_enum_v<T>
    void put(T value) { writer_.text(words_of<T>.at(static_cast<std::size_t>(value))); }

    template <typename T>
    void put(const std::optional<T>& value) {
        put(value ? &*value : nullptr);
    }

    template <typename T>
    void put(const std::shared_ptr<const T>& value) {
        put(value.get());
    }

    template <typename T>
    void put(const T* value) {
        put(value != nullptr);
        if (value != nullptr) {
            put(*value);
        }
    }

    template <typename T>
    void put(const std::vector<T>& list) {
        put(std::uint64_t{list.size()});
        for (const T& item : list) {
            put(item);
        }
    }

    /// An integer that a double holds is the same number as that double.
    void put(const engine::Value& value) {
        constexpr std::int64_t most_exact = std::int64_t{1} << std::numeric_limits<double>::digits;
        const auto* integer = std::get_if<std::int64_t>(&value.data());
        if (integer != nullptr && *integer <= most_exact && *integer >= -most_exact) {
            put(engine::Value(static_cast<double>(*integer)));
            return;
        }
        writer_.u8(static_cast<std::uint8_t>(value.data().index()));
        if (const auto* choice =
                std::get_if<std::shared_ptr<const engine::Choice>>(&value.data())) {
            put(**choice);
        } else {
            std::visit([this](const auto& held) { put(held); }, value.data());
        }
    }

    void put(const engine::Choice& choice) {
        std::vector<const std::pair<std::string, engine::Value>*> entries;
        for (const auto& entry : choice.parameters.entries()) {
            entries.push_back(&entry);
        }
        std::sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) {
            return a->first < b->first;
        });
        writer_.text(choice.name);
        put(std::uint64_t{entries.size()});
        for (const auto* entry : entries) {
            (*this)(entry->first.c_str(), entry->second);
        }
    }

    void put(const engine::Outage& outage) {
        (*this)("from", outage.from);
        (*this)("until", outage.until);
        (*this)("first_processor", outage.first_processor);
        (*this)("count", outage.count);
        (*this)("every", outage.every);
        (*this)("planned", outage.is_planned);
    }

    void put(const engine::NodeFailures& failures) {
        (*this)("mean_time_between_failures", failures.mean_time_between_failures);
        (*this)("mean_time_to_repair", failures.mean_time_to_repair);
        (*this)("processors_per_node", failures.processors_per_node);
    }

    /// How jobs fare in outages is no value where there are none.
    void put(const engine::Outages& outages) {
        (*this)("listed", outages.listed);
        (*this)("failures", outages.empty() ? engine::NodeFailures{} : outages.failures);
        (*this)("running", outages.empty() ? engine::RunningJobs::drain : outages.running);
    }

    void put(const engine::SystemDescription& system) {
        (*this)("clusters", system.clusters);
        (*this)("memory_per_processor", system.memory_per_processor);
        (*this)("outages", system.outages);
    }

    /// The cap of rounds ends a search and changes no replication.
    void put(const LoadSearch& search) {
        (*this)("criterion", search.criterion);
        (*this)("threshold", search.threshold);
        (*this)("low", search.low);
        (*this)("high", search.high);
        (*this)("width", search.width);
        (*this)("confidence", search.confidence);
        (*this)("reliability", search.reliability);
        (*this)("round", search.round);
    }

    /// The pilot is a cell of its own, whose index depends on the others.
    void put(const PlacedLoad& load) { (*this)("of_saturation", load.fraction); }

    void put(const engine::Horizon& horizon) {
        (*this)("jobs", horizon.jobs);
        (*this)("warm_up_jobs", horizon.warm_up_jobs);
        (*this)("backlog", horizon.backlog);
        (*this)("fills", horizon.fills);
        (*this)("start_backlog", horizon.start_backlog);
        (*this)("queue_limit", horizon.queue_limit);
    }

    void put(const Lengthening& lengthening) {
        (*this)("first", lengthening.first);
        (*this)("warm_up_grows", lengthening.warm_up_grows);
    }

    void put(const RandomSource& random) {
        (*this)("generator", random.generator);
        (*this)("seed", random.seed);
    }

    void put(const engine::ProbeRequest& probe) {
        if (probe.own) {
            (*this)("own", std::string(probe.own->description().name));
            (*this)("expression", probe.own->canonical_text());
        } else {
            (*this)("metric", probe.metric);
        }
        (*this)("quantiles", probe.quantiles);
        (*this)("per_class", probe.per_class);
        (*this)("threshold", probe.threshold);
        (*this)("sketch", probe.sketch);
    }

    void put(const Budget& budget) {
        (*this)("replications", budget.replications);
        (*this)("jobs", budget.jobs);
        (*this)("events", budget.events);
        (*this)("core_hours", budget.core_hours);
    }

    void put(const MetricTarget& target) {
        (*this)("metric", lasting_name(target.metric));
        (*this)("relative", target.target.relative);
        (*this)("absolute", target.target.absolute);
        (*this)("method", target.target.method);
    }

    void put(const ReplicationPlan& plan) {
        (*this)("targets", plan.targets);
        (*this)("min", plan.limits.min);
        (*this)("max", plan.limits.max);
        (*this)("budget", plan.budget);
        (*this)("confidence", plan.confidence);
        (*this)("method", plan.method);
    }

    engine::ByteWriter writer_;
};

/// What is simulated, up to its random numbers: everything but probes and the length of the series.
engine::Bytes bytes_before_random_numbers(const Cell& cell) {
    KeyBytes key;
    key("experiment", cell.experiment.kind);
    key("system", cell.system);
    key("workload", *cell.workload);
    key("policy", *cell.policy);
    key("utilization", cell.utilization);
    key("placed_load", cell.placed_load);
    key("load_search", cell.load_search);
    key("horizon", cell.experiment.horizon);
    key("lengthening", cell.lengthening);
    return key.take();
}

engine::Bytes pilot_bytes(const Cell& cell, const Cell* pilot) {
    SCHEDFARM_EXPECT(
        (pilot != nullptr) == cell.placed_load.has_value(), "a load is placed by its pilot"
    );
    KeyBytes key;
    if (pilot != nullptr) {
        key("pilot", pilot->replication_key);
        key("pilot_replications", pilot->replications);
    }
    return key.take();
}

/// The hash of what is simulated with these random numbers.
engine::Sha256 simulated(const CellIdentity& identity, const RandomSource& random) {
    KeyBytes key;
    key("random_numbers", random);
    engine::Sha256 hash = identity.begun;
    hash.add(key.take());
    hash.add(identity.pilot);
    return hash;
}

/// What is observed of it.
engine::Bytes observation_bytes(const Cell& cell) {
    KeyBytes key;
    if (cell.experiment.kind.has_response_times()) {
        key("probes", cell.probes.requests);
        key("ensemble_bins", cell.experiment.series_bins);
        if (const std::vector<double> twins = twin_loads(cell); !twins.empty()) {
            key("twins", twins);
        }
    }
    return key.take();
}

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

CellIdentity identity_of(const Cell& cell, const Cell* pilot, StreamSharing streams) {
    CellIdentity identity{{}, pilot_bytes(cell, pilot), observation_bytes(cell), streams};
    identity.begun.add(fmt::format("results version {}\n", results_version));
    identity.begun.add(bytes_before_random_numbers(cell));
    return identity;
}

std::string simulation_key(const Cell& cell, const Cell* pilot, std::uint64_t campaign_seed) {
    const CellIdentity identity = identity_of(cell, pilot, StreamSharing::common);
    return simulated(identity, {campaign_seed, cell.random.generator}).hex();
}

void identify(Cell& cell, const CellIdentity& identity, std::uint64_t campaign_seed) {
    cell.random.seed = campaign_seed;
    if (identity.streams != StreamSharing::common) {
        cell.random.seed = seed_of(simulated(identity, cell.random).hex());
    }
    engine::Sha256 hash = simulated(identity, cell.random);
    hash.add(identity.observed);
    cell.replication_key = hash.hex();
}

engine::Bytes replications_bytes(const ReplicationPlan& plan) {
    KeyBytes key;
    key("replications", plan);
    return key.take();
}

std::string digest_of(const std::vector<engine::Outage>& outages) {
    KeyBytes key;
    key("listed", outages);
    engine::Sha256 hash;
    hash.add(key.take());
    return hash.hex();
}

std::string lasting_name(std::string column) {
    constexpr std::string_view wait = "wait";
    const auto is_of_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    if (column.starts_with(wait)
        && (column.size() == wait.size() || !is_of_word(column[wait.size()]))) {
        column.replace(0, wait.size(), "queueing_time");
    }
    return column;
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
        if (cell.certificates) {
            for (const Certificate& certificate : *cell.certificates) {
                hash.add(certificate.values.text());
            }
        }
    }
    add_analyses(hash, plan);
    return hash.hex();
}

}  // namespace schedfarm::app
