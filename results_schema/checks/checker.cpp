#include <algorithm>

#include <fmt/format.h>

#include "engine/foundation/hash.hpp"
#include "engine/foundation/utf8.hpp"

#include "results_schema/checks/validation.hpp"
#include "results_schema/loaded_file.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/schema.hpp"

namespace schedfarm::results_schema {

namespace {

void check_table_meanings(const ResultFile& results, std::vector<std::string>& problems) {
    for (const TableSchema& schema : schema_tables()) {
        const Table* table = results.find(schema.name);
        if (table != nullptr && table->meaning != schema.meaning) {
            problems.push_back(fmt::format("{}: meaning is '{}'", table->name, table->meaning));
        }
    }
}

bool has_form(std::string_view text, std::string_view form) {
    return std::equal(text.begin(), text.end(), form.begin(), form.end(), [](char c, char wanted) {
        return wanted == '0' ? c >= '0' && c <= '9' : c == wanted;
    });
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_sha256(std::string_view text) {
    return text.size() == 64
           && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// What the texts beside the tables must be, as far as that can be known.
void check_texts(const ResultFile& results, std::vector<std::string>& problems) {
    const auto text = [&results](std::string_view name) -> std::string {
        const Attribute* attribute = results.attribute(name);
        const auto* found =
            attribute == nullptr ? nullptr : std::get_if<std::string>(&attribute->value);
        return found == nullptr ? "" : *found;
    };
    const auto expect = [&](const char* name, bool holds, const char* wanted) {
        if (!holds) {
            problems.push_back(fmt::format("attribute '{}' is not {}", name, wanted));
        }
    };
    expect(
        "campaign_hash",
        text("campaign_hash") == engine::sha256_hex(text("campaign")),
        "the SHA-256 of the campaign's text"
    );
    expect("plan_hash", is_sha256(text("plan_hash")), "a SHA-256");
    expect("git_dirty", text("git_dirty") == "0" || text("git_dirty") == "1", "0 or 1");
    for (const char* name : {"seed", "results_version"}) {
        expect(name, is_number(text(name)), "a number");
    }
    for (const char* name : {"started", "finished"}) {
        expect(name, has_form(text(name), "0000-00-00T00:00:00Z"), "a moment in ISO 8601");
    }
    for (const AttributeSchema& schema : schema_attributes()) {
        const std::string value = text(schema.name);
        const bool is_of_campaign =
            schema.name.starts_with("campaign") || schema.name.starts_with("report_")
            || schema.name == "effective_configuration" || schema.name == "time_unit";
        expect(
            schema.name.c_str(),
            is_of_campaign || engine::without_controls(value) == value,
            "one line without control characters"
        );
    }
}

void check_job_logs(
    const std::filesystem::path& path, const LoadedFile& loaded, std::vector<std::string>& problems
) {
    for (const JobLogId& id : loaded.job_logs) {
        const StoredJobLog log = load_job_log(path, id, problems);
        const std::vector<std::string> found = job_log_problems(log, loaded.results);
        problems.insert(problems.end(), found.begin(), found.end());
    }
}

}  // namespace

std::vector<std::string> payload_problems(const ResultFile& results) {
    const Attribute* stored = results.attribute("payload_hash");
    const auto* text = stored == nullptr ? nullptr : std::get_if<std::string>(&stored->value);
    const std::string computed = payload_hash(results);
    if (text == nullptr) {
        return {"attribute 'payload_hash' is missing"};
    }
    return *text == computed
               ? std::vector<std::string>()
               : std::vector{
                   fmt::format("payload_hash is {}, but the payload's is {}", *text, computed)};
}

std::vector<std::string> check_results(const std::filesystem::path& path) {
    const LoadedFile loaded = load_results(path);
    std::vector<std::string> problems = problems_in(path, loaded);
    if (loaded.version.minor <= schema_minor) {
        check_texts(loaded.results, problems);
    }
    return problems;
}

std::vector<std::string> problems_in(const std::filesystem::path& path, const LoadedFile& loaded) {
    if (loaded.version.minor > schema_minor) {
        return {fmt::format(
            "schema version {}.{} is later than this program's {}.{}: what it adds cannot be "
            "checked. Check the file with the program that wrote it",
            loaded.version.major,
            loaded.version.minor,
            schema_major,
            schema_minor
        )};
    }
    std::vector<std::string> problems = loaded.remarks;
    const std::vector<std::string> structure = structural_problems(loaded.results);
    problems.insert(problems.end(), structure.begin(), structure.end());
    check_table_meanings(loaded.results, problems);
    const std::vector<std::string> payload = payload_problems(loaded.results);
    problems.insert(problems.end(), payload.begin(), payload.end());
    if (structure.empty()) {
        const std::vector<std::string> consistency = consistency_problems(loaded.results);
        problems.insert(problems.end(), consistency.begin(), consistency.end());
        check_job_logs(path, loaded, problems);
    }
    return problems;
}

}  // namespace schedfarm::results_schema
