#include "models/trace/trace_settings.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>

#include "models/trace/reading/clock.hpp"
#include "models/trace/reading/letters.hpp"
#include "models/trace/reading/log_error.hpp"
#include "models/trace/reading/number.hpp"

namespace schedfarm::models::trace {

namespace {

using engine::ParameterDescription;
using engine::Parameters;
using engine::ParameterType;
using engine::Value;

constexpr double longest_s = 1e12;

/// In the order of the enumerations.
constexpr std::array<const char*, 5> processors_words{
    "allocated_else_requested", "requested_else_allocated", "allocated", "requested", "nodes"};
constexpr std::array<const char*, 3> overrun_words{"killed", "runs_on", "request_raised"};
constexpr std::array<const char*, 3> request_words{"dropped", "run_time", "given"};
constexpr std::array<const char*, 4> memory_words{
    "requested_else_used", "used_else_requested", "requested", "used"};
constexpr std::array<const char*, 7> class_words{
    "none", "sizes", "queues", "groups", "partitions", "qos", "partitions_sizes_lengths"};
constexpr std::array<const char*, 4> queue_words{"queue", "group", "partition", "qos"};
constexpr std::array<Field, 4> queue_fields{
    Field::queue, Field::group, Field::partition, Field::quality};
constexpr std::array<const char*, 9> format_words{
    "by_content", "swf", "sacct", "csv", "batsim", "pbs", "grid_engine", "lsf", "jobcomp"};
constexpr std::array<const char*, 2> arrival_words{"eligible", "submit"};
constexpr std::array<const char*, 2> dependency_words{"keep", "ignore"};
constexpr std::array<const char*, 3> left_words{"of_tables", "replay", "drop"};
constexpr std::array<const char*, 2> extent_words{"whole", "dense"};
constexpr std::array<std::string_view, 7> reading_parameters{
    "format", "columns", "zone", "fields", "cluster", "partitions", "accounts"};
constexpr std::array<const char*, 4> resampling_words{"weeks", "users", "free_users", "none"};

template <typename Enum, std::size_t count>
Enum chosen(const std::array<const char*, count>& words, const std::string& word) {
    return static_cast<Enum>(std::find(words.begin(), words.end(), word) - words.begin());
}

/// REQUIRES: no or two values.
Interval interval(const std::vector<double>& values) {
    return values.empty() ? Interval{} : Interval{.low = values[0], .high = values[1]};
}

ParameterDescription interval_parameter(const char* name, const char* meaning, const char* unit) {
    return {
        .name = name,
        .meaning = meaning,
        .unit = unit,
        .type = ParameterType::real_list,
        .default_value = Value::List{},
        .range = {.low = 0, .high = longest_s}};
}

template <std::size_t count>
ParameterDescription word_parameter(
    const char* name, const char* meaning, const std::array<const char*, count>& words
) {
    return {
        .name = name,
        .meaning = meaning,
        .type = ParameterType::text,
        .default_value = words.front(),
        .words = {words.begin(), words.end()}};
}

ParameterDescription text_parameter(const char* name, const char* meaning) {
    return {.name = name, .meaning = meaning, .type = ParameterType::text, .default_value = ""};
}

std::vector<ParameterDescription> format_parameters() {
    return {
        word_parameter(
            "format",
            "of the log: SWF, a table of sacct -P, CSV, JSON of Batsim, or accounting records of "
            "PBS, Grid Engine, LSF or Slurm's jobcomp/filetxt; by_content: what it looks like",
            format_words
        ),
        text_parameter(
            "columns",
            "which column of a table is what: a mapping such as {submit: submit_time, limit: "
            "{column: time_limit, unit: min}}, or the name of a map that comes with the program "
            "(kestrel, pm100 and others) or of a file, or the names of the columns of a table "
            "without "
            "a header, JobIDRaw,Submit,...; empty: the columns of sacct"
        ),
        text_parameter(
            "zone",
            "of times of a table that say none: a name such as Europe/Paris; empty: that of the "
            "map, else UTC"
        ),
        text_parameter(
            "fields",
            "of SWF, what stands behind the 18 fields, with commas: nodes, requested_nodes, gpus, "
            "qos, descriptor (frontier:excl:2500x112), others are passed over; empty: all are"
        ),
        text_parameter(
            "cluster",
            "of a table whose rows name several, the one whose jobs are meant; empty: all"
        ),
        text_parameter(
            "partitions",
            "of a table, whose jobs are meant, names with commas; empty: those of all partitions"
        ),
        text_parameter("accounts", "likewise, of all accounts")};
}

std::vector<ParameterDescription> selection_parameters() {
    return {
        text_parameter(
            "from",
            "jobs submitted before are left out: a date in the log's own zone (1996-08-01, "
            "1996-08-01 12:00), or a second of the log; empty: none"
        ),
        text_parameter("before", "jobs submitted then or later are left out; empty: none"),
        word_parameter(
            "period",
            "dense: without the days before the log is dense and after, where `from` and `before` "
            "say nothing, and no draws of weeks with fewer jobs than a dense day, which has a "
            "quarter of those of a busy one; weeks begin with the first day's midnight, and a last "
            "one is drawn where the log reaches its last day or it has three quarters of the jobs "
            "of the others",
            extent_words
        ),
        interval_parameter("sizes", "smallest and largest size kept; empty: all", "processors"),
        interval_parameter(
            "run_times", "shortest and longest run time kept, as logged; empty: all", "s"
        ),
        interval_parameter("cpu_times", "smallest and largest CPU time kept; empty: all", "s"),
        {.name = "statuses",
         .meaning = "statuses kept: 0 failed, 1 completed, 5 cancelled, -1 unknown; empty: all but "
                    "2, 3 and "
                    "4, partial executions of jobs that have a line of their own",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = -1, .high = 5}},
        {.name = "leave_out",
         .meaning = "numbers of jobs, as the log has them, that are left out; under the policy "
                    "slurm those that the site can never place are added",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 0, .high = 1e15}}};
}

std::vector<ParameterDescription> filling_parameters() {
    return {
        word_parameter(
            "arrival",
            "when a job comes: when it could be started first (eligible), where the log says it, "
            "or "
            "when it was submitted",
            arrival_words
        ),
        word_parameter(
            "dependencies",
            "jobs that the log has follow others (fields 17 and 18 of SWF; --dependency in sacct's "
            "SubmitLine). keep: such a job "
            "arrives its think time after the end of the other, or where that is not known, not "
            "before that end; where the other is left out or not drawn, when it did in the log. "
            "ignore: all arrive when they did in the log",
            dependency_words
        ),
        word_parameter(
            "left_waiting",
            "jobs that left while they waited: cancelled, mostly. of_tables: where a table such as "
            "sacct's says when, they come, wait and leave then, are in no result, and take no "
            "processors: one that could start leaves in place of that; replay: those of other "
            "tables and of an SWF (status 5, field 3) too; drop: there are none. Not where users "
            "are drawn",
            left_words
        ),
        word_parameter(
            "processors",
            "which processors a job needs; nodes: one for each of its nodes",
            processors_words
        ),
        word_parameter(
            "missing_request", "what becomes of jobs without a requested time", request_words
        ),
        text_parameter(
            "partition_limits",
            "the limits of jobs that asked for none or for one without end, by partition in "
            "seconds: "
            "short=600/3600,=3600/86400, the last of all others; a job's run time at least. "
            "Filled in from a slurm.conf; empty: not known"
        ),
        {.name = "given_request",
         .meaning = "the requested time where missing_request is given",
         .unit = "s",
         .default_value = day_s,
         .range = {.low = 0, .high = longest_s, .low_is_open = true}},
        {.name = "zero_run_time",
         .meaning = "run time of jobs that the log gives 0; 0: they are left out",
         .unit = "s",
         .default_value = 0.0,
         .range = {.low = 0, .high = longest_s}},
        word_parameter(
            "overrun",
            "jobs that ran longer than requested: killed then, runs_on, or request_raised to the "
            "run time",
            overrun_words
        ),
        word_parameter("memory", "which memory a job needs, in KB per processor", memory_words),
        word_parameter(
            "classes",
            "what tables by class tell apart. sizes: 1 processor, 2, 3 to 4, 5 to 8 and so on; "
            "queues, groups (accounts), partitions, qos: those of the jobs kept, by number, from "
            "class 0; partitions_sizes_lengths: each partition's jobs of sizes up to the median, "
            "up "
            "to the 95th percentile and above, below an hour and longer",
            class_words
        ),
        word_parameter(
            "queue", "what of a job is its queue, by which policies tell jobs apart", queue_words
        ),
        text_parameter(
            "queues",
            "names or numbers of these, with commas: the first is queue 1, the second queue 2 and "
            "so on, all others are queue 0; empty: numbers as the log has them, names by number in "
            "the order in which they appear"
        )};
}

std::vector<ParameterDescription> replication_parameters() {
    return {
        word_parameter(
            "resampling",
            "replications with intervals of logs like this one, without end. weeks: whole weeks "
            "drawn "
            "with replacement, whose means are the log's own; users: users with all their jobs, "
            "until the work is the log's; free_users: as many users as there are, at any load. "
            "none: the log itself, of which there is one replication, unless something is drawn "
            "anew",
            resampling_words
        ),
        {.name = "shake",
         .meaning = "submits move by whole seconds, uniform up to this either way; with "
                    "resampling none, intervals are of this one log, shaken",
         .unit = "s",
         .type = ParameterType::integer,
         .default_value = 0,
         .range = {.low = 0, .high = 1e9}},
        {.name = "load_factor",
         .meaning = "times between submits are divided by it",
         .default_value = 1.0,
         .range = {.low = 0, .high = 1e6, .low_is_open = true}}};
}

std::vector<Status> statuses(const Parameters& parameters) {
    std::vector<Status> result;
    for (const Value& status : parameters.at("statuses").as_list()) {
        result.push_back(static_cast<Status>(status.as_integer()));
    }
    return result;
}

std::vector<std::int64_t> left_out(const Parameters& parameters) {
    std::vector<std::int64_t> numbers;
    if (parameters.contains("leave_out")) {
        for (const Value& number : parameters.at("leave_out").as_list()) {
            numbers.push_back(number.as_integer());
        }
    }
    std::ranges::sort(numbers);
    return numbers;
}

/// Of a parameter that cells leave out where it says nothing (checksummed() in prepared_log.hpp).
std::string said(const Parameters& parameters, const char* name, const char* otherwise = "") {
    return parameters.contains(name) ? parameters.text(name) : otherwise;
}

/// "a, b": its words.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, ',');) {
        word.erase(0, word.find_first_not_of(' '));
        word.erase(word.find_last_not_of(' ') + 1);
        words.push_back(word);
    }
    return words;
}

/// "short=600/3600,=3600/86400"
std::map<std::string, PartitionLimits> limits_of(const std::string& text) {
    std::map<std::string, PartitionLimits> limits;
    for (const std::string& entry : words_of(text)) {
        const std::size_t equals = entry.rfind('=');
        const std::size_t slash = entry.find('/', std::min(equals, entry.size()));
        const auto usual = slash < entry.size() && equals < slash
                               ? parse_number(entry.substr(equals + 1, slash - equals - 1))
                               : std::nullopt;
        const auto most = usual ? parse_number(entry.substr(slash + 1)) : std::nullopt;
        if (!most || *usual <= 0 || *most <= 0) {
            throw LogError(fmt::format(
                "partition_limits: '{}' is no limit. Write NAME=SECONDS/SECONDS.", printable(entry)
            ));
        }
        limits[entry.substr(0, equals)] = {.usual_s = *usual, .most_s = *most};
    }
    return limits;
}

Filling filling_of(const Parameters& parameters) {
    Filling filling;
    filling.arrival =
        chosen<ArrivalRule>(arrival_words, said(parameters, "arrival", arrival_words.front()));
    filling.left =
        chosen<LeftRule>(left_words, said(parameters, "left_waiting", left_words.front()));
    filling.processors = chosen<ProcessorsRule>(processors_words, parameters.text("processors"));
    filling.missing_request =
        chosen<RequestRule>(request_words, parameters.text("missing_request"));
    filling.request_s = parameters.real("given_request");
    filling.limits = limits_of(said(parameters, "partition_limits"));
    filling.overrun = chosen<OverrunRule>(overrun_words, parameters.text("overrun"));
    if (parameters.real("zero_run_time") > 0) {
        filling.zero_run_s = parameters.real("zero_run_time");
    }
    return filling;
}

Reading reading_of(const Parameters& parameters) {
    Reading reading;
    const std::string format = said(parameters, "format", format_words.front());
    if (format != format_words.front()) {
        const auto* const word = std::find(format_words.begin(), format_words.end(), format);
        reading.format = static_cast<LogFormat>(word - format_words.begin() - 1);
    }
    reading.columns = column_map(said(parameters, "columns"));
    reading.zone = said(parameters, "zone");
    reading.fields = words_of(said(parameters, "fields"));
    reading.choice = {
        .cluster = said(parameters, "cluster"),
        .partitions = words_of(said(parameters, "partitions")),
        .accounts = words_of(said(parameters, "accounts"))};
    return reading;
}

QueueRule queue_of(const Parameters& parameters) {
    const auto* const word = std::find(
        queue_words.begin(), queue_words.end(), said(parameters, "queue", queue_words.front())
    );
    return {
        .field = queue_fields.at(static_cast<std::size_t>(word - queue_words.begin())),
        .numbered = words_of(said(parameters, "queues"))};
}

/// Without what changes only how the prepared jobs are drawn, and without the log's checksum; with
/// the defaults of what is left out.
std::string text_of_preparation(const Parameters& parameters) {
    Parameters complete;
    for (const ParameterDescription& row : trace_parameters()) {
        const bool is_given = parameters.contains(row.name);
        complete.set(row.name, is_given ? parameters.at(row.name) : *row.default_value);
    }
    complete.set("sha256", "");
    complete.set("shake", 0);
    complete.set("load_factor", 1.0);
    return complete.text();
}

std::vector<ParameterDescription> all_parameters() {
    std::vector<ParameterDescription> result{
        {.name = "file",
         .meaning =
             "the log, in the Standard Workload Format or a table, plain or .gz: a path from the "
             "current folder, a name in the folder $SCHEDFARM_TRACES, or a path from the "
             "folder of the campaign file that names it, the first that is there; example, "
             "and mm1_weeks.1, mm1_weeks.2 …: logs that the program generates; mm1_weeks: "
             "that with the number of the campaign's seed",
         .type = ParameterType::text,
         .names_file = true},
        text_parameter(
            "sha256",
            "of the uncompressed file; another log is refused; empty: the log that is there when "
            "the campaign is begun"
        )};
    for (const auto& part :
         {format_parameters(),
          selection_parameters(),
          filling_parameters(),
          replication_parameters()}) {
        result.insert(result.end(), part.begin(), part.end());
    }
    return result;
}

}  // namespace

TraceSettings::TraceSettings(const Parameters& parameters)
    : prepared_text(text_of_preparation(parameters))
    , file(parameters.text("file"))
    , folders(parameters.folders())
    , sha256(parameters.text("sha256"))
    , reading(reading_of(parameters))
    , from(parameters.text("from"))
    , before(parameters.text("before"))
    , extent(chosen<Extent>(extent_words, said(parameters, "period", extent_words.front())))
    , selection{
        .size = interval(parameters.reals("sizes")),
        .run_time = interval(parameters.reals("run_times")),
        .cpu_time = interval(parameters.reals("cpu_times")),
        .statuses = statuses(parameters),
        .left_out = left_out(parameters)}
    , filling(filling_of(parameters))
    , memory(chosen<MemoryRule>(memory_words, parameters.text("memory")))
    , classes(chosen<ClassRule>(class_words, parameters.text("classes")))
    , queue(queue_of(parameters))
    , dependencies(chosen<DependencyRule>(
          dependency_words, said(parameters, "dependencies", dependency_words.front())
      ))
    , resampling(resampling_of(parameters))
    , shake_s(static_cast<std::uint32_t>(parameters.integer("shake")))
    , load_factor(parameters.real("load_factor")) {}

const std::vector<ParameterDescription>& trace_parameters() {
    static const std::vector<ParameterDescription> parameters = all_parameters();
    return parameters;
}

Resampling resampling_of(const Parameters& parameters) {
    return chosen<Resampling>(resampling_words, parameters.text("resampling"));
}

bool is_of_reading(std::string_view parameter) {
    return std::find(reading_parameters.begin(), reading_parameters.end(), parameter)
           != reading_parameters.end();
}

std::vector<engine::ParameterProblem> interval_problems(const Parameters& parameters) {
    for (const char* name : {"sizes", "run_times", "cpu_times"}) {
        const std::vector<double> values = parameters.reals(name);
        if (!values.empty() && (values.size() != 2 || values[0] > values[1])) {
            return {
                {name,
                 "no interval (a smallest and a largest value are expected)",
                 "Write [low, high]."}};
        }
    }
    return {};
}

}  // namespace schedfarm::models::trace
