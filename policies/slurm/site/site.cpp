#include "policies/slurm/site/site.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "engine/foundation/node_names.hpp"

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

/// Holds each word of a line against the keys that it may have.
class Reader {
  public:
    explicit Reader(const SiteFiles& files) : files_(files) {}

    Site read();

  private:
    // Of the word that is being read.
    void problem(std::string message) {
        site_.problems.push_back({line_->file, line_->number, std::move(message)});
    }
    void refuse(std::string_view what, std::string_view accepted_by) {
        slurm::refuse(files_, {line_->file, line_->number}, what, accepted_by, site_);
    }
    void refuse(std::string_view accepted_by) { refuse(word_->text, accepted_by); }
    void allow(const std::set<std::string_view>& values, std::string_view accepted_by) {
        if (!values.contains(value_)) {
            refuse(accepted_by);
        }
    }
    void begin_word(const ConfWord& word) {
        word_ = &word;
        value_ = small_letters(word.value);
        is_taken_ = false;
        known_.clear();
    }
    template <typename Take>
    void on(const char* key, Take take) {
        known_.emplace_back(key);
        if (word_->key == key) {
            is_taken_ = true;
            take();
        }
    }
    template <typename T>
    void on_number(const char* key, T& to) {
        on(key, [&] { to = static_cast<T>(number()); });
    }
    template <typename T>
    void on_time(const char* key, T& to) {
        on(key, [&] { to = static_cast<T>(seconds()); });
    }
    std::uint64_t number();
    std::int64_t seconds();
    std::vector<Gpus> gpus();
    std::optional<NodeSet> node_set(std::string_view names);

    void take(const ConfLine& line);
    void take_nodes();
    void take_node_word(Node& node, std::array<std::uint64_t, 4>& counts);
    void take_partition(const ConfLine& line);
    void take_partition_word(Partition& partition);
    void take_key();
    void take_parameters();
    void take_other();
    void pass_over(const std::string& key);

    const SiteFiles& files_;
    Site site_;
    const ConfLine* line_ = nullptr;
    const ConfWord* word_ = nullptr;
    std::string value_;               ///< of the word, in small letters
    bool is_taken_ = false;           ///< it has one of the keys
    std::vector<std::string> known_;  ///< keys that it might have had
    std::vector<ConfWord> node_defaults_;
    std::vector<ConfWord> partition_defaults_;
    std::vector<ConfLine> partition_lines_;
    std::map<std::string, std::size_t> node_numbers_;
    std::map<std::string, std::string> node_sets_;
    std::vector<std::string> gpu_types_;
    std::map<std::string, std::uint32_t> qos_numbers_;
    bool whole_machine_ = false;     ///< select/linear
    bool has_unread_nodes_ = false;  ///< one problem of a NodeName line is enough
};

std::uint64_t Reader::number() {
    const auto value = whole_number(word_->value);
    if (!value) {
        problem(word_->text + " is no whole number");
    }
    return value.value_or(0);
}

std::int64_t Reader::seconds() {
    const auto value = minutes_as_seconds(word_->value);
    if (!value) {
        problem(word_->text + " is no time. Minutes, or days-hours:minutes:seconds?");
    }
    return value.value_or(0);
}

std::vector<Gpus> Reader::gpus() {
    std::vector<Gpus> found;
    for (const std::string& one : parts(word_->value, ',')) {
        const std::vector<std::string> words = parts(one.substr(0, one.find('(')), ':');
        if (words.front() != "gpu") {
            continue;
        }
        const std::string type = words.size() > 2 ? words[1] : "";
        const auto count = words.size() > 1 ? whole_number(words.back()) : std::uint64_t{1};
        if (!count) {
            problem(fmt::format("Gres={} has no number of GPUs. gpu:TYPE:COUNT?", one));
            continue;
        }
        auto at = std::find(gpu_types_.begin(), gpu_types_.end(), type);
        if (at == gpu_types_.end()) {
            at = gpu_types_.insert(at, type);
        }
        found.push_back(
            {static_cast<std::uint32_t>(at - gpu_types_.begin()),
             static_cast<std::uint32_t>(*count)}
        );
    }
    return found;
}

/// `counts`: of sockets, cores of each and threads of each; and of CPUs, 0: not said.
void Reader::take_node_word(Node& node, std::array<std::uint64_t, 4>& counts) {
    on("nodename", [] {});
    on_number("sockets", counts[0]);
    on_number("socketsperboard", counts[0]);
    on_number("corespersocket", counts[1]);
    on_number("threadspercore", counts[2]);
    on_number("cpus", counts[3]);
    on_number("procs", counts[3]);
    on_number("realmemory", node.memory);
    on_number("weight", node.weight);
    on("gres", [&] { node.gpus = gpus(); });
    on("state", [&] { allow({"unknown", "idle"}, "node_state"); });
}

void Reader::take_nodes() {
    const std::vector<ConfWord>& own = line_->words;
    if (small_letters(own.front().value) == "default") {
        node_defaults_.insert(node_defaults_.end(), own.begin() + 1, own.end());
        return;
    }
    std::vector<ConfWord> words = node_defaults_;
    words.insert(words.end(), own.begin(), own.end());
    Node node;
    std::array<std::uint64_t, 4> counts{1, 1, 1, 0};
    for (const ConfWord& word : words) {
        begin_word(word);
        take_node_word(node, counts);
        take_other();
    }
    const auto [sockets, cores, threads, cpus] = counts;
    node.cpus = static_cast<std::uint32_t>(cpus > 0 ? cpus : sockets * cores * threads);
    const auto names = engine::nodes_in(own.front().value);
    if (!names || names->empty()) {
        has_unread_nodes_ = true;
        problem(own.front().text + " is no list of names");
        return;
    }
    for (const std::string& name : *names) {
        if (!node_numbers_.try_emplace(name, site_.settings.nodes.size()).second) {
            problem(fmt::format("node {} comes twice", name));
            continue;
        }
        node.name = name;
        site_.settings.nodes.push_back(node);
    }
}

std::optional<NodeSet> Reader::node_set(std::string_view names) {
    NodeSet set(site_.settings.nodes.size());
    if (small_letters(names) == "all") {
        return NodeSet::all(site_.settings.nodes.size());
    }
    for (const std::string& name : engine::nodes_in(names).value_or(std::vector<std::string>{})) {
        if (const auto other = node_sets_.find(name); other != node_sets_.end()) {
            if (const auto inner = node_set(other->second)) {
                set |= *inner;
            }
            continue;
        }
        const auto at = node_numbers_.find(name);
        if (at == node_numbers_.end()) {
            if (!has_unread_nodes_) {
                problem(fmt::format(
                    "no node is named {} (no NodeName line has it). Is there one to add?", name
                ));
            }
            return std::nullopt;
        }
        set.insert(at->second);
    }
    return set;
}

void Reader::take_partition_word(Partition& partition) {
    on("partitionname", [] {});
    on("nodes", [&] { partition.nodes = node_set(word_->value).value_or(partition.nodes); });
    on_time("maxtime", partition.max_time);
    on("maxnodes", [&] {
        partition.max_nodes =
            value_ == "unlimited" ? no_limit : static_cast<std::uint32_t>(number());
    });
    on_number("prioritytier", partition.tier);
    on_number("priorityjobfactor", partition.job_factor);
    on("priority",
       [&] { partition.tier = partition.job_factor = static_cast<std::uint32_t>(number()); });
    const auto take_sharing = [&] {
        partition.whole_nodes = value_ == "exclusive";
        if (value_.starts_with("force") || value_.starts_with("yes")) {
            refuse("oversubscribe");
        }
    };
    on("oversubscribe", take_sharing);
    on("shared", take_sharing);
    on("preemptmode", [&] {
        partition.preempted = value_ == "requeue";
        allow({"requeue", "off"}, "preempt_mode");
    });
    on("qos", [&] {
        const auto at = qos_numbers_.find(word_->value);
        if (at == qos_numbers_.end()) {
            problem(fmt::format(
                "no QOS is named {}. qos: {{file of sacctmgr -P show qos}}?", word_->value
            ));
        } else {
            partition.qos = at->second;
        }
    });
    on_number("defmempercpu", partition.memory_per_cpu);
    on_number("defmempernode", partition.memory_per_node);
    on("default", [&] {
        if (value_ == "yes") {
            site_.settings.default_partition =
                static_cast<std::uint32_t>(site_.settings.partitions.size());
        }
    });
    on("state", [&] { allow({"up"}, "partition_state"); });
}

void Reader::take_partition(const ConfLine& line) {
    line_ = &line;
    Partition partition;
    partition.name = line.words.front().value;
    partition.nodes = NodeSet(site_.settings.nodes.size());
    for (const ConfWord& word : line.words) {
        begin_word(word);
        take_partition_word(partition);
        take_other();
    }
    site_.settings.partitions.push_back(std::move(partition));
}

void Reader::take_parameters() {
    for (const std::string& one : parts(word_->value, ',')) {
        const std::size_t at = one.find('=');
        const std::string name = small_letters(one.substr(0, at));
        const std::string value = at == std::string::npos ? "" : one.substr(at + 1);
        switch (take_scheduler_parameter(site_.settings, name, value)) {
            case Word::taken:
                break;
            case Word::passed_over:
                known_.clear();
                pass_over(name);
                break;
            case Word::refused:
                refuse(name, name);
                break;
            case Word::unreadable:
                problem(fmt::format(
                    "'{}' does not say {}. {}=N?", one, scheduler_parameter_need(name), name
                ));
                break;
            case Word::unknown:
                if (!files_.accepts(name)) {
                    problem(fmt::format(
                        "unknown scheduler parameter '{}' (it might change schedules). Did you "
                        "mean '{}'? Without it: accept: [{}]",
                        name,
                        nearest_scheduler_parameter(name),
                        name
                    ));
                }
        }
    }
}

void Reader::pass_over(const std::string& key) {
    site_.passed_over.push_back(key);
    if (line_->file == of_changes) {
        problem(fmt::format(
            "'{}' is nothing that touches schedules (it would be ignored). Did you mean '{}'?",
            key,
            nearest_scheduler_parameter(key, known_)
        ));
    }
}

/// A word that had none of the keys.
void Reader::take_other() {
    if (is_taken_) {
        return;
    }
    for (const Refused& one : refused_keys) {
        if (one.key == word_->key) {
            if (value_ != one.harmless && value_ != "(null)" && value_ != "none") {
                refuse(one.word);
            }
            return;
        }
    }
    pass_over(word_->key);
}

void Reader::take_key() {
    Settings& to = site_.settings;
    PriorityRules& rules = to.priorities;
    const auto has = [&](const char* part) {
        return value_.find(part) != std::string::npos;
    };
    on("schedulertype", [&] {
        to.backfill.on = value_ == "sched/backfill";
        allow({"sched/backfill", "sched/builtin"}, "scheduler_type");
    });
    on("schedulerparameters", [&] { take_parameters(); });
    on("prioritytype", [&] { rules.multifactor = value_ == "priority/multifactor"; });
    on_time("prioritycalcperiod", rules.calc_period);
    on_time("prioritydecayhalflife", rules.half_life);
    on_time("prioritymaxage", rules.max_age);
    on_number("priorityweightage", rules.weights.age);
    on_number("priorityweightfairshare", rules.weights.fair_share);
    on_number("priorityweightjobsize", rules.weights.job_size);
    on_number("priorityweightpartition", rules.weights.partition);
    on_number("priorityweightqos", rules.weights.qos);
    on("priorityfavorsmall", [&] { rules.favor_small = value_ == "yes"; });
    on("priorityflags", [&] {
        for (const std::string& flag : parts(value_, ',')) {
            rules.accrue_always = rules.accrue_always || flag == "accrue_always";
            rules.small_relative_to_time =
                rules.small_relative_to_time || flag == "small_relative_to_time";
            if (flag != "accrue_always" && flag != "small_relative_to_time" && flag != "fair_tree"
                && flag != "max_tres" && !flag.empty()) {
                refuse("PriorityFlags=" + flag, "priority_flags");
            }
        }
    });
    on_number("killwait", to.kill_wait);
    on("overtimelimit", [&] { to.over_time_limit = 60 * static_cast<std::int64_t>(number()); });
    on("accountingstorageenforce",
       [&] { to.enforce_limits = has("limits") || has("qos") || has("safe"); });
    on("selecttype", [&] {
        whole_machine_ = whole_machine_ || value_ == "select/linear";
        allow({"select/linear", "select/cons_tres", "select/cons_res"}, "select_type");
    });
    on("selecttypeparameters", [&] {
        to.memory_is_shared = has("memory");
        if (has("cr_lln") || has("cr_pack_nodes") || has("cr_socket")) {
            refuse("select_parameters");
        }
    });
    on_number("defmempercpu", to.memory_per_cpu);
    on_number("defmempernode", to.memory_per_node);
    on("preempttype", [&] {
        to.preempt_by_partition = value_ == "preempt/partition_prio";
        allow({"preempt/partition_prio", "preempt/none"}, "preempt_type");
    });
    on("preemptmode", [&] { allow({"requeue", "off"}, "preempt_mode"); });
}

void Reader::take(const ConfLine& line) {
    line_ = &line;
    const ConfWord& first = line.words.front();
    begin_word(first);
    if (first.key == "nodename") {
        take_nodes();
    } else if (first.key == "nodeset") {
        const auto nodes = line.value("nodes");
        if (nodes) {
            node_sets_[first.value] = *nodes;
        } else {
            refuse(first.text + " by features", "node_features");
        }
    } else if (first.key == "partitionname") {
        if (value_ == "default") {
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
        problem("Include was not carried out (its file was not found). A path beside slurm.conf?");
    } else {
        for (const ConfWord& word : line.words) {
            begin_word(word);
            take_key();
            take_other();
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

bool SiteFiles::accepts(std::string_view word) const {
    return std::ranges::find(accept, word) != accept.end();
}

Site read_site(const SiteFiles& files) {
    return Reader(files).read();
}

}  // namespace schedfarm::policies::slurm
