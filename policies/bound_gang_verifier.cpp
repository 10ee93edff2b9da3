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
    const bool pays_all = are_near(before.paid, settings_.switch_cost_s, step.time);
    if (is_first && (before.has_started || pays_all)) {
        starts_[group] = step.time;
    }
    const double due = std::max(0.0, starts_[group] + settings_.switch_cost_s - step.time);
    const bool pays = are_near(before.paid, due, step.time);
    expect(pays, step.time, before.index, "does not pay what the switch costs");
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

bool BoundGangVerifier::is_idle(std::uint32_t job_class, std::uint32_t node) const {
    const std::uint32_t first = trees().is_root(job_class) ? 0 : node << job_class;
    const std::uint32_t size = trees().node_size(job_class);
    return std::none_of(present().begin(), present().end(), [&](const Watched& job) {
        return job.is_running && job.first < first + size
               && first < job.first + trees().node_size(job.job_class);
    });
}

bool BoundGangVerifier::has_free_node(const SlicePart& part) const {
    for (const NodeRange& range : part.nodes) {
        for (std::uint32_t node = range.first; node < range.end; ++node) {
            const bool is_bound =
                std::any_of(present().begin(), present().end(), [&](const Watched& job) {
                    return job.has_started && job.job_class == part.job_class
                           && node_of(job) == node;
                });
            if (!is_bound && is_idle(part.job_class, node)) {
                return true;
            }
        }
    }
    return false;
}

std::optional<std::uint64_t> BoundGangVerifier::neglected(const SlicePart& part) const {
    bool is_queued_seen = false;
    for (const Watched& job : present()) {
        if (is_in(job, part) && !job.is_running && is_idle(job.job_class, node_of(job))) {
            return job.index;
        }
        if (!job.has_started && job.job_class == part.job_class && !is_queued_seen) {
            is_queued_seen = true;
            if (has_free_node(part)) {
                return job.index;
            }
        }
    }
    return {};
}

bool BoundGangVerifier::is_expiry(double time, std::size_t group, std::uint32_t row_class) const {
    const double quantum = quanta_[trees().classes() - 1 - row_class];
    return settings_.rule != QuantaRule::uniform || settings_.switch_cost_s == 0
           || are_near(time, start_of_slice(group) + quantum, time);
}

bool BoundGangVerifier::is_within(double time, std::size_t group, std::uint32_t row_class) const {
    return settings_.rule != QuantaRule::uniform
           || time < start_of_slice(group) + quanta_[trees().classes() - 1 - row_class];
}

}  // namespace schedfarm::policies
