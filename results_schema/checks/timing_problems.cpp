// Checks of when replications ran: a rank does one thing at a time.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "results_schema/checks/row_checks.hpp"
#include "results_schema/checks/validation.hpp"

namespace schedfarm::results_schema {

namespace {

/// Two readings of a clock that tells seconds since 1970 in a float64 are this exact.
constexpr double clock_resolution_s = 1e-5;

/// A replication in time.
struct Stay {
    std::uint64_t run = 0;
    std::uint64_t rank = 0;
    double began = 0;
    double ended = 0;
    std::size_t row = 0;

    auto order() const { return std::tie(run, rank, began, row); }
};

}  // namespace

std::vector<std::string> timing_problems(const ResultFile& results) {
    Problems problems;
    const Table& timings = *results.find("timings");
    const auto& run = column_of<Counts>(timings, "run");
    const auto& rank = column_of<Counts>(timings, "rank");
    const auto& began = column_of<Reals>(timings, "began");
    const auto& seconds = column_of<Reals>(timings, "seconds");
    std::vector<Stay> stays;
    for (std::size_t row = 0; row < began.size(); ++row) {
        if ((run[row] == 0) != std::isnan(began[row])) {
            add_row_problem(
                problems, timings, row, "it has a run without a begin, or a begin without a run"
            );
        } else if (run[row] != 0) {
            stays.push_back({run[row], rank[row], began[row], began[row] + seconds[row], row});
        }
    }
    std::sort(stays.begin(), stays.end(), [](const Stay& a, const Stay& b) {
        return a.order() < b.order();
    });
    for (std::size_t i = 1; i < stays.size(); ++i) {
        const Stay& before = stays[i - 1];
        const Stay& stay = stays[i];
        if (before.run == stay.run && before.rank == stay.rank
            && stay.began < before.ended - clock_resolution_s) {
            const std::string problem = fmt::format(
                "begins {} s after its run began, but rank {} is busy with row {} until {}",
                stay.began,
                stay.rank,
                before.row,
                before.ended
            );
            add_row_problem(problems, timings, stay.row, problem);
        }
    }
    return problems;
}

}  // namespace schedfarm::results_schema
