#!/bin/sh
# Damages journals and result files many times, holds every command that reads them to its promise under
# AddressSanitizer and UndefinedBehaviorSanitizer, and writes docs/results/foreign-input.md.
# usage: tools/foreign-input.sh [FILES]
# BUILD names a build folder of preset dev that is there already.
set -eu
cd "$(dirname "$0")/.."
if [ -z "${BUILD:-}" ]; then
    cmake --preset dev
    BUILD=build/dev
fi
cmake --build "$BUILD" --target foreign_input_test
# The slow unwinder would take most of the time; the MPI library is never started.
export ASAN_OPTIONS=fast_unwind_on_malloc=1
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"
SCHEDFARM_MUTATIONS="${1:-10000}" SCHEDFARM_FOREIGN_PAGE="$PWD/docs/results/foreign-input.md" \
    "$BUILD/tests/app/foreign/foreign_input_test"
