"""Generated documents are current, and links between documents lead somewhere.

usage: generated_pages_test.py PROGRAM ROOT
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "campaigns" / "cli"))
from program import expect, main  # noqa: E402

LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def test(program, arguments):
    root = pathlib.Path(arguments[0])
    page = root / "docs/reference/campaign-file.md"
    expect(page.read_text() == program.run("list", "--markdown").stdout,
           f"{page} is out of date; regenerate it with `schedfarm list --markdown > {page.name}`")
    for document in [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("results_schema/*.md")]:
        for link in LINK.findall(document.read_text()):
            expect((document.parent / link).exists(), f"{document}: {link} does not exist")


if __name__ == "__main__":
    sys.exit(main(test))
