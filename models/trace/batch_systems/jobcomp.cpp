// Slurm's jobcomp/filetxt: "JobId=17 UserId=u(1000) GroupId=… Name=… JobState=… …", the keys in one
// order. The name and the folder may hold anything, so that keys are looked for between others that
// cannot be in them.
#include <algorithm>

#include "models/trace/batch_systems/record_reader.hpp"
#include "models/trace/reading/letters.hpp"

namespace schedfarm::models::trace {

namespace {

bool begins_jobcomp_record(std::string_view line) {
    constexpr std::string_view key = "JobId=";
    return line.size() > key.size() && line.starts_with(key) && is_digit(line[key.size()]);
}

/// The text in parts at what may stand in no other: before the name, between name and folder,
/// behind.
struct Parts {
    std::string_view head;
    std::string_view middle;
    std::string_view tail;
};

Parts parts_of(std::string_view record) {
    const std::size_t name = std::min(record.find(" Name="), record.size());
    std::size_t state = record.find(" JobState=", name);
    for (std::size_t next = state; next != std::string_view::npos;
         next = record.find(" JobState=", next + 1)) {
        const std::string_view word = record.substr(next + 1);
        if (word.substr(std::min(word.find(' '), word.size())).starts_with(" Partition=")) {
            state = next;
        }
    }
    state = std::min(state, record.size());
    const std::size_t folder = std::min(record.find(" WorkDir=", state), record.size());
    return {record.substr(0, name), record.substr(state, folder - state), record.substr(folder)};
}

/// Behind the last " key="; "(null)" and "" say nothing.
std::string_view value_behind(std::string_view part, std::string_view key) {
    for (std::size_t at = part.rfind(key); at != std::string_view::npos && at > 0;
         at = part.rfind(key, at - 1)) {
        std::string_view value = part.substr(at + key.size());
        if (part[at - 1] == ' ' && value.starts_with('=')) {
            value = value.substr(1, value.find(' ') - 1);
            return value == "(null)" ? std::string_view() : value;
        }
    }
    return {};
}

RecordKind read_jobcomp(std::string_view record, RecordFields& fields) {
    const auto [head, middle, tail] = parts_of(record);
    if (value_behind(tail, "SubmitTime").empty() || value_behind(middle, "EndTime").empty()) {
        return RecordKind::torn;
    }
    TableRow& row = fields.row;
    const std::string_view number = head.substr(6, head.find(' ') - 6);
    fields.set_job(number, "");
    if (const auto array = value_behind(tail, "ArrayJobId"); !array.empty()) {
        row.task =
            fields.kept(std::string(array) + "_" + std::string(value_behind(tail, "ArrayTaskId")));
    } else if (const auto het = value_behind(tail, "HetJobId"); !het.empty()) {
        row.task =
            fields.kept(std::string(het) + "+" + std::string(value_behind(tail, "HetJobOffset")));
    }
    const std::string_view state = value_behind(middle, "JobState");
    const auto known = state_of(state);
    row.has_unknown_state = !known;
    row.state = known.value_or(JobState::unknown);
    row.submit = fields.time("SubmitTime", value_behind(tail, "SubmitTime"));
    row.eligible = fields.time("EligibleTime", value_behind(tail, "EligibleTime"));
    row.end = fields.time("EndTime", value_behind(middle, "EndTime"));
    row.nodes = fields.count("NodeCnt", value_behind(middle, "NodeCnt"));
    row.node_list = value_behind(middle, "NodeList");
    const bool is_started = row.nodes > 0 || !row.node_list.empty();
    row.start =
        is_started ? fields.time("StartTime", value_behind(middle, "StartTime")) : CellTime{};
    const double processors = fields.count("ProcCnt", value_behind(middle, "ProcCnt"));
    (is_started ? row.processors : row.requested_processors) = processors;
    row.limit = fields.limit("TimeLimit", value_behind(middle, "TimeLimit"), 60);
    const std::string_view user = value_behind(head, "UserId");
    row.user = user.substr(0, user.find('('));
    row.group = value_behind(tail, "Account");
    row.partition = value_behind(middle, "Partition");
    row.qos = value_behind(tail, "QOS");
    row.gpus = fields.count("Tres", value_in_list(value_behind(tail, "Tres"), "gres/gpu"));
    return RecordKind::job;
}

}  // namespace

const BatchSystem jobcomp_system{
    .name = "jobcomp/filetxt",
    .way_out = "Older versions write too little: ask sacct -P, as slurm/sacct.sh does",
    .begins_record = begins_jobcomp_record,
    .read = read_jobcomp,
    .is_incomplete = [](std::string_view record) {
        return record.find(" ExitCode=") == std::string_view::npos;
    }};

}  // namespace schedfarm::models::trace
