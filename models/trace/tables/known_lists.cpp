#include "models/trace/tables/known_lists.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "models/trace/tables/read_cell.hpp"

namespace schedfarm::models::trace {

bool take_number(Quantity quantity, const TableRow& from, TableRow& row) {
    const auto take = [](double& value, double other) {
        value = value < 0 ? other : value;
        return true;
    };
    switch (quantity) {
        case Quantity::nodes:
            return take(row.nodes, from.nodes);
        case Quantity::requested_nodes:
            return take(row.requested_nodes, from.requested_nodes);
        case Quantity::processors:
            return take(row.processors, from.processors);
        case Quantity::requested_processors:
            return take(row.requested_processors, from.requested_processors);
        case Quantity::gpus:
            return take(row.gpus, from.gpus);
        case Quantity::memory:
            row.memory = row.memory.kb > 0 ? row.memory : from.memory;
            return true;
        default:
            return false;
    }
}

bool KnownLists::add(const MappedColumn& mapped, std::size_t place) {
    constexpr std::size_t held = 256;
    TableRow none;
    if (mapped.key.empty() || !take_number(mapped.quantity, none, none)) {
        return false;
    }
    auto list = std::ranges::find(lists_, place, &List::place);
    if (list == lists_.end()) {
        list = lists_.insert(list, {place, {}, std::vector<Known>(held)});
    }
    list->columns.push_back(mapped);
    return true;
}

const TableRow* KnownLists::said(std::size_t place, std::string_view cell) {
    List& list = *std::ranges::find(lists_, place, &List::place);
    std::uint64_t hash = cell.size();
    std::uint64_t letters = 0;
    for (std::size_t at = 0; at + sizeof letters <= cell.size(); at += sizeof letters) {
        std::memcpy(&letters, cell.data() + at, sizeof letters);
        hash = (hash ^ letters) * 0x9e3779b97f4a7c15U;
    }
    Known& known = list.known[(hash >> 40U) % list.known.size()];
    if (known.text == cell && !cell.empty()) {
        return &known.said;
    }
    known = {};
    KnownDay none;
    for (const MappedColumn& mapped : list.columns) {
        if (!read_cell(mapped, cell, known.said, none)) {
            return nullptr;
        }
    }
    known.text = cell;
    return &known.said;
}

}  // namespace schedfarm::models::trace
