#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include <doctest/doctest.h>

namespace {

struct Digests {
    std::string statistics;
    std::string c_library;
};

Digests run_with(const std::string& environment) {
    const std::string command = "env " + environment + " " SCHEDFARM_PORTABLE_BITS_PROGRAM;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(
        popen(command.c_str(), "r"), pclose
    );
    REQUIRE(output);
    std::array<char, 32> statistics{};
    std::array<char, 32> library{};
    REQUIRE(std::fscanf(output.get(), "%31s %31s", statistics.data(), library.data()) == 2);
    return {statistics.data(), library.data()};
}

TEST_CASE("statistics have the same bits with and without fused multiply-add") {
    const Digests plain = run_with("");
    const Digests masked = run_with("GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2_Usable,-AVX2");
    CHECK(plain.statistics == masked.statistics);
    CHECK(plain.statistics.size() == 16);
    const std::string verdict = plain.c_library == masked.c_library ? "agree" : "differ";
    MESSAGE("the C library's own functions " << verdict << " between the two settings");
}

}  // namespace
