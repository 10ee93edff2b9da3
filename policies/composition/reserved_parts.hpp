// Clusters as parts that reserve for managers: they hold what they have reserved until it is
// committed or given up, and a job starts when all clusters that have a piece of it have committed
// it and have its processors. A piece that begins at an instant at which its job does not start
// lapses: its cluster has the processors again, and is still answered for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/simulation/kernel/actions.hpp"

#include "policies/composition/managers/managers.hpp"
#include "policies/composition/part.hpp"

namespace schedfarm::policies {

class ReservedParts {
  public:
    /// A part for each cluster of the system.
    ReservedParts(const std::vector<InnerPolicy>& inner, const engine::PolicyContext& context);

    Part& operator[](std::uint32_t cluster) { return *parts_[cluster]; }
    const Part& operator[](std::uint32_t cluster) const { return *parts_[cluster]; }
    std::size_t size() const { return parts_.size(); }

    /// Has the cluster react to its events, and starts what may start then.
    void have_react(std::uint32_t cluster, engine::Actions& actions);

    /// Reserves for a job, or a piece of one, as `asked` until it is committed: for a fixed start,
    /// say. Then the cluster sees it as `seen`.
    void reserve(
        engine::JobId id,
        const engine::Job& asked,
        const engine::Job& seen,
        Part::Standing standing,
        std::uint32_t cluster,
        engine::Actions& actions
    );
    /// Of a job that has pieces at all these clusters, for a fixed start or not. Nothing where the
    /// cluster has reserved nothing, or has committed it before.
    struct Whole {
        std::span<const std::uint32_t> clusters;
        bool is_fixed = false;
    };
    void commit(
        engine::JobId id, const Whole& whole, std::uint32_t cluster, engine::Actions& actions
    );
    /// Gives up what is reserved, if anything is.
    void abort(engine::JobId id, std::uint32_t cluster, engine::Actions& actions);

    /// Takes a job back that waits there, committed and whole.
    void take_back(engine::JobId id, std::uint32_t cluster, engine::Actions& actions) {
        parts_[cluster]->withdraw(id);
        have_react(cluster, actions);
    }

    /// At the end of an instant: has pieces lapse.
    void have_lapse(engine::Actions& actions);
    /// Jobs in pieces that all have committed and all have lapsed, in order of the first cluster's
    /// reservations.
    std::vector<engine::JobId> lapsed();
    /// REQUIRES: it is one of those.
    void forget(engine::JobId id);

  private:
    struct Reserved {
        engine::JobId id;
        bool is_committed = false;
        bool has_lapsed = false;
        bool is_fixed = false;
        std::vector<std::uint32_t> clusters;
        engine::Job asked;
        engine::Job seen;
        Part::Standing standing = Part::Standing::local;
    };

    Reserved* find(std::uint32_t cluster, engine::JobId id);
    bool has_begun(std::uint32_t cluster, const Reserved& one) const {
        return !one.has_lapsed && parts_[cluster]->has_begun(one.id);
    }
    void forget(std::uint32_t cluster, engine::JobId id);
    void let_go(const Reserved& reserved, engine::Actions& actions);
    void start_or_promise(const Reserved& reserved, engine::Actions& actions);

    std::vector<std::unique_ptr<Part>> parts_;
    std::vector<std::vector<Reserved>> reserved_;  // by cluster
};

}  // namespace schedfarm::policies
