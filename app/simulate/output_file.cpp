#include "app/simulate/output_file.hpp"

#include <array>
#include <cstdio>
#include <fstream>
#include <span>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/new_file.hpp"

#include "app/run/output_error.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

/// Of a terminal, a device or a pipe: what is written there goes on at once.
bool is_stream(const struct stat& status) {
    return S_ISCHR(status.st_mode) || (S_ISFIFO(status.st_mode) && status.st_uid == ::geteuid());
}

/// False where this is no stream of this user's. Only links are followed that FilePlace follows.
bool write_to_stream(const fs::path& path, std::span<const std::byte> bytes) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !is_stream(status)) {
        return false;
    }
    engine::FileHandle stream(path, O_WRONLY | O_NOCTTY);
    if (!is_stream(stream.status())) {
        return false;
    }
    stream.write(bytes);
    return true;
}

/// What tells kinds of files apart. A log in the Standard Workload Format begins with a comment or
/// with a number.
std::string_view kind_of(std::string_view text) {
    constexpr std::size_t enough = 4;
    const bool is_log = !text.empty() && text.find_first_of("; 0123456789") == 0;
    return is_log ? ";" : text.substr(0, enough);
}

/// Whether a file that is there begins as what is about to replace it: then it is of its kind.
bool begins_alike(const fs::path& path, std::string_view text) {
    std::array<char, 4> begin{};
    std::ifstream there(path, std::ios::binary);
    there.read(begin.data(), begin.size());
    const std::string_view found(begin.data(), static_cast<std::size_t>(there.gcount()));
    return found.empty() || kind_of(found) == kind_of(text);
}

}  // namespace

void write_output(const fs::path& path, std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    try {
        const engine::FilePlace place(path);
        if (write_to_stream(path, bytes)) {
            return;
        }
        engine::NewFile file(path);
        if (!begins_alike(place.path(), text)) {
            throw OutputError(fmt::format(
                "{}: is not replaced (it is a file of something else, which would be lost). Name "
                "another file, or remove it",
                path.string()
            ));
        }
        file.write(bytes);
        file.put_in_place();
    } catch (const std::system_error& failure) {
        throw OutputError(fmt::format(
            "{}: cannot be written ({}). Name another file.",
            path.string(),
            failure.code().message()
        ));
    }
}

void print_and_write(std::string_view text, const fs::path& path, std::string_view page) {
    try {
        if (!path.empty()) {
            write_output(path, page);
        }
    } catch (const OutputError&) {
        std::fwrite(text.data(), 1, text.size(), stdout);
        throw;
    }
    std::fwrite(text.data(), 1, text.size(), stdout);
}

std::string gzipped(std::string_view text) {
    constexpr int gzip_format = 15 + 16;  // the largest window; a gzip header
    constexpr int usual_memory = 8;
    z_stream stream{};
    const int begun = deflateInit2(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_format, usual_memory, Z_DEFAULT_STRATEGY
    );
    SCHEDFARM_EXPECT(begun == Z_OK, "zlib cannot begin");
    std::string result(deflateBound(&stream, text.size()), '\0');
    // zlib's interface takes unsigned characters, which it does not change.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // NOLINT
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());  // NOLINT
    stream.avail_out = static_cast<uInt>(result.size());
    const int done = deflate(&stream, Z_FINISH);
    result.resize(stream.total_out);
    deflateEnd(&stream);
    SCHEDFARM_EXPECT(done == Z_STREAM_END, "zlib did not take the whole text");
    return result;
}

}  // namespace schedfarm::app
