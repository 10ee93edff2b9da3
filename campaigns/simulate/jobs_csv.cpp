#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "campaigns/simulate/simulation_text.hpp"

namespace schedfarm::campaigns {

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

}  // namespace

std::string jobs_csv(const Simulation& simulation) {
    const engine::JobLog& log = simulation.log;
    constexpr std::size_t usual_line = 40;
    std::string text = "job,submit,start,finish,processors\n";
    text.reserve(text.size() + usual_line * log.jobs());
    std::array<char, longest_line> line{};
    for (std::size_t job = 0; job < log.jobs(); ++job) {
        char* end = write(line.data(), simulation.source.number(job));
        for (const double time : {log.submit[job], log.start[job], log.finish[job]}) {
            *end++ = ',';
            end = write(end, time);
        }
        *end++ = ',';
        end = write(end, std::int64_t{log.size[job]});
        *end++ = '\n';
        text.append(line.data(), end);
    }
    return text;
}

}  // namespace schedfarm::campaigns
