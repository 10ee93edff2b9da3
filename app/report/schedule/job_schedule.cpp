#include "app/report/schedule/job_schedule.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/simulation/kernel/processor_ranges.hpp"

namespace schedfarm::app {

namespace {

using engine::ProcessorRange;

/// The segments that have begun and not ended, the next to end first.
struct Held {
    double end_s;
    std::size_t segment;
    friend bool operator>(const Held& a, const Held& b) { return a.end_s > b.end_s; }
};
using HeldNow = std::priority_queue<Held, std::vector<Held>, std::greater<>>;

std::optional<std::uint32_t> read_processor(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc{} && end == text.data() + text.size();
    return is_number && value < most_processors ? std::optional(value) : std::nullopt;
}

std::optional<ProcessorRange> read_range(std::string_view text) {
    const std::size_t dash = text.find('-');
    const auto first = read_processor(text.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : read_processor(text.substr(dash + 1));
    if (!first || !last || *last < *first) {
        return std::nullopt;
    }
    return ProcessorRange{.first = {*first}, .count = *last - *first + 1};
}

std::uint32_t share_of(const JobSegment& segment, std::size_t cluster) {
    for (const engine::ClusterShare& share : segment.shares) {
        if (share.cluster.value == cluster) {
            return share.count;
        }
    }
    return 0;
}

}  // namespace

double JobSchedule::begin_s() const {
    const auto earliest = std::min_element(jobs.begin(), jobs.end(), [](auto& a, auto& b) {
        return a.submit_s < b.submit_s;
    });
    return earliest == jobs.end() ? 0 : earliest->submit_s;
}

double JobSchedule::end_s() const {
    const auto latest = std::max_element(jobs.begin(), jobs.end(), [](auto& a, auto& b) {
        return a.finish_s < b.finish_s;
    });
    return latest == jobs.end() ? 0 : latest->finish_s;
}

void complete(JobSchedule& schedule) {
    // As the simulator does it: at one instant what takes no time comes first.
    const auto key = [](const JobSegment& segment) {
        return std::tuple(segment.begin_s, segment.end_s > segment.begin_s, segment.job);
    };
    std::stable_sort(
        schedule.segments.begin(),
        schedule.segments.end(),
        [&key](const JobSegment& a, const JobSegment& b) { return key(a) < key(b); }
    );
    std::vector<bool> has_begun(schedule.jobs.size());
    for (const JobSegment& segment : schedule.segments) {
        ScheduledJob& job = schedule.jobs[segment.job];
        if (!has_begun[segment.job]) {
            has_begun[segment.job] = true;
            job.start_s = segment.begin_s;
            job.finish_s = segment.end_s;
        }
        job.finish_s = std::max(job.finish_s, segment.end_s);
        job.processors = std::max(job.processors, segment.processors);
    }
}

std::uint64_t most_held(const JobSchedule& schedule) {
    HeldNow held;
    std::uint64_t processors = 0;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < schedule.segments.size(); ++i) {
        const JobSegment& segment = schedule.segments[i];
        for (; !held.empty() && held.top().end_s <= segment.begin_s; held.pop()) {
            processors -= schedule.segments[held.top().segment].processors;
        }
        held.push({segment.end_s, i});
        processors += segment.processors;
        most = std::max(most, processors);
    }
    return most;
}

void name_processors(JobSchedule& schedule) {
    const bool has_shares = std::any_of(
        schedule.segments.begin(),
        schedule.segments.end(),
        [](const JobSegment& segment) { return !segment.shares.empty(); }
    );
    const std::vector<std::uint32_t> parts =
        has_shares ? schedule.clusters : std::vector{schedule.processors};
    std::uint32_t first = 0;
    for (std::size_t part = 0; part < parts.size(); first += parts[part++]) {
        engine::JobLog log;
        for (const JobSegment& segment : schedule.segments) {
            log.start.push_back(segment.begin_s);
            log.finish.push_back(segment.end_s);
            log.size.push_back(has_shares ? share_of(segment, part) : segment.processors);
        }
        const engine::JobProcessors named = engine::lowest_free_processors(log, parts[part]);
        for (std::size_t i = 0; i < schedule.segments.size(); ++i) {
            for (ProcessorRange range : named.of(i)) {
                range.first.value += first;
                schedule.segments[i].ranges.push_back(range);
            }
        }
    }
}

JobSchedule on_machine(JobSchedule schedule) {
    const std::uint32_t machine = schedule.machine;
    if (machine == 0 || machine >= schedule.processors) {
        return schedule;
    }
    for (JobSegment& segment : schedule.segments) {
        segment.processors = 0;
        std::vector<ProcessorRange> ranges;
        for (ProcessorRange range : segment.ranges) {
            if (range.first.value < machine) {
                range.count = std::min(range.count, machine - range.first.value);
                segment.processors += range.count;
                ranges.push_back(range);
            }
        }
        segment.ranges = std::move(ranges);
    }
    schedule.processors = machine;
    return schedule;
}

std::optional<Overlap> find_overlap(const JobSchedule& schedule) {
    HeldNow held;
    std::map<std::uint32_t, std::pair<std::uint32_t, std::size_t>> holders;  // first → end, who
    for (std::size_t i = 0; i < schedule.segments.size(); ++i) {
        const JobSegment& segment = schedule.segments[i];
        for (; !held.empty() && held.top().end_s <= segment.begin_s; held.pop()) {
            for (const ProcessorRange& range : schedule.segments[held.top().segment].ranges) {
                holders.erase(range.first.value);
            }
        }
        if (segment.end_s == segment.begin_s) {
            continue;
        }
        for (const ProcessorRange& range : segment.ranges) {
            const std::uint32_t begin = range.first.value;
            const std::uint32_t end = begin + range.count;
            const auto above = holders.lower_bound(begin);
            if (above != holders.end() && above->first < end) {
                return Overlap{above->second.second, i, above->first};
            }
            if (above != holders.begin() && std::prev(above)->second.first > begin) {
                return Overlap{std::prev(above)->second.second, i, begin};
            }
            holders.emplace(begin, std::pair(end, i));
        }
        held.push({segment.end_s, i});
    }
    return std::nullopt;
}

std::string ranges_text(std::span<const ProcessorRange> ranges) {
    std::string text;
    for (const ProcessorRange& range : ranges) {
        const std::uint32_t first = range.first.value;
        text += text.empty() ? "" : " ";
        text += range.count == 1 ? std::to_string(first)
                                 : fmt::format("{}-{}", first, first + range.count - 1);
    }
    return text;
}

std::optional<std::vector<ProcessorRange>> read_ranges(const std::string& text) {
    std::vector<ProcessorRange> ranges;
    std::uint64_t next = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const auto range = read_range(std::string_view(text).substr(at, end - at));
        if (!range || range->first.value < next) {
            return std::nullopt;
        }
        next = std::uint64_t{range->first.value} + range->count;
        ranges.push_back(*range);
        at = end + 1;
    }
    return ranges;
}

}  // namespace schedfarm::app
