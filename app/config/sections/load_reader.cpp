#include "app/config/sections/load_reader.hpp"

#include <vector>

#include <fmt/format.h>

#include "app/config/schema/schema.hpp"
#include "app/config/sections/section_reader.hpp"
#include "app/config/sections/value_reader.hpp"

namespace schedfarm::app {

namespace {

using engine::Parameters;

bool take_bounds(
    const Node& node, const Parameters& parameters, LoadSearch& search, Problems& problems
) {
    const std::vector<double> bounds = parameters.reals("between");
    if (bounds.size() != 2 || bounds[0] >= bounds[1]) {
        problems.add(
            nearest_position(node, "between"),
            "load.search.between",
            "'load.search.between' must be two utilizations, the lower one first",
            "Write [0.3, 1.0]?"
        );
        return false;
    }
    search.low = bounds[0];
    search.high = bounds[1];
    return true;
}

bool take_threshold(
    const Node& node, const Parameters& parameters, LoadSearch& search, Problems& problems
) {
    const bool is_needed = search.criterion == SearchCriterion::response_time;
    const bool is_given = parameters.contains("threshold");
    if (is_needed && !is_given) {
        problems.add(
            node.at,
            "load.search.threshold",
            fmt::format(
                "'load.search.threshold' is missing ({})",
                section("load.search").row("threshold").meaning
            ),
            "Add 'threshold: 1500'?"
        );
        return false;
    }
    if (!is_needed && is_given) {
        refuse_key(
            node,
            "threshold",
            "load.search.threshold",
            "'load.search.threshold' belongs to criterion 'response_time' (it would be ignored)",
            "Remove it?",
            problems
        );
        return false;
    }
    search.threshold = is_given ? parameters.real("threshold") : 0;
    return true;
}

std::optional<LoadSearch> read_search(const Node& node, Problems& problems) {
    const auto parameters = read_section(&node, "load.search", node.at, problems);
    if (!parameters) {
        return std::nullopt;
    }
    LoadSearch search;
    search.criterion = parameters->text("criterion") == "drift" ? SearchCriterion::drift
                                                                : SearchCriterion::response_time;
    const bool has_bounds = take_bounds(node, *parameters, search, problems);
    if (!take_threshold(node, *parameters, search, problems) || !has_bounds) {
        return std::nullopt;
    }
    search.width = parameters->real("width");
    search.confidence = parameters->real("confidence");
    search.reliability = parameters->real("reliability");
    search.round = static_cast<std::uint32_t>(parameters->integer("round"));
    search.most_rounds = static_cast<std::uint32_t>(parameters->integer("most_rounds"));
    return search;
}

}  // namespace

std::optional<LoadSettings> read_load(const Node& node, Problems& problems) {
    const auto parameters = read_section(&node, "load", node.at, problems, {"search"});
    const Node* search = node.find("search");
    if (!parameters) {
        return std::nullopt;
    }
    LoadSettings settings;
    if (search == nullptr && !parameters->contains("utilization")) {
        if (!problems.is_excused("load.utilization") && !problems.is_excused("load.search")) {
            problems.add(
                node.at,
                "load.utilization",
                fmt::format(
                    "'load.utilization' is missing ({})", section("load").row("utilization").meaning
                ),
                "Add 'utilization: …'?"
            );
        }
        return std::nullopt;
    }
    if (search == nullptr) {
        settings.utilization = parameters->real("utilization");
        return settings;
    }
    if (parameters->contains("utilization")) {
        refuse_key(
            node,
            "search",
            "load.search",
            "'load.utilization' and 'load.search' are both given (one says the load, the other "
            "looks for it)",
            "Remove one?",
            problems
        );
        return std::nullopt;
    }
    problems.excuse("replications");
    settings.search = read_search(*search, problems);
    return settings.search ? std::optional(settings) : std::nullopt;
}

}  // namespace schedfarm::app
