// A few nodes, and jobs that wait and run on them, for cases by hand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "policies/slurm/scheduler.hpp"

namespace schedfarm::tests::by_hand {

using Ids = std::vector<std::uint64_t>;

inline policies::slurm::NodeSet nodes_from_to(
    const policies::slurm::Settings& settings, std::size_t first, std::size_t last
) {
    policies::slurm::NodeSet set(settings.nodes.size());
    set.insert(first, last - first + 1);
    return set;
}

/// Nodes 0 … count − 1 in one partition of whole nodes; backfill looks at every second.
inline policies::slurm::Settings machine(std::size_t count, std::uint32_t cpus = 4) {
    policies::slurm::Settings settings;
    for (std::size_t k = 0; k < count; ++k) {
        settings.nodes.push_back({.name = "n" + std::to_string(k), .cpus = cpus, .memory = 4000});
    }
    settings.partitions.push_back(
        {.name = "batch", .nodes = nodes_from_to(settings, 0, count - 1), .whole_nodes = true}
    );
    settings.backfill.interval = settings.backfill.resolution = 1;
    return settings;
}

/// Of whole nodes; the lower its id the higher its priority.
inline policies::slurm::WaitingJob waiting_job(
    std::uint64_t id, std::uint32_t nodes, std::int64_t limit_s
) {
    policies::slurm::WaitingJob job{.id = id};
    job.limit = limit_s;
    job.priority = 1000 - static_cast<double>(id);
    job.request = {.nodes = nodes, .max_nodes = nodes, .cpus = nodes, .whole_nodes = true};
    return job;
}

/// The same, of minutes.
inline policies::slurm::WaitingJob waits(
    std::uint64_t id, std::uint32_t nodes, std::int64_t limit_min
) {
    return waiting_job(id, nodes, 60 * limit_min);
}

/// On the nodes from the first to the last.
inline policies::slurm::RunningJob runs(
    const policies::slurm::Settings& settings,
    std::uint64_t id,
    std::size_t first,
    std::size_t last,
    std::int64_t limit_end
) {
    const policies::slurm::NodeSet nodes = nodes_from_to(settings, first, last);
    return {.id = id, .limit_end = limit_end, .holding = {nodes}, .parts = nodes.parts()};
}

inline Ids started(const policies::slurm::Decisions& decisions) {
    Ids found;
    for (const policies::slurm::Start& start : decisions.starts) {
        found.push_back(start.id);
    }
    return found;
}

}  // namespace schedfarm::tests::by_hand
