#include "policies/slurm/site/scheduler_parameters.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "policies/slurm/site/words.hpp"

namespace schedfarm::policies::slurm {

namespace {

using Setter = void (*)(Settings&, std::int64_t);

struct Known {
    std::string_view name;
    Setter set;
    bool is_switch = false;  ///< has no value
};

template <auto Part, auto Member>
void put(Settings& settings, std::int64_t value) {
    auto& member = (settings.*Part).*Member;
    member = static_cast<std::remove_reference_t<decltype(member)>>(value);
}

template <auto Member>
constexpr Setter bf = put<&Settings::backfill, Member>;
template <auto Member>
constexpr Setter main_pass = put<&Settings::main, Member>;

constexpr std::array known = {
    Known{"bf_interval", bf<&Backfill::interval>},
    Known{"bf_resolution", bf<&Backfill::resolution>},
    Known{
        "bf_window",
        [](Settings& s, std::int64_t v) {
            s.backfill.window = 60 * v;
        }},
    Known{"bf_max_job_test", bf<&Backfill::max_job_test>},
    Known{"bf_node_space_size", bf<&Backfill::node_space_size>},
    Known{"bf_max_time", bf<&Backfill::max_time>},
    Known{"bf_max_job_start", bf<&Backfill::max_job_start>},
    Known{"bf_max_job_user", bf<&Backfill::max_job_user>},
    Known{"bf_max_job_part", bf<&Backfill::max_job_part>},
    Known{"bf_max_job_user_part", bf<&Backfill::max_job_user_part>},
    Known{"bf_max_job_assoc", bf<&Backfill::max_job_assoc>},
    Known{"bf_max_job_array_resv", bf<&Backfill::max_job_array_resv>},
    Known{"bf_min_age_reserve", bf<&Backfill::min_age_reserve>},
    Known{"bf_min_prio_reserve", bf<&Backfill::min_prio_reserve>},
    Known{"bf_window_linear", bf<&Backfill::window_linear>},
    Known{"default_queue_depth", main_pass<&MainPass::default_queue_depth>},
    Known{"partition_job_depth", main_pass<&MainPass::partition_job_depth>},
    Known{"sched_max_job_start", main_pass<&MainPass::max_job_start>},
    Known{"sched_interval", main_pass<&MainPass::interval>},
    Known{"batch_sched_delay", main_pass<&MainPass::batch_delay>},
    Known{"assoc_limit_stop", main_pass<&MainPass::limits_stop>, true},
    Known{"defer", main_pass<&MainPass::defer>, true},
};

/// They would change schedules.
constexpr std::array<std::string_view, 24> refused = {
    "bf_busy_nodes",
    "bf_continue",
    "bf_hetjob_immediate",
    "bf_hetjob_prio",
    "bf_ignore_newly_avail_nodes",
    "bf_job_part_count_reserve",
    "bf_licenses",
    "bf_one_resv_per_job",
    "bf_running_job_reserve",
    "bf_topopt_enable",
    "delay_boot",
    "enable_hetero_steps",
    "max_switch_wait",
    "nohold_on_prolog_fail",
    "pack_serial_at_end",
    "preempt_reorder_count",
    "preempt_strict_order",
    "preempt_youngest_first",
    "reduce_completing_frag",
    "spec_cores_first",
    "step_retry_count",
    "time_min_as_soft_limit",
    "salloc_wait_nodes",
    "whole_hetjob",
};

/// They bound the time of the daemon, or touch what is shown.
constexpr std::array<std::string_view, 17> passed_over = {
    "allow_zero_lic",
    "bf_allow_magnetic_slot",
    "bf_yield_interval",
    "bf_yield_rpc_cnt",
    "bf_yield_sleep",
    "build_queue_timeout",
    "default_gbytes",
    "disable_hetjob_steps",
    "extra_row_cnt",
    "ignore_constraint_validation",
    "max_array_tasks",
    "max_depend_depth",
    "max_rpc_cnt",
    "max_sched_time",
    "no_backup_scheduling",
    "requeue_setup_env_fail",
    "sched_min_interval",
};

bool is_in(const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t kept = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = kept;
        }
    }
    return row.back();
}

}  // namespace

Word take_scheduler_parameter(Settings& settings, std::string_view name, std::string_view value) {
    const auto at = std::find_if(known.begin(), known.end(), [&](const Known& one) {
        return one.name == name;
    });
    if (at == known.end()) {
        return is_in(refused, name)       ? Word::refused
               : is_in(passed_over, name) ? Word::passed_over
                                          : Word::unknown;
    }
    if (at->is_switch) {
        at->set(settings, 1);
        return Word::taken;
    }
    const std::optional<std::uint64_t> number = whole_number(value);
    if (!number) {
        return Word::unreadable;
    }
    at->set(settings, static_cast<std::int64_t>(*number));
    return Word::taken;
}

std::string nearest_scheduler_parameter(std::string_view name) {
    const auto at = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
        return distance(a.name, name) < distance(b.name, name);
    });
    return std::string(at->name);
}

}  // namespace schedfarm::policies::slurm
