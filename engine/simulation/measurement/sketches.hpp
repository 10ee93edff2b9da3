// Which sketches a replication yields, and which of its columns are quantiles that they know too:
// the column holds the replication's own quantile, the sketches of all replications together that
// of all jobs (engine/statistics/pooled_quantile.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/simulation/measurement/probe.hpp"

namespace schedfarm::engine {

struct SketchedQuantile {
    double probability = 0;
    std::string column;  ///< "response_time.p95[class=2]"
    friend bool operator==(const SketchedQuantile&, const SketchedQuantile&) = default;
};

/// One of Observations::sketches.
struct SketchDescription {
    std::string metric;                       ///< "response_time", "response_time[class=2]"
    std::vector<SketchedQuantile> quantiles;  ///< those asked for
    friend bool operator==(const SketchDescription&, const SketchDescription&) = default;
};

/// Whether a request has sketches: a job metric of which a sketch or quantiles are asked for.
bool keeps_sketch(const ProbeRequest& request);

/// The sketches that `probes` give in an experiment: of the requests in order, each
/// over all jobs, then of class 0, class 1 … where the request asks for classes.
std::vector<SketchDescription> observed_sketches(
    const ProbeSet& probes, const Experiment& experiment, std::uint32_t job_classes
);

/// "response_time.p99.9[class=2]"; `part` is "[class=2]", or empty for all jobs.
std::string quantile_column(std::string_view metric, double p, std::string_view part);

}  // namespace schedfarm::engine
