// Grid Engine, accounting(5): fields of SGE and its heirs in one order, divided by colons; UGE has
// more behind them, and its times are milliseconds. Only the category, which holds what the user
// asked for, may hold colons itself ("-l h_rt=1:00:00").
#include <algorithm>
#include <array>
#include <vector>

#include "models/trace/batch_systems/record_reader.hpp"
#include "models/trace/reading/number.hpp"

namespace schedfarm::models::trace {

namespace {

enum Place : std::size_t {
    qname,
    hostname,
    group,
    owner,
    job_number = 5,
    submission_time = 8,
    start_time,
    end_time,
    failed,
    exit_status,
    ru_wallclock,
    project = 31,
    slots = 34,
    task_number,
    category = 39,
    iow,
    pe_taskid,
    maxvmem,
    qdel_info = 46,
};

std::vector<std::string_view> fields_of(std::string_view record) {
    std::vector<std::string_view> fields;
    while (!record.empty()) {
        fields.push_back(taken_until(record, ':'));
    }
    return fields;
}

bool begins_grid_engine_record(std::string_view line) {
    const std::vector<std::string_view> fields = fields_of(line);
    return fields.size() > ru_wallclock
           && std::all_of(
               fields.begin() + submission_time,
               fields.begin() + ru_wallclock,
               [](std::string_view field) { return parse_integer(field).has_value(); }
           );
}

/// The fields, the category in one piece: behind it all but pe_taskid are numbers.
std::vector<std::string_view> record_fields(std::string_view record) {
    std::vector<std::string_view> fields = fields_of(record);
    const auto is_iow = [&fields](std::size_t place) {
        return std::ranges::all_of(std::array<std::size_t, 4>{0, 2, 3, 4}, [&](std::size_t offset) {
            return place + offset >= fields.size() || parse_number(fields[place + offset]);
        });
    };
    std::size_t behind = iow;
    while (behind < fields.size() && !is_iow(behind)) {
        ++behind;
    }
    if (behind > iow && behind < fields.size()) {
        const char* const begin = fields[category].data();
        const char* const end = fields[behind - 1].data() + fields[behind - 1].size();
        fields[category] = {begin, static_cast<std::size_t>(end - begin)};
        fields.erase(fields.begin() + iow, fields.begin() + static_cast<std::ptrdiff_t>(behind));
    }
    return fields;
}

/// Of "-q long.q -l h_rt=3600,h_vmem=2G -pe mpi 8-16" what stands behind "h_rt=" or "-pe mpi ".
std::string_view requested(std::string_view category, std::string_view key) {
    constexpr std::string_view separators = ", \n";
    for (std::size_t at = category.find(key); at != std::string_view::npos;
         at = category.find(key, at + 1)) {
        if (at == 0 || separators.find(category[at - 1]) != std::string_view::npos) {
            category.remove_prefix(at + key.size());
            return category.substr(0, category.find_first_of(separators));
        }
    }
    return {};
}

/// 25: put back into the queue; 24: moved to another host; 100: ended by a signal.
JobState grid_engine_state(const TableRow& row, const std::vector<std::string_view>& fields) {
    const std::string_view failure = fields[failed];
    const bool is_deleted =
        fields.size() > qdel_info && !fields[qdel_info].empty() && fields[qdel_info] != "NONE";
    const bool is_over = row.limit > 0 && row.end.seconds - row.start.seconds >= row.limit;
    return failure == "24" || failure == "25"             ? JobState::requeued
           : row.start.seconds < 0 || is_deleted          ? JobState::cancelled
           : failure == "100" && is_over                  ? JobState::timeout
           : failure == "0" && fields[exit_status] == "0" ? JobState::completed
                                                          : JobState::failed;
}

RecordKind read_grid_engine(std::string_view record, RecordFields& row_fields) {
    const std::vector<std::string_view> fields = record_fields(record);
    const auto field = [&fields](Place place) {
        return place < fields.size() && fields[place] != "NONE" ? fields[place]
                                                                : std::string_view();
    };
    if (!field(pe_taskid).empty()) {
        return RecordKind::step;
    }
    TableRow& row = row_fields.row;
    row_fields.set_job(field(job_number), field(task_number));
    constexpr double last_of_seconds = 1e11;
    const bool is_ms = parse_number(field(submission_time)).value_or(0) > last_of_seconds;
    const auto time = [&](std::string_view name, Place place) {
        return row_fields.time(name, field(place), is_ms ? 0.001 : 1);
    };
    row.submit = time("submission_time", submission_time);
    row.start = time("start_time", start_time);
    row.end = time("end_time", end_time);
    row.user = field(owner);
    row.group = field(project).empty() ? field(group) : field(project);
    row.queue = field(qname);
    row.processors = row_fields.count("slots", field(slots));
    const std::string_view asked = field(category);
    row.limit = row_fields.limit("h_rt", requested(asked, "h_rt="));
    row.memory = row_fields.memory("h_vmem", requested(asked, "h_vmem="), Memory::Per::processor);
    if (const std::size_t pe = asked.find("-pe "); pe != std::string_view::npos) {
        std::string_view number = asked.substr(pe + 4);
        taken_until(number, ' ');
        number = number.substr(0, number.find_first_of(" -,"));
        row.requested_processors = row_fields.count("-pe", number);
    }
    row.state = grid_engine_state(row, fields);
    return RecordKind::job;
}

}  // namespace

const BatchSystem grid_engine_system{
    .name = "Grid Engine",
    .way_out = "Give the file accounting as Grid Engine wrote it",
    .begins_record = begins_grid_engine_record,
    .read = read_grid_engine,
    .is_incomplete = [](std::string_view record) {
        return fields_of(record).size() <= maxvmem;
    }};

}  // namespace schedfarm::models::trace
