// What slurm.conf and the accounting say that decides when and where jobs start, by the rules of
// Slurm 22.05 unless `version` says another.
// Times are in seconds, memory in MB.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "policies/slurm/node_set.hpp"

namespace schedfarm::policies::slurm {

inline constexpr std::int64_t year_s = 365 * 86400;
inline constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

/// What is counted of jobs (Slurm: TRES).
enum class Tres : std::uint8_t { cpu, memory, node, billing, gpu };
inline constexpr std::size_t tres_kinds = 5;
using TresCounts = std::array<std::uint64_t, tres_kinds>;
using TresWeights = std::array<double, tres_kinds>;
inline constexpr std::uint64_t no_bound = std::numeric_limits<std::uint64_t>::max();
inline constexpr TresCounts no_bounds = {no_bound, no_bound, no_bound, no_bound, no_bound};

/// GPUs, or other generic resources, of one type.
struct Gpus {
    std::uint32_t type = 0;
    std::uint32_t count = 0;
    friend bool operator==(const Gpus&, const Gpus&) = default;
};

/// So many of the site's licences of that number.
struct Licence {
    std::uint32_t number = 0;
    std::uint32_t count = 0;
};

struct Node {
    std::string name = {};
    std::uint32_t cpus = 1;
    std::uint32_t threads = 1;  ///< CPUs of a core, which one job has
    bool counts_cpus = false;   ///< CR_CPU: the job has all the same no more CPUs than it asked for
    std::uint64_t memory = 1;
    std::vector<Gpus> gpus = {};
    std::uint32_t weight = 1;
    std::vector<std::string> features = {};
};

struct Partition {
    std::string name = {};
    NodeSet nodes = {};
    std::int64_t max_time = year_s;
    std::int64_t default_time = 0;  ///< 0: max_time
    std::uint32_t max_nodes = no_limit;
    std::uint32_t tier = 1;
    std::uint32_t job_factor = 1;
    bool whole_nodes = false;  ///< OverSubscribe=EXCLUSIVE
    bool preempted = false;    ///< its jobs may be sent away: PreemptMode=REQUEUE, by tiers
    std::uint32_t qos = no_limit;
    TresWeights billing = {1};  ///< what counts as used: CPUs, or TRESBillingWeights
    std::uint64_t memory_per_cpu = 0;
    std::uint64_t memory_per_node = 0;
    std::uint64_t max_memory_per_cpu = 0;  ///< MaxMemPerCPU; 0: any, so of the next one
    std::uint64_t max_memory_per_node = 0;
    std::uint32_t max_cpus_per_node = no_limit;
    std::uint32_t cpus_per_gpu = 0;                    ///< what jobs get that do not ask
    std::uint64_t memory_per_gpu = 0;                  ///< likewise
    std::optional<std::int64_t> over_time_limit = {};  ///< none: that of the site
    bool may_share = false;  ///< OverSubscribe=YES: jobs that ask for it share CPUs
};

/// Of a QOS or an association, by the columns of sacctmgr.
struct Limits {
    std::uint32_t group_jobs = no_limit;    ///< GrpJobs
    std::uint32_t user_jobs = no_limit;     ///< MaxJobsPU; of an association MaxJobs
    std::uint32_t account_jobs = no_limit;  ///< MaxJobsPA
    std::uint64_t group_wall = no_bound;    ///< GrpWall, in s
    std::int64_t max_wall = year_s;
    TresCounts group = no_bounds;                    ///< GrpTRES
    TresCounts group_minutes = no_bounds;            ///< GrpTRESMins
    TresCounts group_running_minutes = no_bounds;    ///< GrpTRESRunMins
    TresCounts job = no_bounds;                      ///< MaxTRES
    TresCounts job_minutes = no_bounds;              ///< MaxTRESMins
    TresCounts per_node = no_bounds;                 ///< MaxTRESPerNode
    TresCounts least = no_bounds;                    ///< MinTRES
    TresCounts user = no_bounds;                     ///< MaxTRESPU
    TresCounts account = no_bounds;                  ///< MaxTRESPA
    TresCounts user_running_minutes = no_bounds;     ///< MaxTRESRunMinsPU
    TresCounts account_running_minutes = no_bounds;  ///< MaxTRESRunMinsPA
};

struct Qos {
    std::string name = {};
    std::uint32_t priority = 0;
    double usage_factor = 1;
    Limits limits = {};
    // Its flags.
    bool goes_before_partition = false;        ///< OverPartQOS
    bool reserves_nothing = false;             ///< NoReserve
    bool does_not_decay = false;               ///< NoDecay
    bool factor_is_safe = false;               ///< UsageFactorSafe
    bool passes_max_nodes = false;             ///< PartitionMaxNodes
    bool passes_max_time = false;              ///< PartitionTimeLimit
    std::vector<std::uint32_t> preempts = {};  ///< whose jobs make room for its own
};

/// An account, or a user in an account.
struct Association {
    std::string account = {};
    std::string user = {};            ///< empty: an account
    std::uint32_t parent = no_limit;  ///< no_limit: the root
    std::uint32_t shares = 1;
    bool shares_of_parent = false;
    std::uint32_t priority = 0;
    Limits limits = {};
};

/// An advance reservation of nodes.
struct Reservation {
    std::string name = {};
    std::int64_t announced = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    NodeSet nodes = {};
};

struct Backfill {
    bool on = true;  ///< sched/backfill
    std::int64_t interval = 30;
    std::int64_t resolution = 60;
    std::int64_t window = 1440 * 60;
    std::uint32_t max_job_test = 500;
    std::uint32_t node_space_size = 0;  ///< 0: as many as max_job_test
    std::uint32_t max_job_start = 0;    ///< 0: as many as there are; so of the next four
    std::uint32_t max_job_user = 0;
    std::uint32_t max_job_part = 0;
    std::uint32_t max_job_user_part = 0;
    std::uint32_t max_job_assoc = 0;
    std::uint32_t max_job_array_resv = 20;
    std::int64_t max_time = 0;  ///< 0: interval
    std::int64_t min_age_reserve = 0;
    double min_prio_reserve = 0;
    std::int64_t window_linear = 0;  ///< 0: groups of ends double
    double seconds_per_test = 0;     ///< what testing one job costs; a pass ends after max_time
};

struct MainPass {
    std::uint32_t default_queue_depth = 100;
    std::uint32_t partition_job_depth = 0;  ///< 0: no limit
    std::uint32_t max_job_start = 0;        ///< 0: no limit
    std::int64_t interval = 60;
    std::int64_t batch_delay = 3;
    std::int64_t min_interval = 0;  ///< between two passes, in us; below a second none
    bool limits_stop = false;       ///< assoc_limit_stop
    bool defer = false;
};

struct Weights {
    double age = 0;
    double fair_share = 0;
    double job_size = 0;
    double partition = 0;
    double qos = 0;
    double association = 0;
    TresWeights tres = {};
};

/// Which running jobs are sent away, and queue again, for one that waits.
enum class Preempts : std::uint8_t {
    nothing,
    lower_tiers,  ///< preempt/partition_prio: of partitions that are Partition::preempted
    listed_qos,   ///< preempt/qos: of those in Qos::preempts
};

/// When usage is set to 0: at the beginning of each.
enum class UsageReset : std::uint8_t { none, day, week, month, quarter, year };

struct PriorityRules {
    bool multifactor = false;
    Weights weights = {};
    std::int64_t calc_period = 300;
    std::int64_t max_age = 7 * 86400;
    double half_life = 7 * 86400;  ///< 0: usage does not decay
    bool favor_small = false;
    bool small_relative_to_time = false;
    bool accrue_always = false;
    bool bills_dearest = false;  ///< MAX_TRES: of what a node has the dearest alone
    UsageReset usage_reset = UsageReset::none;
};

// Releases from which rules differ, as YYMMPP.
inline constexpr std::uint32_t slurm_22_05 = 220500;
inline constexpr std::uint32_t slurm_23_02_1 = 230201;
inline constexpr std::uint32_t slurm_23_11 = 231100;
inline constexpr std::uint32_t slurm_23_11_2 = 231102;
inline constexpr std::uint32_t slurm_23_11_6 = 231106;
inline constexpr std::uint32_t slurm_24_05 = 240500;
inline constexpr std::uint32_t slurm_24_05_4 = 240504;
inline constexpr std::uint32_t slurm_24_11 = 241100;
inline constexpr std::uint32_t slurm_25_11 = 251100;
inline constexpr std::uint32_t slurm_26_05 = 260500;

struct Settings {
    std::uint32_t version = slurm_22_05;  ///< of Slurm, whose rules are followed
    bool version_is_given = false;
    std::vector<Node> nodes = {};
    std::vector<std::string> gres_types = {};  ///< "gpu:a100", "fpga": by Gpus::type
    std::vector<std::string> licence_names = {};
    std::vector<std::uint32_t> licences = {};  ///< how many there are of each
    std::vector<Partition> partitions = {};
    std::vector<Qos> qos = {};
    std::vector<Association> associations = {};  ///< parents before their children
    std::vector<Reservation> reservations = {};
    Backfill backfill = {};
    MainPass main = {};
    PriorityRules priorities = {};
    std::int64_t kill_wait = 30;
    std::int64_t over_time_limit = 0;
    bool enforce_limits = false;
    bool linear = false;               ///< select/linear: jobs have whole nodes
    bool limits_are_safe = false;      ///< no job starts that may use more minutes than are left
    bool memory_is_shared = false;     ///< CR_*_Memory: memory is allotted too
    std::uint64_t memory_per_cpu = 0;  ///< what jobs get that do not ask
    std::uint64_t memory_per_node = 0;
    std::uint64_t max_memory_per_cpu = 0;
    std::uint64_t max_memory_per_node = 0;
    std::uint32_t cpus_per_gpu = 0;
    std::uint64_t memory_per_gpu = 0;
    bool one_task_per_core = false;
    std::int64_t complete_wait = 0;  ///< no pass so long after the end of a job that clears up
    std::uint32_t default_partition = 0;
    Preempts preempts = Preempts::nothing;
    bool preempted = false;  ///< PreemptMode=REQUEUE, for partitions that do not say

    bool may_preempt() const { return preempts != Preempts::nothing; }
};

}  // namespace schedfarm::policies::slurm
