"""Files, folders and functions that pages name in backquotes are there. The list of changes tells of what was.

usage: names_test.py ROOT
"""
import pathlib
import re
import sys

ROOMS = ("app", "campaigns", "cmake", "docs", "engine", "models", "packaging", "policies", "python", "r", "results_schema", "slurm", "tests",
         "tools")
PROGRAM_TEXT = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"`([^`\n]+)`")
PATH = re.compile(rf"(?:{'|'.join(ROOMS)})/[\w./-]*")
FUNCTION = re.compile(r"(?:\w+::)*(\w+)\(\)")
SOURCES = {".cpp", ".hpp", ".py", ".cmake", ".sh", ".in", ".R", ".txt"}
INVENTED = {"docs/how-to/add-a-policy.md": {"policies/queueing/my_policy.cpp", "policies/backfilling/brief_backfilling.cpp",
                                            "tests/policies/backfilling/brief_backfilling_test.cpp", "models/rigid/uniform_sizes.cpp"}}


def main():
    root = pathlib.Path(sys.argv[1])
    pages = [page for page in [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("results_schema/*.md")]
             if page.name != "CHANGELOG.md"]
    sources = "\n".join(path.read_text(errors="replace") for room in ROOMS for path in sorted((root / room).rglob("*"))
                        if path.is_file() and path.suffix in SOURCES)
    known = set(re.findall(r"\w+(?= ?\()", sources))
    problems = []
    for page in pages:
        place = page.relative_to(root).as_posix()
        for name in NAME.findall(PROGRAM_TEXT.sub("", page.read_text())):
            function = FUNCTION.fullmatch(name)
            if PATH.fullmatch(name) and not (root / name).exists() and name not in INVENTED.get(place, ()):
                problems.append(f"{place}: {name} does not exist")
            elif function and function.group(1) not in known:
                problems.append(f"{place}: no source has a function {name}")
    print("\n".join(problems) if problems else f"what {len(pages)} pages name is there")
    return 1 if problems or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
