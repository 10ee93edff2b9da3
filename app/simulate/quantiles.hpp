// Quantiles of many values, of which few must be compared: all values are counted by exponent and
// the first bits of the fraction, which order numbers from 0 to infinity as they are; then those
// that fall together with a quantile are looked at again. Values come in pieces, twice, so that
// nobody need keep them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace schedfarm::app {

/// How many values lie in each of 32,768 cells.
class CellCounts {
  public:
    CellCounts() : counts_(std::size_t{1} << cell_bits) {}

    /// The cells of larger values are not smaller; −0 goes with 0.
    static std::size_t cell(double value) {
        return std::bit_cast<std::uint64_t>(value) << 1 >> (64 - cell_bits);
    }
    /// REQUIRES: value >= 0.
    void add(double value) { ++counts_[cell(value)]; }
    std::size_t operator[](std::size_t cell) const { return counts_[cell]; }

  private:
    static constexpr int cell_bits = 15;

    std::vector<std::uint32_t> counts_;
};

/// The quantile of some values at a share, as engine/statistics/quantile.hpp says.
class SoughtQuantile {
  public:
    /// REQUIRES: `values` > 0 were counted; 0 <= share <= 1.
    SoughtQuantile(const CellCounts& counts, std::size_t values, double share);

    /// Every value that was counted must come once.
    void look_at(std::span<const double> values);
    /// The result; the object is spent.
    double found();

  private:
    std::size_t cell_ = 0;
    std::size_t place_ = 0;  // among the values of the cell, in order
    std::size_t count_ = 0;  // of them
    std::vector<double> candidates_;
};

}  // namespace schedfarm::app
