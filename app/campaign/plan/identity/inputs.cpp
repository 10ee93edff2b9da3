#include "app/campaign/plan/identity/inputs.hpp"

#include <memory>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "policies/external/code.hpp"

#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/value_node.hpp"

namespace schedfarm::app {

Inputs::Inputs(const Node& campaign, Problems& problems)
    : given_(campaign.find("inputs")), problems_(problems) {
    if (given_ != nullptr) {
        const char* const example = "Write {log.swf: \"0f1e…\"}.";
        expect_kind(*given_, Node::Kind::map, "inputs", example, problems_);
    }
}

std::shared_ptr<const NamedWorkload> Inputs::add(
    const std::shared_ptr<const NamedWorkload>& workload
) {
    if (!workload->description->checksummed) {
        return workload;
    }
    auto& known = known_[workload];
    if (!known) {
        const auto& [name, given] = workload->choice;
        known = std::make_shared<const NamedWorkload>(NamedWorkload{
            workload->description, {name, workload->description->checksummed(given)}});
        add_files(given, known->choice.parameters);
    }
    return known;
}

std::shared_ptr<const NamedPolicy> Inputs::add(const std::shared_ptr<const NamedPolicy>& policy) {
    auto& known = known_code_[policy];
    if (!known) {
        std::vector<std::pair<std::string, std::string>> seen;
        auto checksummed = policies::with_checksums(policy->choice, seen);
        known = seen.empty() ? policy
                             : std::make_shared<const NamedPolicy>(NamedPolicy{
                                 policy->description, std::move(checksummed)});
        for (const auto& [file, checksum] : seen) {
            add_file(file, checksum, "file that was asked for (it");
        }
    }
    return known;
}

/// Deep inside of choices, too. Parameters may have been left out that say nothing.
void Inputs::add_files(const engine::Parameters& before, const engine::Parameters& after) {
    for (const auto& [name, value] : after.entries()) {
        if (name != "sha256") {
            add_files(before.at(name), value);
        } else if (value.text() != before.at(name).text()) {
            add_file(
                after.text("file"), value.as_text(), "log that was asked for (its uncompressed text"
            );
        }
    }
}

void Inputs::add_files(const engine::Value& before, const engine::Value& after) {
    using Held = std::shared_ptr<const engine::Choice>;
    if (std::holds_alternative<Held>(after.data())) {
        add_files(before.as_choice().parameters, after.as_choice().parameters);
    } else if (const auto* list = std::get_if<engine::Value::List>(&after.data())) {
        for (std::size_t i = 0; i < list->size(); ++i) {
            add_files(before.as_list()[i], (*list)[i]);
        }
    }
}

void Inputs::add_file(const std::string& file, const std::string& checksum, const char* what) {
    by_file_[file].insert(checksum);
    const Node* asked_for = given_ == nullptr ? nullptr : given_->find(file);
    has_added_ = has_added_ || asked_for == nullptr;
    if (asked_for != nullptr && asked_for->scalar != checksum) {
        problems_.add(
            asked_for->at,
            "inputs",
            fmt::format("{}: not the {} has the sha256 {})", file, what, checksum),
            "Give the version that was asked for, or write this sha256."
        );
    }
}

void Inputs::expect_given_used() const {
    for (const Node::Entry& entry :
         given_ == nullptr ? std::vector<Node::Entry>() : given_->entries) {
        if (!by_file_.contains(entry.key)) {
            problems_.add(
                entry.at,
                "inputs",
                fmt::format("nothing reads '{}' without a sha256 of its own", entry.key),
                "Remove it."
            );
        }
    }
}

Node Inputs::written() const {
    Node map = Node::map({});
    for (const auto& [file, checksums] : by_file_) {
        if (checksums.size() == 1) {
            add_entry(map, file, quoted(*checksums.begin()));
        }
    }
    return map;
}

}  // namespace schedfarm::app
