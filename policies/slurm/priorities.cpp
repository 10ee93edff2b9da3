#include "policies/slurm/priorities.hpp"

#include <algorithm>
#include <cmath>

namespace schedfarm::policies::slurm {

namespace {

constexpr double largest_priority = 4294967295.0;

/// The elementary functions of the C library differ between processors: powers by squaring do not.
double power(double base, std::int64_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent /= 2, base *= base) {
        result *= exponent % 2 == 1 ? base : 1;
    }
    return result;
}

}  // namespace

Priorities::Priorities(const Settings& settings)
    : settings_(settings)
    , usage_(settings.associations.size())
    , fair_share_(settings.associations.size()) {
    const double half_life = settings.priorities.half_life;
    decay_ = half_life > 0 ? 1 - 0.693 / half_life : 1;
    for (const Node& node : settings.nodes) {
        all_cpus_ += node.cpus;
    }
    for (const Partition& partition : settings.partitions) {
        largest_job_factor_ = std::max<double>(largest_job_factor_, partition.job_factor);
    }
    for (const Qos& qos : settings.qos) {
        largest_qos_ = std::max<double>(largest_qos_, qos.priority);
    }
}

double Priorities::size_factor(const WaitingJob& job) const {
    const slurm::PriorityRules& rules = settings_.priorities;
    const double all_nodes = static_cast<double>(settings_.nodes.size());
    const double nodes = job.request.nodes;
    const double cpus = job.planned_cpus > 0 ? job.planned_cpus : job.request.cpus;
    double factor = 0;
    if (rules.small_relative_to_time) {
        const double size = std::max(nodes * all_cpus_ / all_nodes, cpus);
        factor = size / std::max<double>(static_cast<double>(job.limit) / 60, 1) / all_cpus_;
        factor = rules.favor_small ? 1 - factor : factor;
    } else if (rules.favor_small) {
        factor = ((all_nodes - nodes) / all_nodes + (all_cpus_ - cpus) / all_cpus_) / 2;
    } else {
        factor = (nodes / all_nodes + cpus / all_cpus_) / 2;
    }
    return std::clamp(factor, 0.0, 1.0);
}

double Priorities::of(const WaitingJob& job, std::int64_t now) const {
    const slurm::PriorityRules& rules = settings_.priorities;
    const std::int64_t since = rules.accrue_always ? job.submit : job.accrue;
    const double waited = static_cast<double>(now - since);
    const double age =
        rules.max_age > 0 ? std::clamp(waited / static_cast<double>(rules.max_age), 0.0, 1.0) : 1;
    const Partition& partition = settings_.partitions[job.partition];
    double sum = rules.weights.age * age;
    sum += rules.weights.fair_share
           * (job.association != no_limit ? fair_share_[job.association] : 0.0);
    sum += rules.weights.job_size * size_factor(job);
    sum += largest_job_factor_ > 0
               ? rules.weights.partition * (partition.job_factor / largest_job_factor_)
               : 0.0;
    sum += largest_qos_ > 0 && job.qos != no_limit
               ? rules.weights.qos * (settings_.qos[job.qos].priority / largest_qos_)
               : 0.0;
    return std::clamp(std::floor(sum - job.nice), 1.0, largest_priority);
}

void Priorities::charge(const RunningJob& job, std::int64_t until) {
    const std::int64_t from = std::max(job.start, last_);
    if (job.association == no_limit || until <= from) {
        return;
    }
    const double factor = job.qos != no_limit ? settings_.qos[job.qos].usage_factor : 1;
    const double used =
        static_cast<double>(until - from) * power(decay_, until - from) * job.cpus * factor;
    for (std::uint32_t at = job.association; at != no_limit;
         at = settings_.associations[at].parent) {
        usage_[at] += used;
    }
}

void Priorities::recompute(
    std::int64_t now, const std::vector<RunningJob>& running, std::vector<WaitingJob>& waiting
) {
    const double decay = power(decay_, now - last_);
    for (double& usage : usage_) {
        usage *= decay;
    }
    for (const RunningJob& job : running) {
        charge(job, now);
    }
    last_ = now;
    fair_share_ = fair_tree_factors(settings_.associations, usage_);
    for (WaitingJob& job : waiting) {
        if (job.eligible <= now) {
            job.priority = of(job, now);
        }
    }
}

}  // namespace schedfarm::policies::slurm
