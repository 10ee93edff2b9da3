#include "campaigns/certify/certificate_page.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "campaigns/report/text_table.hpp"

namespace schedfarm::campaigns {

namespace {

enum class Part : std::uint8_t { rows, negative_controls };

/// Rows of one campaign that are shown together, by position.
struct Group {
    const Plan* plan = nullptr;
    Part part = Part::rows;
    std::vector<std::size_t> rows;
};

Part part_of(const CertificateRow& row) {
    return row.certificate.is_negative_control ? Part::negative_controls : Part::rows;
}

/// Campaign by campaign; first all rows, then all negative controls.
std::vector<Group> groups_of(const std::vector<CertificateRow>& rows) {
    std::vector<Group> groups;
    for (const Part part : {Part::rows, Part::negative_controls}) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (part_of(rows[i]) != part) {
                continue;
            }
            if (groups.empty() || groups.back().plan != rows[i].plan
                || groups.back().part != part) {
                groups.push_back({rows[i].plan, part, {}});
            }
            groups.back().rows.push_back(i);
        }
    }
    return groups;
}

std::string band_text(const Certificate& certificate) {
    return fmt::format("[{:g}, {:g}]", certificate.low, certificate.high);
}

std::string found_text(const RowResult& result) {
    return result.failure.empty()
               ? fmt::format("{:.4f} ± {:.4f}", result.found, result.standard_error)
               : "-";
}

std::string number_text(const RowResult& result, double value) {
    return result.failure.empty() ? fmt::format("{:.4g}", value) : "-";
}

/// What the rows of a group are judged by.
std::string found_heading(const Group& group, const std::vector<CertificateRow>& rows) {
    const auto biased = std::count_if(group.rows.begin(), group.rows.end(), [&](std::size_t i) {
        return is_bias_subject(rows[i].certificate.subject);
    });
    if (biased == 0) {
        return "coverage";
    }
    return static_cast<std::size_t>(biased) == group.rows.size() ? "relative bias"
                                                                 : "coverage or bias";
}

std::string title_of(const Group& group) {
    const std::string name = group.plan->name.empty() ? "campaign" : group.plan->name;
    return group.part == Part::negative_controls ? "Negative controls: " + name : name;
}

void add_notes(
    const Group& group,
    const std::vector<CertificateRow>& rows,
    const std::vector<RowResult>& results,
    TextTable& table
) {
    for (const std::size_t i : group.rows) {
        const RowResult& result = results[i];
        if (!result.failure.empty()) {
            table.notes.push_back(row_name(rows[i]) + ": " + result.failure);
        }
        if (result.incomplete > 0) {
            table.notes.push_back(fmt::format(
                "{}: {} of {} macro-runs ended before their precision was met.",
                row_name(rows[i]),
                result.incomplete,
                result.macro_runs
            ));
        }
        if (result.different > 0) {
            table.notes.push_back(fmt::format(
                "{}: {} of {} macro-runs gave other bits than replications that finish in order.",
                row_name(rows[i]),
                result.different,
                result.macro_runs
            ));
        }
    }
}

TextTable terminal_table(
    const Group& group,
    const std::vector<CertificateRow>& rows,
    const std::vector<RowResult>& results
) {
    TextTable table;
    table.title = title_of(group);
    table.columns = {
        {"cell", Alignment::left, Overflow::wrap},
        {"band", Alignment::left},
        {found_heading(group, rows), Alignment::right},
        {"used", Alignment::right},
        {"verdict", Alignment::left, Overflow::wrap}};
    for (const std::size_t i : group.rows) {
        table.rows.push_back(
            {row_name(rows[i]),
             band_text(rows[i].certificate),
             found_text(results[i]),
             number_text(results[i], results[i].mean_used),
             verdict_text(rows[i], results[i])}
        );
    }
    add_notes(group, rows, results, table);
    return table;
}

std::string workers_text(const Certificate& certificate) {
    switch (certificate.subject) {
        case CertificateSubject::interval:
            return "";
        case CertificateSubject::ordered_prefix:
            return fmt::format(", {} workers", certificate.virtual_workers);
        case CertificateSubject::first_finished:
            return fmt::format(", first finished of {} workers", certificate.virtual_workers);
        case CertificateSubject::mser_per_replication:
            return ", every replication cut by its own MSER-5";
    }
    return "";
}

TextTable page_table(
    const Group& group,
    const std::vector<CertificateRow>& rows,
    const std::vector<RowResult>& results
) {
    TextTable table;
    table.title = title_of(group);
    const Plan& plan = *group.plan;
    table.source = fmt::format(
        "{}{}`{}`, seed {}, plan `{}`",
        plan.description,
        plan.description.empty() ? "" : "\n\n",
        std::filesystem::path(plan.source.main_file).filename().string(),
        plan.seed,
        plan.plan_hash
    );
    table.columns = {
        {"cell", Alignment::left},
        {"truth", Alignment::right},
        {"known from", Alignment::left},
        {"band", Alignment::left},
        {"replications", Alignment::right},
        {"half-width", Alignment::right},
        {found_heading(group, rows), Alignment::right},
        {"verdict", Alignment::left}};
    for (const std::size_t i : group.rows) {
        const CertificateRow& row = rows[i];
        table.rows.push_back(
            {row_name(row) + workers_text(row.certificate),
             fmt::format("{} {:.6g}", row.certificate.metric, row.truth),
             row.source,
             band_text(row.certificate),
             number_text(results[i], results[i].mean_used),
             number_text(results[i], results[i].mean_half_width),
             found_text(results[i]),
             verdict_text(row, results[i])}
        );
    }
    add_notes(group, rows, results, table);
    return table;
}

std::string closing_line(const std::vector<RowResult>& results) {
    const auto good = std::count_if(results.begin(), results.end(), [](const RowResult& result) {
        return result.is_as_it_should_be;
    });
    return fmt::format("{} of {} rows are as they should be", good, results.size());
}

std::string page_head(const PageOrigin& origin, const std::vector<RowResult>& results) {
    std::uint64_t macro_runs = 0;
    double cpu_seconds = 0;
    for (const RowResult& result : results) {
        macro_runs = std::max(macro_runs, result.macro_runs);
        cpu_seconds += result.cpu_seconds;
    }
    return fmt::format(
        R"(# Coverage certificate

Generated by `{}`. Do not edit this page: run the command again.

| | |
|---|---|
| outcome | {} |
| date | {} |
| program | {} |
| macro-runs per row | {} |
| CPU time | {:.1f} min |

Does a 95 % interval of this program contain the truth in 95 % of all campaigns? Every row is a cell whose
true value is known exactly. A macro-run is the whole cell under a seed of its own, run to its own end by the
parts that `schedfarm run` uses: replications, ordered prefix, stop rule, interval. Macro-run k of cell c has as
its seed the first 64 bits of SHA-256("schedfarm certificate\n" name "\n" seed "\n" c "\n" k), name and seed
being the campaign's.

Coverage p, the share of M macro-runs whose interval contains the truth, has standard error √(p(1 − p)/M), at
least 1/M. A row *holds* when its band has a point within 3 standard errors of what was found. *Negative
controls* are methods known to be wrong, judged by the same rule: they must fail, or the certificate could not
tell right from wrong. Rows on bias show the mean relative error and its standard error; the band [0, 0] says
that it is less than 3 standard errors. Their replications run on virtual workers whose tasks take as long as
the result says, and estimates from the ordered prefix must have the same bits as from one worker. The
half-width of the interval is relative to the truth.
)",
        origin.command,
        closing_line(results),
        origin.date,
        origin.program,
        macro_runs,
        cpu_seconds / 60
    );
}

}  // namespace

std::string certificate_text(
    const std::vector<CertificateRow>& rows,
    const std::vector<RowResult>& results,
    std::size_t width
) {
    SCHEDFARM_EXPECT(rows.size() == results.size(), "one result per row");
    std::string text;
    for (const Group& group : groups_of(rows)) {
        text += render(terminal_table(group, rows, results), ReportFormat::text, width) + "\n";
    }
    return text + closing_line(results) + ".\n";
}

std::string certificate_markdown(
    const PageOrigin& origin,
    const std::vector<CertificateRow>& rows,
    const std::vector<RowResult>& results
) {
    SCHEDFARM_EXPECT(rows.size() == results.size(), "one result per row");
    std::string text = page_head(origin, results);
    Part part = Part::rows;
    for (const Group& group : groups_of(rows)) {
        if (group.part != part) {
            text += "\n## Negative controls\n";
            part = group.part;
        }
        text += "\n" + render(page_table(group, rows, results), ReportFormat::markdown);
    }
    return text;
}

}  // namespace schedfarm::campaigns
