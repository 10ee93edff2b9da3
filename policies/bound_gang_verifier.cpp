#include "policies/bound_gang_verifier.hpp"

#include <algorithm>
#include <cmath>

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

constexpr double tolerance = 1e-9;  // relative to the time

bool are_near(double a, double b, double time) {
    return std::abs(a - b) <= tolerance * (1 + time);
}

}  // namespace

void BoundGangVerifier::begin(const ScheduleStep& step, const Watched& before) {
    const std::uint32_t first = step.processors.front().first.value;
    const std::size_t group = group_of(before.job_class, first);
    expect(
        !before.has_started || before.first == first, step.time, before.index, "leaves its node"
    );
    bool is_first = true;
    for (const Watched& other : present()) {
        const bool is_same = other.index != before.index && other.has_started
                             && other.job_class == before.job_class && other.first == first;
        expect(!is_same, step.time, before.index, "is bound to a node that is taken");
        is_first =
            is_first && !(other.is_running && group_of(other.job_class, other.first) == group);
    }
    Slice& slice = slices_[group];
    if (is_first) {
        begin_slice(slice, step.time, before);
    }
    const bool is_in_time = settings_.mid_slice == MidSlice::refill || slice.start == step.time;
    expect(is_in_time, step.time, before.index, "starts in the middle of a slice");
    const double due = std::max(0.0, slice.start + slice.paid - step.time);
    const bool pays = are_near(before.paid, due, step.time);
    expect(pays, step.time, before.index, "does not pay what the switch costs");
}

// In mid-slice a queued job may follow on the last that ran; one that was suspended cannot.
void BoundGangVerifier::begin_slice(Slice& slice, double time, const Watched& job) const {
    const double cost = settings_.switches.seconds;
    const bool pays_all = are_near(job.paid, cost, time);
    const bool is_free = !always_pays() && job.paid == 0;
    if (job.has_started || pays_all || is_free || settings_.mid_slice == MidSlice::idle) {
        slice = {.start = time, .paid = is_free && !pays_all ? 0 : cost, .is_new = true};
    }
}

bool BoundGangVerifier::is_in(const Watched& job, const SlicePart& part) const {
    return job.has_started && job.job_class == part.job_class
           && std::any_of(part.nodes.begin(), part.nodes.end(), [&](const NodeRange& range) {
                  return node_of(job) >= range.first && node_of(job) < range.end;
              });
}

bool BoundGangVerifier::runs_in(const SlicePart& part) const {
    return std::any_of(present().begin(), present().end(), [&](const Watched& job) {
        return job.is_running && is_in(job, part);
    });
}

bool BoundGangVerifier::is_idle(
    std::uint32_t job_class, std::uint32_t node, std::span<const std::uint64_t> unseen
) const {
    const std::uint32_t first = trees().is_root(job_class) ? 0 : node << job_class;
    const std::uint32_t size = trees().node_size(job_class);
    return std::none_of(present().begin(), present().end(), [&](const Watched& job) {
        return job.is_running && job.first < first + size
               && first < job.first + trees().node_size(job.job_class)
               && std::find(unseen.begin(), unseen.end(), job.index) == unseen.end();
    });
}

bool BoundGangVerifier::has_free_node(const SlicePart& part, std::span<const std::uint64_t> unseen)
    const {
    for (const NodeRange& range : part.nodes) {
        for (std::uint32_t node = range.first; node < range.end; ++node) {
            const bool is_bound =
                std::any_of(present().begin(), present().end(), [&](const Watched& job) {
                    return job.has_started && job.job_class == part.job_class
                           && node_of(job) == node;
                });
            if (!is_bound && is_idle(part.job_class, node, unseen)) {
                return true;
            }
        }
    }
    return false;
}

std::optional<std::uint64_t> BoundGangVerifier::neglected(
    const SlicePart& part, std::span<const std::uint64_t> unseen
) const {
    bool is_queued_seen = false;
    for (const Watched& job : present()) {
        if (is_in(job, part) && !job.is_running && is_idle(job.job_class, node_of(job), unseen)) {
            return job.index;
        }
        if (!job.has_started && job.job_class == part.job_class && !is_queued_seen) {
            is_queued_seen = true;
            if (has_free_node(part, unseen)) {
                return job.index;
            }
        }
    }
    return {};
}

bool BoundGangVerifier::is_expiry(double time, std::size_t group, std::uint32_t row_class) const {
    if (settings_.rule != QuantaRule::uniform || !always_pays()) {
        return true;
    }
    const bool is_outside = settings_.switches.place == SwitchPlace::outside;
    const double begin = slices_[group].start + (is_outside ? slices_[group].paid : 0);
    for (std::size_t slice = 0; slice < rows_.size(); ++slice) {
        if (rows_[slice] == row_class && are_near(time, begin + quanta_[slice], time)) {
            return true;
        }
    }
    return false;
}

bool BoundGangVerifier::is_within(double time, std::size_t group, std::uint32_t row_class) const {
    if (settings_.rule != QuantaRule::uniform) {
        return true;
    }
    const bool is_outside = settings_.switches.place == SwitchPlace::outside;
    const double begin = slices_[group].start + (is_outside ? slices_[group].paid : 0);
    double longest = 0;
    for (std::size_t slice = 0; slice < rows_.size(); ++slice) {
        longest = rows_[slice] == row_class ? std::max(longest, quanta_[slice]) : longest;
    }
    return time < begin + longest;
}

}  // namespace schedfarm::policies
