// A test on an older processor would be none if it took the newest ways: this one, linked in the
// same manner, tells which it takes. SCHEDFARM_NEWEST_WAY: that of the processor it should find.
#include "engine/foundation/cpu_dispatch.hpp"

#if SCHEDFARM_CPU_DISPATCH
#include <cstdlib>
#include <string>

#include <cpuid.h>
#include <doctest/doctest.h>

namespace {

SCHEDFARM_AVX512 std::string way() {
    return "avx512";
}
SCHEDFARM_AVX2 std::string way() {
    return "avx2";
}
SCHEDFARM_ANY_PROCESSOR std::string way() {
    return "plain";
}

/// Of the processor that this runs on.
std::string newest_way() {
    unsigned a = 0;
    unsigned features = 0;
    unsigned c = 0;
    unsigned d = 0;
    __get_cpuid_count(7, 0, &a, &features, &c, &d);
    if ((features & bit_AVX512F) != 0) {
        return "avx512";
    }
    return (features & bit_AVX2) != 0 ? "avx2" : "plain";
}

std::string expected_way() {
    const char* const wanted = std::getenv("SCHEDFARM_NEWEST_WAY");
    const std::string newest = newest_way();
    return wanted == nullptr || newest == "plain" ? newest : wanted;
}

}  // namespace

TEST_CASE("the ways are those for the processor that the program finds") {
    const std::string expected = expected_way();
    CHECK(way() == expected);
    CHECK((__builtin_cpu_supports("avx512f") != 0) == (expected == "avx512"));
    CHECK((__builtin_cpu_supports("avx2") != 0) == (expected != "plain"));
    CHECK((__builtin_cpu_supports("x86-64-v3") != 0) == (expected != "plain"));
}
#endif
