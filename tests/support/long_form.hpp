// A dear test has a short form and a long one, which runs where SCHEDFARM_LONG is set: `./test.sh
// --long` does so, and collects in docs/results/long-tests.md what the long forms print.
#pragma once

#include <cstdio>
#include <cstdlib>

#include <sys/resource.h>

namespace schedfarm::tests {

inline void print_processor_seconds() {
    double seconds = 0;
    for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(who, &used);
        for (const timeval& time : {used.ru_utime, used.ru_stime}) {
            seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        }
    }
    std::printf("long form: %.1f processor seconds\n", seconds);
}

/// Whether the long form runs. Then the process prints at its end what it took.
inline bool is_long_form() {
    static const bool is_long = [] {
        const bool is_set = std::getenv("SCHEDFARM_LONG") != nullptr;  // NOLINT
        return is_set && std::atexit(print_processor_seconds) == 0;
    }();
    return is_long;
}

/// A number of the short form, of seeds for example, or that of the long one.
template <typename Number>
Number short_or_long(Number of_short, Number of_long) {
    return is_long_form() ? of_long : of_short;
}

}  // namespace schedfarm::tests
