#!/usr/bin/env bash
# Every C++ file is formatted as .clang-format says. usage: check_format.sh ROOT
set -euo pipefail
cd "$1"
git ls-files -- '*.hpp' '*.cpp' | xargs clang-format --dry-run --Werror
