#include "app/campaign/yaml/suggestion.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "engine/foundation/edit_distance.hpp"

namespace schedfarm::app {

namespace {

constexpr std::size_t longest_compared = 100;

/// "replicas" and "replications", "policies" and "policy": half of the longer one, 4 letters at
/// least.
bool begins_alike(std::string_view a, std::string_view b) {
    constexpr std::size_t least = 4;
    const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const auto common = static_cast<std::size_t>(ends.first - a.begin());
    return common >= least && 2 * common >= std::max(a.size(), b.size());
}

/// "conf" of "confidence": 3 letters at least.
bool is_beginning(std::string_view name, std::string_view candidate) {
    constexpr std::size_t least = 3;
    return name.size() >= least && candidate.starts_with(name);
}

/// "slowdown" in "bounded_slowdown", "utilization" in "gross_utilization".
bool is_part_of(std::string_view name, std::string_view candidate) {
    const std::string framed = "_" + std::string(candidate) + "_";
    return framed.find("_" + std::string(name) + "_") != std::string::npos;
}

}  // namespace

std::string in_small_letters(std::string_view text) {
    std::string small;
    std::transform(text.begin(), text.end(), std::back_inserter(small), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return small;
}

std::optional<std::string> nearest_name(
    std::string_view given, const std::vector<std::string>& known
) {
    if (given.empty() || given.size() > longest_compared) {
        return std::nullopt;
    }
    const std::string name = in_small_letters(given);
    std::optional<std::string> nearest;
    const auto take_if_only = [&](bool (*resembles)(std::string_view, std::string_view)) {
        const auto is_meant = [&](const std::string& candidate) {
            return resembles(name, in_small_letters(candidate));
        };
        if (!nearest && std::count_if(known.begin(), known.end(), is_meant) == 1) {
            nearest = *std::find_if(known.begin(), known.end(), is_meant);
        }
    };
    take_if_only(is_beginning);
    if (nearest) {
        return nearest;
    }
    std::size_t least = std::min(std::max<std::size_t>(2, name.size() / 3), name.size() - 1) + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = engine::edit_distance(name, in_small_letters(candidate));
        if (distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
    take_if_only(is_part_of);
    take_if_only(begins_alike);
    return nearest;
}

std::string joined(const std::vector<std::string>& names, std::string_view separator) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : std::string(separator)) + name;
    }
    return text;
}

std::string name_suggestion(std::string_view name, const std::vector<std::string>& known) {
    if (const auto nearest = nearest_name(name, known)) {
        return "Did you mean '" + *nearest + "'?";
    }
    return known.empty() ? "" : "Known: " + joined(known);
}

}  // namespace schedfarm::app
