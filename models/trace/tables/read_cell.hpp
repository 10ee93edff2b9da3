// What one cell of a table, or one value of a job in JSON, adds to what is known of the job. A
// quantity that a column before has said stays.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/trace/tables/column_map.hpp"
#include "models/trace/tables/table_jobs.hpp"

namespace schedfarm::models::trace {

/// False: the cell cannot be read, and the row is as if it said nothing. `day`: of the column's
/// last time.
bool read_cell(const MappedColumn& mapped, std::string_view cell, TableRow& row, KnownDay& day);

/// The quantities whose cells could not be read.
class UnreadCells {
  public:
    void add(Quantity quantity) { bits_ |= bit(quantity); }
    bool has(Quantity quantity) const { return (bits_ & bit(quantity)) != 0; }
    bool is_empty() const { return bits_ == 0; }

  private:
    static std::uint32_t bit(Quantity quantity) { return 1U << static_cast<unsigned>(quantity); }

    std::uint32_t bits_ = 0;
};

/// Whether a simulation cannot do without one of these: when the job came, how long it ran, and on
/// how many processors.
bool is_lost(const TableRow& row, const UnreadCells& unread);

}  // namespace schedfarm::models::trace
