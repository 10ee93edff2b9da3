// LSF, lsb.acct: fields divided by blanks, texts in quotes (a quote in them is doubled, and they
// may hold line breaks), lists behind how many there are. Records JOB_FINISH are jobs.
#include <algorithm>
#include <vector>

#include "models/trace/batch_systems/record_reader.hpp"
#include "models/trace/reading/letters.hpp"

namespace schedfarm::models::trace {

namespace {

/// `"JOB_FINISH" "10.1" 1`.
bool begins_lsf_record(std::string_view line) {
    if (!taken_until(line, '"').empty()) {
        return false;
    }
    const std::string_view event = taken_until(line, '"');
    return (event.starts_with("JOB_") || event.starts_with("EVENT_")) && line.starts_with(" \"");
}

/// The fields one after another; behind the last they are empty.
class FieldsInOrder {
  public:
    explicit FieldsInOrder(std::string_view text) : rest_(text) {}

    std::string next() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
        std::string field;
        if (!rest_.starts_with('"')) {
            return std::string(taken_until(rest_, ' '));
        }
        for (rest_.remove_prefix(1); !rest_.empty(); rest_.remove_prefix(1)) {
            if (rest_.starts_with('"')) {
                rest_.remove_prefix(1);
                if (!rest_.starts_with('"')) {
                    break;
                }
            }
            field += rest_.front();
        }
        return field;
    }
    void skip(std::size_t count) {
        for (; count > 0 && !is_over(); --count) {
            next();
        }
    }
    bool is_over() const { return rest_.find_first_not_of(" \n") == std::string_view::npos; }

  private:
    std::string_view rest_;
};

/// By exitInfo: why LSF ended it; 32 of jStatus is EXIT, 64 DONE.
JobState lsf_state(std::string_view status, std::string_view reason) {
    constexpr std::array states{
        std::pair("1", JobState::preempted),
        std::pair("5", JobState::timeout),
        std::pair("8", JobState::cancelled),
        std::pair("9", JobState::cancelled),
        std::pair("10", JobState::requeued),
        std::pair("11", JobState::requeued),
        std::pair("14", JobState::cancelled),
        std::pair("15", JobState::cancelled),
        std::pair("16", JobState::out_of_memory)};
    const auto* const found = std::ranges::find(states, reason, [](const auto& pair) {
        return std::string_view(pair.first);
    });
    return status == "64"          ? JobState::completed
           : found == states.end() ? JobState::failed
                                   : found->second;
}

/// Of a list.
std::size_t size_of(std::string_view name, FieldsInOrder& record, RecordFields& fields) {
    return static_cast<std::size_t>(std::max(0.0, fields.count(name, record.next())));
}

/// What stands behind jobDescription: runLimit, which 10.1 writes as 2^22 where there is none.
double run_limit(FieldsInOrder& record, RecordFields& fields) {
    record.skip(2 * size_of("submitEXT", record, fields));
    record.skip(5 * size_of("numHostRusage", record, fields));
    record.next();  // options3
    const std::string limit = record.next();
    return limit == "4194304" ? not_said : fields.limit("runLimit", limit);
}

RecordKind read_lsf(std::string_view text, RecordFields& fields) {
    FieldsInOrder record(text);
    if (record.next() != "JOB_FINISH") {
        return RecordKind::other;
    }
    TableRow& row = fields.row;
    record.next();  // version
    row.end = fields.time("event time", record.next());
    const std::string number = record.next();
    record.skip(2);  // userId, options
    row.requested_processors = fields.count("numProcessors", record.next());
    row.submit = fields.time("submitTime", record.next());
    row.eligible = fields.time("beginTime", record.next());
    row.eligible.seconds = std::max(row.eligible.seconds, row.submit.seconds);
    record.next();  // termTime, by which it has to end
    row.start = fields.time("startTime", record.next());
    row.user = fields.kept(record.next());
    row.queue = fields.kept(record.next());
    record.skip(9);  // resReq to jobFile
    record.skip(size_of("numAskedHosts", record, fields));
    std::set<std::string_view> hosts;
    double slots = 0;
    for (std::size_t left = size_of("numExHosts", record, fields); left > 0 && !record.is_over();
         --left) {
        std::string_view host = fields.kept(record.next());  // "4*host"
        const bool has_count = host.find('*') != std::string_view::npos;
        slots += has_count ? fields.count("execHosts", taken_until(host, '*')) : 1;
        hosts.insert(host);
    }
    fields.set_hosts(hosts, slots);
    const std::string status = record.next();
    record.skip(23);  // hostFactor, jobName, command, 19 of rusage, mailUser
    if (record.is_over()) {
        return RecordKind::torn;
    }
    row.group = fields.kept(record.next());  // projectName
    record.skip(4);                          // exitStatus to timeEvent
    fields.set_job(fields.kept(number), fields.kept(record.next()));
    record.skip(8);  // maxRMem to additionalInfo
    const std::string reason = record.next();
    row.state = row.start.seconds < 0 ? JobState::cancelled : lsf_state(status, reason);
    record.skip(6);  // warningAction to postExecCmd
    const double estimate = fields.limit("runtimeEstimation", record.next());
    record.skip(7);  // jobGroupName to jobDescription
    const double limit = run_limit(record, fields);
    row.limit = limit > 0 ? limit : estimate > 0 ? estimate : not_said;
    return RecordKind::job;
}

}  // namespace

const BatchSystem lsf_system{
    .name = "LSF",
    .way_out = "Give the file lsb.acct as LSF wrote it",
    .begins_record = begins_lsf_record,
    .read = read_lsf};

}  // namespace schedfarm::models::trace
