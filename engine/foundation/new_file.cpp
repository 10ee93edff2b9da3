#include "engine/foundation/new_file.hpp"

#include <cstdint>
#include <random>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>

namespace schedfarm::engine {

namespace {

namespace fs = std::filesystem;

/// Where the file itself lies, links followed, also that of a link at whose end nothing is yet.
fs::path place_of(const fs::path& path) {
    constexpr int most_links = 40;
    fs::path place = path;
    for (int links = 0; fs::is_symlink(fs::symlink_status(place)); ++links) {
        if (links == most_links) {
            throw std::system_error(ELOOP, std::generic_category(), "open");
        }
        place = place.parent_path() / fs::read_symlink(place);  // an absolute one replaces all
    }
    return place;
}

fs::path unforeseen_name(const fs::path& place) {
    std::random_device random;
    const std::uint64_t number = (std::uint64_t{random()} << 32U) | random();
    return place.string() + fmt::format(".{:016x}.tmp", number);
}

}  // namespace

NewFile::NewFile(const fs::path& path)
    : place_(place_of(path))
    , temporary_(unforeseen_name(place_))
    , file_(temporary_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW) {}

NewFile::~NewFile() {
    std::error_code ignored;
    if (!temporary_.empty()) {
        fs::remove(temporary_, ignored);
    }
}

void NewFile::put_in_place() {
    file_.sync_all();
    fs::rename(temporary_, place_);
    temporary_.clear();
    sync_folder_of(place_);
}

}  // namespace schedfarm::engine
