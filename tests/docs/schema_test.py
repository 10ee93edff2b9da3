"""`schedfarm schema` admits every campaign of the repository and refuses 200 that are wrong in one key, type, word or range; what the
schema refuses the program refuses, too.

usage: schema_test.py PROGRAM ROOT
"""
import copy
import json
import pathlib
import random
import re
import sys

import jsonschema
import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "app/cli"))
from program import expect, main  # noqa: E402


class Loader(yaml.SafeLoader):
    """YAML 1.2, as editors and the program read it: 1e5 is a number, yes is a word, dates are texts."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (("bool", "true|false", "tf"), ("int", r"[-+]?\d+", "-+0123456789"), ("null", "~|null|", "~n"),
                            ("float", r"[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?", "-+.0123456789")):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first) + ([""] if tag == "null" else []))
Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))


def campaigns_of(program, root):
    files = [*sorted((root / "campaigns").rglob("*.yaml")), *sorted((root / "docs/gallery").rglob("*.yaml")),
             *sorted((root / "tests/golden/campaigns").rglob("*.yaml"))]
    named = {str(path.relative_to(root)): path.read_text() for path in files}
    for path in sorted((root / "docs").rglob("*.md")):
        for place, text in enumerate(re.findall(r"```yaml\n(campaign_format.*?)```", path.read_text(), re.DOTALL)):
            named[f"{path.relative_to(root)} {place}"] = text
    program.run("init", "first.yaml")
    named["init"] = (program.folder / "first.yaml").read_text()
    return named


def places_of(value, path=()):
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield from places_of(below, (*path, key))


def changed(campaign, path, change):
    """With another value at the path; `change` gets the mapping or list that holds it."""
    whole = copy.deepcopy(campaign)
    holder = whole
    for key in path[:-1]:
        holder = holder[key]
    change(holder, path[-1])
    return whole


# Free texts and names stand here: any word is right. Paths below these are left alone.
FREE = ("name", "description", "time_unit", "report", "claims", "derived", "include", "inputs", "reference", "overrides", "certificate", "factors", "baseline",
        "factor", "metric", "file", "sha256", "columns", "conf", "where", "targets")


def rename(holder, key):
    holder[f"{key}_x"] = holder.pop(key)


def wrong_in_one(campaign, chance):
    """One random fault: (what, where, campaign), or None where the campaign has no place for it."""
    what = chance.choice(("key", "type", "word", "range"))
    places = [(path, value) for path, value in places_of(campaign) if path and not any(str(part) in FREE for part in path)]
    keys = [path for path, _ in places if isinstance(path[-1], str)]
    numbers = [path for path, value in places if isinstance(value, (int, float)) and not isinstance(value, bool)]
    words = [path for path, value in places if isinstance(value, str) and not (path[0] == "probes" and len(path) == 3)]  # metrics of one's own
    found = {"key": keys, "type": keys, "word": words, "range": numbers}[what]
    if not found:
        return None
    path = chance.choice(found)
    change = {"key": rename, "type": lambda holder, key: holder.update({key: [[["x"]]]}),
              "word": lambda holder, key: holder.__setitem__(key, "no_such_word"), "range": lambda holder, key: holder.__setitem__(key, -7.5e30)}[what]
    return what, path, changed(campaign, path, change)


def test(program, arguments):
    root = pathlib.Path(arguments[0])
    schema = json.loads(program.run("schema").stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    campaigns = {name: yaml.load(text, Loader) for name, text in campaigns_of(program, root).items()}
    expect(len(campaigns) > 120, f"only {len(campaigns)} campaigns")
    wrong = [f"{name}: {error.json_path}: {error.message[:200]}" for name, own in campaigns.items() for error in validator.iter_errors(own)]
    expect(not wrong, "\n".join(wrong[:20]))

    chance, tried, missed = random.Random(59), 0, []
    while tried < 200:
        name = chance.choice(sorted(campaigns))
        fault = wrong_in_one(campaigns[name], chance)
        if fault is None:
            continue
        tried += 1
        if validator.is_valid(fault[2]):
            missed.append(f"{name}: {fault[0]} at {'.'.join(map(str, fault[1]))}")
    expect(not missed, f"{len(missed)} of {tried} are taken for right:\n" + "\n".join(missed))


if __name__ == "__main__":
    sys.exit(main(test))
