#include "engine/simulation/logs/segment_log.hpp"

#include <algorithm>
#include <utility>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

bool is_same(const std::vector<ProcessorRange>& a, std::span<const ProcessorRange> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

void SegmentLog::begin(const ScheduleStep& step) {
    constexpr std::span<const ClusterShare> none;
    RunSegment segment{step.job->index, step.time, step.time, {}, 0};
    segment.origin = step.job->origin;
    segment.processors.assign(step.processors.begin(), step.processors.end());
    for (const ProcessorRange& range : step.processors) {
        segment.size += range.count;
    }
    for (const ClusterShare& share : step.processors.empty() ? step.shares : none) {
        segment.size += share.count;
        segment.shares.push_back(share);
    }
    const auto before = suspended_now_.find(segment.job);
    if (before != suspended_now_.end() && is_same(before->second.processors, step.processors)) {
        segment.begin = before->second.begin;
        suspended_now_.erase(before);
    }
    running_.emplace(segment.job, std::move(segment));
}

void SegmentLog::observe(const ScheduleStep& step) {
    using Kind = ScheduleStep::Kind;
    outages_.observe(step);
    if (step.kind == Kind::start || step.kind == Kind::resume) {
        begin(step);
        return;
    }
    if (step.kind != Kind::suspend && step.kind != Kind::completion) {
        return;
    }
    const auto found = running_.find(step.job->index);
    SCHEDFARM_EXPECT(found != running_.end(), "a job stops that does not run");
    found->second.end = step.time;
    if (step.kind == Kind::suspend) {
        suspended_now_.insert(running_.extract(found));
    } else {
        segments_.push_back(std::move(found->second));
        running_.erase(found);
    }
}

void SegmentLog::end_of_instant(double time) {
    outages_.end_of_instant(time);
    for (auto& [job, segment] : suspended_now_) {
        if (segment.end > segment.begin) {
            segments_.push_back(std::move(segment));
        }
    }
    suspended_now_.clear();
}

}  // namespace schedfarm::engine
