#include "policies/slurm/node_choice.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

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
    std::int64_t spare = 0;  ///< so many of the nodes it can do without
    bool met() const { return nodes <= 0 && cpus <= 0; }
    bool can_do() const { return nodes <= spare && cpus <= 0; }
};

bool suffices(const Run& run, const Need& need) {
    return static_cast<std::int64_t>(run.cpus) >= need.cpus
           && static_cast<std::int64_t>(run.count) >= need.nodes - need.spare;
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

/// A job has no more nodes than tasks.
std::uint32_t most_nodes(const Request& request) {
    return request.tasks > 0 ? std::min(request.max_nodes, std::max(request.tasks, request.nodes))
                             : request.max_nodes;
}

/// At least so many nodes are needed for its tasks.
std::uint32_t least_nodes(const Request& request) {
    const std::uint32_t each = request.tasks_per_node;
    return std::max(request.nodes, each > 0 ? (request.tasks + each - 1) / each : 1);
}

/// The least that a node has for it.
std::uint32_t least_cpus(const Request& request) {
    return request.cpus_per_task * std::max(request.tasks_per_node, 1U);
}

std::uint64_t memory_of(const Node& node, const Request& request) {
    return request.memory_per_node == all_memory ? node.memory : request.memory_per_node;
}

/// Whether CPUs of a node suffice: for all tasks where the job is on one node.
bool has_room(std::uint64_t cpus, const Request& request) {
    const bool is_of_one = request.tasks_per_node == 0 && request.max_nodes == 1;
    const std::uint64_t tasks = is_of_one ? std::max(request.tasks, 1U) : 1;
    return cpus >= std::max<std::uint64_t>(tasks * request.cpus_per_task, least_cpus(request));
}

/// The nodes that a job gets of those that offer something, and how many CPUs of each.
class Choice {
  public:
    Choice(
        const std::vector<Node>& nodes, const Request& request, std::vector<std::uint32_t> offers
    )
        : nodes_(nodes)
        , request_(request)
        , least_(least_nodes(request))
        , offers_(std::move(offers)) {}

    /// Where a try fails that had CPUs enough, nodes with few are left out, one more each time
    /// (choose_nodes).
    bool succeeds() {
        if (!has_enough()) {
            return false;
        }
        if (try_once()) {
            return true;
        }
        const std::uint32_t most = *std::ranges::max_element(offers_);
        for (std::uint32_t few = 1; few < most && count() > least_; ++few) {
            std::size_t spare = count() - least_;
            bool is_other = false;
            for (std::uint32_t& offer : offers_) {
                if (offer > 0 && offer <= few && spare > 0) {
                    offer = 0;
                    --spare;
                    is_other = true;
                }
            }
            if (is_other && try_once()) {
                return true;
            }
        }
        return false;
    }

    Holding holding() const {
        Holding found{.nodes = NodeSet(nodes_.size())};
        for (const std::size_t node : chosen_) {
            found.nodes.insert(node);
        }
        return found;
    }

    /// Of each chosen node in rising order: tasks go to the nodes in turn, as far as CPUs are
    /// there, and a core has one job (dist_tasks).
    std::vector<std::uint32_t> shares() const;

  private:
    std::size_t count() const {
        return offers_.size() - static_cast<std::size_t>(std::ranges::count(offers_, 0U));
    }
    /// Whether the nodes with the most CPUs have as many as the job needs.
    bool has_enough() const {
        std::vector<std::uint32_t> offers(offers_);
        std::erase(offers, 0U);
        if (offers.size() < least_) {
            return false;
        }
        if (offers.size() > most_nodes(request_)) {
            const auto end = offers.begin() + most_nodes(request_);
            std::nth_element(offers.begin(), end, offers.end(), std::greater<>());
            offers.erase(end, offers.end());
        }
        return std::accumulate(offers.begin(), offers.end(), std::uint64_t{0}) >= request_.cpus;
    }
    bool try_once();
    bool take_from(Run run);
    void take(std::size_t node);

    const std::vector<Node>& nodes_;
    const Request& request_;
    std::uint32_t least_;  ///< nodes
    /// What a try takes less of is offered less in the next one, too.
    std::vector<std::uint32_t> offers_;
    std::vector<std::uint32_t> left_;  ///< of the offers, in a try
    std::vector<std::size_t> chosen_;
    Need need_;
    std::int64_t may_take_ = 0;
};

void Choice::take(std::size_t node) {
    if (!request_.whole_nodes) {
        // A core is left for every other node that is still needed.
        const std::int64_t others = std::max<std::int64_t>(need_.nodes - need_.spare - 1, 0);
        const std::int64_t most = std::max<std::int64_t>(
            need_.cpus - others * nodes_[node].threads, least_cpus(request_)
        );
        offers_[node] = static_cast<std::uint32_t>(std::min<std::int64_t>(offers_[node], most));
    }
    left_[node] = 0;
    chosen_.push_back(node);
    need_.cpus -= offers_[node];
    --need_.nodes;
    --may_take_;
}

/// Whether that was all.
bool Choice::take_from(Run run) {
    const std::size_t end = run.first + run.count;
    if (need_.nodes <= 1) {  // one node may do: that with the fewest CPUs that suffice
        std::size_t fewest = end;
        for (std::size_t node = run.first; node < end; ++node) {
            if (left_[node] >= need_.cpus && left_[node] > 0
                && (fewest == end || left_[node] < left_[fewest])) {
                fewest = node;
            }
        }
        if (fewest < end) {
            take(fewest);
            return need_.met();
        }
    }
    for (std::size_t node = run.first; node < end && !need_.met() && may_take_ > 0; ++node) {
        if (may_take_ > 1 || left_[node] >= need_.cpus) {  // the last must suffice
            take(node);
        }
    }
    return need_.met();
}

bool Choice::try_once() {
    const std::uint32_t wanted = std::max(least_, request_.wanted_nodes);
    need_ = {.nodes = wanted, .cpus = request_.cpus, .spare = wanted - least_};
    may_take_ = most_nodes(request_);
    chosen_.clear();
    left_ = offers_;
    std::vector<Run> runs = runs_of(nodes_, offers_);
    while (!need_.met() && may_take_ > 0) {
        Run* best = nullptr;
        for (Run& run : runs) {
            if (run.count > 0 && (best == nullptr || better(run, *best, need_))) {
                best = &run;
            }
        }
        if (best == nullptr || take_from(*best)) {
            break;
        }
        best->count = 0;
    }
    std::ranges::sort(chosen_);
    return need_.can_do();
}

std::vector<std::uint32_t> Choice::shares() const {
    const auto count = static_cast<std::uint32_t>(chosen_.size());
    const std::uint32_t per_task = request_.cpus_per_task;
    std::uint32_t tasks = std::max(request_.cpus, count * least_cpus(request_)) / per_task;
    std::vector<std::uint32_t> given(count);
    // The first on each node is there whatever the room, and so are those for which there is none.
    for (bool is_full = true; tasks > 0;) {
        const std::uint32_t before = tasks;
        for (std::size_t k = 0; k < count && tasks > 0; ++k) {
            const std::uint32_t room = offers_[chosen_[k]] - given[k];
            if (is_full || room >= per_task) {
                given[k] += std::min(room, per_task);
                --tasks;
            }
        }
        is_full = tasks == before;
    }
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint32_t threads = nodes_[chosen_[k]].threads;
        given[k] = (given[k] + threads - 1) / threads * threads;
    }
    return given;
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
    if (need > most_nodes(request) || idle.count() < need
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
    const bool fits = memory_of(node, request) <= node.memory && has_gpus(node.gpus, request)
                      && has_room(node.cpus, request);
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
    const std::uint64_t memory = memory_of(nodes_[node], request);
    if (memory > free.memory || !has_gpus(free.gpus, request)) {
        return 0;
    }
    std::uint64_t cpus = free.cpus;
    if (request.memory_per_cpu > 0) {
        cpus = std::min(cpus, free.memory / request.memory_per_cpu);
        cpus -= cpus % nodes_[node].threads;
        cpus -= cpus % request.cpus_per_task;
    }
    if (!request.gpus.empty()) {
        const std::uint64_t of_node = (request.cpus + request.nodes - 1) / request.nodes;
        const std::uint64_t of_tasks =
            std::uint64_t{request.tasks_per_node} * request.cpus_per_task;
        cpus = std::min(cpus, of_tasks > 0 ? of_tasks : of_node);
    }
    return has_room(cpus, request) ? static_cast<std::uint32_t>(cpus) : 0;
}

Share FreeNodes::share(std::size_t node, std::uint32_t cpus, const Request& request) const {
    const std::uint64_t memory = request.memory_per_cpu > 0 ? request.memory_per_cpu * cpus
                                                            : memory_of(nodes_[node], request);
    return {cpus, memory, gpus_of(free_[node].gpus, request)};
}

std::optional<Holding> FreeNodes::choose(const Request& request, const NodeSet& candidates) const {
    if (serves_idle(request)) {
        return choose_idle(request, candidates & idle_);
    }
    std::vector<std::uint32_t> offers(nodes_.size());
    candidates.for_each([&](std::size_t node) { offers[node] = offer(node, request); });
    Choice choice(nodes_, request, std::move(offers));
    if (!choice.succeeds()) {
        return std::nullopt;
    }
    Holding holding = choice.holding();
    if (!request.whole_nodes) {
        std::size_t k = 0;
        const std::vector<std::uint32_t> cpus = choice.shares();
        holding.nodes.for_each([&](std::size_t node) {
            holding.shares.push_back(share(node, cpus[k++], request));
        });
    }
    return holding;
}

}  // namespace schedfarm::policies::slurm
