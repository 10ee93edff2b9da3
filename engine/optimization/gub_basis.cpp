#include "engine/optimization/gub_basis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

/// to[i] += factor · from[i].
SCHEDFARM_VECTOR_CLONES
void add_multiple(
    double* __restrict to, const double* __restrict from, double factor, std::size_t count
) {
    for (std::size_t i = 0; i < count; ++i) {
        to[i] += factor * from[i];
    }
}

}  // namespace

GubBasis::GubBasis(const NestedAssignment& problem, std::vector<std::uint32_t> keys)
    : problem_(problem)
    , rows_(problem.rows())
    , keys_(std::move(keys))
    , slots_(rows_)
    , values_(rows_)
    , prices_(problem.intervals, 0) {
    for (std::size_t r = 0; r < rows_; ++r) {
        slots_[r].interval = static_cast<std::uint32_t>(r);
    }
    SCHEDFARM_EXPECT(refactorise(), "the first basis is not singular");
}

double GubBasis::key_value(std::size_t task) const {
    double result = 1;
    for (std::size_t r = 0; r < rows_; ++r) {
        result -= slots_[r].task == task ? values_[r] : 0;
    }
    return result;
}

void GubBasis::direction_of(GubVariable entering, std::vector<double>& direction) const {
    direction.assign(rows_, 0);
    const auto add = [&](std::size_t row, double factor) {
        if (row < rows_) {
            add_multiple(direction.data(), column(row), factor, rows_);
        }
    };
    if (entering.is_slack()) {
        add(entering.interval, 1);
        add(entering.interval + std::size_t{1}, -1);
    } else {
        const std::uint32_t key = keys_[entering.task];
        add(entering.interval, problem_.area(entering.task, entering.interval));
        add(key, -problem_.area(entering.task, key));
    }
}

void GubBasis::replace_key(
    GubVariable entering, double step, const std::vector<double>& direction
) {
    add_multiple(values_.data(), direction.data(), -step, rows_);
    keys_[entering.task] = entering.interval;
}

void GubBasis::exchange_key(std::size_t slot) {
    GubVariable& variable = slots_[slot];
    values_[slot] = key_value(variable.task);
    std::vector<std::size_t> slots_of_task;
    for (std::size_t r = 0; r < rows_; ++r) {
        if (slots_[r].task == variable.task) {
            slots_of_task.push_back(r);
        }
    }
    for (std::size_t row = 0; row < rows_; ++row) {
        double* const entries = column(row);
        double sum = 0;
        for (const std::size_t r : slots_of_task) {
            sum += entries[r];
        }
        entries[slot] = -sum;
    }
    std::swap(keys_[variable.task], variable.interval);
}

void GubBasis::replace_slot(
    std::size_t slot,
    GubVariable entering,
    double step,
    double gain,
    const std::vector<double>& direction
) {
    add_multiple(values_.data(), direction.data(), -step, rows_);
    values_[slot] = step;
    for (std::size_t row = 0; row < rows_; ++row) {
        double* const entries = column(row);
        const double factor = entries[slot] / direction[slot];
        if (factor != 0) {
            add_multiple(entries, direction.data(), -factor, rows_);
            entries[slot] = factor;
            prices_[row] -= gain * factor;
        }
    }
    slots_[slot] = entering;
    ++pivots_;
}

bool GubBasis::refactorise() {
    pivots_ = 0;
    if (!invert()) {
        return false;
    }
    compute_values();
    compute_prices();
    return true;
}

void GubBasis::add_column(GubVariable variable, double factor, std::vector<double>& to) const {
    const auto add = [&](std::size_t row, double value) {
        if (row < rows_) {
            to[row] += factor * value;
        }
    };
    if (variable.is_slack()) {
        add(variable.interval, 1);
        add(variable.interval + std::size_t{1}, -1);
    } else {
        add(variable.interval, problem_.area(variable.task, variable.interval));
    }
}

/// Rows of [the slots' columns | identity].
std::vector<double> GubBasis::matrix_and_identity() const {
    const std::size_t width = 2 * rows_;
    std::vector<double> result(rows_ * width, 0);
    std::vector<double> entries(rows_);
    for (std::size_t slot = 0; slot < rows_; ++slot) {
        const GubVariable variable = slots_[slot];
        std::fill(entries.begin(), entries.end(), 0.0);
        add_column(variable, 1, entries);
        if (!variable.is_slack()) {
            add_column({variable.task, keys_[variable.task]}, -1, entries);
        }
        for (std::size_t row = 0; row < rows_; ++row) {
            result[row * width + slot] = entries[row];
        }
        result[slot * width + rows_ + slot] = 1;
    }
    return result;
}

/// Gauss and Jordan with the largest pivot of each column.
bool GubBasis::invert() {
    const std::size_t width = 2 * rows_;
    std::vector<double> work = matrix_and_identity();
    for (std::size_t slot = 0; slot < rows_; ++slot) {
        std::size_t best = slot;
        for (std::size_t row = slot + 1; row < rows_; ++row) {
            const double value = std::abs(work[row * width + slot]);
            best = value > std::abs(work[best * width + slot]) ? row : best;
        }
        double* const pivot_row = &work[slot * width];
        std::swap_ranges(pivot_row, pivot_row + width, &work[best * width]);
        const double pivot = pivot_row[slot];
        if (pivot == 0) {
            return false;
        }
        std::transform(pivot_row, pivot_row + width, pivot_row, [pivot](double value) {
            return value / pivot;
        });
        for (std::size_t row = 0; row < rows_; ++row) {
            double* const other = &work[row * width];
            if (row != slot && other[slot] != 0) {
                add_multiple(other, pivot_row, -other[slot], width);
            }
        }
    }
    inverse_.resize(rows_ * rows_);
    for (std::size_t slot = 0; slot < rows_; ++slot) {
        for (std::size_t row = 0; row < rows_; ++row) {
            column(row)[slot] = work[slot * width + rows_ + row];
        }
    }
    return true;
}

void GubBasis::compute_values() {
    std::vector<double> right(rows_);
    for (std::size_t row = 0; row < rows_; ++row) {
        right[row] = problem_.capacities[row] - (row > 0 ? problem_.capacities[row - 1] : 0);
    }
    for (std::uint32_t task = 0; task < problem_.tasks; ++task) {
        add_column({task, keys_[task]}, -1, right);
    }
    std::fill(values_.begin(), values_.end(), 0.0);
    for (std::size_t row = 0; row < rows_; ++row) {
        add_multiple(values_.data(), column(row), right[row], rows_);
    }
}

void GubBasis::compute_prices() {
    for (std::size_t row = 0; row < rows_; ++row) {
        const double* const entries = column(row);
        double sum = 0;
        for (std::size_t slot = 0; slot < rows_; ++slot) {
            const GubVariable variable = slots_[slot];
            if (!variable.is_slack()) {
                const double difference = problem_.cost(variable.task, variable.interval)
                                          - problem_.cost(variable.task, keys_[variable.task]);
                sum += difference * entries[slot];
            }
        }
        prices_[row] = -sum;
    }
}

}  // namespace schedfarm::engine
