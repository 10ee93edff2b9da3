// What every node did when, for pictures of schedules in which the memory of nodes counts: which
// job ran on it, which was loading, and which others were resident. An observer like the verifiers,
// so that it costs nothing where nobody wants one. One replication; 40 bytes per span.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/simulation/kernel/machine.hpp"
#include "engine/simulation/logs/outage_log.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

namespace schedfarm::engine {

/// What a job did on neighbouring nodes, which all did the same.
struct NodeSpan {
    enum class Kind : std::uint8_t {
        running,
        loading,
        resident,  ///< it occupied `memory` on each node, whether it ran or not
    };
    std::uint64_t job = 0;  ///< index in the workload
    Kind kind = Kind::running;
    double begin = 0;
    double end = 0;  ///< > begin
    ProcessorRange nodes;
    double memory = 0;  ///< resident
};

/// Spans in order of their ends; a job that is suspended and resumed at one instant has two. Only
/// of policies that give processors by name. Cost: O(log jobs + nodes · log nodes) per step.
class NodeLog final : public ScheduleVerifier {
  public:
    void observe(const ScheduleStep& step) override;
    void end_of_instant(double time) override { outages_.end_of_instant(time); }
    void finish() override {}

    const std::vector<NodeSpan>& spans() const { return spans_; }
    const OutageLog& outages() const { return outages_; }

  private:
    struct Use {
        NodeSpan::Kind kind = NodeSpan::Kind::running;
        double begin = 0;
        std::vector<ProcessorRange> nodes;
    };
    struct Share {
        double amount = 0;
        double since = 0;
        friend bool operator==(const Share&, const Share&) = default;
    };
    using Shares = std::map<std::uint32_t, Share>;  // by node

    void begin_use(const ScheduleStep& step, NodeSpan::Kind kind);
    void end_use(const ScheduleStep& step);
    void set_memory(const ScheduleStep& step);
    void release(const ScheduleStep& step);
    void add(std::uint64_t job, const Shares& shares, double end);

    std::map<std::uint64_t, Use> uses_;         // by job
    std::map<std::uint64_t, Shares> resident_;  // by job
    std::vector<NodeSpan> spans_;
    OutageLog outages_;
};

}  // namespace schedfarm::engine
