#include "app/campaign/keys/sections/load_reader.hpp"

#include "app/campaign/keys/section_lists.hpp"
#include "app/campaign/keys/section_reader.hpp"
#include "app/campaign/keys/words.hpp"

namespace schedfarm::app {

namespace {

const Section& search_section() {
    static const Section section =
        Section(
            "load.search",
            "Looks for the load at which something happens, in rounds of replications; the "
            "search decides how many there are, in place of `replications` and `precision`. "
            "`drift`: where the backlog begins to grow, the saturation point; begins from a "
            "deep queue (`horizon.start`) under a policy that does not preempt. "
            "`response_time`: where the mean response time passes the threshold."
        )
            .word("criterion", all_words_of<SearchCriterion>())
            .required("what happens at the load")
            .real("threshold", ranges::positive, "mean service times")
            .optional("response_time: the mean response time in mean service times")
            .reals("between", {.low = 0, .high = 10, .low_is_open = true})
            .means(
                "utilizations between which the point lies; else the cell ends as not_bracketed",
                engine::Value::List{0.3, 1.0}
            )
            .real("width", ranges::probability)
            .means("the search ends when its intervals are no longer than this", 0.01)
            .real("confidence", ranges::probability)
            .means("confidence level of the interval", 0.95)
            .real("reliability", {0.5, 1, true, true})
            .means("probability with which an answer must be right to count fully", 0.95)
            .integer("round", {2, 1e6}, "replications")
            .means("replications of a round", 16)
            .integer("most_rounds", {1, 1e6}, "rounds")
            .means("rounds at most", 400);
    return section;
}

const Section& load_section() {
    static const Section section =
        Section(
            "load",
            "The offered load, only in an `open` experiment whose jobs are not `listed`: one of "
            "the two."
        )
            .real("utilization", ranges::probability)
            .optional("arrival rate * E[size] * E[service time] / processors")
            .part("search", Section::Part::Kind::section, &search_section)
            .optional("the load is looked for by probabilistic bisection", "section `load.search`");
    return section;
}

bool expect_threshold_fits(const Node& node, const LoadSearch& search, Problems& problems) {
    const bool is_needed = search.criterion == SearchCriterion::response_time;
    const bool is_given = node.find("threshold") != nullptr;
    if (is_needed && !is_given) {
        problems.add(
            node.at,
            "load.search.threshold",
            missing_key_text(search_section(), "threshold"),
            "Add 'threshold: 1500'."
        );
    } else if (!is_needed) {
        refuse_key(
            node,
            "threshold",
            "load.search.threshold",
            "'load.search.threshold' belongs to criterion 'response_time' (it would be ignored)",
            "Remove it.",
            problems
        );
    }
    return is_needed == is_given;
}

std::optional<LoadSearch> search_of(
    const engine::Parameters& written, const Node& node, Problems& problems
) {
    const auto between = interval_in(
        written, "between", Ends::apart, search_section(), node, "[0.3, 1.0]", problems
    );
    const LoadSearch search{
        .criterion = word_as<SearchCriterion>(written.text("criterion")),
        .threshold = real_in(written, "threshold").value_or(0),
        .low = between ? between->low : 0,
        .high = between ? between->high : 0,
        .width = written.real("width"),
        .confidence = written.real("confidence"),
        .reliability = written.real("reliability"),
        .round = static_cast<std::uint32_t>(written.integer("round")),
        .most_rounds = static_cast<std::uint32_t>(written.integer("most_rounds"))};
    const bool is_right = expect_threshold_fits(node, search, problems) && between;
    return is_right ? std::optional(search) : std::nullopt;
}

}  // namespace

std::vector<Section> load_sections() {
    return {load_section(), search_section()};
}

std::optional<LoadSettings> read_load(const Node& node, Problems& problems) {
    const auto written = read_section(&node, load_section(), node.at, problems);
    if (node.find("search") != nullptr) {
        problems.excuse("replications");
    }
    if (!written) {
        return std::nullopt;
    }
    const auto utilization = real_in(*written, "utilization");
    const engine::Parameters* search = section_in(*written, "search");
    if (utilization && search != nullptr) {
        refuse_key(
            node,
            "search",
            "load.search",
            "'load.utilization' and 'load.search' are both given (one says the load, the other "
            "looks for it)",
            "Remove one.",
            problems
        );
        return std::nullopt;
    }
    if (utilization) {
        return LoadSettings{utilization, {}};
    }
    if (search != nullptr) {
        auto read = search_of(*search, *node.find("search"), problems);
        return read ? std::optional(LoadSettings{{}, read}) : std::nullopt;
    }
    if (!problems.is_excused("load.utilization") && !problems.is_excused("load.search")) {
        problems.add(
            node.at,
            "load.utilization",
            missing_key_text(load_section(), "utilization"),
            "Add 'utilization: …'."
        );
    }
    return std::nullopt;
}

}  // namespace schedfarm::app
