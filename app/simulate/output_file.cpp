#include "app/simulate/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <span>
#include <system_error>

#include <fmt/format.h>
#include <zlib.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/new_file.hpp"

#include "app/run/output_error.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
    throw OutputError(
        fmt::format("{}: cannot be written ({}). Name another file?", path.string(), reason)
    );
}

void write_directly(const fs::path& path, std::string_view text) {
    errno = 0;
    std::ofstream file(path, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) {
        fail(path, std::generic_category().message(errno == 0 ? EIO : errno));
    }
}

}  // namespace

void write_output(const fs::path& path, std::string_view text) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) {
        fail(path, "it is a folder");
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        write_directly(path, text);
        return;
    }
    try {
        engine::NewFile file(path);
        file.write(std::as_bytes(std::span(text)));
        file.put_in_place();
    } catch (const std::system_error& failure) {
        fail(path, failure.code().message());
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
