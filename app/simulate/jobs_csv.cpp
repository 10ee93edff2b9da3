#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "engine/simulation/kernel/processor_ranges.hpp"

#include "app/simulate/simulation_text.hpp"

namespace schedfarm::app {

namespace {

constexpr std::size_t longest_number = 32;
constexpr std::size_t longest_line = 5 * longest_number;

char* write(char* to, std::int64_t number) {
    return std::to_chars(to, to + longest_number, number).ptr;
}

char* write(char* to, double number) {
    constexpr double exact = 9007199254740992;  // 2^53
    if (std::abs(number) < exact) {
        const auto whole = static_cast<std::int64_t>(number);
        if (static_cast<double>(whole) == number) {
            return write(to, whole);
        }
    }
    return std::to_chars(to, to + longest_number, number).ptr;
}

/// "0-3 7"
void append(std::string& text, std::span<const engine::ProcessorRange> ranges) {
    std::array<char, 2 * longest_number> word{};
    char separator = ',';
    for (const engine::ProcessorRange& range : ranges) {
        const std::int64_t first = range.first.value;
        char* end = word.data();
        *end++ = separator;
        end = write(end, first);
        if (range.count > 1) {
            *end++ = '-';
            end = write(end, first + range.count - 1);
        }
        text.append(word.data(), end);
        separator = ' ';
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
        held = engine::lowest_free_processors(log, simulation.system.processors());
    }
    std::string text = "job,submit,start,finish,processors";
    text += has_ranges ? ",ranges\n" : "\n";
    text.reserve(text.size() + usual_line * log.jobs());
    std::array<char, longest_line> line{};
    for (const std::uint32_t job : in_job_order(simulation.source, log.jobs())) {
        char* end = write(line.data(), simulation.source.number(job));
        for (const double time : {log.submit[job], log.start[job], log.finish[job]}) {
            *end++ = ',';
            end = write(end, time);
        }
        *end++ = ',';
        end = write(end, std::int64_t{log.size[job]});
        text.append(line.data(), end);
        if (has_ranges) {
            append(text, held.of(job));
        }
        text += '\n';
    }
    return text;
}

}  // namespace schedfarm::app
