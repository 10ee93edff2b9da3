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

bool has_gres(const std::vector<Gpus>& free, const Request& request) {
    return std::ranges::all_of(request.gres, [&](const AskedGres& asked) {
        std::uint64_t found = 0;
        for (const Gpus& some : free) {
            found += asked.is_of(some.type) ? some.count : 0;
        }
        return found >= asked.count;
    });
}

/// Those that it gets: type by type in the order of the configuration.
std::vector<Gpus> gres_of(const std::vector<Gpus>& free, const Request& request) {
    std::vector<Gpus> taken;
    for (const AskedGres& asked : request.gres) {
        std::uint32_t wanted = asked.count;
        for (const Gpus& some : free) {
            const std::uint32_t count = asked.is_of(some.type) ? std::min(wanted, some.count) : 0;
            if (count > 0) {
                taken.push_back({some.type, count});
                wanted -= count;
            }
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
    return std::max(
        request.cpus_per_task * std::max(request.tasks_per_node, 1U), request.cpus_per_node
    );
}

/// How many CPUs of each core it uses (common_cpus_per_core); 0: it wants more than there are.
std::uint32_t used_of_core(const Node& node, const Request& request) {
    if (request.threads_per_core > node.threads) {
        return 0;
    }
    std::uint32_t used = request.threads_per_core > 0 ? request.threads_per_core : node.threads;
    if (request.tasks_per_core > 0) {
        used = std::min(used, request.tasks_per_core * request.cpus_per_task);
    }
    return used;
}

/// How many cores one task takes where no other may be on them; 0: several may.
std::uint32_t cores_of_task(std::uint32_t used, const Request& request) {
    const bool is_alone = request.tasks_per_core == 1 && request.cpus_per_task > used;
    return is_alone ? (request.cpus_per_task + used - 1) / used : 0;
}

/// CPUs that it can use of so many cores (_allocate_sc, _count_used_cpus).
std::uint32_t cpus_of_cores(std::uint32_t cores, const Node& node, const Request& request) {
    const std::uint32_t used = used_of_core(node, request);
    const std::uint32_t of_task = used > 0 ? cores_of_task(used, request) : 0;
    return of_task == 0 ? cores * used
                        : cores / of_task * request.cpus_per_task + cores % of_task * used;
}

std::uint32_t cores_for(std::uint32_t cpus, std::uint32_t used, const Request& request) {
    const std::uint32_t of_task = cores_of_task(used, request);
    const std::uint32_t whole = of_task > 0 ? cpus / request.cpus_per_task : 0;
    return whole * of_task + (cpus - whole * request.cpus_per_task + used - 1) / used;
}

/// As many of the CPUs as memory suffices for (can_job_run_on_node).
std::uint32_t within_memory(
    std::uint32_t cpus, std::uint64_t memory, const Node& node, const Request& request
) {
    const std::uint32_t used = used_of_core(node, request);
    std::uint64_t most = memory / request.memory_per_cpu;
    std::uint32_t unit = node.counts_cpus ? 1 : used;
    if (request.tasks_per_core == 1 && request.cpus_per_task == 1 && !node.counts_cpus) {
        most /= node.threads;  // the memory of whole cores
        unit = 1;
    }
    if (cpus > most) {
        const std::uint64_t less = (cpus - most + unit - 1) / unit * unit;
        cpus = less < cpus ? cpus - static_cast<std::uint32_t>(less) : 0;
    }
    return cpus - cpus % request.cpus_per_task;
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
    /// there (dist_tasks).
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
            need_.cpus - others * used_of_core(nodes_[node], request_), least_cpus(request_)
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
    return given;
}

}  // namespace

Request of_nodes(Request request, std::uint32_t nodes, std::uint32_t cpus) {
    request.nodes = nodes;
    request.wanted_nodes = 0;
    request.cpus = cpus;
    if (request.tasks_per_node > 0) {
        request.tasks = nodes * request.tasks_per_node;
    }
    return request;
}

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
    const std::uint32_t cpus = std::max(idle_offer(nodes_.front(), request), 1U);
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
    Holding holding{.nodes = NodeSet(nodes_.size()), .partition = request.partition};
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

void FreeNodes::count_cpus(const Holding& holding, int sign) {
    if (holding.partition == no_limit) {
        return;
    }
    std::vector<std::uint32_t>& used = used_by_partition_[holding.partition];
    used.resize(nodes_.size());
    std::size_t k = 0;
    holding.nodes.for_each([&](std::size_t node) {
        std::uint32_t cpus = nodes_[node].cpus;
        if (!holding.shares.empty()) {
            cpus = holding.shares[k].cpus + holding.shares[k].idle_cpus;
            ++k;
        }
        used[node] = sign > 0 ? used[node] + cpus : used[node] - cpus;
    });
}

/// How many CPUs of the node its partition leaves it, of those that are free.
std::uint32_t FreeNodes::left_by_partition(
    std::size_t node, std::uint32_t free, const Request& request
) const {
    const auto at = used_by_partition_.find(request.partition);
    const std::uint32_t used = at == used_by_partition_.end() ? 0 : at->second[node];
    const std::uint32_t most = request.max_cpus_per_node;
    const bool is_bound = request.partition != no_limit && free + used > most;
    return !is_bound ? no_limit : request.whole_nodes || used >= most ? 0 : most - used;
}

void FreeNodes::take(const Holding& holding) {
    count_cpus(holding, 1);
    if (holding.shares.empty()) {
        idle_ -= holding.nodes;
        return;
    }
    std::size_t k = 0;
    holding.nodes.for_each([&](std::size_t node) {
        const Share& share = holding.shares[k++];
        free_[node].cpus -= share.cpus + share.idle_cpus;
        free_[node].memory -= share.memory;
        change(free_[node].gpus, share.gpus, -1);
        shared_nodes_ += ++jobs_[node] == 1 ? 1U : 0U;
        idle_.erase(node);
    });
}

void FreeNodes::give(const Holding& holding) {
    count_cpus(holding, -1);
    if (holding.shares.empty()) {
        idle_ |= holding.nodes;
        return;
    }
    std::size_t k = 0;
    holding.nodes.for_each([&](std::size_t node) {
        const Share& share = holding.shares[k++];
        free_[node].cpus += share.cpus + share.idle_cpus;
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
    const std::uint32_t cpus = cpus_of_cores(node.cpus / node.threads, node, request);
    const bool fits = memory_of(node, request) <= node.memory && has_gres(node.gpus, request)
                      && node.cpus <= request.max_cpus_per_node && has_room(cpus, request);
    return fits ? cpus : 0;
}

std::uint32_t FreeNodes::offer(std::size_t node, const Request& request) const {
    const bool is_idle = idle_.contains(node);
    if (request.whole_nodes) {
        return is_idle ? idle_offer(nodes_[node], request) : 0;
    }
    if (!is_idle && jobs_[node] == 0) {
        return 0;  // a job has all of it
    }
    const Node& whole = nodes_[node];
    const Share& free = free_[node];
    if (memory_of(whole, request) > free.memory || !has_gres(free.gpus, request)) {
        return 0;
    }
    std::uint32_t cpus = cpus_of_cores(free.cpus / whole.threads, whole, request);
    cpus = std::min(cpus, left_by_partition(node, free.cpus, request));
    if (request.memory_per_cpu > 0 && cpus > 0) {
        cpus = within_memory(cpus, free.memory, whole, request);
    }
    if (!request.gres.empty()) {
        const std::uint32_t of_node = (request.cpus + request.nodes - 1) / request.nodes;
        const std::uint32_t of_tasks = request.tasks_per_node * request.cpus_per_task;
        cpus = std::min(cpus, of_tasks > 0 ? std::max(of_tasks, request.cpus_per_node) : of_node);
    }
    return has_room(cpus, request) ? cpus : 0;
}

/// Cores are its own; of CR_Core it has all CPUs of them.
Share FreeNodes::share(std::size_t node, std::uint32_t cpus, const Request& request) const {
    const Node& whole = nodes_[node];
    const std::uint32_t all =
        cores_for(cpus, used_of_core(whole, request), request) * whole.threads;
    Share share{.cpus = whole.counts_cpus ? cpus : all, .gpus = gres_of(free_[node].gpus, request)};
    share.idle_cpus = all - share.cpus;
    share.memory = request.memory_per_cpu > 0 ? request.memory_per_cpu * share.cpus
                                              : memory_of(whole, request);
    return share;
}

std::optional<Holding> FreeNodes::choose(const Request& request, const NodeSet& candidates) const {
    if (request.features == nullptr) {
        return choose_any(request, candidates);
    }
    const Features& features = *request.features;
    const NodeSet fitting = candidates & features.nodes;
    if (!features.counted.empty()) {
        return choose_counted(request, fitting);
    }
    std::optional<Holding> found;
    for (const NodeSet& one : features.one_of) {
        found = found ? std::move(found) : choose_any(request, fitting & one);
    }
    return features.one_of.empty() ? choose_any(request, fitting) : std::move(found);
}

/// The nodes of each count first, then as many others as are still wanted. Where no brackets keep
/// the counts apart, nodes that were taken must be among those of every later count.
std::optional<Holding> FreeNodes::choose_counted(const Request& request, const NodeSet& candidates)
    const {
    NodeSet taken(nodes_.size());
    for (const Features::Counted& part : request.features->counted) {
        NodeSet own = candidates & part.nodes;
        const std::size_t before = request.features->apart ? 0 : taken.count();
        if (part.count > 0 && before > 0 && !taken.within(own)) {
            return std::nullopt;
        }
        own -= taken;
        if (part.count > before) {
            const auto count = part.count - static_cast<std::uint32_t>(before);
            const auto chosen = choose_any(of_nodes(request, count, count), own);
            if (!chosen) {
                return std::nullopt;
            }
            taken |= chosen->nodes;
        }
    }
    const auto counted = static_cast<std::uint32_t>(taken.count());
    std::uint32_t cpus = 0;
    taken.for_each([&](std::size_t node) { cpus += offer(node, request); });
    const std::uint32_t wanted = std::max(request.nodes, request.wanted_nodes);
    if (counted < wanted || cpus < request.cpus) {
        const std::uint32_t rest = std::max(wanted, counted + 1) - counted;
        Request more = of_nodes(request, rest, std::max(request.cpus, cpus + rest) - cpus);
        more.max_nodes = request.max_nodes == no_limit
                             ? no_limit
                             : request.max_nodes - std::min(counted, request.max_nodes);
        NodeSet others = candidates;
        others -= taken;
        if (const auto chosen = choose_any(more, others)) {
            taken |= chosen->nodes;
        }
    }
    const auto all = static_cast<std::uint32_t>(taken.count());
    return all < request.nodes || all > request.max_nodes
               ? std::nullopt
               : choose_any(of_nodes(request, all, request.cpus), taken);
}

std::optional<Holding> FreeNodes::choose_any(const Request& request, const NodeSet& candidates)
    const {
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
    holding.partition = request.partition;
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
