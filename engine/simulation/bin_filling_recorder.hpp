// Turns fills into the observations of a bin-filling replication. Fill f belongs to row
// f mod bin_rows; rows are independent, the fills of one row come in order, and rows may be added
// in any order or interleaved. Everything is integer arithmetic, so the result is exact: a
// vectorised loop may keep a BinFillingRow per lane and hand in the rows at the end.
//
// The fingerprint of a row is a polynomial in 32-bit arithmetic, cheap in any vector unit:
//
//     hash := hash * 0x9e3779b1 + (placed << 16) + idle     (modulo 2^32)
//
// It is weak within a row (2^-32) but every one-fill difference changes it, because the factor is
// odd; the bin_rows hashes are mixed and added into the 64-bit fingerprint.
#pragma once

#include <array>
#include <cstdint>

#include "engine/simulation/experiment.hpp"
#include "engine/simulation/observations.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::engine {

/// Sums over the fills of one row.
struct BinFillingRow {
    static constexpr std::uint32_t hash_factor = 0x9e3779b1U;

    std::uint64_t fills = 0;
    std::uint64_t placed = 0;
    std::uint64_t idle = 0;
    std::uint64_t idle_squared = 0;
    std::uint32_t hash = 0;

    void add(std::uint32_t fill_placed, std::uint32_t fill_idle) {
        ++fills;
        placed += fill_placed;
        idle += fill_idle;
        idle_squared += std::uint64_t{fill_idle} * fill_idle;
        hash = hash * hash_factor + (fill_placed << 16) + fill_idle;
    }
};

/// Fills of row r among `fills` fills.
constexpr std::uint64_t fills_of_row(std::uint64_t fills, std::uint64_t row) {
    return (fills + bin_rows - 1 - row) / bin_rows;
}

class BinFillingRecorder {
  public:
    BinFillingRecorder(const Experiment& experiment, const SystemDescription& system);

    /// Adds the next fill of a row.
    void add(std::uint64_t row, std::uint32_t placed, std::uint32_t idle) {
        rows_[row].add(placed, idle);
    }
    /// Sets a whole row.
    void set_row(std::uint64_t row, const BinFillingRow& sums) { rows_[row] = sums; }

    /// The values of observation_columns(). REQUIRES: every row has fills_of_row() fills.
    Observations finish() const;

  private:
    std::array<BinFillingRow, bin_rows> rows_{};
    std::uint64_t fills_;
    std::uint32_t processors_;
};

}  // namespace schedfarm::engine
