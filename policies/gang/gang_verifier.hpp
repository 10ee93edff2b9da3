// What the verifiers of the gang scheduling policies share: every job runs on an aligned node of
// its class, no two running jobs on overlapping nodes, first dispatch is first come first served in
// a class, and the service received is the service required, without what switches cost.
// Cost: O(jobs present) per step.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/schedule_verifier.hpp"

namespace schedfarm::policies {

class GangVerifier : public engine::ScheduleVerifier {
  public:
    explicit GangVerifier(engine::BuddyTrees trees) : trees_(std::move(trees)) {}

    void observe(const engine::ScheduleStep& step) final;
    void finish() override {}

  protected:
    struct Watched {
        engine::JobId id;
        std::uint64_t index = 0;
        std::uint32_t job_class = 0;
        double left = 0;          ///< service still to be received
        double since = 0;         ///< the last start or resume
        double paid = 0;          ///< of switches, in this stretch or the next
        std::uint32_t first = 0;  ///< processor of the node of the last stretch
        bool has_started = false;
        bool is_running = false;
    };

    virtual void arrive(const engine::ScheduleStep& /*step*/, const Watched& /*job*/) {}
    /// A job begins a stretch; `before` is what was known of it until now.
    virtual void begin(const engine::ScheduleStep& step, const Watched& before) = 0;
    /// A job ends a stretch, by suspension or completion.
    virtual void end(const engine::ScheduleStep& step, const Watched& job) = 0;

    static void expect(bool holds, double time, std::uint64_t job, const char* problem);
    const engine::BuddyTrees& trees() const { return trees_; }
    /// The tree of a processor, by number.
    std::size_t tree_of(std::uint32_t processor) const;
    /// In order of arrival.
    const std::vector<Watched>& present() const { return present_; }

  private:
    void start(const engine::ScheduleStep& step, Watched& job);
    void stop(const engine::ScheduleStep& step, Watched& job);
    void check_node(const engine::ScheduleStep& step, const Watched& job) const;

    engine::BuddyTrees trees_;
    std::vector<Watched> present_;
};

}  // namespace schedfarm::policies
