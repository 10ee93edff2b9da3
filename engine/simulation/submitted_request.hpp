// What a log says of a job's submission beside what every simulation needs. Texts live as long as
// the log.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/simulation/job.hpp"

namespace schedfarm::engine {

struct SubmittedRequest {
    double held_s = 0;              ///< from submit_time on it cannot be started so long
    double submitted_before_s = 0;  ///< so long before submit_time it was submitted
    double memory_per_node = 0;     ///< MB; 0: not said, infinity: all
    double memory_per_cpu = 0;      ///< likewise
    std::uint32_t nodes = 0;        ///< at least; 0: not said
    std::uint32_t max_nodes = 0;    ///< 0: not said
    std::uint32_t held_nodes = 0;   ///< that it had; 0: not said
    std::uint32_t cpus = 0;         ///< of the whole job; 0: not said
    std::uint32_t tasks = 0;        ///< 0: not said, as the next two
    std::uint32_t cpus_per_task = 0;
    std::uint32_t tasks_per_node = 0;
    std::uint32_t tasks_per_core = 0;
    std::uint32_t threads_per_core = 0;  ///< that it uses of each core
    std::uint32_t gpus = 0;              ///< per node
    std::uint32_t cpus_per_gpu = 0;
    double memory_per_gpu = 0;      ///< MB
    std::uint32_t array = 0;        ///< number of the array that it is a task of; 0: of none
    std::uint32_t array_limit = 0;  ///< how many tasks of it may run at once; 0: all
    std::uint32_t order =
        0;               ///< among the jobs submitted in its second; 0: that in which they come
    double limit_s = 0;  ///< that it asked for where it takes less, too; 0: not said
    double least_limit_s = 0;        ///< that it takes
    bool is_exclusive = false;       ///< it asked for its nodes whole
    bool is_oversubscribed = false;  ///< it asked to share them
    bool was_released = false;       ///< somebody held it and let it go
    bool has_left = false;           ///< it left while it waited: it is to wait, and never to run
    std::string_view user;           ///< empty: not said, as the others
    std::string_view account;
    std::string_view partition;
    std::string_view quality;  ///< of service, QOS
    std::string_view gpu_type;
    std::string_view gres;        ///< on each node beside GPUs, "fpga:2,nic:a:1"
    std::string_view constraint;  ///< on the features of its nodes, "a&(b|c)"
    std::string_view licences;    ///< "mat:2,sim"
};

/// Whether a policy may give a job fewer processors than it is of: a log says what it asked for,
/// and what it had was more than that, as of whole nodes.
inline bool may_have_fewer(const Job& job) {
    return job.request != nullptr && job.request->cpus > 0;
}

}  // namespace schedfarm::engine
