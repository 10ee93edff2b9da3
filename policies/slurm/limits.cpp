#include "policies/slurm/limits.hpp"

#include <algorithm>
#include <set>

namespace schedfarm::policies::slurm {

namespace {

bool within(std::uint64_t sum, std::uint32_t limit) {
    return limit == no_limit || sum <= limit;
}

}  // namespace

/// A QOS that is the partition's and the job's counts once.
template <typename Job>
std::vector<LimitLedger::Rule> LimitLedger::rules_of(const Job& job) const {
    std::vector<Rule> rules;
    for (const std::uint32_t qos : std::set{settings_.partitions[job.partition].qos, job.qos}) {
        if (qos == no_limit) {
            continue;
        }
        const Qos& of = settings_.qos[qos];
        rules.push_back({&of.group, {.qos = qos}});
        rules.push_back({&of.per_user, {.qos = qos, .user = job.user}});
        if (job.association != no_limit) {
            const std::string& account = settings_.associations[job.association].account;
            rules.push_back({&of.per_account, {.qos = qos, .account = account}});
        }
        rules.push_back({&of.per_job, {.qos = qos}, true});
    }
    for (std::uint32_t at = job.association; at != no_limit;
         at = settings_.associations[at].parent) {
        const Association& of = settings_.associations[at];
        rules.push_back({&of.group, {.association = at}});
        if (at == job.association) {
            rules.push_back({&of.own, {.association = at, .user = job.user}});
        }
    }
    return rules;
}

Held LimitLedger::held(const Rule& rule) const {
    const auto at = sums_.find(rule.whose);
    return rule.of_each_job || at == sums_.end() ? Held{} : at->second;
}

bool LimitLedger::admits(const WaitingJob& job) const {
    if (!settings_.enforce_limits) {
        return true;
    }
    const bool too_long = (job.qos != no_limit && job.limit > settings_.qos[job.qos].max_wall)
                          || (job.association != no_limit
                              && job.limit > settings_.associations[job.association].max_wall);
    const std::vector<Rule> rules = rules_of(job);
    return !too_long && std::all_of(rules.begin(), rules.end(), [&](const Rule& rule) {
        return within(held(rule).jobs + 1, rule.limits->jobs)
               && within(job.request.nodes, rule.limits->nodes)
               && within(job.request.cpus, rule.limits->cpus);
    });
}

bool LimitLedger::admits(const WaitingJob& job, const Held& wanted) const {
    if (!settings_.enforce_limits) {
        return true;
    }
    const std::vector<Rule> rules = rules_of(job);
    return std::all_of(rules.begin(), rules.end(), [&](const Rule& rule) {
        return within(held(rule).nodes + wanted.nodes, rule.limits->nodes)
               && within(held(rule).cpus + wanted.cpus, rule.limits->cpus);
    });
}

void LimitLedger::add(const RunningJob& job, const Held& held, int sign) {
    if (!settings_.enforce_limits) {
        return;
    }
    const auto change = [&](std::uint64_t& of, std::uint64_t by) {
        of = sign > 0 ? of + by : of - by;
    };
    for (const Rule& rule : rules_of(job)) {
        if (!rule.of_each_job) {
            Held& sum = sums_[rule.whose];
            change(sum.jobs, held.jobs);
            change(sum.nodes, held.nodes);
            change(sum.cpus, held.cpus);
        }
    }
}

}  // namespace schedfarm::policies::slurm
