"""What pages name is there: files and folders, functions and every other word of the program, commands with their options,
keys of campaigns; and pages that sources name. The list of changes tells of what was; the reference of campaign files is
printed by the program.

usage: names_test.py ROOT PROGRAM
"""
import pathlib
import re
import subprocess
import sys

ROOMS = ("app", "bench", "campaigns", "cmake", "docs", "examples", "engine", "models", "packaging", "policies", "python", "r", "results_schema",
         "slurm", "tests", "tools")
SOURCES = {".R", ".bash", ".cmake", ".cpp", ".csv", ".def", ".hpp", ".in", ".py", ".sbatch", ".sh", ".txt", ".yaml"}
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
COMMANDS = {"", "sh", "text"}  # kinds of fences; the others are run, compiled or read by tests of their own
PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(ROOMS)})/[\w./*-]*[\w*/]")
FILE = re.compile(r"(?<![\w./-])\w[\w-]*\.(?:cpp|hpp|py|sh|cmake|yaml)\b")
PAGE = re.compile(r"(?<![\w./-])docs/(?:[a-z-]+/)+[a-z0-9-]+")
WORD = re.compile(r"(?<![\w-])[A-Za-z]\w+")
MEMBER = re.compile(r"\b([A-Z]\w+)::(\w+)")
COMMAND = re.compile(r"(?<![\w./-])(?<!--target )schedfarm ([a-z][a-z-]*)([^|&;#`\n]*)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
# What a reader of the page makes, and what others have made or said.
INVENTED = {"CompleteWait", "CamelCase", "snake_case", "dlopen", "veryLow", "pk", "--system-site-packages", "MAP.yaml", "campaign.yaml",
            "first.yaml", "mine.yaml", "plain.yaml", "queue.yaml", "weeks.yaml", "figure.yaml", "whatif.yaml", "whatif-log.yaml", "x.yaml", "my_policy", "my_policy.cpp", "describe_my_policy", "brief_backfilling.cpp",
            "brief_backfilling_test.cpp", "uniform_sizes.cpp", "mine.py", "mine.cpp"}
TITLES = {"schedfarm results", "schedfarm payload"}  # the first words of files


class Known:
    """What there is, by the sources; commands with their options by the completion of the shell, which a test holds against
    --help; keys by the generated reference page."""

    def __init__(self, root, program):
        self.root = root
        files = [path for room in ROOMS for path in (root / room).rglob("*") if path.is_file()] + [*root.glob("*")]
        self.files = {path.name for path in files}
        self.sources = {path.relative_to(root).as_posix(): path.read_text(errors="replace") for path in files
                        if path.suffix in SOURCES and not path.is_relative_to(root / "docs") and path.name != "names_test.py"}
        texts = [*self.sources.values(), *((root / name).read_text() for name in ("results_schema/SCHEMA.md", "CMakePresets.json"))]
        self.words = {word for text in texts for word in re.findall(r"[A-Za-z]\w+", text)} | {path.stem for path in files}
        self.options = {option for text in texts for option in OPTION.findall(text)}
        self.members = {}  # the words of the files that define a class
        for code in (re.sub(r"//.*", "", text) for name, text in self.sources.items() if name.endswith((".hpp", ".cpp"))):
            for kind in re.findall(r"\b(?:class|struct) (\w+)[^;{}()]*\{", code):
                self.members.setdefault(kind, set()).update(re.findall(r"\w+", code))
        completion = subprocess.run([program, "completion", "bash"], capture_output=True, text=True, check=True).stdout
        self.commands = {name: set() for name in ["completion", *re.search(r'_schedfarm_words -W "([a-z -]+)"', completion)[1].split()]}
        for names, options in re.findall(r'^    ([a-z| -]+)\)[^;\n]*options="([^"]*)"', completion, re.MULTILINE):
            for name in names.split(" | "):
                self.commands[name] = set(options.split())
        reference = (root / "docs/reference/campaign-file.md").read_text()
        self.keys = {heading: set(re.findall(r"^\| `(\w+)`", text, re.MULTILINE))
                     for heading, text in re.findall(r"^## `([\w.]+)`\n(.*?)(?=^## )", reference, re.MULTILINE | re.DOTALL)}

    def has_path(self, path):
        return path.rpartition("/")[2] in INVENTED or any(self.root.glob(path.rstrip("/")))

    def lost_members(self, text):
        return [f"{kind} has no member {name}" for kind, name in MEMBER.findall(text) if name not in self.members.get(kind, {name})]

    def has_key(self, dotted):
        """Of a section, as `horizon.jobs`; where that is no section, it is another name."""
        section, _, key = dotted.rpartition(".")
        return not self.keys.get(section) or key in self.keys[section] or dotted in self.keys


def problems_of(text, known, is_prose):
    """Of a name in backquotes or a line of commands; there the words are mostly others'."""
    text = re.sub(r"<\w+>", "*", text)
    for path in PATH.findall(text):
        if not known.has_path(path):
            yield f"{path} does not exist"
    for name in FILE.findall(PATH.sub("", text)):
        if name not in known.files | INVENTED:
            yield f"no file is called {name}"
    for command, words in COMMAND.findall(text):
        if command not in known.commands and f"schedfarm {command}" not in TITLES:
            yield f"there is no command {command}"
        for option in OPTION.findall(words):
            if option not in known.commands.get(command, ()) | {"--help", "--markdown"}:
                yield f"{command} has no option {option}"
    for option in OPTION.findall(text):
        if option not in known.options | INVENTED:
            yield f"nothing has an option {option}"
    if not is_prose:
        return
    yield from known.lost_members(text)
    for word in WORD.findall(FILE.sub("", PATH.sub("", text))):
        is_name = "_" in word.strip("_") or re.fullmatch(r"(?:\w+::)*\w+(?:\(\))?", text)
        if is_name and word not in known.words | INVENTED and not re.fullmatch(r"[0-9a-f]{8,}", word):
            yield f"no source has the word {word}, as in {text}"
    if re.fullmatch(r"[a-z_]+(?:\.[a-z_]+)+", text) and not FILE.fullmatch(text) and not known.has_key(text):
        yield f"there is no key {text}"


def problems_of_page(page, known):
    text = page.read_text()
    for kind, lines in re.findall(r"^ *```(\w*)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL):
        if kind in COMMANDS:
            for line in lines.splitlines():
                yield from problems_of(line, known, is_prose=False)
    for name in re.findall(r"`([^`\n]+)`", FENCE.sub("", text)):
        yield from problems_of(name, known, is_prose=True)


def problems_of_sources(known):
    """Pages that comments and messages name, and members that comments do; a decision is named by its number, too, and no two
    have one."""
    numbers = sorted(page.name[:4] for page in known.root.glob("docs/decisions/0*"))
    yield from (f"two decisions are number {first}" for first, second in zip(numbers, numbers[1:]) if first == second)
    for name, text in known.sources.items():
        for page in PAGE.findall(text) + [f"docs/decisions/{number}" for number in re.findall(r"\bdecision (\d{4})\b", text)]:
            if not any(known.root.glob(page + "*")):
                yield f"{name}: {page} does not exist"
        for comment in re.findall(r"//.*", text):
            yield from (f"{name}: {problem}" for problem in known.lost_members(comment))


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    known = Known(root, sys.argv[2])
    pages = [page for page in [*root.glob("*.md"), *(page for room in ROOMS for page in (root / room).rglob("*.md"))]
             if page.name not in ("CHANGELOG.md", "changed.md", "campaign-file.md") and "golden" not in page.parts]
    problems = [f"{name}: {problem}" for name, page in sorted((page.relative_to(root).as_posix(), page) for page in pages)
                for problem in problems_of_page(page, known)]
    problems += problems_of_sources(known)
    print("\n".join(problems) if problems else f"what {len(pages)} pages name is there")
    return 1 if problems or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
