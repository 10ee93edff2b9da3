#include "policies/gang/gang.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/kernel/unserved_job.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

/// Quanta that a slice may have; a problem where they do not fit into the cycle.
std::vector<ParameterProblem> cycle_problems(
    const GangSettings& settings, const std::vector<std::uint32_t>& rows, std::uint32_t classes
) {
    for (std::uint32_t row = 0; row < classes; ++row) {
        if (std::find(rows.begin(), rows.end(), row) == rows.end()) {
            return {
                {"quanta_classes",
                 fmt::format(
                     "class {} has no time slice and the machine has the classes 0 to {} (its jobs "
                     "might never run)",
                     row,
                     classes - 1
                 ),
                 "Give each class at least one slice."}};
        }
    }
    const std::uint32_t largest = *std::max_element(rows.begin(), rows.end());
    if (largest >= classes) {
        return {
            {"quanta_classes",
             fmt::format("there is no class {} (the largest is {})", largest, classes - 1),
             "Name classes of this machine."}};
    }
    if (!settings.quanta_s.empty() && settings.quanta_s.size() != rows.size()) {
        return {
            {"quanta_s",
             fmt::format(
                 "{} quanta are given and the cycle has {} time slices (one for each class, the "
                 "largest first, or as quanta_classes says)",
                 settings.quanta_s.size(),
                 rows.size()
             ),
             "Give one quantum for each slice."}};
    }
    const double least = settings.smallest_quantum_s * static_cast<double>(rows.size());
    if (settings.rule == QuantaRule::utilization && least > settings.cycle_s) {
        return {
            {"smallest_quantum_s",
             fmt::format(
                 "{} quanta of {} s are longer than the timeplexing cycle of {} s (that is the "
                 "number of its slices)",
                 rows.size(),
                 settings.smallest_quantum_s,
                 settings.cycle_s
             ),
             fmt::format("Give at most {}.", settings.cycle_s / static_cast<double>(rows.size()))}};
    }
    return {};
}

double shortest_quantum(const GangSettings& settings, std::size_t slices) {
    if (settings.rule == QuantaRule::utilization) {
        return settings.smallest_quantum_s;
    }
    const std::vector<double> quanta =
        settings.quanta_s.empty() ? uniform_quanta(settings.cycle_s, slices) : settings.quanta_s;
    return *std::min_element(quanta.begin(), quanta.end());
}

}  // namespace

std::vector<ParameterDescription> gang_parameters(MidSlice mid_slice) {
    std::vector<ParameterDescription> table = {
        {.name = "timeplexing_cycle_s",
         .meaning = "sum of the time slices of a cycle, in which every class has one",
         .unit = "s",
         .default_value = 1000.0,
         .range = {.low = 0, .low_is_open = true}},
        {.name = "quanta",
         .meaning = "uniform: equal time slices; utilization: by the work of each class that "
                    "arrived on the day before",
         .type = ParameterType::text,
         .default_value = "uniform",
         .words = {"uniform", "utilization"}},
        {.name = "quanta_s",
         .meaning = "length of each time slice; empty: as quanta says",
         .unit = "s",
         .type = ParameterType::real_list,
         .default_value = Value::List{},
         .range = {.low = 0, .low_is_open = true}},
        {.name = "quanta_classes",
         .meaning = "class of each time slice, in the order of the cycle, a class as often as "
                    "wanted; empty: every class once, the largest first",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 0, .high = 31}},
        {.name = "smallest_quantum_s",
         .meaning = "shortest time slice of quanta: utilization",
         .unit = "s",
         .default_value = 20.0,
         .range = {.low = 0, .low_is_open = true}},
        {.name = "mid_slice",
         .meaning = "idle: processors that are or become idle in a time slice stay so; refill: "
                    "arrivals and completions give them to waiting jobs",
         .type = ParameterType::text,
         .default_value = mid_slice == MidSlice::idle ? "idle" : "refill",
         .words = {"idle", "refill"}}};
    const std::vector<ParameterDescription> switches = switch_cost_parameters();
    table.insert(table.begin() + 1, switches.begin(), switches.end());
    return table;
}

std::vector<ParameterProblem> gang_problems(const Parameters& given) {
    const GangSettings settings = gang_settings(given);
    const double sum =
        std::accumulate(settings.quanta_s.begin(), settings.quanta_s.end(), double{0});
    if (!settings.quanta_s.empty() && sum != settings.cycle_s) {
        return {
            {"quanta_s",
             fmt::format(
                 "the quanta add up to {} s and the timeplexing cycle has {} s (they divide it)",
                 sum,
                 settings.cycle_s
             ),
             "Give timeplexing_cycle_s as their sum."}};
    }
    if (!settings.quanta_s.empty() && settings.rule != QuantaRule::uniform) {
        return {
            {"quanta",
             "quanta are both listed and to follow the utilization (one of the two counts)",
             "Leave out quanta_s."}};
    }
    const bool is_whole = std::floor(settings.cycle_s) == settings.cycle_s
                          && std::floor(settings.smallest_quantum_s) == settings.smallest_quantum_s;
    if (settings.rule == QuantaRule::utilization && !is_whole) {
        return {
            {"quanta",
             "a cycle is shared out by utilization in whole seconds (the largest remainder takes "
             "one)",
             "Give whole numbers for timeplexing_cycle_s and smallest_quantum_s."}};
    }
    return {};
}

std::vector<ParameterProblem> gang_system_problems(
    const Parameters& given, const SystemDescription& system
) {
    const GangSettings settings = gang_settings(given);
    const BuddyTrees trees(system.processors());
    const std::vector<std::uint32_t> rows = rows_of_cycle(settings, trees);
    std::vector<ParameterProblem> problems = cycle_problems(settings, rows, trees.classes());
    const double shortest = shortest_quantum(settings, rows.size());
    if (!problems.empty() || settings.switches.place == SwitchPlace::outside
        || shortest > settings.switches.seconds) {
        return problems;
    }
    return {
        {"timeplexing_cycle_s",
         fmt::format(
             "a quantum of {} s is no longer than a switch of {} s (no job would get on)",
             shortest,
             settings.switches.seconds
         ),
         "Give a longer cycle or a cheaper switch."}};
}

GangSettings gang_settings(const Parameters& given) {
    GangSettings settings{
        .cycle_s = given.real("timeplexing_cycle_s"),
        .switches = switch_cost(given),
        .mid_slice = given.text("mid_slice") == "idle" ? MidSlice::idle : MidSlice::refill,
        .rule = given.text("quanta") == "uniform" ? QuantaRule::uniform : QuantaRule::utilization,
        .quanta_s = given.reals("quanta_s"),
        .smallest_quantum_s = given.real("smallest_quantum_s")};
    for (const Value& row : given.at("quanta_classes").as_list()) {
        settings.quanta_classes.push_back(static_cast<std::uint32_t>(row.as_integer()));
    }
    return settings;
}

void announce_slice(Actions& actions, std::uint32_t row, ProcessorRange processors, double end) {
    actions.announce({engine::Slice{.whose = row, .end = end, .processors = {&processors, 1}}});
}

std::uint32_t gang_class(const Job& job, const BuddyTrees& trees) {
    if (job.size > trees.processors()) {
        throw UnservedJobError(fmt::format(
            "job {} asks for {} processors and there are {} (it could never start). Leave out "
            "jobs larger than the machine.",
            job.index,
            job.size,
            trees.processors()
        ));
    }
    if (job.structure != RequestStructure::total) {
        throw UnservedJobError(fmt::format(
            "job {} asks for processors by cluster (gang scheduling knows one machine). Use total "
            "requests.",
            job.index
        ));
    }
    return BuddyTrees::class_of(job.size);
}

}  // namespace schedfarm::policies
