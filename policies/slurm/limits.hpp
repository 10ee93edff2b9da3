// Limits of QOS and associations on what runs at once (acct_policy.c of Slurm 22.05): counted are
// running jobs, with the nodes and CPUs that they hold.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "policies/slurm/jobs.hpp"

namespace schedfarm::policies::slurm {

/// Of one job, or the sum of several.
struct Held {
    std::uint64_t jobs = 0;
    std::uint64_t nodes = 0;
    std::uint64_t cpus = 0;
};

class LimitLedger {
  public:
    /// The settings outlive it.
    explicit LimitLedger(const Settings& settings);

    /// Whether the limits on the number of jobs and on their length let the job run now, and its
    /// own size is within all others. Asked before nodes are looked at.
    bool admits(const WaitingJob& job) const;
    /// Whether the limits on nodes and CPUs let it hold so much beside what runs.
    bool admits(const WaitingJob& job, const Held& wanted) const;

    void start(const RunningJob& job, const Held& held);
    void end(const RunningJob& job, const Held& held);

  private:
    struct Rule {
        const Limits* limits;
        Held held;
    };
    /// All limits on what a job joins.
    std::vector<Rule> rules_of(
        std::uint32_t qos, std::uint32_t partition, std::uint32_t association, std::uint32_t user
    ) const;
    template <typename Job, typename Function>
    void for_each_sum(const Job& job, Function function);

    const Settings& settings_;
    std::vector<Held> by_qos_;
    std::vector<std::map<std::uint32_t, Held>> by_qos_and_user_;
    std::vector<std::map<std::string, Held>> by_qos_and_account_;
    std::vector<Held> by_association_;
};

}  // namespace schedfarm::policies::slurm
