#include "app/simulate/log_json.hpp"

#include <array>
#include <cstddef>

namespace schedfarm::app {

namespace {

namespace trace = models::trace;

Json distribution_json(const trace::Distribution& distribution) {
    constexpr std::array names{"min", "p5", "p25", "median", "p75", "p95", "max"};
    static_assert(names.size() == trace::summary_shares.size());
    Json object{{"jobs", distribution.jobs}, {"mean", json_number(distribution.mean)}};
    for (std::size_t i = 0; i < names.size(); ++i) {
        object[names[i]] = json_number(distribution.quantiles[i]);
    }
    return object;
}

Json classes_json(const std::vector<trace::HistogramClass>& histogram) {
    Json list = Json::array();
    for (const trace::HistogramClass& c : histogram) {
        list.push_back(
            {{"low", json_number(c.low)},
             {"high", json_number(c.high)},
             {"jobs", c.jobs},
             {"area", json_number(c.area)}}
        );
    }
    return list;
}

Json waits_json(const std::vector<trace::WaitGroup>& groups) {
    Json list = Json::array();
    for (const trace::WaitGroup& group : groups) {
        list.push_back(
            {{"by", group.kind}, {"group", group.name}, {"wait", distribution_json(group.wait)}}
        );
    }
    return list;
}

Json dropped_json(const trace::LogSummary& summary) {
    Json object = Json::object();
    for (std::size_t reason = 0; reason < trace::dropped_reasons; ++reason) {
        if (summary.dropped[reason] > 0) {
            object[std::string(meaning(static_cast<trace::Dropped>(reason)))] =
                summary.dropped[reason];
        }
    }
    return object;
}

Json header_json(const trace::Header& header) {
    Json list = Json::array();
    for (const trace::HeaderLine& line : header.lines) {
        list.push_back(Json::array({line.key, line.value}));
    }
    return list;
}

Json never_given_json(const std::vector<trace::Field>& fields) {
    Json list = Json::array();
    for (const trace::Field field : fields) {
        list.push_back(name(field));
    }
    return list;
}

}  // namespace

Json oddities_json(const std::vector<trace::Oddity>& oddities) {
    Json list = Json::array();
    for (const trace::Oddity& oddity : oddities) {
        list.push_back(
            {{"oddity", oddity.text()}, {"first_line", oddity.first_line}, {"count", oddity.count}}
        );
    }
    return list;
}

std::string log_json(const trace::LogSummary& summary) {
    Json object{
        {"log", summary.name},
        {"sha256", summary.sha256},
        {"header", header_json(summary.header)},
        {"jobs", summary.jobs},
        {"ran", summary.ran},
        {"selected", summary.selected},
        {"left_waiting", summary.left},
        {"dropped", dropped_json(summary)},
        {"users", summary.users},
        {"first_submit", json_number(summary.first_submit)},
        {"last_submit", json_number(summary.last_submit)},
        {"area", json_number(summary.area)}};
    if (summary.logged_use) {
        object["logged_use"] = {
            {"most_processors", summary.logged_use->most_processors},
            {"beyond_machine_s", json_number(summary.logged_use->beyond_machine_s)},
            {"first_job_beyond", summary.logged_use->first_job_beyond}};
    }
    object["offered_load"] = summary.offered_load ? json_number(*summary.offered_load) : Json();
    object["dense_period"] = {
        {"from", json_number(summary.period.from)},
        {"before", json_number(summary.period.before)},
        {"jobs_before", summary.period.jobs_before},
        {"jobs_after", summary.period.jobs_after},
        {"empty_weeks", summary.period.empty_weeks},
        {"load", summary.dense_load ? json_number(*summary.dense_load) : Json()},
        {"text", period_text(summary.period, summary.clock)}};
    object["processors"] = distribution_json(summary.processors);
    object["run_time"] = distribution_json(summary.run_time);
    object["requested_time"] = distribution_json(summary.requested_time);
    object["accuracy"] = distribution_json(summary.accuracy);
    object["interarrival_time"] = distribution_json(summary.interarrival_time);
    object["serial_fraction"] = json_number(summary.serial_fraction);
    object["power_of_two_fraction"] = json_number(summary.power_of_two_fraction);
    object["by_size"] = classes_json(summary.by_size);
    object["by_run_time"] = classes_json(summary.by_run_time);
    object["logged_waits"] = waits_json(summary.waits);
    object["by_hour"] = summary.by_hour;
    object["by_weekday"] = summary.by_weekday;
    object["never_given"] = never_given_json(summary.never_given);
    object["oddities"] = oddities_json(summary.oddities);
    return json_text(object);
}

}  // namespace schedfarm::app
