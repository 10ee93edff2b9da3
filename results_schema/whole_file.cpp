#include "results_schema/whole_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/foundation/message_text.hpp"

#include "results_schema/result_io.hpp"

namespace schedfarm::results_schema {

namespace {

namespace fs = std::filesystem;

std::string reason_of(int error) {
    return std::generic_category().message(error);
}

[[noreturn]] void throw_write_error(const fs::path& path, const std::string& reason) {
    throw ResultError(fmt::format(
        "{}: the results cannot be written ({}). What was computed is in the journal: remedy this "
        "and run `{}`",
        path.string(),
        reason,
        engine::program_command({"rebuild", std::filesystem::path(path.string() + ".journal")})
    ));
}

/// A write beyond the process limit on file sizes raises SIGXFSZ, which kills; held back, the write
/// fails with EFBIG instead.
class HoldFileSizeSignal {
  public:
    HoldFileSizeSignal() {
        sigemptyset(&signal_);
        sigaddset(&signal_, SIGXFSZ);
        pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    }
    HoldFileSizeSignal(const HoldFileSizeSignal&) = delete;
    HoldFileSizeSignal& operator=(const HoldFileSizeSignal&) = delete;
    ~HoldFileSizeSignal() {
        const timespec no_wait{};
        if (sigismember(&before_, SIGXFSZ) == 0) {
            sigtimedwait(&signal_, nullptr, &no_wait);  // takes a pending one away
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

  private:
    sigset_t signal_{};
    sigset_t before_{};
};

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }
    /// 0, or the error of the call.
    int close() { return number_ >= 0 && ::close(std::exchange(number_, -1)) != 0 ? errno : 0; }

  private:
    int number_;
};

bool begins_as_hdf5(const Descriptor& file) {
    constexpr std::array<unsigned char, 8> signature = {
        0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    std::array<unsigned char, 8> start{};
    return ::read(file.number(), start.data(), start.size()) == ssize_t{start.size()}
           && start == signature;
}

/// 0, or the error of the first call that failed.
int write_and_sync(int descriptor, std::span<const std::byte> bytes) {
    constexpr std::size_t most_at_once = std::size_t{1} << 30;
    const HoldFileSizeSignal hold;
    while (!bytes.empty()) {
        const ssize_t written =
            ::write(descriptor, bytes.data(), std::min(bytes.size(), most_at_once));
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return ::fsync(descriptor) == 0 ? 0 : errno;
}

/// Makes a rename in the directory durable; some file systems have no such call and need none.
int sync_directory(const fs::path& directory) {
    const Descriptor descriptor(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!descriptor.is_open() || ::fsync(descriptor.number()) == 0) {
        return 0;
    }
    return errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

int write_temporary(const fs::path& temporary, std::span<const std::byte> bytes) {
    constexpr mode_t read_and_write = 0666;  // less the user's mask
    Descriptor descriptor(::open(
        temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, read_and_write
    ));
    if (!descriptor.is_open()) {
        return errno;
    }
    const int error = write_and_sync(descriptor.number(), bytes);
    const int close_error = descriptor.close();
    return error != 0 ? error : close_error;
}

/// Where the file itself lies, links followed.
fs::path place_of(const fs::path& path) {
    constexpr int most_links = 40;
    std::error_code error;
    fs::path place = path;
    for (int links = 0; fs::is_symlink(place, error); ++links) {
        const fs::path target = fs::read_symlink(place, error);
        if (error || links == most_links) {
            throw_write_error(path, "its symbolic links lead nowhere");
        }
        place = place.parent_path() / target;  // an absolute target replaces the folder
    }
    const fs::file_status status = fs::status(place, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        throw_write_error(path, "something that is not a regular file has this name");
    }
    return place;
}

}  // namespace

void write_whole_file(
    const fs::path& path, std::span<const std::byte> bytes, const Acceptance& accept
) {
    const fs::path place = place_of(path);
    const fs::path temporary = place.string() + fmt::format(".{}.tmp", ::getpid());
    int error = write_temporary(temporary, bytes);
    if (error == 0) {
        try {
            accept(temporary);
        } catch (...) {
            ::unlink(temporary.c_str());
            throw;
        }
        error = ::rename(temporary.c_str(), place.c_str()) == 0 ? 0 : errno;
    }
    if (error != 0) {
        ::unlink(temporary.c_str());
        throw_write_error(path, reason_of(error));
    }
    error = sync_directory(place.has_parent_path() ? place.parent_path() : fs::path("."));
    if (error != 0) {
        throw_write_error(path, "its folder cannot be synced: " + reason_of(error));
    }
}

bool is_hdf5_file(const fs::path& path) {
    const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    return descriptor.is_open() && begins_as_hdf5(descriptor);
}

void expect_hdf5_file(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        throw ResultError(fmt::format(
            "{}: cannot be read (it is not a regular file). Name the result file", path.string()
        ));
    }
    const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!descriptor.is_open()) {
        const int error = errno;
        const std::string broken = engine::broken_link_text(path);
        throw ResultError(fmt::format(
            "{}: cannot be read ({}). {}",
            path.string(),
            broken.empty() ? reason_of(error) : broken,
            error == EACCES ? "Ask its owner to let you read it" : "Is the path right?"
        ));
    }
    if (!begins_as_hdf5(descriptor)) {
        throw ResultError(fmt::format(
            "{}: not a result file (it does not begin as HDF5 files do). Name a file that "
            "`schedfarm run` wrote",
            path.string()
        ));
    }
}

}  // namespace schedfarm::results_schema
