#include "tests/policies/slurm/recording.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "engine/foundation/node_names.hpp"
#include "engine/simulation/submitted_request.hpp"

#include "models/trace/reading/reader.hpp"
#include "models/trace/row_columns.hpp"
#include "policies/slurm/requests.hpp"
#include "policies/slurm/site/site.hpp"
#include "policies/slurm/site/words.hpp"

namespace schedfarm::tests {

namespace {

using namespace policies::slurm;  // NOLINT(google-build-using-namespace)
using Row = std::map<std::string, std::string>;

std::string text_of(const std::string& path, bool must_be_there = true) {
    std::ifstream in(path);
    if (!in && must_be_there) {
        throw std::runtime_error(path + ": cannot be read");
    }
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<Row> rows_of(const std::string& path, bool must_be_there = true) {
    std::vector<Row> rows;
    std::vector<std::string> header;
    for (const std::string& line : parts(text_of(path, must_be_there), '\n')) {
        const std::vector<std::string> words = parts(line, '|');
        if (header.empty()) {
            header = words;
        } else if (words.size() >= header.size()) {
            for (std::size_t k = 0; k < header.size(); ++k) {
                (k == 0 ? rows.emplace_back() : rows.back())[header[k]] = words[k];
            }
        }
    }
    return rows;
}

/// Seconds of the Unix clock; −1: Unknown, None.
std::int64_t time_of(const std::string& text) {
    std::tm time{};
    const bool is_time = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &time) != nullptr;
    return is_time ? timegm(&time) : -1;
}

/// Each job as the reader of logs has it, by its number.
std::map<std::int64_t, WaitingJob> requests_of_log(const std::string& path, Settings settings) {
    settings.enforce_limits = false;  // some wait for ever
    const models::trace::Log log = models::trace::read_log(path);
    models::trace::JobList rows;
    for (std::uint32_t row = 0; row < log.jobs(); ++row) {
        rows.row.push_back(row);
        rows.submit.push_back(log.submit_time[row]);
    }
    const models::trace::RequestColumn column = models::trace::request_column(log, rows);
    const Requests requests(settings);
    std::map<std::int64_t, WaitingJob> found;
    for (std::uint32_t row = 0; row < log.jobs(); ++row) {
        engine::Job job;
        job.size = static_cast<std::uint32_t>(std::max(log.allocated_processors[row], 1));
        job.estimate = log.requested_time[row];
        job.request = &column.requests[column.of_row[row]];
        found[log.job_number[row]] = requests.of(job, 0);
    }
    return found;
}

/// "09:09:48.907"
std::int64_t time_in_day(const std::string& clock) {
    return std::stoll(clock.substr(0, 2)) * 3600 + std::stoll(clock.substr(3, 2)) * 60
           + std::stoll(clock.substr(6, 2));
}

template <typename Named>
std::uint32_t number_of(const std::vector<Named>& named, const std::string& name) {
    const auto at = std::find_if(named.begin(), named.end(), [&](const Named& one) {
        return one.name == name;
    });
    return at == named.end() ? no_limit : static_cast<std::uint32_t>(at - named.begin());
}

RecordedJob job_of(Row& row, const Settings& settings) {
    RecordedJob recorded{
        .name = row["JobID"],
        .user = row["User"],
        .account = row["Account"],
        .partition = row["Partition"],
        .quality = row["QOS"]};
    WaitingJob& job = recorded.job;
    const std::uint64_t raw = std::stoull(row["JobIDRaw"]);
    const std::size_t task = recorded.name.find('_');
    job.id = 1000 * raw;
    if (task != std::string::npos) {
        job.array = 1000 * std::stoull(recorded.name.substr(0, task));
        job.id =
            job.array + static_cast<std::uint64_t>(std::atoi(recorded.name.c_str() + task + 1));
    }
    const std::uint64_t submitted = job.array != 0 ? job.array / 1000 : raw;
    job.priority = 4294901760.0 - static_cast<double>(submitted);  // priority/basic
    job.partition = number_of(settings.partitions, row["Partition"]);
    job.qos = number_of(settings.qos, row["QOS"]);
    for (std::uint32_t k = 0; k < settings.associations.size(); ++k) {
        if (settings.associations[k].user == row["User"]
            && settings.associations[k].account == row["Account"]) {
            job.association = job.user = k;
        }
    }
    job.submit = time_of(row["Submit"]);
    job.eligible = job.accrue = time_of(row["Eligible"]);
    job.limit = 60 * std::stoll(row["TimelimitRaw"]);
    recorded.end = time_of(row["End"]);
    const std::int64_t start = time_of(row["Start"]);
    recorded.ran = start >= 0;
    recorded.start = recorded.ran ? start : recorded.end;
    recorded.was_preempted = row["State"] == "PREEMPTED";
    recorded.was_released = recorded.ran && row["Priority"] == "0";
    recorded.cpus = static_cast<std::uint32_t>(std::atoi(row["AllocCPUS"].c_str()));
    recorded.nodes = NodeSet(settings.nodes.size());
    const auto names = engine::nodes_in(recorded.ran ? row["NodeList"] : "");
    for (const std::string& name : names.value()) {
        recorded.nodes.insert(number_of(settings.nodes, name));
    }
    return recorded;
}

/// Lines "=== t=30.3 09:09:48", then what squeue, sprio -l and sshare -l -P print.
std::vector<Snapshot> snapshots_of(const std::string& text, std::int64_t day) {
    std::vector<Snapshot> snapshots;
    bool in_sprio = false;
    for (const std::string& line : parts(text, '\n')) {
        if (line.starts_with("=== ")) {
            const std::string clock = line.substr(line.rfind(' ') + 1);
            snapshots.push_back({.second = time_in_day(clock) + day});
            in_sprio = false;
        } else if (line.find("JOBID") != std::string::npos) {
            in_sprio = true;
        } else if (line.find('|') != std::string::npos) {
            in_sprio = false;
            const std::vector<std::string> words = parts(line, '|');
            if (words.size() > 7 && !words[1].empty() && words[1] != "User") {
                snapshots.back().fair_share[words[1]] = std::stod(words[7]);
            }
        } else if (in_sprio) {
            std::istringstream words(line);
            std::uint64_t job = 0;
            std::string other;
            double priority = 0;
            if (words >> job >> other >> other >> priority) {
                snapshots.back().priorities[1000 * job] = priority;
            }
        }
    }
    return snapshots;
}

}  // namespace

std::int64_t Recording::first_second() const {
    const auto at = std::min_element(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) {
        return a.job.submit < b.job.submit;
    });
    return at->job.submit;
}

std::int64_t Recording::last_start() const {
    std::int64_t last = 0;
    for (const RecordedJob& job : jobs) {
        last = job.ran ? std::max(last, job.start) : last;
    }
    return last;
}

Recording read_recording(const std::string& folder) {
    const Site site = read_site(
        {.conf = text_of(folder + "/slurm.conf"),
         .associations = text_of(folder + "/assoc.txt"),
         .qos = text_of(folder + "/qos.txt")}
    );
    if (!site.problems.empty()) {
        throw std::runtime_error(folder + ": " + site.problems.front().message);
    }
    Recording recording{.settings = site.settings};
    std::map<std::string, int> rows_of_job;
    const bool has_all = std::filesystem::exists(folder + "/sacct_all.txt");
    const std::map<std::int64_t, WaitingJob> requests =
        requests_of_log(folder + (has_all ? "/sacct_all.txt" : "/starts.txt"), recording.settings);
    for (Row& row : rows_of(folder + "/starts.txt")) {
        RecordedJob recorded = job_of(row, recording.settings);
        if (recorded.job.array == 0) {  // each run of a job that was requeued
            recorded.job.id += static_cast<std::uint64_t>(rows_of_job[row["JobIDRaw"]]++);
        }
        const WaitingJob& asked = requests.at(std::stoll(row["JobIDRaw"]));
        recorded.job.request = asked.request;
        recorded.job.array_limit = asked.array_limit;
        recording.jobs.push_back(std::move(recorded));
    }
    if (folder.find("reserve/") != std::string::npos) {
        // scontrol create reservation StartTime=now+100 Duration=1 Nodes=n[1-6] Flags=MAINT
        const std::int64_t announced = recording.first_second();
        Reservation maintenance{
            .name = "maint",
            .announced = announced,
            .begin = announced + 100,
            .end = announced + 160,
            .nodes = NodeSet(recording.settings.nodes.size())};
        for (std::size_t node = 0; node < 6; ++node) {
            maintenance.nodes.insert(node);
        }
        recording.settings.reservations.push_back(std::move(maintenance));
    }
    if (folder.find("drain/") != std::string::npos) {
        // tests/slurm/recorded/drain/run1/story.txt; n5 registered again by itself, and a resume
        // took effect two seconds later.
        const auto add = [&](std::int64_t from, std::int64_t until, std::vector<std::size_t> nodes
                         ) {
            RecordedOutage& outage = recording.outages.emplace_back();
            outage = {from, until, NodeSet(recording.settings.nodes.size())};
            for (const std::size_t node : nodes) {
                outage.nodes.insert(node);
            }
        };
        const std::int64_t day = recording.first_second() / 86400 * 86400;
        add(day + time_in_day("06:16:41"), day + time_in_day("06:18:43"), {0, 1});
        add(day + time_in_day("06:17:21"), day + time_in_day("06:17:33"), {4});
    }
    // Of an array that was held as a whole only the last task's row says so.
    std::set<std::uint64_t> released;
    for (const RecordedJob& one : recording.jobs) {
        if (one.was_released && one.job.array != 0) {
            released.insert(one.job.array);
        }
    }
    for (RecordedJob& one : recording.jobs) {
        one.was_released = one.was_released || released.contains(one.job.array);
    }
    // Under priority/basic the place of a job that was held and released is that of its release.
    for (RecordedJob& one : recording.jobs) {
        for (const RecordedJob& other : recording.jobs) {
            if (one.was_released && !other.was_released && other.job.submit <= one.job.eligible) {
                one.job.priority = std::min(one.job.priority, other.job.priority - 0.5);
            }
        }
    }
    // The age of an array's tasks begins with the first; that of its last when %N lets it.
    std::map<std::uint64_t, std::int64_t> first_eligible;
    for (const RecordedJob& one : recording.jobs) {
        const auto [at, is_new] = first_eligible.try_emplace(one.job.array, one.job.eligible);
        at->second = std::min(at->second, one.job.eligible);
    }
    std::map<std::uint64_t, std::uint64_t> last_task;
    for (const RecordedJob& one : recording.jobs) {
        last_task[one.job.array] = std::max(last_task[one.job.array], one.job.id);
    }
    for (RecordedJob& one : recording.jobs) {
        if (one.job.array != 0 && one.job.id != last_task[one.job.array]) {
            one.job.accrue = first_eligible[one.job.array];
        }
    }
    const std::int64_t day = recording.first_second() / 86400 * 86400;
    for (std::string line : parts(text_of(folder + "/passes.txt", false), '\n')) {
        line = line.find('T') == 10 ? line.substr(11) : line;
        if (line.size() < 13) {
            continue;
        }
        const std::int64_t second = day + time_in_day(line);
        if (line.find("starts") != std::string::npos) {
            recording.controller_start = second;
        } else if (line.find("main") != std::string::npos) {
            recording.main_passes.push_back(second);
        } else if (line.find("backfill") != std::string::npos) {
            recording.backfill_passes.push_back(second);
        }
    }
    recording.snapshots = snapshots_of(text_of(folder + "/snapshots.txt", false), day);
    return recording;
}

}  // namespace schedfarm::tests
