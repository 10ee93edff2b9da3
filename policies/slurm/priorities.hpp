// Priorities of waiting jobs and the usage that fair share goes by (priority/multifactor of Slurm
// 22.05, fair tree). Both move only when Slurm moves them: usage is charged in slices, at each
// recomputation and when a job ends; priorities change at each recomputation and when a job comes.
#pragma once

#include <cstdint>
#include <vector>

#include "policies/slurm/jobs.hpp"
#include "policies/slurm/limits.hpp"

namespace schedfarm::policies::slurm {

/// Fair-share factors of users by the fair tree (fair_tree.c): at each level, siblings are sorted
/// by shares over usage; a walk depth first ranks the users, tied ones alike. `usage` of each
/// association holds that of all below it. The factor of each: rank / users; of accounts 0.
std::vector<double> fair_tree_factors(
    const std::vector<Association>& tree, const std::vector<double>& usage
);

class Priorities {
  public:
    /// The settings outlive it.
    explicit Priorities(const Settings& settings);

    /// Of a job that comes now.
    double of(const WaitingJob& job, std::int64_t now) const;

    /// What a job has used since the last recomputation; asked for when it ends.
    void charge(const RunningJob& job, std::int64_t until);

    /// Every calc_period: decays and charges usage, then sets the factors and all priorities.
    void recompute(
        std::int64_t now, const std::vector<RunningJob>& running, std::vector<WaitingJob>& waiting
    );

    /// In seconds of what is billed, of each association with all below it.
    const std::vector<double>& billed() const { return billed_; }
    /// For limits on minutes; priority/basic keeps none.
    const Usage& usage() const { return usage_; }
    const std::vector<double>& fair_share() const { return fair_share_; }

  private:
    double size_factor(const WaitingJob& job) const;
    double tres_priority(const WaitingJob& job) const;
    void decay_usage(double decay, bool all);
    void use(Used& of, const RunningJob& job, double seconds);
    std::int64_t next_reset(std::int64_t last) const;

    const Settings& settings_;
    double decay_ = 1;  ///< of a second
    double all_cpus_ = 0;
    double largest_job_factor_ = 0;
    double largest_qos_ = 0;
    double largest_association_ = 0;
    std::vector<TresCounts> all_of_partitions_;
    std::vector<double> billed_;
    Usage usage_;
    std::vector<double> fair_share_;  ///< 0 before the first recomputation
    std::int64_t last_ = 0;
    std::int64_t reset_at_ = 0;
};

}  // namespace schedfarm::policies::slurm
