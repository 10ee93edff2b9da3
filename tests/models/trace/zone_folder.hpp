// A table of zones of its own for a test, in place of the machine's.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace schedfarm::models::trace::tests {

/// A file of RFC 8536, as small as such files are today: one offset, and a rule for all years.
inline std::string zone_file(std::int32_t utc_offset_s, const std::string& rule) {
    const auto number = [](std::uint32_t value) {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes += static_cast<char>(value >> static_cast<unsigned>(shift) & 0xffU);
        }
        return bytes;
    };
    const auto header = [&](std::uint32_t kinds, std::uint32_t characters) {
        return "TZif2" + std::string(15, '\0') + number(0) + number(0) + number(0) + number(0)
               + number(kinds) + number(characters);
    };
    const std::string kind =
        number(static_cast<std::uint32_t>(utc_offset_s)) + std::string(2, '\0');
    const std::string data = kind + std::string("ABC\0", 4);
    return header(1, 4) + data + header(1, 4) + data + "\n" + rule + "\n";
}

/// While it lives, the machine knows the zones that are written into it, and no others.
class ZoneFolder {
  public:
    ZoneFolder()
        : path_(
            std::filesystem::temp_directory_path()
            / ("schedfarm_zones_" + std::to_string(::getpid()))
        ) {
        const char* const before = std::getenv("TZDIR");  // NOLINT(concurrency-mt-unsafe)
        before_ = before == nullptr ? "" : before;
        std::filesystem::create_directories(path_ / "Europe");
        write("Europe/Stockholm", zone_file(3600, "CET-1CEST,M3.5.0,M10.5.0/3"));
        ::setenv("TZDIR", path_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    }
    ZoneFolder(const ZoneFolder&) = delete;
    ZoneFolder& operator=(const ZoneFolder&) = delete;
    ~ZoneFolder() {
        if (before_.empty()) {
            ::unsetenv("TZDIR");  // NOLINT(concurrency-mt-unsafe)
        } else {
            ::setenv("TZDIR", before_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
        }
        std::filesystem::remove_all(path_);
    }

    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path_ / name, std::ios::binary) << bytes;
    }

  private:
    std::filesystem::path path_;
    std::string before_;
};

}  // namespace schedfarm::models::trace::tests
