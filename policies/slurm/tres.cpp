#include "policies/slurm/tres.hpp"

#include <algorithm>

namespace schedfarm::policies::slurm {

namespace {

/// Types without names are of GPUs.
bool is_gpu(std::uint32_t type, const Settings& site) {
    return type >= site.gres_types.size() || site.gres_types[type].starts_with("gpu");
}

std::uint64_t gpus_in(const std::vector<Gpus>& gres, const Settings& site) {
    std::uint64_t sum = 0;
    for (const Gpus& one : gres) {
        sum += is_gpu(one.type, site) ? one.count : 0;
    }
    return sum;
}

double billed(const TresCounts& tres, const TresWeights& weights, bool dearest_alone) {
    double dearest = 0;
    double sum = 0;
    for (std::size_t kind = 0; kind < tres_kinds; ++kind) {
        if (kind != at(Tres::billing)) {
            const double part = static_cast<double>(tres[kind]) * weights[kind];
            dearest = std::max(dearest, part);
            sum += part;
        }
    }
    return dearest_alone ? dearest : sum;
}

Held with_billing(TresCounts tres, std::uint32_t partition, const Settings& site) {
    Held held{.tres = tres};
    held.billing = billed(tres, site.partitions[partition].billing, site.priorities.bills_dearest);
    held.tres[at(Tres::billing)] = static_cast<std::uint64_t>(std::max(held.billing, 0.0));
    return held;
}

}  // namespace

Held held_by(
    const Holding& holding, std::uint64_t memory, std::uint32_t partition, const Settings& site
) {
    TresCounts tres{};
    std::uint64_t of_shares = 0;
    std::size_t k = 0;
    holding.nodes.for_each([&](std::size_t node) {
        ++tres[at(Tres::node)];
        if (holding.shares.empty()) {
            tres[at(Tres::cpu)] += site.nodes[node].cpus;
            tres[at(Tres::gpu)] += gpus_in(site.nodes[node].gpus, site);
        } else {
            const Share& share = holding.shares[k++];
            tres[at(Tres::cpu)] += share.cpus;
            tres[at(Tres::gpu)] += gpus_in(share.gpus, site);
            of_shares += share.memory;
        }
    });
    tres[at(Tres::memory)] = std::max(of_shares, memory);
    return with_billing(tres, partition, site);
}

std::uint64_t memory_of(
    const Request& request, const NodeSet& nodes, std::uint64_t cpus, const Settings& site
) {
    if (request.charged_per_cpu > 0) {
        return request.charged_per_cpu * cpus;
    }
    if (request.charged_per_node == 0) {
        return 0;
    }
    std::uint64_t sum = 0;
    nodes.for_each([&](std::size_t node) {
        sum += std::min(request.charged_per_node, site.nodes[node].memory);
    });
    return sum;
}

Held asked_by(const WaitingJob& job, const Settings& site) {
    const Request& request = job.request;
    TresCounts tres{};
    tres[at(Tres::cpu)] = request.cpus;
    tres[at(Tres::node)] = request.nodes;
    for (const AskedGres& one : request.gres) {
        if (!one.types.empty() && is_gpu(one.types.front(), site)) {
            tres[at(Tres::gpu)] += std::uint64_t{one.count} * request.nodes;
        }
    }
    tres[at(Tres::memory)] = request.charged_per_cpu > 0 ? request.charged_per_cpu * request.cpus
                             : request.charged_per_node == all_memory
                                 ? 0
                                 : request.charged_per_node * request.nodes;
    return with_billing(tres, job.partition, site);
}

TresCounts all_of(const Partition& partition, const Settings& site) {
    TresCounts tres{};
    partition.nodes.for_each([&](std::size_t node) {
        ++tres[at(Tres::node)];
        tres[at(Tres::cpu)] += site.nodes[node].cpus;
        tres[at(Tres::memory)] += site.nodes[node].memory;
        tres[at(Tres::gpu)] += gpus_in(site.nodes[node].gpus, site);
    });
    tres[at(Tres::billing)] = static_cast<std::uint64_t>(
        std::max(billed(tres, partition.billing, site.priorities.bills_dearest), 0.0)
    );
    return tres;
}

}  // namespace schedfarm::policies::slurm
