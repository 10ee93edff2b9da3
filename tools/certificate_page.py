#!/usr/bin/env python3
"""Puts campaigns of the coverage certificate onto its page, from their result files.

usage: certificate_page.py PROGRAM [RESULTS.h5 ...]

    schedfarm run campaigns/certificate/decisions/p_values.yaml -o p_values.h5
    tools/certificate_page.py build/release/schedfarm p_values.h5

Without result files: names the campaigns that are not on docs/results/certificate.md, or that are there with rows older
than their procedure (tools/certificate_age.py). All of them take some hours on two cores.
"""
import csv
import math
import pathlib
import re
import subprocess
import sys
import textwrap

from certificate_age import COLUMNS, ages, origin_of, stored

ROOT = pathlib.Path(__file__).resolve().parent.parent
CAMPAIGNS = ROOT / "campaigns/certificate"
TABLE = ROOT / "docs/results/certificate.csv"
PAGE = ROOT / "docs/results/certificate.md"
AS_IT_SHOULD_BE, TOO_FEW = {"holds", "fails as it should"}, "too few seeds"
TOO_LOW = 0.9  # a coverage that a row must find as often as not (python/src/schedfarm/_certificate/__init__.py)
INTRODUCTION = """

Does a 95 % interval of this program contain the truth in 95 % of all campaigns, and are its decisions as often right as it says? Every row
of [certificate.csv](certificate.csv) is a number or a decision whose truth is known. A campaign of the certificate is one of many seeds
(`factors: {seed: {count: 4000}}`): each seed is a whole campaign, run to its own end by `schedfarm run` with replications, ordered prefix,
stop rules, searches, comparisons, selections. `schedfarm certify RESULTS.h5` judges its rows, and those of
[a campaign of your own](../how-to/choose-an-interval.md#certify-your-own-campaign).

- **found**: the coverage, which is the share of the seeds whose interval contains the truth; or the share of right decisions; or the mean
  relative error. A share p of M seeds has the standard error √(p(1 − p)/M), at least 1/M.
- **holds**: the band has a point within 3 standard errors of what was found. A band [0, 0] means: less than 3 standard errors.
- *Negative controls* are methods known to be wrong. They must fail, or the certificate could not tell right from wrong.
- The table also has the probability that a row fails where the true coverage is .03 below its band or .02 above (of a bias: the size that
  fails with probability .9), the seeds judged, the half-width relative to the truth, and what made the row. Seeds without a number, or whose
  target was not met, are counted apart; a row fails when they are too many. A row that would find a coverage of .90 less often than not has
  too few seeds, and is not judged.
- Rows of one seed are older: a macro-run stood for a seed, whose own was the first 64 bits of
  SHA-256("schedfarm certificate\\n" name "\\n" seed "\\n" k).
- Campaigns with rows that are older than a source file of what they certify stand below the others, with the date of what made them in the
  table, and are not counted. Dearest are, in CPU seconds of one core, `drift_search_narrow` (2,900), `drift_search` (2,600), `selection_start`
  (1,600), `search_start` (1,400), `response_search` (1,000), `default_rule` (730) and `default_horizon` (620); all others together take 4,000.

"""


def rows_of(markdown):
    """The rows of `schedfarm certify --format markdown`."""
    found = []
    for section in re.split(r"^(?=### )", markdown, flags=re.MULTILINE)[1:]:
        title, *lines = section.splitlines()
        made = next(line for line in lines if origin_of(line))
        cells = [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines if line.startswith("| ")]
        note = " ".join(line for line in lines if line and line[0] != "|" and line != made and not line.startswith("Changed since:"))
        found += [dict(zip(COLUMNS, [title.removeprefix("### "), origin_of(made)["campaign"], *own, note, made])) for own in cells[1:]]
    return found


def finds_too_low(low, high, seeds):
    """The probability that a row fails where the true coverage is .9."""
    total = 0
    for k in range(seeds + 1):
        share = k / seeds
        error = max(math.sqrt(share * (1 - share) / seeds), 1 / seeds)
        if share + 3 * error < low or share - 3 * error > high:
            total += math.exp(math.lgamma(seeds + 1) - math.lgamma(k + 1) - math.lgamma(seeds - k + 1)
                              + k * math.log(TOO_LOW) + (seeds - k) * math.log1p(-TOO_LOW))
    return total


def by_todays_rule(row):
    """A row that holds, but would hardly find a coverage of .9, has too few seeds, whatever the rule was when it was made."""
    low, high = (float(end) for end in row["band"].strip("[]").split(", "))
    is_weak = row["verdict"] == "holds" and low > TOO_LOW and finds_too_low(low, high, int(row["judged"].split()[0])) < 0.5
    return {**row, "verdict": TOO_FEW} if is_weak else row


def found_text(rows):
    """`0.953 to 0.957`."""
    values = sorted((row["found"].split(" ")[0] for row in rows if row["found"] != "-"), key=float)
    return " to ".join(dict.fromkeys((values[0], values[-1]))) if values else ""


def count(rows):
    return f"{sum(row['verdict'] in AS_IT_SHOULD_BE for row in rows)} of {len(rows)}"


def page_of(rows, campaigns, old):
    """A line for each campaign, those in `old` with rows older than their procedure behind the others, and not counted."""
    own = [row for row in rows if row["campaign"] not in old]
    judged = [row for row in own if row["verdict"] != TOO_FEW]
    weak = f" {len(own) - len(judged)} have too few seeds." if len(judged) < len(own) else ""
    names = sorted({row["campaign"] for row in rows})
    lines = ["# Coverage certificate", "",
             "Made by `tools/certificate_page.py` of what `schedfarm certify` says of the campaigns in",
             "`campaigns/certificate`. Do not edit this page: make it again.", "",
             f"{count(judged)} rows are as they should be.{weak} Of {len(old)} of {len(names)} campaigns rows are older than a source file of what they",
             "certify, and not counted: `tools/certificate_age.py .` names them."]
    missing = [f"`{name}`" for name in campaigns if name not in names]
    if missing:
        lines += textwrap.wrap(f"Not run yet: {', '.join(missing)}.", 110)
    heading = ["| campaign | what | as they should be | band | found |", "|:---|:---|---:|:---|:---|"]
    body = [*heading]
    for name in sorted(names, key=lambda name: (name in old, name)):
        if name in old and "## Older than their procedure" not in body:
            body += ["", "## Older than their procedure", "", *heading]
        for is_control in (False, True):
            own = [row for row in rows if row["campaign"] == name and row["section"].startswith("Negative controls") == is_control]
            if own:
                title = own[0]["section"].replace("Certificate, ", "")
                bands = sorted({row["band"] for row in own})
                body.append(f"| `{name}` | {title} | {count([row for row in own if row['verdict'] != TOO_FEW])} | {', '.join(bands)} | {found_text(own)} |")
    return "\n".join(lines) + INTRODUCTION + "\n".join(body) + "\n"


def certified(program, results):
    """What is printed of a result file; a row that is not as it should be is no reason to stop."""
    done = subprocess.run([program, "certify", "--format", "markdown", results], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"certificate_page.py: {results} ended with exit code {done.returncode}")
    return done.stdout


def main(program, results):
    campaigns = sorted(path.name for path in CAMPAIGNS.rglob("*.yaml") if path.name != "common.yaml")
    rows = [by_todays_rule(row) for row in stored(TABLE) if row["campaign"] in campaigns]
    for name in results:
        made = rows_of(certified(program, name))
        unknown = {row["campaign"] for row in made} - set(campaigns)
        if unknown:
            sys.exit(f"certificate_page.py: campaigns/certificate has no {', '.join(unknown)} (a result file has its campaign's name)")
        rows = [row for row in rows if row["campaign"] not in {own["campaign"] for own in made}] + made
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: row["campaign"]))
    old = {campaign for campaign, _ in ages(ROOT, rows)}
    PAGE.write_text(page_of(rows, campaigns, old), encoding="utf-8")
    if not results:
        print("\n".join(name for name in campaigns if name in old or all(row["campaign"] != name for row in rows))
              or "Every campaign is on the page as it is.")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:])
