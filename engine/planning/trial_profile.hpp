// Free processors over time for trying other plans: made of an availability profile
// (availability_profile.hpp), changed for a while, and forgotten. What is given back leaves its
// steps, and what is taken adds one at most, so that a change moves little; the two answer every
// question alike.
//
// The stretches lie in blocks of sixteen, and grow as needed.
//
// Cost: O(stretches) each, by vectors of four to sixteen; no allocation once the largest number of
// stretches was seen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace schedfarm::engine {

class TrialProfile {
  public:
    static constexpr double never = std::numeric_limits<double>::infinity();

    /// Becomes as a profile is from `from` on, of which it is shown the stretches in order of time.
    /// REQUIRES: the first reaches beyond `from`; beyond `count` a block of times is never.
    void assign(const double* times, const std::int32_t* values, std::size_t count, double from);
    /// The same, stretch after stretch.
    void clear();
    void append(double time, std::int32_t value);

    struct Wanted {
        double duration = 0;
        double latest = never;  ///< the begin
        double until = never;   ///< from then on processors suffice
        std::uint32_t processors = 0;
    };
    /// Where a job fits: a time, and the stretch that begins then, until the profile is changed.
    struct Place {
        double begin = never;
        std::size_t stretch = 0;
    };
    /// The first time, from the first of the profile on, at which a job fits; never if there is
    /// none, or it is later than the latest.
    Place earliest_fit(const Wanted& job) const;

    /// Becomes as `other` is with the job at its place; never: without it.
    void assign(const TrialProfile& other, const Wanted& job, const Place& place);
    /// Gives each of the jobs in turn its earliest fit and tells when it begins, up to the first
    /// that would begin too late. Returns how many were placed. What it leaves has no use but for
    /// last_step().
    std::size_t place(std::span<const Wanted> jobs, std::vector<double>& begins);
    /// Gives processors back at begin <= t < end. REQUIRES: the first time <= begin < end.
    void release(double begin, double end, std::uint32_t processors);

    std::size_t stretches() const { return count_; }
    /// Whether all times at which a stretch begins, from the first of the profile on, are such.
    template <typename Predicate>
    bool all_begins_of(Predicate is_such) const {
        for (std::size_t i = 0; i < count_; ++i) {
            if (!is_such(time(i))) {
                return false;
            }
        }
        return true;
    }
    double last_step() const { return time(count_ - 1); }

    static constexpr std::size_t block = 16;
    // Behind the last stretch up to the end of a block, of the next where it is full, times are
    // never.
    struct Block {
        alignas(64) std::array<double, block> times;  // at which the stretches begin
        std::array<std::int32_t, block> values;
    };

  private:
    double time(std::size_t i) const { return blocks_[i / block].times[i % block]; }
    void assign(const TrialProfile& other, std::size_t first, double end, std::int32_t amount);
    void split(double time, std::int32_t amount);
    void count_one_more();
    void make_room(std::size_t stretches);

    std::vector<Block> blocks_;
    mutable std::vector<std::uint64_t> lacking_;  // of a search: a bit of each stretch
    std::size_t count_ = 0;
};

}  // namespace schedfarm::engine
