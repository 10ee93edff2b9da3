// DEMT, the bi-criteria algorithm of Dutot, Eyraud, Mounié & Trystram (SPAA 2004, section 3): short
// tasks with much weight first, in batches that double (policies/moldable/demt_list.hpp), compacted
// by a list schedule in the order of the batches. Then the batches are shuffled, and the schedule
// with the least sum of weight · completion is kept, that of the natural order among them.
//
// Strict compaction keeps the makespan near twice the best; graham is better for the sum and worse
// for the makespan. Both are much better with stacks taken apart where there are many more jobs
// than processors.
// Cost: O(n m log(C*/tmin)), and a list schedule for each shuffle.
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "policies/moldable/demt_list.hpp"
#include "policies/moldable/moldable_batches.hpp"

namespace schedfarm::policies {

namespace {

using engine::Parameters;
using engine::ParameterType;

struct DemtSettings {
    explicit DemtSettings(const Parameters& given)
        : is_graham(given.text("compaction") == "graham")
        , choice(
              given.text("processors") == "freed_last" ? StrictChoice::freed_last
                                                       : StrictChoice::freed_first
          )
        , stacks(given.text("stacks") == "taken_apart" ? Stacks::taken_apart : Stacks::kept)
        , shuffles(static_cast<std::uint64_t>(given.integer("shuffles")))
        , target_factor(given.real("target_factor")) {}

    ListSchedule compact(
        const TaskList& list, std::span<const std::uint32_t> order, const MoldableProblem& problem
    ) const {
        return is_graham
                   ? graham_schedule(list, order, problem.processors(), problem.begin())
                   : strict_schedule(list, order, problem.processors(), problem.begin(), choice);
    }

    bool is_graham;
    StrictChoice choice;
    Stacks stacks;
    std::uint64_t shuffles;
    double target_factor;
};

/// Batches in a random order (Fisher & Yates); `draws` counts the numbers taken.
void shuffle(std::vector<std::uint32_t>& batches, const BatchDraws& from, std::uint64_t& draws) {
    for (std::size_t i = batches.size(); i > 1; --i) {
        const double u = engine::unit_interval(from.stream.draw(from.first + draws++));
        std::swap(batches[i - 1], batches[static_cast<std::size_t>(u * static_cast<double>(i))]);
    }
}

/// The entries, batch after batch.
std::vector<std::uint32_t> entry_order(
    const DemtList& demt, const std::vector<std::uint32_t>& batches
) {
    std::vector<std::uint32_t> order;
    order.reserve(demt.list.entries.size());
    for (const std::uint32_t batch : batches) {
        const std::uint32_t first = batch == 0 ? 0 : demt.batch_ends[batch - 1];
        for (std::uint32_t entry = first; entry < demt.batch_ends[batch]; ++entry) {
            order.push_back(entry);
        }
    }
    return order;
}

std::vector<PlannedStart> plan_demt(
    const DemtSettings& settings, const MoldableProblem& problem, const BatchDraws& from
) {
    const double target = settings.target_factor * problem.dual().lambda;
    const DemtList demt = demt_list(problem, target, settings.stacks);
    std::vector<std::uint32_t> batches(demt.batch_ends.size());
    std::iota(batches.begin(), batches.end(), std::uint32_t{0});
    const auto compacted = [&] {
        return settings.compact(demt.list, entry_order(demt, batches), problem);
    };
    ListSchedule best = compacted();
    std::uint64_t draws = 0;
    for (std::uint64_t i = 0; i < settings.shuffles; ++i) {
        shuffle(batches, from, draws);
        ListSchedule other = compacted();
        if (other.weighted_completion < best.weighted_completion) {
            best = std::move(other);
        }
    }
    return planned_starts(demt.list, best);
}

engine::Alternative demt_alternative() {
    return {
        .name = "demt",
        .summary =
            "Bi-criteria scheduling of moldable jobs: heavy short jobs first, in batches that "
            "double, compacted.",
        .parameters =
            {{.name = "compaction",
              .meaning = "strict: jobs in order on the processors that are free first; graham: "
                         "whatever fits overtakes",
              .type = ParameterType::text,
              .default_value = "strict",
              .words = {"strict", "graham"}},
             {.name = "stacks",
              .meaning = "short jobs that a batch takes as a stack, in the list: kept: one after "
                         "the other on one processor; taken_apart: each by itself",
              .type = ParameterType::text,
              .default_value = "kept",
              .words = {"kept", "taken_apart"}},
             {.name = "processors",
              .meaning =
                  "strict: of those that are free at its start a job takes those freed_first "
                  "or those freed_last, so that later jobs of the list may start before it",
              .type = ParameterType::text,
              .default_value = "freed_first",
              .words = {"freed_first", "freed_last"}},
             {.name = "shuffles",
              .meaning = "random orders of the batches that are tried; the best is kept",
              .type = ParameterType::integer,
              .default_value = 10,
              .range = {.low = 0, .high = 1e6}},
             {.name = "target_factor",
              .meaning = "C* / lambda* of the dual approximation",
              .default_value = 1.0,
              .range = {.low = 0.01, .high = 100}}},
        .source = "Dutot, Eyraud, Mounie & Trystram 2004, section 3"};
}

}  // namespace

engine::PolicyDescription describe_demt() {
    return describe_moldable_policy(
        {.alternative = demt_alternative(),
         .make_planner = [](const Parameters& given) -> MoldablePlanner {
             return [settings = DemtSettings(given
                     )](const MoldableProblem& problem, const BatchDraws& from) {
                 return plan_demt(settings, problem, from);
             };
         },
         .draws =
             [](const Parameters& given) {
                 return given.integer("shuffles") > 0;
             }}
    );
}

}  // namespace schedfarm::policies
