// An open file of the operating system, with every call checked. A failed call is a
// std::system_error that carries the system's own words.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>

namespace schedfarm::engine {

class FileHandle {
  public:
    /// open(2) with these flags, and O_CLOEXEC; new files get mode 0666 less the umask.
    FileHandle(const std::filesystem::path& path, int flags);
    /// The same of a name in an open folder.
    FileHandle(const FileHandle& folder, const std::string& name, int flags);
    FileHandle(FileHandle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FileHandle& operator=(FileHandle&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    FileHandle(const FileHandle&) = delete;
    FileHandle& operator=(const FileHandle&) = delete;
    ~FileHandle();

    int number() const { return descriptor_; }
    struct stat status() const;
    /// Takes the lock of this file that one open file can have; false when another has it. It goes
    /// with the handle, whatever becomes of the process.
    bool try_lock();
    /// The same of a lock that any number may share, and nobody beside the one of try_lock().
    bool try_shared_lock();
    /// Writes all of the bytes; on failure some of them may have been written.
    void write(std::span<const std::byte> bytes);
    /// Returns when the file's bytes are on the disk.
    void sync_data();
    /// Returns when the file and what the file system knows about it are on the disk.
    void sync_all();
    void truncate(std::uint64_t size);
    std::uint64_t size() const;
    /// Whether it is a regular file of this user with one name: through another name, a link, what
    /// is written would reach somebody else's file.
    bool is_own() const;
    /// All of its bytes. REQUIRES: opened for reading, too.
    std::vector<std::byte> content() const;
    /// Whether a name, and no link of that name, is that of this file still.
    bool is_at(const std::filesystem::path& path) const;

  private:
    bool try_lock(int kind);

    int descriptor_ = -1;
};

/// Throws std::system_error with the `errno` that this call of the system has left.
[[noreturn]] void throw_errno(const char* call);

/// Brings the names in the folder of a path to the disk: without this a crash of the machine could
/// lose that of a new file, or that which a file was given instead. Does nothing on file systems
/// that have no such call.
void sync_folder_of(const std::filesystem::path& path);

}  // namespace schedfarm::engine
