// Damaged files: an error or, where the damage hits nothing that matters, a good read; never a
// crash.
#include <algorithm>
#include <fstream>
#include <random>

#include <doctest/doctest.h>

#include "results_schema/result_io.hpp"

#include "tests/results_schema/comparison.hpp"
#include "tests/results_schema/example_results.hpp"
#include "tests/results_schema/stored_results.hpp"
#include "tests/results_schema/temporary_folder.hpp"
#include "tests/support/long_form.hpp"

using namespace schedfarm::results_schema;  // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;           // NOLINT(google-build-using-namespace)

namespace {

enum class Outcome { refused, found_bad, good };

Outcome outcome_of(const std::filesystem::path& path) {
    try {
        return problems_of_file(path).empty() ? Outcome::good : Outcome::found_bad;
    } catch (const ResultError&) {
        return Outcome::refused;
    }
}

}  // namespace

TEST_CASE("a file cut short is refused") {
    const TemporaryFolder folder;
    const auto path = folder / "results.h5";
    write_results(path, example_results());
    const std::uintmax_t size = std::filesystem::file_size(path);
    // Every read costs a process: every byte of the first block, then some.
    for (std::uintmax_t length = size - 1; length > 0;
         length -= length > 128 ? 64 + length / schedfarm::tests::short_or_long(25U, 100U) : 1) {
        std::filesystem::resize_file(path, length);
        if (outcome_of(path) != Outcome::refused) {
            FAIL("cut at " << length << " of " << size);
        }
    }
}

TEST_CASE("random bytes are refused with and without the beginning of an HDF5 file") {
    const TemporaryFolder folder;
    std::mt19937_64 random(2001);
    for (int i = 0; i < 50; ++i) {
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

TEST_CASE("a damaged byte is refused unless it is outside the payload") {
    const TemporaryFolder folder;
    const auto path = folder / "results.h5";
    write_results(path, example_results());
    const std::string whole = bytes_of(path);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&](std::size_t place, char byte) {
        file.seekp(static_cast<std::streamoff>(place)).put(byte).flush();
    };
    const ResultFile good = read_results(path);
    std::size_t refused = 0;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < whole.size(); i += schedfarm::tests::short_or_long(1499U, 499U)) {
        put(i, static_cast<char>(whole[i] ^ (1 << (i % 8))));
        ++tried;
        try {
            const ResultFile read = read_results(path);
            for (const Table& table : good.tables) {
                const Table* found = read.find(table.name);
                REQUIRE(found != nullptr);
                for (const Column& column : table.columns) {
                    CHECK((!column.hashed || same_data(found->at(column.name).data, column.data)));
                }
            }
        } catch (const ResultError&) {
            ++refused;
        }
        put(i, whole[i]);
    }
    CHECK(4 * refused > tried);
    CHECK(outcome_of(path) == Outcome::good);
}

TEST_CASE("damage crashes nobody") {
    const TemporaryFolder folder;
    const auto path = folder / "results.h5";
    write_results(path, example_results());
    const std::string whole = bytes_of(path);
    std::mt19937_64 random(2026);
    int refused = 0;
    for (int i = 0; i < 50; ++i) {
        std::string damaged = whole;
        const std::size_t first = random() % damaged.size();
        const std::size_t last = std::min<std::size_t>(first + 1 + random() % 40, damaged.size());
        for (std::size_t place = first; place < last; ++place) {
            damaged[place] = static_cast<char>(random());
        }
        put_bytes(path, damaged);
        refused += outcome_of(path) == Outcome::refused ? 1 : 0;
    }
    CHECK(refused > 8);
}
