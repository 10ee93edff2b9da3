#include "models/trace/tables/json_reader.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/trace/reading/foreign_text.hpp"
#include "models/trace/reading/letters.hpp"
#include "models/trace/tables/read_cell.hpp"

namespace schedfarm::models::trace {

namespace {

using Json = nlohmann::json;

constexpr std::size_t deepest = 64;
constexpr std::size_t longest_job = std::size_t{1} << 26U;   ///< with its steps
constexpr std::size_t longest_rest = std::size_t{1} << 28U;  ///< with the profiles of all jobs

/// Where `sacct --json` has what its columns say, "a.b" for b within a.
const ColumnMap& sacct_values() {
    static const ColumnMap map = column_map(
        "id=job_id; submit=time.submission; eligible=time.eligible; start=time.start; "
        "end=time.end; run=time.elapsed; suspended=time.suspended; limit=time.limit [min]; "
        "nodes=allocation_nodes; requested_nodes=tres.requested [node]; "
        "processors=tres.allocated [cpu]; requested_processors=required.CPUs; "
        "requested_processors=tres.requested [cpu]; gpus=tres.allocated [gres/gpu]; "
        "gpus=tres.requested [gres/gpu]; memory=tres.requested [mem]; memory=tres.allocated [mem]; "
        "user=user; user=association.user; group=account; partition=partition; qos=qos; "
        "state=state.current; started_by=flags; node_list=nodes; submit_line=submit_line; "
        "cluster=cluster; constraint=constraints; licences=licenses"
    );
    return map;
}

Json parsed(const LogBuilder& log, std::uint64_t line, const std::string& text) {
    std::vector<std::set<std::string>> keys;
    const Json value = Json::parse(
        text,
        [&](int /*depth*/, Json::parse_event_t event, Json& key) {
            if (event == Json::parse_event_t::object_start) {
                keys.emplace_back();
            } else if (event == Json::parse_event_t::object_end) {
                keys.pop_back();
            } else if (event == Json::parse_event_t::key
                       && !keys.back().insert(key.get<std::string>()).second) {
                log.fail(
                    line,
                    fmt::format(
                        "key '{}' comes twice in one object (which is meant is not known). Leave "
                        "the other out.",
                        shown(key.get<std::string>(), 40)
                    )
                );
            }
            return true;
        },
        false
    );
    if (value.is_discarded()) {
        log.fail(line, foreign_json_text());
    }
    return value;
}

/// Null where it is not there.
const Json& value_at(const Json& object, std::string_view path) {
    static const Json nothing;
    const Json* value = &object;
    while (!path.empty()) {
        const std::string_view key = path.substr(0, path.find('.'));
        path.remove_prefix(std::min(key.size() + 1, path.size()));
        if (!value->is_object() || !value->contains(key)) {
            return nothing;
        }
        value = &(*value)[std::string(key)];
    }
    return *value;
}

/// As a cell of sacct has it: "cpu=4,gres/gpu:a100=2,mem=4000M" of a list of TRES, the first of
/// other lists; later versions write {"set": true, "infinite": false, "number": 60} for 60.
std::string cell_of(const Json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_number()) {
        return value.dump();
    }
    if (value.is_object()) {
        const Json& infinite = value_at(value, "infinite");
        const Json& set = value_at(value, "set");
        return infinite.is_boolean() && infinite.get<bool>() ? "UNLIMITED"
               : set.is_boolean() && !set.get<bool>()        ? ""
                                                             : cell_of(value_at(value, "number"));
    }
    std::string text;
    for (const Json& item : value.is_array() ? value : Json::array()) {
        if (!item.is_object()) {
            text += (text.empty() ? "" : ",") + cell_of(item);
            continue;
        }
        const std::string type = cell_of(value_at(item, "type"));
        const std::string name = cell_of(value_at(item, "name"));
        text += fmt::format(
            "{}{}{}{}={}{}",
            text.empty() ? "" : ",",
            type,
            name.empty() ? "" : "/",
            name,
            cell_of(value_at(item, "count")),
            type == "mem" ? "M" : ""
        );
    }
    return text;
}

double number_of(const Json& object, const char* key) {
    const Json& value = value_at(object, key);
    return value.is_number() ? value.get<double>() : not_said;
}

/// "11_4" of an array, "12_[5-9]" of what is left of one, "15+1" of a heterogeneous job.
std::string task_of(const Json& job) {
    const std::string array = cell_of(value_at(job, "array.job_id"));
    const std::string number = cell_of(value_at(job, "array.task_id"));
    const std::string rest = cell_of(value_at(job, "array.task"));
    const std::string het = cell_of(value_at(job, "het.job_id"));
    const std::string offset = cell_of(value_at(job, "het.job_offset"));
    if (!array.empty() && array != "0" && !(number.empty() && rest.empty())) {
        return number.empty() ? fmt::format("{}_[{}]", array, rest) : array + "_" + number;
    }
    return het.empty() || het == "0" || offset.empty() ? cell_of(value_at(job, "job_id"))
                                                       : het + "+" + offset;
}

/// "delay" of versions 3 and 4, "DelayProfile" of later ones.
double length_of(const Json& profiles, const std::string& name) {
    const auto found = profiles.find(name);
    if (found == profiles.end() || !found->is_object()) {
        return not_said;
    }
    const std::string type = cell_of(value_at(*found, "type"));
    return type == "delay" || type == "DelayProfile" ? number_of(*found, "delay") : not_said;
}

}  // namespace

JsonReader::JsonReader(LogBuilder& log, const RowChoice& choice)
    : log_(log), jobs_(log, "", choice) {}

std::size_t JsonReader::add(std::string_view text, bool /*is_last*/) {
    for (const char c : text) {
        line_ += c == '\n' ? 1U : 0U;
        add_letter(c);
    }
    return text.size();
}

void JsonReader::add_letter(char c) {
    const bool is_of_job = is_in_jobs_ && depth_ >= 3;
    const bool is_bracket = !is_in_text_ && (c == '{' || c == '[');
    const bool is_end = !is_in_text_ && (c == '}' || c == ']');
    if (is_bracket && depth_ == 1) {
        is_in_jobs_ = key_ == "jobs" && c == '[';
        has_jobs_ = has_jobs_ || is_in_jobs_;
    }
    depth_ += is_bracket ? 1U : 0U;
    if (depth_ > deepest) {
        log_.fail(
            line_,
            fmt::format("more than {} brackets within each other. Check that it is a log.", deepest)
        );
    }
    const bool begins_job = is_bracket && is_in_jobs_ && depth_ == 3;
    job_line_ = begins_job ? line_ : job_line_;
    std::string& part = is_of_job || begins_job ? job_ : rest_;
    // What stands between the jobs, commas and blanks, is none of the rest.
    if (&part == &job_ || !is_in_jobs_ || depth_ < 2 || is_bracket || is_end) {
        part += c;
    } else if (c != ',' && std::string_view(" \t\r\n").find(c) == std::string_view::npos) {
        log_.fail(
            line_,
            "this is JSON other than Batsim's and sacct's (something else than an object stands "
            "among the jobs). Check that it is a log."
        );
    }
    if (part.size() > (is_of_job ? longest_job : longest_rest)) {
        log_.fail(
            line_,
            fmt::format(
                "{} of more than {} bytes. Check that it is a log.",
                is_of_job ? "a job" : "something beside the jobs",
                part.size() - 1
            )
        );
    }
    if (is_end) {
        depth_ -= depth_ > 0 ? 1U : 0U;
        if (is_of_job && depth_ == 2) {
            add_job();
        }
        is_in_jobs_ = is_in_jobs_ && depth_ > 1;
    }
    // The key that a bracket of the outermost object follows.
    if (depth_ == 1 && c == '"' && !is_in_text_) {
        key_.clear();
    } else if (depth_ == 1 && is_in_text_ && (c != '"' || is_escaped_) && key_.size() < 100) {
        key_ += c;
    }
    const bool is_quote = c == '"' && !is_escaped_;
    is_escaped_ = is_in_text_ && c == '\\' && !is_escaped_;
    is_in_text_ = is_in_text_ != is_quote;
}

void JsonReader::add_job() {
    const Json job = parsed(log_, job_line_, job_);
    job_.clear();
    if (!job.contains("time")) {
        const std::string name = cell_of(value_at(job, "id"));
        batsim_.push_back(
            {.line = job_line_,
             .id = name.substr(name.find('!') + 1),  // "w0!7": of workload w0
             .profile = cell_of(value_at(job, "profile")),
             .submit = number_of(job, "subtime"),
             .limit = number_of(job, "walltime"),
             .processors = number_of(job, "res")}
        );
        return;
    }
    TableRow row;
    row.line = job_line_;
    std::vector<std::string> cells;
    cells.reserve(sacct_values().columns.size() + 1);
    UnreadCells unread;
    std::string problem;
    for (const MappedColumn& mapped : sacct_values().columns) {
        cells.push_back(cell_of(value_at(job, mapped.column)));
        std::string_view cell = cells.back();
        if (mapped.quantity == Quantity::state) {
            cell = cell.substr(0, cell.find(','));  // flags stand behind it
        }
        KnownDay day;
        if (!read_cell(mapped, cell, row, day)) {
            unread.add(mapped.quantity);
            problem = fmt::format("its {} is '{}'", mapped.column, shown(cell, 40));
        }
    }
    cells.push_back(task_of(job));
    row.task = cells.back();
    if (is_lost(row, unread)) {
        log_.oddities().add(OddityKind::unreadable_row, row.line, 1, problem);
        return;
    }
    if (!unread.is_empty()) {
        log_.oddities().add(OddityKind::unread_cell, row.line, 1, problem);
    }
    jobs_.add(row);
}

void JsonReader::add_batsim_jobs() {
    const Json rest = parsed(log_, 1, rest_);
    const Json& profiles = value_at(rest, "profiles");
    if (!profiles.is_object()) {
        log_.fail(1, foreign_json_text());
    }
    const double processors = number_of(rest, "nb_res");
    if (processors > 0 && processors <= largest_job_number) {
        log_.header().lines.push_back(
            {.key = "MaxProcs", .value = std::to_string(static_cast<std::int64_t>(processors))}
        );
    }
    for (const BatsimJob& job : batsim_) {
        TableRow row;
        row.line = job.line;
        row.id = job.id;
        row.submit.seconds = job.submit;
        row.run = length_of(profiles, job.profile);
        row.has_length = row.run >= 0;
        row.limit = job.limit;
        row.processors = row.requested_processors =
            job.processors <= largest_job_number ? job.processors : not_said;
        jobs_.add(row);
    }
}

void JsonReader::finish() {
    if (depth_ != 0 || !has_jobs_) {
        log_.fail(1, foreign_json_text());
    }
    const bool is_sacct = log_.jobs() > 0 || batsim_.empty();
    if (!is_sacct || rest_.find("\"profiles\"") != std::string::npos) {
        add_batsim_jobs();
    } else {
        parsed(log_, 1, rest_);
    }
    jobs_.finish();
}

}  // namespace schedfarm::models::trace
