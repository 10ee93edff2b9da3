// A file that is whole or absent: written beside its place under a name that nobody can foresee,
// synced, renamed. What has not been put in place is removed. A symbolic link in its place is
// followed and stays; other names of a file that is replaced keep the old content.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "engine/foundation/file_handle.hpp"

namespace schedfarm::engine {

class NewFile {
  public:
    /// Throws std::system_error, as all that follows.
    explicit NewFile(const std::filesystem::path& path);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile();

    /// Where it lies until put_in_place().
    const std::filesystem::path& temporary() const { return temporary_; }
    void write(std::span<const std::byte> bytes) { file_.write(bytes); }
    /// On the disk, with its name, when this returns.
    void put_in_place();

  private:
    std::filesystem::path place_;
    std::filesystem::path temporary_;  ///< empty: it is in place
    FileHandle file_;
};

}  // namespace schedfarm::engine
