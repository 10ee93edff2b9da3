# Shell functions shared by quickstart.sh and test.sh; sourced, not run.
# shellcheck shell=bash

build_packages=(g++ cmake ninja-build git ca-certificates pkg-config libopenmpi-dev openmpi-bin
    libhdf5-dev libspdlog-dev libfmt-dev libyaml-cpp-dev libcli11-dev librandom123-dev nlohmann-json3-dev libcctz-dev
    libboost-dev zlib1g-dev)
figure_packages=(python3 python3-h5py python3-pandas python3-matplotlib python3-jinja2)
release_packages=(dpkg-dev lintian mkdocs-material)
test_packages=("${release_packages[@]}" doctest-dev coinor-libclp-dev hdf5-tools python3-xarray python3-netcdf4 python3-nbformat python3-nbclient python3-ipykernel python3-yaml python3-jsonschema r-cran-hdf5r mypy fish
    texlive-latex-base texlive-pictures chromium chromium-driver
    clang-format shellcheck python3-pip tcl slurm-wlm munge
    libmpich-dev mpich) # beside Open MPI, which stays the default
command -v npm >/dev/null || test_packages+=(npm) # gets axe-core

# require_packages build|figures|release|test ...: installs the Debian packages of these groups that are missing.
require_packages() {
    local group wanted=() missing=() package
    for group in "$@"; do
        case $group in
        build) wanted+=("${build_packages[@]}") ;;
        figures) wanted+=("${figure_packages[@]}") ;;
        release) wanted+=("${release_packages[@]}") ;;
        test) wanted+=("${test_packages[@]}") ;;
        esac
    done
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "This system has no apt. Install the equivalents of these Debian 12 packages if the build" >&2
        echo "below stops for want of one: ${wanted[*]}" >&2
        return 0
    fi
    for package in "${wanted[@]}"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "These packages are missing, and there is neither root nor sudo to install them:" >&2
            echo "    apt-get install ${missing[*]}" >&2
            return 2
        fi
        as_root=(sudo)
    fi
    echo "Installing ${missing[*]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# build_preset NAME [cmake --build arguments]: configures and builds; the log is shown only when it fails.
build_preset() {
    local preset=$1 log=build/$1.log options=(-DSCHEDFARM_UNITY=ON)
    shift
    mkdir -p build
    echo "Building (preset $preset; log in $log)"
    case $preset in
    release) options+=(-DSCHEDFARM_TESTS=OFF) ;;
    ci) options+=(-DSCHEDFARM_SANITIZED_BUILD="$PWD/build/dev") ;;
    esac
    if ! { cmake --preset "$preset" "${options[@]}" && cmake --build --preset "$preset" "$@"; } >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        echo "The build failed; the whole log is in $log" >&2
        return 4
    fi
}

# Open MPI refuses root and more ranks than cores unless told otherwise; ranks that wait leave the core to others.
export_mpi_environment() {
    if [ "$(id -u)" -eq 0 ]; then
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    fi
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
    export OMPI_MCA_mpi_yield_when_idle=1
}

# run_ctest PRESET [ctest arguments]: runs the tests and closes with "N passed, N failed, N skipped"; with
# also_counts=1 those of the run before are counted, too.
run_ctest() {
    local preset=$1 log=build/$1/all.log status=0
    shift
    [ -n "${also_counts:-}" ] || rm -f "$log"
    # One more than processors: some tests wait, for Slurm above all.
    ctest --preset "$preset" -j "$(($(nproc) + 1))" --output-log "build/$preset/ctest.log" "$@" || status=$?
    cat "build/$preset/ctest.log" "build/$preset/Testing/Temporary/LastTest.log" >>"$log"
    local passed failed skipped
    passed=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#.* Passed ' "$log" || true)
    failed=$(awk '/^[0-9]+% tests passed, / { failed += $4 } END { print failed + 0 }' "$log")
    skipped=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#.*\*\*\*Skipped' "$log" || true)
    if [ "$((passed + failed))" -eq 0 ]; then
        echo "No test was run." >&2
        status=1
    fi
    local reasons
    reasons=$(sed -n 's/^skipped: //p' "$log" | sort -u | paste -sd';' || true)
    echo "$passed passed, $failed failed, $skipped skipped${reasons:+ ($reasons)}" | tee "build/$preset/summary.txt"
    return "$status"
}
