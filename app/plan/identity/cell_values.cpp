#include "app/plan/identity/cell_values.hpp"

#include <algorithm>
#include <cctype>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/farm/transport/serialization.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"
#include "engine/simulation/measurement/metrics.hpp"

#include "app/config/sections/cell_tables.hpp"
#include "app/config/yaml/node.hpp"
#include "app/config/yaml/value_node.hpp"

namespace schedfarm::app {

namespace {

template <typename T, typename Value>
concept Is = std::same_as<std::remove_const_t<T>, Value>;

// The fields of everything that a cell is made of. `field(name, value)` writes or reads a value.
// What a campaign writes as it is has its table; what follows from what it writes is named here.

void fields_of(auto& field, Is<engine::Outage> auto& outage) {
    field("from", outage.from);
    field("until", outage.until);
    field("first_processor", outage.first_processor);
    field("count", outage.count);
    field("every", outage.every);
    field("planned", outage.is_planned);
}

void fields_of(auto& field, Is<engine::NodeFailures> auto& failures) {
    failures_table().visit(failures, field);
}

void fields_of(auto& field, Is<engine::Outages> auto& outages) {
    outages_table().visit(outages, field);
}

void fields_of(auto& field, Is<engine::SystemDescription> auto& system) {
    system_table().visit(system, field);
}

void fields_of(auto& field, Is<LoadSearch> auto& search) {
    table_of<LoadSearch>().visit(search, field);
}

/// The pilot is a cell of its own, whose index depends on the others.
void fields_of(auto& field, Is<PlacedLoad> auto& load) {
    field("of_saturation", load.fraction);
}

void fields_of(auto& field, Is<engine::Horizon> auto& horizon) {
    field("jobs", horizon.jobs);
    field("warm_up_jobs", horizon.warm_up_jobs);
    field("backlog", horizon.backlog);
    field("fills", horizon.fills);
    field("start_backlog", horizon.start_backlog);
    field("queue_limit", horizon.queue_limit);
}

void fields_of(auto& field, Is<Lengthening> auto& lengthening) {
    field("first", lengthening.first);
    field("warm_up_grows", lengthening.warm_up_grows);
}

void fields_of(auto& field, Is<RandomSource> auto& random) {
    field("generator", random.generator);
    field("seed", random.seed);
}

void fields_of(auto& field, Is<engine::ProbeRequest> auto& probe) {
    field("metric", probe.metric);
    field("quantiles", probe.quantiles);
    field("per_class", probe.per_class);
    field("threshold", probe.threshold);
    field("sketch", probe.sketch);
}

void fields_of(auto& field, Is<Budget> auto& budget) {
    table_of<Budget>().visit(budget, field);
}

void fields_of(auto& field, Is<MetricTarget> auto& target) {
    field("metric", lasting_name(target.metric));
    field("relative", target.target.relative);
    field("absolute", target.target.absolute);
    field("method", target.target.method);
}

void fields_of(auto& field, Is<ReplicationPlan> auto& plan) {
    field("targets", plan.targets);
    field("min", plan.limits.min);
    field("max", plan.limits.max);
    field("budget", plan.budget);
    field("confidence", plan.confidence);
    field("method", plan.method);
}

void simulation_fields(auto& field, Is<Cell> auto& cell) {
    field("experiment", cell.experiment.kind);
    field("system", cell.system);
    field("workload", cell.workload);
    field("policy", cell.policy);
    field("utilization", cell.utilization);
    field("placed_load", cell.placed_load);
    field("load_search", cell.load_search);
    field("horizon", cell.experiment.horizon);
    field("lengthening", cell.lengthening);
    field("random_numbers", cell.random);
}

void observation_fields(auto& field, Is<Cell> auto& cell) {
    field("probes", cell.probes.requests);
    field("ensemble_bins", cell.experiment.series_bins);
}

enum class Form : std::uint8_t {
    exchanged,  ///< read back as it is
    canonical,  ///< equal where the values are equal
};

class Encoder {
  public:
    explicit Encoder(Form form) : form_(form) {}

    template <typename T>
    void operator()(const char* name, const T& value) {
        if (form_ == Form::canonical) {
            writer_.text(name);
        }
        put(value);
    }

    engine::Bytes take() { return writer_.take(); }

  private:
    void put(bool value) { writer_.u8(value ? 1 : 0); }
    void put(std::uint32_t value) { put(std::uint64_t{value}); }
    void put(std::uint64_t value) { writer_.u64(value); }
    void put(const std::string& value) { writer_.text(value); }
    void put(const engine::ExperimentKind& kind) { writer_.text(kind.name()); }
    void put(engine::Metric metric) {
        const std::string name = engine::description_of(metric).name;
        writer_.text(form_ == Form::canonical ? lasting_name(name) : name);
    }

    void put(double value) { writer_.real(value == 0 ? 0.0 : value); }  // -0 is 0

    void put(engine::IntervalMethod method) { writer_.u8(static_cast<std::uint8_t>(method)); }

    template <typename T>
        requires std::is_enum_v<T>
    void put(T value) { writer_.text(words_of<T>.at(static_cast<std::size_t>(value))); }

    template <typename T>
    void put(const std::optional<T>& value) {
        put(value.has_value());
        if (value) {
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
        if (form_ == Form::canonical && integer != nullptr && *integer <= most_exact
            && *integer >= -most_exact) {
            put(engine::Value(static_cast<double>(*integer)));
            return;
        }
        writer_.u8(static_cast<std::uint8_t>(value.data().index()));
        std::visit([this](const auto& held) { put(held); }, value.data());
    }

    void put(std::int64_t value) { writer_.u64(static_cast<std::uint64_t>(value)); }
    void put(const std::shared_ptr<const engine::Choice>& choice) { put(*choice); }

    template <typename T>
    void put(const Rare<T>& value) {
        put(value.optional());
    }

    template <typename T>
    void put(const Shared<T>& shared) {
        put(*shared);
    }

    void put(const engine::Choice& choice) {
        writer_.text(choice.name);
        put(choice.parameters);
    }

    /// How jobs fare in outages is no value where there are none.
    void put(const engine::Outages& outages) {
        const bool is_default = form_ == Form::canonical && outages.empty();
        const engine::Outages none;
        fields_of(*this, is_default ? none : outages);
    }

    void put(const engine::Parameters& parameters) {
        std::vector<const std::pair<std::string, engine::Value>*> entries;
        for (const auto& entry : parameters.entries()) {
            entries.push_back(&entry);
        }
        if (form_ == Form::canonical) {
            std::sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) {
                return a->first < b->first;
            });
        } else {
            writer_.text(parameters.folders().current);
            writer_.text(parameters.folders().campaign);
        }
        put(std::uint64_t{entries.size()});
        for (const auto* entry : entries) {
            writer_.text(entry->first);
            put(entry->second);
        }
    }

    template <typename T>
        requires requires(Encoder& field, const T& value) {
            fields_of(field, value);
        }
    void put(const T& value) { fields_of(*this, value); }

    Form form_;
    engine::ByteWriter writer_;
};

/// Reads what was written to be exchanged.
class Decoder {
  public:
    explicit Decoder(const engine::Bytes& bytes) : reader_(bytes) {}

    template <typename T>
    void operator()(const char* /*name*/, T& value) {
        get(value);
    }

    void expect_end() const { reader_.expect_end(); }

  private:
    [[noreturn]] static void fail(const std::string& name) {
        throw engine::SerializationError("a cell has an unknown value: " + name);
    }

    void get(bool& value) { value = reader_.u8() != 0; }
    void get(std::uint32_t& value) { value = static_cast<std::uint32_t>(reader_.u64()); }
    void get(std::uint64_t& value) { value = reader_.u64(); }
    void get(std::int64_t& value) { value = static_cast<std::int64_t>(reader_.u64()); }
    void get(double& value) { value = reader_.real(); }
    void get(std::string& value) { value = reader_.text(); }

    void get(engine::ExperimentKind& value) {
        const std::string name = reader_.text();
        for (const auto kind : engine::experiment_kinds()) {
            if (name == kind.name()) {
                value = kind;
                return;
            }
        }
        fail(name);
    }

    void get(engine::Metric& value) {
        const std::string name = reader_.text();
        const engine::MetricDescription* found = engine::find_metric(name);
        if (found == nullptr) {
            fail(name);
        }
        value = found->metric;
    }

    template <typename T>
        requires std::is_enum_v<T>
    void get(T& value) {
        const std::string name = reader_.text();
        const auto& words = words_of<T>;
        const auto found = std::find(words.begin(), words.end(), name);
        if (found == words.end()) {
            fail(name);
        }
        value = static_cast<T>(found - words.begin());
    }

    template <typename T>
    void get(std::optional<T>& value) {
        value.reset();
        if (reader_.u8() != 0) {
            get(value.emplace());
        }
    }

    template <typename T>
    void get(std::vector<T>& list) {
        list.clear();
        for (std::uint64_t left = reader_.u64(); left > 0; --left) {
            get(list.emplace_back());
        }
    }

    template <typename T>
    engine::Value value_of() {
        T held{};
        get(held);
        return held;
    }

    void get(engine::Value& value) {
        const std::uint8_t type = reader_.u8();
        switch (type) {
            case 0:
                value = value_of<bool>();
                return;
            case 1:
                value = value_of<std::int64_t>();
                return;
            case 2:
                value = value_of<double>();
                return;
            case 3:
                value = value_of<std::string>();
                return;
            case 4:
                value = value_of<engine::Value::List>();
                return;
            case 5:
                value = value_of<engine::Choice>();
                return;
            default:
                fail("type " + std::to_string(type));
        }
    }

    template <typename T>
    void get(Rare<T>& rare) {
        std::optional<T> value;
        get(value);
        rare = std::move(value);
    }

    template <typename T>
    void get(Shared<T>& shared) {
        T value;
        get(value);
        shared = std::move(value);
    }

    void get(engine::Choice& choice) {
        choice.name = reader_.text();
        get(choice.parameters);
    }

    void get(engine::Parameters& parameters) {
        engine::NamingFolders folders;
        folders.current = reader_.text();
        folders.campaign = reader_.text();
        parameters.set_folders(std::move(folders));
        for (std::uint64_t left = reader_.u64(); left > 0; --left) {
            std::string name = reader_.text();
            engine::Value value;
            get(value);
            parameters.set(std::move(name), std::move(value));
        }
    }

    template <typename T>
        requires requires(Decoder& field, T& value) {
            fields_of(field, value);
        }
    void get(T& value) { fields_of(*this, value); }

    engine::ByteReader reader_;
};

/// A tree for YAML. What is absent is left out.
class Printer {
  public:
    void operator()(const char* name, const engine::Outages& outages) {
        if (!outages.empty()) {
            add_entry(tree_, name, node(outages));
        }
    }

    template <typename T>
    void operator()(const char* name, const T& value) {
        add_entry(tree_, name, node(value));
    }

    template <typename T>
    void operator()(const char* name, const Rare<T>& value) {
        (*this)(name, value.optional());
    }

    template <typename T>
    void operator()(const char* name, const std::optional<T>& value) {
        if (value) {
            (*this)(name, *value);
        }
    }

    const Node& tree() const { return tree_; }

  private:
    static Node node(bool value) { return node_of(engine::Value(value)); }
    static Node node(std::uint64_t value) { return Node::text(std::to_string(value), {}); }
    static Node node(std::uint32_t value) { return node(std::uint64_t{value}); }
    static Node node(double value) { return node_of(engine::Value(value)); }
    static Node node(const engine::ExperimentKind& kind) { return node_of_text(kind.name()); }
    static Node node(engine::Metric metric) {
        return node_of_text(engine::description_of(metric).name);
    }
    static Node node(const engine::Choice& choice) { return node_of(choice); }
    static Node node(const Shared<engine::Choice>& choice) { return node_of(*choice); }

    template <typename T>
        requires std::is_enum_v<T>
    static Node node(T value) {
        return node_of_text(words_of<T>.at(static_cast<std::size_t>(value)));
    }

    template <typename T>
    static Node node(const std::vector<T>& list) {
        Node result = Node::list({}, {});
        for (const T& item : list) {
            result.items.push_back(node(item));
        }
        return result;
    }

    /// The outages of a log are many: then their checksum stands for them.
    static Node node(const std::vector<engine::Outage>& outages) {
        constexpr std::size_t most_shown = 20;
        if (outages.size() <= most_shown) {
            return node<engine::Outage>(outages);
        }
        engine::Sha256 hash;
        Encoder encoder(Form::canonical);
        encoder("listed", outages);
        hash.add(encoder.take());
        return node_of_text(hash.hex());
    }

    template <typename T>
        requires requires(Printer& field, const T& value) {
            fields_of(field, value);
        }
    static Node node(const T& value) {
        Printer printer;
        fields_of(printer, value);
        return printer.tree_;
    }

    Node tree_ = Node::map({});
};

}  // namespace

engine::Bytes encode_cell(const Cell& cell) {
    Encoder encoder(Form::exchanged);
    simulation_fields(encoder, cell);
    observation_fields(encoder, cell);
    return encoder.take();
}

Cell decode_cell(const engine::Bytes& bytes) {
    Decoder decoder(bytes);
    Cell cell;
    simulation_fields(decoder, cell);
    observation_fields(decoder, cell);
    decoder.expect_end();
    return cell;
}

std::string resolved_text(const Cell& cell) {
    Printer printer;
    simulation_fields(printer, cell);
    observation_fields(printer, cell);
    return flow_text(printer.tree());
}

engine::Bytes simulation_bytes(const Cell& cell, const Cell* pilot) {
    SCHEDFARM_EXPECT(
        (pilot != nullptr) == cell.placed_load.has_value(), "a load is placed by its pilot"
    );
    Encoder encoder(Form::canonical);
    simulation_fields(encoder, cell);
    if (pilot != nullptr) {
        encoder("pilot", pilot->replication_key);
        encoder("pilot_replications", pilot->replications);
    }
    return encoder.take();
}

engine::Bytes observation_bytes(const Cell& cell) {
    Encoder encoder(Form::canonical);
    if (cell.experiment.kind.has_response_times()) {
        observation_fields(encoder, cell);
    }
    return encoder.take();
}

engine::Bytes replications_bytes(const ReplicationPlan& plan) {
    Encoder encoder(Form::canonical);
    encoder("replications", plan);
    return encoder.take();
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

}  // namespace schedfarm::app
