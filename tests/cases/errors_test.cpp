// Plans every campaign of errors/*.yaml and compares what is said of it, or what is warned of:
// README.md says how one is written.
#include <map>
#include <string>

#include <doctest/doctest.h>

#include "app/campaign/plan/plan_warnings.hpp"
#include "app/campaign/yaml/suggestion.hpp"

#include "tests/app/campaign/campaign_text.hpp"
#include "tests/cases/case_files.hpp"

namespace schedfarm::tests {

namespace {

using app::Node;

/// Lines by their number; later ones replace earlier ones.
void add_lines(const Node& map, app::tests::Lines& lines) {
    for (const Node::Entry& entry : map.entries) {
        if (entry.key != "says" && entry.key != "warns" && entry.key != "files") {
            lines[std::stoi(entry.key)] = entry.value->scalar;
        }
    }
}

std::map<std::string, std::string> files_of(const Node* map) {
    std::map<std::string, std::string> files;
    for (const Node::Entry& entry : map != nullptr ? map->entries : std::vector<Node::Entry>()) {
        files[entry.key] = entry.value->scalar;
    }
    return files;
}

/// One message a line; those of the campaign itself are written without its name.
std::string messages_of(const Node& says) {
    std::string messages;
    for (const Node& one : says.is_list() ? says.items : std::vector<app::Tree>{says}) {
        const std::size_t digits = one.scalar.find_first_not_of("0123456789");
        const bool is_own = digits > 0 && digits < one.scalar.size() && one.scalar[digits] == ':';
        messages += (messages.empty() ? "" : "\n") + std::string(is_own ? "a.yaml:" : "");
        messages += one.scalar;
    }
    return messages;
}

std::size_t check_case(const Node& one) {
    expect_keys(one, {"case", "with", "files", "campaigns"});
    const Node& campaigns = needed(one, "campaigns");
    for (const Node& campaign : campaigns.items) {
        CAPTURE(campaign.at.file);
        CAPTURE(campaign.at.line);
        app::tests::Lines lines;
        if (const Node* with = one.find("with")) {
            add_lines(*with, lines);
        }
        add_lines(campaign, lines);
        const Node* files = campaign.find("files");
        const auto others = files_of(files != nullptr ? files : one.find("files"));
        if (const Node* warns = campaign.find("warns")) {
            CHECK(
                app::joined(plan_warnings(app::tests::plan_of(lines, others)), "\n")
                == messages_of(*warns)
            );
        } else {
            CHECK(app::tests::errors_of(lines, others) == messages_of(needed(campaign, "says")));
        }
    }
    return campaigns.items.size();
}

}  // namespace

TEST_CASE(
    "every campaign of tests/cases/errors is refused or warned of in the words that it has there"
) {
    check_cases("errors", check_case);
}

}  // namespace schedfarm::tests
