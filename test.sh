#!/usr/bin/env bash
# Installs what is missing, then in this order, and ends at the first stage that fails: layers and format; Release with
# warnings as errors and the tests of its rooms (label unit); parts that read foreign input once more, Debug with
# sanitizers, payloads of both are compared; all other tests. With --long or arguments all is built first.
# usage: ./test.sh [--long] [ctest arguments]        e.g. ./test.sh -L unit
# --long: the long forms of tests too, ten minutes more on two cores; their results go to docs/results/long-tests.md.
# The last line reads "N passed, N failed" (", N skipped" may follow); exit code 0 when none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source tools/setup.sh

stage() { echo "== $*"; }
require_packages build figures test
stage "Layers and format (seconds)"
/usr/bin/python3 tests/architecture/check_layers.py .
tests/architecture/check_format.sh .
export_mpi_environment
if [ $# -eq 0 ]; then
    stage "Build and tests of the rooms (minutes)"
    build_preset ci
    run_ctest ci -L unit -LE long
    stage "Build with sanitizers and all other tests (most of the time)"
    build_preset dev --target sanitized_programs
    also_counts=1 run_ctest ci -LE 'unit|long'
    exit
fi
stage "Build"
build_preset dev --target sanitized_programs
build_preset ci
if [ "${1:-}" = --long ]; then
    shift
    export SCHEDFARM_LONG=1
    status=0
    run_ctest ci "$@" || status=$?
    /usr/bin/python3 tools/long_tests_page.py build/ci docs/results/long-tests.md "$(cat build/ci/summary.txt)"
    exit "$status"
fi
run_ctest ci -LE long "$@"
