#include <algorithm>
#include <string>
#include <vector>

#include "engine/planning/availability_profile.hpp"

#include "policies/reservations.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr double never = AvailabilityProfile::never;

class ReservationVerifier final : public ScheduleVerifier {
  public:
    ReservationVerifier(const ReservationSettings& settings, const SystemDescription& system)
        : settings_(settings)
        , processors_(system.processors())
        , checks_(system.capacity_changes.empty()) {}

    void observe(const ScheduleStep& step) override {
        if (!checks_) {
            return;
        }
        const Job& job = *step.job;
        if (step.kind == ScheduleStep::Kind::arrival) {
            const double duration = planned_duration(job, settings_.run_time);
            checks_ = job.structure == RequestStructure::total && duration < never
                      && duration >= job.service_time;
            arrivals_.push_back(
                {.index = job.index,
                 .size = job.size,
                 .submit_time = job.submit_time,
                 .duration = duration,
                 .fixed_start = job.fixed_start}
            );
        } else if (step.kind == ScheduleStep::Kind::completion) {
            completions_.push_back(job.index);
        } else if (step.kind == ScheduleStep::Kind::start) {
            starts_.push_back(job.index);
        }
    }

    void end_of_instant(double time) override {
        if (!checks_) {
            return;
        }
        now_ = time;
        expected_.clear();
        take_events();
        std::sort(starts_.begin(), starts_.end());
        std::sort(expected_.begin(), expected_.end());
        if (starts_ != expected_) {
            throw ScheduleError(
                "at time " + std::to_string(time) + ": jobs" + text(starts_)
                + " started; by the plan they would be" + text(expected_)
            );
        }
        arrivals_.clear();
        completions_.clear();
        starts_.clear();
    }

    void finish() override {}

  private:
    struct Planned {
        std::uint64_t index = 0;
        std::uint32_t size = 0;
        double submit_time = 0;
        double duration = 0;
        double begin = never;
        double promised = never;  // the first reservation
        bool runs = false;
        double fixed_start = no_fixed_start;
        bool is_booked = false;

        bool holds() const { return begin < never; }
        double end() const { return planned_end(begin, duration); }
    };

    static std::string text(const std::vector<std::uint64_t>& jobs) {
        std::string result;
        for (const std::uint64_t index : jobs) {
            result += " " + std::to_string(index);
        }
        return result.empty() ? " none" : result;
    }

    void take_events() {
        const bool once = settings_.simultaneous == Simultaneous::batch;
        const bool submits_first = settings_.simultaneous == Simultaneous::submit_first;
        for (int turn = 0; turn < 2; ++turn) {
            if ((turn == 0) == submits_first) {
                for (const Planned& job : arrivals_) {
                    arrive(job);
                    look(once);
                }
            } else {
                for (const std::uint64_t index : completions_) {
                    complete(index);
                    look(once);
                }
            }
        }
        look(!once && arrivals_.size() + completions_.size() > 0);
    }

    // An advance reservation is taken where no instant of it lacks processors.
    void arrive(Planned job) {
        if (job.fixed_start >= now_) {
            job.begin = job.fixed_start;
            bool fits = in_use(job.begin) + job.size <= processors_;
            for (const Planned& other : jobs_) {
                const bool begins_within =
                    other.holds() && job.begin < other.begin && other.begin < job.end();
                fits = fits && (!begins_within || in_use(other.begin) + job.size <= processors_);
            }
            job.is_booked = fits;
            if (!fits) {
                job.begin = never;
            }
            job.promised = job.begin;
        }
        jobs_.push_back(job);
    }

    std::uint64_t in_use(double time) const {
        std::uint64_t sum = 0;
        for (const Planned& job : jobs_) {
            sum += job.holds() && job.begin <= time && time < job.end() ? job.size : 0;
        }
        return sum;
    }

    void look(bool later) {
        if (!later) {
            compress();
            start_due();
            take_up();
        }
    }

    void complete(std::uint64_t index) {
        const auto done = std::find_if(jobs_.begin(), jobs_.end(), [index](const Planned& job) {
            return job.index == index;
        });
        freed_ = freed_ || done->end() > now_;
        jobs_.erase(done);
    }

    void compress() {
        if (!freed_) {
            return;
        }
        freed_ = false;
        for (Planned& job : jobs_) {
            if (job.holds() && !job.runs && !job.is_booked) {
                job.begin = never;
                job.begin = earliest(job);
            }
        }
    }

    void start_due() {
        for (Planned& job : jobs_) {
            if (!job.runs && job.begin <= now_) {
                start(job);
            }
        }
    }

    void take_up() {
        std::uint64_t reserved = 0;
        for (Planned& job : jobs_) {
            if (!job.holds()) {
                const double begin = earliest(job);
                const double wait = now_ - job.submit_time;
                const double factor = settings_.entitlement.expansion_factor;
                const bool is_entitled =
                    reserved < settings_.entitlement.most && wait >= (factor - 1) * job.duration;
                if (is_entitled || begin == now_) {
                    job.begin = begin;
                    job.promised = begin;
                }
                if (begin == now_) {
                    start(job);
                }
            }
            reserved += job.holds() && !job.runs && !job.is_booked ? 1U : 0U;
        }
    }

    void start(Planned& job) {
        if (job.begin > job.promised) {
            throw ScheduleError(
                "at time " + std::to_string(now_) + ": job " + std::to_string(job.index)
                + " starts later than first reserved, " + std::to_string(job.promised)
            );
        }
        job.runs = true;
        expected_.push_back(job.index);
    }

    struct Change {
        double time;
        std::int64_t free;
    };

    // All begins and ends to come, sorted.
    std::vector<Change> changes() const {
        std::vector<Change> result;
        for (const Planned& job : jobs_) {
            if (job.holds()) {
                result.push_back({std::max(job.begin, now_), -std::int64_t{job.size}});
                result.push_back({job.end(), job.size});
            }
        }
        std::sort(result.begin(), result.end(), [](const Change& a, const Change& b) {
            return a.time < b.time;
        });
        return result;
    }

    double earliest(const Planned& wanted) const {
        const std::vector<Change> all = changes();
        std::int64_t free = processors_;
        double begin = free >= wanted.size ? now_ : never;
        for (std::size_t i = 0; i < all.size();) {
            const double time = all[i].time;
            if (begin < never && time >= planned_end(begin, wanted.duration)) {
                return begin;
            }
            for (; i < all.size() && all[i].time == time; ++i) {
                free += all[i].free;
            }
            begin = free < wanted.size ? never : std::min(begin, time);
        }
        return begin;
    }

    ReservationSettings settings_;
    std::uint32_t processors_;
    bool checks_;
    std::vector<Planned> jobs_;  // in order of arrival: what runs and what waits
    bool freed_ = false;
    double now_ = 0;

    // Of this instant.
    std::vector<Planned> arrivals_;
    std::vector<std::uint64_t> completions_;
    std::vector<std::uint64_t> starts_;
    std::vector<std::uint64_t> expected_;
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_reservation_verifier(
    const ReservationSettings& settings, const SystemDescription& system
) {
    return std::make_unique<ReservationVerifier>(settings, system);
}

}  // namespace schedfarm::policies
