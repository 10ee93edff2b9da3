// What a program brings to the disk, in order: fsync and fdatasync of the C library, which note the
// file here and then do their work. For one source file of a program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace schedfarm::tests {

struct Synced {
    std::string name;         ///< of the file, without its folder
    std::uint64_t bytes = 0;  ///< in it then; 0 for a folder
    friend bool operator==(const Synced&, const Synced&) = default;
};

inline std::vector<Synced>& sync_log() {
    static std::vector<Synced> log;
    return log;
}

/// All since the last call.
inline std::vector<Synced> take_synced() {
    return std::exchange(sync_log(), {});
}

inline void note_sync(int descriptor) {
    struct stat status {};
    ::fstat(descriptor, &status);
    const auto path =
        std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor)).filename();
    sync_log().push_back(
        {path.string(), S_ISDIR(status.st_mode) ? 0 : static_cast<std::uint64_t>(status.st_size)}
    );
}

}  // namespace schedfarm::tests

extern "C" int fsync(int descriptor) {
    schedfarm::tests::note_sync(descriptor);
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

extern "C" int fdatasync(int descriptor) {
    schedfarm::tests::note_sync(descriptor);
    return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}
