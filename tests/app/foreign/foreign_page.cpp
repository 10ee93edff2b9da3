#include "tests/app/foreign/foreign_page.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/file_bytes.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t fallback) {
    const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

const char* const preamble =
    "# Foreign files\n\n"
    "What becomes of journals and result files that no run of this program left as they are:\n"
    "damaged, of another campaign or version, or with records and tables that are whole but mean\n"
    "nothing. The promise, checked for every file and command: one message that names the file,\n"
    "exit code 2, and every byte on the disk as it was; or the file is accepted, and a result "
    "file\n"
    "made from it agrees with the schema. A torn tail of a journal is accepted: it is what a kill\n"
    "leaves, and resuming cuts it off.\n\n"
    "Written by `foreign_input_test`: `tools/foreign-input.sh` builds it with AddressSanitizer "
    "and\n"
    "UndefinedBehaviorSanitizer and runs 10,000 files; `./test.sh` runs 250.\n";

#ifdef __SANITIZE_ADDRESS__
const char* const build = "with sanitizers";
#else
const char* const build = "without sanitizers";
#endif

std::string section(const std::string& title, std::uint64_t files, const Tallies& tallies) {
    std::string text = fmt::format(
        "\n## {}\n\n{} files, seeds from {}, {}.\n\n| damage | command | refused | accepted |\n"
        "|---|---|---:|---:|\n",
        title,
        files,
        first_seed(),
        build
    );
    for (const auto& [damage, commands] : tallies) {
        for (const auto& [command, tally] : commands) {
            text += fmt::format(
                "| {} | {} | {} | {} |\n", damage, command, tally.refused, tally.accepted
            );
        }
    }
    return text;
}

}  // namespace

void record_tallies(const std::string& title, std::uint64_t files, const Tallies& tallies) {
    for (const auto& [damage, commands] : tallies) {
        std::string line = damage + ":";
        for (const auto& [command, tally] : commands) {
            line += fmt::format(" {} {}/{}", command, tally.refused, tally.accepted);
        }
        MESSAGE(line);
    }
    const char* page = std::getenv("SCHEDFARM_FOREIGN_PAGE");  // NOLINT(concurrency-mt-unsafe)
    if (page == nullptr) {
        return;
    }
    std::string text = bytes_of(page);
    text = text.empty() ? preamble : text;
    const std::size_t begin = text.find("\n## " + title + "\n");
    if (begin != std::string::npos) {
        text.erase(begin, text.find("\n## ", begin + 1) - begin);
    }
    std::ofstream(page) << text + section(title, files, tallies);
}

std::uint64_t mutations(double share) {
    const std::uint64_t files = short_or_long(250U, 1000U);
    const auto all = static_cast<double>(from_environment("SCHEDFARM_MUTATIONS", files));
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(all * share));
}

std::uint64_t first_seed() {
    return from_environment("SCHEDFARM_MUTATION_SEED", 0);
}

}  // namespace schedfarm::tests
