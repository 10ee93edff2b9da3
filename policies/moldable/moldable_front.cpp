#include "policies/moldable/moldable_front.hpp"

namespace schedfarm::policies {

namespace {

constexpr int loosest_tenths = 20;
constexpr int tightest_tenths = 10;

}  // namespace

ParetoFront moldable_front(
    const MoldableProblem& problem, std::uint64_t moves_per_task, BatchDice& dice
) {
    ParetoFront front;
    GuidedList start = guided_list(problem);
    for (int tenths = loosest_tenths; tenths >= tightest_tenths; --tenths) {
        const SearchSettings settings{moves_per_task, tenths / 10.0};
        start.list = searched_list(problem, start, settings, dice, &front);
    }
    return front;
}

}  // namespace schedfarm::policies
