#!/usr/bin/env bash
# Installs what is missing, builds Release with warnings as errors and runs every test.
# Parts that read foreign input are built a second time, Debug with sanitizers; payloads of both are compared.
# usage: ./test.sh [--long] [ctest arguments]        e.g. ./test.sh -L unit
# --long: the long forms of tests too, ten minutes more on two cores; their results go to docs/results/long-tests.md.
# The last line reads "N passed, N failed" (", N skipped" may follow); exit code 0 when none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source tools/setup.sh

require_packages build figures test
build_preset dev --target run_alone plan_mutation_test foreign_input_test site_files_test trace_mutation_test
build_preset ci
export_mpi_environment
if [ "${1:-}" = --long ]; then
    shift
    export SCHEDFARM_LONG=1
    status=0
    run_ctest ci "$@" || status=$?
    /usr/bin/python3 tools/long_tests_page.py build/ci docs/results/long-tests.md "$(cat build/ci/summary.txt)"
    exit "$status"
fi
run_ctest ci -LE long "$@"
