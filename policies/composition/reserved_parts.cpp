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
        if (one.is_committed && parts_[cluster]->has_begun(one.id)) {
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
    if (find(cluster, id) == nullptr) {
        return;
    }
    forget(cluster, id);
    if (parts_[cluster]->has_begun(id)) {
        parts_[cluster]->complete(id);
    } else {
        parts_[cluster]->withdraw(id);
    }
    have_react(cluster, actions);
}

// Once all have committed. What is whole, and has not begun, its cluster may start itself.
void ReservedParts::start_or_promise(const Reserved& reserved, Actions& actions) {
    const JobId id = reserved.id;
    bool have_begun = true;
    double latest = -never;
    std::vector<engine::ClusterShare> shares;
    for (const std::uint32_t cluster : reserved.clusters) {
        const Reserved* const other = find(cluster, id);
        if (other == nullptr || !other->is_committed) {
            return;
        }
        const Part& part = *parts_[cluster];
        latest = std::max(latest, part.promise_of(id).latest);
        have_begun = have_begun && part.has_begun(id);
        if (part.has_begun(id)) {
            const auto own = part.shares_of(id);
            shares.insert(shares.end(), own.begin(), own.end());
        }
    }
    if (have_begun) {
        if (reserved.is_fixed && actions.now() > latest) {
            actions.publish_of(id, engine::reservations_missed, 1);
        }
        actions.start(id, shares);
        for (const std::uint32_t cluster : reserved.clusters) {
            forget(cluster, id);
        }
    } else if (reserved.clusters.size() == 1) {
        let_go(reserved, actions);
    } else if (latest >= actions.now() && latest < never) {
        actions.promise(id, {.earliest = reserved.is_fixed ? latest : -never, .latest = latest});
    }
}

// It promises and starts as its own cluster does.
void ReservedParts::let_go(const Reserved& reserved, Actions& actions) {
    const std::uint32_t cluster = reserved.clusters.front();
    Part& part = *parts_[cluster];
    forget(cluster, reserved.id);
    if (reserved.asked.fixed_start == reserved.seen.fixed_start) {
        const engine::Promise promise = part.promise_of(reserved.id);
        part.let_go(reserved.id);
        if (promise.latest < never) {
            actions.promise(reserved.id, promise);
        }
        return;
    }
    part.withdraw(reserved.id);
    have_react(cluster, actions);
    part.arrive_held(reserved.id, reserved.seen, reserved.standing);
    part.let_go(reserved.id);
    have_react(cluster, actions);
}

}  // namespace schedfarm::policies
