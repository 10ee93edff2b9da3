#include "app/certify/virtual_farm.hpp"

#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

using namespace schedfarm;       // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;  // NOLINT(google-build-using-namespace)

namespace {

Cell fixed_cell(std::uint64_t replications) {
    Cell cell;
    cell.columns = {{"response_time.mean", "time", ""}};
    cell.replications.limits = {replications, replications};
    return cell;
}

double first_value(const engine::Observations& observations) {
    return observations.values[0];
}

/// The values in the order in which they enter the estimate.
std::vector<double> order_of(
    const std::vector<double>& durations, std::uint64_t replications, const VirtualFarm& farm
) {
    const Cell cell = fixed_cell(replications);
    CellProgress progress(cell);
    const auto run = [&](std::uint32_t replication) {
        engine::Observations observations;
        observations.values = {durations.at(replication)};
        return observations;
    };
    run_on_virtual_workers(farm, run, first_value, progress);
    return progress.column(0, progress.used());
}

}  // namespace

// Two workers, durations 4 1 2 1 9 (replications 0 to 4):
//   worker 0: replication 0 from 0 to 4
//   worker 1: replication 1 from 0 to 1, 2 from 1 to 3, 3 from 3 to 4
// At 4 both end; worker 0 first: 0, then 3. Order of finishing: 1, 2, 0, 3.
TEST_CASE("results are numbered by their index or by the order in which they finish") {
    const std::vector<double> durations{4, 1, 2, 1, 9, 9};
    CHECK(order_of(durations, 4, {2, Numbering::by_index}) == std::vector<double>{4, 1, 2, 1});
    CHECK(order_of(durations, 4, {2, Numbering::by_finish}) == std::vector<double>{1, 2, 4, 1});
}

// Replication 4 begins on worker 0 at 4, 5 on worker 1 at 4; with durations 9 and 1 the fifth to
// finish is replication 5: the first five to finish leave the long one out.
TEST_CASE("the first to finish leave out the long replications under way") {
    const std::vector<double> durations{4, 1, 2, 1, 9, 1, 7};
    CHECK(order_of(durations, 5, {2, Numbering::by_finish}) == std::vector<double>{1, 2, 4, 1, 1});
    CHECK(order_of(durations, 5, {2, Numbering::by_index}) == std::vector<double>{4, 1, 2, 1, 9});
}

TEST_CASE("one worker finishes replications in the order of their indices") {
    const std::vector<double> durations{4, 1, 2, 0, 9};
    CHECK(order_of(durations, 4, {1, Numbering::by_finish}) == std::vector<double>{4, 1, 2, 0});
}

TEST_CASE("more workers than replications are no trouble") {
    const std::vector<double> durations{4, 1, 2};
    CHECK(order_of(durations, 3, {100, Numbering::by_index}) == durations);
}

TEST_CASE("a task that takes a negative time or none that is a number breaks the contract") {
    const std::vector<double> negative{1, -1};
    const std::vector<double> no_number{1, std::numeric_limits<double>::quiet_NaN()};
    CHECK_THROWS_AS(order_of(negative, 2, {1, Numbering::by_index}), engine::ContractViolation);
    CHECK_THROWS_AS(order_of(no_number, 2, {1, Numbering::by_index}), engine::ContractViolation);
}
