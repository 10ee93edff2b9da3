#include "policies/slurm/site/site.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "policies/slurm/site/accounts.hpp"
#include "policies/slurm/site/scheduler_parameters.hpp"
#include "policies/slurm/site/words.hpp"

namespace schedfarm::policies::slurm {

namespace {

/// Keys that would change schedules and are not modelled, each with the word that accepts it.
struct Refused {
    std::string_view key;
    std::string_view harmless;  ///< the value that changes nothing
    std::string_view word;
};
constexpr std::array refused_keys = {
    Refused{"topologyplugin", "topology/none", "topology"},
    Refused{"licenses", "", "licences"},
    Refused{"suspendtime", "-1", "power_saving"},
    Refused{"resumeprogram", "", "power_saving"},
    Refused{"federationparameters", "", "federation"},
    Refused{"priorityweighttres", "", "tres_weights"},
    Refused{"priorityweightassoc", "0", "assoc_weight"},
    Refused{"prioritysitefactorplugin", "", "site_factor"},
    Refused{"completewait", "0", "complete_wait"},
    Refused{"priorityusageresetperiod", "none", "usage_reset"},
    Refused{"jobsubmitplugins", "", "submit_plugins"},
    // of nodes
    Refused{"corespeccount", "0", "core_spec"},
    Refused{"cpuspeclist", "", "core_spec"},
    Refused{"memspeclimit", "0", "core_spec"},
    // of partitions
    Refused{"exclusiveuser", "no", "exclusive_user"},
    Refused{"lln", "no", "select_parameters"},
    Refused{"maxcpuspernode", "unlimited", "max_cpus_per_node"},
    Refused{"minnodes", "1", "min_nodes"},
    Refused{"reqresv", "no", "required_reservation"},
    Refused{"tresbillingweights", "", "billing_weights"},
};

constexpr std::string_view of_changes = "changes";  ///< what is a file by this name

class Reader {
  public:
    explicit Reader(const SiteFiles& files) : files_(files) {}

    Site read();

  private:
    void problem(const ConfLine& line, std::string message) {
        site_.problems.push_back({line.file, line.number, std::move(message)});
    }
    void refuse(const ConfLine& line, std::string_view what, std::string_view word) {
        slurm::refuse(files_, {line.file, line.number}, what, word, site_);
    }
    void pass_over(
        const ConfLine& line, const std::string& key, const std::vector<std::string>& known = {}
    ) {
        site_.passed_over.push_back(key);
        if (line.file == of_changes) {
            problem(
                line,
                fmt::format(
                    "'{}' is nothing that touches schedules (it would be ignored). Did you mean "
                    "'{}'?",
                    key,
                    nearest_scheduler_parameter(key, known)
                )
            );
        }
    }
    std::uint64_t number(const ConfLine& line, const ConfWord& word);
    std::int64_t seconds(const ConfLine& line, const ConfWord& word);

    void take(const ConfLine& line);
    void take_nodes(const ConfLine& line);
    void take_partition(const ConfLine& line);
    void take_key(const ConfLine& line, const ConfWord& word);
    void take_other(
        const ConfLine& line, const ConfWord& word, const std::vector<std::string>& known = {}
    );
    void take_parameters(const ConfLine& line, const ConfWord& word);
    std::optional<NodeSet> node_set(const ConfLine& line, std::string_view names);
    std::vector<Gpus> gpus(const ConfLine& line, std::string_view gres);

    const SiteFiles& files_;
    Site site_;
    std::vector<ConfWord> node_defaults_;
    std::vector<ConfWord> partition_defaults_;
    std::vector<ConfLine> partition_lines_;
    std::map<std::string, std::size_t> node_numbers_;
    std::map<std::string, std::string> node_sets_;
    std::vector<std::string> gpu_types_;
    std::map<std::string, std::uint32_t> qos_numbers_;
    bool whole_machine_ = false;  ///< select/linear
};

std::uint64_t Reader::number(const ConfLine& line, const ConfWord& word) {
    const auto value = whole_number(word.value);
    if (!value) {
        problem(line, fmt::format("{}={} is no whole number", word.key, word.value));
    }
    return value.value_or(0);
}

std::int64_t Reader::seconds(const ConfLine& line, const ConfWord& word) {
    const auto value = minutes_as_seconds(word.value);
    if (!value) {
        problem(
            line,
            fmt::format(
                "{}={} is no time. Minutes, or days-hours:minutes:seconds?", word.key, word.value
            )
        );
    }
    return value.value_or(0);
}

std::vector<Gpus> Reader::gpus(const ConfLine& line, std::string_view gres) {
    std::vector<Gpus> found;
    for (const std::string& one : parts(gres, ',')) {
        const std::vector<std::string> words = parts(one.substr(0, one.find('(')), ':');
        if (words.front() != "gpu") {
            continue;
        }
        const std::string type = words.size() > 2 ? words[1] : "";
        const auto count = words.size() > 1 ? whole_number(words.back()) : std::uint64_t{1};
        if (!count) {
            problem(line, fmt::format("Gres={} has no number of GPUs. gpu:TYPE:COUNT?", one));
            continue;
        }
        auto at = std::find(gpu_types_.begin(), gpu_types_.end(), type);
        if (at == gpu_types_.end()) {
            gpu_types_.push_back(type);
            at = gpu_types_.end() - 1;
        }
        found.push_back(
            {static_cast<std::uint32_t>(at - gpu_types_.begin()),
             static_cast<std::uint32_t>(*count)}
        );
    }
    return found;
}

void Reader::take_nodes(const ConfLine& line) {
    std::vector<ConfWord> words = node_defaults_;
    words.insert(words.end(), line.words.begin(), line.words.end());
    if (small_letters(line.words.front().value) == "default") {
        node_defaults_.insert(node_defaults_.end(), line.words.begin() + 1, line.words.end());
        return;
    }
    Node node;
    std::uint64_t sockets = 1;
    std::uint64_t cores = 1;
    std::uint64_t threads = 1;
    std::optional<std::uint64_t> cpus;
    for (const ConfWord& word : words) {
        if (word.key == "cpus" || word.key == "procs") {
            cpus = number(line, word);
        } else if (word.key == "sockets" || word.key == "socketsperboard") {
            sockets = number(line, word);
        } else if (word.key == "corespersocket") {
            cores = number(line, word);
        } else if (word.key == "threadspercore") {
            threads = number(line, word);
        } else if (word.key == "realmemory") {
            node.memory = number(line, word);
        } else if (word.key == "weight") {
            node.weight = static_cast<std::uint32_t>(number(line, word));
        } else if (word.key == "gres") {
            node.gpus = gpus(line, word.value);
        } else if (word.key == "state") {
            const std::string state = small_letters(word.value);
            if (state != "unknown" && state != "idle") {
                refuse(line, "State=" + word.value, "node_state");
            }
        } else if (word.key != "nodename") {
            take_other(line, word);
        }
    }
    node.cpus = static_cast<std::uint32_t>(cpus.value_or(sockets * cores * threads));
    const std::vector<std::string> names = host_names(line.words.front().value);
    if (names.empty()) {
        problem(line, fmt::format("NodeName={} is no list of names", line.words.front().value));
    }
    for (const std::string& name : names) {
        if (!node_numbers_.try_emplace(name, site_.settings.nodes.size()).second) {
            problem(line, fmt::format("node {} comes twice", name));
            continue;
        }
        node.name = name;
        site_.settings.nodes.push_back(node);
    }
}

std::optional<NodeSet> Reader::node_set(const ConfLine& line, std::string_view names) {
    NodeSet set(site_.settings.nodes.size());
    if (small_letters(names) == "all") {
        return NodeSet::all(site_.settings.nodes.size());
    }
    for (const std::string& name : host_names(names)) {
        if (const auto other = node_sets_.find(name); other != node_sets_.end()) {
            if (const auto inner = node_set(line, other->second)) {
                set |= *inner;
            }
            continue;
        }
        const auto at = node_numbers_.find(name);
        if (at == node_numbers_.end()) {
            problem(
                line,
                fmt::format(
                    "no node is named {} (no NodeName line has it). Is there one to add?", name
                )
            );
            return std::nullopt;
        }
        set.insert(at->second);
    }
    return set;
}

void Reader::take_partition(const ConfLine& line) {
    Partition partition;
    partition.name = line.words.front().value;
    partition.nodes = NodeSet(site_.settings.nodes.size());
    for (const ConfWord& word : line.words) {
        if (word.key == "nodes") {
            if (auto set = node_set(line, word.value)) {
                partition.nodes = *std::move(set);
            }
        } else if (word.key == "maxtime") {
            partition.max_time = seconds(line, word);
        } else if (word.key == "maxnodes") {
            partition.max_nodes = small_letters(word.value) == "unlimited"
                                      ? no_limit
                                      : static_cast<std::uint32_t>(number(line, word));
        } else if (word.key == "prioritytier") {
            partition.tier = static_cast<std::uint32_t>(number(line, word));
        } else if (word.key == "priorityjobfactor") {
            partition.job_factor = static_cast<std::uint32_t>(number(line, word));
        } else if (word.key == "priority") {
            partition.tier = partition.job_factor = static_cast<std::uint32_t>(number(line, word));
        } else if (word.key == "oversubscribe" || word.key == "shared") {
            const std::string how = small_letters(word.value);
            partition.whole_nodes = how == "exclusive";
            if (how.starts_with("force") || how.starts_with("yes")) {
                refuse(line, "OverSubscribe=" + word.value, "oversubscribe");
            }
        } else if (word.key == "preemptmode") {
            const std::string how = small_letters(word.value);
            partition.preempted = how == "requeue";
            if (how != "requeue" && how != "off") {
                refuse(line, "PreemptMode=" + word.value, "preempt_mode");
            }
        } else if (word.key == "qos") {
            const auto at = qos_numbers_.find(word.value);
            if (at != qos_numbers_.end()) {
                partition.qos = at->second;
            } else {
                problem(
                    line,
                    fmt::format(
                        "no QOS is named {}. qos: {{file of sacctmgr -P show qos}}?", word.value
                    )
                );
            }
        } else if (word.key == "defmempercpu") {
            partition.memory_per_cpu = number(line, word);
        } else if (word.key == "defmempernode") {
            partition.memory_per_node = number(line, word);
        } else if (word.key == "default" && small_letters(word.value) == "yes") {
            site_.settings.default_partition =
                static_cast<std::uint32_t>(site_.settings.partitions.size());
        } else if (word.key == "state" && small_letters(word.value) != "up") {
            refuse(line, "State=" + word.value, "partition_state");
        } else if (word.key != "partitionname" && word.key != "default" && word.key != "state") {
            take_other(line, word);
        }
    }
    site_.settings.partitions.push_back(std::move(partition));
}

void Reader::take_parameters(const ConfLine& line, const ConfWord& word) {
    for (const std::string& one : parts(word.value, ',')) {
        const std::size_t at = one.find('=');
        const std::string name = small_letters(one.substr(0, at));
        const std::string value = at == std::string::npos ? "" : one.substr(at + 1);
        switch (take_scheduler_parameter(site_.settings, name, value)) {
            case Word::taken:
                break;
            case Word::passed_over:
                pass_over(line, name);
                break;
            case Word::refused:
                refuse(line, name, name);
                break;
            case Word::unreadable:
                problem(line, fmt::format("{}={} is no whole number, or too small", name, value));
                break;
            case Word::unknown:
                problem(
                    line,
                    fmt::format(
                        "unknown scheduler parameter '{}' (it might change schedules). Did you "
                        "mean '{}'?",
                        name,
                        nearest_scheduler_parameter(name)
                    )
                );
        }
    }
}

void Reader::take_other(
    const ConfLine& line, const ConfWord& word, const std::vector<std::string>& known
) {
    const std::string value = small_letters(word.value);
    for (const Refused& one : refused_keys) {
        if (one.key == word.key) {
            if (value != one.harmless && value != "(null)" && value != "none") {
                refuse(line, word.key, one.word);
            }
            return;
        }
    }
    pass_over(line, word.key, known);
}

void Reader::take_key(const ConfLine& line, const ConfWord& word) {
    Settings& to = site_.settings;
    PriorityRules& rules = to.priorities;
    const std::string value = small_letters(word.value);
    const std::map<std::string_view, std::function<void()>> keys = {
        {"schedulertype",
         [&] {
             to.backfill.on = value == "sched/backfill";
             if (value != "sched/backfill" && value != "sched/builtin") {
                 refuse(line, "SchedulerType=" + word.value, "scheduler_type");
             }
         }},
        {"schedulerparameters",
         [&] {
             take_parameters(line, word);
         }},
        {"prioritytype",
         [&] {
             rules.multifactor = value == "priority/multifactor";
         }},
        {"prioritycalcperiod",
         [&] {
             rules.calc_period = seconds(line, word);
         }},
        {"prioritydecayhalflife",
         [&] {
             rules.half_life = static_cast<double>(seconds(line, word));
         }},
        {"prioritymaxage",
         [&] {
             rules.max_age = seconds(line, word);
         }},
        {"priorityweightage",
         [&] {
             rules.weights.age = static_cast<double>(number(line, word));
         }},
        {"priorityweightfairshare",
         [&] {
             rules.weights.fair_share = static_cast<double>(number(line, word));
         }},
        {"priorityweightjobsize",
         [&] {
             rules.weights.job_size = static_cast<double>(number(line, word));
         }},
        {"priorityweightpartition",
         [&] {
             rules.weights.partition = static_cast<double>(number(line, word));
         }},
        {"priorityweightqos",
         [&] {
             rules.weights.qos = static_cast<double>(number(line, word));
         }},
        {"priorityfavorsmall",
         [&] {
             rules.favor_small = value == "yes";
         }},
        {"priorityflags",
         [&] {
             for (const std::string& flag : parts(value, ',')) {
                 if (flag == "accrue_always") {
                     rules.accrue_always = true;
                 } else if (flag == "small_relative_to_time") {
                     rules.small_relative_to_time = true;
                 } else if (flag != "fair_tree" && flag != "max_tres" && !flag.empty()) {
                     refuse(line, "PriorityFlags=" + flag, "priority_flags");
                 }
             }
         }},
        {"killwait",
         [&] {
             to.kill_wait = static_cast<std::int64_t>(number(line, word));
         }},
        {"overtimelimit",
         [&] {
             to.over_time_limit = 60 * static_cast<std::int64_t>(number(line, word));
         }},
        {"accountingstorageenforce",
         [&] {
             to.enforce_limits = value.find("limits") != std::string::npos
                                 || value.find("qos") != std::string::npos
                                 || value.find("safe") != std::string::npos;
         }},
        {"selecttype",
         [&] {
             if (value == "select/linear") {
                 whole_machine_ = true;
             } else if (value != "select/cons_tres" && value != "select/cons_res") {
                 refuse(line, "SelectType=" + word.value, "select_type");
             }
         }},
        {"selecttypeparameters",
         [&] {
             to.memory_is_shared = value.find("memory") != std::string::npos;
             for (const char* other : {"cr_lln", "cr_pack_nodes", "cr_socket"}) {
                 if (value.find(other) != std::string::npos) {
                     refuse(line, "SelectTypeParameters=" + word.value, "select_parameters");
                 }
             }
         }},
        {"defmempercpu",
         [&] {
             to.memory_per_cpu = number(line, word);
         }},
        {"defmempernode",
         [&] {
             to.memory_per_node = number(line, word);
         }},
        {"preempttype",
         [&] {
             to.preempt_by_partition = value == "preempt/partition_prio";
             if (value != "preempt/partition_prio" && value != "preempt/none") {
                 refuse(line, "PreemptType=" + word.value, "preempt_type");
             }
         }},
        {"preemptmode",
         [&] {
             if (value != "requeue" && value != "off") {
                 refuse(line, "PreemptMode=" + word.value, "preempt_mode");
             }
         }},
    };
    if (const auto at = keys.find(word.key); at != keys.end()) {
        at->second();
        return;
    }
    std::vector<std::string> known;
    for (const auto& [key, take] : keys) {
        known.emplace_back(key);
    }
    take_other(line, word, known);
}

void Reader::take(const ConfLine& line) {
    const ConfWord& first = line.words.front();
    if (first.key == "nodename") {
        take_nodes(line);
    } else if (first.key == "nodeset") {
        const auto nodes = line.value("nodes");
        if (nodes) {
            node_sets_[first.value] = *nodes;
        } else {
            refuse(line, "NodeSet=" + first.value + " by features", "node_features");
        }
    } else if (first.key == "partitionname") {
        if (small_letters(first.value) == "default") {
            partition_defaults_.insert(
                partition_defaults_.end(), line.words.begin() + 1, line.words.end()
            );
            return;
        }
        const auto changed = std::ranges::find_if(partition_lines_, [&](const ConfLine& known) {
            return known.words.front().value == first.value;
        });
        if (line.file == of_changes && changed != partition_lines_.end()) {
            take_partition(line);  // alone, for what is wrong with the change
            site_.settings.partitions.pop_back();
            changed->words.insert(changed->words.end(), line.words.begin() + 1, line.words.end());
            return;
        }
        ConfLine whole = line;  // the nodes may come later
        whole.words.insert(
            whole.words.begin() + 1, partition_defaults_.begin(), partition_defaults_.end()
        );
        partition_lines_.push_back(std::move(whole));
    } else if (first.key == "include") {
        problem(
            line, "Include was not carried out (its file was not found). A path beside slurm.conf?"
        );
    } else {
        for (const ConfWord& word : line.words) {
            take_key(line, word);
        }
    }
}

Site Reader::read() {
    read_accounts(files_, site_);
    for (std::uint32_t k = 0; k < site_.settings.qos.size(); ++k) {
        qos_numbers_[site_.settings.qos[k].name] = k;
    }
    std::vector<ConfLine> lines = conf_lines(files_.conf, "slurm.conf");
    for (std::size_t k = 0; k < files_.changes.size(); ++k) {
        const std::string& change = files_.changes[k];
        Settings trial;
        const std::size_t at = change.find('=');
        const Word kind = take_scheduler_parameter(
            trial,
            small_letters(change.substr(0, at)),
            at == std::string::npos ? "" : change.substr(at + 1)
        );
        const bool is_parameter = kind != Word::unknown;
        for (ConfLine& line :
             conf_lines(is_parameter ? "SchedulerParameters=" + change : change, of_changes)) {
            line.number = k + 1;
            lines.push_back(std::move(line));
        }
    }
    for (const ConfLine& line : lines) {
        take(line);
    }
    for (const ConfLine& line : partition_lines_) {
        take_partition(line);
    }
    for (Partition& partition : site_.settings.partitions) {
        partition.whole_nodes = partition.whole_nodes || whole_machine_;
        if (partition.memory_per_cpu == 0 && partition.memory_per_node == 0) {
            partition.memory_per_cpu = site_.settings.memory_per_cpu;
            partition.memory_per_node = site_.settings.memory_per_node;
        }
    }
    if (site_.settings.partitions.empty()) {
        site_.problems.push_back(
            {"slurm.conf", 0, "no line begins with PartitionName (jobs have no nodes)"}
        );
    }
    std::sort(site_.passed_over.begin(), site_.passed_over.end());
    site_.passed_over.erase(
        std::unique(site_.passed_over.begin(), site_.passed_over.end()), site_.passed_over.end()
    );
    return std::move(site_);
}

}  // namespace

Site read_site(const SiteFiles& files) {
    return Reader(files).read();
}

}  // namespace schedfarm::policies::slurm
