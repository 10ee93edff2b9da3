#include "engine/foundation/new_file.hpp"

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <optional>
#include <random>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace schedfarm::engine {

namespace {

namespace fs = std::filesystem;

enum class Obstacle : int { link = 1, folder, special, other_name, foreign };

class ObstacleCategory final : public std::error_category {
  public:
    const char* name() const noexcept override { return "place of a file"; }

    std::string message(int value) const override {
        switch (static_cast<Obstacle>(value)) {
            case Obstacle::link:
                return "it is a link; only this user's own in a folder that nobody else can write "
                       "to is followed";
            case Obstacle::folder:
                return "it is a folder, not a regular file";
            case Obstacle::special:
                return "it is not a regular file";
            case Obstacle::other_name:
                return "the file has another name, too, and would change there";
            case Obstacle::foreign:
                break;
        }
        return "it is not a file of this user's own";
    }

    std::error_condition default_error_condition(int /*value*/) const noexcept override {
        return std::errc::operation_not_permitted;
    }
};

[[noreturn]] void refuse(Obstacle obstacle) {
    static const ObstacleCategory category;
    throw std::system_error(static_cast<int>(obstacle), category, "open");
}

fs::path folder_path(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : ".";
}

std::shared_ptr<const FileHandle> folder_of(const fs::path& path) {
    return std::make_shared<const FileHandle>(folder_path(path), O_PATH | O_DIRECTORY);
}

/// Of a name itself, not of what a link leads to; absent where nothing has it.
std::optional<struct stat> status_in(const FileHandle& folder, const std::string& name) {
    struct stat status {};
    if (::fstatat(folder.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
        return status;
    }
    if (errno != ENOENT) {
        throw_errno("stat");
    }
    return std::nullopt;
}

/// Whether nobody but this user, or root, can have made the link or can change it.
bool is_trusted(const struct stat& link, const struct stat& folder) {
    return link.st_uid == folder.st_uid && (link.st_uid == ::geteuid() || link.st_uid == 0)
           && (folder.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

fs::path target_in(const FileHandle& folder, const std::string& link) {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlinkat(folder.number(), link.c_str(), target.data(), target.size());
    if (size < 0) {
        throw_errno("readlink");
    }
    return std::string(target.data(), static_cast<std::size_t>(size));
}

constexpr std::size_t digits = 16;
constexpr std::string_view ending = ".tmp";

bool is_temporary_of(const std::string& file, const std::string& name) {
    const std::size_t begin = name.size() + 1;
    return file.size() == begin + digits + ending.size() && file.starts_with(name + ".")
           && file.ends_with(ending)
           && file.find_first_not_of("0123456789abcdef", begin) == begin + digits;
}

}  // namespace

FilePlace::FilePlace(const fs::path& path) : path_(path), folder_(folder_of(path)) {
    constexpr int most_links = 40;
    int links = 0;
    for (auto there = status_in(*folder_, name()); there && S_ISLNK(there->st_mode);
         there = status_in(*folder_, name())) {
        if (!is_trusted(*there, folder_->status())) {
            refuse(Obstacle::link);
        }
        if (++links > most_links) {
            throw std::system_error(ELOOP, std::generic_category(), "open");
        }
        path_ = path_.parent_path() / target_in(*folder_, name());  // an absolute one replaces all
        folder_ = folder_of(path_);
    }
}

std::string FilePlace::name() const {
    return path_.has_filename() ? path_.filename().string() : ".";
}

bool FilePlace::is_taken() const {
    return status_in(*folder_, name()).has_value();
}

bool FilePlace::is_of(const FileHandle& file) const {
    const auto there = status_in(*folder_, name());
    const struct stat own = file.status();
    return there && there->st_dev == own.st_dev && there->st_ino == own.st_ino;
}

void FilePlace::expect_replaceable() const {
    const auto there = status_in(*folder_, name());
    if (!there) {
        return;
    }
    if (!S_ISREG(there->st_mode)) {
        refuse(S_ISDIR(there->st_mode) ? Obstacle::folder : Obstacle::special);
    }
    if (::faccessat(folder_->number(), name().c_str(), W_OK, AT_EACCESS) != 0) {
        throw_errno("access");
    }
}

FileHandle FilePlace::open(int flags) const {
    FileHandle file(*folder_, name(), flags | O_NOFOLLOW | O_NONBLOCK);
    const struct stat status = file.status();
    if (!S_ISREG(status.st_mode)) {
        refuse(Obstacle::special);
    }
    if (status.st_nlink > 1) {
        refuse(Obstacle::other_name);
    }
    return file;
}

void FilePlace::take(const std::string& other) const {
    if (::renameat(folder_->number(), other.c_str(), folder_->number(), name().c_str()) != 0) {
        throw_errno("rename");
    }
    sync_folder_of(path_);
}

void FilePlace::remove(const std::string& name) const {
    if (::unlinkat(folder_->number(), name.c_str(), 0) != 0) {
        throw_errno("unlink");
    }
}

std::string FilePlace::temporary_name() const {
    std::random_device random;
    const std::uint64_t number = (std::uint64_t{random()} << 32U) | random();
    return fmt::format("{}.{:0{}x}{}", name(), number, digits, ending);
}

void FilePlace::remove_abandoned() const {
    std::error_code unreadable;
    for (fs::directory_iterator entry(folder_path(path_), unreadable), end;
         !unreadable && entry != end;
         entry.increment(unreadable)) {
        const std::string file = entry->path().filename().string();
        if (!is_temporary_of(file, name())) {
            continue;
        }
        try {
            FileHandle left(*folder_, file, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
            if (left.is_own() && left.try_lock()) {
                remove(file);
            }
        } catch (const std::system_error&) {
            // it is not ours, or gone
        }
    }
}

FileHandle open_own(const fs::path& path, int flags) {
    FileHandle file(path, flags | O_NOFOLLOW | O_NONBLOCK);
    expect_own(file);
    return file;
}

void expect_own(const FileHandle& file) {
    if (!file.is_own()) {
        refuse(Obstacle::foreign);
    }
}

NewFile::NewFile(const fs::path& path)
    : NewFile([&] {
        FilePlace place(path);
        place.expect_replaceable();
        return place;
    }()) {}

NewFile::NewFile(FilePlace place) : place_(std::move(place)), file_(begin()) {}

/// Locked from here on, so that it is not taken for one that was left behind: by a lock that
/// readers may share, as HDF5 locks what it reads.
FileHandle NewFile::begin() {
    place_.remove_abandoned();
    while (true) {
        temporary_ = place_.temporary_name();
        FileHandle file(*place_.folder_, temporary_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
        try {
            if (file.try_shared_lock() && file.status().st_nlink > 0) {
                return file;
            }
        } catch (const std::system_error&) {
            return file;  // a file system without locks, on which nobody removes it
        }
    }
}

NewFile::~NewFile() {
    try {
        if (!temporary_.empty()) {
            place_.remove(temporary_);
        }
    } catch (const std::system_error&) {
        // somebody has removed it
    }
}

void NewFile::put_in_place() {
    file_.sync_all();
    place_.take(temporary_);
    temporary_.clear();
}

}  // namespace schedfarm::engine
