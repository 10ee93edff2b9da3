#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "engine/simulation/kernel/processor_ranges.hpp"

#include "app/report/schedule_tables.hpp"
#include "app/simulate/simulation_text.hpp"

namespace schedfarm::app {

namespace {

void append(std::string& text, std::int64_t number) {
    const fmt::format_int digits(number);
    text.append(digits.data(), digits.size());
}

/// Most times are whole, which takes a fifth of the time.
void append(std::string& text, double number) {
    constexpr double exact = 9007199254740992;  // 2^53
    if (std::abs(number) < exact && std::trunc(number) == number) {
        append(text, static_cast<std::int64_t>(number));
    } else {
        fmt::format_to(std::back_inserter(text), "{}", number);
    }
}

/// By the log's numbers; jobs without one are numbered in the order of their submission.
std::vector<std::uint32_t> in_job_order(const JobSource& source, std::size_t jobs) {
    std::vector<std::uint32_t> order(jobs);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return source.number(a) < source.number(b);
    });
    return order;
}

}  // namespace

std::string jobs_csv(const Simulation& simulation, JobColumns columns) {
    const engine::JobLog& log = simulation.log;
    constexpr std::size_t usual_line = 40;
    const bool has_ranges = columns == JobColumns::with_ranges;
    engine::JobProcessors held;
    if (has_ranges) {
        held = engine::lowest_free_processors(log, simulation.cell.system.processors());
    }
    std::string text = "job,submit,start,finish,processors";
    text += has_ranges ? ",ranges\n" : "\n";
    text.reserve(text.size() + usual_line * log.jobs());
    for (const std::uint32_t job : in_job_order(simulation.source, log.jobs())) {
        append(text, simulation.source.number(job));
        for (const double time : {log.submit[job], log.start[job], log.finish[job]}) {
            text += ',';
            append(text, time);
        }
        text += ',';
        append(text, std::int64_t{log.size[job]});
        text += has_ranges ? "," + ranges_text(held.of(job)) + "\n" : "\n";
    }
    return text;
}

std::string segments_csv(
    const Simulation& simulation, const std::vector<engine::RunSegment>& segments
) {
    std::string text = "job,submit,start,finish,processors,ranges\n";
    for (const engine::RunSegment& segment : segments) {
        text += fmt::format(
            "{},{},{},{},{},{}\n",
            simulation.source.number(segment.job),
            simulation.log.submit[segment.job],
            segment.begin,
            segment.end,
            segment.size,
            ranges_text(segment.processors)
        );
    }
    return text;
}

}  // namespace schedfarm::app
