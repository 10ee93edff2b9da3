// Probes: metrics of the program, and those that a campaign makes of the columns of jobs.
#include <algorithm>

#include <fmt/format.h>

#include "engine/foundation/expression.hpp"
#include "engine/simulation/measurement/own_metric.hpp"
#include "engine/simulation/measurement/probe.hpp"

#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

/// The expression of `{mine: …}`; null: there is none.
const Node* expression_in(const Node& item) {
    if (!item.is_map() || item.entries.size() != 1) {
        return nullptr;
    }
    const Node& body = item.entries.front().value;
    if (body.is_map()) {
        return body.find("expression");
    }
    const bool is_list = body.is_list() && !body.items.empty();
    const Node& first = is_list ? *body.items.front() : body;
    return first.is_scalar() && !first.is_null() && !parse_real(first.scalar) ? &first : nullptr;
}

/// False, with a problem, where the metric cannot be made.
bool expect_metric(const Node::Entry& entry, const Node& expression, Problems& problems) {
    const std::string& name = entry.key;
    const std::string path = "probes." + name;
    if (!engine::is_own_metric_name(name)) {
        const bool is_taken = engine::find_metric(name) != nullptr;
        problems.add(
            entry.at,
            path,
            is_taken ? fmt::format("'{}' is a metric of the program", name)
                     : fmt::format("'{}' is no name of a metric (letters, digits and _)", name),
            is_taken ? "Give yours another name." : "Write {my_metric: \"wait / 60\"}."
        );
        return false;
    }
    if (!expression.is_scalar()) {
        problems.add(
            expression.at,
            path + ".expression",
            fmt::format("'{}' must be an expression, not {}", path, what_is(expression)),
            "Write it as one text, in quotes."
        );
        return false;
    }
    try {
        engine::OwnMetric(name, expression.scalar);
        return true;
    } catch (const engine::ExpressionError& error) {
        SourcePosition at = expression.at;
        at.column += static_cast<int>(error.offset());
        at.column += expression.style == Node::Style::quoted ? 1 : 0;
        const std::string& unknown = error.unknown();
        problems.add(
            at,
            path,
            error.what(),
            unknown.empty() ? "" : name_suggestion(unknown, engine::own_metric_columns())
        );
        return false;
    }
}

}  // namespace

std::optional<engine::Choice> read_probe(const Node& node, Problems& problems) {
    const Node* const expression = expression_in(node);
    if (expression == nullptr) {
        return read_choice(node, engine::probe_alternatives(), "probe", "probes", problems);
    }
    if (!expect_metric(node.entries.front(), *expression, problems)) {
        return std::nullopt;
    }
    const std::vector<engine::Alternative> own{engine::own_probe(node.entries.front().key)};
    return read_choice(node, own, "probe", "probes", problems);
}

}  // namespace schedfarm::app
