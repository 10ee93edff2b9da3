// Jobs as Slurm's scheduler knows them: what they ask for while they wait, what they hold while
// they run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "policies/slurm/node_set.hpp"
#include "policies/slurm/settings.hpp"
#include "policies/slurm/site/constraint.hpp"

namespace schedfarm::policies::slurm {

/// For Request::memory_per_node: what the node has, of which no other job has any.
inline constexpr std::uint64_t all_memory = std::numeric_limits<std::uint64_t>::max();

/// GPUs and the like.
struct AskedGres {
    std::vector<std::uint32_t> types = {};  ///< of any of these
    std::uint32_t count = 0;

    bool is_of(std::uint32_t type) const {
        return std::find(types.begin(), types.end(), type) != types.end();
    }
};

/// What a job asks for.
struct Request {
    std::uint32_t nodes = 1;             ///< at least
    std::uint32_t wanted_nodes = 0;      ///< of -N 2-4: 4; 0: as many as `nodes`
    std::uint32_t max_nodes = no_limit;  ///< as many as are wanted where -N was given
    std::uint32_t cpus = 1;              ///< over all nodes
    std::uint32_t tasks = 0;             ///< -n; 0: not said
    std::uint32_t cpus_per_task = 1;
    std::uint32_t tasks_per_node = 0;            ///< 0: any number
    std::uint32_t tasks_per_core = 0;            ///< 0: as many as it has threads
    std::uint32_t threads_per_core = 0;          ///< that it uses of each core; 0: all
    std::uint32_t cpus_per_node = 0;             ///< at least
    std::uint32_t max_cpus_per_node = no_limit;  ///< of all jobs of its partition
    std::uint32_t partition = no_limit;  ///< whose jobs these are, where there is such a limit
    std::uint64_t memory_per_node = 0;
    std::uint64_t memory_per_cpu = 0;
    std::vector<AskedGres> gres = {};  ///< on each node
    // What limits, usage and priorities count, whether or not memory is allotted.
    std::uint64_t charged_per_node = 0;
    std::uint64_t charged_per_cpu = 0;
    bool whole_nodes = false;
    std::shared_ptr<const Features> features = nullptr;  ///< null: any will do
    std::vector<Licence> licences = {};
};

/// What a job has of one node.
struct Share {
    std::uint32_t cpus = 0;
    std::uint64_t memory = 0;
    std::vector<Gpus> gpus = {};
    std::uint32_t idle_cpus = 0;  ///< further ones of its cores, which nobody else can have
};

/// What a job has of the machine: of whole nodes `shares` is empty, else one of each in order.
struct Holding {
    NodeSet nodes;
    std::vector<Share> shares = {};
    std::uint32_t partition = no_limit;  ///< Request::partition
};

/// What is counted of a job.
struct Held {
    TresCounts tres = {};
    double billing = 0;  ///< not cut to whole ones
};

struct WaitingJob {
    std::uint64_t id = 0;                  ///< in order of submission
    std::uint64_t array = 0;               ///< the first task's id; 0: no array
    std::uint32_t array_limit = no_limit;  ///< %N
    std::uint32_t partition = 0;
    std::uint32_t qos = no_limit;
    std::uint32_t association = no_limit;
    std::uint32_t user = 0;
    std::uint32_t reservation = no_limit;
    std::int64_t submit = 0;
    std::uint32_t order = 0;  ///< among the jobs of that second; 0: by id
    std::int64_t eligible = 0;
    std::int64_t let_go = 0;       ///< when %N held it back last no more; 0: never
    std::int64_t accrue = 0;       ///< when its age begins: mostly when it is eligible
    std::int64_t limit = 0;        ///< the shorter of its own and its partition's
    std::int64_t least_limit = 0;  ///< that backfill may make of it, --time-min; 0: none
    double priority = 0;
    double nice = 0;
    Request request = {};
    std::uint32_t planned_cpus = 0;  ///< what backfill last found for it; 0: nothing yet
    std::uint32_t fixed_cpus = 0;    ///< what it finds whatever the nodes; 0: that depends
    bool leaves = false;             ///< it never runs: it leaves where it could start

    /// By which its size counts in its priority.
    std::uint32_t counted_cpus() const { return planned_cpus > 0 ? planned_cpus : request.cpus; }
};

struct RunningJob {
    std::uint64_t id = 0;
    std::uint64_t array = 0;
    std::uint32_t partition = 0;
    std::uint32_t qos = no_limit;
    std::uint32_t association = no_limit;
    std::uint32_t user = 0;
    std::int64_t start = 0;
    std::int64_t limit_end = 0;  ///< start + limit
    Held held = {};              ///< of whole nodes the memory is given, the rest follows
    Holding holding = {};
    std::vector<NodeSet::Part> parts = {};  ///< of its nodes
    std::vector<Licence> licences = {};
};

}  // namespace schedfarm::policies::slurm
