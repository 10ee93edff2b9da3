#include "policies/external/plugin.hpp"

#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "policies/external/code.hpp"
#include "policies/external/interface.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view trailer_mark = "schedfarm-policy";
constexpr std::size_t length_digits = 8;
constexpr std::size_t longest_row = 1 << 20;

constexpr std::pair<ParameterType, const char*> type_words[] = {
    {ParameterType::boolean, "boolean"},
    {ParameterType::integer, "integer"},
    {ParameterType::real, "real"},
    {ParameterType::text, "text"},
    {ParameterType::integer_list, "integer_list"},
    {ParameterType::real_list, "real_list"}};

[[noreturn]] void refuse(const fs::path& library, const std::string& why) {
    throw ExternalPolicyError(fmt::format("{}: {}", library.string(), why));
}

json json_of(const Value& value) {
    return std::visit(
        [](const auto& held) -> json {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, Value::List>) {
                json list = json::array();
                for (const Value& element : held) {
                    list.push_back(json_of(element));
                }
                return list;
            } else if constexpr (std::is_same_v<Held, std::shared_ptr<const Choice>>) {
                throw ExternalPolicyError("a parameter has a choice for its default");
            } else {
                return held;
            }
        },
        value.data()
    );
}

/// A text of others, as it may be shown.
std::string text_in(const json& given) {
    return without_controls(given.get<std::string>());
}

Value value_of(const json& given) {
    if (given.is_array()) {
        Value::List list;
        for (const json& element : given) {
            list.push_back(value_of(element));
        }
        return list;
    }
    return given.is_boolean()          ? Value(given.get<bool>())
           : given.is_number_integer() ? Value(given.get<std::int64_t>())
           : given.is_number()         ? Value(given.get<double>())
                                       : Value(text_in(given));
}

/// An end of a range that is not finite is null.
json end_of(double value) {
    return std::isfinite(value) ? json(value) : json();
}

json json_of(const ParameterDescription& row) {
    for (const auto& [type, word] : type_words) {
        if (type == row.type && row.name != "library" && row.name != "sha256") {
            return {
                {"name", row.name},
                {"meaning", row.meaning},
                {"unit", row.unit},
                {"type", word},
                {"default", row.default_value ? json_of(*row.default_value) : json()},
                {"range",
                 {end_of(row.range.low),
                  end_of(row.range.high),
                  row.range.low_is_open,
                  row.range.high_is_open}},
                {"words", row.words}};
        }
    }
    throw ExternalPolicyError(fmt::format(
        "its parameter '{}' is no number, truth value, text or list of numbers, or is called as "
        "one "
        "of the program's. Change it",
        row.name
    ));
}

ParameterDescription row_of(const json& given) {
    ParameterDescription row;
    row.name = text_in(given.at("name"));
    row.meaning = text_in(given.at("meaning"));
    row.unit = text_in(given.at("unit"));
    for (const auto& [type, word] : type_words) {
        row.type = given.at("type") == word ? type : row.type;
    }
    if (!given.at("default").is_null()) {
        row.default_value = value_of(given["default"]);
    }
    const json& range = given.at("range");
    constexpr double infinite = std::numeric_limits<double>::infinity();
    row.range = {
        range.at(0).is_null() ? -infinite : range[0].get<double>(),
        range.at(1).is_null() ? infinite : range[1].get<double>(),
        range.at(2),
        range.at(3)};
    for (const json& word : given.at("words")) {
        row.words.push_back(text_in(word));
    }
    return row;
}

json json_of(const PolicyDescription& policy, const std::string& compiler) {
    json rows = json::array();
    for (const ParameterDescription& row : policy.alternative.parameters) {
        rows.push_back(json_of(row));
    }
    std::optional<Parameters> defaults;
    try {
        defaults = with_defaults(policy.alternative.parameters);
    } catch (const std::exception&) {
        // one has no default
    }
    const PolicyTraits traits = policy.traits(defaults.value_or(Parameters{}));
    if (policy.observations) {
        throw ExternalPolicyError("it has observations of its own, which a plugin cannot have");
    }
    return {
        {"interface", interface_checksum},
        {"compiler", compiler},
        {"name", policy.alternative.name},
        {"summary", policy.alternative.summary},
        {"source", policy.alternative.source},
        {"parameters", std::move(rows)},
        {"traits",
         {traits.preemptive,
          traits.first_come_first_served,
          traits.keeps_fixed_starts,
          traits.draws,
          traits.names_processors,
          traits.takes_withdrawals,
          traits.throttles_arrays,
          traits.answers_earliest_start}}};
}

json parse_row(const fs::path& library) {
    std::ifstream file(library, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad()) {
        refuse(library, absence_text(library));
    }
    if (!content.starts_with("\x7f"
                             "ELF")) {
        refuse(
            library, "is no shared library (no ELF file). Make one with `schedfarm build-policy`"
        );
    }
    const std::size_t trailer = trailer_mark.size() + length_digits;
    const std::string_view end =
        std::string_view(content).substr(content.size() - std::min(trailer, content.size()));
    std::size_t length = 0;
    for (const char digit : end.substr(std::min(trailer_mark.size(), end.size()))) {
        length = digit >= '0' && digit <= '9' ? 10 * length + static_cast<std::size_t>(digit - '0')
                                              : longest_row + 1;
    }
    if (!end.starts_with(trailer_mark) || length > longest_row
        || length + trailer > content.size()) {
        refuse(
            library,
            "is no policy: it does not end with the description of one. Make it with "
            "`schedfarm build-policy`, and do not strip it"
        );
    }
    const std::string text = content.substr(content.size() - trailer - length, length);
    const json row = nests_too_deep(text) ? json() : json::parse(text, nullptr, false);
    const auto has_text = [&row](const char* key) {
        return row.is_object() && row.contains(key) && row[key].is_string();
    };
    if (!has_text("interface") || !has_text("compiler")) {
        refuse(library, "the description of its policy is damaged. Build it anew");
    }
    if (row["interface"] != interface_checksum) {
        refuse(
            library,
            fmt::format(
                "was built for interface {}, and this program has {}. Build it anew with "
                "`schedfarm "
                "build-policy`",
                without_controls(row["interface"].get<std::string>()),
                interface_checksum
            )
        );
    }
    return row;
}

/// The row behind a library; nothing of the library is run.
const json& read_row(const fs::path& library) {
    static std::map<std::string, json> known;
    if (!fs::exists(library)) {
        refuse(library, absence_text(library));
    }
    ExternalCode code;
    code.files = {library.string()};
    json& row = known[library.string() + code.checksums().front()];
    if (row.is_null()) {
        row = parse_row(library);
    }
    return row;
}

Alternative alternative_in(const json& row, const fs::path& library) {
    try {
        Alternative policy;
        policy.name = text_in(row.at("name"));
        policy.summary = text_in(row.at("summary"));
        policy.source = text_in(row.at("source"));
        for (const json& parameter : row.at("parameters")) {
            policy.parameters.push_back(row_of(parameter));
        }
        return policy;
    } catch (const json::exception&) {
        refuse(library, "the description of its policy is damaged. Build it anew");
    }
}

/// Of the library of a cell, as the campaign was begun with it.
const json& read_row(const ExternalCode& code, const Parameters& given) {
    code.expect_unchanged(given);
    return read_row(code.first_file());
}

PolicyTraits traits_of(const Parameters& given) {
    const ExternalCode code = external_code(given);
    const json& row = read_row(code, given);
    try {
        const auto all = row.at("traits").get<std::vector<bool>>();
        return {
            .preemptive = all.at(0),
            .first_come_first_served = all.at(1),
            .keeps_fixed_starts = all.at(2),
            .draws = all.at(3),
            .names_processors = all.at(4),
            .takes_withdrawals = all.at(5),
            .throttles_arrays = all.at(6),
            .answers_earliest_start = all.at(7)};
    } catch (const std::exception&) {
        refuse(code.first_file(), "the description of its policy is damaged. Build it anew");
    }
}

/// `compiler`: where what built it is said.
PolicyDescription load(const fs::path& library, std::string* compiler = nullptr) {
    // Never closed: what it made may outlive any scope here.
    void* const handle = ::dlopen(fs::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const entry = handle == nullptr ? nullptr : ::dlsym(handle, plugin_entry);
    if (entry == nullptr) {
        const char* const problem = ::dlerror();  // NOLINT(concurrency-mt-unsafe)
        refuse(
            library,
            fmt::format(
                "cannot be loaded ({}). Build it anew with `schedfarm build-policy`",
                problem == nullptr ? "no reason is known" : problem
            )
        );
    }
    PolicyDescription policy;
    try {
        const char* const built_by = reinterpret_cast<PluginEntry*>(entry)(policy);
        if (compiler != nullptr) {
            *compiler = built_by;
        }
    } catch (const std::exception& error) {
        refuse(library, fmt::format("cannot describe its policy: {}", error.what()));
    } catch (...) {
        refuse(library, "cannot describe its policy: an exception of unknown type");
    }
    return policy;
}

/// The library of a cell, as the campaign was begun with it.
const PolicyDescription& loaded(const Parameters& given) {
    static std::map<std::string, PolicyDescription> known;
    const ExternalCode code = external_code(given);
    expect_may_start(code);
    const json& row = read_row(code, given);
    const std::string key = code.first_file().string() + code.checksums().front();
    note_versions(code, row["compiler"]);
    const auto found = known.find(key);
    if (found != known.end()) {
        return found->second;
    }
    return known.emplace(key, load(code.first_file())).first->second;
}

/// What `plan` could not ask, since that runs code.
void expect_possible(
    const PolicyDescription& policy, const Parameters& given, const SystemDescription& system
) {
    ParameterProblems found;
    if (policy.alternative.check) {
        found = policy.alternative.check(given);
    }
    if (found.empty() && policy.check_system) {
        found = policy.check_system(given, system);
    }
    if (!found.empty()) {
        throw ExternalPolicyError(fmt::format(
            "the policy `{}` does not take its '{}': {}. {}",
            external_code(given).text(),
            found.front().parameter,
            found.front().reason,
            found.front().suggestion
        ));
    }
}

}  // namespace

std::string plugin_interface() {
    return interface_checksum;
}

engine::Alternative plugin_row(const fs::path& library) {
    return alternative_in(read_row(library), library);
}

void add_plugin_row(const fs::path& library) {
    std::string compiler;
    const PolicyDescription policy = load(library, &compiler);
    std::string row;
    try {
        row = json_of(policy, compiler).dump();
        if (row.size() > longest_row) {
            throw ExternalPolicyError("the texts of its parameters are longer than 1 MiB");
        }
    } catch (const std::exception& error) {
        refuse(library, error.what());
    }
    std::ofstream file(library, std::ios::binary | std::ios::app);
    file << row << trailer_mark << fmt::format("{:0{}}", row.size(), length_digits);
    file.close();
    if (!file) {
        throw std::system_error(errno, std::generic_category(), library.string());
    }
}

void expect_plugin_takes(const Choice& policy, const SystemDescription& system) {
    if (policy.parameters.contains("library") && policy.parameters.contains("sha256")) {
        expect_possible(loaded(policy.parameters), policy.parameters, system);
    }
}

PolicyDescription describe_plugin() {
    PolicyDescription description;
    description.alternative = {
        .name = "plugin",
        .summary =
            "A policy of your own in C++: a library that `schedfarm build-policy` made, "
            "with its own parameters beside it.",
        .parameters =
            {{.name = "library",
              .meaning = "the library, named from the folder of the campaign, and held to its "
                         "checksum",
              .type = ParameterType::text,
              .names_file = true},
             {.name = "sha256",
              .meaning = "its checksum, which the program finds itself",
              .type = ParameterType::text,
              .default_value = Value::List{}}},
        .source = "docs/how-to/your-own-policy.md"};
    description.traits = traits_of;
    description.make = [](const Parameters& given, const PolicyContext& context) {
        const PolicyDescription& policy = loaded(given);
        expect_possible(policy, given, context.system);
        return policy.make(given, context);
    };
    description.specialised_simulator =
        [](const Parameters& given, const SimulationSetup& setup, WorkloadModel& workload) {
            const PolicyDescription& policy = loaded(given);
            return policy.specialised_simulator
                       ? policy.specialised_simulator(given, setup, workload)
                       : std::nullopt;
        };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        const PolicyDescription& policy = loaded(given);
        return policy.make_verifier ? policy.make_verifier(given, context)
                                    : make_machine_verifier(context.system);
    };
    return description;
}

}  // namespace schedfarm::policies
