#include "app/cli/commands/options/journals_named.hpp"

#include <charconv>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/farm/journal/journal.hpp"

#include "app/run/run_campaign.hpp"

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

bool is_campaign(const fs::path& given) {
    return given.extension() == ".yaml" || given.extension() == ".yml";
}

/// The journals of an array's tasks, in the order of their numbers: of out.h5.journal those of
/// out.part1.h5, out.part2.h5, …
std::vector<fs::path> journals_of_parts(const fs::path& journal) {
    const std::string begin = journal.stem().stem().string() + ".part";
    const std::string end = journal.stem().extension().string() + ".journal";
    std::map<int, fs::path> found;
    std::error_code error;
    const fs::path folder = journal.has_parent_path() ? journal.parent_path() : ".";
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(begin) || !name.ends_with(end)
            || name.size() <= begin.size() + end.size()) {
            continue;
        }
        const char* const last = name.data() + name.size() - end.size();
        int number = 0;
        if (std::from_chars(name.data() + begin.size(), last, number).ptr == last) {
            found.emplace(number, journal.parent_path() / name);
        }
    }
    std::vector<fs::path> journals;
    for (auto& [number, path] : found) {
        journals.push_back(std::move(path));
    }
    return journals;
}

}  // namespace

std::vector<fs::path> journals_named(const fs::path& given) {
    const fs::path journal =
        is_campaign(given) ? journal_path(default_output(given)) : journal_of(given);
    if (fs::exists(journal)) {
        return {journal};
    }
    std::vector<fs::path> parts = journals_of_parts(journal);
    const fs::path replay = journal_path(given.stem().string() + "-log.h5");
    if (parts.empty() && is_campaign(given) && fs::exists(replay)) {
        return {replay};  // by which `whatif` begins
    }
    if (parts.empty() && is_campaign(given)) {
        throw engine::JournalError(fmt::format(
            "{}: there is no journal of this campaign's default output here (no {}), nor of parts "
            "of it. Name the result file that the run was told to write",
            given.string(),
            journal.string()
        ));
    }
    return parts.empty() ? std::vector{journal} : parts;
}

}  // namespace schedfarm::app
