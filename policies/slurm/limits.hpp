// Limits of QOS and associations on what runs at once (acct_policy.c of Slurm 22.05): counted are
// running jobs, with the nodes and CPUs that they hold.
#pragma once

#include <cstdint>
#include <map>
#include <string>
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
    explicit LimitLedger(const Settings& settings) : settings_(settings) {}

    /// Whether the limits on the number of jobs and on their length let the job run now, and its
    /// own size is within all others. Asked before nodes are looked at.
    bool admits(const WaitingJob& job) const;
    /// Whether the limits on nodes and CPUs let it hold so much beside what runs.
    bool admits(const WaitingJob& job, const Held& wanted) const;

    void start(const RunningJob& job, const Held& held) { add(job, held, 1); }
    void end(const RunningJob& job, const Held& held) { add(job, held, -1); }

  private:
    /// Whose jobs a limit counts.
    struct Whose {
        std::uint32_t qos = no_limit;
        std::uint32_t association = no_limit;
        std::uint32_t user = no_limit;  ///< only his
        std::string account = {};       ///< only its
        auto operator<=>(const Whose&) const = default;
    };
    struct Rule {
        const Limits* limits = nullptr;
        Whose whose = {};
        bool of_each_job = false;  ///< counts nobody else's
    };
    template <typename Job>
    std::vector<Rule> rules_of(const Job& job) const;
    Held held(const Rule& rule) const;
    void add(const RunningJob& job, const Held& held, int sign);

    const Settings& settings_;
    std::map<Whose, Held> sums_;
};

}  // namespace schedfarm::policies::slurm
