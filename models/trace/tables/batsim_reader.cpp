#include "models/trace/tables/batsim_reader.hpp"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "models/trace/reading/foreign_text.hpp"
#include "models/trace/tables/table_jobs.hpp"

namespace schedfarm::models::trace {

namespace {

using Json = nlohmann::json;

double number_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : not_said;
}

std::string text_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) {
        return {};
    }
    return found->is_string() ? found->get<std::string>() : found->dump();
}

/// "delay" of versions 3 and 4, "DelayProfile" of later ones.
double length_of(const Json& profiles, const std::string& name) {
    const auto found = profiles.find(name);
    if (found == profiles.end() || !found->is_object()) {
        return not_said;
    }
    const std::string type = text_of(*found, "type");
    return type == "delay" || type == "DelayProfile" ? number_of(*found, "delay") : not_said;
}

}  // namespace

void read_batsim(std::string_view text, LogBuilder& log) {
    const Json file = Json::parse(text, nullptr, false);
    const bool is_batsim = file.is_object() && file.contains("jobs") && file["jobs"].is_array()
                           && file.contains("profiles") && file["profiles"].is_object();
    if (!is_batsim) {
        log.fail(1, foreign_json_text());
    }
    const double processors = number_of(file, "nb_res");
    if (processors > 0) {
        log.header().lines.push_back(
            {.key = "MaxProcs", .value = std::to_string(static_cast<std::int64_t>(processors))}
        );
    }
    TableJobs jobs(log, "");
    std::uint64_t place = 0;
    for (const Json& job : file["jobs"]) {
        const std::string name = text_of(job, "id");
        const std::string id = name.substr(name.find('!') + 1);  // "w0!7": of workload w0
        TableRow row;
        row.line = ++place;
        row.id = id;
        row.submit.seconds = number_of(job, "subtime");
        row.run = length_of(file["profiles"], text_of(job, "profile"));
        row.has_length = row.run >= 0;
        row.limit = number_of(job, "walltime");
        row.processors = number_of(job, "res");
        row.requested_processors = row.processors;
        jobs.add(row);
    }
    jobs.finish();
}

}  // namespace schedfarm::models::trace
