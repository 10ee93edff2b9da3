#include "app/plan/node_events.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/node_names.hpp"

#include "models/trace/reading/clock.hpp"

#include "app/config/yaml/merge.hpp"
#include "app/config/yaml/numbers.hpp"

namespace schedfarm::app {

namespace {

/// An outage that the dump does not see the end of.
constexpr double never_s = 1e12;

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line + "|");
    for (std::string field; std::getline(in, field, '|');) {
        fields.push_back(field);
    }
    return fields;
}

/// "1795771359", or "2026-11-27T09:22:39" as if in UTC: only differences count.
std::optional<double> instant_of(std::string text) {
    if (const auto seconds = parse_real(text)) {
        return seconds;
    }
    std::replace(text.begin(), text.end(), 'T', ' ');
    return models::trace::log_time(models::trace::LogClock{}, text);
}

class NodeEvents {
  public:
    NodeEvents(const std::string& file, engine::SystemDescription& system, Problems& problems)
        : file_(file), system_(system), problems_(problems) {}

    /// False: the machine's nodes or second 0 are not known.
    bool begin(const Node& cell) {
        const Node* const nodes = find_path(cell, "system.outages.nodes");
        const Node* const begin = find_path(cell, "system.outages.begin");
        if (nodes == nullptr || begin == nullptr) {
            refuse_file(
                "events of nodes, of which neither place nor time is known",
                "Add 'nodes: n[1-8]', in the order of their processors, and 'begin: "
                "2026-03-02T00:00:00', the time at second 0?"
            );
            return false;
        }
        const auto names = engine::nodes_in(nodes->scalar);
        const std::uint32_t processors = system_.processors();
        if (!names || names->empty() || processors % names->size() != 0) {
            problems_.add(
                nodes->at,
                "system.outages.nodes",
                names ? fmt::format(
                    "{} nodes for {} processors (they do not have equally many)",
                    names->size(),
                    processors
                )
                      : "this is no list of nodes",
                "Write it as Slurm does, n[1-8]?"
            );
            return false;
        }
        per_node_ = processors / static_cast<std::uint32_t>(names->size());
        for (const std::string& name : *names) {
            places_.emplace(name, static_cast<std::uint32_t>(places_.size()));
        }
        const auto second = instant_of(begin->scalar);
        if (!second) {
            problems_.add(
                begin->at,
                "system.outages.begin",
                fmt::format("'{}' is no time", begin->scalar),
                "Write 2026-03-02T00:00:00, or seconds of the Unix clock?"
            );
        }
        begin_ = second.value_or(0);
        return second.has_value();
    }

    void read(const std::string& content) {
        std::istringstream in(content);
        std::string line;
        std::getline(in, line);
        header_ = fields_of(line);
        for (line_ = 2; std::getline(in, line); ++line_) {
            if (!line.empty()) {
                read_row(fields_of(line));
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
        const auto place = places_.find(name);
        const auto from = instant_of(field(row, "TimeStart"));
        const std::string end = field(row, "TimeEnd");
        const auto until = end == "Unknown" ? std::optional(begin_ + never_s) : instant_of(end);
        if (place == places_.end() || !from || !until) {
            refuse(
                place == places_.end()
                    ? fmt::format("node '{}' is none of system.outages.nodes", name)
                    : "its times cannot be read"
            );
            return;
        }
        if (*until <= std::max(*from, begin_)) {
            return;
        }
        system_.outages.listed.push_back(
            {.from = std::max(*from, begin_) - begin_,
             .until = *until - begin_,
             .first_processor = place->second * per_node_,
             .count = per_node_}
        );
    }

    void refuse(const std::string& reason) {
        problems_.add({file_, line_, 1}, "system.outages.file", reason);
    }
    void refuse_file(const std::string& reason, const std::string& suggestion) {
        problems_.add({file_, 1, 1}, "system.outages.file", reason, suggestion);
    }

    const std::string& file_;
    engine::SystemDescription& system_;
    Problems& problems_;
    std::vector<std::string> header_;
    std::map<std::string, std::uint32_t> places_;
    std::uint32_t per_node_ = 0;
    double begin_ = 0;
    int line_ = 1;
};

}  // namespace

bool is_node_events(const std::string& content) {
    const std::vector<std::string> columns = fields_of(content.substr(0, content.find('\n')));
    return std::ranges::all_of(
        std::array{"NodeName", "TimeStart", "TimeEnd", "State"},
        [&](const char* name) {
            return std::find(columns.begin(), columns.end(), name) != columns.end();
        }
    );
}

void add_node_events(
    const Node& cell,
    const std::string& file,
    const std::string& content,
    engine::SystemDescription& system,
    Problems& problems
) {
    NodeEvents events(file, system, problems);
    if (events.begin(cell)) {
        events.read(content);
    }
}

}  // namespace schedfarm::app
