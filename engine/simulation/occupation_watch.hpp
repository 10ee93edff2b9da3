// Listens to the general kernel and notes who held which processors when, also where jobs pause,
// move or load: for charts of policies that name processors or have several clusters. (For one
// cluster and no pauses processor_ranges.hpp finds as much in the job log.) Policies that only
// count processors get the lowest-numbered free ones of each cluster. Changes no number. Memory: 32
// bytes and the ranges per occupation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/simulation/free_processors.hpp"
#include "engine/simulation/schedule_verifier.hpp"

namespace schedfarm::engine {

/// A job on its processors, loading or running, without a break.
struct Occupation {
    std::uint64_t job = 0;  ///< index
    double begin = 0;
    double end = 0;
    std::size_t first_range = 0;
    std::uint32_t ranges = 0;
};

class OccupationWatch final : public ScheduleVerifier {
  public:
    /// REQUIRES: processors do not leave the machine.
    explicit OccupationWatch(const SystemDescription& system);

    void observe(const ScheduleStep& step) override;
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

    /// In the order in which they ended.
    const std::vector<Occupation>& occupations() const { return ended_; }
    std::span<const ProcessorRange> processors(const Occupation& occupation) const {
        return std::span(ranges_).subspan(occupation.first_range, occupation.ranges);
    }

  private:
    struct Cluster {
        std::uint32_t first_processor;
        FreeProcessors free;
    };

    void begin(const ScheduleStep& step);
    void end(const ScheduleStep& step);
    void take(const ClusterShare& share);
    void give_back(const ProcessorRange& range);

    bool names_processors_ = false;  // a machine is used by count or by name, not both
    std::vector<Cluster> clusters_;
    std::vector<ProcessorRange> ranges_;
    std::vector<std::optional<Occupation>> open_;  // by JobId
    std::vector<Occupation> ended_;
};

}  // namespace schedfarm::engine
