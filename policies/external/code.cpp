#include "policies/external/code.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/foundation/hash.hpp"
#include "engine/foundation/message_text.hpp"
#include "engine/foundation/utf8.hpp"

namespace schedfarm::policies {

namespace {

namespace fs = std::filesystem;
using engine::Choice;
using engine::Parameters;
using engine::Value;

std::vector<std::string> words_of(const Value& value) {
    std::vector<std::string> words;
    if (const auto* one = std::get_if<std::string>(&value.data())) {
        if (!one->empty()) {
            words.push_back(*one);
        }
        return words;
    }
    for (const Value& word : value.as_list()) {
        words.push_back(word.as_text());
    }
    return words;
}

bool is_file(const fs::path& path) {
    std::error_code absent;
    return fs::is_regular_file(path, absent);
}

bool is_library(const Parameters& parameters) {
    return parameters.contains("library") && parameters.contains("sha256");
}

/// Only the parameters of `external` have a command, and those of `plugin` a library.
bool starts_code(const Parameters& parameters) {
    return is_library(parameters)
           || (parameters.contains("command") && parameters.contains("timeout_s"));
}

/// Calls look(parameters) for each policy that starts code, and gives the choice with what it
/// gives.
Choice changed(const Choice& policy, const auto& look) {
    Choice result = policy;
    for (const auto& [name, value] : policy.parameters.entries()) {
        if (const auto* one = std::get_if<std::shared_ptr<const Choice>>(&value.data())) {
            result.parameters.set(name, changed(**one, look));
        } else if (const auto* list = std::get_if<Value::List>(&value.data())) {
            Value::List again;
            for (const Value& element : *list) {
                const auto* held = std::get_if<std::shared_ptr<const Choice>>(&element.data());
                again.push_back(held == nullptr ? element : Value(changed(**held, look)));
            }
            result.parameters.set(name, again);
        }
    }
    if (starts_code(policy.parameters)) {
        look(result.parameters);
    }
    return result;
}

/// Whether it matters that others can add names to a folder whose names they cannot change (/tmp).
enum class Additions : std::uint8_t { matter, do_not };

/// Who can change what has this path, beside this user and root; "": nobody. A group may be one's
/// own, but need not: a folder that it can write to is not this user's alone.
std::string others_of(const fs::path& path, Additions additions) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) {
        return "";
    }
    if (found.st_uid != ::geteuid() && found.st_uid != 0) {
        return fmt::format("belongs to user {}", found.st_uid);
    }
    const bool keeps_names =
        additions == Additions::do_not && S_ISDIR(found.st_mode) && (found.st_mode & S_ISVTX) != 0;
    const bool is_own_group = found.st_gid == ::getegid() && found.st_gid == found.st_uid;
    if (((found.st_mode & S_IWOTH) != 0 && !keeps_names)
        || ((found.st_mode & S_IWGRP) != 0 && !keeps_names && !is_own_group)) {
        return "can be written by others";
    }
    return "";
}

/// What tells one content of a file from the next without reading it.
using Stamp = std::tuple<dev_t, ino_t, off_t, time_t, long>;

/// Of a file that is as it was the checksum is known: every replication asks for it.
std::string checksum_of(const fs::path& path) {
    static std::map<fs::path, std::pair<Stamp, std::string>> known;
    struct stat now {};
    std::ifstream file;
    if (::stat(path.c_str(), &now) == 0) {
        auto& [stamp, checksum] = known[fs::absolute(path)];
        const Stamp seen{
            now.st_dev, now.st_ino, now.st_size, now.st_mtim.tv_sec, now.st_mtim.tv_nsec};
        if (stamp == seen && !checksum.empty()) {
            return checksum;
        }
        file.open(path, std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(file), {}};
        if (file.is_open() && !file.bad()) {
            stamp = seen;
            checksum = engine::sha256_hex(content);
            return checksum;
        }
    }
    throw ExternalPolicyError(path.string() + ": the file of a policy cannot be read");
}

/// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): a process may or it may not
std::optional<std::vector<std::string>>& permission() {
    static std::optional<std::vector<std::string>> given;
    return given;
}

/// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::set<std::string>& noted_versions() {
    static std::set<std::string> noted;
    return noted;
}

}  // namespace

bool nests_too_deep(std::string_view json) {
    constexpr int deepest = 100;
    int depth = 0;
    for (const char c : json) {
        depth += c == '[' || c == '{' ? 1 : 0;
        depth -= c == ']' || c == '}' ? 1 : 0;
        if (depth > deepest) {
            return true;
        }
    }
    return false;
}

std::string ExternalCode::text() const {
    std::string line;
    for (const std::string& word : command) {
        line += (line.empty() ? "" : " ") + engine::shell_word(word);
    }
    return line;
}

std::vector<std::string> ExternalCode::checksums() const {
    std::vector<std::string> found;
    for (const std::string& name : files) {
        found.push_back(checksum_of(folder / name));
    }
    return found;
}

void ExternalCode::expect_unchanged(const Parameters& given) const {
    const auto known = given.at("sha256").as_list();
    const std::vector<std::string> found = known.empty() ? std::vector<std::string>() : checksums();
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (i >= known.size() || known[i].as_text() != found[i]) {
            throw ExternalCodeChanged(fmt::format(
                "{}: the file has changed since the run began (its results would be those of two "
                "policies). Begin anew with --fresh",
                (folder / files[i]).lexically_normal().string()
            ));
        }
    }
}

std::string ExternalCode::foreign_part() const {
    for (const std::string& name : files) {
        std::error_code absent;
        const fs::path file = fs::weakly_canonical(fs::absolute(folder / name), absent);
        for (fs::path part = file;; part = part.parent_path()) {
            // What lies beside a script is what it imports.
            const bool is_beside = part == file.parent_path();
            const auto additions = is_beside ? Additions::matter : Additions::do_not;
            if (const std::string others = others_of(part, additions); !others.empty()) {
                return fmt::format("{} {}", part.string(), others);
            }
            if (part == part.parent_path()) {
                break;
            }
        }
    }
    return "";
}

ExternalCode external_code(const Parameters& given) {
    const engine::NamingFolders& folders = given.folders();
    ExternalCode code;
    code.folder = fs::path(folders.current) / folders.campaign;
    if (is_library(given)) {
        code.command = code.files = {given.text("library")};
        return code;
    }
    code.command = words_of(given.at("command"));
    for (std::size_t i = 0; i < code.command.size(); ++i) {
        const std::string& word = code.command[i];
        // An interpreter of the system is none of its files.
        const bool is_interpreter = i == 0
                                    && (word.find('/') == std::string::npos
                                        || (word.front() == '/' && code.command.size() > 1));
        if (!is_interpreter && is_file(code.folder / word)) {
            code.files.push_back(word);
        }
    }
    for (std::string& file : words_of(given.at("files"))) {
        code.files.push_back(std::move(file));
    }
    return code;
}

std::vector<engine::ParameterProblem> external_problems(const Parameters& given) {
    const ExternalCode code = external_code(given);
    if (code.command.empty()) {
        return {{"command", "no command is given", "Write command: [python3, mine.py]."}};
    }
    const std::string& first = code.command.front();
    if (code.command.size() == 1 && first.find(' ') != std::string::npos) {
        return {
            {"command",
             fmt::format("'{}' is one word (no shell divides it)", first),
             "Write a list of words, as [python3, mine.py]."}};
    }
    if (code.files.empty() && is_file(code.folder / first)) {
        return {
            {"command",
             fmt::format("'{}' is looked for among the programs, not in the folder", first),
             fmt::format("Write [python3, {0}], or [./{0}] where it can be executed.", first)}};
    }
    if (code.files.empty()) {
        return {
            {"command",
             fmt::format(
                 "no word of `{}` is a file in {} (what runs could not be told apart from what "
                 "ran)",
                 code.text(),
                 code.folder.empty() ? "this folder" : code.folder.lexically_normal().string()
             ),
             "Name the policy's files: files: [mine.py]."}};
    }
    for (const std::string& file : code.files) {
        if (!is_file(code.folder / file)) {
            return {
                {"files",
                 fmt::format(
                     "{}: {}",
                     (code.folder / file).lexically_normal().string(),
                     engine::absence_text(code.folder / file)
                 ),
                 "Files are named from the folder of the campaign."}};
        }
    }
    return {};
}

std::vector<ExternalCode> external_codes(const Choice& policy) {
    std::vector<ExternalCode> codes;
    changed(policy, [&codes](const Parameters& given) { codes.push_back(external_code(given)); });
    return codes;
}

Choice with_checksums(
    const Choice& policy, std::vector<std::pair<std::string, std::string>>& seen
) {
    return changed(policy, [&seen](Parameters& given) {
        const ExternalCode code = external_code(given);
        const std::vector<std::string> checksums = code.checksums();
        Value::List values;
        for (std::size_t i = 0; i < checksums.size(); ++i) {
            seen.emplace_back(code.files[i], checksums[i]);
            values.emplace_back(checksums[i]);
        }
        given.set("sha256", values);
    });
}

void allow_external_code(std::vector<std::string> variables) {
    permission() = std::move(variables);
}

const std::vector<std::string>* external_variables() {
    return permission() ? &*permission() : nullptr;
}

void expect_may_start(const ExternalCode& code) {
    if (!permission()) {
        throw ExternalPolicyError(fmt::format(
            "the policy `{}` was not started (only run, resume, simulate and replay start the code "
            "of a policy)",
            code.text()
        ));
    }
}

void note_versions(const ExternalCode& code, const std::string& versions) {
    if (!versions.empty()) {
        noted_versions().insert(engine::without_controls(code.text() + ": " + versions));
    }
}

std::vector<std::string> take_versions() {
    const std::set<std::string> noted = std::exchange(noted_versions(), {});
    return {noted.begin(), noted.end()};
}

}  // namespace schedfarm::policies
