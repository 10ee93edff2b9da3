#include "policies/scojo/scojo_pect.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "engine/simulation/workload_model.hpp"

#include "policies/scojo/scojo_scheduler.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

ParameterDescription fit_parameter(const char* name, const char* meaning, const char* word) {
    return {
        .name = name,
        .meaning = meaning,
        .type = ParameterType::text,
        .default_value = word,
        .words = {"best_fit", "worst_fit", "first_fit"}};
}

MemoryFit memory_fit(const Parameters& given, const char* name) {
    const std::string& word = given.text(name);
    return word == "best_fit"    ? MemoryFit::best
           : word == "worst_fit" ? MemoryFit::worst
                                 : MemoryFit::first;
}

Allocator allocator(const Parameters& given) {
    const std::string& word = given.text("allocator");
    return word == "first_free"    ? Allocator::first_free
           : word == "intelligent" ? Allocator::intelligent
                                   : Allocator::memory_aware;
}

std::vector<ParameterDescription> scojo_pect_parameters() {
    return {
        {.name = "slices_s",
         .meaning = "length of the slice of each type of job, the shortest jobs first",
         .unit = "s",
         .type = ParameterType::real_list,
         .default_value = Value::List{600.0, 1080.0, 1920.0},
         .range = {.low = 0, .low_is_open = true}},
        {.name = "interval_s",
         .meaning = "sum of the slices",
         .unit = "s",
         .default_value = 3600.0,
         .range = {.low = 0, .low_is_open = true}},
        {.name = "thresholds_s",
         .meaning = "run times that divide the types: a job of the first is shorter than the first "
                    "of them, one of the last no shorter than the last",
         .unit = "s",
         .type = ParameterType::real_list,
         .default_value = Value::List{600.0, 10800.0},
         .range = {.low = 0, .low_is_open = true}},
        run_time_parameter(
            "run_time", "run time by which jobs have their types and plans are made"
        ),
        {.name = "backfilling",
         .meaning = "within a type and across types, conservative: a job overtakes if it delays "
                    "nobody of its type; easy: if it does not delay the first that cannot start",
         .type = ParameterType::text,
         .default_value = "conservative",
         .words = {"conservative", "easy"}},
        {.name = "allocator",
         .meaning = "first_free: nodes of the lowest numbers; intelligent: those that the fewest "
                    "jobs of other types have; memory_aware: those on which the memory of all jobs "
                    "suffices, else soonest does",
         .type = ParameterType::text,
         .default_value = "first_free",
         .words = {"first_free", "intelligent", "memory_aware"}},
        fit_parameter(
            "first_stage",
            "memory_aware: which nodes, where enough have memory for all their jobs: those that "
            "have the least left, the most, or the lowest numbers",
            "best_fit"
        ),
        fit_parameter(
            "second_stage",
            "memory_aware: the same, of the nodes that are taken beside those that lack memory",
            "worst_fit"
        ),
        {.name = "load_rate",
         .meaning = "memory of a node that is loaded or saved in a second; counts where "
                    "system.memory_per_processor is given",
         .unit = "memory/s",
         .default_value = 4.0,
         .range = {.low = 0, .low_is_open = true}},
        {.name = "prefetch_s",
         .meaning = "so long before the end of a slice what is missing of the next type's jobs "
                    "begins to be loaded while others run on their nodes, into free memory and "
                    "that of jobs that neither run nor come next; 0: never",
         .unit = "s",
         .default_value = 0.0,
         .range = {.low = 0}},
        {.name = "relocation",
         .meaning = "never: a job keeps its nodes; other_slices: one that was preempted and cannot "
                    "go on there moves to free nodes, where it is loaded whole, if that is done "
                    "within the slice",
         .type = ParameterType::text,
         .default_value = "never",
         .words = {"never", "other_slices"}},
        {.name = "listing",
         .meaning =
             "corrected: as the thesis's text says; printed: with the slips of its listings, "
             "which compare used with needed memory, keep of a displaced job what it lost "
             "and charge the last one only",
         .type = ParameterType::text,
         .default_value = "corrected",
         .words = {"corrected", "printed"}}};
}

std::vector<ParameterProblem> scojo_pect_problems(const Parameters& given) {
    const std::vector<double> slices = given.reals("slices_s");
    const std::vector<double> thresholds = given.reals("thresholds_s");
    if (slices.size() != thresholds.size() + 1) {
        return {
            {"slices_s",
             fmt::format(
                 "there are {} slices and {} thresholds (each divides two types of jobs, and each "
                 "type has a slice)",
                 slices.size(),
                 thresholds.size()
             ),
             fmt::format("Give {} slices.", thresholds.size() + 1)}};
    }
    if (!std::is_sorted(thresholds.begin(), thresholds.end(), std::less_equal<>())) {
        return {
            {"thresholds_s",
             "the thresholds do not increase (a type between two of them would have no jobs)",
             "Write them in increasing order, each once."}};
    }
    const double sum = std::accumulate(slices.begin(), slices.end(), 0.0);
    if (sum != given.real("interval_s")) {
        return {
            {"slices_s",
             fmt::format(
                 "the slices add up to {} s and the interval has {} s (they divide it)",
                 sum,
                 given.real("interval_s")
             ),
             "Give interval_s as their sum."}};
    }
    const double shortest = *std::min_element(slices.begin(), slices.end());
    if (given.real("prefetch_s") >= shortest) {
        return {
            {"prefetch_s",
             fmt::format(
                 "prefetching begins {} s before the end of a slice, and one has {} s (it belongs "
                 "to the slice before)",
                 given.real("prefetch_s"),
                 shortest
             ),
             fmt::format("Give less than {} s.", shortest)}};
    }
    if (given.text("listing") == "printed"
        && (given.real("prefetch_s") > 0 || given.text("relocation") != "never")) {
        return {
            {"listing",
             "the thesis's listing neither prefetches nor relocates jobs (nobody knows what it "
             "would do)",
             "Write listing: corrected."}};
    }
    return {};
}

// A job that is displaced in the other slices of an interval is loaded anew in its own one and,
// charged for making room, has as much more to run.
std::vector<ParameterProblem> scojo_pect_system_problems(
    const Parameters& given, const SystemDescription& system
) {
    const std::vector<double> slices = given.reals("slices_s");
    const double shortest = *std::min_element(slices.begin(), slices.end());
    const double load = std::ceil(system.memory_per_processor / given.real("load_rate"));
    if (slices.size() == 1 || shortest > 2 * load) {
        return {};
    }
    return {
        {"slices_s",
         fmt::format(
             "a slice of {} s is no longer than twice the load of a whole node, {} s (jobs that "
             "displace each other would never get on: one load, and as long again for having made "
             "room)",
             shortest,
             load
         ),
         fmt::format("Give each type more than {} s, or a higher load_rate.", 2 * load)}};
}

std::vector<ParameterProblem> scojo_pect_workload_problems(
    const Parameters& /*given*/, const SystemDescription& system, const WorkloadTraits& workload
) {
    if (system.memory_per_processor == 0 || workload.max_memory_per_processor > 0) {
        return {};
    }
    return {
        {"",
         "the nodes have memory and no job of the workload says how much it needs (nothing would "
         "be loaded)",
         "Leave system.memory_per_processor out, or draw memory: workload: {model: "
         "memory_version, jobs: ...}."}};
}

std::vector<ObservationColumn> scojo_pect_observations(
    const Parameters& given, const SystemDescription& system
) {
    if (system.memory_per_processor == 0) {
        return {};
    }
    std::vector<ObservationColumn> columns{
        {"overhead", "s", "Time spent loading jobs and making room, summed over jobs."},
        {"reducible_overhead", "s", "The same without the first load of each job."},
        {"overhead_work", "processor s", "Time spent loading and making room x processors."},
        {"reducible_overhead_work", "processor s", "The same without the first load of each job."}};
    for (const ScojoColumns& type : scojo_columns(given.reals("slices_s").size())) {
        columns.push_back({type.overhead, "s", "Overhead of the jobs of this type."});
        columns.push_back({type.reducible, "s", "The same without the first load of each job."});
    }
    return columns;
}

}  // namespace

std::vector<ScojoColumns> scojo_columns(std::size_t types) {
    std::vector<ScojoColumns> columns;
    for (std::size_t type = 0; types > 1 && type < types; ++type) {
        constexpr std::array names = {"short", "medium", "long"};
        const std::string name =
            types == names.size() ? names.at(type) : fmt::format("type_{}", type + 1);
        columns.push_back({"overhead_" + name, "reducible_overhead_" + name});
    }
    return columns;
}

std::size_t ScojoSettings::type_of(const Job& job) const {
    const auto above =
        std::upper_bound(thresholds_s.begin(), thresholds_s.end(), planned_duration(job, run_time));
    return static_cast<std::size_t>(above - thresholds_s.begin());
}

ScojoSettings scojo_settings(const Parameters& given) {
    return {
        .slices_s = given.reals("slices_s"),
        .thresholds_s = given.reals("thresholds_s"),
        .run_time = run_time(given, "run_time"),
        .backfilling =
            given.text("backfilling") == "easy" ? Backfilling::easy : Backfilling::conservative,
        .nodes =
            {.allocator = allocator(given),
             .first_stage = memory_fit(given, "first_stage"),
             .second_stage = memory_fit(given, "second_stage"),
             .as_printed = given.text("listing") == "printed"},
        .load_rate = given.real("load_rate"),
        .prefetch_s = given.real("prefetch_s"),
        .relocates = given.text("relocation") == "other_slices"};
}

PolicyDescription describe_scojo_pect() {
    PolicyDescription description;
    description.alternative = {
        .name = "scojo_pect",
        .summary =
            "Scojo-PECT: time slices by type of job, backfilling across types, and jobs "
            "loaded into the memory of nodes.",
        .parameters = scojo_pect_parameters(),
        .check = scojo_pect_problems,
        .source = "Esbaugh 2010; Esbaugh & Sodan 2007"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{.preemptive = true, .names_processors = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<ScojoScheduler>(scojo_settings(given), context.system);
    };
    description.check_system = scojo_pect_system_problems;
    description.check_workload = scojo_pect_workload_problems;
    description.observations = scojo_pect_observations;
    return description;
}

}  // namespace schedfarm::policies
