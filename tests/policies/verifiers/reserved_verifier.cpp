#include "tests/policies/verifiers/reserved_verifier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/planning/profile/step_window.hpp"

#include "policies/moldable/moldable_reservations.hpp"

namespace schedfarm::tests {

namespace {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

constexpr double never = std::numeric_limits<double>::infinity();

/// What happened to a job; one that asks to start at a time asks for `request`.
struct Record {
    std::uint64_t index = 0;
    double arrival = 0;
    double fixed_start = no_fixed_start;
    ReservedRequest request;
    std::size_t most_processors = 0;  // of a moldable job
    bool is_reservation = false;      // that was taken
    std::uint32_t processors = 0;
    double start = never;
    double time = 0;

    double end() const { return planned_end(start, time); }
    bool holds_processors() const { return time > 0 || is_reservation; }
};

class ReservedVerifier final : public ScheduleVerifier {
  public:
    ReservedVerifier(const MoldableInvariants& invariants, const SystemDescription& system)
        : invariants_(invariants)
        , processors_(system.processors())
        , has_counts_(system.outages.empty()) {}

    void observe(const ScheduleStep& step) override {
        switch (step.kind) {
            case ScheduleStep::Kind::arrival:
                has_counts_ = has_counts_ && step.job->structure == RequestStructure::total
                              && !std::isinf(step.job->service_time);
                arrive(step);
                break;
            case ScheduleStep::Kind::start:
                start(step);
                break;
            default:
                break;
        }
    }

    void end_of_instant(double) override {}

    void finish() override {
        if (has_counts_) {
            follow_batches();
        }
        for (const Record& job : jobs_) {
            check_allotment(job);
        }
    }

  private:
    using Jobs = std::vector<Record*>;

    [[noreturn]] static void fail(double time, const Record& job, const char* what) {
        throw ScheduleError(
            "at time " + std::to_string(time) + ": job " + std::to_string(job.index) + " " + what
        );
    }

    void arrive(const ScheduleStep& step) {
        const Job& job = *step.job;
        jobs_.push_back(
            {.index = job.index,
             .arrival = step.time,
             .fixed_start = job.fixed_start,
             .request = reserved_request(job),
             .most_processors = job.moldable != nullptr ? job.moldable->times.size() : 0}
        );
    }

    void start(const ScheduleStep& step) {
        Record& job = jobs_[step.job->index - jobs_.front().index];
        job.start = step.time;
        for (const ClusterShare& share : step.shares) {
            job.processors += share.count;
        }
        const MoldableTimes* moldable = step.job->moldable;
        job.time =
            moldable != nullptr ? moldable->times[job.processors - 1] : step.job->service_time;
    }

    /// The batches one after the other, as arrivals and ends make them.
    void follow_batches() {
        std::size_t next = 0;
        double free_from = 0;  // the last batch was over
        while (next < jobs_.size() || !waiting_.empty()) {
            double begin = free_from;
            if (waiting_.empty()) {
                begin = std::max(begin, jobs_[next].arrival);
            }
            while (next < jobs_.size() && jobs_[next].arrival <= begin) {
                admit(jobs_[next++], {});
            }
            if (waiting_.empty()) {
                continue;
            }
            const Jobs batch = std::move(waiting_);
            waiting_.clear();
            free_from = check_batch(batch, begin);
            while (next < jobs_.size() && jobs_[next].arrival < free_from) {
                admit(jobs_[next++], batch);
            }
        }
    }

    /// A reservation if it has room beside the running batch; else it waits for the next.
    void admit(Record& job, const Jobs& batch) {
        if (job.fixed_start >= job.arrival) {
            const double end = planned_end(job.fixed_start, job.request.time);
            const auto counts = [](const Record& other) {
                return other.holds_processors();
            };
            job.is_reservation =
                job.request.processors <= least_free({job.fixed_start, end}, batch, counts);
        }
        if (!job.is_reservation) {
            waiting_.push_back(&job);
            return;
        }
        if (job.start != job.fixed_start) {
            fail(job.fixed_start, job, "does not begin, though its reservation had room");
        }
        if (job.processors != job.request.processors) {
            fail(job.start, job, "does not run on the processors that it reserved");
        }
        reservations_.push_back(&job);
    }

    struct Window {
        double begin = 0;
        double end = 0;
    };

    /// The least number that those of the batch and of the reservations that count leave free in
    /// the window.
    template <typename Counts>
    std::uint32_t least_free(const Window& window, const Jobs& batch, const Counts& counts) const {
        std::vector<std::pair<double, std::int64_t>> changes;
        for (const Jobs* list : {&batch, &reservations_}) {
            for (const Record* job : *list) {
                if (job->start < window.end && job->end() > window.begin && counts(*job)) {
                    changes.emplace_back(std::max(job->start, window.begin), job->processors);
                    changes.emplace_back(job->end(), -std::int64_t{job->processors});
                }
            }
        }
        std::sort(changes.begin(), changes.end());
        std::int64_t used = 0;
        std::int64_t most = 0;
        for (const auto& [time, amount] : changes) {
            used += amount;
            most = time < window.end ? std::max(most, used) : most;
        }
        return static_cast<std::uint32_t>(std::max<std::int64_t>(processors_ - most, 0));
    }

    /// Returns its end.
    double check_batch(const Jobs& batch, double begin) const {
        double end = begin;
        for (const Record* job : batch) {
            if (job->start < begin) {
                fail(job->start, *job, "starts though its batch has not begun");
            }
            end = std::max(end, job->start + job->time);
        }
        if (invariants_.starts != MoldableStarts::any) {
            check_starts(batch, begin);
        }
        return end;
    }

    void check_starts(const Jobs& batch, double begin) const {
        std::vector<double> ends{begin};
        for (const Jobs* list : {&batch, &reservations_}) {
            for (const Record* job : *list) {
                ends.push_back(job->end());
            }
        }
        std::sort(ends.begin(), ends.end());
        const auto first = std::lower_bound(ends.begin(), ends.end(), begin);
        for (const Record* job : batch) {
            if (job->time == 0) {
                continue;
            }
            if (!std::binary_search(first, ends.end(), job->start)) {
                fail(job->start, *job, "starts though nothing has ended");
            }
            if (invariants_.starts == MoldableStarts::without_gaps) {
                check_gaps(*job, batch, {first, ends.end()});
            }
        }
    }

    /// At no end before its start had it room beside what had started by then and what was reserved
    /// when the batch began.
    void check_gaps(const Record& job, const Jobs& batch, const std::vector<double>& ends) const {
        for (const double time : ends) {
            if (time >= job.start) {
                return;
            }
            const Window window{time, planned_end(time, job.time)};
            const auto counts = [&](const Record& other) {
                return &other != &job && other.holds_processors()
                       && (other.is_reservation || other.start <= time);
            };
            if (job.processors <= least_free(window, batch, counts)) {
                fail(job.start, job, "would have fitted before");
            }
        }
    }

    void check_allotment(const Record& job) const {
        const bool is_free = job.most_processors == 0 || job.time == 0;
        if (is_free || job.is_reservation || job.start == never) {
            return;
        }
        if (invariants_.allotment == MoldableAllotment::one && job.processors != 1) {
            fail(job.start, job, "runs on more than one processor");
        }
        const auto all = std::min<std::size_t>(processors_, job.most_processors);
        if (invariants_.allotment == MoldableAllotment::all && job.processors != all) {
            fail(job.start, job, "does not run on all processors");
        }
    }

    MoldableInvariants invariants_;
    std::uint32_t processors_;
    bool has_counts_;  // free processors say what fits
    std::vector<Record> jobs_;
    Jobs waiting_;       // while batches are followed
    Jobs reservations_;  // taken so far
};

}  // namespace

std::unique_ptr<ScheduleVerifier> make_reserved_verifier(
    const MoldableInvariants& invariants, const SystemDescription& system
) {
    return std::make_unique<ReservedVerifier>(invariants, system);
}

}  // namespace schedfarm::tests
