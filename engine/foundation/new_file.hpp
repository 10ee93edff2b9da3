// Where files are written. In a folder that others can write to anybody may put a link, a pipe or
// another name of somebody's file in the place of what is about to be written: no file of this
// program is written through such a name. What is written whole goes through NewFile, what is
// appended to through FilePlace::open(), what has a fixed name beside a journal through open_own().
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "engine/foundation/file_handle.hpp"

namespace schedfarm::engine {

/// A folder, held open, and a name in it that is no link.
class FilePlace {
  public:
    /// Follows a link that this user has made in a folder that nobody else can write to (or root
    /// in one of root's, such as /dev/stdout), also where nothing is at its end yet. Throws
    /// std::system_error, as all that follows, of any other link and of a folder that is not there.
    explicit FilePlace(const std::filesystem::path& path);

    /// What the path leads to.
    const std::filesystem::path& path() const { return path_; }
    /// Whether anything has this name.
    bool is_taken() const;
    /// Whether an open file has it still.
    bool is_of(const FileHandle& file) const;
    /// Throws of what a file must not replace: a folder, a pipe, a file that this user must not
    /// write.
    void expect_replaceable() const;
    /// Opens the file that is there, or makes it, as `flags` say. Throws of what is no regular file
    /// or has other names, which somebody else may have given to this user's file.
    FileHandle open(int flags) const;
    /// Gives another file of the folder this name; what had it loses it.
    void take(const std::string& other) const;
    void remove(const std::string& name) const;
    void remove() const { remove(name()); }
    /// The name here of a temporary file, which nobody can foresee.
    std::string temporary_name() const;
    /// Removes temporary files that killed processes of this user have left: those that nobody has
    /// locked.
    void remove_abandoned() const;

  private:
    friend class NewFile;
    std::string name() const;

    std::filesystem::path path_;
    std::shared_ptr<const FileHandle> folder_;
};

/// Opens a file of a fixed name, never through a link and without waiting for the other end of a
/// pipe. Throws of what is no file of this user's own.
FileHandle open_own(const std::filesystem::path& path, int flags);
/// Throws of what is no file of this user's own: what is written there would reach another.
void expect_own(const FileHandle& file);

/// A file that is whole or absent: written beside its place under a temporary name, synced,
/// renamed. What has not been put in place is removed. Other names of a file that is replaced keep
/// the old content.
class NewFile {
  public:
    /// Throws std::system_error, as all that follows, also of what must not be replaced.
    explicit NewFile(const std::filesystem::path& path);
    /// Replaces whatever has the name by then, but a folder.
    explicit NewFile(FilePlace place);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile();

    /// Where it lies until put_in_place().
    std::filesystem::path temporary() const { return place_.path().parent_path() / temporary_; }
    void write(std::span<const std::byte> bytes) { file_.write(bytes); }
    /// On the disk, with its name, when this returns.
    void put_in_place();

  private:
    FileHandle begin();

    FilePlace place_;
    std::string temporary_;  ///< empty: it is in place
    FileHandle file_;
};

}  // namespace schedfarm::engine
