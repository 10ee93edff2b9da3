#include "policies/slurm/site/scheduler_parameters.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "policies/slurm/site/keys.hpp"

namespace schedfarm::policies::slurm {

namespace {

struct Setter {
    std::string_view name;
    void (*set)(Settings&, std::int64_t);
};

/// The range of each in the table of keys is within its member's.
template <auto Part, auto Member>
void put(Settings& settings, std::int64_t value) {
    auto& member = (settings.*Part).*Member;
    member = static_cast<std::remove_reference_t<decltype(member)>>(value);
}

using B = Backfill;
using M = MainPass;
template <auto Member>
constexpr auto bf = put<&Settings::backfill, Member>;
template <auto Member>
constexpr auto mp = put<&Settings::main, Member>;

void set_window(Settings& settings, std::int64_t minutes) {
    settings.backfill.window = 60 * minutes;
}

constexpr Setter setters[] = {
    {"bf_interval", bf<&B::interval>},
    {"bf_resolution", bf<&B::resolution>},
    {"bf_window", set_window},
    {"bf_max_job_test", bf<&B::max_job_test>},
    {"bf_node_space_size", bf<&B::node_space_size>},
    {"bf_max_time", bf<&B::max_time>},
    {"bf_max_job_start", bf<&B::max_job_start>},
    {"bf_max_job_user", bf<&B::max_job_user>},
    {"bf_max_job_part", bf<&B::max_job_part>},
    {"bf_max_job_user_part", bf<&B::max_job_user_part>},
    {"bf_max_job_assoc", bf<&B::max_job_assoc>},
    {"bf_max_job_array_resv", bf<&B::max_job_array_resv>},
    {"bf_min_age_reserve", bf<&B::min_age_reserve>},
    {"bf_min_prio_reserve", bf<&B::min_prio_reserve>},
    {"bf_window_linear", bf<&B::window_linear>},
    {"default_queue_depth", mp<&M::default_queue_depth>},
    {"partition_job_depth", mp<&M::partition_job_depth>},
    {"sched_max_job_start", mp<&M::max_job_start>},
    {"sched_interval", mp<&M::interval>},
    {"sched_min_interval", mp<&M::min_interval>},
    {"batch_sched_delay", mp<&M::batch_delay>},
    {"assoc_limit_stop", mp<&M::limits_stop>},
    {"defer", mp<&M::defer>}};

/// Those with numbers, in the order of the table.
std::vector<Key> numbers() {
    std::vector<Key> found;
    std::ranges::copy_if(site_keys(), std::back_inserter(found), [](const Key& key) {
        return key.place == Place::parameter && key.kind == Kind::number;
    });
    return found;
}

}  // namespace

void set_scheduler_parameter(Settings& settings, std::string_view name, std::int64_t value) {
    const auto at = std::ranges::find(setters, name, &Setter::name);
    SCHEDFARM_EXPECT(at != std::end(setters), "the parameter is modelled");
    at->set(settings, value);
}

std::vector<engine::ParameterDescription> scheduler_parameter_rows() {
    std::vector<engine::ParameterDescription> rows;
    for (const Key& one : numbers()) {
        rows.push_back(
            {.name = std::string(one.name),
             .meaning = std::string(one.note) + "; -1: as slurm.conf says",
             .unit = std::string(one.unit),
             .type = engine::ParameterType::integer,
             .default_value = -1,
             .range = {.low = -1, .high = static_cast<double>(one.most)}}
        );
    }
    return rows;
}

std::vector<engine::ParameterProblem> take_scheduler_parameters(
    Settings& settings, const engine::Parameters& given
) {
    std::vector<engine::ParameterProblem> problems;
    for (const Key& one : numbers()) {
        const std::string name(one.name);
        const std::int64_t value = given.integer(name);
        if (value >= one.least) {
            set_scheduler_parameter(settings, one.name, value);
        } else if (value >= 0) {
            problems.push_back(
                {name,
                 fmt::format("{} is {} (it is at least {})", name, value, one.least),
                 fmt::format("Write {}", one.least)}
            );
        }
    }
    return problems;
}

}  // namespace schedfarm::policies::slurm
