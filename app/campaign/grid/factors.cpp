#include "app/campaign/grid/factors.hpp"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "app/campaign/grid/labels.hpp"
#include "app/campaign/keys/schema.hpp"
#include "app/campaign/keys/section_reader.hpp"
#include "app/campaign/keys/sections/seed_range.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

using engine::ParameterType;

constexpr double most_levels = 100000;

engine::ParameterDescription count_row(const char* name) {
    return {
        .name = name,
        .meaning = "number of levels",
        .type = ParameterType::integer,
        .range = {.low = 1, .high = most_levels}};
}

const std::vector<engine::ParameterDescription>& linear_table() {
    static const std::vector<engine::ParameterDescription> table{
        {.name = "from", .meaning = "first level"},
        {.name = "to", .meaning = "last level"},
        count_row("count")};
    return table;
}

/// Fractions that the program chooses are labelled in three digits, those of the user in full.
constexpr int fewest_digits = 3;
constexpr int full_digits = 17;

std::vector<Level> placed_levels(const std::vector<double>& fractions, int digits) {
    std::vector<Level> levels;
    std::set<std::string> labels;
    for (const double fraction : fractions) {
        Level level;
        level.label = digits == full_digits ? number_text(fraction)
                                            : fmt::format("{:.{}g}", fraction, digits);
        level.saturation_fraction = fraction;
        labels.insert(level.label);
        levels.push_back(std::move(level));
    }
    const bool is_clear = labels.size() == fractions.size() || digits == full_digits;
    return is_clear ? levels : placed_levels(fractions, digits + 1);
}

/// Reads one factor of the section.
class FactorReader {
  public:
    FactorReader(const Node::Entry& entry, Problems& problems)
        : entry_(entry), problems_(problems) {
        factor_.name = entry.key;
        factor_.at = entry.at;
        factor_.spec_at = entry.value->at;
    }

    std::optional<Factor> read() {
        const Node& spec = entry_.value;
        const std::size_t before = problems_.size();
        if (spec.find("zip") != nullptr) {
            read_zip(spec);
        } else {
            factor_.paths = {entry_.key};
            read_axis(spec);
        }
        if (factor_.levels.empty() || problems_.size() > before) {
            for (const std::string& path : factor_.paths) {
                excuse(path);
            }
            return std::nullopt;
        }
        return std::move(factor_);
    }

  private:
    void excuse(const std::string& path) {
        problems_.excuse(path);
        problems_.excuse(path_parts(path).front());
    }

    void read_axis(const Node& spec) {
        if (entry_.key == seed_key) {
            read_seeds(spec);
            return;
        }
        if (!expect_variable(entry_.key, entry_.at, "varied", problems_)) {
            return;
        }
        if (spec.is_list()) {
            take_levels(spec);
        } else if (spec.find("levels") != nullptr) {
            read_labelled(spec);
        } else if (spec.is_map() && spec.entries.size() == 1) {
            read_generated(spec.entries.front());
        } else {
            refuse_form(spec);
        }
    }

    void read_seeds(const Node& spec) {
        const engine::ParameterDescription& row = campaign_section().row(seed_key);
        if (spec.is_list()) {
            for (const Node& item : spec.items) {
                read_value(item, row, seed_key, problems_);
            }
            take_levels(spec);
        } else if (const auto range = read_section(&spec, seed_range_section(), spec.at, problems_)) {
            Node list = Node::list({}, {});
            list.at = spec.at;
            const std::int64_t first = range->integer("first");
            for (std::int64_t i = 0; i < range->integer("count"); ++i) {
                list.items.push_back(Node::text(std::to_string(first + i), spec.at));
            }
            take_levels(list);
        }
    }

    void refuse_form(const Node& spec) {
        problems_.add(
            spec.at,
            factor_.name,
            fmt::format(
                "factor '{}' must be a list of levels, not {}", factor_.name, what_is(spec)
            ),
            "Write a list, or one of levels, linear, below_saturation, of_saturation, zip."
        );
    }

    void read_generated(const Node::Entry& form) {
        if (form.key == "linear") {
            read_linear(form.value);
        } else if (form.key == "below_saturation" || form.key == "of_saturation") {
            read_placed(form);
        } else {
            problems_.add(
                form.at,
                factor_.name,
                fmt::format("unknown kind of factor '{}'", form.key),
                name_suggestion(
                    form.key, {"levels", "linear", "below_saturation", "of_saturation", "zip"}
                )
            );
        }
    }

    void read_labelled(const Node& spec) {
        expect_known_keys(spec, {"levels", "labels"}, "factors." + factor_.name, problems_);
        const Node& list = *spec.find("levels");
        if (list.is_list()) {
            take_levels(list, spec.find("labels"));
        } else {
            refuse_form(list);
        }
    }

    void read_linear(const Node& spec) {
        const auto parameters =
            read_parameters(&spec, linear_table(), spec.at, factor_.name + ".linear", problems_);
        if (!parameters) {
            return;
        }
        const double from = parameters->real("from");
        const double to = parameters->real("to");
        const std::int64_t count = parameters->integer("count");
        Node list;
        list.kind = Node::Kind::list;
        list.at = spec.at;
        for (std::int64_t i = 0; i < count; ++i) {
            const double part =
                count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
            const double value = from + part * (to - from);
            list.items.push_back(Node::text(fmt::format("{:.12g}", value), spec.at));
        }
        take_levels(list);
    }

    void read_placed(const Node::Entry& form) {
        if (factor_.name != "load.utilization") {
            problems_.add(
                form.at,
                factor_.name,
                fmt::format("'{}' places loads, not '{}'", form.key, factor_.name),
                "Use it for 'load.utilization'."
            );
            return;
        }
        engine::ParameterDescription row = count_row("below_saturation");
        if (form.key == "of_saturation") {
            row = {
                .name = "of_saturation",
                .meaning = "fractions of the maximal utilization",
                .type = ParameterType::real_list,
                .range = {.low = 0, .high = 10, .low_is_open = true}};
        }
        const auto value = read_value(form.value, row, factor_.name + "." + form.key, problems_);
        if (!value) {
            return;
        }
        if (form.key == "of_saturation") {
            factor_.levels = placed_levels(value->as_reals(), full_digits);
        } else {
            const auto count = static_cast<std::size_t>(value->as_integer());
            factor_.levels = placed_levels(saturation_fractions(count), fewest_digits);
        }
        if (factor_.levels.empty()) {
            refuse_empty(form.value->at);
        }
    }

    void refuse_empty(const SourcePosition& at) {
        problems_.add(
            at,
            factor_.name,
            fmt::format("factor '{}' has no levels (no cell would be left)", factor_.name),
            "Give it a level, or remove it."
        );
    }

    void take_levels(const Node& list, const Node* given = nullptr) {
        if (list.items.empty()) {
            refuse_empty(list.at);
        }
        const std::vector<std::string> labels =
            given == nullptr ? level_labels(list.items) : given_labels(*given, list.items.size());
        for (std::size_t i = 0; i < labels.size(); ++i) {
            Level level;
            level.label = labels[i];
            level.number = parse_real(labels[i]);
            level.sets.push_back({factor_.name, factor_.at, list.items[i]});
            add_level(std::move(level), list.items[i]->at);
        }
    }

    void add_level(Level level, const SourcePosition& at) {
        if (!labels_.insert(level.label).second) {
            problems_.add(
                at,
                factor_.name,
                fmt::format("level '{}' of factor '{}' is given twice", level.label, factor_.name),
                "Remove one."
            );
            return;
        }
        factor_.levels.push_back(std::move(level));
    }

    void read_zip(const Node& spec) {
        expect_known_keys(spec, {"zip", "labels"}, "factors." + factor_.name, problems_);
        const Node& zip = *spec.find("zip");
        if (!zip.is_map() || zip.entries.empty()) {
            problems_.add(
                zip.at,
                factor_.name,
                fmt::format(
                    "'zip' of factor '{}' must map paths to lists, not {}",
                    factor_.name,
                    zip.is_map() ? "nothing" : what_is(zip)
                ),
                "Write {zip: {policy: [fcfs, sjf]}}."
            );
            return;
        }
        if (!expect_zip(zip)) {
            return;
        }
        const std::size_t count = zip.entries.front().value->items.size();
        std::vector<std::string> labels = zip_labels(zip, count);
        if (const Node* given = spec.find("labels")) {
            labels = given_labels(*given, count);
        }
        for (std::size_t i = 0; i < labels.size(); ++i) {
            Level level;
            level.label = labels[i];
            level.number = parse_real(labels[i]);
            for (const Node::Entry& entry : zip.entries) {
                level.sets.push_back({entry.key, entry.at, entry.value->items[i]});
            }
            const Node* given = spec.find("labels");
            add_level(
                std::move(level),
                given == nullptr ? zip.entries.front().value->items[i]->at : given->items[i]->at
            );
        }
    }

    /// All paths may vary and all lists are as long as the first.
    bool expect_zip(const Node& zip) {
        bool is_right = true;
        const Node& first = zip.entries.front().value;
        for (const Node::Entry& entry : zip.entries) {
            for (const std::string& other : factor_.paths) {
                if (overlap(entry.key, other)) {
                    problems_.add(
                        entry.at,
                        factor_.name,
                        fmt::format("'{}' and '{}' in one zip overlap", other, entry.key),
                        "Set each value once."
                    );
                    is_right = false;
                }
            }
            factor_.paths.push_back(entry.key);
            is_right = expect_variable(entry.key, entry.at, "varied", problems_) && is_right;
            if (!entry.value->is_list() || entry.value->items.empty()) {
                problems_.add(
                    entry.value->at,
                    factor_.name,
                    fmt::format(
                        "'{}' in a zip must be a list of levels, not {}",
                        entry.key,
                        entry.value->is_list() ? "an empty list" : what_is(entry.value)
                    ),
                    fmt::format("Write {}: [first, second].", entry.key)
                );
                is_right = false;
            } else if (first.is_list() && entry.value->items.size() != first.items.size()) {
                problems_.add(
                    entry.value->at,
                    factor_.name,
                    fmt::format(
                        "'{}' has {} levels but '{}' has {} (a zip varies them together)",
                        entry.key,
                        entry.value->items.size(),
                        zip.entries.front().key,
                        first.items.size()
                    ),
                    "Make the lists equally long."
                );
                is_right = false;
            }
        }
        return is_right;
    }

    static std::vector<std::string> zip_labels(const Node& zip, std::size_t count) {
        std::vector<std::string> labels(count);
        for (const Node::Entry& entry : zip.entries) {
            const std::vector<std::string> own = level_labels(entry.value->items);
            for (std::size_t i = 0; i < count; ++i) {
                labels[i] += (labels[i].empty() ? "" : ", ") + own[i];
            }
        }
        return labels;
    }

    std::vector<std::string> given_labels(const Node& node, std::size_t count) {
        std::vector<std::string> labels;
        for (const Node& item : node.items) {
            const bool is_text = item.is_scalar() && !item.scalar.empty()
                                 && item.scalar.find('\n') == std::string::npos;
            if (!is_text) {
                problems_.add(
                    item.at,
                    factor_.name,
                    "a label must be a text, not " + what_is(item),
                    "Write labels: [small, large]."
                );
                return {};
            }
            labels.push_back(item.scalar);
        }
        if (!node.is_list() || labels.size() != count) {
            problems_.add(
                node.at,
                factor_.name,
                fmt::format(
                    "factor '{}' has {} levels but {} labels", factor_.name, count, labels.size()
                ),
                "Give every level a label."
            );
            return {};
        }
        return labels;
    }

    const Node::Entry& entry_;
    Problems& problems_;
    Factor factor_;
    std::set<std::string> labels_;
};

void expect_apart(const Factor& first, const Factor& second, Problems& problems) {
    for (const std::string& path : second.paths) {
        for (const std::string& other : first.paths) {
            if (overlap(path, other)) {
                problems.add(
                    second.at,
                    path,
                    fmt::format(
                        "'{}' is varied by two factors ('{}' and '{}')",
                        path,
                        first.name,
                        second.name
                    ),
                    "Zip them together."
                );
            }
        }
    }
}

}  // namespace

std::vector<Factor> read_factors(const Node& section, Problems& problems) {
    std::vector<Factor> factors;
    for (const Node::Entry& entry : section.entries) {
        if (auto factor = FactorReader(entry, problems).read()) {
            factors.push_back(std::move(*factor));
        }
    }
    for (std::size_t i = 0; i < factors.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            expect_apart(factors[k], factors[i], problems);
        }
    }
    return factors;
}

}  // namespace schedfarm::app
