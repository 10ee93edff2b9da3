#include "engine/simulation/logs/node_log.hpp"

#include <utility>

namespace schedfarm::engine {

using Kind = ScheduleStep::Kind;

void NodeLog::observe(const ScheduleStep& step) {
    outages_.observe(step);
    switch (step.kind) {
        case Kind::load:
            begin_use(step, NodeSpan::Kind::loading);
            break;
        case Kind::start:
        case Kind::resume:
            begin_use(step, NodeSpan::Kind::running);
            break;
        case Kind::load_cut:
        case Kind::load_finished:
        case Kind::suspend:
            end_use(step);
            break;
        case Kind::resident_memory:
            set_memory(step);
            break;
        case Kind::completion:
            end_use(step);
            release(step);
            break;
        default:
            break;
    }
}

void NodeLog::begin_use(const ScheduleStep& step, NodeSpan::Kind kind) {
    uses_[step.job->index] = {kind, step.time, {step.processors.begin(), step.processors.end()}};
}

void NodeLog::end_use(const ScheduleStep& step) {
    const auto found = uses_.find(step.job->index);
    if (found == uses_.end()) {
        return;  // its load had finished
    }
    const Use& use = found->second;
    for (const ProcessorRange& nodes : use.nodes) {
        if (step.time > use.begin) {
            spans_.push_back({step.job->index, use.kind, use.begin, step.time, nodes, 0});
        }
    }
    uses_.erase(found);
}

void NodeLog::set_memory(const ScheduleStep& step) {
    Shares& shares = resident_[step.job->index];
    Shares before;
    for (const ProcessorRange& range : step.processors) {
        for (std::uint32_t i = 0; i < range.count; ++i) {
            const std::uint32_t node = range.first.value + i;
            const auto held = shares.find(node);
            if (held != shares.end()) {
                if (held->second.amount == step.amount) {
                    continue;
                }
                before.insert(*held);
            }
            shares[node] = {step.amount, step.time};
        }
    }
    add(step.job->index, before, step.time);
}

void NodeLog::release(const ScheduleStep& step) {
    const auto found = resident_.find(step.job->index);
    if (found != resident_.end()) {
        add(step.job->index, found->second, step.time);
        resident_.erase(found);
    }
}

/// One span for neighbours that are alike.
void NodeLog::add(std::uint64_t job, const Shares& shares, double end) {
    NodeSpan* last = nullptr;
    Share of_last;
    for (const auto& [node, share] : shares) {
        if (share.amount == 0 || share.since == end) {
            continue;
        }
        if (last != nullptr && share == of_last
            && node == last->nodes.first.value + last->nodes.count) {
            ++last->nodes.count;
            continue;
        }
        last = &spans_.emplace_back(NodeSpan{
            job, NodeSpan::Kind::resident, share.since, end, {ProcessorId{node}, 1}, share.amount});
        of_last = share;
    }
}

}  // namespace schedfarm::engine
