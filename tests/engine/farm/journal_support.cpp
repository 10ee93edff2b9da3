#include "tests/engine/farm/journal_support.hpp"

#include <fstream>

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp

namespace schedfarm::tests {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "schedfarm-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw fs::filesystem_error("mkdtemp", name, {errno, std::generic_category()});
    }
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void write_file(const fs::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
}

engine::JournalHeader sample_header() {
    engine::JournalHeader header;
    header.program_version = "1.2.3";
    header.campaign_name = "response";
    header.plan_hash = "0123abcd";
    header.campaign = "name: response\nseed: 1\n";
    header.cell_keys = "keys";
    return header;
}

engine::TaskResult sample_result(std::uint64_t number) {
    engine::TaskResult result;
    result.id = {number};
    result.status = static_cast<engine::TaskStatus>(number % 4);
    result.payload.assign(number % 13, static_cast<std::byte>(number));
    result.message = number % 4 == 0 ? "" : "failure " + std::to_string(number);
    result.seconds = 0.125 * static_cast<double>(number);
    result.rank = static_cast<std::uint32_t>(number % 5);
    result.began_s = 1.75e9 + 0.5 * static_cast<double>(number);
    result.run_began_s = 1.75e9;
    return result;
}

std::vector<engine::TaskResult> as_list(const engine::JournalResults& results) {
    return {results.begin(), results.end()};
}

bool same_result(const engine::TaskResult& a, const engine::TaskResult& b) {
    return a.id == b.id && a.status == b.status && a.payload == b.payload && a.message == b.message
           && a.seconds == b.seconds && a.rank == b.rank && a.began_s == b.began_s
           && a.run_began_s == b.run_began_s;
}

std::string reading_error(const fs::path& path) {
    try {
        engine::read_journal(path);
    } catch (const engine::JournalError& error) {
        return error.what();
    }
    return {};
}

}  // namespace schedfarm::tests
