// The parameters of `managers`, and what they mean for a system.
#include "policies/composition/managers/managers.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "engine/planning/promise_verifier.hpp"
#include "engine/simulation/measurement/published_columns.hpp"

#include "policies/composition/managers/trade_accounts.hpp"
#include "policies/composition/part_shape.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr double endless = 1e12;  // stands for never, or for no limit

/// Of forwarding, of what managers know and of messages.
std::vector<ParameterDescription> message_parameters() {
    return {
        {.name = "bump_s",
         .meaning = "a job that could start only later than this after its submission is forwarded "
                    "to a cluster where it starts earlier; 1e12: none is",
         .unit = "s",
         .type = ParameterType::real,
         .default_value = endless,
         .range = {.low = 0}},
        {.name = "staleness_s",
         .meaning = "managers decide by what they know of a cluster, which may be as old as this",
         .unit = "s",
         .type = ParameterType::real,
         .default_value = 0.0,
         .range = {.low = 0}},
        {.name = "message_delay_s",
         .meaning = "of a message, for each level that it goes up or down",
         .unit = "s",
         .type = ParameterType::real,
         .default_value = 0.0,
         .range = {.low = 0}},
        {.name = "time_out_s",
         .meaning = "a message that is not answered by then counts as refused, or is repeated",
         .unit = "s",
         .type = ParameterType::real,
         .default_value = 600.0,
         .range = {.low = 0, .low_is_open = true}},
        {.name = "lost_messages",
         .meaning = "messages that never arrive, by number from 1 in order of sending",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 1, .high = 4e9}},
        {.name = "most_deficit",
         .meaning = "a cluster that has consumed so much more than supplied sends no job away that "
                    "it can run; 1e12: no limit",
         .unit = "processor-hours",
         .type = ParameterType::real,
         .default_value = endless,
         .range = {.low = 0}}};
}

std::vector<ParameterDescription> managers_parameters() {
    std::vector<ParameterDescription> table = {
        inner_parameter("the policy of every cluster, or a list: one for each; one that says when "
                        "a job could start and gives waiting jobs back: calendar, conservative, "
                        "easy, k_reservations, selective"),
        {.name = "managers",
         .meaning = "clusters of each manager, then managers of each one above them, and so on; "
                    "1000000: all; none: the clusters are isolated",
         .type = ParameterType::integer_list,
         .default_value = Value::List{Value(1'000'000)},
         .range = {.low = 2, .high = 1e6}},
        {.name = "promote_share",
         .meaning = "a job that needs more than this share of a node's processors is handed up; a "
                    "list: for clusters, for managers of clusters, …; the last for all above",
         .type = ParameterType::real_list,
         .default_value = Value::List{Value(1.0 / 3)},
         .range = {.low = 0}},
        {.name = "promote_length_s",
         .meaning = "so is one planned for this time or longer",
         .unit = "s",
         .type = ParameterType::real_list,
         .default_value = Value::List{Value(43'200.0)},
         .range = {.low = 0}},
        {.name = "promote_size",
         .meaning = "so is one of at least so many processors",
         .unit = "processors",
         .type = ParameterType::real_list,
         .default_value = Value::List{Value(endless)},
         .range = {.low = 1}},
        {.name = "tie",
         .meaning = "of clusters that offer the same start: that of the lowest number, the one "
                    "with the least planned work per processor, or the home cluster",
         .type = ParameterType::text,
         .default_value = "lowest_index",
         .words = {"lowest_index", "least_loaded", "home_first"}},
        {.name = "backfill_over",
         .meaning = "where a waiting job that was handed up by its share, length or size may move "
                    "ahead when something is freed: on the cluster that it was given, or to any "
                    "with a calendar of the manager that placed it; a job stays where messages are "
                    "lost",
         .type = ParameterType::text,
         .default_value = "all_clusters",
         .words = {"own_cluster", "all_clusters"}},
        run_time_parameter("run_time", "run time by which managers judge; as that of 'inner'")};
    table.front().default_value = Value::List{Value(Choice{.name = "calendar"})};
    const auto before_run_time = table.end() - 1;
    const std::vector<ParameterDescription> messages = message_parameters();
    table.insert(before_run_time, messages.begin(), messages.end());
    const std::vector<ParameterDescription> route = route_parameters("cluster", RouteKey::origin);
    table.insert(table.end(), route.begin(), route.end());
    return table;
}

std::vector<ParameterProblem> managers_problems(const Parameters& given) {
    for (std::size_t k = 0; k < inner_count(given); ++k) {
        const PolicyTraits traits = inner_policy(given, k).traits();
        if (!traits.answers_earliest_start || !traits.takes_withdrawals
            || !traits.keeps_fixed_starts) {
            return {
                {"inner",
                 fmt::format(
                     "'{}' does not say when a job could start (managers ask for that)",
                     given.at("inner").as_list()[k].as_choice().name
                 ),
                 "Take calendar, conservative or easy."}};
        }
    }
    if (route_key(given) == RouteKey::size) {
        return {
            {"route",
             "jobs have a home cluster, whatever their size (managers move them by size)",
             "Take 'origin', 'queue', 'user' or 'class'."}};
    }
    return {};
}

std::vector<ParameterProblem> managers_system_problems(
    const Parameters& given, const SystemDescription& system
) {
    const std::size_t clusters = system.clusters.size();
    if (!system.outages.empty()) {
        return {
            {"inner",
             "processors go out of order (managers do not know what that does to reservations)",
             "Use a system without outages."}};
    }
    std::vector<ParameterProblem> found = inner_count_problems(given, "cluster", clusters);
    if (found.empty()) {
        found = route_problems(given, "cluster", clusters);
    }
    const double round_trip =
        2 * given.real("message_delay_s")
        * static_cast<double>(ManagerTree(system.clusters, integers(given, "managers")).depth());
    if (found.empty() && given.real("time_out_s") <= round_trip) {
        found = {
            {"time_out_s",
             fmt::format(
                 "a message and its answer take {} s (none would come in time)", round_trip
             ),
             "Give a longer time."}};
    }
    PartCutter cutter(system);
    for (std::size_t k = 0; found.empty() && k < clusters; ++k) {
        found = as_inner_problems(
            inner_policy(given, k).system_problems(cutter.clusters(1).system(system))
        );
    }
    return found;
}

std::vector<ParameterProblem> managers_workload_problems(
    const Parameters& given, const SystemDescription& system, const WorkloadTraits& workload
) {
    if (workload.structure != RequestStructure::total) {
        return {
            {"inner",
             "jobs ask for processors by cluster (managers choose the clusters)",
             "Use a workload of total requests."}};
    }
    const ManagerTree tree(system.clusters, integers(given, "managers"));
    std::uint32_t most = 0;
    for (std::uint32_t k = 0; k < system.clusters.size(); ++k) {
        most = std::max(most, tree.processors(tree.root(k)));
    }
    if (workload.max_size > most) {
        return {
            {"managers",
             fmt::format(
                 "a job may ask for {} processors, and no manager has more than {} (it could never "
                 "start)",
                 workload.max_size,
                 most
             ),
             "Put one manager above all clusters."}};
    }
    return {};
}

std::vector<ObservationColumn> managers_observations(
    const Parameters& given, const SystemDescription& system
) {
    std::vector<ObservationColumn> columns = TradeAccounts::columns(system.clusters.size());
    columns.push_back(
        {jobs_moved,
         "jobs",
         "jobs that ran on another cluster than their home cluster, at least in part"}
    );
    columns.push_back(
        {messages_sent,
         "messages",
         "messages between managers and clusters, those that were lost included"}
    );
    columns.push_back(
        {reservations_declined,
         "messages",
         "reservations that a cluster declined, because something had changed since the manager "
         "last knew of it"}
    );
    columns.push_back(offered_delay_column());
    PartCutter cutter(system);
    for (std::size_t k = 0; k < system.clusters.size(); ++k) {
        add_observations(inner_policy(given, k), cutter.clusters(1).system(system), columns);
    }
    return columns;
}

}  // namespace

ManagersPlan managers_plan(const Parameters& given, const SystemDescription& system) {
    const std::string& tie = given.text("tie");
    const auto limit = [&given](const char* name) {
        return given.real(name) >= endless ? std::numeric_limits<double>::infinity()
                                           : given.real(name);
    };
    ManagersPlan plan{
        .tree = ManagerTree(system.clusters, integers(given, "managers")),
        .route = job_route(given, "cluster", system.clusters.size()),
        .inner = {},
        .promotion = {},
        .tie = tie == "least_loaded" ? TieRule::least_loaded
               : tie == "home_first" ? TieRule::home_first
                                     : TieRule::lowest_index,
        .backfill_over = given.text("backfill_over") == "own_cluster" ? BackfillOver::own_cluster
                                                                      : BackfillOver::all_clusters,
        .run_time = run_time(given, "run_time"),
        .bump = limit("bump_s"),
        .message_delay = given.real("message_delay_s"),
        .staleness = given.real("staleness_s"),
        .time_out = given.real("time_out_s"),
        .most_deficit = limit("most_deficit"),
        .lost = integers(given, "lost_messages")};
    plan.route.policy = "managers";
    std::sort(plan.lost.begin(), plan.lost.end());
    for (std::size_t k = 0; k < system.clusters.size(); ++k) {
        plan.inner.push_back(inner_policy(given, k));
    }
    const std::vector<double> shares = given.reals("promote_share");
    const std::vector<double> lengths = given.reals("promote_length_s");
    const std::vector<double> sizes = given.reals("promote_size");
    const std::size_t rules = std::max({shares.size(), lengths.size(), sizes.size()});
    const auto of_level = [](const std::vector<double>& column, std::size_t level) {
        return column.empty() ? std::numeric_limits<double>::infinity()
                              : column[std::min(level, column.size() - 1)];
    };
    for (std::size_t i = 0; i < std::max<std::size_t>(rules, 1); ++i) {
        plan.promotion.push_back({of_level(shares, i), of_level(lengths, i), of_level(sizes, i)});
    }
    return plan;
}

PolicyDescription describe_managers() {
    PolicyDescription description;
    description.alternative = {
        .name = "managers",
        .summary = "A tree of managers that place jobs on clusters, each with a policy of its own.",
        .parameters = managers_parameters(),
        .check = managers_problems,
        .source = "Hollingsworth & Maneewongvatana 1999, Imprecise calendars, sections 2.3, 2.4"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{.keeps_fixed_starts = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return make_managers(managers_plan(given, context.system), context);
    };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        return make_promise_verifier(managers_plan(given, context.system).run_time, context.system);
    };
    description.check_system = managers_system_problems;
    description.check_workload = managers_workload_problems;
    description.observations = managers_observations;
    return description;
}

}  // namespace schedfarm::policies
