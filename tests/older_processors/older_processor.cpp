// Linked to a program with -Wl,--wrap=__cpu_indicator_init, this makes it find an older processor
// than the one it runs on: GCC's choice among the ways of a function asks libgcc's
// __cpu_indicator_init, which notes what the processor has. All other objects of the program stay
// as they are. processor_test.cpp fails where libgcc keeps its notes in another way.
//
// SCHEDFARM_HAS_AVX2: 1 for a processor with AVX2 but no AVX-512, 0 for one with SSE2 only.
// NOLINTBEGIN(bugprone-reserved-identifier, *-avoid-c-arrays)

extern "C" {

// As gcc/config/i386/cpuinfo.h of GCC 12 has them.
struct ProcessorModel {
    unsigned vendor;
    unsigned type;
    unsigned subtype;
    unsigned features[1];
};
extern ProcessorModel __cpu_model;
extern unsigned __cpu_features2[3];
int __real___cpu_indicator_init();

// Runs while the program is loaded, before sanitizers are ready.
[[gnu::no_sanitize("address", "undefined")]] int __wrap___cpu_indicator_init() {
    constexpr unsigned up_to_sse2 = (1U << 5) - 1;
    constexpr unsigned fma_and_bmi = (1U << 14) | (1U << 16) | (1U << 17);
    constexpr unsigned up_to_avx2 = ((1U << 11) - 1) | fma_and_bmi;
    constexpr unsigned levels_2_and_3 = 3;  // of x86-64
    const int result = __real___cpu_indicator_init();
    __cpu_model.features[0] &= SCHEDFARM_HAS_AVX2 ? up_to_avx2 : up_to_sse2;
    __cpu_features2[2] &= SCHEDFARM_HAS_AVX2 ? levels_2_and_3 : 0;
    return result;
}
}

// NOLINTEND(bugprone-reserved-identifier, *-avoid-c-arrays)
