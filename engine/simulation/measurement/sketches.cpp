#include "engine/simulation/measurement/sketches.hpp"

#include <utility>

#include <fmt/format.h>

namespace schedfarm::engine {

namespace {

SketchDescription description_of(const ProbeRequest& request, const std::string& part) {
    SketchDescription sketch{description_of(request).name + part, {}};
    for (const double p : request.quantiles) {
        sketch.quantiles.push_back({p, quantile_column(description_of(request).name, p, part)});
    }
    return sketch;
}

}  // namespace

bool keeps_sketch(const ProbeRequest& request) {
    return is_job_metric(request.metric) && (request.sketch || !request.quantiles.empty());
}

std::vector<SketchDescription> observed_sketches(
    const ProbeSet& probes, const Experiment& experiment, std::uint32_t job_classes
) {
    std::vector<SketchDescription> sketches;
    for (const ProbeRequest& request : probes.requests) {
        if (!keeps_sketch(request) || !is_observed(request.metric, experiment)) {
            continue;
        }
        sketches.push_back(description_of(request, ""));
        for (std::uint32_t c = 0; request.per_class && c < job_classes; ++c) {
            sketches.push_back(description_of(request, fmt::format("[class={}]", c)));
        }
    }
    return sketches;
}

std::string quantile_column(std::string_view metric, double p, std::string_view part) {
    return fmt::format("{}.p{:.6g}{}", metric, 100 * p, part);
}

}  // namespace schedfarm::engine
