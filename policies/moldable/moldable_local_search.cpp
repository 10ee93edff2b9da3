// List scheduling of moldable jobs guided by a linear program, then local search for a small sum of
// weight · completion within a limit of the makespan: policies/moldable/list_search.hpp.
#include "policies/moldable/list_search.hpp"
#include "policies/moldable/moldable_batches.hpp"
#include "policies/moldable/reserved_list.hpp"

namespace schedfarm::policies {

namespace {

using engine::Parameters;
using engine::ParameterType;

std::vector<PlannedStart> plan_search(
    const SearchSettings& settings, const MoldableProblem& problem, const BatchDraws& from
) {
    BatchDice dice(from);
    const AllottedList found = searched_list(problem, guided_list(problem), settings, dice);
    const TaskList list = task_list(problem, found.processors);
    return planned_starts(list, strict_schedule(list, found.order, problem));
}

}  // namespace

engine::PolicyDescription describe_moldable_local_search() {
    return describe_moldable_policy(
        {.alternative =
             {.name = "moldable_local_search",
              .summary = "A list of moldable jobs guided by a linear program, then local search.",
              .parameters =
                  {{.name = "moves_per_job",
                    .meaning =
                        "changes of an allotment or of the order that are tried, per job; at most "
                        "2^30 in a batch",
                    .type = ParameterType::integer,
                    .default_value = 100,
                    .range = {.low = 0, .high = 1e5}},
                   {.name = "makespan_limit",
                    .meaning = "makespan / lambda* that the search stays within if it can",
                    .default_value = 1.15,
                    .range = {.low = 1, .high = 1e6}}},
              .source = "Dutot et al. 2004, section 3.3 (linear program); Dueck & Scheuer 1990"},
         .make_planner = [](const Parameters& given) -> MoldablePlanner {
             const SearchSettings settings{
                 static_cast<std::uint64_t>(given.integer("moves_per_job")),
                 given.real("makespan_limit")};
             return [settings](const MoldableProblem& problem, const BatchDraws& from) {
                 return plan_search(settings, problem, from);
             };
         },
         .draws =
             [](const Parameters& given) {
                 return given.integer("moves_per_job") > 0;
             }}
    );
}

}  // namespace schedfarm::policies
