#include "policies/slurm/site/scheduler_parameters.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "policies/slurm/site/words.hpp"

namespace schedfarm::policies::slurm {

namespace {

using Setter = void (*)(Settings&, std::int64_t);

struct Known {
    const char* name;
    Setter set;
    const char* meaning;
    const char* unit = "";
    std::int64_t least = 0;
    bool is_switch = false;  ///< has no value
};

template <auto Part, auto Member>
void put(Settings& settings, std::int64_t value) {
    auto& member = (settings.*Part).*Member;
    member = static_cast<std::remove_reference_t<decltype(member)>>(value);
}

using B = Backfill;
using M = MainPass;
template <auto Member>
constexpr Setter bf = put<&Settings::backfill, Member>;
template <auto Member>
constexpr Setter mp = put<&Settings::main, Member>;

void set_window(Settings& settings, std::int64_t minutes) {
    settings.backfill.window = 60 * minutes;
}

constexpr Known known[] = {
    {"bf_interval", bf<&B::interval>, "from one backfill pass to the next", "s", 1},
    {"bf_resolution", bf<&B::resolution>, "times of a plan are rounded to its multiples", "s", 1},
    {"bf_window", set_window, "how far backfill plans ahead", "min", 1},
    {"bf_max_job_test", bf<&B::max_job_test>, "jobs that backfill tests in a pass", "jobs", 1},
    {"bf_node_space_size",
     bf<&B::node_space_size>,
     "entries of the table of plans, two for each planned job; 0: bf_max_job_test"},
    {"bf_max_time", bf<&B::max_time>, "longest backfill pass; 0: bf_interval", "s"},
    {"bf_max_job_start", bf<&B::max_job_start>, "jobs that a pass starts; 0: any", "jobs"},
    {"bf_max_job_user", bf<&B::max_job_user>, "jobs of a user that a pass tests; 0: any", "jobs"},
    {"bf_max_job_part", bf<&B::max_job_part>, "likewise of a partition", "jobs"},
    {"bf_max_job_user_part",
     bf<&B::max_job_user_part>,
     "likewise of a user in a partition",
     "jobs"},
    {"bf_max_job_assoc", bf<&B::max_job_assoc>, "likewise of an association", "jobs"},
    {"bf_max_job_array_resv",
     bf<&B::max_job_array_resv>,
     "tasks of an array that a pass plans",
     "jobs"},
    {"bf_min_age_reserve", bf<&B::min_age_reserve>, "how long a job waits for a reservation", "s"},
    {"bf_min_prio_reserve",
     bf<&B::min_prio_reserve>,
     "least priority for which something is reserved"},
    {"bf_window_linear",
     bf<&B::window_linear>,
     "growth of groups of expected ends; 0: they double",
     "s"},
    {"default_queue_depth",
     mp<&M::default_queue_depth>,
     "jobs that a main pass looks at, less one, where something asked for it",
     "jobs"},
    {"partition_job_depth", mp<&M::partition_job_depth>, "likewise of a partition; 0: any", "jobs"},
    {"sched_max_job_start", mp<&M::max_job_start>, "jobs that a main pass starts; 0: any", "jobs"},
    {"sched_interval", mp<&M::interval>, "from one full main pass to the next", "s", 1},
    {"batch_sched_delay",
     mp<&M::batch_delay>,
     "least time between main passes that submissions ask for",
     "s"},
    {"assoc_limit_stop", mp<&M::limits_stop>, "", "", 0, true},
    {"defer", mp<&M::defer>, "", "", 0, true}};

/// They would change schedules.
constexpr std::string_view refused =
    "bf_busy_nodes bf_continue bf_hetjob_immediate bf_hetjob_prio bf_ignore_newly_avail_nodes "
    "bf_job_part_count_reserve bf_licenses bf_one_resv_per_job bf_running_job_reserve "
    "bf_topopt_enable bf_topopt_iterations defer_batch delay_boot enable_hetero_steps "
    "max_switch_wait nohold_on_prolog_fail "
    "pack_serial_at_end preempt_reorder_count preempt_strict_order preempt_youngest_first "
    "reduce_completing_frag spec_cores_first time_min_as_soft_limit whole_hetjob whole_pack";

/// They bound the time of the daemon, touch what is shown, steps inside of jobs, or jobs that never
/// start.
constexpr std::string_view passed_over =
    "allow_zero_lic bb_array_stage_cnt bf_allow_magnetic_slot bf_yield_interval bf_yield_rpc_cnt "
    "bf_yield_sleep build_queue_timeout correspond_after_task_cnt default_gbytes "
    "disable_hetjob_steps disable_job_shrink enable_hetjob_steps enable_job_state_cache "
    "enable_user_top extra_row_cnt ignore_constraint_validation ignore_numa "
    "ignore_prefer_validation inventory_interval kill_invalid_depend max_array_tasks "
    "max_depend_depth max_rpc_cnt max_sched_time max_script_size max_submit_line_size "
    "no_backup_scheduling no_env_cache permit_job_expansion preempt_send_user_signal "
    "requeue_setup_env_fail salloc_wait_nodes sbatch_wait_nodes sched_min_interval "
    "step_retry_count step_retry_time use_interactive_step";

bool is_in(std::string_view names, std::string_view name) {
    const std::vector<std::string> all = parts(names, ' ');
    return std::find(all.begin(), all.end(), name) != all.end();
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
    const auto at = std::find_if(std::begin(known), std::end(known), [&](const Known& one) {
        return one.name == name;
    });
    if (at == std::end(known)) {
        return is_in(refused, name)       ? Word::refused
               : is_in(passed_over, name) ? Word::passed_over
                                          : Word::unknown;
    }
    if (at->is_switch) {
        at->set(settings, 1);
        return Word::taken;
    }
    const std::optional<std::uint64_t> number = whole_number(value);
    if (!number || static_cast<std::int64_t>(*number) < at->least) {
        return Word::unreadable;
    }
    at->set(settings, static_cast<std::int64_t>(*number));
    return Word::taken;
}

std::string scheduler_parameter_need(std::string_view name) {
    const auto at = std::find_if(std::begin(known), std::end(known), [&](const Known& one) {
        return one.name == name;
    });
    SCHEDFARM_EXPECT(at != std::end(known), "the parameter is known");
    const std::string unit = at->unit;
    return fmt::format(
        "a whole number from {} on ({}{})",
        at->least,
        at->meaning,
        unit.empty() || unit == "jobs" ? "" : ", in " + unit
    );
}

std::string nearest_scheduler_parameter(
    std::string_view name, const std::vector<std::string>& others
) {
    std::vector<std::string> names = others;
    for (const Known& one : known) {
        names.emplace_back(one.name);
    }
    if (others.empty() && !is_in(passed_over, name)) {
        std::ranges::copy(parts(passed_over, ' '), std::back_inserter(names));
    }
    return *std::ranges::min_element(names, {}, [&](const std::string& one) {
        return distance(one, name);
    });
}

std::vector<engine::ParameterDescription> scheduler_parameter_rows() {
    std::vector<engine::ParameterDescription> rows;
    for (const Known& one : known) {
        if (!one.is_switch) {
            rows.push_back(
                {.name = one.name,
                 .meaning = std::string(one.meaning) + "; -1: as slurm.conf says",
                 .unit = one.unit,
                 .type = engine::ParameterType::integer,
                 .default_value = -1,
                 .range = {.low = -1}}
            );
        }
    }
    return rows;
}

std::vector<engine::ParameterProblem> take_scheduler_parameters(
    Settings& settings, const engine::Parameters& given
) {
    std::vector<engine::ParameterProblem> problems;
    for (const Known& one : known) {
        const std::int64_t value = one.is_switch ? -1 : given.integer(one.name);
        if (value >= one.least) {
            one.set(settings, value);
        } else if (value >= 0) {
            problems.push_back(
                {one.name, std::string(one.name) + " is 0 (the passes would never end)", "1?"}
            );
        }
    }
    return problems;
}

}  // namespace schedfarm::policies::slurm
