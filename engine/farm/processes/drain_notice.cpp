#include "engine/farm/processes/drain_notice.hpp"

#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>

#include "engine/foundation/file_handle.hpp"

namespace schedfarm::engine {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view draining = "draining";
constexpr std::string_view ended = "ended";

void tell(const fs::path& journal, std::string_view word, std::uint64_t number) {
    // Of one width, so that a later notice replaces an earlier one whole.
    const std::string line = fmt::format("{:<8} {:>20}\n", word, number);
    try {
        FileHandle(reservation_path(journal), O_WRONLY | O_NOFOLLOW)
            .write(std::as_bytes(std::span(line)));
    } catch (const std::system_error&) {
        // a courtesy: the run ends all the same
    }
}

std::optional<std::uint64_t> told(const fs::path& journal, std::string_view wanted) {
    std::ifstream file(reservation_path(journal));
    std::string word;
    std::uint64_t number = 0;
    const bool is_told = file >> word >> number && word == wanted;
    return is_told ? std::optional(number) : std::nullopt;
}

}  // namespace

fs::path reservation_path(const fs::path& journal) {
    return journal.string() + ".lock";
}

void tell_draining(const fs::path& journal, std::uint64_t under_way) {
    tell(journal, draining, under_way);
}

std::optional<std::uint64_t> told_draining(const fs::path& journal) {
    return told(journal, draining);
}

void tell_end(const fs::path& journal, std::uint64_t exit_code) {
    tell(journal, ended, exit_code);
}

std::optional<std::uint64_t> told_end(const fs::path& journal) {
    return told(journal, ended);
}

}  // namespace schedfarm::engine
