#include "engine/simulation/occupation_watch.hpp"

#include <algorithm>

namespace schedfarm::engine {

OccupationWatch::OccupationWatch(const SystemDescription& system) {
    SCHEDFARM_EXPECT(system.capacity_changes.empty(), "processors leave while they are watched");
    std::uint32_t first = 0;
    for (const std::uint32_t processors : system.clusters) {
        clusters_.push_back({first, FreeProcessors(processors)});
        first += processors;
    }
}

void OccupationWatch::observe(const ScheduleStep& step) {
    switch (step.kind) {
        case ScheduleStep::Kind::start:
        case ScheduleStep::Kind::resume:
        case ScheduleStep::Kind::load:
            begin(step);
            break;
        case ScheduleStep::Kind::suspend:
        case ScheduleStep::Kind::load_cut:
        case ScheduleStep::Kind::completion:
            end(step);
            break;
        default:
            break;
    }
}

void OccupationWatch::begin(const ScheduleStep& step) {
    if (step.id.value >= open_.size()) {
        open_.resize(step.id.value + 1);
    }
    std::optional<Occupation>& open = open_[step.id.value];
    if (open) {
        return;  // it has loaded on these processors
    }
    open = Occupation{
        .job = step.job->index, .begin = step.time, .end = 0, .first_range = ranges_.size()};
    names_processors_ = !step.processors.empty();
    ranges_.insert(ranges_.end(), step.processors.begin(), step.processors.end());
    for (const ClusterShare& share : step.shares) {
        take(share);
    }
    open->ranges = static_cast<std::uint32_t>(ranges_.size() - open->first_range);
}

void OccupationWatch::take(const ClusterShare& share) {
    Cluster& cluster = clusters_[share.cluster.value];
    const std::size_t before = ranges_.size();
    cluster.free.take(share.count, ranges_);
    for (std::size_t i = before; i < ranges_.size(); ++i) {
        ranges_[i].first.value += cluster.first_processor;
    }
}

void OccupationWatch::end(const ScheduleStep& step) {
    std::optional<Occupation>& open = open_[step.id.value];
    SCHEDFARM_EXPECT(open.has_value(), "a job leaves processors that it does not hold");
    open->end = step.time;
    if (!names_processors_) {
        for (const ProcessorRange& range : processors(*open)) {
            give_back(range);
        }
    }
    ended_.push_back(*open);
    open.reset();
}

void OccupationWatch::give_back(const ProcessorRange& range) {
    const auto after =
        std::find_if(clusters_.begin(), clusters_.end(), [&](const Cluster& cluster) {
            return cluster.first_processor > range.first.value;
        });
    Cluster& cluster = *(after - 1);
    const std::uint32_t first = range.first.value - cluster.first_processor;
    cluster.free.give_back({.first = {first}, .count = range.count});
}

}  // namespace schedfarm::engine
