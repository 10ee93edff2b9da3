// Which processors every job held when, for schedules in which jobs are suspended and resumed: an
// observer like the verifiers, so that it costs nothing where nobody wants one, and so that the
// general kernel must run (engine/simulation/kernel/simulator.hpp). One replication; 40 bytes per
// segment.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/simulation/kernel/machine.hpp"
#include "engine/simulation/logs/outage_log.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

namespace schedfarm::engine {

/// A job on the same processors without a break.
struct RunSegment {
    std::uint64_t job = 0;  ///< index in the workload
    double begin = 0;
    double end = 0;
    std::vector<ProcessorRange> processors;  ///< none where the policy gives processors by count
    std::uint32_t size = 0;
    std::vector<ClusterShare> shares = {};  ///< then how many of which clusters
    std::uint32_t origin = 0;               ///< cluster at which the job was submitted
};

/// Segments in order of their ends. A job that is suspended and resumed on the same processors at
/// one instant goes on with its segment. Loading is not recorded. Cost: O(log running jobs) per
/// step.
class SegmentLog final : public ScheduleVerifier {
  public:
    void observe(const ScheduleStep& step) override;
    void end_of_instant(double time) override;
    void finish() override {}

    const std::vector<RunSegment>& segments() const { return segments_; }
    std::vector<RunSegment> take_segments() { return std::move(segments_); }
    const OutageLog& outages() const { return outages_; }

  private:
    void begin(const ScheduleStep& step);

    std::map<std::uint64_t, RunSegment> running_;
    std::map<std::uint64_t, RunSegment> suspended_now_;  // at this instant
    std::vector<RunSegment> segments_;
    OutageLog outages_;
};

}  // namespace schedfarm::engine
