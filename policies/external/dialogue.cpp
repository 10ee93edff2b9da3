#include "policies/external/dialogue.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

namespace schedfarm::policies {

namespace {

using nlohmann::json;

/// What is wrong with an answer.
class AnswerError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

std::string shown(std::string_view text) {
    constexpr std::size_t longest = 80;
    return engine::without_controls(text.substr(0, longest)) + (text.size() > longest ? "…" : "");
}

void add_number(std::string& list, std::uint64_t number) {
    list += list.empty() ? "" : ",";
    list += std::to_string(number);
}

std::uint64_t whole(const json& value, const char* what) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > (std::uint64_t{1} << 53)) {
        throw AnswerError(fmt::format("{} is {}, not a whole number", what, shown(value.dump())));
    }
    return value.get<std::uint64_t>();
}

std::uint32_t small(const json& value, const char* what) {
    const std::uint64_t number = whole(value, what);
    if (number > std::numeric_limits<std::uint32_t>::max()) {
        throw AnswerError(fmt::format("{} is {}", what, number));
    }
    return static_cast<std::uint32_t>(number);
}

/// [[first, count], …].
template <typename Part, typename Number>
std::vector<Part> pairs(const json& value, const char* what) {
    std::vector<Part> parts;
    for (const json& pair : value.is_array() ? value : json::array({nullptr})) {
        if (!pair.is_array() || pair.size() != 2) {
            throw AnswerError(fmt::format(
                "'{}' is {}, not a list of pairs [number, count]", what, shown(value.dump())
            ));
        }
        const std::uint32_t count = small(pair[1], what);
        if (count > 0) {
            parts.push_back({Number{small(pair[0], what)}, count});
        }
    }
    return parts;
}

AskedStart start_in(const json& value) {
    if (!value.is_object()) {
        return {.job = whole(value, "a job to start")};
    }
    AskedStart start{.job = whole(value.value("job", json()), "a job to start")};
    for (const auto& [key, given] : value.items()) {
        if (key == "clusters") {
            start.shares = pairs<engine::ClusterShare, engine::ClusterId>(given, "clusters");
        } else if (key == "processors") {
            start.processors =
                pairs<engine::ProcessorRange, engine::ProcessorId>(given, "processors");
        } else if (key != "job") {
            throw AnswerError(fmt::format(
                "knows no '{}' of a start. Write job, clusters or processors", shown(key)
            ));
        }
    }
    return start;
}

double time_in(const json& value) {
    if (!value.is_number()) {
        throw AnswerError(fmt::format("'wake' is {}, not a time", shown(value.dump())));
    }
    return value.get<double>();
}

json object_in(std::string_view line) {
    if (nests_too_deep(line)) {
        throw AnswerError(
            fmt::format("answered '{}', which nests more than 100 brackets", shown(line))
        );
    }
    json tree = json::parse(line, nullptr, false);
    if (!tree.is_object()) {
        throw AnswerError(fmt::format(
            "answered '{}', which is no JSON object. Write one line of JSON to standard output, "
            "and print all else to standard error",
            shown(line)
        ));
    }
    if (const auto error = tree.find("error"); error != tree.end()) {
        const std::string text = error->is_string() ? error->get<std::string>() : error->dump();
        throw AnswerError("raised " + engine::without_controls(text));
    }
    return tree;
}

/// What the program says that it runs with, if anything: {"python": "3.11.2"}.
std::string versions_in(const json& tree) {
    constexpr std::size_t most = 8;
    std::string text;
    const auto versions = tree.find("versions");
    if (versions == tree.end() || !versions->is_object() || versions->size() > most) {
        return text;
    }
    for (const auto& [name, version] : versions->items()) {
        if (version.is_string()) {
            text += text.empty() ? "" : ", ";
            text += shown(name) + " " + shown(version.get<std::string>());
        }
    }
    return text;
}

json hello_in(std::string_view line) {
    const json tree = object_in(line);
    const auto version = tree.find("interface");
    if (version == tree.end() || *version != interface_version) {
        throw AnswerError(fmt::format(
            "speaks version {} of the interface, this program version {}. Take the package "
            "schedfarm of this program, or change the policy as the page of the interface says",
            version == tree.end() ? "(none)" : shown(version->dump()),
            interface_version
        ));
    }
    return tree;
}

}  // namespace

void read_answer(std::string_view line, PolicyAnswer& answer) {
    answer.starts.clear();
    answer.wakes.clear();
    const json tree = object_in(line);
    for (const auto& [key, value] : tree.items()) {
        if (key == "start" && value.is_array()) {
            for (const json& one : value) {
                answer.starts.push_back(start_in(one));
            }
        } else if (key == "wake" && value.is_array()) {
            for (const json& one : value) {
                answer.wakes.push_back(time_in(one));
            }
        } else if (key == "wake") {
            answer.wakes.push_back(time_in(value));
        } else {
            throw AnswerError(fmt::format(
                "answered '{}: {}'. Known: start (a list), wake", shown(key), shown(value.dump())
            ));
        }
    }
}

std::string json_real(double value) {
    if (!std::isfinite(value)) {
        return "null";
    }
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos) {
        text += ".0";
    }
    return text;
}

void InstantNews::arrive(const engine::Job& job) {
    std::string& out = arrived_;
    out += out.empty() ? "" : ",";
    out += fmt::format(
        R"({{"job":{},"submit_time":{},"processors":{},"requested_time":{})",
        job.index,
        json_real(job.submit_time),
        job.size,
        json_real(job.estimate)
    );
    const auto add = [&out](const char* name, std::int64_t value) {
        if (value != 0) {
            out += fmt::format(",\"{}\":{}", name, value);
        }
    };
    add("user", job.user);
    add("class", job.job_class);
    add("queue", job.queue);
    add("priority", job.priority);
    if (job.memory_per_processor != 0) {
        out += ",\"memory_per_processor\":" + json_real(job.memory_per_processor);
    }
    if (job.structure != engine::RequestStructure::total) {
        constexpr std::array<const char*, 4> words{"total", "ordered", "unordered", "grouped"};
        out += fmt::format(
            R"(,"request":"{}","components":[{}])",
            words.at(static_cast<std::size_t>(job.structure)),
            fmt::join(job.components, ",")
        );
    }
    out += "}";
}

void InstantNews::finish(std::uint64_t job) {
    add_number(finished_, job);
}

void InstantNews::withdraw(std::uint64_t job) {
    add_number(withdrawn_, job);
}

const std::string& InstantNews::take_line(
    double now, std::span<const std::uint32_t> free_by_cluster
) {
    line_ = "{\"now\":" + json_real(now);
    const auto add = [this](const char* name, std::string& list) {
        if (!list.empty()) {
            line_.append(",\"").append(name).append("\":[").append(list).append("]");
            list.clear();
        }
    };
    add("withdrawn", withdrawn_);
    add("finished", finished_);
    add("arrived", arrived_);
    line_ += ",\"free\":[";
    std::string free;
    for (const std::uint32_t count : free_by_cluster) {
        add_number(free, count);
    }
    line_.append(free).append("]}\n");
    return line_;
}

Dialogue::Dialogue(
    const engine::Parameters& given, const engine::PolicyContext& context, Process wanted
)
    : timeout_s_(given.real("timeout_s")), wanted_(wanted) {
    const ExternalCode code = external_code(given);
    text_ = code.text();
    code.expect_unchanged(given);
    process_ = wanted == Process::fresh ? std::make_unique<PolicyProcess>(code)
                                        : PolicyProcess::lend(code);
    begin(given, context);
}

Dialogue::~Dialogue() {
    if (process_ != nullptr && wanted_ == Process::any) {
        PolicyProcess::give_back(std::move(process_));
    }
}

void Dialogue::begin(const engine::Parameters& given, const engine::PolicyContext& context) {
    constexpr int kept_bits = 53;  // a double holds it
    const std::string line = fmt::format(
        R"({{"interface":{},"clusters":[{}],"processors":"{}","memory_per_processor":{},"seed":{}}})"
        "\n",
        interface_version,
        fmt::join(context.system.clusters, ","),
        given.text("processors"),
        json_real(context.system.memory_per_processor),
        context.random.draw(0) >> (64 - kept_bits)
    );
    try {
        const json hello = hello_in(process_->exchange(line, timeout_s_));
        note_versions(process_->code(), versions_in(hello));
    } catch (const std::runtime_error& error) {
        fail("before the first instant", error.what());
    }
}

const PolicyAnswer& Dialogue::ask(const std::string& line, double now) {
    try {
        read_answer(process_->exchange(line, timeout_s_), answer_);
    } catch (const std::runtime_error& error) {
        refuse(now, error.what());
    } catch (...) {  // out of memory: what is left of the answer is no other replication's
        process_.reset();
        throw;
    }
    return answer_;
}

void Dialogue::refuse(double now, const std::string& problem) {
    fail(fmt::format("at time {}", now), problem);
}

void Dialogue::fail(const std::string& when, const std::string& problem) {
    const bool has_words = problem.find("standard error:\n") != std::string::npos;
    const std::string words = has_words ? "" : process_->last_words();
    process_.reset();
    throw ExternalPolicyError(fmt::format("the policy `{}` {}: {}{}", text_, when, problem, words));
}

}  // namespace schedfarm::policies
