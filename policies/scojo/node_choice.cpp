#include "policies/scojo/node_choice.hpp"

#include <algorithm>

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

ProcessorSet NodeChoice::choose(const NodeWish& job, const std::vector<BoundJob>& bound) {
    chosen_.clear();
    if (rule_.allocator == Allocator::first_free) {
        job.candidates.for_each([this](std::uint32_t node) { chosen_.push_back(node); });
    } else {
        for (std::vector<BoundJob>& jobs : by_node_) {
            jobs.clear();
        }
        for (const BoundJob& one : bound) {
            one.nodes->for_each([&](std::uint32_t node) { by_node_[node].push_back(one); });
        }
        if (rule_.allocator == Allocator::intelligent) {
            rank_by_neighbours(job);
        } else {
            rank_by_memory(job);
        }
    }
    ProcessorSet taken(nodes_);
    for (std::uint32_t i = 0; i < job.size; ++i) {
        taken.insert(chosen_[i]);
    }
    return taken;
}

// Appends what was ranked.
void NodeChoice::sort() {
    std::stable_sort(ranked_.begin(), ranked_.end(), [](const Candidate& a, const Candidate& b) {
        return a.key < b.key;
    });
    for (const Candidate& one : ranked_) {
        chosen_.push_back(one.node);
    }
    ranked_.clear();
}

void NodeChoice::rank_by_neighbours(const NodeWish& job) {
    job.candidates.for_each([&](std::uint32_t node) {
        const auto others = std::count_if(
            by_node_[node].begin(),
            by_node_[node].end(),
            [&job](const BoundJob& one) { return one.type != job.type; }
        );
        ranked_.push_back({node, static_cast<double>(others)});
    });
    sort();
}

// Where the memory of all suffices, if there are enough such nodes. Else first those where it does
// not, in order of the time until it would, so that the others stay for jobs that fit.
void NodeChoice::rank_by_memory(const NodeWish& job) {
    fitting_.clear();
    rest_.clear();
    job.candidates.for_each([&](std::uint32_t node) {
        const bool fits = assigned(node) + job.memory <= capacity_ || capacity_ == 0;
        (fits ? fitting_ : rest_).push_back(node);
    });
    if (fitting_.size() >= job.size) {
        rank_by_fit(fitting_, rule_.first_stage);
        return;
    }
    if (rule_.as_printed) {  // "used < needed" where "free < needed" is meant
        fitting_.clear();
        rest_.clear();
        job.candidates.for_each([&](std::uint32_t node) {
            (assigned(node) < job.memory ? rest_ : fitting_).push_back(node);
        });
    }
    for (const std::uint32_t node : rest_) {
        ranked_.push_back({node, time_until_fit(node, job.memory)});
    }
    sort();
    rank_by_fit(fitting_, rule_.second_stage);
}

void NodeChoice::rank_by_fit(std::vector<std::uint32_t>& nodes, MemoryFit fit) {
    if (fit == MemoryFit::worst && rule_.as_printed) {  // it takes the sorted list from its end
        std::reverse(nodes.begin(), nodes.end());
    }
    for (const std::uint32_t node : nodes) {
        const double used = assigned(node);
        ranked_.push_back(
            {node, fit == MemoryFit::first ? 0 : (fit == MemoryFit::best ? -used : used)}
        );
    }
    sort();
}

double NodeChoice::assigned(std::uint32_t node) const {
    double sum = 0;
    for (const BoundJob& one : by_node_[node]) {
        sum += one.memory;
    }
    return sum;
}

// The jobs of the node end in order of the time that they have left to run.
double NodeChoice::time_until_fit(std::uint32_t node, double memory) {
    leaving_ = by_node_[node];
    std::sort(leaving_.begin(), leaving_.end(), [](const BoundJob& a, const BoundJob& b) {
        return a.left < b.left;
    });
    double used = assigned(node);
    double time = 0;
    for (const BoundJob& one : leaving_) {
        if (used + memory <= capacity_) {
            break;
        }
        used -= one.memory;
        time = one.left;
    }
    return time;
}

}  // namespace schedfarm::policies
