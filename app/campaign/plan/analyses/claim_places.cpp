#include "app/campaign/plan/analyses/claim_places.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "app/campaign/grid/labels.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? ""
                                      : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// "policy=easy, switch_cost_s=1"
std::vector<ClaimLevel> parse_levels(const std::string& text) {
    std::vector<ClaimLevel> levels;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos) {
            throw ClaimError(
                fmt::format("'{{{}}}' does not name a factor and its level", text),
                "Write {policy=easy}?"
            );
        }
        levels.push_back({trimmed(part.substr(0, equals)), trimmed(part.substr(equals + 1))});
        begin = end + 1;
    }
    return levels;
}

std::uint32_t parse_class(const std::string& text) {
    const auto number = parse_integer(text);
    if (!number || *number < 0 || *number > 1'000'000) {
        throw ClaimError(fmt::format("'{}' is no number of a job class", text), "Write [8]?");
    }
    return static_cast<std::uint32_t>(*number);
}

std::string last_part(const std::string& factor) {
    return factor.substr(factor.rfind('.') + 1);
}

}  // namespace

ClaimTerm parse_term(const std::string& path) {
    ClaimTerm term;
    const std::size_t bracket = path.find('[');
    const std::size_t brace = path.find('{');
    term.name = path.substr(0, std::min(bracket, brace));
    if (bracket < brace) {
        term.job_class = parse_class(path.substr(bracket + 1, path.find(']') - bracket - 1));
    }
    if (brace != std::string::npos) {
        term.levels = parse_levels(path.substr(brace + 1, path.size() - brace - 2));
    }
    return term;
}

std::size_t ClaimPlaces::factor_index(const std::string& name) const {
    std::vector<std::string> names;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; !cells_.empty() && i < cells_.front().levels.size(); ++i) {
        const std::string& factor = cells_.front().levels[i].factor;
        if (factor == name) {
            return i;
        }
        if (last_part(factor) == name) {
            found.push_back(i);
        }
        names.push_back(factor);
    }
    if (found.size() == 1) {
        return found.front();
    }
    throw ClaimError(
        fmt::format("'{}' is no factor of the campaign", name),
        names.empty() ? "" : name_suggestion(name, names)
    );
}

std::vector<std::string> ClaimPlaces::values_of(const ClaimAxis& axis) const {
    if (axis.values != std::vector<std::string>{"all"}) {
        return axis.values;
    }
    if (axis.name == "class") {
        throw ClaimError("'class: all' is not known", "Write the classes, [0, 1, 2]?");
    }
    const std::size_t factor = factor_index(axis.name);
    std::vector<std::string> labels;
    for (const Cell& cell : cells_) {
        const std::string& label = cell.levels[factor].label;
        if (!contains(labels, label)) {
            labels.push_back(label);
        }
    }
    return labels;
}

void ClaimPlaces::put(ClaimPlace& place, const ClaimAxis& axis, const std::string& value) const {
    if (axis.name == "class") {
        place.job_class = parse_class(value);
    } else {
        place.levels.push_back({cells_.front().levels.at(factor_index(axis.name)).factor, value});
    }
}

std::vector<ClaimPlace> ClaimPlaces::of(const std::vector<ClaimAxis>& axes) const {
    std::vector<ClaimPlace> places{{}};
    for (const ClaimAxis& axis : axes) {
        std::vector<ClaimPlace> longer;
        const std::vector<std::string> values = values_of(axis);
        for (const ClaimPlace& place : places) {
            for (const std::string& value : values) {
                ClaimPlace next = place;
                put(next, axis, value);
                if (values.size() > 1) {
                    next.label += next.label.empty() ? "" : ", ";
                    next.label += last_part(axis.name) + " " + value;
                }
                longer.push_back(std::move(next));
            }
        }
        places = std::move(longer);
    }
    return places;
}

const Cell& ClaimPlaces::cell_of(const ClaimTerm& term, const ClaimPlace& place) const {
    std::map<std::size_t, std::string> wanted;  // level by factor
    for (const auto* levels : {&place.levels, &term.levels}) {
        for (const ClaimLevel& level : *levels) {
            wanted[factor_index(level.factor)] = level.level;
        }
    }
    std::vector<const Cell*> found;
    for (const Cell& cell : cells_) {
        const bool is_of_seed = seed_level(cell) == seed_level(cells_.front());
        const bool is_named =
            is_of_seed && std::all_of(wanted.begin(), wanted.end(), [&](const auto& level) {
                return is_level(cell.levels[level.first], level.second);
            });
        if (is_named) {
            found.push_back(&cell);
        }
    }
    if (found.empty()) {
        std::string text;
        for (const auto& [factor, level] : wanted) {
            text += (text.empty() ? "" : ", ") + cells_.front().levels[factor].factor + " " + level;
        }
        throw ClaimError(fmt::format("no cell has {}", text), "");
    }
    for (const Cell* cell : found) {
        if (cell->replication_key != found.front()->replication_key) {
            throw ClaimError(
                fmt::format(
                    "'{}' is that of {} cells ({} and {}, …)",
                    term.name,
                    found.size(),
                    found.front()->index,
                    cell->index
                ),
                "Say which, as in " + term.name + "{factor=level}?"
            );
        }
    }
    return *found.front();
}

}  // namespace schedfarm::app
