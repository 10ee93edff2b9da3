// The reference page of the campaign file, in Markdown.
#include <map>
#include <string>

#include <fmt/format.h>

#include "app/campaign/keys/describe.hpp"
#include "app/campaign/keys/schema.hpp"
#include "app/campaign/keys/uses.hpp"

namespace schedfarm::app {

namespace {

/// Text that is safe in a table cell.
std::string cell_text(const std::string& text) {
    std::string result;
    for (const char c : text) {
        result += c == '|' ? std::string("\\|") : std::string(1, c);
    }
    return result;
}

enum class Presence { required, optional };

std::string table_row(
    const engine::ParameterDescription& row, const std::string& form, Presence presence
) {
    const bool is_empty_text = row.default_value && row.default_value->text() == "\"\"";
    const bool has_none = is_empty_text || presence == Presence::optional;
    const std::string shown = has_none ? "" : default_text(row);
    return fmt::format(
        "| `{}` | {} | {} | {} |\n",
        row.name,
        cell_text(row.meaning),
        cell_text(form.empty() ? type_text(row) : form),
        shown.empty() || shown == "required" ? shown : "`" + cell_text(shown) + "`"
    );
}

std::string section_text(const Section& section) {
    std::string text = fmt::format(
        "## {}\n\n{}\n\n| key | meaning | value | default |\n|---|---|---|---|\n",
        section.name == "campaign" ? "Top level" : "`" + section.name + "`",
        section.summary
    );
    for (std::size_t i = 0; i < section.keys.size(); ++i) {
        const bool is_optional = section.is_optional(section.keys[i].name);
        text += table_row(
            section.keys[i], section.forms[i], is_optional ? Presence::optional : Presence::required
        );
    }
    return text + "\n";
}

/// Rows that several alternatives share, by where they stand in full.
using PrintedRows = std::map<std::string, std::string>;

/// A long row once: it stands where it comes first, and others lead there.
std::string once(
    const engine::ParameterDescription& row, const std::string& owner, PrintedRows& printed
) {
    constexpr std::size_t short_row = 90;
    std::string text = table_row(row, "", Presence::required);
    const auto [first, is_new] = printed.emplace(text, owner);
    return is_new || text.size() <= short_row
               ? text
               : fmt::format(
                   "| `{}` | as of [`{}`](#{}) | | |\n", row.name, first->second, first->second
               );
}

std::string alternative_text(const engine::Alternative& alternative, PrintedRows& printed) {
    std::string text = fmt::format("### `{}`\n\n{}", alternative.name, alternative.summary);
    text +=
        alternative.source.empty() ? "\n\n" : fmt::format(" Source: {}.\n\n", alternative.source);
    if (alternative.parameters.empty()) {
        return text;
    }
    text += "| parameter | meaning | value | default |\n|---|---|---|---|\n";
    for (const engine::ParameterDescription& row : alternative.parameters) {
        text += once(row, alternative.name, printed);
    }
    return text + "\n";
}

const char* const introduction = R"md(# Campaign file

<!-- Generated from the program's tables by the test `docs_reference_test`; do not edit. -->

A campaign is a YAML file in UTF-8. Every problem of a file is reported at once as `file:line:column: reason.
Suggestion`, exit code 2, and nothing is started. Unknown and duplicate keys are errors. Numbers are decimal and finite;
`1e5` is an integer too. At most 100,000 cells.

Times of the workload, and results that are times (`time` in result files), are seconds for logs and the models that say so below. Else
they are in the unit that the campaign's own distributions mean, such as the mean service time. The seconds of a policy (`slice_s`) and the
threshold of `bounded_slowdown` are in the unit of the workload too: where that is the mean service time, a slice of 100 is a hundred
mean jobs long, and 10 is no short job.

Things with parameters (policies, distributions, probes, warm-up) are written in any of these forms; the last three put
the values in the order of the tables below:

```yaml
fcfs                              # every parameter has its default
{fpfs: {max_jumps: 7}}            # parameters by name
{uniform: [1, 4]}                 # parameters in order
{fpfs: 7}                         # the first parameter
{weights: [4, 3, 2, 1]}           # a first parameter that is a list
```

)md";

const char* const cells_text = R"md(## `include`

An included file lies below the file that includes it: `system`, `workload`, `horizon`, `random_numbers`, `pilot`,
`precision`, `claims`, `job_log`, `report`, `factors` and `derived` are merged key by key, everything else is replaced as a whole,
but that quantities, names and the list of claims grow. Whichever of `replications`, `precision` and `selection` a file gives replaces those of the files below it. Of several includes the later
wins. Names are relative to the including file.

## `factors`

Each factor is an axis of the grid; every combination of levels is a cell, the last factor varies fastest. A key is the path
of a value (`workload.request`, `policy`, `horizon.jobs`) or, for a zip, any name.

| form | levels |
|---|---|
| `path: [a, b, c]` | these |
| `path: {linear: {from: 0.1, to: 0.9, count: 9}}` | equally spaced |
| `load.utilization: {below_saturation: 8}` | that many loads ρ with 1 − ρ/ρ_max geometric from 0.8 to 0.05 |
| `load.utilization: {of_saturation: [0.5, 0.9]}` | these fractions of ρ_max |
| `seed: {first: 1, count: 400}`, `seed: [3, 5]` | campaigns of their own: `factors.seed` |
| `path: {levels: [a, b, c], labels: […]}` | these, called otherwise in tables, figures and wherever levels are named |
| `name: {zip: {path: […], path: […]}, labels: […]}` | several paths varied together; labels are optional |

`policy.*.parameter` sets the parameter in the policies that have it and leaves others as they are, whatever factor names the policy.

ρ_max is the maximal utilization of the cell: the exact one where theory gives it (FCFS policies), else the estimate of a pilot
cell that the program adds (`pilot`), and the load is placed when the pilot is done. Placed loads are rounded to four digits; a
level that waits for a pilot is called `0.83 of saturation`. A pilot is saturated and has no load: reports call it `pilot` there.

## `overrides`

A list of `{when: {…}, set: {…}}`, after the factors: cells that have all values of `when` (a factor's label, or the value at
a path; a bare name stands for an alternative with any parameters) get those of `set`. A later override wins.

## `derived`

`path: "expression"`, computed last, in every cell: numbers, paths, factors with numbers, `+ - * / ( )`, `min(a, b)`,
`max(a, b)`, `round(x)`. An override of the same path wins.

```yaml
derived: {horizon.jobs: "20000 * (1 + load.utilization)"}
```

## Groups

`comparison` and `selection` look at one factor: cells that agree in all other factors form a group, and within a group the levels
of the factor are compared. Loads that the program places agree where their fractions of ρ_max do.

```yaml
comparison: {factor: policy, metric: response_time, baseline: fcfs}
selection: {factor: policy, metric: response_time, best: smallest, indifference: 0.05}
control_variates: {metric: response_time, controls: [service_time, interarrival_time]}
```

## `reference`

A CSV file with the values that a paper prints; lines that begin with `#` are comments. Columns: factors (enough of them to name
one cell; labels, or equal numbers), `metric`, `value` as printed (its digits say how it was rounded), and optionally
`known_label` (compares the value with theory instead of a measurement), `runs` (independent runs behind it), `column` (heading),
`note`.

## Claims

```yaml
claims:
  quantities: {normalized: "response_time.mean[class] / service_time.mean[class]"}   # of all jobs of a class
  names: {easy: "normalized{policy=easy}"}          # or what a paper prints, class by class: [1.5, 1.7, 2.1]
  list:
    - id: small jobs gain
      paper: Small jobs have shorter response times than under EASY.
      where: section 6
      value: normalized{policy=migration_gang} / easy
      in: {class: [0, 1, 2], timeplexing_cycle_s: all}
      below: 1
```

`normalized` in a value is its mean over the replications of a cell: the cell with the levels in `in`, where those in braces
replace them; factors may be called by the last part of their names. Of a class other than that in `in`: `normalized[8]`. The interval is that of
the jackknife over replications with equal numbers; where the value is linear in the means, the paired t interval.

A claim *holds at* a place if the interval lies within what it says, *fails there* if the interval lies outside, and is open
where it straddles. With k places `needs` says at how many of them it must hold: m = k (`every`), more than half (`most`), or 1
(`some`). It holds if it holds at m of them with intervals at confidence 1 − α / (k − m + 1), and does not hold if it fails at k − m + 1 of them with
intervals at 1 − α / m (Benjamini & Heller 2008); either is wrong with probability at most α. With one
replication, as of a log that is not resampled, there is no interval: the verdict is that of its one schedule.

)md";

}  // namespace

std::string reference_markdown() {
    std::string text = introduction;
    for (const Section& section : sections()) {
        text += section_text(section);
    }
    text += uses_markdown();
    text += cells_text;
    PrintedRows printed;
    for (const AlternativeGroup& group : documented_groups()) {
        text += "## " + group.heading + "\n\n";
        for (const engine::Alternative& alternative : group.alternatives) {
            text += alternative_text(alternative, printed);
        }
    }
    text.pop_back();  // one newline at the end
    return text;
}

}  // namespace schedfarm::app
