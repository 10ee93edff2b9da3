#include "policies/slurm/node_choice.hpp"

#include <algorithm>

namespace schedfarm::policies::slurm {

namespace {

/// Neighbours of one weight that offer something.
struct Run {
    std::size_t first = 0;
    std::size_t count = 0;
    std::uint64_t cpus = 0;
    std::uint32_t weight = 0;
};

/// What is still wanted.
struct Need {
    std::int64_t nodes = 0;
    std::int64_t cpus = 0;
    bool met() const { return nodes <= 0 && cpus <= 0; }
};

bool suffices(const Run& run, const Need& need) {
    return static_cast<std::int64_t>(run.cpus) >= need.cpus
           && static_cast<std::int64_t>(run.count) >= need.nodes;
}

/// A lighter run is better; of one weight the first that suffices, one that suffices with fewer
/// CPUs, and, as the source has it, any larger one that does not suffice.
bool better(const Run& run, const Run& best, const Need& need) {
    if (run.weight != best.weight) {
        return run.weight < best.weight;
    }
    return suffices(run, need) ? !suffices(best, need) || run.cpus < best.cpus
                               : run.cpus > best.cpus;
}

std::vector<Run> runs_of(const std::vector<Node>& nodes, const std::vector<std::uint32_t>& offers) {
    std::vector<Run> runs;
    bool open = false;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        if (offers[node] == 0) {
            open = false;
            continue;
        }
        if (!open || runs.back().weight != nodes[node].weight) {
            runs.push_back({.first = node, .weight = nodes[node].weight});
            open = true;
        }
        ++runs.back().count;
        runs.back().cpus += offers[node];
    }
    return runs;
}

std::uint32_t count_of(const std::vector<Gpus>& gpus, std::uint32_t type) {
    std::uint32_t found = 0;
    for (const Gpus& some : gpus) {
        found += some.type == type ? some.count : 0;
    }
    return found;
}

std::uint32_t count_of(const std::vector<Gpus>& gpus) {
    std::uint32_t found = 0;
    for (const Gpus& some : gpus) {
        found += some.count;
    }
    return found;
}

bool has_gpus(const std::vector<Gpus>& free, const Request& request) {
    if (request.any_gpus) {
        return count_of(free) >= count_of(request.gpus);
    }
    return std::all_of(request.gpus.begin(), request.gpus.end(), [&](const Gpus& asked) {
        return count_of(free, asked.type) >= asked.count;
    });
}

/// Those that it gets: of any type, type by type in the order of the configuration.
std::vector<Gpus> gpus_of(const std::vector<Gpus>& free, const Request& request) {
    if (!request.any_gpus) {
        return request.gpus;
    }
    std::vector<Gpus> taken;
    std::uint32_t wanted = count_of(request.gpus);
    for (const Gpus& some : free) {
        const std::uint32_t count = std::min(wanted, some.count);
        if (count > 0) {
            taken.push_back({some.type, count});
            wanted -= count;
        }
    }
    return taken;
}

void change(std::vector<Gpus>& free, const std::vector<Gpus>& by, int sign) {
    for (const Gpus& some : by) {
        for (Gpus& of_type : free) {
            if (of_type.type == some.type) {
                of_type.count = sign > 0 ? of_type.count + some.count : of_type.count - some.count;
            }
        }
    }
}

}  // namespace

FreeNodes::FreeNodes(const std::vector<Node>& nodes)
    : nodes_(nodes), idle_(NodeSet::all(nodes.size())), jobs_(nodes.size()) {
    free_.reserve(nodes.size());
    for (const Node& node : nodes) {
        free_.push_back({node.cpus, node.memory, node.gpus});
        are_alike_ = are_alike_ && node.cpus == nodes.front().cpus
                     && node.memory == nodes.front().memory && node.weight == nodes.front().weight
                     && node.gpus == nodes.front().gpus;
    }
}

std::uint32_t FreeNodes::nodes_for(const Request& request) const {
    const std::uint32_t cpus = nodes_.front().cpus;
    return std::max(request.nodes, (request.cpus + cpus - 1) / cpus);
}

std::optional<Holding> FreeNodes::choose_idle(const Request& request, const NodeSet& idle) const {
    std::size_t need = nodes_for(request);
    if (need > request.max_nodes || idle.count() < need
        || idle_offer(nodes_.front(), request) == 0) {
        return std::nullopt;
    }
    std::vector<Run> runs;
    idle.for_each_run([&](std::size_t first, std::size_t count) {
        runs.push_back({.first = first, .count = count});
    });
    Holding holding{.nodes = NodeSet(nodes_.size())};
    while (need > 0) {
        // The first of the smallest that suffice, else the first of the largest.
        Run* best = &runs.front();
        for (Run& run : runs) {
            const bool is_better = run.count >= need ? best->count < need || run.count < best->count
                                                     : run.count > best->count;
            best = is_better ? &run : best;
        }
        const std::size_t taken = std::min(best->count, need);
        holding.nodes.insert(best->first, taken);
        best->count -= taken;
        need -= taken;
    }
    return holding;
}

void FreeNodes::take(const Holding& holding) {
    if (holding.shares.empty()) {
        idle_ -= holding.nodes;
        return;
    }
    std::size_t k = 0;
    holding.nodes.for_each([&](std::size_t node) {
        const Share& share = holding.shares[k++];
        free_[node].cpus -= share.cpus;
        free_[node].memory -= share.memory;
        change(free_[node].gpus, share.gpus, -1);
        shared_nodes_ += ++jobs_[node] == 1 ? 1U : 0U;
        idle_.erase(node);
    });
}

void FreeNodes::give(const Holding& holding) {
    if (holding.shares.empty()) {
        idle_ |= holding.nodes;
        return;
    }
    std::size_t k = 0;
    holding.nodes.for_each([&](std::size_t node) {
        const Share& share = holding.shares[k++];
        free_[node].cpus += share.cpus;
        free_[node].memory += share.memory;
        change(free_[node].gpus, share.gpus, 1);
        if (--jobs_[node] == 0) {
            --shared_nodes_;
            idle_.insert(node);
        }
    });
}

NodeSet FreeNodes::partly_free() const {
    NodeSet found = idle_;
    for (std::size_t node = 0; shared_nodes_ > 0 && node < nodes_.size(); ++node) {
        if (jobs_[node] > 0 && free_[node].cpus > 0) {
            found.insert(node);
        }
    }
    return found;
}

std::uint32_t FreeNodes::idle_offer(const Node& node, const Request& request) {
    const bool fits = request.memory_per_node <= node.memory && has_gpus(node.gpus, request)
                      && request.tasks_per_node * request.cpus_per_task <= node.cpus;
    return fits ? node.cpus : 0;
}

std::uint32_t FreeNodes::offer(std::size_t node, const Request& request) const {
    const bool is_idle = idle_.contains(node);
    if (request.whole_nodes) {
        return is_idle ? idle_offer(nodes_[node], request) : 0;
    }
    if (!is_idle && jobs_[node] == 0) {
        return 0;  // a job has all of it
    }
    const Share& free = free_[node];
    if (request.memory_per_node > free.memory || !has_gpus(free.gpus, request)) {
        return 0;
    }
    std::uint64_t cpus = free.cpus;
    if (request.memory_per_cpu > 0) {
        cpus = std::min(cpus, free.memory / request.memory_per_cpu);
    }
    cpus -= cpus % request.cpus_per_task;
    if (request.tasks_per_node > 0) {
        const std::uint64_t wanted = std::uint64_t{request.tasks_per_node} * request.cpus_per_task;
        return cpus >= wanted ? static_cast<std::uint32_t>(wanted) : 0;
    }
    if (request.max_nodes == 1 || !request.gpus.empty()) {
        cpus = std::min<std::uint64_t>(cpus, (request.cpus + request.nodes - 1) / request.nodes);
    }
    return static_cast<std::uint32_t>(cpus);
}

Share FreeNodes::share(std::size_t node, std::uint32_t cpus, const Request& request) const {
    const std::uint64_t memory =
        request.memory_per_cpu > 0 ? request.memory_per_cpu * cpus : request.memory_per_node;
    return {cpus, memory, gpus_of(free_[node].gpus, request)};
}

std::optional<Holding> FreeNodes::choose(const Request& request, const NodeSet& candidates) const {
    if (serves_idle(request)) {
        return choose_idle(request, candidates & idle_);
    }
    std::vector<std::uint32_t> offers(nodes_.size());
    candidates.for_each([&](std::size_t node) { offers[node] = offer(node, request); });
    std::vector<Run> runs = runs_of(nodes_, offers);

    Need need{.nodes = request.nodes, .cpus = request.cpus};
    std::uint32_t may_take = request.max_nodes;
    NodeSet chosen(nodes_.size());
    std::vector<std::uint32_t> cpus(nodes_.size());
    const auto take = [&](std::size_t node) {
        // A CPU is left for every other node that is still needed.
        const std::int64_t others = std::max<std::int64_t>(need.nodes - 1, 0);
        const std::int64_t most = std::max<std::int64_t>(need.cpus - others, 1);
        cpus[node] = request.whole_nodes || request.tasks_per_node > 0
                         ? offers[node]
                         : static_cast<std::uint32_t>(std::min<std::int64_t>(offers[node], most));
        offers[node] = 0;
        chosen.insert(node);
        need.cpus -= cpus[node];
        --need.nodes;
        --may_take;
    };
    while (!need.met() && may_take > 0) {
        const Run* best = nullptr;
        for (const Run& run : runs) {
            if (run.count > 0 && (best == nullptr || better(run, *best, need))) {
                best = &run;
            }
        }
        if (best == nullptr) {
            return std::nullopt;
        }
        Run run = *best;
        runs[static_cast<std::size_t>(best - runs.data())].count = 0;
        if (need.nodes <= 1) {  // one node may do: that with the fewest CPUs that suffice
            std::size_t fewest = nodes_.size();
            for (std::size_t node = run.first; node < run.first + run.count; ++node) {
                if (offers[node] >= need.cpus
                    && (fewest == nodes_.size() || offers[node] < offers[fewest])) {
                    fewest = node;
                }
            }
            if (fewest < nodes_.size()) {
                take(fewest);
                break;
            }
        }
        for (std::size_t node = run.first;
             node < run.first + run.count && !need.met() && may_take > 0;
             ++node) {
            if (may_take > 1 || offers[node] >= need.cpus) {  // the last must suffice
                take(node);
            }
        }
    }
    if (!need.met()) {
        return std::nullopt;
    }
    Holding holding{.nodes = chosen};
    if (!request.whole_nodes) {
        chosen.for_each([&](std::size_t node) {
            holding.shares.push_back(share(node, cpus[node], request));
        });
    }
    return holding;
}

}  // namespace schedfarm::policies::slurm
