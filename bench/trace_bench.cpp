#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/trace/built_in_logs.hpp"
#include "models/trace/reading/reader.hpp"
#include "models/trace/selection.hpp"
#include "models/trace/writing/swf_writer.hpp"
#include "models/trace/writing/table_writer.hpp"

#include "app/run/replication.hpp"

#include "bench/bench.hpp"
#include "bench/minimal_loops.hpp"

namespace schedfarm::bench {

namespace {

namespace trace = models::trace;

struct BenchLog {
    std::string_view name;
    std::string_view file;
    std::uint32_t processors = 0;
};

constexpr BenchLog generated{"generated log", "example", 64};
constexpr BenchLog kth{"KTH-SP2", "KTH-SP2-1996-2.1-cln.swf.gz", 100};
constexpr BenchLog ctc{"CTC-SP2", "CTC-SP2-1996-3.1-cln.swf.gz", 338};
constexpr BenchLog ctc_430{"CTC-SP2 on 430", ctc.file, 430};  // at less load: short queues
constexpr BenchLog ctc_320{"CTC-SP2 on 320", ctc.file, 320};  // without its 12 larger jobs
constexpr BenchLog ctc_200{"CTC-SP2 on 200", ctc.file, 200};  // overload: queues of thousands
constexpr BenchLog blue{"SDSC-BLUE", "SDSC-BLUE-2000-4.2-cln.swf.gz", 1152};

std::filesystem::path path_of(const BenchLog& log) {
    const char* const folder = std::getenv("SCHEDFARM_TRACES");  // NOLINT(concurrency-mt-unsafe)
    return folder == nullptr ? std::filesystem::path() : std::filesystem::path(folder) / log.file;
}

bool is_found(const BenchLog& log) {
    return log.file == generated.file || std::filesystem::exists(path_of(log));
}

trace::Log content_of(const BenchLog& log) {
    return log.file == generated.file ? trace::built_in_log(generated.file)
                                      : trace::read_log(path_of(log));
}

using Run = std::function<std::uint64_t(std::uint32_t)>;

// What a case needs is made when it is measured first, for most are left out.
template <typename Make>
Run made_once(Make make) {
    return [make, run = std::make_shared<Run>()](std::uint32_t index) {
        if (!*run) {
            *run = make();
        }
        return (*run)(index);
    };
}

Run replication_of(const std::string& campaign, app::SimulatorChoice kernel) {
    return [plan = bench_plan(campaign), kernel](std::uint32_t) {
        return app::run_replication(plan->cells.front(), {0}, kernel).jobs;
    };
}

/// Eight days of each of ten months of a log as the jobs of ten clusters, as in
/// campaigns/calendars/log.yaml.
Run federation_of(const BenchLog& log, const std::string& policy) {
    return made_once([log, policy]() -> Run {
        const auto campaign = fmt::format(
            "experiment: trace\n"
            "system: {{clusters: [{}]}}\n"
            "workload: {{model: federation, every: 2678400, length: 691200, homes: {{trace: {{\n"
            "  file: {}, resampling: none, missing_request: run_time, estimates: exact, overrun:\n"
            "  request_raised, zero_run_time: 1}}}}}}\n"
            "horizon: {{jobs: all, warm_up: none}}\n"
            "probes: [response_time]\n"
            "policy: {}\n",
            fmt::join(std::vector<int>(10, 336), ", "),
            log.file,
            policy
        );
        return replication_of(campaign, app::SimulatorChoice::general);
    });
}

/// A log under a policy, up to `most_jobs`.
struct LogCase {
    BenchLog log;
    std::string policy;
    app::SimulatorChoice kernel = app::SimulatorChoice::automatic;
    std::uint64_t most_jobs = std::numeric_limits<std::uint64_t>::max();
};

Run simulation_of(const LogCase& setting) {
    return made_once([setting]() -> Run {
        trace::Selection selection;
        selection.size.high = setting.log.processors;
        const std::uint64_t jobs = trace::select(content_of(setting.log), selection).jobs.size();
        const auto campaign = fmt::format(
            "experiment: trace\n"
            "system: {{clusters: [{}]}}\n"
            "workload: {{model: trace, file: {}, resampling: none, sizes: [1, {}]}}\n"
            "horizon: {{jobs: {}}}\n"
            "probes: [response_time]\n"
            "policy: {}\n",
            setting.log.processors,
            setting.log.file,
            setting.log.processors,
            std::min(jobs, setting.most_jobs),
            setting.policy
        );
        return replication_of(campaign, setting.kernel);
    });
}

Run minimal_easy_on(const BenchLog& log) {
    return made_once([log]() -> Run {
        const auto jobs =
            std::make_shared<const trace::JobList>(trace::select(content_of(log)).jobs);
        return [jobs, processors = log.processors](std::uint32_t) {
            return minimal_easy(*jobs, processors) > 0 ? jobs->size() : 0;
        };
    });
}

template <typename Function>
Run on_text_of(const BenchLog& log, const std::string& form, Function function) {
    return made_once([log, form, function]() -> Run {
        std::ostringstream text;
        if (form == "SWF") {
            trace::write_log(text, content_of(log));
        } else {
            text << trace::table_text(content_of(log), trace::TableForm::sacct);
        }
        return [function, bytes = text.str()](std::uint32_t) {
            return function(bytes) > 0 ? bytes.size() : 0;
        };
    });
}

BenchCase reading(const BenchLog& log, const std::string& form) {
    return {
        fmt::format("reading {}, {}", form, log.name),
        "bytes",
        "count of lines",
        on_text_of(
            log,
            form,
            [](const std::string& text) { return trace::read_log_text(text, "log").jobs(); }
        ),
        on_text_of(log, form, [](const std::string& text) {
            return std::count(text.begin(), text.end(), '\n');
        })};
}

BenchCase textbook_easy(const BenchLog& log) {
    return {
        fmt::format("EASY, {}", log.name),
        "jobs",
        "heap and sorted vector",
        simulation_of({log, "easy"}),
        minimal_easy_on(log)};
}

BenchCase on_general_kernel(const LogCase& setting) {
    LogCase fcfs = setting;
    fcfs.policy = "fcfs";
    return {
        fmt::format("general kernel, {}, {}", setting.policy, setting.log.name),
        "jobs",
        "FCFS on it",
        simulation_of(setting),
        simulation_of(fcfs)};
}

}  // namespace

std::vector<BenchCase> trace_bench_cases() {
    std::vector<BenchCase> cases;
    for (const BenchLog& log : {generated, kth, ctc, blue}) {
        if (is_found(log)) {
            cases.push_back(reading(log, "SWF"));
            cases.push_back(reading(log, "sacct"));
            cases.push_back(textbook_easy(log));
        }
    }
    if (is_found(ctc_430)) {
        cases.push_back(textbook_easy(ctc_430));
    }
    const auto logs = is_found(ctc) ? std::vector{ctc, ctc_430} : std::vector{generated};
    for (const BenchLog& log : logs) {
        for (const char* policy :
             {"easy",
              "{easy: {order: sjf}}",
              "{easy: {order: lxf}}",
              "{easy: {order: smallest_area}}",
              "{easy: {order: wfp}}",
              "{k_reservations: {reservations: 4}}",
              "selective",
              "conservative"}) {
            cases.push_back(on_general_kernel({log, policy, app::SimulatorChoice::general}));
        }
    }
    if (is_found(ctc)) {
        constexpr std::uint64_t first_jobs = 20000;
        cases.push_back(
            on_general_kernel({ctc_200, "conservative", app::SimulatorChoice::general, first_jobs})
        );
        cases.back().name += ", first 20,000";
    }
    const BenchLog gang_log = is_found(ctc) ? ctc_320 : generated;
    for (const char* policy :  // T = 1,000 s and c = 1 s, the defaults
         {"vanilla_gang", "push_down_gang", "migration_gang", "tree_packing_gang", "matrix_gang"}) {
        cases.push_back(on_general_kernel({gang_log, policy, app::SimulatorChoice::general}));
    }
    if (is_found(ctc)) {
        const std::string isolated = "{managers: {managers: []}}";
        for (const auto& [name, policy] :
             {std::pair{"two levels of managers, CTC-SP2", "managers"},
              std::pair{
                  "forwarding by wait, CTC-SP2", "{managers: {tie: least_loaded, bump_s: 600}}"}}) {
            cases.push_back(
                {name, "jobs", "isolated", federation_of(ctc, policy), federation_of(ctc, isolated)}
            );
        }
    }
    if (is_found(kth)) {
        constexpr std::uint64_t first_jobs = 10000;
        cases.push_back(
            on_general_kernel({kth, "conservative", app::SimulatorChoice::general, first_jobs})
        );
        cases.back().name += ", first 10,000";
    }
    return cases;
}

}  // namespace schedfarm::bench
