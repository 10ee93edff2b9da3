#include "policies/slurm/limits.hpp"

#include <algorithm>
#include <utility>

#include "policies/slurm/tres.hpp"

namespace schedfarm::policies::slurm {

/// In the order in which Slurm asks (acct_policy_job_runnable_post_select).
const std::array<LimitLedger::Rule, 11> LimitLedger::rules{{
    {&Limits::group_minutes, Rule::Of::group, Rule::Counts::used_minutes},
    {&Limits::group, Rule::Of::group, Rule::Counts::held},
    {&Limits::group_running_minutes, Rule::Of::group, Rule::Counts::minutes},
    {&Limits::job_minutes, Rule::Of::job, Rule::Counts::minutes},
    {&Limits::job, Rule::Of::job, Rule::Counts::held},
    {&Limits::per_node, Rule::Of::job, Rule::Counts::per_node},
    {&Limits::least, Rule::Of::job, Rule::Counts::least, false},
    {&Limits::account, Rule::Of::account, Rule::Counts::held, false},
    {&Limits::user, Rule::Of::user, Rule::Counts::held, false},
    {&Limits::account_running_minutes,
     Rule::Of::account,
     Rule::Counts::minutes,
     false,
     slurm_24_05},
    {&Limits::user_running_minutes, Rule::Of::user, Rule::Counts::minutes, false, slurm_24_05},
}};

namespace {

/// The QOS of the partition comes first, unless the job's goes before it
/// (acct_policy_set_qos_order).
template <typename Job>
std::vector<std::uint32_t> qos_of(const Job& job, const Settings& site) {
    std::vector<std::uint32_t> order{site.partitions[job.partition].qos, job.qos};
    if (job.qos != no_limit && site.qos[job.qos].goes_before_partition) {
        std::swap(order[0], order[1]);
    }
    if (order[0] == order[1]) {
        order.pop_back();
    }
    std::erase(order, no_limit);
    return order;
}

}  // namespace

template <typename Job>
std::vector<LimitLedger::Holder> LimitLedger::holders_of(const Job& job) const {
    std::vector<Holder> holders;
    for (const std::uint32_t qos : qos_of(job, settings_)) {
        holders.push_back({&settings_.qos[qos].limits, {.qos = qos}});
    }
    for (std::uint32_t at = job.association; at != no_limit;
         at = settings_.associations[at].parent) {
        holders.push_back(
            {&settings_.associations[at].limits, {.association = at}, at != job.association}
        );
    }
    return holders;
}

const LimitLedger::Sum& LimitLedger::sum(const Whose& whose) const {
    static const Sum nothing;
    const auto found = sums_.find(whose);
    return found == sums_.end() ? nothing : found->second;
}

/// Of a job that counts nothing, nothing counts.
Used LimitLedger::used(const Holder& holder, double factor) const {
    if (usage_ == nullptr || factor == 0) {
        return {};
    }
    return holder.is_qos() ? usage_->of_qos[holder.whose.qos]
                           : usage_->of_associations[holder.whose.association];
}

bool LimitLedger::decays(const Holder& holder) const {
    const PriorityRules& of = settings_.priorities;
    const bool is_fixed = holder.is_qos() && settings_.qos[holder.whose.qos].does_not_decay;
    return (of.half_life > 0 && !is_fixed) || of.usage_reset != UsageReset::none;
}

/// In s; UsageFactorSafe counts whole minutes.
std::int64_t LimitLedger::length_of(const WaitingJob& job) const {
    if (job.qos == no_limit || !settings_.qos[job.qos].factor_is_safe) {
        return job.limit;
    }
    const double factor = settings_.qos[job.qos].usage_factor;
    return 60 * static_cast<std::int64_t>(static_cast<double>(job.limit / 60) * factor);
}

bool LimitLedger::wall_is_left(const Holder& holder, const WaitingJob& job) const {
    const auto used_min = static_cast<std::uint64_t>(used(holder, 1).wall / 60);
    const std::uint64_t most = holder.limits->group_wall / 60;
    return used_min < most && (!settings_.limits_are_safe || used_min + minutes_of(job) <= most);
}

bool LimitLedger::admits(const WaitingJob& job) const {
    if (!settings_.enforce_limits) {
        return true;
    }
    // What a QOS has said already.
    bool group_jobs = false;
    bool user_jobs = false;
    bool account_jobs = false;
    bool group_wall = false;
    bool max_wall = false;
    for (const Holder& holder : holders_of(job)) {
        const Limits& of = *holder.limits;
        const auto is_full = [&](bool& is_said, std::uint32_t most, const Whose& whose) {
            const bool counts = !is_said && most != no_limit;
            is_said = is_said || (counts && holder.is_qos());
            return counts && sum(whose).jobs >= most;
        };
        if (is_full(group_jobs, of.group_jobs, holder.whose)) {
            return false;
        }
        if (!group_wall && of.group_wall != no_bound) {
            group_wall = holder.is_qos();
            if (!wall_is_left(holder, job)) {
                return false;
            }
        }
        if (holder.is_parent) {
            continue;
        }
        if (holder.is_qos()) {
            const Whose of_user{.qos = holder.whose.qos, .user = job.user};
            const Whose of_account{.qos = holder.whose.qos, .account = account_of(job)};
            if ((!of_account.account.empty() && is_full(account_jobs, of.account_jobs, of_account))
                || is_full(user_jobs, of.user_jobs, of_user)) {
                return false;
            }
        } else if (!account_jobs && is_full(user_jobs, of.user_jobs, holder.whose)) {
            return false;
        }
        if (!max_wall && of.max_wall != year_s) {
            max_wall = holder.is_qos();
            if (length_of(job) > of.max_wall) {
                return false;
            }
        }
    }
    return refusal({.job = job, .held = asked_by(job, settings_), .alone = true}).rule == nullptr;
}

bool LimitLedger::admits(const WaitingJob& job, const Held& wanted, const NodeSet* nodes) const {
    return !settings_.enforce_limits
           || refusal({.job = job, .held = wanted, .nodes = nodes}).rule == nullptr;
}

LimitLedger::Refusal LimitLedger::refusal(Wanted wanted) const {
    wanted.minutes = minutes_of(wanted.job);
    std::array<std::array<bool, tres_kinds>, std::size(rules)> is_said{};  // by a QOS
    for (const Holder& holder : holders_of(wanted.job)) {
        wanted.holder = holder;
        for (std::size_t k = 0; k < rules.size(); ++k) {
            const Rule& rule = rules[k];
            const bool holds =
                holder.is_qos()
                    ? rule.of != Rule::Of::account || wanted.job.association != no_limit
                    : rule.of_associations && (!holder.is_parent || rule.of == Rule::Of::group);
            const bool is_known = settings_.version >= rule.since;
            for (std::size_t kind = 0; holds && is_known && kind < tres_kinds; ++kind) {
                if (is_said[k][kind] || (holder.limits->*rule.limit)[kind] == no_bound) {
                    continue;
                }
                is_said[k][kind] = holder.is_qos();
                if (!within(rule, kind, wanted)) {
                    return {&rule, holder};
                }
            }
        }
    }
    return {};
}

bool LimitLedger::within(const Rule& rule, std::size_t kind, const Wanted& wanted) const {
    using Counts = Rule::Counts;
    const std::uint64_t most = (wanted.holder.limits->*rule.limit)[kind];
    const TresCounts& held = wanted.held.tres;
    const bool of_minutes = rule.counts == Counts::minutes || rule.counts == Counts::used_minutes;
    std::uint64_t value = held[kind] * (of_minutes ? wanted.minutes : 1);
    if (rule.counts == Counts::least) {
        return value >= most;
    }
    if (rule.counts == Counts::per_node) {
        return value / std::max<std::uint64_t>(held[at(Tres::node)], 1) <= most;
    }
    if (value == 0) {
        return true;
    }
    Whose whose = wanted.holder.whose;
    whose.user = rule.of == Rule::Of::user ? wanted.job.user : no_limit;
    whose.account = rule.of == Rule::Of::account ? account_of(wanted.job) : "";
    const bool counts_others = !wanted.alone && rule.of != Rule::Of::job;
    static const Sum nothing;
    const Sum& others = counts_others ? sum(whose) : nothing;
    if (rule.counts == Counts::used_minutes) {
        const std::uint32_t qos = wanted.job.qos;
        const double factor = qos != no_limit ? settings_.qos[qos].usage_factor : 1;
        const std::uint64_t used_min =
            wanted.alone ? 0
                         : static_cast<std::uint64_t>(used(wanted.holder, factor).tres[kind] / 60);
        const std::uint64_t running_min = factor == 0 ? 0 : others.running_seconds[kind] / 60;
        return used_min < most
               && (!settings_.limits_are_safe
                   || (value <= most && value + running_min <= most - used_min));
    }
    if (rule.counts == Counts::minutes) {
        return value <= most && value + others.running_seconds[kind] / 60 <= most;
    }
    if (kind == at(Tres::node) && counts_others && wanted.nodes != nullptr
        && !others.jobs_on.empty()) {
        wanted.nodes->for_each([&](std::size_t node) {
            value -= others.jobs_on[node] > 0 ? 1U : 0U;  // one that it has already
        });
    }
    return held[kind] <= most && value + others.tres[kind] <= most;
}

bool LimitLedger::is_used_up(const WaitingJob& job) const {
    if (!settings_.enforce_limits || usage_ == nullptr) {
        return false;
    }
    const Refusal refused = refusal({.job = job, .held = asked_by(job, settings_)});
    if (refused.rule != nullptr && refused.rule->counts == Rule::Counts::used_minutes
        && !decays(refused.holder) && sum(refused.holder.whose).jobs == 0) {
        return true;
    }
    for (const Holder& holder : holders_of(job)) {
        if (holder.limits->group_wall != no_bound) {
            if (!wall_is_left(holder, job) && !decays(holder)) {
                return true;
            }
            if (holder.is_qos()) {
                break;
            }
        }
    }
    return false;
}

/// All that count the job.
template <typename Change>
void LimitLedger::for_each_sum(const RunningJob& job, Change change) {
    if (!settings_.enforce_limits) {
        return;
    }
    for (const Holder& holder : holders_of(job)) {
        change(sums_[holder.whose]);
        if (holder.is_qos()) {
            Whose whose = holder.whose;
            whose.user = job.user;
            change(sums_[whose]);
            whose.user = no_limit;
            whose.account = account_of(job);
            if (!whose.account.empty()) {
                change(sums_[whose]);
            }
        }
    }
}

void LimitLedger::add_seconds(const RunningJob& job, std::int64_t seconds, int sign) {
    const double factor = job.qos != no_limit ? settings_.qos[job.qos].usage_factor : 1;
    const auto counted = static_cast<std::uint64_t>(
        static_cast<double>(std::max<std::int64_t>(seconds, 0)) * factor
    );
    for_each_sum(job, [&](Sum& sum) {
        for (std::size_t kind = 0; kind < tres_kinds; ++kind) {
            const std::uint64_t change = counted * job.held.tres[kind];
            std::uint64_t& of = sum.running_seconds[kind];
            of = sign > 0 ? of + change : of - std::min(of, change);
        }
    });
}

void LimitLedger::start(const RunningJob& job) {
    add_seconds(job, job.limit_end - std::max(job.start, last_), 1);
    for_each_sum(job, [&](Sum& sum) {
        ++sum.jobs;
        sum.jobs_on.resize(settings_.nodes.size());
        for (std::size_t kind = 0; kind < tres_kinds; ++kind) {
            sum.tres[kind] += kind == at(Tres::node) ? 0 : job.held.tres[kind];
        }
        job.holding.nodes.for_each([&](std::size_t node) {
            sum.tres[at(Tres::node)] += sum.jobs_on[node]++ == 0 ? 1U : 0U;
        });
    });
}

void LimitLedger::end(const RunningJob& job) {
    add_seconds(job, job.limit_end - std::max(job.start, last_), -1);
    for_each_sum(job, [&](Sum& sum) {
        --sum.jobs;
        for (std::size_t kind = 0; kind < tres_kinds; ++kind) {
            sum.tres[kind] -= kind == at(Tres::node) ? 0 : job.held.tres[kind];
        }
        job.holding.nodes.for_each([&](std::size_t node) {
            sum.tres[at(Tres::node)] -= --sum.jobs_on[node] == 0 ? 1U : 0U;
        });
    });
}

void LimitLedger::recompute(std::int64_t now, const std::vector<RunningJob>& running) {
    for (const RunningJob& job : running) {
        add_seconds(job, std::min(now, job.limit_end) - std::max(job.start, last_), -1);
    }
    last_ = now;
}

}  // namespace schedfarm::policies::slurm
