// What a job asks for, in Slurm's terms: what its log says of its submission, and for the rest what
// sbatch would fill in.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/simulation/job.hpp"
#include "engine/simulation/submitted_request.hpp"

#include "policies/slurm/jobs.hpp"
#include "policies/slurm/limits.hpp"
#include "policies/slurm/node_choice.hpp"

namespace schedfarm::policies::slurm {

class Requests {
  public:
    /// The settings outlive it.
    explicit Requests(const Settings& site);

    /// Throws UnservedJobError for a job that would wait for ever: of a partition or QOS that is
    /// not there, larger than its partition, or over its limits by itself.
    WaitingJob of(const engine::Job& job, std::int64_t submitted) const;

  private:
    std::uint32_t association_of(const engine::SubmittedRequest& said) const;
    std::uint32_t user_of(std::uint32_t association, std::uint32_t user) const;
    Request request_of(
        const engine::Job& job,
        const engine::SubmittedRequest& said,
        const Partition& partition,
        std::uint32_t most_nodes
    ) const;

    const Settings& site_;
    /// Of the nodes of a partition.
    struct NodeSizes {
        std::uint32_t most_cpus = 1;
        std::uint32_t least_cpus = no_limit;
        std::uint32_t most_threads = 1;
        std::uint64_t most_memory = 0;
        std::uint64_t first_memory = 0;  ///< of the first of them

        bool are_alike() const { return most_cpus == least_cpus; }
    };
    static bool is_exclusive(
        const engine::Job& job,
        const engine::SubmittedRequest& said,
        const Request& asked,
        const NodeSizes& sizes
    );

    static void add_gpu_defaults(
        const engine::SubmittedRequest& said, const Partition& partition, Request& request
    );
    static bool keep_within_memory(
        const Partition& partition, std::uint64_t memory_of_node, Request& request
    );
    void settle_memory(
        const engine::Job& job, const Partition& partition, const NodeSizes& sizes, Request& request
    ) const;
    std::vector<AskedGres> gres_of(const engine::Job& job, const engine::SubmittedRequest& said)
        const;
    std::vector<Licence> licences_of(const engine::Job& job, std::string_view list) const;

    FeatureNodes features_;
    std::vector<NodeSizes> sizes_;
    FreeNodes empty_;     ///< nothing runs
    LimitLedger unused_;  ///< likewise
};

}  // namespace schedfarm::policies::slurm
