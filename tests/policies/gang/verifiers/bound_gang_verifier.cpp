#include "tests/policies/gang/verifiers/bound_gang_verifier.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace schedfarm::tests {

using namespace engine;    // NOLINT(google-build-using-namespace)
using namespace policies;  // NOLINT(google-build-using-namespace)

void BoundGangVerifier::end_of_instant(double time) {
    check(time);
    begun_.clear();
    stopped_.clear();
}

void BoundGangVerifier::arrive(const ScheduleStep& step, const Watched& job) {
    quanta_.arrive(step.job->submit_time, step.job->service_time, job.job_class);
}

void BoundGangVerifier::begin(const ScheduleStep& step, const Watched& before) {
    const std::uint32_t first = step.processors.front().first.value;
    expect(
        !before.has_started || before.first == first, step.time, before.index, "leaves its node"
    );
    for (const Watched& other : present()) {
        const bool is_same = other.index != before.index && other.has_started
                             && other.job_class == before.job_class && other.first == first;
        expect(!is_same, step.time, before.index, "is bound to a node that is taken");
    }
    begun_.push_back(
        {.index = before.index,
         .job_class = before.job_class,
         .tree = tree_of(first),
         .was_bound = before.has_started}
    );
}

void BoundGangVerifier::end(const ScheduleStep& step, const Watched& job) {
    if (step.kind == ScheduleStep::Kind::suspend) {
        stopped_.push_back(job.index);
    }
}

const BoundGangVerifier::Begun* BoundGangVerifier::begun_as(std::uint64_t index) const {
    const auto at = std::find_if(begun_.begin(), begun_.end(), [index](const Begun& job) {
        return job.index == index;
    });
    return at == begun_.end() ? nullptr : &*at;
}

bool BoundGangVerifier::is_stopped(std::uint64_t index) const {
    return std::find(stopped_.begin(), stopped_.end(), index) != stopped_.end();
}

bool BoundGangVerifier::was_bound(const Watched& job) const {
    const Begun* const begun = begun_as(job.index);
    return begun != nullptr ? begun->was_bound : job.has_started;
}

bool BoundGangVerifier::ran(const Watched& job) const {
    return is_stopped(job.index) || (job.is_running && begun_as(job.index) == nullptr);
}

bool BoundGangVerifier::was_queued(std::uint32_t job_class, std::size_t tree) const {
    return std::any_of(present().begin(), present().end(), [&](const Watched& job) {
        const Begun* const begun = begun_as(job.index);
        return job.job_class == job_class && !was_bound(job)
               && (begun == nullptr || begun->tree >= tree);
    });
}

bool BoundGangVerifier::goes_on(
    const Slice& slice, std::span<const SlicePart> parts, double time, std::size_t tree
) const {
    if (!slice.is_on) {
        return false;
    }
    if (time > slice.end) {
        throw ScheduleError(fmt::format("at time {}: a slice was to end at {}", time, slice.end));
    }
    return time < slice.end && std::any_of(parts.begin(), parts.end(), [&](const SlicePart& part) {
               const bool runs =
                   std::any_of(present().begin(), present().end(), [&](const Watched& job) {
                       return ran(job) && is_in(job, part);
                   });
               return runs || (refills() && could_begin(part, tree));
           });
}

bool BoundGangVerifier::could_begin(const SlicePart& part, std::size_t tree) const {
    const auto is_bound = [this](const Watched& job) {
        return was_bound(job);
    };
    const auto is_free = [&](std::uint32_t node) {
        return is_idle(part.job_class, node, [this](const Watched& job) { return ran(job); });
    };
    return was_queued(part.job_class, tree) && has_node(part, is_bound, is_free);
}

bool BoundGangVerifier::had_work(const SlicePart& part, std::size_t tree) const {
    const auto is_bound = [this](const Watched& job) {
        return was_bound(job);
    };
    const auto is_any = [](std::uint32_t /*node*/) {
        return true;
    };
    return std::any_of(
               present().begin(),
               present().end(),
               [&](const Watched& job) { return was_bound(job) && is_in(job, part); }
           )
           || (was_queued(part.job_class, tree) && has_node(part, is_bound, is_any));
}

void BoundGangVerifier::begin_slice(
    Slice& slice, double time, std::uint32_t row_class, double quantum_s
) const {
    const SliceTimes times = slice.clock.begin(time, row_class, quantum_s);
    slice.works_from = times.works_from;
    slice.end = times.end;
    slice.is_on = true;
    slice.is_new = true;
}

void BoundGangVerifier::expect_begun(const Slice& slice, double time, const Watched& job) const {
    if (begun_as(job.index) == nullptr) {
        expect(!slice.is_new, time, job.index, "runs on into a new slice");
        return;
    }
    expect(is_to_serve(slice), time, job.index, "starts in the middle of a slice");
    const double due = std::max(0.0, slice.works_from - time);
    expect(job.paid == due, time, job.index, "does not pay what the switch costs");
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

template <typename Counts>
bool BoundGangVerifier::is_idle(std::uint32_t job_class, std::uint32_t node, const Counts& counts)
    const {
    const std::uint32_t first = trees().is_root(job_class) ? 0 : node << job_class;
    const std::uint32_t size = trees().node_size(job_class);
    return std::none_of(present().begin(), present().end(), [&](const Watched& job) {
        return job.has_started && job.first < first + size
               && first < job.first + trees().node_size(job.job_class) && counts(job);
    });
}

template <typename Bound, typename Free>
bool BoundGangVerifier::has_node(const SlicePart& part, const Bound& is_bound, const Free& is_free)
    const {
    for (const NodeRange& range : part.nodes) {
        for (std::uint32_t node = range.first; node < range.end; ++node) {
            const bool is_taken =
                std::any_of(present().begin(), present().end(), [&](const Watched& job) {
                    return job.job_class == part.job_class && is_bound(job) && node_of(job) == node;
                });
            if (!is_taken && is_free(node)) {
                return true;
            }
        }
    }
    return false;
}

std::optional<std::uint64_t> BoundGangVerifier::neglected(
    const SlicePart& part, std::span<const std::uint64_t> unseen
) const {
    const auto is_free = [&](std::uint32_t node) {
        return is_idle(part.job_class, node, [unseen](const Watched& job) {
            return job.is_running
                   && std::find(unseen.begin(), unseen.end(), job.index) == unseen.end();
        });
    };
    const auto is_bound = [](const Watched& job) {
        return job.has_started;
    };
    bool is_queued_seen = false;
    for (const Watched& job : present()) {
        if (job.job_class != part.job_class || job.is_running) {
            continue;
        }
        if (job.has_started) {
            if (is_in(job, part) && is_free(node_of(job))) {
                return job.index;
            }
        } else if (!is_queued_seen) {
            is_queued_seen = true;
            if (has_node(part, is_bound, is_free)) {
                return job.index;
            }
        }
    }
    return {};
}

}  // namespace schedfarm::tests
