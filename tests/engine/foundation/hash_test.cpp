#include "engine/foundation/hash.hpp"

#include <bit>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

namespace schedfarm::engine {

TEST_CASE("SHA-256 has the values published by NIST") {
    CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(
        sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    );
    CHECK(
        sha256_hex("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                   "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu")
        == "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    );
    CHECK(
        sha256_hex(std::string(1'000'000, 'a'))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    );
}

TEST_CASE("SHA-256 does not depend on how the text is cut into pieces") {
    const std::string text(200, 'x');
    for (std::size_t length = 0; length <= text.size(); ++length) {
        const std::string whole = text.substr(0, length);
        for (const std::size_t piece : {1U, 55U, 56U, 63U, 64U, 65U}) {
            Sha256 hash;
            for (std::size_t at = 0; at < length; at += piece) {
                hash.add(whole.substr(at, piece));
            }
            CHECK(hash.hex() == sha256_hex(whole));
        }
    }
}

TEST_CASE("mix changes about half the output bits for every input bit") {
    constexpr int words = 2000;
    for (int bit = 0; bit < 64; ++bit) {
        int flips = 0;
        for (std::uint64_t i = 1; i <= words; ++i) {
            flips += std::popcount(mix(i) ^ mix(i ^ (std::uint64_t{1} << bit)));
        }
        // 64 · words fair coins: standard error sqrt(64 · words) / 2 = 179; z = 5 over 64 bits.
        CHECK(std::abs(flips - 32 * words) < 5 * 179);
    }
}

TEST_CASE("schedule_hash tells jobs and starts and finishes apart") {
    const std::uint64_t reference = schedule_hash(7, 1.0, 2.0);
    CHECK(reference == schedule_hash(7, 1.0, 2.0));
    CHECK(reference != schedule_hash(8, 1.0, 2.0));
    CHECK(reference != schedule_hash(7, 2.0, 1.0));
    CHECK(reference != schedule_hash(7, 1.0, 2.0000000000000004));
}

}  // namespace schedfarm::engine
