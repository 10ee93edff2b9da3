#include "policies/slurm/preemption.hpp"

#include <algorithm>
#include <tuple>

namespace schedfarm::policies::slurm {

namespace {

constexpr std::size_t reorders = 2;  // preempt_reorder_count = 1
constexpr std::uint32_t most_qos_priority = 0xffff;

/// Whether the running job makes room for the one that waits (preempt_p_preemptable).
bool makes_room(const RunningJob& other, const WaitingJob& job, const Settings& settings) {
    if (settings.preempts == Preempts::listed_qos) {
        return preempts(settings, job.qos, other.qos);
    }
    const Partition& of = settings.partitions[other.partition];
    return of.preempted && of.tier < settings.partitions[job.partition].tier;
}

/// What goes first: of a low tier, or a QOS of low priority (preempt_p_get_data).
std::uint32_t rank_of(const RunningJob& job, const Settings& settings) {
    return settings.preempts == Preempts::listed_qos
               ? std::min(settings.qos[job.qos].priority, most_qos_priority)
               : settings.partitions[job.partition].tier;
}

/// Sends them away one by one until the job fits. How many it took, and what the job gets.
struct Fit {
    std::size_t gone = 0;
    Holding holding = {};
};

std::optional<Fit> first_fit(
    const WaitingJob& job,
    const NodeSet& candidates,
    FreeNodes free,
    const std::vector<const RunningJob*>& order
) {
    for (std::size_t k = 0; k < order.size(); ++k) {
        free.give(order[k]->holding);
        if (auto holding = free.choose(job.request, candidates)) {
            return Fit{k + 1, *std::move(holding)};
        }
    }
    return std::nullopt;
}

}  // namespace

bool preempts(const Settings& settings, std::uint32_t first, std::uint32_t second) {
    if (first == no_limit || second == no_limit) {
        return false;
    }
    const std::vector<std::uint32_t>& own = settings.qos[first].preempts;
    return std::find(own.begin(), own.end(), second) != own.end();
}

bool may_be_sent_away(const WaitingJob& job, const Settings& settings) {
    return settings.preempts == Preempts::listed_qos
           || (settings.preempts == Preempts::lower_tiers
               && settings.partitions[job.partition].preempted);
}

std::optional<Preemption> preempt(
    const WaitingJob& job,
    const NodeSet& candidates,
    const FreeNodes& free,
    const std::vector<RunningJob>& running,
    const std::vector<std::uint64_t>& leaving,
    const Settings& settings
) {
    if (!settings.may_preempt()) {
        return std::nullopt;
    }
    std::vector<const RunningJob*> order;
    for (const RunningJob& other : running) {
        if (makes_room(other, job, settings) && other.holding.nodes.meets(candidates)
            && std::find(leaving.begin(), leaving.end(), other.id) == leaving.end()) {
            order.push_back(&other);
        }
    }
    const auto key = [&](const RunningJob* other) {
        return std::make_tuple(rank_of(*other, settings), other->holding.nodes.count(), other->id);
    };
    std::sort(order.begin(), order.end(), [&](const RunningJob* a, const RunningJob* b) {
        return key(a) < key(b);
    });
    std::optional<Fit> fit = first_fit(job, candidates, free, order);
    for (std::size_t k = 1; fit && k <= reorders && order.size() > k; ++k) {
        // The job that made it fit comes first, the others by what they hold of the nodes chosen.
        const RunningJob* last = order[fit->gone - 1];
        const auto overlap = [&](std::size_t at) {
            return order[at] == last ? settings.nodes.size() + 1
                   : at < fit->gone  ? (order[at]->holding.nodes & fit->holding.nodes).count()
                                     : 0;
        };
        std::vector<std::pair<std::size_t, const RunningJob*>> sorted;
        for (std::size_t at = 0; at < order.size(); ++at) {
            sorted.emplace_back(overlap(at), order[at]);
        }
        std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
            return a.first > b.first;
        });
        for (std::size_t at = 0; at < order.size(); ++at) {
            order[at] = sorted[at].second;
        }
        fit = first_fit(job, candidates, free, order);
    }
    if (!fit) {
        return std::nullopt;
    }
    Preemption result{.holding = std::move(fit->holding)};
    for (std::size_t k = 0; k < fit->gone; ++k) {
        if (order[k]->holding.nodes.meets(result.holding.nodes)) {
            result.victims.push_back(order[k]->id);
        }
    }
    return result;
}

}  // namespace schedfarm::policies::slurm
