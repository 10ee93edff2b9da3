"""usage: page_test.py ROOT

The page shows every row on every set of instructions, and a comparison names the rows that lie wholly below."""
import sys

sys.path.insert(0, sys.argv[1] + "/bench")
import page  # noqa: E402


def measured(**ratios):
    rows = [{"name": name, "item": "jobs", "reference": "loop", "rate": 2e6, "ratios": pairs} for name, pairs in ratios.items()]
    reports = [{"instructions": each, "program": "schedfarm", "processor": "P", "seconds": 1, "rows": rows}
               for each in ("AVX2", "any processor")]
    return {"command": "measure", "date": "2026-11-30", "reports": reports}


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

one = page.joined([old])
text = page.page("before\n<!-- measured -->\nold\n<!-- end -->\nafter\n", one)
assert text.startswith("before\n") and text.endswith("<!-- end -->\nafter\n") and "\nold\n" not in text, text
assert [line.split() for line in text.splitlines() if line.startswith("easy")] == [
    ["easy", "2", "M", "jobs/s", "2.10", "2.00..2.20", "2.10", "2.00..2.20", "loop"]], text
assert page.page(text, one) == text, "writing twice changes nothing"

text = page.page("<!-- rate of easy -->9 M<!-- --> <!-- rate of gone by -->7 M<!-- -->\n<!-- measured -->\n<!-- end -->\n", one)
assert text.startswith("<!-- rate of easy -->2 M jobs/s<!-- --> <!-- rate of gone by -->7 M<!-- -->\n"), text

parts = "<!-- measured: fcfs; go -->\n<!-- end -->\n<!-- measured: eas -->\n<!-- end -->\n"
text = page.page(parts, page.joined([measured(easy=[2.0, 2.1, 2.2], fcfs=[0.5, 0.6, 0.7], gone=[1, 1, 1]),
                                     measured(fcfs=[0.3, 0.61, 0.62], easy=[2.5, 2.6, 2.7])]))
assert [line.split()[:1] + line.split()[4:6] for line in text.splitlines() if "loop" in line] == [
    ["fcfs", "0.61", "0.30..0.70"], ["gone", "1.00", "1.00..1.00"], ["easy", "2.50", "2.00..2.70"]], text
assert text.count("of 2 runs on 2026-11-30") == 1, text

both_tables = "<!-- times of start -->?<!-- -->, <!-- cpu of start -->?<!-- -->\n<!-- commands -->\n<!-- end -->\n<!-- measured -->\n<!-- end -->\n"
row = {"name": "start", "reference": "-w 0", "cpu_s": 0.25, "wall_s": 0.375, "mib": 17, "times": [1.5, 1.75, 2.5]}
told = {"command": "commands", "processor": "P", "rows": [row]}
text = page.page(both_tables, told)
assert text.startswith("<!-- times of start -->1.75<!-- -->, <!-- cpu of start -->0.25 s<!-- -->\n<!-- commands -->\n`commands` on P: medians of 3 pairs."), text
assert [line.split() for line in text.splitlines() if line.startswith("start")] == [
    ["start", "0.25", "s", "0.375", "s", "17", "MiB", "1.75", "1.50..2.50", "-w", "0"]], text
assert page.page(text, told) == text and text.endswith("<!-- measured -->\n<!-- end -->\n"), text
slow = {**told, "rows": [{**row, "times": [2.75, 3.0, 3.5]}]}
assert page.slower_rows(told, slow)[1] == [("whole commands", "start", "-w 0")]
assert page.slower_rows(slow, told)[1] == []
print("passed")
