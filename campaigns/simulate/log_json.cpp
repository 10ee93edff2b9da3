#include "campaigns/simulate/log_json.hpp"

#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "campaigns/simulate/json.hpp"

namespace schedfarm::campaigns {

namespace {

namespace trace = models::trace;

/// Lines of an object, to be joined.
class Object {
  public:
    void add(const char* name, const std::string& value) {
        lines_.push_back(fmt::format("\"{}\": {}", name, value));
    }
    void add(const char* name, std::uint64_t value) { add(name, std::to_string(value)); }
    void add(const char* name, double value) { add(name, json_number(value)); }

    std::string text() const { return fmt::format("{{\n  {}\n}}\n", fmt::join(lines_, ",\n  ")); }
    std::string line() const { return fmt::format("{{{}}}", fmt::join(lines_, ", ")); }

  private:
    std::vector<std::string> lines_;
};

std::string list(const std::vector<std::string>& items) {
    return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string distribution_json(const trace::Distribution& distribution) {
    constexpr std::array names{"min", "p5", "p25", "median", "p75", "p95", "max"};
    static_assert(names.size() == trace::summary_shares.size());
    Object object;
    object.add("jobs", std::uint64_t{distribution.jobs});
    object.add("mean", distribution.mean);
    for (std::size_t i = 0; i < names.size(); ++i) {
        object.add(names[i], distribution.quantiles[i]);
    }
    return object.line();
}

std::string classes_json(const std::vector<trace::HistogramClass>& histogram) {
    std::vector<std::string> items;
    for (const trace::HistogramClass& c : histogram) {
        Object object;
        object.add("low", c.low);
        object.add("high", c.high);
        object.add("jobs", c.jobs);
        object.add("area", c.area);
        items.push_back(object.line());
    }
    return list(items);
}

std::string dropped_json(const trace::LogSummary& summary) {
    Object object;
    for (std::size_t reason = 0; reason < trace::dropped_reasons; ++reason) {
        if (summary.dropped[reason] > 0) {
            const std::string name(meaning(static_cast<trace::Dropped>(reason)));
            object.add(name.c_str(), summary.dropped[reason]);
        }
    }
    return object.line();
}

std::string header_json(const trace::Header& header) {
    std::vector<std::string> items;
    for (const trace::HeaderLine& line : header.lines) {
        items.push_back(fmt::format("[{}, {}]", json_text(line.key), json_text(line.value)));
    }
    return list(items);
}

std::string never_given_json(const std::vector<trace::Field>& fields) {
    std::vector<std::string> items;
    for (const trace::Field field : fields) {
        items.push_back(json_text(name(field)));
    }
    return list(items);
}

void add_jobs(const trace::LogSummary& summary, Object& object) {
    object.add("jobs", summary.jobs);
    object.add("ran", summary.ran);
    object.add("selected", summary.selected);
    object.add("dropped", dropped_json(summary));
    object.add("users", summary.users);
    object.add("first_submit", summary.first_submit);
    object.add("last_submit", summary.last_submit);
    object.add("area", summary.area);
    if (summary.logged_use) {
        Object use;
        use.add("most_processors", summary.logged_use->most_processors);
        use.add("beyond_machine_s", summary.logged_use->beyond_machine_s);
        use.add("first_job_beyond", std::to_string(summary.logged_use->first_job_beyond));
        object.add("logged_use", use.line());
    }
    object.add("offered_load", summary.offered_load ? json_number(*summary.offered_load) : "null");
}

void add_distributions(const trace::LogSummary& summary, Object& object) {
    object.add("processors", distribution_json(summary.processors));
    object.add("run_time", distribution_json(summary.run_time));
    object.add("requested_time", distribution_json(summary.requested_time));
    object.add("accuracy", distribution_json(summary.accuracy));
    object.add("interarrival_time", distribution_json(summary.interarrival_time));
    object.add("serial_fraction", summary.serial_fraction);
    object.add("power_of_two_fraction", summary.power_of_two_fraction);
    object.add("by_size", classes_json(summary.by_size));
    object.add("by_run_time", classes_json(summary.by_run_time));
    object.add("by_hour", fmt::format("[{}]", fmt::join(summary.by_hour, ", ")));
    object.add("by_weekday", fmt::format("[{}]", fmt::join(summary.by_weekday, ", ")));
}

}  // namespace

std::string oddities_json(const std::vector<trace::Oddity>& oddities) {
    std::vector<std::string> items;
    for (const trace::Oddity& oddity : oddities) {
        Object object;
        object.add("oddity", json_text(meaning(oddity.kind)));
        object.add("first_line", oddity.first_line);
        object.add("count", oddity.count);
        items.push_back(object.line());
    }
    return list(items);
}

std::string log_json(const trace::LogSummary& summary) {
    Object object;
    object.add("log", json_text(summary.name));
    object.add("sha256", json_text(summary.sha256));
    object.add("header", header_json(summary.header));
    add_jobs(summary, object);
    add_distributions(summary, object);
    object.add("never_given", never_given_json(summary.never_given));
    object.add("oddities", oddities_json(summary.oddities));
    return object.text();
}

}  // namespace schedfarm::campaigns
