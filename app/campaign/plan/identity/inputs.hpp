// Files that workloads read, such as logs, and those of policies that are code of the user's own,
// held to what they contain when the campaign is planned:
// their checksums are parameters of the cells from then on, and `inputs` of the effective
// configuration.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "app/campaign/checks/cell_settings.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

class Inputs {
  public:
    /// Both outlive it. `inputs` of the campaign may hold files to their checksums.
    Inputs(const Node& campaign, Problems& problems);

    /// The workload of a cell with the checksums of its files, where it has none yet: a file that
    /// is replaced makes another cell. That of equal workloads is one.
    std::shared_ptr<const NamedWorkload> add(const std::shared_ptr<const NamedWorkload>& workload);
    /// The policy of a cell with the checksums of the code that it starts.
    std::shared_ptr<const NamedPolicy> add(const std::shared_ptr<const NamedPolicy>& policy);

    /// Whether no cell has a file but those whose checksums the campaign gives.
    bool empty() const { return !has_added_; }

    /// A problem for every file that the campaign gives a checksum of and no cell reads.
    void expect_given_used() const;

    /// File → checksum. A name that means two files, from two folders, is left out.
    Node written() const;

  private:
    void add_files(const engine::Parameters& before, const engine::Parameters& after);
    void add_files(const engine::Value& before, const engine::Value& after);
    void add_file(const std::string& file, const std::string& checksum, const char* what);

    const Node* given_;
    Problems& problems_;
    bool has_added_ = false;
    std::map<std::string, std::set<std::string>> by_file_;
    std::map<std::shared_ptr<const NamedWorkload>, std::shared_ptr<const NamedWorkload>> known_;
    std::map<std::shared_ptr<const NamedPolicy>, std::shared_ptr<const NamedPolicy>> known_code_;
};

}  // namespace schedfarm::app
