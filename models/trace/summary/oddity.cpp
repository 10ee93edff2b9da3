#include "models/trace/summary/oddity.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace schedfarm::models::trace {

namespace {

constexpr std::array<std::string_view, oddity_kinds> meanings_of_oddities{
    "no machine size in the header (MaxProcs or MaxNodes)",
    "MaxProcs, or MaxNodes where there is none, is no whole number in the header: the size of "
    "the "
    "machine is not known",
    "no time zone that can be read in the header (TimeZone, TimeZoneString, StartTime): dates "
    "and hours are taken as UTC (a line '; TimeZone: 3600', seconds east of it, would tell)",
    "TimeZone in the header is no number of seconds east of UTC (passed over)",
    "TimeZoneString in the header names no zone that this machine knows: dates and hours do "
    "without its summer time, and dates of a campaign are refused (tzdata has the zones)",
    "TimeZone in the header is no offset of the zone in TimeZoneString (dates and hours are "
    "those of TimeZoneString, weeks those of TimeZone)",
    "UnixStartTime in the header is no number of seconds since 1970: the log has no dates",
    "StartTime in the header is another instant than UnixStartTime in the log's zone (dates "
    "are "
    "those of UnixStartTime)",
    "a line of the header says otherwise than one above (the first counts; of names of queues, "
    "partitions and groups the last)",
    "submitted longer after the header's UnixStartTime than that is after 1970 (if submits "
    "are Unix times, dates are too late)",
    "decimals in an integer field (12.00 is read as 12)",
    "a fraction in an integer field (2.5 is read as -1)",
    "a negative value other than -1 (it means as little as -1)",
    "no submit time",
    "submitted before the job of the line above",
    "job number not above that of the line above",
    "neither allocated nor requested processors",
    "more processors than the machine has",
    "no run time",
    "run time 0",
    "no requested time",
    "ran longer than requested",
    "a status other than -1 to 5",
    "a partial execution of a job (status 2, 3 or 4; left out unless statuses keep it)",
    "a comment among the jobs",
    "something that is not compressed follows the compressed text (passed over)",
    "more fields than the 18 of the format (those beyond are passed over)",
    "two columns without a blank between them (576007.39e+08 is read as 57600 and 7.39e+08)",
    "to be submitted after the end of another job (fields 17 and 18; simulated so, unless "
    "dependencies: ignore)",
    "to be submitted after the end of a job that is not simulated, or of itself (submitted "
    "when "
    "the log says)",
    "a number of a job above 2147483647, or of a user or queue above 4294967295 (campaigns "
    "call "
    "such jobs by their place in the log, such users and queues by their rank)",
    "a row with more or fewer fields than the header, or without its end (left out)",
    "a row with a value that cannot be read, such as a date that does not exist (left out)",
    "a row that was there before (left out)",
    "the header again among the rows (passed over)",
    "the separator or an end of line in a text (which column it is of is told by the values)",
    "a step of a job (passed over: its job has a row)",
    "a task of an array (a job of its own)",
    "tasks of an array that had not been started, all on one row",
    "a component of a heterogeneous job (a job of its own)",
    "another run of a job that was requeued (a job of its own)",
    "a part of a resized job (one job from its first start to its last end, on the most nodes)",
    "ended without having been started (no run time)",
    "never eligible to start (held, or what it depended on never came)",
    "waiting when the log was written (no run time)",
    "running when the log was written (its run time is not known yet: left out)",
    "suspended for a while (its run time is without that)",
    "no limit (UNLIMITED: a year, or its partition's MaxTime by slurm.conf)",
    "a state that is not known (taken as none)",
    "times without a zone (taken as UTC; --zone Europe/Paris says otherwise)",
    "an hour between run time and End - Start (clocks were changed; --zone says where)",
    "a time in the hour that comes twice in autumn, and nothing says which (the first is "
    "taken)",
    "another run time than End - Start without suspensions (the run time counts)",
    "started before it was submitted (no wait)",
    "a profile that has no length of its own (no run time)",
    "nodes from the descriptor in the last field (they are the processors here)",
    "a record that is no run of a job: of its queueing or deletion, of an array as a whole, of "
    "licences (passed over)",
    "a line that goes on with the record above (read as one)",
    "a value that cannot be read, which the job can do without (taken as not said)",
    "a fraction of a processor, node or GPU (rounded up)",
    "the limit of its partition (Partition_Limit: no requested time, or MaxTime by slurm.conf)",
    "a job for several partitions (which one is not known)",
    "nodes are the processors here (no column says how many processors a job has)",
    "ended before it was started (the run time counts; without one it is not known)",
    "of another cluster, partition or account (left out as asked)",
    "a job that names nodes which it wants or does not (-w, -x: it may run on any of its "
    "partition)"};

}  // namespace

std::string_view meaning(OddityKind kind) {
    return meanings_of_oddities[static_cast<std::size_t>(kind)];
}

/// Jobs are lost by it, or are not as they ran: it is told before others.
bool is_grave(OddityKind kind) {
    constexpr std::array kinds{
        OddityKind::torn_row,
        OddityKind::unreadable_row,
        OddityKind::started_before_submit,
        OddityKind::ended_before_start};
    return std::ranges::find(kinds, kind) != kinds.end();
}

std::string Oddity::text() const {
    return std::string(meaning(kind)) + (first.empty() ? "" : "; the first: " + first);
}

std::string first_oddities(std::vector<Oddity> oddities) {
    constexpr std::size_t most_told = 2;
    std::erase_if(oddities, [](const Oddity& oddity) { return is_of_header(oddity.kind); });
    std::sort(oddities.begin(), oddities.end(), [](const Oddity& a, const Oddity& b) {
        return std::pair(!is_grave(a.kind), a.first_line)
               < std::pair(!is_grave(b.kind), b.first_line);
    });
    oddities.resize(std::min(oddities.size(), most_told));
    std::string text;
    for (const Oddity& oddity : oddities) {
        text += fmt::format(
            "{}{} ({})",
            text.empty() ? "" : ", ",
            oddity.first_line == 0 ? "the file" : fmt::format("line {}", oddity.first_line),
            oddity.text()
        );
    }
    return text;
}

std::vector<Oddity> OddityCounter::found() const {
    std::vector<Oddity> result;
    for (std::size_t kind = 0; kind < oddity_kinds; ++kind) {
        if (oddities_[kind].count > 0) {
            result.push_back(oddities_[kind]);
            result.back().kind = static_cast<OddityKind>(kind);
        }
    }
    return result;
}

}  // namespace schedfarm::models::trace
