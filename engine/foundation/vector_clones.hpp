// SCHEDFARM_VECTOR_CLONES before a function compiles it for several vector widths and chooses one
// when the program is loaded. The bits of the results do not depend on the choice: contraction is
// off (a fused multiply-add would round differently) and lanes are independent. For loops over
// arrays without calls; not for templates.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SCHEDFARM_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SCHEDFARM_VECTOR_CLONES
#endif
