"""usage: page_test.py ROOT

The page shows every row on every set of instructions, and a comparison names the rows that lie wholly below."""
import sys

sys.path.insert(0, sys.argv[1] + "/bench")
import page  # noqa: E402


def measured(**ratios):
    rows = [{"name": name, "item": "jobs", "reference": "loop", "rate": 2e6, "ratios": pairs} for name, pairs in ratios.items()]
    reports = [{"instructions": each, "program": "schedfarm", "processor": "P", "seconds": 1, "rows": rows}
               for each in ("AVX2", "any processor")]
    return {"command": "measure", "reports": reports}


old = measured(easy=[2.0, 2.1, 2.2], fcfs=[0.5, 0.6, 0.7], gone=[1, 1, 1])
new = measured(easy=[1.7, 1.8, 1.9], fcfs=[0.4, 0.45, 0.51], come=[1, 1, 1])
both, slower = page.slower_rows(old, new)
assert len(both) == 4, both
assert slower == [("AVX2", "easy", "loop"), ("any processor", "easy", "loop")], slower
assert page.slower_rows(old, old)[1] == []
other = measured(easy=[0.1, 0.1, 0.1])
for report in other["reports"]:
    report["rows"][0]["reference"] = "another loop"
assert page.slower_rows(old, other) == ([], []), "another reference says nothing"

text = page.page("before\n<!-- measured -->\nold\n<!-- end -->\nafter\n", old)
assert text.startswith("before\n") and text.endswith("<!-- end -->\nafter\n") and "\nold\n" not in text, text
assert [line.split() for line in text.splitlines() if line.startswith("easy")] == [
    ["easy", "2", "M", "jobs/s", "2.10", "2.00..2.20", "2.10", "2.00..2.20", "loop"]], text
assert page.page(text, old) == text, "writing twice changes nothing"
print("passed")
