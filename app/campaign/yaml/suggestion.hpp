// Names: whether one is known, and suggestions where it is not: the nearest known one, or the list
// of all.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::app {

template <typename List, typename Item>
bool contains(const List& list, const Item& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

/// How everything in a list is called: names_of(cell.levels, &FactorLevel::label).
template <typename List, typename Name>
std::vector<std::string> names_of(const List& list, Name name) {
    std::vector<std::string> names;
    for (const auto& item : list) {
        names.emplace_back(std::invoke(name, item));
    }
    return names;
}

/// As names of campaigns are: "EASY" means `easy`.
std::string in_small_letters(std::string_view text);

/// The only known name that the given one begins, in small or capital letters. Else the one within
/// a third of the length (at least 2 letters) by the fewest insertions, deletions, replacements and
/// exchanges of neighbours; the first of equals. Else the only one that has the name between its
/// underscores, else the only one that begins as it does.
std::optional<std::string> nearest_name(
    std::string_view given, const std::vector<std::string>& known
);

/// "Did you mean 'policy'?" or, when nothing is near, "Known: a, b, c".
std::string name_suggestion(std::string_view name, const std::vector<std::string>& known);

/// "a, b, c"
std::string joined(const std::vector<std::string>& names, std::string_view separator = ", ");

}  // namespace schedfarm::app
