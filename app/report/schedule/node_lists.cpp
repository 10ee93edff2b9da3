#include "app/report/schedule/node_lists.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/node_names.hpp"

#include "models/trace/reading/number.hpp"

namespace schedfarm::app {

namespace {

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
    return engine::nodes_in(list).value_or(std::vector<std::string>{});
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
