#include "engine/farm/launcher_output.hpp"

#include <regex>
#include <utility>

#include <fmt/format.h>

namespace schedfarm::engine {

namespace {

bool is_dashes(std::string_view line) {
    constexpr std::size_t shortest = 60;
    const std::size_t length = line.find_first_not_of('-');
    return line.size() > shortest && (length == std::string_view::npos || line[length] == '\n')
           && line.find_first_of('-') == 0;
}

constexpr std::string_view signal_notice = "mpirun: Forwarding signal";

bool is_signal_notice(std::string_view line) {
    return line.substr(0, signal_notice.size()) == signal_notice;
}

/// Could these bytes become a line that is held back?
bool may_be_held_back(std::string_view line) {
    return line.find_first_not_of('-') == std::string_view::npos
           || signal_notice.substr(0, line.size()) == line || is_signal_notice(line);
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// From "mpirun noticed that process rank 1 with PID 0 on node vm exited on signal 9 (Killed)."
std::string death_in(const std::string& block) {
    static const std::regex by_signal(
        R"(process\s+rank\s+(\d+)\s[\s\S]*?exited\s+on\s+signal\s+(\d+(?:\s+\([^)]*\))?))"
    );
    static const std::regex improper(R"(process\s+rank\s+(\d+)\s[\s\S]*?exiting\s+improperly)");
    std::smatch found;
    if (std::regex_search(block, found, by_signal)) {
        return fmt::format("rank {} was killed by signal {}", found.str(1), found.str(2));
    }
    if (std::regex_search(block, found, improper)) {
        return fmt::format("rank {} ended without a word", found.str(1));
    }
    return "";
}

}  // namespace

std::string LauncherOutput::pass(std::string_view bytes) {
    std::string shown;
    for (const char character : bytes) {
        line_ += character;
        if (character == '\n') {
            shown += take_line();
        }
    }
    if (block_.empty() && !may_be_held_back(line_)) {
        shown += line_;  // a progress line has no end of line; the rest of it is no banner either
        line_.clear();
    }
    return shown;
}

std::string LauncherOutput::take_line() {
    const std::string line = std::exchange(line_, {});
    if (is_dashes(line)) {
        const bool is_end = !block_.empty();
        block_ += line;
        return is_end ? end_of_block() : "";
    }
    if (!block_.empty()) {
        block_ += line;
        return "";
    }
    return is_signal_notice(line) ? "" : line;
}

std::string LauncherOutput::end_of_block() {
    std::string block = std::exchange(block_, {});
    const std::string death = death_in(block);
    if (!death.empty()) {
        rank_death_ = rank_death_.empty() ? death : rank_death_;
        return "";
    }
    if (contains(block, "exited with non-zero status")
        || contains(block, "MPI_ABORT was invoked")) {
        rank_exited_ = true;
        return "";
    }
    const bool is_idle_talk = contains(block, "a non-zero exit code. Per user-direction")
                              || contains(block, "noticed that the job aborted");
    return is_idle_talk ? "" : block;
}

std::string LauncherOutput::finish() {
    return std::exchange(block_, {}) + std::exchange(line_, {});
}

}  // namespace schedfarm::engine
