#include "engine/simulation/measurement/measurement_window.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

bool needs_window(const ProbeSet& probes, const Experiment& experiment) {
    if (!experiment.kind.has_arrivals()) {
        return false;
    }
    return std::any_of(
        probes.requests.begin(),
        probes.requests.end(),
        [](const ProbeRequest& request) { return is_time_average(request.metric); }
    );
}

MeasurementWindow measurement_window(WorkloadModel& workload, const Horizon& horizon) {
    SCHEDFARM_EXPECT(horizon.warm_up_jobs < horizon.jobs, "a horizon measures no job");
    MeasurementWindow window;
    JobBlock block;
    std::uint64_t seen = 0;
    while (seen < horizon.jobs) {
        draw_next(workload, block);
        if (horizon.warm_up_jobs >= seen && horizon.warm_up_jobs < seen + block.count) {
            window.begin = block.submit_time[horizon.warm_up_jobs - seen];
        }
        if (horizon.jobs <= seen + block.count) {
            window.end = block.submit_time[horizon.jobs - 1 - seen];
        }
        seen += block.count;
    }
    return window;
}

}  // namespace schedfarm::engine
