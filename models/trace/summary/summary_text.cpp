#include "models/trace/summary/summary_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/trace/reading/letters.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr std::size_t label_width = 16;
constexpr std::size_t number_width = 8;

/// "28,476"
std::string grouped(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (auto place = static_cast<std::ptrdiff_t>(text.size()) - 3; place > 0; place -= 3) {
        text.insert(static_cast<std::size_t>(place), 1, ',');
    }
    return text;
}

/// At most 7 characters: integers below 10^7 in full, else three significant digits, "1.08e7".
std::string number_text(double value) {
    if (value > 0 && value < 0.001) {
        return "<0.001";
    }
    const bool is_in_full = value == std::floor(value) || value >= 999.5;
    if (value < 9'999'999 && is_in_full) {
        return fmt::format("{:.0f}", value);
    }
    std::string text = fmt::format("{:.3g}", value);
    for (const char* filler : {"e+0", "e+"}) {
        if (const std::size_t place = text.find(filler); place != std::string::npos) {
            text.replace(place, std::string_view(filler).size(), "e");
        }
    }
    return text;
}

std::string percent(double fraction) {
    return fmt::format("{:.1f} %", 100 * fraction);
}

/// "label           text", the text broken between words and in words that are too long.
std::string entry(
    std::string_view label,
    std::string_view text,
    std::size_t width,
    std::size_t indent = label_width
) {
    const std::size_t room = width - indent;
    std::string result = fmt::format("{:<{}}", label, indent);
    while (text.size() > room) {
        const std::size_t blank = text.substr(0, room + 1).rfind(' ');
        const bool is_word = blank == std::string_view::npos || blank == 0;
        result += text.substr(0, is_word ? room : blank);
        result += "\n" + std::string(indent, ' ');
        text.remove_prefix(is_word ? room : blank + 1);
    }
    return result.append(text) + "\n";
}

std::string header_entry(
    const LogSummary& summary, std::string_view label, std::string_view key, std::size_t width
) {
    const auto value = summary.header.find(key);
    return value && !value->empty() ? entry(label, printable(*value), width) : "";
}

/// "Europe/Stockholm", or "UTC+1 h: StartTime, without summer time".
std::string zone_text(const LogClock& clock) {
    if (clock.rules != nullptr) {
        return clock.zone_name;
    }
    const double offset_h = static_cast<double>(clock.utc_offset_s) / hour_s;
    const bool is_usual = clock.zone == ZoneSource::time_zone;
    return fmt::format(
        "UTC{:+g} h{}", offset_h, is_usual ? "" : ": " + std::string(meaning(clock.zone))
    );
}

std::string period(const LogSummary& summary) {
    const double days = (summary.last_submit - summary.first_submit) / day_s;
    std::string text = fmt::format("{} days", number_text(days));
    if (summary.clock) {
        const std::string from = date_text(*summary.clock, summary.first_submit);
        const std::string to = date_text(*summary.clock, summary.last_submit);
        if (!from.empty() && !to.empty()) {
            text += fmt::format(", {} to {} ({})", from, to, zone_text(*summary.clock));
        }
    }
    return text;
}

/// The days at an end at which it is not, and weeks without jobs.
std::string period_entry(const LogSummary& summary, std::size_t width) {
    const std::string outside = period_text(summary.period, summary.clock);
    const bool has_load = !outside.empty() && summary.dense_load;
    const std::string load =
        has_load ? fmt::format(" (load {} without these days)", percent(*summary.dense_load)) : "";
    return outside.empty() ? "" : entry("not dense", outside + load, width);
}

std::string jobs_entry(const LogSummary& summary, std::size_t width) {
    std::string text = fmt::format(
        "{}; {} ran; {} kept by the default selection",
        grouped(summary.jobs),
        grouped(summary.ran),
        grouped(summary.selected)
    );
    if (summary.takes_run_times) {
        text += ", with run times for requested times, which no job has";
    }
    std::string separator = ", without ";
    for (std::size_t reason = 0; reason < dropped_reasons; ++reason) {
        if (summary.dropped[reason] > 0) {
            text += fmt::format(
                "{}{} ({})",
                separator,
                grouped(summary.dropped[reason]),
                meaning(static_cast<Dropped>(reason))
            );
            separator = ", ";
        }
    }
    if (summary.left > 0) {
        text += fmt::format("; {} left while waiting: replayed", grouped(summary.left));
    }
    if (lacks_requested_times(summary.dropped, summary.jobs)) {
        text += "; missing_request: run_time keeps those without a requested time";
    }
    return entry("jobs", text, width);
}

std::string span_text(double seconds) {
    constexpr double minute_s = 60;
    return seconds < minute_s ? fmt::format("{} s", number_text(seconds))
           : seconds < hour_s ? fmt::format("{} min", number_text(seconds / minute_s))
                              : fmt::format("{} h", number_text(seconds / hour_s));
}

/// What the log's own schedule says of the machine's size.
std::string use_entry(const LogSummary& summary, std::size_t width) {
    if (!summary.logged_use) {
        return "";
    }
    const LoggedUse& use = *summary.logged_use;
    std::string text = fmt::format("at most {} processors at once", grouped(use.most_processors));
    if (use.beyond_machine_s > 0) {
        text += fmt::format(
            ", more than the machine has for {}, from job {} on (waits, run times or sizes of "
            "the log are not exact)",
            span_text(use.beyond_machine_s),
            use.first_job_beyond
        );
    }
    return entry("in use", text, width);
}

std::string facts(const LogSummary& summary, std::size_t width) {
    std::string text = entry("log", printable(summary.name), width);
    if (!summary.sha256.empty()) {
        text += entry("sha256", summary.sha256, width);
    }
    text += header_entry(summary, "computer", "Computer", width);
    text += header_entry(summary, "installation", "Installation", width);
    text += header_entry(summary, "processors", "MaxProcs", width);
    text += entry("submits", period(summary), width);
    text += period_entry(summary, width);
    text += jobs_entry(summary, width);
    text += entry("users", grouped(summary.users), width);
    text += entry(
        "load",
        summary.offered_load
            ? percent(*summary.offered_load) + " of the machine between first and last submit"
        : summary.header.processors() ? "unknown (all jobs come at one time)"
        : summary.logged_use          ? fmt::format(
              "unknown (the log does not say the machine's size). Write -p N, of at least {}.",
              grouped(summary.logged_use->most_processors)
          )
                             : "unknown (the log does not say the machine's size). Write -p N.",
        width
    );
    text += use_entry(summary, width);
    std::string never;
    for (const Field field : summary.never_given) {
        never += never.empty() ? "" : ", ";
        never += name(field);
    }
    return text + (never.empty() ? "" : entry("never given", never, width));
}

/// "-" where there is no job.
std::vector<std::string> numbers(const Distribution& distribution) {
    std::vector<std::string> texts;
    for (const double quantile : distribution.quantiles) {
        texts.push_back(distribution.jobs == 0 ? "-" : number_text(quantile));
    }
    texts.push_back(distribution.jobs == 0 ? "-" : number_text(distribution.mean));
    return texts;
}

/// As many columns side by side as there is room for, and the others below them.
std::string distributions(const LogSummary& summary, std::size_t width) {
    const std::vector<std::pair<std::string_view, std::vector<std::string>>> rows{
        {"jobs that ran", {"min", "5 %", "25 %", "median", "75 %", "95 %", "max", "mean"}},
        {"processors", numbers(summary.processors)},
        {"run time (s)", numbers(summary.run_time)},
        {"requested (s)", numbers(summary.requested_time)},
        {"run / requested", numbers(summary.accuracy)},
        {"between submits", numbers(summary.interarrival_time)}};
    const std::size_t columns = rows.front().second.size();
    const std::size_t room = (width - label_width) / number_width;
    const std::size_t blocks = (columns + room - 1) / room;
    const std::size_t in_block = (columns + blocks - 1) / blocks;
    std::string text;
    for (std::size_t first = 0; first < columns; first += in_block) {
        text += "\n";
        for (const auto& [label, cells] : rows) {
            text += fmt::format("{:<{}}", label, label_width);
            for (std::size_t c = first; c < std::min(columns, first + in_block); ++c) {
                text += fmt::format("{:>{}}", cells[c], number_width);
            }
            text += "\n";
        }
    }
    return text
           + fmt::format(
               "{} on one processor, {} on a higher power of two\n",
               percent(summary.serial_fraction),
               percent(summary.power_of_two_fraction)
           );
}

std::string bar(double fraction, double largest, std::size_t longest) {
    const double length = largest > 0 ? fraction / largest * static_cast<double>(longest) : 0;
    std::string result;
    result.append(static_cast<std::size_t>(std::floor(length + 0.5)), '#');
    return result;
}

std::string without_trailing_blanks(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

std::string classes(
    std::string_view title,
    const std::vector<HistogramClass>& histogram,
    const LogSummary& summary,
    std::string (*label)(const HistogramClass&),
    std::size_t width
) {
    std::string text =
        fmt::format("\n{:<{}}{:>12}{:>10}{:>10}\n", title, label_width, "jobs", "jobs", "area");
    double largest = 0;
    for (const HistogramClass& c : histogram) {
        largest = std::max(largest, static_cast<double>(c.jobs));
    }
    bool has_begun = false;
    for (const HistogramClass& c : histogram) {
        has_begun = has_begun || c.jobs > 0;
        if (!has_begun) {
            continue;
        }
        const double share = static_cast<double>(c.jobs) / static_cast<double>(summary.ran);
        text += without_trailing_blanks(fmt::format(
            "{:<{}}{:>12}{:>10}{:>10}  {}",
            label(c),
            label_width,
            grouped(c.jobs),
            summary.ran == 0 ? "-" : percent(share),
            summary.area > 0 ? percent(c.area / summary.area) : "-",
            bar(static_cast<double>(c.jobs), largest, width - label_width - 34)
        ));
    }
    return text;
}

std::string waits(const LogSummary& summary, std::size_t width) {
    if (summary.waits.empty()) {
        return "\nno logged waits\n";
    }
    constexpr std::size_t median = 3;
    constexpr std::size_t p95 = 5;
    static_assert(summary_shares[median] == 0.5 && summary_shares[p95] == 0.95);
    constexpr std::size_t label = 26;
    const auto row = [&](const std::string& name, const std::array<std::string, 4>& cells) {
        const bool is_long = name.size() >= label;
        std::string line = is_long ? entry("", name, width, 0) : "";
        line += fmt::format("{:<{}}", is_long ? "" : name, label);
        for (const std::string& cell : cells) {
            line += fmt::format("{:>10}", cell);
        }
        return line + "\n";
    };
    std::string text = "\n" + row("logged wait (s)", {"jobs", "mean", "median", "95 %"});
    std::string kind = summary.waits.front().kind;
    for (const WaitGroup& group : summary.waits) {
        const bool is_said_whole = group.kind == "started by";
        text += group.kind == kind ? "" : (is_said_whole ? "" : "by ") + group.kind + "\n";
        kind = group.kind;
        text +=
            row(printable(group.name),
                {grouped(group.wait.jobs),
                 number_text(group.wait.mean),
                 number_text(group.wait.quantiles[median]),
                 number_text(group.wait.quantiles[p95])});
    }
    return text;
}

std::string size_label(const HistogramClass& c) {
    const double last = c.high - 1;
    if (c.low >= 1e6) {
        return "from " + number_text(c.low);
    }
    return c.low == last ? number_text(c.low) : number_text(c.low) + " - " + number_text(last);
}

std::string duration(double seconds) {
    if (seconds < 60) {
        return number_text(seconds) + " s";
    }
    if (seconds < hour_s) {
        return number_text(seconds / 60) + " min";
    }
    return seconds < day_s ? number_text(seconds / hour_s) + " h"
                           : number_text(seconds / day_s) + " d";
}

std::string run_time_label(const HistogramClass& c) {
    return std::isinf(c.high) ? "from " + duration(c.low) : "below " + duration(c.high);
}

template <std::size_t count, typename Label>
std::string cycle(
    std::string_view title,
    const std::array<std::uint64_t, count>& jobs,
    Label label,
    std::size_t width
) {
    std::string text = fmt::format("\n{}\n", title);
    const auto largest = static_cast<double>(*std::max_element(jobs.begin(), jobs.end()));
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<double>(jobs[i]);
        text += without_trailing_blanks(fmt::format(
            "{:<{}}{:>12}  {}",
            label(i),
            label_width,
            grouped(jobs[i]),
            bar(value, largest, width - label_width - 14)
        ));
    }
    return text;
}

std::string cycles(const LogSummary& summary, std::size_t width) {
    constexpr std::array<const char*, 7> days{
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
    const bool is_dated = summary.clock.has_value();
    return cycle(
               is_dated ? "submits by hour" : "submits by hour (the log has no dates)",
               summary.by_hour,
               [](std::size_t hour) { return fmt::format("{:02}:00", hour); },
               width
           )
           + cycle(
               "submits by day",
               summary.by_weekday,
               [&](std::size_t day) {
                   return is_dated ? std::string(days[day]) : fmt::format("day {}", day + 1);
               },
               width
           );
}

std::string oddities(const LogSummary& summary, std::size_t width) {
    if (summary.oddities.empty()) {
        return "\nno oddities\n";
    }
    constexpr std::size_t indent = 23;
    std::string text = "\n first line       jobs oddity\n";
    for (const Oddity& oddity : summary.oddities) {
        const bool is_of_a_line = oddity.first_line > 0;
        const std::string label = fmt::format(
            "{:>11} {:>10}",
            is_of_a_line ? grouped(oddity.first_line) : "-",
            is_of_a_line && !is_of_header(oddity.kind) ? grouped(oddity.count) : "-"
        );
        text += entry(label, oddity.text(), width, indent);
    }
    return text;
}

}  // namespace

std::string summary_text(const LogSummary& summary, std::size_t width) {
    return facts(summary, width) + distributions(summary, width)
           + classes("processors", summary.by_size, summary, size_label, width)
           + classes("run time", summary.by_run_time, summary, run_time_label, width)
           + waits(summary, width) + cycles(summary, width) + oddities(summary, width);
}

}  // namespace schedfarm::models::trace
