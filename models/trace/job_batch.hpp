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
    std::array<std::array<double, capacity>, field_count> values{};
    std::array<std::uint64_t, capacity> line{};  ///< number in the file, from 1

    std::span<const double> column(Field field) const {
        return std::span(values[static_cast<std::size_t>(field)]).first(count);
    }
};

}  // namespace schedfarm::models::trace
