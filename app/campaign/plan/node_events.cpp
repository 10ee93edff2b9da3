#include "app/campaign/plan/node_events.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "models/trace/reading/clock.hpp"

#include "app/campaign/yaml/numbers.hpp"

namespace schedfarm::app {

namespace {

/// An outage that the dump does not see the end of.
constexpr double never_s = 1e12;

std::vector<std::string> columns_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line + "|");
    for (std::string field; std::getline(in, field, '|');) {
        fields.push_back(field);
    }
    return fields;
}

class NodeEvents {
  public:
    NodeEvents(
        const EventsOfNodes& events,
        const std::string& file,
        engine::SystemDescription& system,
        Problems& problems
    )
        : events_(events), file_(file), system_(system), problems_(problems) {}

    void read(const std::string& content) {
        std::istringstream in(content);
        std::string line;
        std::getline(in, line);
        header_ = columns_of(line);
        for (line_ = 2; std::getline(in, line); ++line_) {
            if (!line.empty()) {
                read_row(columns_of(line));
            }
        }
    }

  private:
    /// Columns right of the reason are counted from the end, for a `|` in it shifts them.
    std::string field(const std::vector<std::string>& row, const char* name) const {
        const auto place = static_cast<std::size_t>(
            std::find(header_.begin(), header_.end(), name) - header_.begin()
        );
        const auto reason = static_cast<std::size_t>(
            std::find(header_.begin(), header_.end(), "Reason") - header_.begin()
        );
        const std::size_t at = place > reason ? place + row.size() - header_.size() : place;
        return at < row.size() ? row[at] : "";
    }

    void read_row(const std::vector<std::string>& row) {
        const std::string name = field(row, "NodeName");
        const std::string state = field(row, "State");
        if (row.size() < header_.size() || row == header_) {
            if (row != header_) {
                refuse(fmt::format("{} fields of {}", row.size(), header_.size()));
            }
            return;
        }
        if (name.empty() || state.empty() || state.starts_with("UNK")) {
            return;
        }
        const double begin = events_.begin;
        const auto place = events_.places.find(name);
        const auto from = unix_time(field(row, "TimeStart"), events_.zone);
        const std::string end = field(row, "TimeEnd");
        const auto until =
            end == "Unknown" ? std::optional(begin + never_s) : unix_time(end, events_.zone);
        if (place == events_.places.end() || !from || !until) {
            refuse(
                place == events_.places.end()
                    ? fmt::format("node '{}' is none of the machine's", name)
                    : "its times cannot be read"
            );
            return;
        }
        if (*until <= std::max(*from, begin)) {
            return;
        }
        system_.outages.listed.push_back(
            {.from = std::max(*from, begin) - begin,
             .until = *until - begin,
             .first_processor = place->second.first,
             .count = place->second.count}
        );
    }

    void refuse(const std::string& reason) {
        problems_.add({file_, line_, 1}, "system.outages.file", reason);
    }

    const EventsOfNodes& events_;
    const std::string& file_;
    engine::SystemDescription& system_;
    Problems& problems_;
    std::vector<std::string> header_;
    int line_ = 1;
};

}  // namespace

bool is_node_events(const std::string& content) {
    const std::vector<std::string> columns = columns_of(content.substr(0, content.find('\n')));
    return std::ranges::all_of(
        std::array{"NodeName", "TimeStart", "TimeEnd", "State"},
        [&](const char* name) {
            return std::find(columns.begin(), columns.end(), name) != columns.end();
        }
    );
}

std::map<std::string, NodePlace> places_of(const std::vector<policies::slurm::Node>& nodes) {
    std::map<std::string, NodePlace> places;
    std::uint32_t first = 0;
    for (const policies::slurm::Node& node : nodes) {
        places.emplace(node.name, NodePlace{first, node.cpus});
        first += node.cpus;
    }
    return places;
}

std::optional<double> unix_time(std::string text, const std::string& zone) {
    if (const auto seconds = parse_real(text)) {
        return seconds;
    }
    std::replace(text.begin(), text.end(), 'T', ' ');
    return models::trace::log_time({.rules = models::trace::zone_rules(zone)}, text);
}

void add_node_events(
    const EventsOfNodes& events,
    const std::string& file,
    const std::string& content,
    engine::SystemDescription& system,
    Problems& problems
) {
    NodeEvents(events, file, system, problems).read(content);
}

std::vector<std::string> reservation_lines(
    const std::string& file, const std::string& content, const std::string& zone, Problems& problems
) {
    std::vector<std::string> lines;
    std::istringstream in(content);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            const std::size_t at = std::min(word.find('='), word.size() - 1);
            const std::string key = word.substr(0, at);
            const std::string value = word.substr(at + 1);
            const bool is_time = key == "StartTime" || key == "EndTime" || key == "Created";
            const auto second = is_time ? unix_time(value, zone) : std::nullopt;
            if (is_time && !second) {
                problems.add({file, number, 1}, "reservations", word + " is no time");
            } else if (key == "ReservationName") {
                lines.push_back(word);
            } else if (!lines.empty() && is_time) {
                lines.back() += fmt::format(" {}={:.0f}", key, *second);
            } else if (!lines.empty() && key == "Nodes") {
                lines.back() += " " + word;
            }
        }
    }
    std::erase_if(lines, [](const std::string& one) {  // of licences alone
        return one.find("Nodes=") == std::string::npos || one.ends_with("Nodes=(null)");
    });
    return lines;
}

}  // namespace schedfarm::app
