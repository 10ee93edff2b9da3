#include "policies/slurm/limits.hpp"

#include <algorithm>

namespace schedfarm::policies::slurm {

namespace {

bool within(std::uint64_t sum, std::uint32_t limit) {
    return limit == no_limit || sum <= limit;
}

Held found(const auto& sums, const auto& key) {
    const auto at = sums.find(key);
    return at == sums.end() ? Held{} : at->second;
}

void add(Held& sum, const Held& held, bool starts) {
    const auto change = [&](std::uint64_t& of, std::uint64_t by) {
        of = starts ? of + by : of - by;
    };
    change(sum.jobs, held.jobs);
    change(sum.nodes, held.nodes);
    change(sum.cpus, held.cpus);
}

}  // namespace

LimitLedger::LimitLedger(const Settings& settings)
    : settings_(settings)
    , by_qos_(settings.qos.size())
    , by_qos_and_user_(settings.qos.size())
    , by_qos_and_account_(settings.qos.size())
    , by_association_(settings.associations.size()) {}

std::vector<LimitLedger::Rule> LimitLedger::rules_of(
    std::uint32_t qos, std::uint32_t partition, std::uint32_t association, std::uint32_t user
) const {
    std::vector<Rule> rules;
    for (const std::uint32_t one : {settings_.partitions[partition].qos, qos}) {
        if (one == no_limit) {
            continue;
        }
        const Qos& of = settings_.qos[one];
        rules.push_back({&of.group, by_qos_[one]});
        rules.push_back({&of.per_user, found(by_qos_and_user_[one], user)});
        if (association != no_limit) {
            const std::string& account = settings_.associations[association].account;
            rules.push_back({&of.per_account, found(by_qos_and_account_[one], account)});
        }
        rules.push_back({&of.per_job, {}});
    }
    for (std::uint32_t at = association; at != no_limit; at = settings_.associations[at].parent) {
        const Association& of = settings_.associations[at];
        rules.push_back({&of.group, by_association_[at]});
        if (at == association) {
            rules.push_back({&of.own, by_association_[at]});
        }
    }
    return rules;
}

bool LimitLedger::admits(const WaitingJob& job) const {
    if (!settings_.enforce_limits) {
        return true;
    }
    const bool too_long = (job.qos != no_limit && job.limit > settings_.qos[job.qos].max_wall)
                          || (job.association != no_limit
                              && job.limit > settings_.associations[job.association].max_wall);
    if (too_long) {
        return false;
    }
    const auto rules = rules_of(job.qos, job.partition, job.association, job.user);
    return std::all_of(rules.begin(), rules.end(), [&](const Rule& rule) {
        return within(rule.held.jobs + 1, rule.limits->jobs)
               && within(job.request.nodes, rule.limits->nodes)
               && within(job.request.cpus, rule.limits->cpus);
    });
}

bool LimitLedger::admits(const WaitingJob& job, const Held& wanted) const {
    if (!settings_.enforce_limits) {
        return true;
    }
    const auto rules = rules_of(job.qos, job.partition, job.association, job.user);
    return std::all_of(rules.begin(), rules.end(), [&](const Rule& rule) {
        return within(rule.held.nodes + wanted.nodes, rule.limits->nodes)
               && within(rule.held.cpus + wanted.cpus, rule.limits->cpus);
    });
}

template <typename Job, typename Function>
void LimitLedger::for_each_sum(const Job& job, Function function) {
    for (const std::uint32_t qos : {settings_.partitions[job.partition].qos, job.qos}) {
        if (qos == no_limit) {
            continue;
        }
        function(by_qos_[qos]);
        function(by_qos_and_user_[qos][job.user]);
        if (job.association != no_limit) {
            function(by_qos_and_account_[qos][settings_.associations[job.association].account]);
        }
    }
    for (std::uint32_t at = job.association; at != no_limit;
         at = settings_.associations[at].parent) {
        function(by_association_[at]);
    }
}

void LimitLedger::start(const RunningJob& job, const Held& held) {
    for_each_sum(job, [&](Held& sum) { add(sum, held, true); });
}

void LimitLedger::end(const RunningJob& job, const Held& held) {
    for_each_sum(job, [&](Held& sum) { add(sum, held, false); });
}

}  // namespace schedfarm::policies::slurm
