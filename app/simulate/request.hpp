// What `schedfarm simulate` was asked for, as written on the command line; and what its words mean.
// The words are those of campaigns, read by the same tables, so that a parameter has one name, one
// syntax and one message everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/simulation/policy.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/workload_model.hpp"

#include "models/trace/logged_waits.hpp"
#include "models/trace/trace_settings.hpp"

#include "app/campaign/checks/cell_settings.hpp"

namespace schedfarm::app {

/// The site's own files; empty: not given.
struct SiteRequest {
    std::string conf;          ///< slurm.conf
    std::string associations;  ///< sacctmgr -P show assoc
    std::string qos;           ///< sacctmgr -P show qos
    std::string events;        ///< sacctmgr -P show events
    std::string reservations;  ///< scontrol show reservation
    std::string version;       ///< of Slurm
    std::vector<std::string> accept;
};

struct SimulationRequest {
    std::string trace;                   ///< a log; empty: `model` makes the jobs
    std::string model;                   ///< a registered workload model
    std::string policy;                  ///< a registered policy
    std::vector<std::string> settings;   ///< "key=value", of the policy; "workload.key=value"
    std::vector<std::string> reading;    ///< likewise, of how the trace is read
    SiteRequest site;                    ///< then the policy is slurm where none is given
    std::string clusters;                ///< "320" or "8,8,8"; empty: as the log says
    std::optional<std::uint64_t> first;  ///< jobs of the trace, at most
    std::uint64_t max_jobs = models::trace::most_jobs_of_a_log;  ///< a trace of more is refused
    std::uint64_t job_count = 10000;                             ///< jobs of a model, at most
    std::uint64_t seed = 1;                                      ///< of the random numbers
    std::optional<double> utilization;  ///< offered, of a model; absent: its own
    models::trace::WaitGroups waits = models::trace::WaitGroups::all_jobs;  ///< that are compared
};

using NamedModel = NamedWorkload;

// Each of these throws ConfigErrors that name the word of the command line.

/// The words as a campaign of one cell would write them: policy, workload and what the site's files
/// say, with the words where a campaign has lines.
Node cell_tree(const SimulationRequest& request);

/// Adds the system's clusters where the site has not told them; as read_system().
void add_clusters(const SimulationRequest& request, Node& tree);

/// The model of that tree's workload, which for a log is not opened. For a log: as it is, without
/// resampling unless asked for.
NamedModel workload_of(const SimulationRequest& request, const Node& workload);
NamedModel read_workload(const SimulationRequest& request);

/// Of a workload that is a log.
models::trace::TraceSettings trace_settings(
    const SimulationRequest& request, const engine::Parameters& parameters
);

/// Whether the request sets this parameter, "workload.sizes".
bool sets(const SimulationRequest& request, std::string_view key);

/// Whether the request says at most how its log is read, and nothing of what becomes of the jobs.
bool sets_reading_alone(const SimulationRequest& request);

/// As processors or clusters are given, else as the log's header says.
engine::SystemDescription read_system(const SimulationRequest& request);

/// Adds what the site's events say of the nodes of its tree's system, of a log whose second 0 is at
/// `clock`.
void add_events(
    const SimulationRequest& request,
    const Node& cell,
    double clock,
    engine::SystemDescription& system
);

/// The system as it was asked for, for messages: "--processors 320" or "--clusters 8,8".
std::string system_option(const SimulationRequest& request);

}  // namespace schedfarm::app
