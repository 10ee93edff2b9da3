#include "app/simulate/job_quantities.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "app/simulate/quantiles.hpp"

namespace schedfarm::app {

namespace {

using engine::JobLog;

constexpr std::size_t block = 512;
using Block = std::array<double, block>;
template <typename T>
using PerQuantity = std::array<T, job_quantities>;

/// Every loop is one of vector instructions.
void compute(
    const JobLog& log,
    double threshold,
    JobQuantity quantity,
    std::size_t first,
    std::span<double> to
) {
    const double* const submit = &log.submit[first];
    const double* const start = &log.start[first];
    const double* const finish = &log.finish[first];
    const double* const service = &log.service[first];
    switch (quantity) {
        case JobQuantity::wait:
            for (std::size_t i = 0; i < to.size(); ++i) {
                to[i] = start[i] - submit[i];
            }
            return;
        case JobQuantity::response:
            for (std::size_t i = 0; i < to.size(); ++i) {
                to[i] = finish[i] - submit[i];
            }
            return;
        case JobQuantity::slowdown:
            for (std::size_t i = 0; i < to.size(); ++i) {
                const double response = finish[i] - submit[i];
                const double ratio = response / service[i];
                to[i] = response == 0 ? 1 : ratio;
            }
            return;
        case JobQuantity::bounded_slowdown:
            for (std::size_t i = 0; i < to.size(); ++i) {
                const double response = finish[i] - submit[i];
                to[i] = std::max(1.0, response / std::max(service[i], threshold));
            }
            return;
    }
}

/// Calls visit (first job, number of jobs).
template <typename Visit>
void for_each_block(std::size_t jobs, Visit visit) {
    for (std::size_t first = 0; first < jobs; first += block) {
        visit(first, std::min(block, jobs - first));
    }
}

struct Totals {
    PerQuantity<double> sum{};
    PerQuantity<double> max{};
    PerQuantity<CellCounts> counts;
};

/// The sums of all quantities grow side by side: each must wait for its own last addition.
Totals totals_of(const JobLog& log, double threshold) {
    Totals totals;
    PerQuantity<double> sum{};
    PerQuantity<double> max{};
    max.fill(-std::numeric_limits<double>::infinity());
    PerQuantity<Block> values;
    for_each_block(log.jobs(), [&](std::size_t first, std::size_t count) {
        for (std::size_t q = 0; q < job_quantities; ++q) {
            compute(
                log,
                threshold,
                JobQuantity{static_cast<std::uint8_t>(q)},
                first,
                std::span(values[q]).first(count)
            );
        }
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t q = 0; q < job_quantities; ++q) {
                const double value = values[q][i];
                sum[q] += value;
                max[q] = std::max(max[q], value);
                totals.counts[q].add(value);
            }
        }
    });
    totals.sum = sum;
    totals.max = max;
    return totals;
}

}  // namespace

std::array<Quantity, job_quantities> quantities_of(const JobLog& log, double threshold) {
    const Totals totals = totals_of(log, threshold);
    std::array<Quantity, job_quantities> result;
    for (std::size_t q = 0; q < job_quantities; ++q) {
        SoughtQuantile median(totals.counts[q], log.jobs(), 0.5);
        SoughtQuantile p95(totals.counts[q], log.jobs(), 0.95);
        Block values;
        for_each_block(log.jobs(), [&](std::size_t first, std::size_t count) {
            const std::span some = std::span(values).first(count);
            compute(log, threshold, JobQuantity{static_cast<std::uint8_t>(q)}, first, some);
            median.look_at(some);
            p95.look_at(some);
        });
        result[q] = {
            .mean = totals.sum[q] / static_cast<double>(log.jobs()),
            .median = median.found(),
            .p95 = p95.found(),
            .max = totals.max[q]};
    }
    return result;
}

}  // namespace schedfarm::app
