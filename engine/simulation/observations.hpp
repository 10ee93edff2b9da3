// What a replication yields: a fixed row of named numbers and a fingerprint.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schedfarm::engine {

/// A column of the replication table, known before any replication runs.
struct ObservationColumn {
    std::string name;  ///< "response_time.mean", "response_time.p95", "response_time.mean[class=2]"
    std::string unit;
    std::string meaning;
    friend bool operator==(const ObservationColumn&, const ObservationColumn&) = default;
};

/// The result of one replication. `values` follows the columns of its probe set; a number that does
/// not exist (mean over no jobs) is a quiet NaN.
struct Observations {
    std::vector<double> values;
    /// Commutative hash over jobs of (index, start, finish), bin filling: over fills of
    /// (fill, jobs placed, processors idle). Equal schedules have equal fingerprints.
    std::uint64_t fingerprint = 0;
    std::uint64_t jobs = 0;  ///< jobs completed (bin filling: placed), measured or not
    friend bool operator==(const Observations&, const Observations&) = default;
};

}  // namespace schedfarm::engine
