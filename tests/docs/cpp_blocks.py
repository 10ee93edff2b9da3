"""Writes the C++ of a page into files: each block under the path that stands in backquotes, before a colon, at the end of the text
above it. A block without a path, and a file that the page lacks, are errors.

usage: cpp_blocks.py PAGE FOLDER FILE...
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"`([\w./-]+\.cpp)`:\s*$")


def files_of(page):
    files = {}
    for block in BLOCK.finditer(page):
        path = PATH.search(page[:block.start()])
        if not path:
            sys.exit(f"line {page.count(chr(10), 0, block.start()) + 1}: no path in backquotes and no colon before this block")
        files[path.group(1)] = block.group(1)
    return files


def main(page, folder, *expected):
    files = files_of(pathlib.Path(page).read_text(encoding="utf-8"))
    if sorted(files) != sorted(expected):
        sys.exit(f"{page} has {sorted(files)}, but {sorted(expected)} are compiled")
    for path, text in files.items():
        target = pathlib.Path(folder, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
