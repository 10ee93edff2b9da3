#!/usr/bin/env bash
# Installs what is missing, builds Release, reproduces Table 1 of Bucur & Epema on ranks of MPI, one per core, prints it beside
# the paper's own numbers, and writes it as a figure and as a page for the browser.
# usage: ./quickstart.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source tools/setup.sh

require_packages build figures
build_preset release
mkdir -p results
export_mpi_environment
mpirun -n "$(($(nproc) + 1))" build/release/schedfarm run campaigns/coallocation/table1.yaml --output results/table1.h5 --fresh
build/release/schedfarm report results/table1.h5
build/release/schedfarm plot results/table1.h5 --output results/table1.pdf
build/release/schedfarm report results/table1.h5 --output results/table1.html
