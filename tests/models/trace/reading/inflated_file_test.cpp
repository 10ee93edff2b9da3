// Compressed logs: in one member or several, and what follows the last.
#include "models/trace/reading/inflated_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>
#include <zlib.h>

#include "engine/foundation/hash.hpp"

#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/reader.hpp"

#include "tests/models/trace/log_texts.hpp"

namespace schedfarm::models::trace {

namespace {

std::string gzip(const std::string& text) {
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string input = text;
    std::string bytes(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<unsigned>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_out = static_cast<unsigned>(bytes.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    bytes.resize(bytes.size() - stream.avail_out);
    deflateEnd(&stream);
    return bytes;
}

std::string text_of_jobs() {
    std::string text = tests::header + "; UnixStartTime: 1\n; TimeZone: 0\n";
    for (int i = 1; i <= 5000; ++i) {
        text += tests::line_of(i, 5, std::to_string(i) + ".25");
    }
    return text;
}

class CompressedLog {
  public:
    CompressedLog()
        : path_(
            std::filesystem::temp_directory_path()
            / ("schedfarm_inflated_" + std::to_string(::getpid()) + ".swf.gz")
        ) {}
    CompressedLog(const CompressedLog&) = delete;
    CompressedLog& operator=(const CompressedLog&) = delete;
    ~CompressedLog() { std::filesystem::remove(path_); }

    Log read(const std::string& bytes) const {
        std::ofstream(path_, std::ios::binary) << bytes;
        return read_log(path_, {.checksum = Checksum::sha256});
    }
    const std::filesystem::path& path() const { return path_; }
    std::size_t jobs_with_most(std::uint64_t most) const {
        return read_log(path_, {.most_jobs = most}).jobs();
    }
    std::string error_of(const std::string& bytes) const {
        try {
            read(bytes);
            return "no error";
        } catch (const LogError& error) {
            return error.what();
        }
    }

  private:
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("how much of a file has been used grows from nothing to all of it") {
    const std::string text = text_of_jobs();
    for (const std::string& bytes : {text, gzip(text), gzip(text) + gzip(text)}) {
        const CompressedLog file;
        file.read(bytes);
        InflatedFile source(file.path().string());
        CHECK(source.share_read() == 0);
        std::vector<char> piece(5000);
        double share = 0;
        double largest_step = 0;
        while (source.read(piece) > 0) {
            largest_step = std::max(largest_step, source.share_read() - share);
            CHECK(source.share_read() >= share);
            share = source.share_read();
        }
        CHECK(share == 1);
        CHECK(largest_step < 0.1);
    }
}

TEST_CASE("a log compressed in several members is one log") {
    const CompressedLog file;
    const std::string text = text_of_jobs();
    const std::size_t cut = text.size() / 3;  // within a line
    for (const std::string& bytes :
         {gzip(text),
          gzip(text.substr(0, cut)) + gzip(text.substr(cut)),
          gzip("") + gzip(text.substr(0, cut)) + gzip("") + gzip(text.substr(cut)) + gzip(""),
          gzip(text) + std::string(100000, '\0')}) {
        const Log log = file.read(bytes);
        CHECK(log.sha256 == engine::sha256_hex(text));
        CHECK(log.jobs() == 5000);
        CHECK(log.oddities.empty());
    }
    CHECK(file.read("").jobs() == 0);
    CHECK(file.error_of("\x1f").find(":1: ") != std::string::npos);
}

TEST_CASE("what follows a compressed log and is not compressed is an oddity") {
    const CompressedLog file;
    const std::string text = text_of_jobs();
    for (const std::string& garbage :
         {std::string("x"), std::string("\x1f"), tests::line_of(6000)}) {
        for (const std::size_t zeros : {0U, 1U, 100000U}) {
            const Log log = file.read(gzip(text) + std::string(zeros, '\0') + garbage);
            CHECK(log.sha256 == engine::sha256_hex(text));
            REQUIRE(log.oddities.size() == 1);
            CHECK(log.oddities[0].kind == OddityKind::trailing_garbage);
        }
    }
    CHECK(
        meaning(OddityKind::trailing_garbage)
        == "something that is not compressed follows the compressed text (passed over)"
    );
}

TEST_CASE("a log of more jobs than are allowed is refused by its name, however small its file is") {
    const CompressedLog file;
    // 20,000 lines in a hundredth of their bytes; a batch of jobs is examined at once.
    std::string text;
    for (int i = 0; i < 20'000; ++i) {
        text += tests::line_of(1);
    }
    file.read(gzip(text));
    CHECK(file.jobs_with_most(20'000) == 20'000);
    CHECK_THROWS_WITH_AS(
        file.jobs_with_most(19'999),
        doctest::Contains(".swf.gz: it has more than 19999 jobs"),
        LogError
    );
}

TEST_CASE("a compressed log that is damaged or cut off is refused") {
    const CompressedLog file;
    const std::string bytes = gzip(text_of_jobs());
    for (const std::size_t length :
         {std::size_t{2}, std::size_t{3}, bytes.size() / 2, bytes.size() - 1}) {
        CHECK(
            file.error_of(bytes.substr(0, length))
                .find(": the log cannot be read (it is cut off). Check that the file is complete.")
            != std::string::npos
        );
    }
    CHECK(file.error_of(bytes + "\x1f\x8b\x08").find("(it is cut off)") != std::string::npos);
    std::string damaged = bytes;
    damaged[damaged.size() - 6] ^= 1;  // of the check sum
    CHECK(file.error_of(damaged).find("(incorrect data check)") != std::string::npos);
    damaged = bytes;
    damaged[2] = 7;
    CHECK(file.error_of(damaged).find("(unknown compression method)") != std::string::npos);
}

}  // namespace schedfarm::models::trace
