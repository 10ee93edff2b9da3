// An availability profile as plainly as possible: nothing but the list of reservations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/planning/profile/availability_profile.hpp"

namespace schedfarm::tests {

struct Reservation {
    double begin;
    double end;
    std::uint32_t processors;
};

/// A job and its reservation, which it may give up for an earlier one.
struct ReservedJob {
    std::uint32_t processors = 0;
    double duration = 0;
    double reserved = engine::AvailabilityProfile::never;  ///< begin; never: it has none
};

/// The first time from <= t < before at which the job could begin instead, else `reserved`.
inline double earlier_fit(
    const engine::AvailabilityProfile& profile,
    const ReservedJob& job,
    double from,
    double before = engine::AvailabilityProfile::never
) {
    engine::StepWindows one;
    one.from = from;
    one.before = before;
    one.insert(0, static_cast<std::int32_t>(job.processors), job.duration, job.reserved);
    return std::min(profile.first_earlier(one, 0).begin, job.reserved);
}

class PlainProfile {
  public:
    explicit PlainProfile(std::uint32_t processors) : processors_(processors) {}

    void reserve(Reservation reservation) { reservations_.push_back(reservation); }
    Reservation take_back(std::size_t i) {
        const Reservation taken = reservations_[i];
        reservations_.erase(reservations_.begin() + static_cast<std::ptrdiff_t>(i));
        return taken;
    }
    std::size_t count() const { return reservations_.size(); }
    const Reservation& at(std::size_t i) const { return reservations_[i]; }

    std::int32_t free_at(double time) const {
        auto free = static_cast<std::int32_t>(processors_);
        for (const Reservation& one : reservations_) {
            if (one.begin <= time && time < one.end) {
                free -= static_cast<std::int32_t>(one.processors);
            }
        }
        return free;
    }
    bool is_free(double begin, double end, std::uint32_t processors) const {
        const auto needed = static_cast<std::int32_t>(processors);
        return free_at(begin) >= needed
               && std::all_of(
                   reservations_.begin(),
                   reservations_.end(),
                   [&](const Reservation& one) {
                       return one.begin <= begin || one.begin >= end
                              || free_at(one.begin) >= needed;
                   }
               );
    }
    double earliest_fit(std::uint32_t processors, double duration, double from) const {
        return earlier_fit(
            {processors, duration, engine::AvailabilityProfile::never},
            from,
            engine::AvailabilityProfile::never
        );
    }
    /// As of the other profile.
    double earlier_fit(const ReservedJob& job, double from, double before) const {
        std::vector<double> begins{from};
        for (const Reservation& one : reservations_) {
            if (one.end > from && one.end < engine::AvailabilityProfile::never) {
                begins.push_back(one.end);
            }
        }
        std::sort(begins.begin(), begins.end());
        for (const double begin : begins) {
            const double end = std::min(engine::planned_end(begin, job.duration), job.reserved);
            if (begin < std::min(before, job.reserved) && is_free(begin, end, job.processors)) {
                return begin;
            }
        }
        return job.reserved;
    }

  private:
    std::uint32_t processors_;
    std::vector<Reservation> reservations_;
};

}  // namespace schedfarm::tests
