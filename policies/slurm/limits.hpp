// Limits of QOS and associations on what runs at once and on what was used (acct_policy.c of Slurm
// 22.05): counted are running jobs, with what they hold, and the usage that priority/multifactor
// keeps.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "policies/slurm/jobs.hpp"

namespace schedfarm::policies::slurm {

/// What the jobs of a QOS or association have used so far, decayed, in seconds.
struct Used {
    std::array<double, tres_kinds> tres = {};
    double wall = 0;
};
struct Usage {
    std::vector<Used> of_qos = {};
    std::vector<Used> of_associations = {};  ///< with all below them
};

class LimitLedger {
  public:
    /// The settings and the usage outlive it; nullptr: nothing was used.
    explicit LimitLedger(const Settings& settings, const Usage* usage = nullptr)
        : settings_(settings), usage_(usage) {}

    /// Whether the limits on the number of jobs and on their length let the job run now, and what
    /// it asks for is within all others by itself. Asked before nodes are looked at.
    bool admits(const WaitingJob& job) const;
    /// Whether the other limits let it hold so much beside what runs. `nodes`: which; none: not
    /// known.
    bool admits(const WaitingJob& job, const Held& wanted, const NodeSet* nodes = nullptr) const;
    /// Whether it never will any more: what is used up does not come back.
    bool is_used_up(const WaitingJob& job) const;

    void start(const RunningJob& job);
    void end(const RunningJob& job);
    /// What running jobs have still to run counts from now on (_apply_new_usage).
    void recompute(std::int64_t now, const std::vector<RunningJob>& running);

  private:
    /// Whose jobs a limit counts.
    struct Whose {
        std::uint32_t qos = no_limit;
        std::uint32_t association = no_limit;
        std::uint32_t user = no_limit;  ///< only his
        std::string account = {};       ///< only its
        auto operator<=>(const Whose&) const = default;
    };
    struct Sum {
        std::uint64_t jobs = 0;
        TresCounts tres = {};
        TresCounts running_seconds = {};
        std::vector<std::uint32_t> jobs_on = {};  ///< each node: one counts once
    };
    /// Whose limits hold for a job.
    struct Holder {
        const Limits* limits = nullptr;
        Whose whose = {};
        bool is_parent = false;  ///< only its limits of groups hold
        bool is_qos() const { return whose.qos != no_limit; }
    };
    /// A table of limits: what of a job it bounds, and beside whose other jobs.
    struct Rule {
        enum class Of : std::uint8_t { group, user, account, job };
        enum class Counts : std::uint8_t { held, minutes, used_minutes, per_node, least };

        TresCounts Limits::*limit;
        Of of;
        Counts counts;
        bool of_associations = true;
        std::uint32_t since = slurm_22_05;
    };
    struct Wanted {
        const WaitingJob& job;
        Held held = {};
        const NodeSet* nodes = nullptr;
        bool alone = false;  ///< whatever else runs, or has run
        std::uint64_t minutes = 0;
        Holder holder = {};  ///< whose limit is asked
    };
    struct Refusal {
        const Rule* rule = nullptr;  ///< nullptr: none
        Holder holder = {};
    };
    static const std::array<Rule, 11> rules;

    template <typename Job>
    std::vector<Holder> holders_of(const Job& job) const;
    template <typename Job>
    std::string account_of(const Job& job) const {
        return job.association != no_limit ? settings_.associations[job.association].account : "";
    }
    const Sum& sum(const Whose& whose) const;
    Used used(const Holder& holder, double factor) const;
    bool decays(const Holder& holder) const;
    bool within(const Rule& rule, std::size_t kind, const Wanted& wanted) const;
    bool wall_is_left(const Holder& holder, const WaitingJob& job) const;
    Refusal refusal(Wanted wanted) const;
    std::int64_t length_of(const WaitingJob& job) const;
    std::uint64_t minutes_of(const WaitingJob& job) const {
        return static_cast<std::uint64_t>(length_of(job) / 60);
    }
    template <typename Change>
    void for_each_sum(const RunningJob& job, Change change);
    void add_seconds(const RunningJob& job, std::int64_t seconds, int sign);

    const Settings& settings_;
    const Usage* usage_;
    std::map<Whose, Sum> sums_;
    std::int64_t last_ = 0;  ///< recomputation
};

}  // namespace schedfarm::policies::slurm
