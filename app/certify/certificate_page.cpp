#include "app/certify/certificate_page.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

#include "app/report/text_table.hpp"

namespace schedfarm::app {

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

/// A bias of so many standard errors beyond the band is found outside it in nine of ten
/// certificates: 3 for the band, 1.28 for chance.
constexpr double certain_bias = 4.28;

bool is_measured(const RowResult& result) {
    return result.failure.empty() && result.judged >= 2;
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
    return is_measured(result) ? fmt::format("{:.4f} ± {:.4f}", result.found, result.standard_error)
                               : "-";
}

/// What a row on a coverage would show of a false one, or a row on a bias of a bias.
std::string power_text(const CertificateRow& row, const RowResult& result) {
    if (!is_measured(result)) {
        return "-";
    }
    const Certificate& certificate = row.certificate;
    if (is_bias_subject(certificate.subject)) {
        return fmt::format("{:.2g}", certain_bias * result.standard_error);
    }
    std::string text;
    for (const auto& coverage : {coverage_below(certificate), coverage_above(certificate)}) {
        if (coverage) {
            const double power = power_at(certificate, result.judged, *coverage);
            text += fmt::format("{}{:.2f} at {:g}", text.empty() ? "" : ", ", power, *coverage);
        }
    }
    return text.empty() ? "-" : text;
}

std::string number_text(const RowResult& result, double value) {
    return is_measured(result) ? fmt::format("{:.4g}", value) : "-";
}

/// Beside the mean of those that have two ends, how many have not.
std::string half_width_text(const RowResult& result) {
    if (!is_measured(result) || result.without_end == 0) {
        return number_text(result, result.mean_half_width);
    }
    const std::string endless = fmt::format("∞ in {}", result.without_end);
    return result.without_end == result.judged
               ? endless
               : fmt::format("{}, {}", number_text(result, result.mean_half_width), endless);
}

/// What the rows of a group are judged by.
std::string found_heading(const Group& group, const std::vector<CertificateRow>& rows) {
    std::vector<std::string> words;
    for (const std::size_t i : group.rows) {
        const CertificateSubject subject = rows[i].certificate.subject;
        const char* word = is_bias_subject(subject)                  ? "bias"
                           : subject == CertificateSubject::decision ? "share"
                                                                     : "coverage";
        if (std::find(words.begin(), words.end(), word) == words.end()) {
            words.emplace_back(word);
        }
    }
    return fmt::format("{}", fmt::join(words, " or "));
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
        if (!result.other_ends.empty()) {
            std::vector<std::string> ends;
            for (const auto& [end, count] : result.other_ends) {
                ends.push_back(fmt::format("{} {}", count, end));
            }
            table.notes.push_back(fmt::format(
                "{}: {} of {} macro-runs are counted apart: {}.",
                row_name(rows[i]),
                result.macro_runs - result.judged,
                result.macro_runs,
                fmt::join(ends, ", ")
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
    TextTable table = text_table(
        title_of(group), {"~cell", "<band", ">" + found_heading(group, rows), ">used", "~verdict"}
    );
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
        case CertificateSubject::bias:
        case CertificateSubject::decision:
            return "";
        case CertificateSubject::ordered_prefix:
            return fmt::format(", {} workers", certificate.virtual_workers);
        case CertificateSubject::first_finished:
            return fmt::format(", first finished of {} workers", certificate.virtual_workers);
        case CertificateSubject::every_look:
            return ", at every look";
        case CertificateSubject::mser_per_replication:
            return ", every replication cut by its own MSER-5";
    }
    return "";
}

/// The source files of what the rows certify.
std::string procedure_text(const Group& group, const std::vector<CertificateRow>& rows) {
    std::set<std::string> files;
    for (const std::size_t i : group.rows) {
        for (const std::string& file : rows[i].certificate.procedure) {
            files.insert("`" + file + "`");
        }
    }
    return files.empty() ? "not named" : fmt::format("{}", fmt::join(files, ", "));
}

TextTable page_table(
    const std::string& program,
    const Group& group,
    const std::vector<CertificateRow>& rows,
    const std::vector<RowResult>& results
) {
    TextTable table = text_table(
        title_of(group),
        {"<cell",
         ">truth",
         "<known from",
         "<band",
         ">judged",
         ">replications",
         ">half-width",
         ">" + found_heading(group, rows),
         "<fails with probability",
         "<verdict"}
    );
    const Plan& plan = *group.plan;
    table.source = fmt::format(
        "{}{}`{}`, seed {}, plan `{}`, {}. Procedure: {}.",
        plan.description,
        plan.description.empty() ? "" : "\n\n",
        std::filesystem::path(plan.source.main_file).filename().string(),
        plan.seed,
        plan.plan_hash,
        program,
        procedure_text(group, rows)
    );
    for (const std::size_t i : group.rows) {
        const CertificateRow& row = rows[i];
        table.rows.push_back(
            {row_name(row) + workers_text(row.certificate),
             truth_text(row),
             row.source,
             band_text(row.certificate),
             fmt::format("{} of {}", results[i].judged, results[i].macro_runs),
             number_text(results[i], results[i].mean_used),
             half_width_text(results[i]),
             found_text(results[i]),
             power_text(row, results[i]),
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
    const auto left = std::count_if(results.begin(), results.end(), [](const RowResult& result) {
        return result.is_left;
    });
    const std::string text =
        fmt::format("{} of {} rows are as they should be", good - left, results.size());
    return left == 0 ? text : fmt::format("{}; {} are left to the long form", text, left);
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
| macro-runs of a row | {} |
| CPU time | {:.1f} min |

Does a 95 % interval of this program contain the truth in 95 % of all campaigns, and are its decisions as
often right as it says? Every row is a number or a decision whose truth is known. A macro-run is a whole campaign
under a seed of its own, run to its own end by the parts that `schedfarm run` uses: replications, ordered prefix,
stop rules, searches, comparisons, selections, claims. Macro-run k has as its seed the first 64 bits of
SHA-256("schedfarm certificate\n" name "\n" seed "\n" k), name and seed being the campaign's; rows of one campaign
share macro-runs.

The coverage p, the share of M macro-runs whose interval contains the truth, and a share of right decisions have
standard error √(p(1 − p)/M), at least 1/M. A row *holds* when its band has a point within 3 standard errors of
what was found. What it could have seen stands beside it: the probability that it fails where the true coverage
is .03 below its band or .02 above; of a bias, the size that fails with probability .9. Macro-runs that did not
end as planned (no target met, no number) are counted apart; a row fails when they are too many. *Negative
controls* are methods known to be wrong, judged by the same rule: they must fail, or the certificate could not
tell right from wrong. Rows on bias show the mean relative error and its standard error; the band [0, 0] says
that it is less than 3 standard errors. The replications of those on the ordered prefix run on virtual workers
whose tasks take as long as the result says, and their estimates must have the same bits as from one worker. The
half-width of an interval is relative to the truth, absolute where that is 0, and the mean of those macro-runs whose
interval has two ends; ∞ counts the others. Below a heading stand the program
that made its rows and the source files of the procedure; `tools/certificate_age.py` says which have changed since.
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
        text +=
            "\n" + render(page_table(origin.program, group, rows, results), ReportFormat::markdown);
    }
    return text;
}

}  // namespace schedfarm::app
