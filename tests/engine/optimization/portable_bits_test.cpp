#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "engine/foundation/cpu_dispatch.hpp"

namespace {

/// Of every build on every machine. It changes when the algorithms take another way to the same
/// answers; run optimization_portable_bits for the new one.
constexpr const char* digest_of_all_builds = "048d9f1e4b220f8c";

std::string digest_with(const std::string& environment, const std::string& processor = "") {
    const std::string command =
        "env " + environment + " " SCHEDFARM_OPTIMIZATION_BITS_PROGRAM + processor;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(
        popen(command.c_str(), "r"), pclose
    );
    REQUIRE(output);
    std::array<char, 32> digest{};
    REQUIRE(std::fscanf(output.get(), "%31s", digest.data()) == 1);
    return digest.data();
}

}  // namespace

TEST_CASE("bounds and schedules have the same bits in every build and without fused multiply-add") {
    CHECK(digest_with("") == digest_of_all_builds);
    CHECK(
        digest_with("GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2_Usable,-AVX2")
        == digest_of_all_builds
    );
}

#if SCHEDFARM_CPU_DISPATCH
TEST_CASE("bounds and schedules have the same bits on older processors") {
    CHECK(digest_with("", "_avx2") == digest_of_all_builds);
    CHECK(digest_with("", "_plain") == digest_of_all_builds);
}
#endif
