// A table of zones of its own for a test, in place of the machine's.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace schedfarm::models::trace::tests {

/// A file of RFC 8536: the offset "ABC", a summer time "ABD" of an hour in 1980, and a rule for all
/// years behind it.
inline std::string zone_file(std::int32_t utc_offset_s, const std::string& rule) {
    const auto number = [](std::int64_t value, int bytes) {
        std::string text;
        for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
            text += static_cast<char>(
                static_cast<std::uint64_t>(value) >> static_cast<unsigned>(shift) & 0xffU
            );
        }
        return text;
    };
    const auto part = [&](int time_bytes) {
        constexpr std::int64_t changes[]{323830800, 338950800};
        const std::string counts =
            number(0, 4) + number(0, 4) + number(0, 4) + number(2, 4) + number(2, 4) + number(8, 4);
        const std::string kinds = number(utc_offset_s, 4) + std::string(2, '\0')
                                  + number(utc_offset_s + 3600, 4) + std::string("\1\4", 2);
        return "TZif2" + std::string(15, '\0') + counts + number(changes[0], time_bytes)
               + number(changes[1], time_bytes) + std::string("\1\0", 2) + kinds
               + std::string("ABC\0ABD\0", 8);
    };
    return part(4) + part(8) + "\n" + rule + "\n";
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
        write("Europe/Stockholm", zone_file(3600, "ABC-1ABD,M3.5.0,M10.5.0/3"));
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
