// Damaged files: an error or, where the damage hits nothing that matters, a good read; never a
// crash.
#include <algorithm>
#include <fstream>
#include <random>

#include <doctest/doctest.h>

#include "results_schema/result_io.hpp"

#include "tests/results_schema/example_results.hpp"
#include "tests/results_schema/temporary_folder.hpp"

using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)

namespace {

/// "\nschedfarm seal 1 ", 64 digits, "\n".
constexpr std::size_t seal_size = 83;

enum class Outcome { refused, found_bad, good };

Outcome outcome_of(const std::filesystem::path& path) {
    try {
        return check_results(path).empty() ? Outcome::good : Outcome::found_bad;
    } catch (const ResultError&) {
        return Outcome::refused;
    }
}

}  // namespace

TEST_CASE("a file cut short at any byte is refused") {
    const TemporaryFolder folder;
    const auto path = folder / "results.h5";
    write_results(path, example_results());
    const std::uintmax_t size = std::filesystem::file_size(path);
    const std::uintmax_t without_seal = size - seal_size;
    for (std::uintmax_t length = size; length-- > 0;) {
        std::filesystem::resize_file(path, length);
        const Outcome outcome = outcome_of(path);
        // Cut exactly before the seal, it is the whole file as HDF5 tools leave it.
        if (outcome != (length == without_seal ? Outcome::good : Outcome::refused)) {
            FAIL("cut at " << length << " of " << size);
        }
    }
}

TEST_CASE("a file ends with its seal and bytes behind it are refused") {
    const TemporaryFolder folder;
    const auto path = folder / "results.h5";
    write_results(path, example_results());
    const std::string good = bytes_of(path);
    CHECK(good.substr(good.size() - seal_size).starts_with("\nschedfarm seal 1 "));
    CHECK(good[11] == '\0');  // of the superblock: nobody has it open
    CHECK(outcome_of(path) == Outcome::good);
    put_bytes(path, good + "\n");
    CHECK(outcome_of(path) == Outcome::refused);
}

TEST_CASE("random bytes are refused with and without the beginning of an HDF5 file") {
    const TemporaryFolder folder;
    std::mt19937_64 random(2001);
    for (int i = 0; i < 500; ++i) {
        std::string bytes(random() % 5000, '\0');
        for (char& byte : bytes) {
            byte = static_cast<char>(random());
        }
        put_bytes(folder / "random.h5", bytes);
        CHECK(outcome_of(folder / "random.h5") == Outcome::refused);
        put_bytes(folder / "random.h5", "\x89HDF\r\n\x1a\n" + bytes);
        CHECK(outcome_of(folder / "random.h5") == Outcome::refused);
    }
}

TEST_CASE("a damaged byte anywhere is refused") {
    const TemporaryFolder folder;
    const auto path = folder / "results.h5";
    write_results(path, example_results());
    const std::string whole = bytes_of(path);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&](std::size_t place, char byte) {
        file.seekp(static_cast<std::streamoff>(place)).put(byte).flush();
    };
    for (std::size_t i = 0; i < whole.size(); i += 13) {
        put(i, static_cast<char>(whole[i] ^ (1 << (i % 8))));
        if (outcome_of(path) != Outcome::refused) {
            FAIL("byte " << i << " of " << whole.size());
        }
        put(i, whole[i]);
    }
    CHECK(outcome_of(path) == Outcome::good);
}

TEST_CASE("damage to a file that has lost its seal crashes nobody") {
    const TemporaryFolder folder;
    const auto path = folder / "results.h5";
    write_results(path, example_results());
    const std::string sealed = bytes_of(path);
    const std::string whole = sealed.substr(0, sealed.size() - seal_size);
    std::mt19937_64 random(2026);
    int refused = 0;
    for (int i = 0; i < 300; ++i) {
        std::string damaged = whole;
        const std::size_t first = random() % damaged.size();
        const std::size_t last = std::min<std::size_t>(first + 1 + random() % 40, damaged.size());
        for (std::size_t place = first; place < last; ++place) {
            damaged[place] = static_cast<char>(random());
        }
        put_bytes(path, damaged);
        refused += outcome_of(path) == Outcome::refused ? 1 : 0;
    }
    CHECK(refused > 50);
    put_bytes(path, whole);
    CHECK(outcome_of(path) == Outcome::good);
}
