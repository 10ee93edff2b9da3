"""Links between documents lead somewhere, and to every page of docs/ leads one.

usage: links_test.py ROOT
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
PROGRAM_TEXT = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)  # "[&](Job job)" is no link


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    documents = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("results_schema/*.md")]
    links = [(document, link) for document in documents
             for link in LINK.findall(PROGRAM_TEXT.sub("", document.read_text()))]
    problems = [f"{document}: {link} does not exist" for document, link in links
                if not (document.parent / link).exists()]
    linked = {(document.parent / link).resolve() for document, link in links} | set(root.glob("*.md"))
    problems += [f"{document}: no page links it" for document in documents if document not in linked]
    print("\n".join(problems) if problems else f"{len(documents)} documents, no broken link, none without one")
    return 1 if problems or not documents else 0


if __name__ == "__main__":
    sys.exit(main())
