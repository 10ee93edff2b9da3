// The parameters of the workload model `trace`, read from their table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/parameters.hpp"

#include "models/trace/dependencies.hpp"
#include "models/trace/reading/reader.hpp"
#include "models/trace/row_columns.hpp"
#include "models/trace/selection.hpp"

namespace schedfarm::models::trace {

/// What distinguishes the replications of one log.
enum class Resampling : std::uint8_t {
    weeks,       ///< ResampledWeeks, lap after lap
    users,       ///< ResampledUsers at the log's load, lap after lap
    free_users,  ///< ResampledUsers of any load, lap after lap
    none,        ///< the log itself, shaken if asked for
};

constexpr bool draws_users(Resampling resampling) {
    return resampling == Resampling::users || resampling == Resampling::free_users;
}

/// How much of a log counts, beside the dates.
enum class Extent : std::uint8_t { whole, dense };

struct TraceSettings {
    std::string prepared_text;  ///< of the parameters that a prepared log depends on, canonical
    std::string file;
    engine::NamingFolders folders;
    std::string sha256;  ///< expected; empty: any
    Reading reading;     ///< how; with all columns, and no checksum
    std::string from;    ///< a date or a second of the log; empty: the beginning
    std::string before;
    Extent extent = Extent::whole;
    Selection selection;  ///< without the dates: they need the log's clock
    Filling filling;
    MemoryRule memory = MemoryRule::requested_else_used;
    ClassRule classes = ClassRule::none;
    QueueRule queue;
    DependencyRule dependencies = DependencyRule::keep;
    Resampling resampling = Resampling::weeks;
    std::uint32_t shake_s = 0;
    double load_factor = 1;

    /// REQUIRES: complete parameters that the table admits. Throws LogError for a map of columns
    /// that means nothing.
    explicit TraceSettings(const engine::Parameters& parameters);
};

const std::vector<engine::ParameterDescription>& trace_parameters();

/// Of parameters as TraceSettings wants them.
Resampling resampling_of(const engine::Parameters& parameters);

/// Whether the parameter says how a log is read, and not what becomes of its jobs.
bool is_of_reading(std::string_view parameter);

/// Intervals that are not intervals.
std::vector<engine::ParameterProblem> interval_problems(const engine::Parameters& parameters);

}  // namespace schedfarm::models::trace
