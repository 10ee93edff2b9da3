"""Links between documents lead somewhere, to a heading where they name one, and to every page of docs/ leads one. A page of results is
short; its long tables are files beside it.

usage: links_test.py ROOT
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
LONGEST = 120  # lines of a page of results
PROGRAM_TEXT = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)  # "[&](Job job)" is no link


def anchors_of(text):
    """The names that GitHub gives to headings."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(PROGRAM_TEXT.sub("", text))}


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    documents = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("results_schema/*.md")]
    links = [(document, document.parent / link if link else document, anchor) for document in documents
             for link, anchor in LINK.findall(PROGRAM_TEXT.sub("", document.read_text()))]
    problems = [f"{document}: {target} does not exist" for document, target, _ in links if not target.exists()]
    problems += [f"{document}: {target} has no heading #{anchor}" for document, target, anchor in links
                 if anchor and target.exists() and anchor not in anchors_of(target.read_text())]
    linked = {target.resolve() for document, target, _ in links if target != document} | set(root.glob("*.md"))
    problems += [f"{document}: no page links it" for document in documents if document not in linked]
    problems += [f"{page}: over {LONGEST} lines. Put its tables into a .csv beside it" for page in [*root.glob("docs/results/*.md"), root / "docs/gallery/papers.md"]
                 if page.exists() and len(page.read_text().splitlines()) > LONGEST]
    print("\n".join(problems) if problems else f"{len(documents)} documents, no broken link, none without one")
    return 1 if problems or not documents else 0


if __name__ == "__main__":
    sys.exit(main())
