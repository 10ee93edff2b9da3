#include "app/report/schedule/node_lists.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "models/trace/reading/number.hpp"

namespace schedfarm::app {

namespace {

constexpr std::int64_t most_nodes = 1'000'000;

/// Where the first entry of the list ends; commas in brackets belong to it.
std::size_t entry_length(std::string_view list) {
    const std::size_t bracket = list.find('[');
    const std::size_t comma = list.find(',');
    return comma < bracket ? comma : list.find(',', list.find(']', bracket));
}

/// "001-003" behind "n": n001, n002, n003. False: it is no range.
bool add_range(std::string_view prefix, std::string_view range, std::vector<std::string>& nodes) {
    const std::size_t dash = range.find('-');
    const std::string_view low = range.substr(0, dash);
    const auto first = models::trace::parse_integer(low);
    const auto last = dash == std::string_view::npos
                          ? first
                          : models::trace::parse_integer(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last - *first >= most_nodes) {
        return false;
    }
    for (std::int64_t number = *first; number <= *last; ++number) {
        nodes.push_back(fmt::format("{}{:0>{}}", prefix, number, low.size()));
    }
    return true;
}

/// Numbers in names compare as numbers: n2 comes before n10.
struct ByNumber {
    bool operator()(const std::string& a, const std::string& b) const {
        const auto key = [](const std::string& name) {
            const std::size_t digits = name.find_last_not_of("0123456789") + 1;
            return std::tuple(
                name.substr(0, digits),
                models::trace::parse_integer(std::string_view(name).substr(digits)).value_or(-1),
                name
            );
        };
        return key(a) < key(b);
    }
};

/// Ranges of numbers in ascending order.
std::vector<engine::ProcessorRange> ranges_of(std::vector<std::uint32_t> numbers) {
    std::sort(numbers.begin(), numbers.end());
    std::vector<engine::ProcessorRange> ranges;
    for (const std::uint32_t number : numbers) {
        if (!ranges.empty() && ranges.back().first.value + ranges.back().count == number) {
            ++ranges.back().count;
        } else {
            ranges.push_back({.first = {number}, .count = 1});
        }
    }
    return ranges;
}

}  // namespace

std::vector<std::string> nodes_of(std::string_view list) {
    std::vector<std::string> nodes;
    while (!list.empty()) {
        const std::string_view entry = list.substr(0, entry_length(list));
        list.remove_prefix(std::min(entry.size() + 1, list.size()));
        const std::size_t bracket = entry.find('[');
        if (entry.empty() || (bracket != std::string_view::npos && !entry.ends_with(']'))) {
            return {};
        }
        if (bracket == std::string_view::npos) {
            nodes.emplace_back(entry);
            continue;
        }
        std::string_view ranges = entry.substr(bracket + 1, entry.size() - bracket - 2);
        while (!ranges.empty()) {
            const std::string_view range = ranges.substr(0, ranges.find(','));
            ranges.remove_prefix(std::min(range.size() + 1, ranges.size()));
            if (!add_range(entry.substr(0, bracket), range, nodes)
                || nodes.size() > static_cast<std::size_t>(most_nodes)) {
                return {};
            }
        }
    }
    return nodes;
}

bool place_on_nodes(
    JobSchedule& schedule, const models::trace::Log& log, const std::vector<std::size_t>& rows
) {
    std::map<std::string, std::uint32_t, ByNumber> numbers;
    std::vector<std::vector<std::string>> nodes;
    for (const std::size_t row : rows) {
        const std::int32_t list = log.node_list[row];
        nodes.push_back(
            list < 0 ? std::vector<std::string>()
                     : nodes_of(log.node_lists[static_cast<std::size_t>(list)])
        );
        if (nodes.back().empty()) {
            return false;
        }
        for (const std::string& node : nodes.back()) {
            numbers.emplace(node, 0);
        }
    }
    std::uint32_t next = 0;
    for (auto& [node, number] : numbers) {
        number = next++;
    }
    JobSchedule placed = schedule;
    for (std::size_t i = 0; i < placed.segments.size(); ++i) {
        std::vector<std::uint32_t> held;
        for (const std::string& node : nodes[i]) {
            held.push_back(numbers.at(node));
        }
        placed.segments[i].processors = static_cast<std::uint32_t>(held.size());
        placed.segments[i].ranges = ranges_of(std::move(held));
    }
    complete(placed);
    placed.processors = next;
    if (next == 0 || find_overlap(placed)) {
        return false;
    }
    placed.notes.push_back(fmt::format(
        "rows are the nodes that the log names, {} to {}",
        numbers.begin()->first,
        numbers.rbegin()->first
    ));
    schedule = std::move(placed);
    return true;
}

}  // namespace schedfarm::app
