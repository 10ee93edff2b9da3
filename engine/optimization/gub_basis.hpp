// The basis of the GUB simplex method: for each task its key interval, and a slot per capacity row
// with a further variable, either another interval of some task or a slack. Rows here are
// differences of the nested ones: interval j offers its own part and what its predecessor leaves,
//   Σ_i area(i, j) x(i, j) + slack(j) − slack(j − 1) = capacity(j) − capacity(j − 1),
// so that a variable has at most two coefficients. Eliminating the keys turns the column of (i, j)
// into area(i, j) e_j − area(i, key) e_key; the inverse of the matrix of the slots' columns is kept
// explicitly and brought up to date by pivots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/optimization/nested_assignment.hpp"

namespace schedfarm::engine {

/// A variable: a task in an interval, or the slack of an interval.
struct GubVariable {
    static constexpr std::uint32_t slack = 0xffffffffU;
    std::uint32_t task = slack;
    std::uint32_t interval = 0;
    bool is_slack() const { return task == slack; }
};

class GubBasis {
  public:
    /// Every task in its key, every slot a slack. REQUIRES: that satisfies the constraints; the
    /// problem outlives this.
    GubBasis(const NestedAssignment& problem, std::vector<std::uint32_t> keys);

    std::uint32_t key(std::size_t task) const { return keys_[task]; }
    const std::vector<GubVariable>& slots() const { return slots_; }
    const std::vector<double>& values() const { return values_; }
    /// Prices by interval, 0 beyond the rows.
    const std::vector<double>& prices() const { return prices_; }
    double key_value(std::size_t task) const;

    /// How far the slots fall when the variable rises by 1.
    void direction_of(GubVariable entering, std::vector<double>& direction) const;

    /// The entering variable rises by step along its direction and becomes its task's key.
    /// REQUIRES: no slot holds a variable of the task.
    void replace_key(GubVariable entering, double step, const std::vector<double>& direction);

    /// Exchanges the key of the slot's task with the slot's variable.
    void exchange_key(std::size_t slot);

    /// The entering variable, of reduced cost `gain`, rises by step and takes the slot.
    void replace_slot(
        std::size_t slot,
        GubVariable entering,
        double step,
        double gain,
        const std::vector<double>& direction
    );

    /// Computes inverse, values and prices afresh. False: the basis is singular.
    [[nodiscard]] bool refactorise();
    std::size_t pivots_since_refactorisation() const { return pivots_; }

  private:
    double* column(std::size_t row) { return &inverse_[row * rows_]; }
    const double* column(std::size_t row) const { return &inverse_[row * rows_]; }
    void add_column(GubVariable variable, double factor, std::vector<double>& to) const;
    std::vector<double> matrix_and_identity() const;
    bool invert();
    void compute_values();
    void compute_prices();

    const NestedAssignment& problem_;
    std::size_t rows_;
    std::vector<std::uint32_t> keys_;
    std::vector<GubVariable> slots_;
    std::vector<double> values_;   // by slot
    std::vector<double> prices_;   // by interval
    std::vector<double> inverse_;  // column by column: column(row)[slot]
    std::size_t pivots_ = 0;
};

}  // namespace schedfarm::engine
