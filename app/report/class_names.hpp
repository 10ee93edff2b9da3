// What the job classes of a result file are called, as its workload models say. Reads only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results_schema/tables/table.hpp"

namespace schedfarm::app {

/// What "slowdown.mean[class=2]" is about.
struct PartMetric {
    std::string metric;        ///< "slowdown.mean"
    std::uint64_t number = 0;  ///< of the class or cluster
};

/// `part`: "class" or "cluster". Absent where the column is not one of such a part.
std::optional<PartMetric> part_metric(std::string_view column, std::string_view part);

/// Whether a column belongs to class_sections() or cluster_sections().
bool is_of_part(std::string_view column);

class ClassNames {
  public:
    explicit ClassNames(const results_schema::ResultFile& results);

    /// Empty where the class has no name.
    std::string name(std::uint64_t cell, std::uint64_t job_class) const;

    /// The name of the class that a column like "slowdown.mean[class=2]" is about; empty: of none.
    std::string name_of_column(std::uint64_t cell, std::string_view column) const;

    /// "Class 0: interactive; class 1: batch.", a sentence for all cells that agree; none where
    /// classes have no names.
    std::vector<std::string> sentences() const;

  private:
    std::map<std::uint64_t, std::vector<std::string>> names_;  ///< by cell, by class
    std::vector<std::string> labels_;                          ///< of cells
};

}  // namespace schedfarm::app
