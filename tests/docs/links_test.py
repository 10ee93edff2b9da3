"""Links between documents lead somewhere.

usage: links_test.py ROOT
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def main():
    root = pathlib.Path(sys.argv[1])
    documents = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("results_schema/*.md")]
    broken = [f"{document}: {link} does not exist" for document in documents
              for link in LINK.findall(document.read_text()) if not (document.parent / link).exists()]
    print("\n".join(broken) if broken else f"{len(documents)} documents, no broken link")
    return 1 if broken or not documents else 0


if __name__ == "__main__":
    sys.exit(main())
