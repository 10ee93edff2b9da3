#include "policies/gang.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

constexpr double seconds_per_day = 86400;

std::vector<ParameterProblem> quantum_problems(
    const GangSettings& settings, const SystemDescription& system
) {
    const std::uint32_t rows = BuddyTrees(system.processors()).classes();
    std::vector<double> quanta = settings.quanta_s;
    if (quanta.empty() && settings.rule == QuantaRule::utilization) {
        const double least = settings.smallest_quantum_s * rows;
        if (least > settings.cycle_s) {
            return {
                {"smallest_quantum_s",
                 fmt::format(
                     "{} quanta of {} s are longer than the timeplexing cycle of {} s (each class "
                     "has one in a cycle)",
                     rows,
                     settings.smallest_quantum_s,
                     settings.cycle_s
                 ),
                 fmt::format("At most {}?", settings.cycle_s / rows)}};
        }
        quanta = {settings.smallest_quantum_s};
    } else if (quanta.empty()) {
        quanta = uniform_quanta(settings.cycle_s, rows);
    } else if (quanta.size() != rows) {
        return {
            {"quanta_s",
             fmt::format(
                 "{} quanta are given and the cycle of {} processors has {} rows (one for each "
                 "class, the largest first)",
                 quanta.size(),
                 system.processors(),
                 rows
             ),
             "One quantum for each row?"}};
    }
    const double shortest = *std::min_element(quanta.begin(), quanta.end());
    if (shortest > settings.switch_cost_s) {
        return {};
    }
    return {
        {"timeplexing_cycle_s",
         fmt::format(
             "a quantum of {} s is no longer than a switch of {} s (no job would get on)",
             shortest,
             settings.switch_cost_s
         ),
         "A longer cycle or a cheaper switch?"}};
}

}  // namespace

std::vector<ParameterDescription> gang_parameters() {
    return {
        {.name = "timeplexing_cycle_s",
         .meaning = "time in which every class has one time slice",
         .unit = "s",
         .default_value = 1000,
         .range = {.low = 0, .low_is_open = true}},
        {.name = "switch_cost_s",
         .meaning = "first part of every time slice, in which nothing works",
         .unit = "s",
         .default_value = 1,
         .range = {.low = 0}},
        {.name = "quanta",
         .meaning = "uniform: equal time slices; utilization: by the work of each class that "
                    "arrived on the day before",
         .type = ParameterType::text,
         .default_value = "uniform",
         .words = {"uniform", "utilization"}},
        {.name = "quanta_s",
         .meaning = "time slice of each class, the largest class first; empty: as quanta says",
         .unit = "s",
         .type = ParameterType::real_list,
         .default_value = Value::List{},
         .range = {.low = 0, .low_is_open = true}},
        {.name = "smallest_quantum_s",
         .meaning = "shortest time slice of quanta: utilization",
         .unit = "s",
         .default_value = 20,
         .range = {.low = 0, .low_is_open = true}}};
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
             "timeplexing_cycle_s as their sum?"}};
    }
    if (!settings.quanta_s.empty() && settings.rule != QuantaRule::uniform) {
        return {
            {"quanta",
             "quanta are both listed and to follow the utilization (one of the two counts)",
             "Leave out quanta_s?"}};
    }
    const bool is_whole = std::floor(settings.cycle_s) == settings.cycle_s
                          && std::floor(settings.smallest_quantum_s) == settings.smallest_quantum_s;
    if (settings.rule == QuantaRule::utilization && !is_whole) {
        return {
            {"quanta",
             "a cycle is shared out by utilization in whole seconds (the largest remainder takes "
             "one)",
             "Whole numbers for timeplexing_cycle_s and smallest_quantum_s?"}};
    }
    return {};
}

std::vector<ParameterProblem> gang_system_problems(
    const Parameters& given, const SystemDescription& system
) {
    if (!system.capacity_changes.empty()) {
        return {
            {"timeplexing_cycle_s",
             "processors leave the machine or come back (gang scheduling divides a fixed machine)",
             "A system without changes of capacity?"}};
    }
    return quantum_problems(gang_settings(given), system);
}

GangSettings gang_settings(const Parameters& given) {
    return {
        .cycle_s = given.real("timeplexing_cycle_s"),
        .switch_cost_s = given.real("switch_cost_s"),
        .rule = given.text("quanta") == "uniform" ? QuantaRule::uniform : QuantaRule::utilization,
        .quanta_s = given.reals("quanta_s"),
        .smallest_quantum_s = given.real("smallest_quantum_s")};
}

std::uint32_t gang_class(const Job& job, const BuddyTrees& trees) {
    if (job.size > trees.processors()) {
        throw std::runtime_error(fmt::format(
            "job {} asks for {} processors and there are {} (it could never start). Leave out "
            "jobs larger than the machine?",
            job.index,
            job.size,
            trees.processors()
        ));
    }
    if (job.structure != RequestStructure::total) {
        throw std::runtime_error(fmt::format(
            "job {} asks for processors by cluster (gang scheduling knows one machine). Total "
            "requests?",
            job.index
        ));
    }
    if (!std::isfinite(job.service_time)) {
        throw std::runtime_error(fmt::format(
            "job {} never ends (time slices need jobs that do, and bin filling has none). Another "
            "experiment?",
            job.index
        ));
    }
    return BuddyTrees::class_of(job.size);
}

std::vector<double> uniform_quanta(double cycle_s, std::uint32_t rows) {
    if (std::floor(cycle_s) != cycle_s) {
        std::vector<double> equal(rows, cycle_s / rows);
        return equal;
    }
    const double base = std::floor(cycle_s / rows);
    std::vector<double> quanta(rows, base);
    const auto longer = static_cast<std::size_t>(cycle_s - base * rows);
    std::fill_n(quanta.begin(), std::min<std::size_t>(longer, rows), base + 1);
    return quanta;
}

std::vector<double> weighted_quanta(
    double cycle_s, double smallest_s, const std::vector<double>& weights
) {
    const double sum = std::accumulate(weights.begin(), weights.end(), double{0});
    if (sum <= 0) {
        return uniform_quanta(cycle_s, static_cast<std::uint32_t>(weights.size()));
    }
    const double rest = cycle_s - smallest_s * static_cast<double>(weights.size());
    std::vector<double> quanta;
    std::vector<double> remainders;
    double left = rest;
    for (const double weight : weights) {
        const double share = rest * weight / sum;
        quanta.push_back(smallest_s + std::floor(share));
        remainders.push_back(share - std::floor(share));
        left -= std::floor(share);
    }
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&remainders](std::size_t a, std::size_t b) {
        return remainders[a] > remainders[b];
    });
    for (std::size_t i = 0; i < order.size() && left >= 1; ++i, left -= 1) {
        quanta[order[i]] += 1;
    }
    return quanta;
}

GangQuanta::GangQuanta(const GangSettings& settings, const BuddyTrees& trees)
    : settings_(settings)
    , trees_(trees)
    , quanta_(
          settings.quanta_s.empty() ? uniform_quanta(settings.cycle_s, trees.classes())
                                    : settings.quanta_s
      ) {}

void GangQuanta::arrive(double submit_time, double service_time, std::uint32_t job_class) {
    if (settings_.rule == QuantaRule::uniform) {
        return;
    }
    std::vector<double>& work = work_[std::floor(submit_time / seconds_per_day)];
    work.resize(trees_.classes(), 0);
    work[trees_.classes() - 1 - job_class] += service_time * trees_.node_size(job_class);
}

const std::vector<double>& GangQuanta::of_cycle(double time) {
    const double day = std::floor(time / seconds_per_day);
    if (settings_.rule == QuantaRule::utilization && day != day_) {
        day_ = day;
        std::vector<double>& work = work_[day - 1];
        work.resize(trees_.classes(), 0);
        quanta_ = weighted_quanta(settings_.cycle_s, settings_.smallest_quantum_s, work);
    }
    return quanta_;
}

}  // namespace schedfarm::policies
