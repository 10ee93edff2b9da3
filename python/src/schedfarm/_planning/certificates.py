"""Certificates of the cells of a campaign: what is true of each number that `schedfarm certify` judges, and of which column of the results."""

from __future__ import annotations

from . import Cells, Problem, Words, real


def planned(facts: list[Words], cells: Cells, problems: list[Problem]) -> list[Words]:
    """The rows of `certificates`. `facts`: of every cell of the first seed that has some, its sections with their defaults, what is known of
    it (metric, label, value, source), whether its load is known, and its first look."""
    rows = []
    for own in facts:
        for number, section in enumerate(own["sections"]):
            found = _Certificate(own, number, cells, problems).truth()
            if found is not None:
                rows.append(_row(own, section, *found))
    first: dict[tuple[str, str], Problem] = {}  # each is said once, of the first cell that has it
    for problem in problems:
        first.setdefault((problem.section, problem.key), problem)
    problems[:] = [problem for problem in problems if problem.section != "certificate" or first[problem.section, problem.key] is problem]
    return rows


class _Certificate:
    def __init__(self, own: Words, number: int, cells: Cells, problems: list[Problem]) -> None:
        self._own, self._number, self._problems = own, number, problems
        self._section = own["sections"][number]
        self._columns = cells.columns(own["cell"])
        self._where = f" in cell {own['cell']}" if len(cells) > 1 else ""

    def truth(self) -> tuple[str, float | None, str] | None:
        """The metric, the number that is right and where it is from; none of a decision."""
        section = self._section
        metric, source, truth = str(section.get("metric", "")), str(section.get("source", "")), real(str(section["truth"]))
        if section["subject"] == "decision":
            return metric, None, source
        if section["table"] == "estimates":
            if truth is None and not self._own["load_is_known"]:
                self._refuse("metric", f"nothing is known{self._where} (its load is still to be found)", "Give it load: {utilization: 0.5}.")
                return None
            column = next((name for name in (metric, f"{metric}.mean") if name in self._columns), None)
            if column is None:
                self._refuse("metric", f"metric '{metric}' is not observed{self._where}", "", metric,
                             list(dict.fromkeys(name.removesuffix(".mean") for name in self._columns)))
                return None
            metric = column
        return (metric, truth, source) if truth is not None else self._labelled(metric, str(section["truth"]))

    def _labelled(self, metric: str, label: str) -> tuple[str, float | None, str] | None:
        known = {own_label: (metric, value, source) for own, own_label, value, source in reversed(self._own["truths"]) if own == metric}
        if label not in known:
            self._refuse("truth", f"nothing '{label}' other than 0 is known of '{metric}'{self._where}",
                         "" if known else "Choose a cell with closed forms.", label, list(known)[::-1])
        return known.get(label)

    def _refuse(self, key: str, reason: str, suggestion: str, name: str = "", known: list[str] | None = None) -> None:
        self._problems.append(Problem("certificate", self._number, key, reason, suggestion, name, known or [], cell=self._own["cell"]))


def _row(own: Words, section: Words, metric: str, truth: float | None, source: str) -> Words:
    words, is_decision = section.get("is", []), section["subject"] == "decision"
    return {
        "cell": own["cell"], "subject": section["subject"], "table": section["table"], "scope": section["scope"],
        "where": "; ".join(f"{column}={value}" for column, value in section.get("where", {}).items()),
        "metric": metric, "interval": section["interval"], "truth": truth, "source": source, "column": str(section.get("column", "")),
        "is": "; ".join(map(str, words)), "at_least": section.get("at_least") if is_decision and not words else None,
        "low": section["band"][0], "high": section["band"][1], "expect": section["expect"], "judged": section["judged"],
        "virtual_workers": section["virtual_workers"], "first_look": own["first_look"],
        "procedure": "; ".join(map(str, section.get("procedure", [])))}
