// Gross utilization over time: the busy share of the processors in equal parts of a window. A pure
// function of a job log.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulation/experiment.hpp"
#include "engine/simulation/logs/job_log.hpp"

namespace schedfarm::engine {

class UtilizationSeries {
  public:
    /// REQUIRES: jobs hold their processors from start to finish; window.begin < window.end;
    /// parts > 0. Cost: O(parts that it runs in) per job.
    UtilizationSeries(
        const JobLog& log, std::uint32_t processors, MeasurementWindow window, std::uint64_t parts
    );

    /// Part b runs from edge(b) to edge(b + 1): begin + (end - begin) b / parts.
    double edge(std::uint64_t part) const;
    /// Busy processor-time in the part / (processors * length of the part).
    double utilization(std::uint64_t part) const;

  private:
    void add(double begin, double end, double height);

    MeasurementWindow window_;
    double processors_;
    std::vector<double> area_;
};

}  // namespace schedfarm::engine
