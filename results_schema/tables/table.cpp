#include "results_schema/tables/table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "results_schema/result_io.hpp"

namespace schedfarm::results_schema {

namespace {

template <typename Named>
const Named* find_by_name(const std::vector<Named>& all, std::string_view name) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Named& candidate) {
        return candidate.name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::size_t Column::size() const {
    return std::visit([](const auto& values) { return values.size(); }, data);
}

std::size_t Table::rows() const {
    return columns.empty() ? 0 : columns.front().size();
}

const Column* Table::find(std::string_view column) const {
    return find_by_name(columns, column);
}

const Column& Table::at(std::string_view column) const {
    const Column* found = find(column);
    if (found == nullptr) {
        throw ResultError(fmt::format("table '{}' has no column '{}'", name, column));
    }
    return *found;
}

const Table* ResultFile::find(std::string_view table) const {
    return find_by_name(tables, table);
}

const Attribute* ResultFile::attribute(std::string_view name) const {
    return find_by_name(attributes, name);
}

}  // namespace schedfarm::results_schema
