// Nothing of a site's files is passed over in silence: each word of Slurm's manual pages is
// modelled, on the list of harmless words, or refused with file and line, wherever it stands; and
// what a refusal says lifts it.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "policies/slurm/site/keys.hpp"
#include "policies/slurm/site/site.hpp"
#include "policies/slurm/site/words.hpp"

namespace schedfarm::policies::slurm {

namespace {

const std::string folder = SCHEDFARM_SOURCE;

std::string text_of(const std::string& path) {
    std::ifstream file(folder + "/" + path);
    REQUIRE(file);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Files in which the word has the value.
SiteFiles with_word(Place place, const std::string& word, const std::string& value) {
    const std::string pair = word + "=" + value;
    const auto conf = [&](const std::string& line, const std::string& node, const std::string& part
                      ) {
        return SiteFiles{
            .conf = "AccountingStorageEnforce=limits\n" + line + "\nNodeName=n[1-2] " + node
                    + "\nPartitionName=p Nodes=n[1-2] " + part + "\n"};
    };
    SiteFiles files = conf("", "", "");
    switch (place) {
        case Place::conf:
            return conf(pair, "", "");
        case Place::parameter:
            return conf("SchedulerParameters=" + pair, "", "");
        case Place::node:
            return conf("", pair, "");
        case Place::partition:
            return conf("", "", pair);
        case Place::association:
            files.associations =
                fmt::format("Account|User|ParentName|{}\nroot|||\na||root|{}\n", word, value);
            return files;
        case Place::qos:
            files.qos = fmt::format("Name|{}\nnormal|{}\n", word, value);
            return files;
        case Place::reservation:
            break;
    }
    return files;
}

/// The word that a refusal names; empty: it names none.
std::string accepted_by(const std::string& message) {
    const std::string begin = "accept: [";
    const std::size_t at = message.find(begin);
    const std::size_t end = message.find(']', at);
    return at == std::string::npos ? ""
                                   : message.substr(at + begin.size(), end - at - begin.size());
}

constexpr Place places[] = {
    Place::conf, Place::parameter, Place::node, Place::partition, Place::association, Place::qos};

}  // namespace

TEST_CASE("each word of the manual pages is modelled, harmless, or refused with file and line") {
    std::istringstream words(text_of("tests/policies/slurm/data/manual_words.txt"));
    int tried = 0;
    int refused = 0;
    for (std::string word; words >> word;) {
        if (word == "NodeName" || word == "NodeSet" || word == "PartitionName") {
            continue;  // they begin lines of their own
        }
        for (const Place place : places) {
            for (const char* value : {"1", "abc", "cpu=1"}) {
                const SiteFiles files = with_word(place, word, value);
                const Site site = read_site(files);
                ++tried;
                CAPTURE(word);
                CAPTURE(value);
                if (site.problems.empty()) {
                    const Key* key = find_key(place, small_letters(word));
                    REQUIRE(key != nullptr);
                    const bool is_noted =
                        std::ranges::find(site.passed_over, key->name) != site.passed_over.end();
                    const bool is_column = place == Place::association || place == Place::qos;
                    const std::vector<std::string> idle = parts(key->idle, '|');
                    const bool is_idle = std::ranges::find(idle, value) != idle.end();
                    CHECK(
                        (key->use == Use::modelled || key->use == Use::refused_if_preempting
                         || (key->use == Use::harmless && (is_noted || is_column))
                         || (key->use == Use::refused && is_idle))
                    );
                    continue;
                }
                ++refused;
                for (const SiteProblem& one : site.problems) {
                    CHECK_FALSE(one.file.empty());
                    CHECK_FALSE(one.message.empty());
                    const std::string lifted = accepted_by(one.message);
                    if (!lifted.empty()) {
                        SiteFiles accepting = files;
                        accepting.accept = {lifted};
                        for (const SiteProblem& left : read_site(accepting).problems) {
                            CHECK(left.message != one.message);
                        }
                    }
                }
            }
        }
    }
    CHECK(tried > 10'000);
    CHECK(refused > tried / 2);
}

TEST_CASE("each column of sacctmgr has its place") {
    std::istringstream rows(text_of("tests/policies/slurm/data/accounting_rows.txt"));
    std::string place;
    std::string column;
    std::string value;
    std::string verdict;
    int count = 0;
    while (rows >> place >> column >> value >> verdict) {
        CAPTURE(column);
        CAPTURE(value);
        ++count;
        const Place at = place == "qos" ? Place::qos : Place::association;
        const Site site = read_site(with_word(at, column, value));
        const Key* key = find_key(at, small_letters(column));
        REQUIRE(key != nullptr);
        if (verdict == "refused") {
            REQUIRE(site.problems.size() == 1);
            CHECK(site.problems.front().line == (at == Place::qos ? 2 : 3));
            CHECK_FALSE(accepted_by(site.problems.front().message).empty());
        } else {
            CHECK(site.problems.empty());
            CHECK((key->use == Use::harmless) == (verdict == "harmless"));
        }
        CHECK(read_site(with_word(at, column, "")).problems.empty());
    }
    CHECK(count == 41);
}

TEST_CASE("the page of Slurm's scheduler lists every word [SCHEDFARM_WRITE_WORDS=1 writes it]") {
    constexpr const char* names[] = {
        "slurm.conf",
        "SchedulerParameters",
        "NodeName",
        "PartitionName",
        "reservation (of `whatif`)",
        "`sacctmgr show assoc`",
        "`sacctmgr show qos`"};
    constexpr const char* uses[] = {
        "modelled", "harmless", "refused", "refused where jobs may be sent away"};
    std::vector<std::string> order;
    std::map<std::string, std::string> rows;
    for (const Key& key : site_keys()) {
        const bool is_refused = key.use != Use::modelled && key.use != Use::harmless;
        const std::string row = fmt::format(
            "| {} | {} | {}{}{} |",
            names[static_cast<std::size_t>(key.place)],
            uses[static_cast<std::size_t>(key.use)],
            is_refused ? "`--accept " : "",
            key.note,
            is_refused ? "`" : ""
        );
        if (rows.find(row) == rows.end()) {
            order.push_back(row);
        }
        std::string& words = rows[row];
        words += fmt::format("{}`{}`", words.empty() ? "" : " ", key.name);
        if (!key.idle.empty()) {
            std::string idle(key.idle);
            std::ranges::replace(idle, '|', ' ');
            words += fmt::format(" (but {})", idle);
        }
    }
    std::string table =
        "| where | what | why, or what it is | words, in small letters |\n|---|---|---|---|\n";
    for (const std::string& row : order) {
        table += fmt::format("{} {} |\n", row, rows[row]);
    }
    const std::string path = "docs/reference/slurm-words.md";
    const std::string begin = "<!-- words -->\n";
    const std::string end = "<!-- end of words -->";
    std::string page = text_of(path);
    const std::size_t from = page.find(begin) + begin.size();
    const std::size_t until = page.find(end);
    REQUIRE(until != std::string::npos);
    if (std::getenv("SCHEDFARM_WRITE_WORDS") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
        page.replace(from, until - from, table);
        std::ofstream(folder + "/" + path) << page;
    }
    CHECK(text_of(path).find(begin + table + end) != std::string::npos);
    for (const Place place : {Place::association, Place::qos}) {
        CHECK(
            text_of("docs/how-to/waits-of-a-cluster.md").find(dump_command(place))
            != std::string::npos
        );
    }
}

}  // namespace schedfarm::policies::slurm
