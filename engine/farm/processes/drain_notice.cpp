#include "engine/farm/processes/drain_notice.hpp"

#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>

#include "engine/foundation/new_file.hpp"

namespace schedfarm::engine {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view draining = "draining";

}  // namespace

fs::path reservation_path(const fs::path& journal) {
    return journal.string() + ".lock";
}

void write_drain_notice(const fs::path& journal, std::uint64_t under_way) {
    // Of one width, so that a later notice replaces an earlier one whole.
    const std::string line = fmt::format("{} {:>20}\n", draining, under_way);
    try {
        open_own(reservation_path(journal), O_WRONLY).write(std::as_bytes(std::span(line)));
    } catch (const std::system_error&) {
        // a courtesy: the run ends all the same
    }
}

std::optional<std::uint64_t> read_drain_notice(const fs::path& journal) {
    const fs::path path = reservation_path(journal);
    std::error_code unknown;
    if (!fs::is_regular_file(path, unknown)) {
        return std::nullopt;  // opening a pipe would wait
    }
    std::ifstream file(path);
    std::string word;
    std::uint64_t under_way = 0;
    const bool is_notice = file >> word >> under_way && word == draining;
    return is_notice ? std::optional(under_way) : std::nullopt;
}

}  // namespace schedfarm::engine
