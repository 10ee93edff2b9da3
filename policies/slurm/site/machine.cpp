#include "policies/slurm/site/machine.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/node_names.hpp"

#include "policies/slurm/site/fields.hpp"

namespace schedfarm::policies::slurm {

namespace {

constexpr std::size_t most_nodes_of_site = 200'000;
constexpr std::uint64_t most_cpus = 1'000'000;
constexpr std::size_t most_groups = 1'000;  // partitions, sets of nodes, types of GPUs

bool is_default(const ConfLine& line) {
    return small_letters(line.words.front().value) == "default";
}

}  // namespace

/// What the line of a node says of its CPUs; 0: nothing. As Slurm takes it: sockets of a board go
/// before sockets, and CPUs that are neither its sockets, cores nor threads do not count.
struct NodeCounts {
    std::uint64_t boards = 1;
    std::uint64_t sockets = 0;
    std::uint64_t sockets_of_board = 0;
    std::uint64_t cores = 1;
    std::uint64_t threads = 1;
    std::uint64_t cpus = 0;

    std::uint64_t all_sockets() const {
        if (sockets_of_board > 0 || sockets > 0) {
            return sockets_of_board > 0 ? boards * sockets_of_board : sockets;
        }
        return cpus > 0 && cpus % (cores * threads) == 0 ? cpus / (cores * threads) : boards;
    }
    std::uint64_t all_threads() const { return all_sockets() * cores * threads; }
    std::uint64_t all() const {
        const bool fits = cpus == all_sockets() || cpus == all_sockets() * cores;
        return fits ? cpus : all_threads();
    }
    /// Where CPUs says as many as there are cores a CPU is a core.
    std::uint64_t of_core() const { return all() == all_threads() ? threads : 1; }
};

std::vector<Gpus> Machine::gpus() {
    std::vector<Gpus> found;
    for (const std::string& one : parts(reader_.word().value, ',')) {
        const std::vector<std::string> words = parts(one.substr(0, one.find('(')), ':');
        if (std::ranges::count(words, "no_consume") > 0) {
            reader_.refuse(fmt::format("Gres={}", shown(one)), "gres");
            continue;
        }
        if (words.front() == "mps" || words.front() == "shard" || one.empty()) {
            continue;  // parts of GPUs: jobs that ask for some are refused
        }
        const std::string type = words.front() + (words.size() > 2 ? ":" + words[1] : "");
        const auto count = words.size() > 1 ? reader_.number(words.back()) : std::int64_t{1};
        std::vector<std::string>& known = site_.settings.gres_types;
        auto at = std::find(known.begin(), known.end(), type);
        if (at == known.end() && known.size() == most_groups) {
            reader_.problem(fmt::format("more than {} types of Gres", most_groups));
            return {};
        }
        if (at == known.end()) {
            at = known.insert(at, type);
        }
        found.push_back(
            {static_cast<std::uint32_t>(at - known.begin()),
             static_cast<std::uint32_t>(count.value_or(0))}
        );
    }
    return found;
}

void Machine::take_node_word(Node& node, NodeCounts& counts) {
    reader_.on("nodename", [] {});
    reader_.on_number("boards", counts.boards);
    reader_.on_number("sockets", counts.sockets);
    reader_.on_number("socketsperboard", counts.sockets_of_board);
    reader_.on_number("corespersocket", counts.cores);
    reader_.on_number("threadspercore", counts.threads);
    reader_.on_number("cpus", counts.cpus);
    reader_.on_number("procs", counts.cpus);
    reader_.on_number("realmemory", node.memory);
    reader_.on_number("weight", node.weight);
    reader_.on("gres", [&] { node.gpus = gpus(); });
    const auto take_features = [&] {
        node.features = parts(reader_.word().value, ',');
    };
    reader_.on("feature", take_features);
    reader_.on("features", take_features);
}

void Machine::add_node(Node node) {
    if (site_.settings.nodes.size() == most_nodes_of_site || cpus_ + node.cpus > most_cpus) {
        if (!std::exchange(has_unread_nodes_, true)) {
            reader_.problem(
                fmt::format("more than {} nodes or {} CPUs", most_nodes_of_site, most_cpus)
            );
        }
        return;
    }
    if (!node_numbers_.try_emplace(node.name, site_.settings.nodes.size()).second) {
        reader_.problem(fmt::format("node {} comes twice", node.name));
        return;
    }
    cpus_ += node.cpus;
    site_.settings.nodes.push_back(std::move(node));
}

void Machine::take_nodes(const ConfLine& line) {
    const std::vector<ConfWord>& own = line.words;
    if (is_default(line)) {
        for (auto word = own.begin() + 1; word != own.end(); ++word) {
            node_defaults_.insert_or_assign(word->key, *word);
        }
        return;
    }
    Node node;
    NodeCounts counts;
    const auto take = [&] {
        take_node_word(node, counts);
    };
    for (const auto& [key, word] : node_defaults_) {
        reader_.read(Place::node, word, take);
    }
    for (const ConfWord& word : own) {
        reader_.read(Place::node, word, take);
    }
    const std::uint64_t most = static_cast<std::uint64_t>(find_key(Place::node, "cpus")->most);
    if (counts.all() > most) {
        reader_.problem(fmt::format("{} CPUs of a node, at most {}", counts.all(), most));
        return;
    }
    node.cpus = static_cast<std::uint32_t>(counts.all());
    node.threads = static_cast<std::uint32_t>(counts.of_core());
    const auto names = engine::nodes_in(own.front().value, most_nodes_of_site);
    if (!names || names->empty()) {
        has_unread_nodes_ = true;
        reader_.problem(fmt::format(
            "{} is no list of at most {} names. Write n[1-8]", own.front().text, most_nodes_of_site
        ));
        return;
    }
    for (const std::string& name : *names) {
        node.name = name;
        add_node(node);
    }
}

void Machine::take_node_set(const ConfLine& line) {
    if (set_lines_.size() == most_groups) {
        reader_.problem(fmt::format("more than {} sets of nodes", most_groups));
        return;
    }
    for (const ConfWord& word : line.words) {
        if (word.key != "nodeset" && word.key != "nodes" && word.key != "feature") {
            reader_.refuse_unknown(Place::node, word);
        }
    }
    set_lines_.push_back(line);
}

std::optional<NodeSet> Machine::node_set(std::string_view names) {
    NodeSet set(site_.settings.nodes.size());
    if (small_letters(names) == "all") {
        return NodeSet::all(site_.settings.nodes.size());
    }
    const auto found = engine::nodes_in(names, most_nodes_of_site);
    if (!found) {
        reader_.problem(fmt::format("'{}' is no list of nodes. Write n[1-8]", shown(names)));
        return std::nullopt;
    }
    for (const std::string& name : *found) {
        if (const auto other = node_sets_.find(name); other != node_sets_.end()) {
            set |= other->second;
            continue;
        }
        const auto at = node_numbers_.find(name);
        if (at == node_numbers_.end()) {
            if (!has_unread_nodes_) {
                reader_.problem(fmt::format(
                    "no node is named {} (no NodeName line has it, no NodeSet line above). Add one",
                    shown(name)
                ));
            }
            return std::nullopt;
        }
        set.insert(at->second);
    }
    return set;
}

/// Each in its order: a set may have those above it, so that none goes round.
void Machine::resolve_sets() {
    node_sets_.clear();
    for (const ConfLine& line : set_lines_) {
        reader_.begin_line(line.file, line.number, "conf");
        NodeSet set(site_.settings.nodes.size());
        set = node_set(line.value("nodes").value_or("")).value_or(set);
        if (const auto feature = line.value("feature")) {
            for (std::size_t node = 0; node < site_.settings.nodes.size(); ++node) {
                const auto& own = site_.settings.nodes[node].features;
                if (std::find(own.begin(), own.end(), *feature) != own.end()) {
                    set.insert(node);
                }
            }
        }
        node_sets_.insert_or_assign(line.words.front().value, std::move(set));
    }
}

void Machine::take_partition_word(Partition& partition) {
    reader_.on("partitionname", [] {});
    reader_.on("nodes", [&] {
        partition.nodes = node_set(reader_.word().value).value_or(partition.nodes);
    });
    reader_.on_time("maxtime", partition.max_time);
    reader_.on_time("defaulttime", partition.default_time);
    reader_.on_number("maxnodes", partition.max_nodes);
    reader_.on_number("prioritytier", partition.tier);
    reader_.on_number("priorityjobfactor", partition.job_factor);
    reader_.on("priority", [&] {
        const auto number = reader_.number().value_or(1);
        partition.tier = partition.job_factor = static_cast<std::uint32_t>(number);
    });
    const auto take_sharing = [&] {
        const std::string& value = reader_.value();
        partition.whole_nodes = value == "exclusive";
        partition.may_share = value.starts_with("yes") && value != "yes:1";
        if (value != "exclusive" && value != "no" && value != "force:1"
            && !value.starts_with("yes")) {
            reader_.refuse("oversubscribe");
        }
    };
    reader_.on("oversubscribe", take_sharing);
    reader_.on("shared", take_sharing);
    reader_.on("preemptmode", [&] {
        partition.preempted = reader_.value() == "requeue";
        reader_.allow({"requeue", "off"}, "preempt_mode");
    });
    reader_.on("qos", [&] {
        const auto at = qos_numbers_.find(reader_.word().value);
        if (at != qos_numbers_.end()) {
            partition.qos = at->second;
        } else if (reader_.value() != "n/a" && reader_.value() != "none") {
            reader_.problem(fmt::format(
                "no QOS is named {}. Give qos: a file of sacctmgr -P show qos",
                shown(reader_.word().value)
            ));
        }
    });
    reader_.on_defaults(partition);
    reader_.on_number("maxcpuspernode", partition.max_cpus_per_node);
    reader_.on("overtimelimit", [&] {
        partition.over_time_limit = 60 * reader_.number().value_or(0);
    });
    reader_.on("tresbillingweights", [&] {
        partition.billing = reader_.tres_weights("billing_weights");
    });
    reader_.on("default", [&] {
        if (reader_.yes_or_no()) {
            site_.settings.default_partition =
                static_cast<std::uint32_t>(site_.settings.partitions.size());
        }
    });
}

void Machine::read_partition(const PartitionLine& line) {
    Partition partition{
        .name = line.name,
        .nodes = NodeSet(site_.settings.nodes.size()),
        .preempted = site_.settings.preempted};
    for (const PlacedWord& one : line.words) {
        reader_.begin_line(one.file, one.line, one.given);
        reader_.read(Place::partition, one.word, [&] { take_partition_word(partition); });
        site_.partitions[line.name][one.word.key] = one.word.value;
    }
    for (const Neighbours& more : line.added) {
        partition.nodes.insert(more.first, more.count);
    }
    site_.settings.partitions.push_back(std::move(partition));
}

Machine::PartitionLine* Machine::line_of(std::string_view partition) {
    const auto at = std::ranges::find_if(partition_lines_, [&](const PartitionLine& known) {
        return known.name == partition;
    });
    return at == partition_lines_.end() ? nullptr : &*at;
}

/// "PartitionName=P Nodes=+8"
bool Machine::take_new_nodes(const ConfLine& line) {
    const std::string nodes = line.value("nodes").value_or("");
    if (!nodes.starts_with('+')) {
        return false;
    }
    const auto count =
        field<std::uint32_t>(std::string_view(nodes).substr(1), 1, most_nodes_of_site);
    const std::string& name = line.words.front().value;
    if (!count || line.words.size() != 2) {
        reader_.problem(fmt::format("'{}' does not say how many nodes come. Write Nodes=+8", nodes)
        );
    } else if (line_of(name) == nullptr) {
        reader_.problem(fmt::format("no partition is named {}, to which nodes would come", name));
    } else {
        new_nodes_.push_back({name, *count, line});
    }
    return true;
}

void Machine::take_partition(const ConfLine& line, const char* given) {
    const ConfWord& first = line.words.front();
    if (is_default(line)) {
        for (auto word = line.words.begin() + 1; word != line.words.end(); ++word) {
            partition_defaults_.insert_or_assign(word->key, *word);
        }
        return;
    }
    const bool is_change = std::string_view(given) == "changes";
    if (is_change && take_new_nodes(line)) {
        return;
    }
    PartitionLine* known = line_of(first.value);
    if ((known != nullptr && !is_change) || partition_lines_.size() == most_groups) {
        reader_.problem(
            known != nullptr ? fmt::format("partition {} comes twice", shown(first.value))
                             : fmt::format("more than {} partitions", most_groups)
        );
        return;
    }
    const auto add = [&](const ConfWord& word) {
        known->words.push_back({word, line.file, line.number, given});
    };
    if (known == nullptr) {
        known = &partition_lines_.emplace_back(PartitionLine{first.value, {}});
        add(first);
        for (const auto& [key, word] : partition_defaults_) {
            add(word);
        }
    }
    std::for_each(line.words.begin() + 1, line.words.end(), add);
}

/// They are as the partition's first one.
void Machine::add_new_nodes(const NewNodes& more) {
    PartitionLine& own = *line_of(more.partition);
    reader_.begin_line(more.line.file, more.line.number, "changes");
    std::string names;
    for (const PlacedWord& one : own.words) {
        names = one.word.key == "nodes" ? one.word.value : names;
    }
    std::size_t first = site_.settings.nodes.size();
    if (const auto set = node_set(names)) {
        set->for_each([&](std::size_t node) { first = std::min(first, node); });
    }
    if (first == site_.settings.nodes.size()) {
        reader_.problem(fmt::format("partition {} has no nodes", more.partition));
        return;
    }
    const std::size_t before = site_.settings.nodes.size();
    for (std::uint32_t k = 0; k < more.count; ++k) {
        Node node = site_.settings.nodes[first];
        node.name = fmt::format("whatif{}", ++invented_);
        add_node(std::move(node));
    }
    own.added.push_back({before, site_.settings.nodes.size() - before});
}

void Machine::take_reservation(const ConfLine& line) {
    if (reservation_lines_.size() == most_groups) {
        reader_.problem(fmt::format("more than {} reservations", most_groups));
        return;
    }
    reservation_lines_.push_back(line);
}

void Machine::read_reservation(const ConfLine& line) {
    reader_.begin_line(line.file, line.number, "changes");
    Reservation one{.announced = std::numeric_limits<std::int64_t>::min()};
    for (const ConfWord& word : line.words) {
        reader_.read(Place::reservation, word, [&] {
            reader_.on("reservationname", [&] { one.name = word.value; });
            reader_.on_number("starttime", one.begin);
            reader_.on_number("endtime", one.end);
            reader_.on_number("created", one.announced);
            reader_.on("nodes", [&] { one.nodes = node_set(word.value).value_or(one.nodes); });
        });
    }
    if (one.end <= one.begin || one.nodes.size() == 0) {
        reader_.problem("no reservation. Write ReservationName=r StartTime=0 EndTime=9 Nodes=n[1-8]"
        );
    }
    site_.settings.reservations.push_back(std::move(one));
}

void Machine::finish() {
    for (std::uint32_t k = 0; k < site_.settings.qos.size(); ++k) {
        qos_numbers_[site_.settings.qos[k].name] = k;
    }
    resolve_sets();
    for (const NewNodes& more : new_nodes_) {
        if (!reader_.has_problems()) {
            add_new_nodes(more);
            resolve_sets();  // they are of more nodes now
        }
    }
    for (const PartitionLine& line : partition_lines_) {
        read_partition(line);
    }
    for (const ConfLine& line : reservation_lines_) {
        read_reservation(line);
    }
}

}  // namespace schedfarm::policies::slurm
