#!/bin/bash
# A release from a clean clone: the source archive, the Debian packages, a wheel, the site, the notes and the checksums of all. Equal
# commits give equal bytes: every time is that of the commit, and the program is built at one place, whose path it knows.
#
# usage: tools/release.sh [FOLDER]    default: build/schedfarm-VERSION
#        BUILD=build/ci tools/release.sh FOLDER    takes the program that is built there
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
source tools/setup.sh
require_packages build figures release

version=$(sed -n 's/^project(schedfarm VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
refuse() {
    echo "release.sh: $1" >&2
    exit 1
}
[ -z "$(git status --porcelain --untracked-files=no)" ] || refuse "there are changes that no commit has. Commit them."
python3 tests/packaging/dependencies_test.py . || refuse "versions differ (above). Make them equal."
grep -q "^## .*$version" CHANGELOG.md || refuse "CHANGELOG.md has no heading $version"
python3 tools/certificate_age.py . --release || [ -n "${OLD_CERTIFICATE:-}" ] || refuse "the certificate is older than its procedures. Compute it again, or say OLD_CERTIFICATE=1"

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1
umask 022
folder=$(realpath -m "${1:-$root/build/schedfarm-$version}")
mkdir -p "$folder"
work=/tmp/schedfarm-release # the program knows where its sources lie
mkdir "$work" || refuse "$work is there: another release is made, or was stopped. Remove it."
trap 'rm -rf "$work"' EXIT

# pack NAME FOLDER: what lies in it, in order, of nobody, at the time of the commit
pack() {
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu -C "$2" -c . | gzip -9n >"$folder/$1"
}

git archive --format=tar --prefix="schedfarm-$version/" HEAD | gzip -9n >"$folder/schedfarm-$version.tar.gz"

if [ -n "${BUILD:-}" ]; then
    build=$(realpath "$BUILD")
else
    git clone --quiet --no-local "$root" "$work/schedfarm"
    build=$work/schedfarm/build/release
    (cd "$work/schedfarm" && cmake --preset release -DSCHEDFARM_TESTS=OFF >/dev/null && cmake --build --preset release >/dev/null)
fi
(cd "$build" && cpack -B "$work/packages" >/dev/null)
for package in "$work"/packages/*.deb; do # again, with the times of the commit
    dpkg-deb --raw-extract "$package" "$work/tree"
    find "$work/tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz --build "$work/tree" "$folder" >/dev/null
    rm -r "$work/tree"
done
if command -v lintian >/dev/null; then
    lintian --fail-on error --no-tag-display-limit "$folder"/*.deb >"$work/lintian" || refuse "$(grep '^E:' "$work/lintian")"
fi

python3 -c "import sys; sys.path.insert(0, 'python'); import build_backend; build_backend.build_wheel(sys.argv[1])" "$folder"
tools/site.sh "$work/site" >/dev/null
find "$work/site" -name '*.gz' -path '*/search/*' -delete # mkdocs packs with today's time what servers pack themselves
pack "schedfarm-$version-site.tar.gz" "$work/site"

awk -v version="$version" '/^## / { shown = index($0, version) > 0 } shown' CHANGELOG.md >"$folder/NOTES.md"
words=$(wc -w <"$folder/NOTES.md")
[ "$words" -le 600 ] || refuse "the notes have $words words, and 600 are enough"
(cd "$folder" && rm -f SHA256SUMS && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
echo "release $version of $(git rev-parse --short HEAD) in $folder:"
cat "$folder/SHA256SUMS"
