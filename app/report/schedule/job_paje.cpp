#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

#include <fmt/format.h>

#include "app/report/schedule/job_exports.hpp"

namespace schedfarm::app {

namespace {

constexpr const char* event_definitions =
    "%EventDef PajeDefineContainerType 0\n"
    "%\tAlias string\n%\tType string\n%\tName string\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n"
    "%\tAlias string\n%\tType string\n%\tName string\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineVariableType 2\n"
    "%\tAlias string\n%\tType string\n%\tName string\n%\tColor color\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 3\n"
    "%\tAlias string\n%\tType string\n%\tName string\n%\tColor color\n"
    "%EndEventDef\n"
    "%EventDef PajeCreateContainer 4\n"
    "%\tTime date\n%\tAlias string\n%\tType string\n%\tContainer string\n%\tName string\n"
    "%EndEventDef\n"
    "%EventDef PajeDestroyContainer 5\n"
    "%\tTime date\n%\tType string\n%\tName string\n"
    "%EndEventDef\n"
    "%EventDef PajeSetVariable 6\n"
    "%\tTime date\n%\tType string\n%\tContainer string\n%\tValue double\n"
    "%EndEventDef\n"
    "%EventDef PajePushState 7\n"
    "%\tTime date\n%\tType string\n%\tContainer string\n%\tValue string\n"
    "%EndEventDef\n"
    "%EventDef PajePopState 8\n"
    "%\tTime date\n%\tType string\n%\tContainer string\n"
    "%EndEventDef\n";

/// Of jobs, told apart by readers with any kind of colour vision: P. Tol, "Colour schemes"
/// (SRON/EPS/TN/09-002, issue 3.2, 2021), "light".
constexpr std::array<const char*, 8> job_colours{
    "0.467 0.667 0.867",
    "0.933 0.533 0.400",
    "0.933 0.867 0.533",
    "1.000 0.667 0.733",
    "0.600 0.867 1.000",
    "0.267 0.733 0.600",
    "0.733 0.800 0.200",
    "0.667 0.667 0.000"};

/// By a hash of the number: eight numbers in a row get eight colours.
const char* colour_of(std::int64_t number) {
    return job_colours.at(static_cast<std::uint64_t>(number) * 5 % job_colours.size());
}

enum class Change : std::uint8_t { end, start, submit, begin };

/// What happens; at an instant ends come first.
struct Event {
    double time_s;
    Change change;
    std::size_t index;  ///< of a segment; submit and start: of a job
};

std::vector<Event> events_of(const JobSchedule& schedule) {
    std::vector<Event> events;
    for (std::size_t i = 0; i < schedule.segments.size(); ++i) {
        const JobSegment& segment = schedule.segments[i];
        if (segment.end_s > segment.begin_s) {
            events.push_back({segment.begin_s, Change::begin, i});
            events.push_back({segment.end_s, Change::end, i});
        }
    }
    for (std::size_t i = 0; i < schedule.jobs.size(); ++i) {
        const ScheduledJob& job = schedule.jobs[i];
        if (job.start_s > job.submit_s) {
            events.push_back({job.submit_s, Change::submit, i});
            events.push_back({job.start_s, Change::start, i});
        }
    }
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
        return std::tie(a.time_s, a.change, a.index) < std::tie(b.time_s, b.change, b.index);
    });
    return events;
}

std::string definitions(const JobSchedule& schedule) {
    std::string text = event_definitions;
    text += "0 M 0 \"machine\"\n0 P M \"processor\"\n1 S P \"job\"\n";
    text += "2 B M \"busy processors\" \"0.267 0.467 0.667\"\n";
    text += "2 W M \"waiting jobs\" \"0.467 0.467 0.467\"\n";
    std::vector<bool> loads(schedule.jobs.size());
    for (const JobSegment& segment : schedule.segments) {
        if (segment.kind == SegmentKind::loading) {
            loads[segment.job] = true;
        }
    }
    for (std::uint32_t job = 0; job < schedule.jobs.size(); ++job) {
        const std::int64_t number = schedule.jobs[job].number;
        text += fmt::format("3 j{0} S \"{0}\" \"{1}\"\n", number, colour_of(number));
        if (loads[job]) {
            text += fmt::format("3 l{0} S \"{0} loading\" \"0.886 0.886 0.886\"\n", number);
        }
    }
    return text;
}

/// The changes of one instant; the levels are told once, after them.
class Writer {
  public:
    Writer(const JobSchedule& schedule, std::string& text) : schedule_(schedule), text_(text) {}

    void add(const Event& event) {
        if (event.change == Change::submit || event.change == Change::start) {
            waiting_ += event.change == Change::submit ? 1 : -1;
            return;
        }
        const JobSegment& segment = schedule_.segments[event.index];
        const std::int64_t processors = segment.processors;
        busy_ += event.change == Change::begin ? processors : -processors;
        const char kind = segment.kind == SegmentKind::loading ? 'l' : 'j';
        for (const engine::ProcessorRange& range : segment.ranges) {
            for (std::uint32_t i = 0; i < range.count; ++i) {
                const std::uint32_t processor = range.first.value + i;
                text_ += event.change == Change::end
                             ? fmt::format("8 {} S p{}\n", event.time_s, processor)
                             : fmt::format(
                                 "7 {} S p{} {}{}\n",
                                 event.time_s,
                                 processor,
                                 kind,
                                 schedule_.jobs[segment.job].number
                             );
            }
        }
    }

    void tell_levels(double time_s) {
        if (busy_ != told_busy_) {
            text_ += fmt::format("6 {} B m {}\n", time_s, busy_);
        }
        if (waiting_ != told_waiting_) {
            text_ += fmt::format("6 {} W m {}\n", time_s, waiting_);
        }
        told_busy_ = busy_;
        told_waiting_ = waiting_;
    }

  private:
    const JobSchedule& schedule_;
    std::string& text_;
    std::int64_t busy_ = 0;
    std::int64_t waiting_ = 0;
    std::int64_t told_busy_ = -1;
    std::int64_t told_waiting_ = -1;
};

std::string quoted_name(const std::string& name) {
    std::string text = "\"";
    for (const char character : name) {
        text += static_cast<unsigned char>(character) < ' ' || character == '"' ? '_' : character;
    }
    return text + "\"";
}

}  // namespace

std::string paje_trace(const JobSchedule& schedule) {
    std::string text = definitions(schedule);
    const double begin = schedule.begin_s();
    text += fmt::format("4 {} m M 0 {}\n", begin, quoted_name(schedule.name));
    for (std::uint32_t processor = 0; processor < schedule.processors; ++processor) {
        text += fmt::format("4 {0} p{1} P m \"p{1}\"\n", begin, processor);
    }
    Writer writer(schedule, text);
    const std::vector<Event> events = events_of(schedule);
    if (events.empty() || events.front().time_s > begin) {
        writer.tell_levels(begin);
    }
    for (std::size_t i = 0; i < events.size();) {
        const double now = events[i].time_s;
        for (; i < events.size() && events[i].time_s == now; ++i) {
            writer.add(events[i]);
        }
        writer.tell_levels(now);
    }
    const double end = schedule.end_s();
    for (std::uint32_t processor = 0; processor < schedule.processors; ++processor) {
        text += fmt::format("5 {} P p{}\n", end, processor);
    }
    return text + fmt::format("5 {} M m\n", end);
}

}  // namespace schedfarm::app
