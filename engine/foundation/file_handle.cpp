#include "engine/foundation/file_handle.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace schedfarm::engine {

void throw_errno(const char* call) {
    throw std::system_error(errno, std::generic_category(), call);
}

namespace {

/// Repeats a call that a signal has interrupted; throws when it fails.
template <typename Call>
auto checked(const char* name, Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR) {
        result = call();
    }
    if (result < 0) {
        throw_errno(name);
    }
    return result;
}

}  // namespace

FileHandle::FileHandle(const std::filesystem::path& path, int flags)
    : descriptor_(checked("open", [&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); })) {}

FileHandle::FileHandle(const FileHandle& folder, const std::string& name, int flags)
    : descriptor_(checked("open", [&] {
        return ::openat(folder.number(), name.c_str(), flags | O_CLOEXEC, 0666);
    })) {}

FileHandle::~FileHandle() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

struct stat FileHandle::status() const {
    struct stat status {};
    checked("fstat", [&] { return ::fstat(descriptor_, &status); });
    return status;
}

// What follows changes the file and is not const, though it leaves the descriptor as it is.
// NOLINTBEGIN(readability-make-member-function-const)
bool FileHandle::try_lock() {
    return try_lock(LOCK_EX);
}

bool FileHandle::try_shared_lock() {
    return try_lock(LOCK_SH);
}

bool FileHandle::try_lock(int kind) {
    // flock and not fcntl: a lock of fcntl would end as soon as this process closes any other
    // handle of the same file, such as the one that read it.
    if (::flock(descriptor_, kind | LOCK_NB) == 0) {
        return true;
    }
    if (errno != EWOULDBLOCK) {
        throw_errno("flock");
    }
    return false;
}

void FileHandle::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written =
            checked("write", [&] { return ::write(descriptor_, bytes.data(), bytes.size()); });
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void FileHandle::sync_data() {
    checked("fdatasync", [&] { return ::fdatasync(descriptor_); });
}

void FileHandle::sync_all() {
    checked("fsync", [&] { return ::fsync(descriptor_); });
}

void FileHandle::truncate(std::uint64_t size) {
    checked("ftruncate", [&] { return ::ftruncate(descriptor_, static_cast<off_t>(size)); });
}

// NOLINTEND(readability-make-member-function-const)

std::uint64_t FileHandle::size() const {
    return static_cast<std::uint64_t>(status().st_size);
}

std::vector<std::byte> FileHandle::content() const {
    std::vector<std::byte> bytes(size());
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t count = checked("pread", [&] {
            return ::pread(
                descriptor_,
                bytes.data() + filled,
                bytes.size() - filled,
                static_cast<off_t>(filled)
            );
        });
        if (count == 0) {
            bytes.resize(filled);  // it has been cut meanwhile
        }
        filled += static_cast<std::size_t>(count);
    }
    return bytes;
}

bool FileHandle::is_own() const {
    const struct stat own = status();
    return S_ISREG(own.st_mode) && own.st_nlink == 1 && own.st_uid == ::geteuid();
}

bool FileHandle::is_at(const std::filesystem::path& path) const {
    const struct stat own = status();
    struct stat there {};
    return ::lstat(path.c_str(), &there) == 0 && own.st_dev == there.st_dev
           && own.st_ino == there.st_ino;
}

void sync_folder_of(const std::filesystem::path& path) {
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    try {
        FileHandle(folder, O_RDONLY | O_DIRECTORY).sync_all();
    } catch (const std::system_error& error) {
        if (error.code().value() != EINVAL && error.code().value() != ENOTSUP) {
            throw;
        }
    }
}

}  // namespace schedfarm::engine
