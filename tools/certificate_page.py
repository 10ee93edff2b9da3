#!/usr/bin/env python3
"""Puts campaigns of the coverage certificate onto its page, from their result files.

usage: certificate_page.py PROGRAM [RESULTS.h5 ...]

    schedfarm run campaigns/certificate/decisions/p_values.yaml -o p_values.h5
    tools/certificate_page.py build/release/schedfarm p_values.h5

Without result files: names the campaigns that are not on docs/results/certificate.md, or that are there with rows older
than their procedure (tools/certificate_age.py). All of them take some hours on two cores.
"""
import pathlib
import re
import subprocess
import sys
import textwrap

from certificate_age import ORIGIN, ages, changed_since

ROOT = pathlib.Path(__file__).resolve().parent.parent
CAMPAIGNS = ROOT / "campaigns/certificate"
PAGE = ROOT / "docs/results/certificate.md"
VERDICT = re.compile(r"\| (holds|fails|fails as it should|holds but should not) \|$", re.MULTILINE)
OLDER = "Changed since:"
AS_IT_SHOULD_BE = {"holds", "fails as it should"}
INTRODUCTION = """

Does a 95 % interval of this program contain the truth in 95 % of all campaigns, and are its decisions as
often right as it says? Every row is a number or a decision whose truth is known. A campaign of the certificate is one of
many seeds (`factors: {seed: {count: 4000}}`): each seed is a whole campaign, run to its own end by `schedfarm run` with
replications, ordered prefix, stop rules, searches, comparisons, selections. `schedfarm certify RESULTS.h5` judges its rows,
and those of [a campaign of your own](../how-to/choose-an-interval.md#certify-your-own-campaign). Sections that name one seed are
older: there a macro-run stood for a seed, whose own was the first 64 bits of
SHA-256("schedfarm certificate\\n" name "\\n" seed "\\n" k).

The coverage p, the share of M seeds whose interval contains the truth, and a share of right decisions have
standard error √(p(1 − p)/M), at least 1/M. A row *holds* when its band has a point within 3 standard errors of
what was found. What it could have seen stands beside it: the probability that it fails where the true coverage
is .03 below its band or .02 above; of a bias, the size that fails with probability .9. Seeds that did not
end as planned (no target met, no number) are counted apart; a row fails when they are too many. *Negative
controls* are methods known to be wrong, judged by the same rule: they must fail, or the certificate could not
tell right from wrong. Rows on bias show the mean relative error and its standard error; the band [0, 0] says
that it is less than 3 standard errors. Those on the ordered prefix must be, to the bit, the mean of the first
replications by index; of what finishes first the workers are virtual, and a task takes as long as its result says. The
half-width of an interval is relative to the truth, absolute where that is 0; intervals without an end are counted apart (∞ in older
sections). A row that would find a coverage of .90 less often than not has too few seeds, and is not judged. Below a heading stand the program
that made its rows, the source files of the procedure, and which of them have changed since.
The section of MSER-5 on every replication cannot be made anew, since result files do not have the series of single
replications: it stays as it was made.

"""


def sections_by_campaign(page):
    """The sections of a page by the campaign that made them, in the page's order."""
    sections = {}
    for section in re.split(r"^(?=### )", re.sub(r"^## .*\n", "", page, flags=re.MULTILINE), flags=re.MULTILINE)[1:]:
        origin = next((match for match in map(ORIGIN.match, section.splitlines()) if match), None)
        if origin:
            campaign = origin["campaign"]
            sections[campaign] = sections.get(campaign, "") + section.rstrip("\n") + "\n\n"
    return sections


def page_of(sections, campaigns):
    """The page of these sections; campaigns that have none yet are named. One without a file stays, it cannot be made anew."""
    verdicts = VERDICT.findall("".join(sections.values()))
    right = sum(verdict in AS_IT_SHOULD_BE for verdict in verdicts)
    missing = [f"`{name}`" for name in campaigns if name not in sections]
    lines = ["# Coverage certificate", "",
             "Made by `tools/certificate_page.py` of what `schedfarm certify` says of the campaigns in",
             "`campaigns/certificate`. Do not edit this page: make it again.", "",
             f"{right} of {len(verdicts)} rows are as they should be."]
    if missing:
        lines += textwrap.wrap(f"Not run yet: {', '.join(missing)}.", 110)
    return "\n".join(lines) + INTRODUCTION + with_ages("".join(sections[name] for name in sorted(sections))).rstrip("\n") + "\n"


def with_ages(page):
    """Below the origin of every section what has changed since its revision."""
    lines = []
    for line in page.splitlines():
        if line.startswith(OLDER):
            continue
        lines.append(line)
        origin = ORIGIN.match(line)
        changed = changed_since(ROOT, origin["revision"], re.findall(r"`([^`]+)`", origin["files"])) if origin else []
        if changed is None:
            lines[-1:] = [line, f"{OLDER} its revision, which git does not know."]
        elif changed:
            lines[-1:] = [line, f"{OLDER} {', '.join(f'`{file}`' for file in changed)}."]
    return "\n".join(lines) + "\n"


def certified(program, results):
    """What is printed of a result file; a row that is not as it should be is no reason to stop."""
    done = subprocess.run([program, "certify", "--format", "markdown", results], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"certificate_page.py: {results} ended with exit code {done.returncode}")
    return done.stdout


def main(program, results):
    campaigns = sorted(path.name for path in CAMPAIGNS.rglob("*.yaml") if path.name != "common.yaml")
    page = PAGE.read_text(encoding="utf-8")
    sections = sections_by_campaign(page)
    for name in results:
        made = sections_by_campaign(certified(program, name))
        unknown = set(made) - set(campaigns)
        if unknown:
            sys.exit(f"certificate_page.py: campaigns/certificate has no {', '.join(unknown)} (a result file has its campaign's name)")
        sections.update(made)
    PAGE.write_text(page_of(sections, campaigns), encoding="utf-8")
    if not results:
        old = {campaign for campaign, _ in ages(ROOT, page)}
        print("\n".join(name for name in campaigns if name not in sections or name in old) or "Every campaign is on the page as it is.")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:])
