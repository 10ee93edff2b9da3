#include "models/trace/reading/inflated_file.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "models/trace/reading/log_error.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr std::size_t held_size = std::size_t{1} << 16;
constexpr int gzip_alone = MAX_WBITS + 16;  // zlib: this header and no other

std::string system_text(int error) {
    return std::generic_category().message(error);
}

/// Of a name that may be opened without waiting: a file, or the pipe of a process substitution or
/// of standard input, which has no place of its own. One with a place waits for whoever may write
/// to it.
void expect_no_device(const std::string& name) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path place = fs::canonical(name, error);
    const fs::file_status status = fs::status(place, error);
    if (!place.empty() && fs::is_other(status)) {
        throw LogError(fmt::format(
            "{}: the log cannot be read (it is no regular file, but a pipe or a device with a "
            "name). Write it to a file, or pipe it to /dev/stdin",
            name
        ));
    }
}

}  // namespace

InflatedFile::InflatedFile(std::string name) : name_(std::move(name)), held_(held_size) {
    expect_no_device(name_);
    file_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) {
        throw LogError(fmt::format(
            "{}: the log cannot be opened ({}). Check the path.", name_, system_text(errno)
        ));
    }
    try {
        hold_at_least(2);
        is_compressed_ = begins_member();
        if (is_compressed_ && inflateInit2(&stream_, gzip_alone) != Z_OK) {
            fail("out of memory", "Check that the file is complete");
        }
    } catch (...) {
        ::close(file_);
        throw;
    }
    is_in_member_ = is_compressed_;
}

InflatedFile::~InflatedFile() {
    if (is_compressed_) {
        inflateEnd(&stream_);
    }
    ::close(file_);
}

void InflatedFile::fail(const std::string& reason, const std::string& suggestion) const {
    throw LogError(fmt::format("{}: the log cannot be read ({}). {}.", name_, reason, suggestion));
}

/// 0 at the end of the file.
std::size_t InflatedFile::read_bytes(std::span<char> to) {
    ssize_t count = 0;
    do {
        count = ::read(file_, to.data(), to.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        const bool is_directory = errno == EISDIR;
        fail(
            is_directory ? "it is a directory" : system_text(errno),
            is_directory ? "Name a file in it" : "Check that the file is complete"
        );
    }
    return static_cast<std::size_t>(count);
}

double InflatedFile::share_read() const {
    struct stat status {};
    const bool has_length = ::fstat(file_, &status) == 0 && status.st_size > 0;
    const auto used = ::lseek(file_, 0, SEEK_CUR) - static_cast<off_t>(end_ - begin_);
    return has_length ? static_cast<double>(used) / static_cast<double>(status.st_size) : 0;
}

/// False where the file ends before.
bool InflatedFile::hold_at_least(std::size_t count) {
    if (end_ - begin_ >= count) {
        return true;
    }
    std::copy(held_.data() + begin_, held_.data() + end_, held_.data());
    end_ -= std::exchange(begin_, 0);
    while (end_ < count) {
        const std::size_t more = read_bytes(std::span(held_).subspan(end_));
        if (more == 0) {
            return false;
        }
        end_ += more;
    }
    return true;
}

bool InflatedFile::begins_member() const {
    return end_ - begin_ >= 2 && held_[begin_] == '\x1f' && held_[begin_ + 1] == '\x8b';
}

std::size_t InflatedFile::take_held(std::span<char> to) {
    const std::size_t count = std::min(to.size(), end_ - begin_);
    std::copy_n(held_.begin() + static_cast<std::ptrdiff_t>(begin_), count, to.data());
    begin_ += count;
    return count;
}

/// False where there is no further one.
bool InflatedFile::begin_member() {
    hold_at_least(2);
    if (!begins_member()) {
        end_at_garbage();
        return false;
    }
    is_in_member_ = inflateReset(&stream_) == Z_OK;
    return true;
}

void InflatedFile::end_at_garbage() {
    is_over_ = true;
    while (!has_trailing_garbage_ && hold_at_least(1)) {
        has_trailing_garbage_ =
            std::any_of(held_.data() + begin_, held_.data() + end_, [](char c) { return c != 0; });
        begin_ = end_;
    }
}

void InflatedFile::inflate_some() {
    if (!hold_at_least(1)) {
        fail("it is cut off", "Check that the file is complete");
    }
    // zlib does not write to its input, which older versions do not say by its type.
    stream_.next_in =
        reinterpret_cast<Bytef*>(held_.data() + begin_);  // NOLINT(*-reinterpret-cast)
    stream_.avail_in = static_cast<unsigned>(end_ - begin_);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    begin_ = end_ - stream_.avail_in;
    if (result == Z_STREAM_END) {
        is_in_member_ = false;
    } else if (result != Z_OK) {
        fail(
            stream_.msg == nullptr ? "it is damaged" : stream_.msg,
            "Check that the file is complete"
        );
    }
}

std::size_t InflatedFile::read(std::span<char> to) {
    if (!is_compressed_) {
        return begin_ < end_ ? take_held(to) : read_bytes(to);
    }
    stream_.next_out = reinterpret_cast<Bytef*>(to.data());  // NOLINT(*-reinterpret-cast)
    stream_.avail_out = static_cast<unsigned>(to.size());
    while (stream_.avail_out == to.size() && !is_over_ && (is_in_member_ || begin_member())) {
        inflate_some();
    }
    return to.size() - stream_.avail_out;
}

}  // namespace schedfarm::models::trace
