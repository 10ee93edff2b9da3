// The keys of every cell of every published campaign are those of stored_keys.csv: a key that
// changes without need throws away replications that others have computed, and with independent
// streams changes their numbers. A row: the campaign, its cells with pilots and a digest of all
// their keys, the same of the first three levels of a factor `seed`, and the keys of its first
// cell. The short form plans three seeds, the long one all. Campaigns on logs are skipped where
// $SCHEDFARM_TRACES names no folder with the logs. SCHEDFARM_UPDATE=1 writes the rows anew.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/foundation/hash.hpp"

#include "app/campaign/plan/identity/keys.hpp"
#include "app/campaign/plan/plan.hpp"
#include "app/campaign/yaml/config_error.hpp"

#include "tests/support/long_form.hpp"

namespace schedfarm::app::tests {

namespace {

namespace fs = std::filesystem;

const fs::path source_folder = SCHEDFARM_SOURCE;

std::string simulation_key_of(const Cell& cell, const Plan& plan) {
    const std::string& level = seed_level(cell);
    const Cell* pilot = cell.placed_load ? &plan.cells[cell.placed_load->pilot] : nullptr;
    return simulation_key(cell, pilot, level.empty() ? plan.seed : std::stoull(level));
}

struct Row {
    std::string all = {};    ///< number of cells and digest; empty: not planned
    std::string short_form;  ///< of three seeds, with the keys of the first cell

    friend bool operator==(const Row&, const Row&) = default;
};

const std::string needs_log = "needs a log";

std::string digest_of(const Plan& plan) {
    engine::Sha256 hash;
    for (const Cell& cell : plan.cells) {
        hash.add(simulation_key_of(cell, plan) + " " + cell.replication_key + "\n");
    }
    return fmt::format("{},{}", plan.cells.size(), hash.hex());
}

Row row_of(const CampaignSource& source) {
    static const std::regex seeds(R"((seed: \{first: \d+, count: )\d+)");
    CampaignSource few = source;
    for (auto& [name, text] : few.files) {
        text = std::regex_replace(text, seeds, "$013");
    }
    const Plan plan = make_plan(std::move(few));
    const Cell& first = plan.cells.front();
    return {
        schedfarm::tests::is_long_form() ? digest_of(make_plan(source)) : "",
        fmt::format(
            "{},{},{}", digest_of(plan), simulation_key_of(first, plan), first.replication_key
        )};
}

/// By name in the tree. Parts of campaigns, which only others include, have none.
std::map<std::string, Row> computed_rows() {
    std::map<std::string, Row> rows;
    for (const auto& entry : fs::recursive_directory_iterator(source_folder / "campaigns")) {
        if (entry.path().extension() != ".yaml") {
            continue;
        }
        const std::string name = entry.path().lexically_relative(source_folder).generic_string();
        try {
            rows[name] = row_of(load_source(entry.path()));
        } catch (const ConfigErrors& errors) {
            const std::string text = errors.what();
            if (text.find("'campaign_format' is missing") == std::string::npos) {
                const bool lacks_log = text.find("SCHEDFARM_TRACES") != std::string::npos;
                rows[name].short_form = lacks_log ? needs_log : text;
            }
        }
    }
    return rows;
}

std::map<std::string, Row> stored_rows(const fs::path& path) {
    std::map<std::string, Row> rows;
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);  // names of the columns
    while (std::getline(file, line)) {
        const std::size_t name_end = line.find(',');
        const std::size_t all_end = line.find(',', line.find(',', name_end + 1) + 1);
        rows[line.substr(0, name_end)] = {
            line.substr(name_end + 1, all_end - name_end - 1), line.substr(all_end + 1)};
    }
    return rows;
}

}  // namespace

TEST_CASE("the cells of published campaigns have the keys that they had") {
    const fs::path path = source_folder / "tests/app/campaign/stored_keys.csv";
    const auto computed = computed_rows();
    const auto skipped = std::count_if(computed.begin(), computed.end(), [](const auto& row) {
        return row.second.short_form == needs_log;
    });
    if (std::getenv("SCHEDFARM_UPDATE") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
        REQUIRE_MESSAGE(schedfarm::tests::is_long_form(), "SCHEDFARM_LONG=1 is needed, too");
        REQUIRE_MESSAGE(skipped == 0, "$SCHEDFARM_TRACES names no folder with the logs");
        std::ofstream file(path);
        file << "campaign,cells,digest,cells of 3 seeds,digest,simulation key of cell 0,"
                "replication key of cell 0\n";
        for (const auto& [name, row] : computed) {
            file << name << ',' << row.all << ',' << row.short_form << '\n';
        }
    }
    auto stored = stored_rows(path);
    for (const auto& [name, row] : computed) {
        CAPTURE(name);
        if (row.short_form != needs_log) {
            CHECK(row.short_form == stored[name].short_form);
            CHECK((row.all.empty() || row.all == stored[name].all));
        }
    }
    CHECK(stored.size() == computed.size());
    MESSAGE(skipped, " of ", computed.size(), " campaigns skipped: their logs are not here");
}

}  // namespace schedfarm::app::tests
