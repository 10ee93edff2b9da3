#include "engine/simulation/logs/start_log.hpp"

#include <algorithm>
#include <vector>

namespace schedfarm::engine {

void StartLog::observe(const ScheduleStep& step) {
    const bool is_start = step.kind == ScheduleStep::Kind::start;
    if ((!is_start && step.kind != ScheduleStep::Kind::resume) || step.processors.empty()) {
        return;
    }
    std::vector<ProcessorRange> ranges(step.processors.begin(), step.processors.end());
    std::ranges::sort(ranges, {}, [](const ProcessorRange& range) { return range.first.value; });
    const std::uint64_t job = step.job->index;
    const auto before = held_.of(job);
    has_moved_ = has_moved_ || (!before.empty() && !std::ranges::equal(before, ranges));
    if (!is_start) {
        return;
    }
    if (job >= held_.first.size()) {
        held_.first.resize(job + 1);
        held_.count.resize(job + 1);
    }
    held_.first[job] = held_.ranges.size();
    held_.count[job] = static_cast<std::uint32_t>(ranges.size());
    held_.ranges.insert(held_.ranges.end(), ranges.begin(), ranges.end());
}

}  // namespace schedfarm::engine
