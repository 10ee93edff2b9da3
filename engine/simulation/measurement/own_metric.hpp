// A metric that a campaign makes of the columns of jobs: "wait / sqrt(service_time)". One number of
// each job, from +, −, ×, ÷ and our own elementary functions: the same bits on every machine.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/expression.hpp"
#include "engine/simulation/measurement/metrics.hpp"

namespace schedfarm::engine {

/// The columns that an expression may name, sorted.
std::vector<std::string> own_metric_columns();

/// What a metric may be called; a name of the program's metrics is none.
bool is_own_metric_name(std::string_view name);

/// Immutable.
class OwnMetric {
  public:
    /// Throws ExpressionError: also where a column is unknown, where none is named, and where what
    /// is added or compared has two units. A number takes the unit of what it is added to, and what
    /// it is multiplied by has any.
    OwnMetric(std::string name, const std::string& text);
    OwnMetric(const OwnMetric&) = delete;
    OwnMetric& operator=(const OwnMetric&) = delete;

    /// Its texts live as long as the metric.
    const MetricDescription& description() const { return description_; }
    const std::string& text() const { return text_; }
    /// The same for all texts of the same operations on the same columns and numbers.
    std::string canonical_text() const;

    /// Throws std::runtime_error, which names the job, where the value is not finite. `stack` is
    /// for the use of this function alone. Cost: some 10 ns for each operation.
    double of_job(const JobRecord& job, std::vector<double>& stack) const;

  private:
    std::string name_;
    std::string text_;
    std::string unit_;
    Expression expression_;
    std::vector<double (*)(const JobRecord&)> columns_;  ///< of the expression's paths
    MetricDescription description_;
};

}  // namespace schedfarm::engine
