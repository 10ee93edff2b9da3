#include "policies/slurm/priorities.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "policies/slurm/tres.hpp"

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
    , billed_(settings.associations.size())
    , usage_{std::vector<Used>(settings.qos.size()), std::vector<Used>(settings.associations.size())}
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
    for (const Association& one : settings.associations) {
        largest_association_ = std::max<double>(largest_association_, one.priority);
    }
    for (const Partition& partition : settings.partitions) {
        all_of_partitions_.push_back(all_of(partition, settings));
    }
}

double Priorities::size_factor(const WaitingJob& job) const {
    const slurm::PriorityRules& rules = settings_.priorities;
    const double all_nodes = static_cast<double>(settings_.nodes.size());
    const double nodes = job.request.nodes;
    const double cpus = job.counted_cpus();
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
    sum += largest_association_ > 0 && job.association != no_limit
               ? rules.weights.association
                     * (settings_.associations[job.association].priority / largest_association_)
               : 0.0;
    sum += tres_priority(job);
    return std::clamp(std::floor(sum - job.nice), 1.0, largest_priority);
}

/// Of each what it asks for, as a part of the partition (_get_tres_factors).
double Priorities::tres_priority(const WaitingJob& job) const {
    const TresWeights& weights = settings_.priorities.weights.tres;
    const auto is_none = [](double weight) {
        return weight == 0;
    };
    if (std::all_of(weights.begin(), weights.end(), is_none)) {
        return 0;
    }
    const TresCounts asked = asked_by(job, settings_).tres;
    const TresCounts& all = all_of_partitions_[job.partition];
    double sum = 0;
    for (std::size_t kind = 0; kind < tres_kinds; ++kind) {
        sum += all[kind] > 0 ? weights[kind] * static_cast<double>(asked[kind])
                                   / static_cast<double>(all[kind])
                             : 0.0;
    }
    return sum;
}

void Priorities::use(Used& of, const RunningJob& job, double seconds) {
    of.wall += seconds;
    for (std::size_t kind = 0; kind < tres_kinds; ++kind) {
        of.tres[kind] += seconds * static_cast<double>(job.held.tres[kind]);
    }
}

void Priorities::charge(const RunningJob& job, std::int64_t until) {
    const std::int64_t from = std::max(job.start, last_);
    if (!settings_.priorities.multifactor || until <= from) {
        return;
    }
    const double factor = job.qos != no_limit ? settings_.qos[job.qos].usage_factor : 1;
    const double seconds = static_cast<double>(until - from) * factor;
    const double decayed = static_cast<double>(until - from) * power(decay_, until - from);
    for (std::uint32_t at = job.association; at != no_limit;
         at = settings_.associations[at].parent) {
        billed_[at] += decayed * job.held.billing * factor;
        use(usage_.of_associations[at], job, decayed * factor);
    }
    const std::uint32_t of_partition = settings_.partitions[job.partition].qos;
    for (const std::uint32_t qos : {job.qos, of_partition != job.qos ? of_partition : no_limit}) {
        if (qos != no_limit) {
            use(usage_.of_qos[qos],
                job,
                settings_.qos[qos].does_not_decay ? seconds : decayed * factor);
        }
    }
}

/// `all`: also of QOS whose usage does not decay.
void Priorities::decay_usage(double decay, bool all) {
    const auto change = [&](Used& used) {
        used.wall *= decay;
        for (double& of : used.tres) {
            of *= decay;
        }
    };
    for (double& billed : billed_) {
        billed *= decay;
    }
    std::for_each(usage_.of_associations.begin(), usage_.of_associations.end(), change);
    for (std::size_t qos = 0; qos < settings_.qos.size(); ++qos) {
        if (all || !settings_.qos[qos].does_not_decay) {
            change(usage_.of_qos[qos]);
        }
    }
}

/// The first day, week (from Sunday), month … after it, of UTC (_next_reset).
std::int64_t Priorities::next_reset(std::int64_t last) const {
    using namespace std::chrono;  // NOLINT(google-build-using-namespace)
    const sys_days day = floor<days>(sys_seconds(seconds(last)));
    const year_month_day date(day);
    const auto months_of = [&](unsigned count) {
        const unsigned month = (unsigned{date.month()} - 1) / count * count + 1;
        return sys_days(
            year_month_day(date.year(), std::chrono::month(month), std::chrono::day(1))
            + months(count)
        );
    };
    sys_days next = day + days(1);
    switch (settings_.priorities.usage_reset) {
        case UsageReset::none:
        case UsageReset::day:
            break;
        case UsageReset::week:
            next = day + days(7 - weekday(day).c_encoding());
            break;
        case UsageReset::month:
            next = months_of(1);
            break;
        case UsageReset::quarter:
            next = months_of(3);
            break;
        case UsageReset::year:
            next = months_of(12);
            break;
    }
    return duration_cast<seconds>(next.time_since_epoch()).count();
}

void Priorities::recompute(
    std::int64_t now, const std::vector<RunningJob>& running, std::vector<WaitingJob>& waiting
) {
    if (settings_.priorities.usage_reset != UsageReset::none) {
        reset_at_ = reset_at_ == 0 ? next_reset(now) : reset_at_;
        if (now >= reset_at_) {
            decay_usage(0, true);
            reset_at_ = next_reset(now);
        }
    }
    decay_usage(power(decay_, now - last_), false);
    for (const RunningJob& job : running) {
        charge(job, now);
    }
    last_ = now;
    fair_share_ = fair_tree_factors(settings_.associations, billed_);
    for (WaitingJob& job : waiting) {
        if (job.eligible <= now) {
            job.priority = of(job, now);
        }
    }
}

}  // namespace schedfarm::policies::slurm
