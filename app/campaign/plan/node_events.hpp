// What Slurm prints of nodes and reservations. Outages as its accounting has them: `sacctmgr show
// events -P` of nodes. A row is `Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User`, in any
// order of columns; its reason may hold a `|`. Rows of the whole cluster and of a cold start (UNK)
// are no outages. Reservations: `scontrol show reservation`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/simulation/system.hpp"

#include "policies/slurm/settings.hpp"

#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

bool is_node_events(const std::string& content);

/// Processors of a node.
struct NodePlace {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

struct EventsOfNodes {
    std::map<std::string, NodePlace> places = {};
    double begin = 0;       ///< the Unix clock at time 0
    std::string zone = {};  ///< of times; empty: UTC
};

/// The nodes of slurm.conf, each with its CPUs.
std::map<std::string, NodePlace> places_of(const std::vector<policies::slurm::Node>& nodes);

/// Adds the outages of `file` to those of a system. What is wrong is a problem with the line.
void add_node_events(
    const EventsOfNodes& events,
    const std::string& file,
    const std::string& content,
    engine::SystemDescription& system,
    Problems& problems
);

/// "1795771359", or "2026-11-27T09:22:39" of a zone; absent for what is neither.
std::optional<double> unix_time(std::string text, const std::string& zone);

/// Each as a line of slurm.conf's changes. `Created=TIME`, which Slurm does not print, says since
/// when a reservation is known.
std::vector<std::string> reservation_lines(
    const std::string& file, const std::string& content, const std::string& zone, Problems& problems
);

}  // namespace schedfarm::app
