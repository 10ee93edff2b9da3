#include "engine/farm/processes/launcher_output.hpp"

#include <algorithm>
#include <array>
#include <cctype>
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

constexpr std::array<std::string_view, 2> signal_notices{
    "mpirun: Forwarding signal", "mpirun: abort is already in progress"};

bool is_signal_notice(std::string_view line) {
    return std::any_of(signal_notices.begin(), signal_notices.end(), [line](auto notice) {
        return line.starts_with(notice);
    });
}

/// Could a notice begin like this?
bool may_be_signal_notice(std::string_view line) {
    return std::any_of(signal_notices.begin(), signal_notices.end(), [line](auto notice) {
        return notice.starts_with(line) || line.starts_with(notice);
    });
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// "[node:4711] PMIX ERROR: UNREACHABLE in file ...", which tells of Open MPI's own inside.
bool is_remark(std::string_view line) {
    return line.starts_with('[')
           && (contains(line, "] PMIX ERROR: ") || contains(line, "ORTE_ERROR_LOG: ")
               || contains(line, "sent help message help-")
               || contains(line, "\"orte_base_help_aggregate\""));
}

/// Could "[node:4711] " begin like this? A bar of progress does not: it has no letter so near.
bool may_be_remark(std::string_view line) {
    return line.starts_with('[')
           && (line.size() == 1 || std::isalnum(static_cast<unsigned char>(line[1])) != 0);
}

/// Do these bytes end within a command to a terminal, "\033[1A"?
bool ends_inside_command(std::string_view text) {
    const std::size_t escape = text.rfind('\033');
    const std::string_view command =
        escape == std::string_view::npos ? "none" : text.substr(escape + 1);
    return command.empty()
           || (command.front() == '['
               && command.find_first_not_of("0123456789;", 1) == std::string_view::npos);
}

/// Do these bytes end in a command to a terminal, such as those around a bar of progress? What
/// follows one may be a line of the launcher's, though no end of line stands between.
bool ends_in_command(std::string_view text) {
    const char last = text.back();
    const bool may_be_last = std::isalpha(static_cast<unsigned char>(last)) != 0;
    return last == '\r' || (may_be_last && ends_inside_command(text.substr(0, text.size() - 1)));
}

/// Could these bytes become a line that is held back?
bool may_be_held_back(std::string_view line) {
    return line.find_first_not_of('-') == std::string_view::npos || may_be_signal_notice(line)
           || may_be_remark(line) || ends_inside_command(line);
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
        } else if (block_.empty() && ends_in_command(line_)) {
            shown += std::exchange(line_, {});
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
    if (is_remark(line)) {
        remarks_ += line;
        return "";
    }
    const bool is_notice = is_signal_notice(line);
    const bool ends_notice = std::exchange(is_behind_notice_, is_notice) && line == "\n";
    return is_notice || ends_notice ? "" : line;
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
