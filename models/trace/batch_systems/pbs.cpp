// PBS Pro, OpenPBS and Torque: "01/31/2026 10:00:00;E;17.server;user=u queue=q ctime=… start=…". E
// are jobs that ended, R with start and end runs that were ended to run again (PBS Pro).
#include <algorithm>
#include <map>

#include "models/trace/batch_systems/record_reader.hpp"
#include "models/trace/reading/letters.hpp"

namespace schedfarm::models::trace {

namespace {

using Values = std::map<std::string, std::string, std::less<>>;

/// "MM/DD/YYYY HH:MM:SS;".
bool begins_pbs_record(std::string_view line) {
    std::string form(line.substr(0, 20));
    std::replace_if(form.begin(), form.end(), is_digit, '0');
    return form == "00/00/0000 00:00:00;";
}

/// "key=value key=value"; the first of a key counts, words without '=' are passed over.
Values values_in(std::string text) {
    Values values;
    std::string key;
    std::string word;
    bool is_quoted = false;
    text += '\n';
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (at + 1 == text.size() || (!is_quoted && (c == ' ' || c == '\n'))) {
            values.try_emplace(key, word);
            key = word = "";
        } else if (c == '"') {
            is_quoted = !is_quoted;
        } else if (c == '=' && key.empty()) {
            key.swap(word);
        } else {
            word += c == '\\' ? text[++at] : c;
        }
    }
    return values;
}

/// "n1/0*8+n2/0*8" of PBS Pro, "n1/7+n1/6", "n1/0-7,9" of Torque.
void read_hosts(std::string_view text, RecordFields& fields) {
    std::set<std::string_view> hosts;
    double processors = 0;
    while (!text.empty()) {
        std::string_view numbers = taken_until(text, '+');
        hosts.insert(taken_until(numbers, '/'));
        const std::size_t star = numbers.find('*');
        processors +=
            star < numbers.size() ? fields.count("exec_host", numbers.substr(star + 1)) : 0;
        while (star == std::string_view::npos && !numbers.empty()) {
            std::string_view last = taken_until(numbers, ',');
            const double first = fields.count("exec_host", taken_until(last, '-'));
            processors += last.empty() ? 1 : fields.count("exec_host", last) - first + 1;
        }
    }
    fields.set_hosts(hosts, std::max(processors, 0.0));
}

/// "2:ppn=8:gpus=1+n7:ppn=4" of Torque.
void read_nodes(std::string_view text, RecordFields& fields) {
    double processors = 0;
    double gpus = 0;
    while (!text.empty()) {
        std::string_view part = taken_until(text, '+');
        const std::string_view first = taken_until(part, ':');
        const bool is_count = std::all_of(first.begin(), first.end(), is_digit);
        const double nodes = is_count ? fields.count("Resource_List.nodes", first) : 1;
        double per_node = 1;
        while (!part.empty()) {
            std::string_view value = taken_until(part, ':');
            const std::string_view key = taken_until(value, '=');
            per_node = key == "ppn" ? fields.count("ppn", value) : per_node;
            gpus += key == "gpus" ? nodes * fields.count("gpus", value) : 0;
        }
        processors += nodes * per_node;
    }
    fields.row.requested_processors = processors;
    fields.row.gpus = std::max(fields.row.gpus, gpus > 0 ? gpus : not_said);
}

/// 0; the signal from 256 on, 271: SIGTERM, by qdel; below 0 what mom says, -29: over its walltime.
JobState state_of_exit(std::string_view text) {
    return text == "0"     ? JobState::completed
           : text == "-29" ? JobState::timeout
           : text == "271" ? JobState::cancelled
           : text.empty()  ? JobState::unknown
                           : JobState::failed;
}

void read_request(Values& values, RecordFields& fields) {
    TableRow& row = fields.row;
    const auto resource = [&values](const char* name) -> std::string& {
        return values[std::string("Resource_List.") + name];
    };
    row.limit = fields.limit("walltime", resource("walltime"));
    row.gpus = fields.count("ngpus", resource("ngpus"));
    row.requested_nodes = fields.count("nodect", resource("nodect"));
    const std::string& cpus = resource(resource("procs").empty() ? "ncpus" : "procs");
    row.requested_processors = fields.count("ncpus", cpus);
    if (!resource("nodes").empty() && resource("select").empty()) {
        read_nodes(resource("nodes"), fields);
    }
    row.memory = fields.memory("mem", resource("mem"), Memory::Per::job);
    if (resource("mem").empty()) {
        row.memory = fields.memory("pmem", resource("pmem"), Memory::Per::processor);
    }
}

RecordKind read_pbs(std::string_view record, RecordFields& fields) {
    taken_until(record, ';');
    const std::string_view type = taken_until(record, ';');
    std::string_view id = taken_until(record, ';');
    id = taken_until(id, '.');
    Values values = values_in(std::string(record));
    const bool is_rerun = type == "R" && !values["start"].empty() && !values["end"].empty();
    if ((type != "E" && !is_rerun) || id.ends_with("[]")) {
        return RecordKind::other;
    }
    TableRow& row = fields.row;
    const std::string_view number = taken_until(id, id.find('[') < id.size() ? '[' : '-');
    fields.set_job(number, id.substr(0, id.find(']')));
    row.submit = fields.time("ctime", values["ctime"]);
    row.eligible = fields.time("etime", values["etime"]);
    row.start = fields.time("start", values["start"]);
    row.end = fields.time("end", values["end"]);
    row.user = fields.kept(values["user"]);
    row.group = fields.kept(values[values["account"].empty() ? "group" : "account"]);
    row.queue = fields.kept(values["queue"]);
    read_request(values, fields);
    read_hosts(values["exec_host"], fields);
    row.state = is_rerun                ? JobState::requeued
                : row.start.seconds < 0 ? JobState::cancelled
                                        : state_of_exit(values["Exit_status"]);
    return values["end"].empty() ? RecordKind::torn : RecordKind::job;
}

}  // namespace

const BatchSystem pbs_system{
    .name = "PBS",
    .way_out = "Give files of server_priv/accounting as PBS wrote them",
    .begins_record = begins_pbs_record,
    .read = read_pbs};

}  // namespace schedfarm::models::trace
