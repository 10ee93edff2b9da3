#include "engine/simulation/logs/start_log.hpp"

#include <algorithm>

namespace schedfarm::engine {

void StartLog::observe(const ScheduleStep& step) {
    if (step.kind != ScheduleStep::Kind::start || step.processors.empty()) {
        return;
    }
    const std::uint64_t job = step.job->index;
    if (job >= held_.first.size()) {
        held_.first.resize(job + 1);
        held_.count.resize(job + 1);
    }
    held_.first[job] = held_.ranges.size();
    held_.count[job] = static_cast<std::uint32_t>(step.processors.size());
    held_.ranges.insert(held_.ranges.end(), step.processors.begin(), step.processors.end());
    std::sort(
        held_.ranges.begin() + static_cast<std::ptrdiff_t>(held_.first[job]),
        held_.ranges.end(),
        [](const ProcessorRange& a, const ProcessorRange& b) {
            return a.first.value < b.first.value;
        }
    );
}

}  // namespace schedfarm::engine
