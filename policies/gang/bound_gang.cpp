#include "policies/gang/bound_gang.hpp"

#include <algorithm>

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

std::vector<ParameterDescription> bound_gang_parameters() {
    std::vector<ParameterDescription> table = {
        {.name = "assignment",
         .meaning = "which node a job is bound to. first_fit: the leftmost that is free; weight: "
                    "the one in whose subtree the fewest jobs are bound",
         .type = ParameterType::text,
         .default_value = "first_fit",
         .words = {"first_fit", "weight"}}};
    const std::vector<ParameterDescription> shared = gang_parameters(MidSlice::refill);
    table.insert(table.end(), shared.begin(), shared.end());
    table.push_back(
        {.name = "after_empty",
         .meaning = "where the time slices go on when there was no job to serve. next: after the "
                    "last; top: at the beginning of the cycle",
         .type = ParameterType::text,
         .default_value = "next",
         .words = {"next", "top"}}
    );
    return table;
}

}  // namespace

BoundGangSettings bound_gang_settings(const Parameters& given) {
    return {
        .gang = gang_settings(given),
        .assignment = given.text("assignment") == "weight" ? NodeAssignment::weight
                                                           : NodeAssignment::first_fit,
        .after_empty = given.text("after_empty") == "top" ? AfterEmpty::top : AfterEmpty::next};
}

PolicyDescription bound_gang_description() {
    PolicyDescription description;
    description.alternative.parameters = bound_gang_parameters();
    description.alternative.check = gang_problems;
    description.traits = [](const Parameters&) {
        return PolicyTraits{.preemptive = true, .names_processors = true};
    };
    description.check_system = gang_system_problems;
    return description;
}

void BoundGang::react(const EventBatch& events, Actions& actions) {
    for (const JobId id : events.completions) {
        jobs_.leave(id);
    }
    for (const JobId id : events.arrivals) {
        const Job& job = actions.job(id);
        const std::uint32_t job_class = gang_class(job, trees_);
        quanta_.arrive(job.submit_time, job.service_time, job_class);
        jobs_.arrive(id, job_class, job.size);
    }
    change_.clear();
    decide(events.timers, actions);
    actions.carry_out(change_);
}

BoundJobs::BoundJobs(const BuddyTrees& trees, NodeAssignment assignment)
    : trees_(trees)
    , assignment_(assignment)
    , nodes_(trees)
    , queues_(trees.classes())
    , running_(trees)
    , present_(trees.classes(), 0)
    , active_(trees.classes(), 0) {
    for (std::uint32_t job_class = 0; job_class < trees.classes(); ++job_class) {
        at_.emplace_back(trees.node_count(job_class));
    }
}

void BoundJobs::arrive(JobId id, std::uint32_t job_class, std::uint32_t size) {
    queues_[job_class].push_back(id);
    ++present_[job_class];
    places_.resize(std::max(places_.size(), id.value + std::size_t{1}));
    places_[id.value].job_class = job_class;
    places_[id.value].size = size;
}

void BoundJobs::leave(JobId id) {
    const Place place = places_[id.value];
    nodes_.release(place.job_class, place.node);
    nodes_.unbind(place.job_class, place.node);
    running_.erase(place.job_class, place.node);
    --active_[place.job_class];
    --present_[place.job_class];
}

bool BoundJobs::has_unbound(const SlicePart& part) const {
    return std::any_of(part.nodes.begin(), part.nodes.end(), [&](const NodeRange& range) {
        return nodes_.has_unbound(part.job_class, range);
    });
}

bool BoundJobs::has_work(const SlicePart& part) const {
    if (present_[part.job_class] == 0) {
        return false;
    }
    const bool is_bound =
        std::any_of(part.nodes.begin(), part.nodes.end(), [&](const NodeRange& range) {
            return nodes_.has_bound(part.job_class, range);
        });
    return is_bound || (!queues_[part.job_class].empty() && has_unbound(part));
}

bool BoundJobs::has_running(const SlicePart& part) const {
    return std::any_of(part.nodes.begin(), part.nodes.end(), [&](const NodeRange& range) {
        return running_.has_any(part.job_class, range);
    });
}

void BoundJobs::serve(const SlicePart& part, double delay, Switch& change) {
    const std::uint32_t job_class = part.job_class;
    if (active_[job_class] == present_[job_class]) {
        return;
    }
    for (const NodeRange& range : part.nodes) {
        nodes_.for_bound_idle(job_class, range, [&](std::uint32_t node) {
            run(job_class, node, delay, change);
        });
    }
    std::deque<JobId>& queue = queues_[job_class];
    while (!queue.empty()) {
        const auto node = assignment_ == NodeAssignment::weight
                              ? nodes_.lightest(job_class, part.nodes)
                              : nodes_.first_fit(job_class, part.nodes);
        if (!node) {
            return;
        }
        bind(queue.front(), job_class, *node);
        queue.pop_front();
        run(job_class, *node, delay, change);
    }
}

void BoundJobs::bind(JobId id, std::uint32_t job_class, std::uint32_t node) {
    nodes_.bind(job_class, node);
    const ProcessorId first{trees_.is_root(job_class) ? 0 : node << job_class};
    at_[job_class][node] = {.id = id, .processors = {first, places_[id.value].size}};
    places_[id.value].node = node;
}

void BoundJobs::run(std::uint32_t job_class, std::uint32_t node, double delay, Switch& change) {
    const Bound& bound = at_[job_class][node];
    nodes_.occupy(job_class, node);
    change.start_on(bound.id, {&bound.processors, 1}, delay);
    running_.insert(job_class, node);
    ++active_[job_class];
}

void BoundJobs::suspend(const SlicePart& part, Switch& change) {
    if (active_[part.job_class] == 0) {
        return;
    }
    for (const NodeRange& range : part.nodes) {
        running_.for_each(part.job_class, range, [&](std::uint32_t node) {
            change.suspend(at_[part.job_class][node].id);
            nodes_.release(part.job_class, node);
            running_.erase(part.job_class, node);
            --active_[part.job_class];
        });
    }
}

}  // namespace schedfarm::policies
