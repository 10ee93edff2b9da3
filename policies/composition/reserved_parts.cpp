#include "policies/composition/reserved_parts.hpp"

#include <algorithm>

#include "engine/foundation/special_values.hpp"
#include "engine/simulation/measurement/published_columns.hpp"

namespace schedfarm::policies {

using engine::Actions;
using engine::Job;
using engine::JobId;
using engine::never;

// Managers reserve for fixed starts, whatever the workload has.
ReservedParts::ReservedParts(
    const std::vector<InnerPolicy>& inner, const engine::PolicyContext& context
)
    : reserved_(inner.size()) {
    PartCutter cutter(context.system);
    for (std::size_t k = 0; k < inner.size(); ++k) {
        const PartShape shape = cutter.clusters(1);
        const engine::PolicyContext own{shape.system(context.system), context.random, true};
        parts_.push_back(std::make_unique<Part>(
            shape, PartNumber{k, inner.size()}, Counted::as_counts, inner[k].make(own)
        ));
    }
}

ReservedParts::Reserved* ReservedParts::find(std::uint32_t cluster, JobId id) {
    std::vector<Reserved>& all = reserved_[cluster];
    const auto found =
        std::find_if(all.begin(), all.end(), [id](const Reserved& one) { return one.id == id; });
    return found == all.end() ? nullptr : &*found;
}

void ReservedParts::forget(std::uint32_t cluster, JobId id) {
    std::erase_if(reserved_[cluster], [id](const Reserved& one) { return one.id == id; });
}

void ReservedParts::have_react(std::uint32_t cluster, Actions& actions) {
    parts_[cluster]->react(actions);
    std::vector<Reserved> begun;
    for (const Reserved& one : reserved_[cluster]) {
        if (one.is_committed && has_begun(cluster, one)) {
            begun.push_back(one);
        }
    }
    for (const Reserved& one : begun) {
        start_or_promise(one, actions);
    }
}

void ReservedParts::reserve(
    JobId id,
    const Job& asked,
    const Job& seen,
    Part::Standing standing,
    std::uint32_t cluster,
    Actions& actions
) {
    reserved_[cluster].push_back(
        {.id = id, .clusters = {}, .asked = asked, .seen = seen, .standing = standing}
    );
    parts_[cluster]->arrive_held(id, asked, standing);
    have_react(cluster, actions);
}

void ReservedParts::commit(JobId id, const Whole& whole, std::uint32_t cluster, Actions& actions) {
    Reserved* const reserved = find(cluster, id);
    if (reserved != nullptr && !reserved->is_committed) {
        reserved->is_committed = true;
        reserved->is_fixed = whole.is_fixed;
        reserved->clusters.assign(whole.clusters.begin(), whole.clusters.end());
        start_or_promise(Reserved(*reserved), actions);
    }
}

void ReservedParts::abort(JobId id, std::uint32_t cluster, Actions& actions) {
    const Reserved* const reserved = find(cluster, id);
    if (reserved == nullptr) {
        return;
    }
    const bool has_lapsed = reserved->has_lapsed;
    forget(cluster, id);
    if (has_lapsed) {
        return;
    }
    if (parts_[cluster]->has_begun(id)) {
        parts_[cluster]->complete(id);
    } else {
        parts_[cluster]->withdraw(id);
    }
    have_react(cluster, actions);
}

// What begins when others give way lapses, too.
void ReservedParts::have_lapse(Actions& actions) {
    std::vector<std::uint32_t> touched;
    do {
        touched.clear();
        for (std::uint32_t k = 0; k < reserved_.size(); ++k) {
            for (Reserved& one : reserved_[k]) {
                if (has_begun(k, one)) {
                    one.has_lapsed = true;
                    parts_[k]->complete(one.id);
                    touched.push_back(k);
                }
            }
        }
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        for (const std::uint32_t k : touched) {
            have_react(k, actions);
        }
    } while (!touched.empty());
}

std::vector<JobId> ReservedParts::lapsed() {
    std::vector<JobId> all;
    for (std::uint32_t k = 0; k < reserved_.size(); ++k) {
        for (const Reserved& one : reserved_[k]) {
            const auto has_lapsed = [&](std::uint32_t cluster) {
                const Reserved* const piece = find(cluster, one.id);
                return piece != nullptr && piece->is_committed && piece->has_lapsed;
            };
            if (one.is_committed && one.clusters.front() == k
                && std::all_of(one.clusters.begin(), one.clusters.end(), has_lapsed)) {
                all.push_back(one.id);
            }
        }
    }
    return all;
}

void ReservedParts::forget(JobId id) {
    for (std::uint32_t k = 0; k < reserved_.size(); ++k) {
        forget(k, id);
    }
}

// Once all have committed. What is whole, and has not begun, its cluster may start itself.
void ReservedParts::start_or_promise(const Reserved& reserved, Actions& actions) {
    const JobId id = reserved.id;
    bool have_begun = true;
    engine::Promise whole{-never, -never};
    std::vector<engine::ClusterShare> shares;
    for (const std::uint32_t cluster : reserved.clusters) {
        const Reserved* const other = find(cluster, id);
        if (other == nullptr || !other->is_committed) {
            return;
        }
        const Part& part = *parts_[cluster];
        const engine::Promise own = other->has_lapsed ? engine::Promise{} : part.promise_of(id);
        whole.earliest = std::max(whole.earliest, own.earliest);
        whole.latest = std::max(whole.latest, own.latest);
        have_begun = have_begun && has_begun(cluster, *other);
        if (have_begun) {
            const auto taken = part.shares_of(id);
            shares.insert(shares.end(), taken.begin(), taken.end());
        }
    }
    if (have_begun) {
        if (reserved.is_fixed && actions.now() > reserved.asked.fixed_start) {
            actions.announce({engine::Observation{engine::reservations_missed, 1}, id});
        }
        actions.start(id, shares);
        for (const std::uint32_t cluster : reserved.clusters) {
            forget(cluster, id);
        }
    } else if (reserved.clusters.size() == 1) {
        let_go(reserved, actions);
    } else if (whole.latest >= actions.now() && whole.latest < never) {
        actions.announce({whole, id});
    }
}

// It promises and starts as its own cluster does.
void ReservedParts::let_go(const Reserved& reserved, Actions& actions) {
    const std::uint32_t cluster = reserved.clusters.front();
    const JobId id = reserved.id;
    Part& part = *parts_[cluster];
    forget(cluster, id);
    Job seen = reserved.seen;
    if (reserved.has_lapsed) {
        if (reserved.is_fixed) {
            actions.announce({engine::Observation{engine::reservations_missed, 1}, id});
            seen.fixed_start = engine::no_fixed_start;
        }
    } else if (reserved.asked.fixed_start == seen.fixed_start) {
        const engine::Promise promise = part.promise_of(id);
        part.let_go(id);
        if (promise.latest < never) {
            actions.announce({promise, id});
        }
        return;
    } else {
        part.withdraw(id);
        have_react(cluster, actions);
    }
    part.arrive_held(id, seen, reserved.standing);
    part.let_go(id);
    have_react(cluster, actions);
}

}  // namespace schedfarm::policies
