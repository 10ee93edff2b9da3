// The nodes, sets of nodes and partitions of slurm.conf.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "policies/slurm/site/reader.hpp"

namespace schedfarm::policies::slurm {

class Machine {
  public:
    Machine(WordReader& reader, Site& site) : reader_(reader), site_(site) {}

    void take_nodes(const ConfLine& line);
    void take_node_set(const ConfLine& line);
    /// The nodes of a partition may come later. A change is added to the partition of its name.
    void take_partition(const ConfLine& line, const char* given);
    void take_reservation(const ConfLine& line);
    /// Once all lines and the QOS are taken.
    void finish();

  private:
    /// Words of DEFAULT by their keys, the last of each.
    using Defaults = std::map<std::string, ConfWord>;
    /// A word with the place where it stands.
    struct PlacedWord {
        ConfWord word;
        std::string file;
        std::size_t line = 0;
        const char* given = "conf";
    };
    struct Neighbours {
        std::size_t first = 0;
        std::size_t count = 0;
    };
    struct PartitionLine {
        std::string name;
        std::vector<PlacedWord> words;
        std::vector<Neighbours> added = {};  ///< nodes that changes add
    };
    struct NewNodes {
        std::string partition;
        std::uint32_t count = 0;
        ConfLine line;
    };

    void take_node_word(Node& node, struct NodeCounts& counts);
    std::vector<Gpus> gpus();
    void take_partition_word(Partition& partition);
    void read_partition(const PartitionLine& whole);
    bool take_new_nodes(const ConfLine& line);
    void add_new_nodes(const NewNodes& more);
    void read_reservation(const ConfLine& line);
    std::optional<NodeSet> node_set(std::string_view names);
    void resolve_sets();
    void add_node(Node node);
    PartitionLine* line_of(std::string_view partition);

    WordReader& reader_;
    Site& site_;
    Defaults node_defaults_;
    Defaults partition_defaults_;
    std::vector<PartitionLine> partition_lines_;
    std::vector<ConfLine> set_lines_;
    std::vector<NewNodes> new_nodes_;
    std::vector<ConfLine> reservation_lines_;
    std::unordered_map<std::string, std::size_t> node_numbers_;
    std::map<std::string, NodeSet> node_sets_;
    std::map<std::string, std::uint32_t> qos_numbers_;
    std::uint64_t cpus_ = 0;
    std::uint32_t invented_ = 0;     ///< nodes that changes have added
    bool has_unread_nodes_ = false;  ///< one problem of a NodeName line is enough
};

}  // namespace schedfarm::policies::slurm
