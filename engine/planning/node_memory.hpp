// The memory of nodes that jobs share in turns: what of each job is resident where, how long a load
// takes, and what it displaces (Esbaugh 2010, chapter 5, read physically). A node is a processor.
//
// A load brings what is missing of a job on its nodes, all at the same time, at `rate`. It makes
// room as it begins: on each node the jobs whose loads began first give way, the last of them with
// no more than is needed. A job that gives way is charged ⌈most on a node / rate⌉ for each load
// that displaces it. What a load has brought when it is cut stays.
//
// What is missing of a job that does not run may be prefetched while others run on its nodes: on
// each node as much as there is room for, made by jobs that may go, until a load begins there.
//
// What follows for the kernel is collected, and carried out by report().
// Cost: O(nodes of the job × jobs resident there) per load; O(1) where nothing is missing.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/planning/processor_set.hpp"
#include "engine/simulation/kernel/actions.hpp"

namespace schedfarm::engine {

class NodeMemory {
  public:
    /// What a job has on each of its nodes when it is all there.
    struct Tenant {
        JobId id;
        const ProcessorSet& nodes;
        double amount = 0;  ///< at most the capacity
    };
    struct Charge {
        JobId id;
        double seconds = 0;
    };

    /// REQUIRES: capacity > 0, rate > 0 (per unit of time).
    NodeMemory(std::uint32_t nodes, double capacity, double rate)
        : capacity_(capacity), rate_(rate), shares_(nodes) {}
    NodeMemory(const NodeMemory&) = delete;
    NodeMemory& operator=(const NodeMemory&) = delete;
    virtual ~NodeMemory() = default;

    double capacity() const { return capacity_; }
    /// ⌈amount / rate⌉: of a load of so much on a node.
    double seconds(double amount) const {
        constexpr double rounding = 1e-12;
        return std::ceil(amount / rate_ * (1 - rounding));
    }

    /// Begins the load of what is missing and returns how long it takes; 0: nothing is missing.
    virtual double begin_load(const Tenant& job);
    /// So much longer it has been under way since it began or this was last called.
    virtual void go_on_loading(const Tenant& job, double elapsed);
    virtual void finish_load(const Tenant& job);
    /// The job has completed.
    virtual void release(const Tenant& job);

    /// Begins to bring what is missing; `may_go`: who is displaced where there is no room.
    void prefetch(const Tenant& job, const std::function<bool(JobId)>& may_go);
    /// So much longer jobs have been prefetched; called before a load begins.
    void go_on_prefetching(double elapsed);
    void end_prefetching();
    /// The job keeps nothing on its nodes; it was not displaced.
    void drop(const Tenant& job);

    double resident(JobId id, std::uint32_t node) const;

    /// Those that no call has returned yet; valid until the next load or report.
    std::span<const Charge> take_charges() {
        const std::size_t taken = std::exchange(taken_, charges_.size());
        return std::span(charges_).subspan(taken);
    }
    /// Delays the jobs that were charged and sets what is resident, since the last report.
    void report(Actions& actions);

  protected:
    void charge(JobId id, double seconds);
    void set_resident(JobId id, std::uint32_t node, double amount);
    double rate() const { return rate_; }

  private:
    struct Share {
        JobId id;
        double amount = 0;
        double wanted = 0;  ///< up to which it is prefetched; no more than `amount`: it is not
    };
    struct Change {
        JobId id;
        ProcessorRange nodes;
        double amount = 0;
    };

    bool is_whole(JobId id) const { return id.value < whole_.size() && whole_[id.value]; }
    void set_whole(JobId id, bool whole);
    template <typename MayGo>
    double make_room(std::uint32_t node, double needed, MayGo may_go);
    void charge_displaced();

    double capacity_;
    double rate_;
    std::vector<std::vector<Share>> shares_;  // by node, in the order in which loads began
    std::vector<bool> whole_;                 // by slot: nothing is missing
    std::vector<Charge> displaced_;           // by the load that begins: most on a node
    std::vector<Charge> charges_;
    std::size_t taken_ = 0;  // of them
    std::vector<Change> changes_;
};

}  // namespace schedfarm::engine
