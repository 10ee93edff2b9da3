#include "policies/slurm/site/site.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "policies/slurm/site/accounts.hpp"
#include "policies/slurm/site/fields.hpp"
#include "policies/slurm/site/machine.hpp"
#include "policies/slurm/site/reader.hpp"
#include "policies/slurm/site/scheduler_parameters.hpp"

namespace schedfarm::policies::slurm {

namespace {

/// Holds each line of slurm.conf against what it may be.
class Conf {
  public:
    explicit Conf(const SiteFiles& files) : files_(files) {}

    Site read();

  private:
    void take(const ConfLine& line, const char* given);
    void take_changes();
    void take_key(const ConfLine& line);
    void complete_preemption();
    void take_priorities(PriorityRules& rules);
    void take_select_parameters(Settings& to);
    void take_parameters(const std::string& list);
    void take_version();
    void take_defaults_of_version();
    void complete_machine();

    const SiteFiles& files_;
    Site site_;
    WordReader reader_{files_, site_};
    Machine machine_{reader_, site_};
    std::string cluster_;
    std::optional<bool> linear_;
    std::optional<bool> multifactor_;
    bool whole_cores_ = false;  ///< CR_Core: a job has all CPUs of its cores
    bool single_cpus_ = false;  ///< CR_CPU
    ConfLine preempt_type_;     ///< where it stands
};

void Conf::take_parameters(const std::string& list) {
    for (const std::string& one : parts(list, ',')) {
        const std::size_t at = std::min(one.find('='), one.size());
        ConfWord word;
        word.key = small_letters(trimmed(one.substr(0, at)));
        word.value = trimmed(one.substr(std::min(at + 1, one.size())));
        word.text = shown(one);
        word.has_value = !word.value.empty();
        if (word.key.empty()) {
            continue;
        }
        site_.parameters[word.key] = word.value;
        const bool is_read = reader_.begin(Place::parameter, word);
        const auto value = !is_read ? std::nullopt
                           : find_key(Place::parameter, word.key)->kind == Kind::flag
                               ? std::optional<std::int64_t>(1)
                               : reader_.number();
        if (value) {
            set_scheduler_parameter(site_.settings, word.key, *value);
        }
    }
}

void Conf::take_priorities(PriorityRules& rules) {
    reader_.on("prioritytype", [&] {
        multifactor_ = reader_.value() == "priority/multifactor";
        reader_.allow({"priority/multifactor", "priority/basic"}, "priority_type");
    });
    reader_.on_time("prioritycalcperiod", rules.calc_period);
    reader_.on_time("prioritydecayhalflife", rules.half_life);
    reader_.on_time("prioritymaxage", rules.max_age);
    reader_.on_number("priorityweightage", rules.weights.age);
    reader_.on_number("priorityweightfairshare", rules.weights.fair_share);
    reader_.on_number("priorityweightjobsize", rules.weights.job_size);
    reader_.on_number("priorityweightpartition", rules.weights.partition);
    reader_.on_number("priorityweightqos", rules.weights.qos);
    reader_.on_number("priorityweightassoc", rules.weights.association);
    reader_.on("priorityweighttres", [&] {
        rules.weights.tres = reader_.tres_weights("tres_weights");
    });
    reader_.on("priorityusageresetperiod", [&] {
        constexpr std::string_view periods[] = {
            "none", "daily", "weekly", "monthly", "quarterly", "yearly"};
        const auto at = std::ranges::find(periods, reader_.value());
        if (at != std::end(periods)) {
            rules.usage_reset = static_cast<UsageReset>(at - std::begin(periods));
        } else {
            reader_.allow({"now"}, "usage_reset");
        }
    });
    reader_.on("priorityfavorsmall", [&] { rules.favor_small = reader_.yes_or_no(); });
    reader_.on("priorityflags", [&] {
        for (const std::string& flag : parts(reader_.value(), ',')) {
            rules.accrue_always = rules.accrue_always || flag == "accrue_always";
            rules.small_relative_to_time =
                rules.small_relative_to_time || flag == "small_relative_to_time";
            rules.bills_dearest = rules.bills_dearest || flag == "max_tres";
            if (flag != "accrue_always" && flag != "small_relative_to_time" && flag != "fair_tree"
                && flag != "max_tres" && flag != "calculate_running" && !flag.empty()) {
                reader_.refuse("PriorityFlags=" + shown(flag), "priority_flags");
            }
        }
    });
}

void Conf::take_select_parameters(Settings& to) {
    const std::vector<std::string> words = parts(reader_.value(), ',');
    const auto has = [&](std::string_view word) {
        return std::ranges::count(words, word) > 0;
    };
    to.memory_is_shared = reader_.value().find("memory") != std::string::npos;
    whole_cores_ = has("cr_core") || has("cr_core_memory");
    single_cpus_ = has("cr_cpu") || has("cr_cpu_memory");
    to.one_task_per_core = has("cr_one_task_per_core");
    constexpr std::string_view known[] = {
        "cr_cpu",
        "cr_core",
        "cr_memory",
        "cr_cpu_memory",
        "cr_core_memory",
        "cr_core_default_dist_block",
        "cr_one_task_per_core",
        "none",
        ""};
    for (const std::string& one : words) {
        if (std::ranges::count(known, one) == 0) {
            reader_.refuse("SelectTypeParameters=" + shown(one), "select_parameters");
        }
    }
}

void Conf::take_key(const ConfLine& line) {
    Settings& to = site_.settings;
    take_priorities(to.priorities);
    reader_.on("clustername", [&] { cluster_ = reader_.value(); });
    reader_.on("schedulertype", [&] {
        to.backfill.on = reader_.value() == "sched/backfill";
        reader_.allow({"sched/backfill", "sched/builtin"}, "scheduler_type");
    });
    reader_.on("schedulerparameters", [] {});
    reader_.on("slurm_version", [&] { take_version(); });
    reader_.on_number("killwait", to.kill_wait);
    reader_.on("overtimelimit", [&] { to.over_time_limit = 60 * reader_.number().value_or(0); });
    reader_.on("accountingstorageenforce", [&] {
        to.enforce_limits = false;
        for (const std::string& one : parts(reader_.value(), ',')) {
            constexpr std::string_view known[] = {
                "associations",
                "limits",
                "nojobs",
                "nosteps",
                "qos",
                "safe",
                "wckeys",
                "all",
                "none",
                "0",
                "1",
                "2",
                ""};
            if (std::ranges::find(known, one) == std::end(known)) {
                reader_.problem(fmt::format("'{}' does not say what holds", reader_.word().text));
            }
            to.limits_are_safe |= one == "safe" || one == "all";
            to.enforce_limits |= one == "limits" || one == "2" || to.limits_are_safe;
        }
    });
    reader_.on("selecttype", [&] {
        linear_ = reader_.value() == "select/linear";
        reader_.allow({"select/linear", "select/cons_tres", "select/cons_res"}, "select_type");
    });
    reader_.on("selecttypeparameters", [&] { take_select_parameters(to); });
    reader_.on("licenses", [&] {
        to.licence_names.clear();
        to.licences.clear();
        for (const auto& [name, count] : named_counts(reader_.word().value)) {
            if (!count) {
                reader_.problem(fmt::format(
                    "'{}' does not say how many. Write {}:4",
                    shown(reader_.word().text),
                    shown(name)
                ));
            }
            to.licence_names.push_back(name);
            to.licences.push_back(count.value_or(0));
        }
    });
    reader_.on_defaults(to);
    reader_.on_number("completewait", to.complete_wait);
    reader_.on("preempttype", [&] {
        to.preempts = reader_.value() == "preempt/partition_prio" ? Preempts::lower_tiers
                      : reader_.value() == "preempt/qos"          ? Preempts::listed_qos
                                                                  : Preempts::nothing;
        reader_.allow({"preempt/partition_prio", "preempt/qos", "preempt/none"}, "preempt_type");
        preempt_type_ = line;
    });
    reader_.on("preemptmode", [&] {
        to.preempted = reader_.value() == "requeue";
        reader_.allow({"requeue", "off"}, "preempt_mode");
    });
}

void Conf::take(const ConfLine& line, const char* given) {
    const std::string& first = line.words.front().key;
    reader_.begin_line(line.file, line.number, given);
    if (first == "nodename") {
        machine_.take_nodes(line);
    } else if (first == "nodeset") {
        machine_.take_node_set(line);
    } else if (first == "partitionname") {
        machine_.take_partition(line, given);
    } else if (first == "reservationname" && std::string_view(given) == "changes") {
        machine_.take_reservation(line);
    } else if (first == "include") {
        reader_.problem("Include was not carried out: give slurm.conf as a file");
    } else if (first == "downnodes" || first == "frontendname") {
        reader_.read(Place::conf, line.words.front(), [] {});  // the line is of this word
    } else {
        for (const ConfWord& word : line.words) {
            site_.keys[word.key] = word.value;
            reader_.read(Place::conf, word, [&] { take_key(line); });
            if (word.key == "schedulerparameters") {
                take_parameters(word.value);
            }
        }
    }
}

/// Each is a line of its own, and its number is that of the change.
void Conf::take_changes() {
    for (std::size_t k = 0; k < files_.changes.size(); ++k) {
        const std::string& change = files_.changes[k];
        const std::string name = small_letters(trimmed(change.substr(0, change.find('='))));
        const bool is_parameter = find_key(Place::parameter, name) != nullptr;
        for (ConfLine& line :
             conf_lines(is_parameter ? "SchedulerParameters=" + change : change, "changes")) {
            line.file = "changes";
            line.number = k + 1;
            take(line, "changes");
        }
    }
}

/// "23.11.4"; without the last number the first release.
void Conf::take_version() {
    const std::string& text = reader_.value();
    const std::vector<std::string> words = parts(text.substr(0, text.find('-')), '.');
    const auto year = field<std::uint32_t>(words[0], 22, 26);
    const auto month = field<std::uint32_t>(words.size() > 1 ? words[1] : "", 1, 12);
    const auto patch = field<std::uint32_t>(words.size() > 2 ? words[2] : "0", 0, 99);
    const std::uint32_t version =
        year && month && patch ? 10000 * *year + 100 * *month + *patch : 0;
    if (words.size() > 3 || version < slurm_22_05) {
        reader_.problem(fmt::format(
            "'{}' is no release of Slurm from 22.05 to 26.05, whose rules are known. Write the "
            "nearest, as 23.11.4",
            shown(reader_.word().value)
        ));
        return;
    }
    site_.settings.version = version;
    site_.settings.version_is_given = true;
}

/// read_config.h and read_config.c of the releases.
void Conf::take_defaults_of_version() {
    Settings& to = site_.settings;
    to.linear = linear_.value_or(to.version < slurm_23_11);
    to.priorities.multifactor = multifactor_.value_or(to.version >= slurm_23_11);
}

/// Slurm does not start where jobs may be sent away and no mode says how.
void Conf::complete_preemption() {
    Settings& to = site_.settings;
    if (to.may_preempt()) {
        reader_.begin_line(preempt_type_.file, preempt_type_.number, "conf");
        const auto mode = site_.keys.find("preemptmode");
        if (mode == site_.keys.end() || small_letters(mode->second) == "off") {
            reader_.problem("PreemptType without a PreemptMode. Write PreemptMode=REQUEUE");
        }
        if (to.preempts == Preempts::listed_qos && !to.preempted) {
            to.preempts = Preempts::nothing;  // another mode, which was accepted
        } else if (to.preempts == Preempts::listed_qos && to.qos.empty()) {
            reader_.refuse(
                fmt::format(
                    "PreemptType=preempt/qos without the table of QOS ({})",
                    dump_command(Place::qos)
                ),
                "preempt_type"
            );
            to.preempts = Preempts::nothing;
        }
    }
    reader_.settle_preemption(to.may_preempt());
}

void Conf::complete_machine() {
    Settings& site = site_.settings;
    if (!site.linear && !whole_cores_ && !single_cpus_) {  // the default of cons_tres
        whole_cores_ = site.memory_is_shared = true;
    }
    for (Node& node : site.nodes) {
        node.counts_cpus = single_cpus_ && node.threads > 1;
        node.threads = site.linear ? 1 : node.threads;
    }
    for (Partition& partition : site_.settings.partitions) {
        partition.whole_nodes = partition.whole_nodes || site_.settings.linear;
        if (partition.memory_per_cpu == 0 && partition.memory_per_node == 0) {
            partition.memory_per_cpu = site_.settings.memory_per_cpu;
            partition.memory_per_node = site_.settings.memory_per_node;
        }
        if (partition.max_memory_per_cpu == 0 && partition.max_memory_per_node == 0) {
            partition.max_memory_per_cpu = site.max_memory_per_cpu;
            partition.max_memory_per_node = site.max_memory_per_node;
        }
        partition.cpus_per_gpu =
            partition.cpus_per_gpu > 0 ? partition.cpus_per_gpu : site.cpus_per_gpu;
        partition.memory_per_gpu =
            partition.memory_per_gpu > 0 ? partition.memory_per_gpu : site.memory_per_gpu;
    }
    if (site_.settings.partitions.empty()) {
        reader_.begin_line("slurm.conf", 0, "conf");
        reader_.problem("no line begins with PartitionName (jobs have no nodes)");
    }
}

Site Conf::read() {
    for (const ConfLine& line : conf_lines(files_.conf, "slurm.conf")) {
        take(line, "conf");
    }
    take_changes();
    read_accounts(files_, cluster_, reader_, site_);
    machine_.finish();
    take_defaults_of_version();
    complete_machine();
    complete_preemption();
    std::sort(site_.passed_over.begin(), site_.passed_over.end());
    site_.passed_over.erase(
        std::unique(site_.passed_over.begin(), site_.passed_over.end()), site_.passed_over.end()
    );
    return std::move(site_);
}

}  // namespace

bool SiteFiles::accepts(std::string_view word) const {
    return std::ranges::any_of(accept, [&](const std::string& one) {
        return small_letters(one) == word;
    });
}

std::string partition_limits(const Settings& site) {
    std::string text;
    const auto add = [&text](const std::string& name, const Partition& partition) {
        const bool has_default = partition.default_time > 0;
        text += fmt::format(
            "{}{}={}/{}",
            text.empty() ? "" : ",",
            name,
            has_default ? partition.default_time : partition.max_time,
            partition.max_time
        );
    };
    for (const Partition& partition : site.partitions) {
        add(partition.name, partition);
    }
    if (site.default_partition < site.partitions.size()) {
        add("", site.partitions[site.default_partition]);
    }
    return text;
}

std::string rules_note(const Settings& site) {
    if (!site.version_is_given) {
        return "Slurm's rules are those of 22.05. For another release: --slurm-version 24.11.";
    }
    const std::uint32_t version = site.version;
    if (version < slurm_23_02_1) {
        return "";
    }
    std::string missing;
    for (const auto& [since, until, what] :
         {std::tuple(slurm_24_11, 999999U, "several QOS of a job"),
          std::tuple(250500U, slurm_26_05, "backfill passes that end after a yield"),
          std::tuple(
              slurm_23_11_6,
              slurm_26_05,
              "backfill that asks for nodes of OverSubscribe=EXCLUSIVE as for shared ones"
          ),
          std::tuple(slurm_26_05, 999999U, "limits of two QOS that both hold"),
          std::tuple(slurm_26_05, 999999U, "jobs of one node on a path of their own")}) {
        if (version >= since && version < until) {
            missing += fmt::format("{}{}", missing.empty() ? "; without " : ", ", what);
        }
    }
    return fmt::format(
        "Slurm's rules are those of {}.{:02}, read from its source and not held against "
        "recordings{}.",
        version / 10000,
        version / 100 % 100,
        missing
    );
}

std::string rules_note(const engine::Parameters& given) {
    const SiteFiles files = site_files(given);
    return files.conf.empty() ? "" : rules_note(read_site(files).settings);
}

std::string version_change(const std::string& release) {
    return "SLURM_VERSION=" + release;
}

Site read_site(const SiteFiles& files) {
    return Conf(files).read();
}

}  // namespace schedfarm::policies::slurm
