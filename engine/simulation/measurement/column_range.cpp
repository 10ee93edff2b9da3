#include "engine/simulation/measurement/column_range.hpp"

#include <algorithm>
#include <array>

#include "engine/simulation/measurement/metrics.hpp"
#include "engine/simulation/measurement/published_columns.hpp"

namespace schedfarm::engine {

namespace {

/// Columns that belong to no metric.
struct ColumnRange {
    std::string_view name;
    ValueRange range;
};

constexpr std::array<ColumnRange, 12> other_columns{
    {{"capacity_loss", a_share},
     {"capacity_loss.fill_sd", not_negative},
     {"jobs_placed", not_negative},
     {"throughput", not_negative},
     {"makespan", not_negative},
     {"weighted_completion", not_negative},
     {reservations_refused, not_negative},
     {reservations_missed, not_negative},
     {offered_delay, not_negative},
     {availability, a_share},
     {jobs_cut, not_negative},
     {lost_work, not_negative}}};

}  // namespace

ValueRange range_of_column(std::string_view column) {
    const std::string_view name = column.substr(0, column.find('['));
    const std::size_t dot = name.find('.');
    if (const MetricDescription* metric = find_metric(name.substr(0, dot))) {
        const std::string_view part = dot == std::string_view::npos ? "" : name.substr(dot + 1);
        if (part == "share" || part == "largest_share") {
            return a_share;
        }
        return part == "count" || part == "weight" ? not_negative : metric->range;
    }
    const auto* const found =
        std::find_if(other_columns.begin(), other_columns.end(), [name](const ColumnRange& other) {
            return other.name == name;
        });
    return found == other_columns.end() ? any_value : found->range;
}

}  // namespace schedfarm::engine
