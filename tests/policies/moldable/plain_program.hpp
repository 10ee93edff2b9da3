// The refined linear program of moldable jobs written once more, plainly: the grid, and the simplex
// method on the whole tableau. For sets of 60 or so.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/policies/moldable/plain_moldable.hpp"

namespace schedfarm::tests {

/// Least cost, and what share of every task ends in which interval.
struct PlainShares {
    double cost = 0;
    bool is_unique = true;                    ///< false: other shares may cost as little
    std::vector<double> ends;                 ///< of the intervals
    std::vector<std::vector<double>> shares;  ///< [task][interval]
};

class PlainProgram {
  public:
    PlainProgram(const std::vector<PlainTask>& tasks, std::uint32_t machine, double lambda)
        : tasks_(tasks), machine_(machine) {
        double least = std::numeric_limits<double>::infinity();
        for (const PlainTask& task : tasks) {
            least = std::min(least, task.times.back());
        }
        for (int step = -4; points_.empty() || points_.front() > least; ++step) {
            points_.insert(points_.begin(), lambda * std::exp2(-step / 4.0));
        }
        intervals_ = points_.size() - 1;
    }

    /// From all tasks in the last interval on, which has no limit.
    PlainShares solve() {
        fill();
        int pivots = 0;
        while (pivot()) {
            if (++pivots > 100'000) {
                throw std::logic_error("the simplex method goes round in circles");
            }
        }
        PlainShares result;
        result.cost = -rows_.back().back();
        result.is_unique = is_unique(result.cost);
        result.ends.assign(points_.begin() + 1, points_.end());
        result.shares.assign(tasks_.size(), std::vector<double>(intervals_));
        for (std::size_t row = 0; row < basis_.size(); ++row) {
            if (basis_[row] < tasks_.size() * intervals_) {
                const double share = std::round(std::ldexp(rows_[row].back(), 30));
                result.shares[basis_[row] / intervals_][basis_[row] % intervals_] =
                    std::ldexp(share, -30);
            }
        }
        return result;
    }

  private:
    static constexpr double tolerance = 1e-11;

    std::size_t column(std::size_t task, std::size_t interval) const {
        return task * intervals_ + interval;
    }

    /// Rows: every task once, the room by the end of every interval but the last, the costs.
    /// Columns: shares, room left, right-hand side.
    void fill() {
        const std::size_t n = tasks_.size();
        const std::size_t columns = n * intervals_ + intervals_ - 1 + 1;
        rows_.assign(n + intervals_, std::vector<double>(columns));
        for (std::size_t i = 0; i < n; ++i) {
            fill_task(i);
            basis_.push_back(column(i, intervals_ - 1));
        }
        for (std::size_t j = 0; j + 1 < intervals_; ++j) {
            rows_[n + j][n * intervals_ + j] = 1;
            rows_[n + j].back() = machine_ * points_[j + 1];
            basis_.push_back(n * intervals_ + j);
        }
    }

    void fill_task(std::size_t i) {
        const PlainTask& task = tasks_[i];
        const auto cost = [&](std::size_t j) {
            return task.weight * std::max(points_[j], task.times.back());
        };
        const double last_cost = cost(intervals_ - 1);
        rows_[i].back() = 1;
        rows_.back().back() -= last_cost;
        for (std::size_t j = 0; j < intervals_; ++j) {
            const std::uint32_t processors = task.gamma(points_[j + 1]);
            if (processors > machine_) {
                rows_.back()[column(i, j)] = 1;  // cannot end by then: never gains
                continue;
            }
            rows_[i][column(i, j)] = 1;
            rows_.back()[column(i, j)] = cost(j) - last_cost;
            for (std::size_t later = j; later + 1 < intervals_; ++later) {
                rows_[tasks_.size() + later][column(i, j)] = task.area(processors);
            }
        }
    }

    /// False: no column gains.
    bool pivot() {
        const std::vector<double>& costs = rows_.back();
        const auto entering = std::min_element(costs.begin(), costs.end() - 1) - costs.begin();
        const auto in = static_cast<std::size_t>(entering);
        if (costs[in] > -tolerance) {
            return false;
        }
        std::size_t out = rows_.size();
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t row = 0; row + 1 < rows_.size(); ++row) {
            if (rows_[row][in] > tolerance && rows_[row].back() / rows_[row][in] < least) {
                least = rows_[row].back() / rows_[row][in];
                out = row;
            }
        }
        const double by = rows_[out][in];
        for (double& value : rows_[out]) {
            value /= by;
        }
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            subtract(row, out, row == out ? 0 : rows_[row][in]);
        }
        basis_[out] = in;
        return true;
    }

    /// All columns that are not of the basis would cost something.
    bool is_unique(double cost) const {
        std::vector<double> costs(rows_.back().begin(), rows_.back().end() - 1);
        for (const std::size_t column : basis_) {
            costs[column] = cost;
        }
        return *std::min_element(costs.begin(), costs.end()) > 1e-9 * cost;
    }

    void subtract(std::size_t row, std::size_t other, double factor) {
        for (std::size_t c = 0; factor != 0 && c < rows_[row].size(); ++c) {
            rows_[row][c] -= factor * rows_[other][c];
        }
    }

    const std::vector<PlainTask>& tasks_;
    std::uint32_t machine_;
    std::size_t intervals_ = 0;
    std::vector<double> points_;  // of the grid
    std::vector<std::vector<double>> rows_;
    std::vector<std::size_t> basis_;  // the column of each row
};

}  // namespace schedfarm::tests
