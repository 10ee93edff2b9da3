// How far two measurements of the same things agree: values that were recorded, and values that a
// model gives. Pure functions.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace schedfarm::engine {

/// Kendall's tau-b of pairs (first[i], second[i]): concordant less discordant pairs, over the
/// geometric mean of the pairs that are not tied in `first` and of those not tied in `second`
/// (Kendall 1945). NaN where all values of one are equal. Cost: O(n log n); each is sorted by
/// bytes, in 16 bytes a pair where all are whole and below 2^32, beyond the values in 32 else.
/// REQUIRES: as many of both; no NaN; n < 2^32.
double kendall_tau_b(std::vector<double> first, std::vector<double> second);

/// What counts as the same: |modelled − recorded| <= max(relative · |recorded|, absolute).
struct Tolerance {
    double relative = 0;
    double absolute = 0;
};

struct Agreement {
    std::uint64_t n = 0;
    double recorded_mean = std::numeric_limits<double>::quiet_NaN();  ///< NaN: n = 0
    double modelled_mean = std::numeric_limits<double>::quiet_NaN();
    double share_within = std::numeric_limits<double>::quiet_NaN();
    double rank_agreement = std::numeric_limits<double>::quiet_NaN();  ///< tau-b
    friend bool operator==(const Agreement&, const Agreement&) = default;
};

/// REQUIRES: those of kendall_tau_b().
Agreement agreement(
    std::vector<double> recorded, std::vector<double> modelled, const Tolerance& tolerance
);

/// The agreement of a part of the things: all whose `kind`, "queue", is `name`, "queue 3 (night)".
struct GroupAgreement {
    std::string kind;
    std::string name;
    Agreement values;
    friend bool operator==(const GroupAgreement&, const GroupAgreement&) = default;
};

}  // namespace schedfarm::engine
