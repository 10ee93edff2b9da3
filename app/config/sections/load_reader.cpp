#include "app/config/sections/load_reader.hpp"

#include "app/config/schema/section_lists.hpp"
#include "app/config/sections/cell_tables.hpp"
#include "app/config/sections/section_reader.hpp"

namespace schedfarm::app {

namespace {

const auto& load_table() {
    static const auto table =
        Table<LoadSettings>(
            "load",
            "The offered load, only in an `open` experiment whose jobs are not `listed`: one of "
            "the two."
        )
            .key("utilization", &LoadSettings::utilization, ranges::probability)
            .means("arrival rate * E[size] * E[service time] / processors")
            .part("search", &LoadSettings::search)
            .optional("the load is looked for by probabilistic bisection", "section `load.search`");
    return table;
}

bool expect_threshold_fits(const Node& node, const LoadSearch& search, Problems& problems) {
    const bool is_needed = search.criterion == SearchCriterion::response_time;
    const bool is_given = node.find("threshold") != nullptr;
    if (is_needed && !is_given) {
        problems.add(
            node.at,
            "load.search.threshold",
            missing_key_text(table_of<LoadSearch>().section(), "threshold"),
            "Add 'threshold: 1500'?"
        );
    } else if (!is_needed) {
        refuse_key(
            node,
            "threshold",
            "load.search.threshold",
            "'load.search.threshold' belongs to criterion 'response_time' (it would be ignored)",
            "Remove it?",
            problems
        );
    }
    return is_needed == is_given;
}

}  // namespace

std::vector<Section> load_sections() {
    return {load_table().section(), table_of<LoadSearch>().section()};
}

std::optional<LoadSettings> read_load(const Node& node, Problems& problems) {
    auto settings = read_table(load_table(), &node, node.at, problems);
    const Node* search = node.find("search");
    if (!settings) {
        return std::nullopt;
    }
    if (search == nullptr) {
        if (!settings->utilization && !problems.is_excused("load.utilization")
            && !problems.is_excused("load.search")) {
            problems.add(
                node.at,
                "load.utilization",
                missing_key_text(load_table().section(), "utilization"),
                "Add 'utilization: …'?"
            );
        }
        return settings->utilization ? settings : std::nullopt;
    }
    if (settings->utilization) {
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
    settings->search = read_table(table_of<LoadSearch>(), search, search->at, problems);
    const bool is_right =
        settings->search && expect_threshold_fits(*search, *settings->search, problems);
    return is_right ? settings : std::nullopt;
}

}  // namespace schedfarm::app
