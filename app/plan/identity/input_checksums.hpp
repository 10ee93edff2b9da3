// Files that workloads read, such as logs, held to what they contain when the campaign is planned:
// their checksums are parameters of the cells from then on, and the effective configuration has
// them where its author could have written them.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/config/cell_settings.hpp"
#include "app/config/yaml/node.hpp"
#include "app/plan/grid/grid.hpp"
#include "app/plan/plan.hpp"

namespace schedfarm::app {

/// A campaign, and the tree that all its cells start from, with the checksums of its files.
struct ChecksummedCampaign {
    Node campaign;
    Node base;
};

class InputChecksums {
  public:
    /// The workload of a cell of the grid with the checksums of its files, where it has none yet: a
    /// file that is replaced makes another cell. That of equal workloads is one.
    std::shared_ptr<const NamedWorkload> add(
        std::size_t cell, const std::shared_ptr<const NamedWorkload>& workload
    );

    /// Another cell has the workload of this one.
    void repeat(std::size_t cell, std::size_t other);

    /// Whether no cell has a file but those whose checksums the campaign gives.
    bool empty() const { return by_path_.empty(); }

    /// The campaign with the checksums where they belong: in the workload that all cells share, in
    /// the levels of the factor that varies it, or else in overrides of the cells that read a
    /// file. A checksum that depends on a load placed by the program is left out, for no condition
    /// can name it. REQUIRES: `cells` are those of the grid, in its order.
    ChecksummedCampaign written(
        const Node& campaign, const Grid& grid, const std::vector<Cell>& cells
    ) const;

    /// What pinning has added at a path of a cell's tree.
    struct InputChecksum {
        std::string checksum;
        std::string parameter;       ///< path of the model's parameter that it is part of
        std::string parameter_text;  ///< of its value, with the checksum
    };
    using ByCell = std::map<std::size_t, InputChecksum>;

  private:
    std::map<std::string, ByCell> by_path_;
    std::map<std::shared_ptr<const NamedWorkload>, std::shared_ptr<const NamedWorkload>> known_;
};

}  // namespace schedfarm::app
