#!/bin/bash
# The documents as a site, searchable, light and dark, of files that ask nobody for anything: mkdocs with the theme material, as Debian
# has them (mkdocs-material). The pages are those of the sources, where they lie there.
#
# usage: tools/site.sh [FOLDER]    default: build/site
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
site=$(realpath -m "${1:-$root/build/site}")
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
mkdir "$pages/of"
for part in README.md CHANGELOG.md CONTRIBUTING.md LICENSE docs results_schema/SCHEMA.md campaigns packaging/dependencies.csv; do
    (cd "$root" && cp --parents -r "$part" "$pages/of")
done
{
    cat <<'YAML'
site_name: schedfarm
site_url: ""
docs_dir: of
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.tabs, navigation.indexes, navigation.top, search.highlight]
  palette:
    - {media: "(prefers-color-scheme: light)", scheme: default, primary: blue grey, toggle: {icon: material/weather-night, name: Dark}}
    - {media: "(prefers-color-scheme: dark)", scheme: slate, primary: blue grey, toggle: {icon: material/weather-sunny, name: Light}}
extra: {generator: false}
plugins: [search]
markdown_extensions:
  - tables
  - sane_lists
  - toc: {permalink: false, slugify: !!python/name:pymdownx.slugs.gfm }
  - pymdownx.highlight
  - pymdownx.superfences
nav:
  - Start: README.md
  - Gallery: [docs/gallery/README.md, docs/gallery/papers.md]
YAML
    for room in tutorial how-to reference background results decisions; do
        echo "  - ${room^}:"
        (cd "$root" && find "docs/$room" -name '*.md' | LC_ALL=C sort | sed 's/^/      - /')
        if [ "$room" = reference ]; then
            printf '      - %s\n' docs/cheat-sheet.md docs/faq.md docs/glossary.md results_schema/SCHEMA.md
        fi
    done
    printf '  - About: [docs/README.md, CHANGELOG.md, CONTRIBUTING.md]\n'
} >"$pages/mkdocs.yml"
mkdocs --quiet build --strict --clean --config-file "$pages/mkdocs.yml" --site-dir "$site"
rm -f "$site/sitemap.xml" "$site/sitemap.xml.gz"  # of a place that is not known, with today's date
echo "site written to $site/index.html"
