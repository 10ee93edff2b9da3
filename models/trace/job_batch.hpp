// Some hundred lines, column by column, on their way into a log.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/trace/reading/field.hpp"

namespace schedfarm::models::trace {

struct JobBatch {
    /// Not a power of two: columns a multiple of 4 KiB apart would share their cache sets.
    static constexpr std::size_t capacity = 248;

    std::size_t count = 0;
    // By field: of each the one that holds what is read of it.
    std::array<std::array<double, capacity>, column_count> reals{};
    std::array<std::array<std::int64_t, capacity>, column_count> integers{};
    std::array<std::uint64_t, capacity> line{};  ///< number in the file, from 1

    /// The row being filled says nothing in the columns from that field on.
    void set_unknown_from(std::size_t field) {
        for (; field < column_count; ++field) {
            set(static_cast<Field>(field), -1);
        }
    }
    /// Begins anew with rows that say nothing. Column by column, which is cheaper than row by row.
    void set_all_unknown() {
        count = 0;
        for (std::size_t field = 0; field < column_count; ++field) {
            if (is_integer(static_cast<Field>(field))) {
                integers[field].fill(-1);
            } else {
                reals[field].fill(-1);
            }
        }
    }
    /// A value of the row being filled, in the array that holds its field's.
    void set(Field field, double value) {
        const auto place = static_cast<std::size_t>(field);
        if (is_integer(field)) {
            integers[place][count] = static_cast<std::int64_t>(value);
        } else {
            reals[place][count] = value;
        }
    }
    /// REQUIRES: not is_integer(field).
    std::span<const double> real_column(Field field) const {
        return std::span(reals[static_cast<std::size_t>(field)]).first(count);
    }
    /// REQUIRES: is_integer(field).
    std::span<const std::int64_t> integer_column(Field field) const {
        return std::span(integers[static_cast<std::size_t>(field)]).first(count);
    }
};

}  // namespace schedfarm::models::trace
