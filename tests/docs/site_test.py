"""`tools/site.sh` builds a site whose every link leads somewhere, with the heading that it names, and whose pages fetch nothing from
elsewhere; every document is a page of it, and is found by its search. Skipped without mkdocs.

usage: site_test.py ROOT
"""
import html.parser
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
from urllib.parse import unquote, urldefrag

FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.names, self.links, self.fetched = {"", "__toc", "__drawer", "__search"}, [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        own = dict(attributes)
        self.names |= {own[name] for name in ("id", "name") if own.get(name)}
        address = own.get(FETCHED.get(tag, ""))
        if address and not (tag == "link" and own.get("rel") in ("canonical", "next", "prev")):
            self.fetched.append(address)
        if tag == "a" and own.get("href"):
            self.links.append(own["href"])


def is_elsewhere(address):
    return address.startswith(("http:", "https:", "//", "mailto:"))


def problems_of(site):
    pages = {path: Page(path) for path in site.rglob("*.html")}
    for path, page in pages.items():
        if path.name == "404.html":
            continue
        yield from (f"{path}: fetches {address}" for address in page.fetched if is_elsewhere(address))
        for link in [*page.links, *page.fetched]:
            if is_elsewhere(link) or link.startswith("data:"):
                continue
            file, name = urldefrag(link)
            target = (path.parent / unquote(file)).resolve() if file else path
            target = target / "index.html" if target.is_dir() and (target / "index.html").exists() else target
            if not target.exists():
                yield f"{path}: {link} leads nowhere"
            elif target in pages and unquote(name) not in pages[target].names:
                yield f"{path}: {link}: no heading is called so"
    for path in (*site.rglob("*.css"), *site.rglob("*.js")):
        if "fonts.googleapis" in path.read_text(errors="replace"):
            yield f"{path}: asks for fonts"


def main():
    if not shutil.which("mkdocs"):
        print("skipped: no mkdocs. Install mkdocs-material.")
        return 77
    root = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder) / "site"
        subprocess.run([root / "tools/site.sh", site], check=True, stdout=subprocess.DEVNULL)
        problems = list(problems_of(site))
        found = {entry["location"].split("#")[0] for entry in json.loads((site / "search/search_index.json").read_text())["docs"]}
        documents = [path.relative_to(root) for path in (*root.glob("docs/**/*.md"), root / "results_schema/SCHEMA.md")]
        pages = [str(path.with_name("index.html") if path.name == "README.md" else path.with_suffix(".html")) for path in documents]
        problems += [f"{page} is no page, or not found" for page in pages if page not in found or not (site / page).exists()]
    print("\n".join(problems) or f"{len(pages)} pages, no broken link, nothing fetched")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
