"""Hints of messages are imperatives, "Run sacct with -P.", and no questions but "Did you mean …?".

usage: check_hints.py ROOT
"""
import pathlib
import re
import sys

ROOMS = ("app", "engine", "models", "policies", "results_schema", "python/src", "r", "slurm")
QUESTION = re.compile(r"\"[^\"]*[\w'\])}.…`%]\?(?:[ \\][^\"]*)?\"")
# A suggested name, comments, regular expressions, and titles of a page and a table that ask what they answer.
NO_HINT = re.compile(r"Did you mean|^\s*(?://|#|def |>>> )|re\.(?:compile|sub|fullmatch|match)\(|\"stability\", \"Does|\"Calibration: is")


def questions(root):
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in (".cpp", ".hpp", ".py", ".R", ".sh"):
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    if QUESTION.search(line) and not NO_HINT.search(line):
                        yield f"{name}:{number}: a hint asks: {line.strip()}"


def main():
    found = list(questions(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "no hint asks")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
