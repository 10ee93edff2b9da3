#include "engine/simulation/logs/outage_log.hpp"

namespace schedfarm::engine {

namespace {

/// Lengthens the last span from `before` on where the processor is its neighbour and alike.
void add(
    std::vector<OutageSpan>& spans,
    std::size_t before,
    std::uint32_t processor,
    double begin,
    double end
) {
    if (!(end > begin)) {
        return;
    }
    if (spans.size() > before) {
        OutageSpan& last = spans.back();
        const bool is_next = last.processors.first.value + last.processors.count == processor;
        if (is_next && last.begin == begin && last.end == end) {
            ++last.processors.count;
            return;
        }
    }
    spans.push_back({begin, end, {{processor}, 1}});
}

}  // namespace

void OutageLog::observe(const ScheduleStep& step) {
    if (step.kind != ScheduleStep::Kind::capacity_changed) {
        return;
    }
    const CapacityChange& change = *step.change;
    const std::size_t before = over_.size();
    for (std::uint32_t i = 0; i < change.count; ++i) {
        const std::uint32_t processor = change.first_processor + i;
        if (change.kind == CapacityChange::Kind::down) {
            since_.emplace(processor, step.time);
        } else if (const auto found = since_.find(processor); found != since_.end()) {
            add(over_, before, processor, found->second, step.time);
            since_.erase(found);
        }
    }
}

std::vector<OutageSpan> OutageLog::spans() const {
    std::vector<OutageSpan> spans = over_;
    for (const auto& [processor, since] : since_) {
        add(spans, over_.size(), processor, since, now_);
    }
    return spans;
}

}  // namespace schedfarm::engine
