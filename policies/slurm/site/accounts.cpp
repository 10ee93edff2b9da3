#include "policies/slurm/site/accounts.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "policies/slurm/site/fields.hpp"
#include "policies/slurm/tres.hpp"

namespace schedfarm::policies::slurm {

namespace {

constexpr std::uint32_t deepest_account = 1'000;

/// A table of sacctmgr -P, row by row.
class Table {
  public:
    using Cells = std::vector<std::string>;

    Table(std::string_view text, Place place, const char* given, WordReader& reader)
        : text_(text), place_(place), given_(given), reader_(reader), at_{given} {}

    /// Reads the header; an empty one where there is none.
    void begin() {
        for (const std::string& column : next_line() ? parts(line_, '|') : Cells{}) {
            std::string key = small_letters(trimmed(column));
            std::erase(key, ' ');  // "Def QOS"
            header_.push_back({.key = key, .value = {}, .text = shown(trimmed(column))});
            keys_.push_back(find_key(place_, header_.back().key));
        }
    }
    /// Likewise. False where it lacks a column; unknown ones are refused.
    bool begin(std::initializer_list<std::string_view> needed) {
        begin();
        if (header_.empty()) {
            reader_.begin_line(at_.file, 1, given_);
            reader_.problem(fmt::format("the file is empty. Dump it with: {}", dump()));
            return false;
        }
        for (std::size_t k = 0; k < header_.size(); ++k) {
            if (keys_[k] == nullptr && !header_[k].key.empty()) {
                reader_.refuse_unknown(place_, header_[k]);
            }
        }
        bool is_complete = true;
        for (const std::string_view name : needed) {
            if (!has(name)) {
                reader_.problem(fmt::format("no column {}. Dump it with: {}", name, dump()));
                is_complete = false;
            }
        }
        return is_complete;
    }

    bool next_row() {
        if (!next_line()) {
            return false;
        }
        cells_ = parts(line_, '|');
        for (std::string& cell : cells_) {
            cell = trimmed(cell);
        }
        return true;
    }

    /// The place of a column; the number of columns where it is none of them.
    std::size_t column(std::string_view name) const {
        const auto at = std::find_if(header_.begin(), header_.end(), [&](const ConfWord& one) {
            return one.key == name;
        });
        return static_cast<std::size_t>(at - header_.begin());
    }
    bool has(std::string_view name) const { return column(name) < header_.size(); }
    const std::string& cell(std::size_t column) const {
        static const std::string none;
        return column < cells_.size() ? cells_[column] : none;
    }

    /// Has each cell that says something read. Limits that do not hold are passed over.
    template <typename Take>
    void read_row(bool limits_hold, Take take) {
        for (std::size_t k = 0; k < std::min(header_.size(), cells_.size()); ++k) {
            const Key* const key = keys_[k];
            if (cells_[k].empty() || key == nullptr || key->use == Use::harmless
                || (!limits_hold && key->use == Use::refused && key->note == "limits")) {
                continue;
            }
            const ConfWord word{
                header_[k].key, cells_[k], shown(fmt::format("{}={}", header_[k].text, cells_[k]))};
            reader_.read(place_, word, take);
        }
    }

    std::string dump() const { return dump_command(place_); }

  private:
    /// The next line that is neither empty nor a mark, and where it stands.
    bool next_line() {
        while (!text_.empty()) {
            const std::size_t end = std::min(text_.find('\n'), text_.size());
            line_ = trimmed(text_.substr(0, end));
            text_.remove_prefix(std::min(end + 1, text_.size()));
            if (!at_.is_mark(line_) && !line_.empty()) {
                reader_.begin_line(at_.file, at_.number, given_);
                return true;
            }
        }
        return false;
    }

    std::string_view text_;
    std::string_view line_;
    Place place_;
    const char* given_;
    WordReader& reader_;
    LineCounter at_;
    std::vector<ConfWord> header_;
    std::vector<const Key*> keys_;  ///< of the columns; nullptr: unknown
    Cells cells_;
};

class Accounts {
  public:
    Accounts(WordReader& reader, Site& site) : reader_(reader), site_(site) {}

    void take_qos(std::string_view text);
    /// `cluster`: whose rows count where the table has several; empty: not known.
    void take_associations(std::string_view text, std::string cluster);

  private:
    void on_tres(std::string_view name, TresCounts& to);
    void take_limits(Limits& limits);
    void take_qos_word(Qos& qos);
    void resolve_preempt();
    void take_word(Association& one);
    void add(Association one, const std::string& parent_name);

    struct Account {
        std::uint32_t number = 0;
        std::uint32_t depth = 0;
    };
    WordReader& reader_;
    Site& site_;
    std::unordered_map<std::string, Account> accounts_;
    /// QOS by their places, with what stands in their column Preempt.
    std::vector<std::pair<std::size_t, std::string>> preempt_;
};

/// "node=4,cpu=64,mem=100G"
void Accounts::on_tres(std::string_view name, TresCounts& to) {
    reader_.on(name, [&] {
        reader_.each_tres("limits", [&](Tres kind, std::string_view value) {
            std::uint64_t unit = 1;
            if (kind == Tres::memory && !value.empty()) {
                const std::size_t step = std::string_view("MGTP").find(value.back());
                unit = step == std::string_view::npos ? 1 : std::uint64_t{1} << (10 * step);
                value.remove_suffix(step == std::string_view::npos ? 0 : 1);
            }
            const auto count = reader_.number(value);
            if (count && static_cast<std::uint64_t>(*count) > no_bound / unit) {
                reader_.problem(fmt::format("'{}' is too large", reader_.word().text));
            } else if (count) {
                to[at(kind)] = static_cast<std::uint64_t>(*count) * unit;
            }
        });
    });
}

/// What QOS and associations have alike.
void Accounts::take_limits(Limits& limits) {
    reader_.on_number("grpjobs", limits.group_jobs);
    reader_.on_number("maxjobs", limits.user_jobs);
    reader_.on_number("maxjobspu", limits.user_jobs);
    reader_.on_number("maxjobspa", limits.account_jobs);
    reader_.on_time("maxwall", limits.max_wall);
    reader_.on("grpwall", [&] {
        if (!is_unlimited(reader_.value())) {
            limits.group_wall = static_cast<std::uint64_t>(reader_.time().value_or(0));
        }
    });
    on_tres("grptres", limits.group);
    on_tres("grptresmins", limits.group_minutes);
    on_tres("grptresrunmins", limits.group_running_minutes);
    on_tres("maxtres", limits.job);
    on_tres("maxtresmins", limits.job_minutes);
    on_tres("maxtrespernode", limits.per_node);
    on_tres("mintres", limits.least);
    on_tres("maxtrespu", limits.user);
    on_tres("maxtrespa", limits.account);
    on_tres("maxtresrunminspu", limits.user_running_minutes);
    on_tres("maxtresrunminspa", limits.account_running_minutes);
}

void Accounts::take_qos_word(Qos& qos) {
    take_limits(qos.limits);
    reader_.on("name", [&] { qos.name = reader_.word().value; });
    reader_.on_number("priority", qos.priority);
    reader_.on("preempt", [&] {
        preempt_.emplace_back(site_.settings.qos.size(), reader_.word().value);
    });
    reader_.on("usagefactor", [&] { qos.usage_factor = reader_.fraction().value_or(1); });
    reader_.on("flags", [&] {
        const std::pair<std::string_view, bool*> known[] = {
            {"overpartqos", &qos.goes_before_partition},
            {"noreserve", &qos.reserves_nothing},
            {"nodecay", &qos.does_not_decay},
            {"usagefactorsafe", &qos.factor_is_safe},
            {"partitionmaxnodes", &qos.passes_max_nodes},
            {"partitiontimelimit", &qos.passes_max_time}};
        // The others of Slurm bear on submissions, and the jobs of a log were admitted.
        const std::string_view idle[] = {
            "denyonlimit", "enforceusagethreshold", "requiresreservation", "notset"};
        for (const std::string& flag : parts(reader_.value(), ',')) {
            const auto at =
                std::ranges::find(known, flag, &std::pair<std::string_view, bool*>::first);
            if (at != std::end(known)) {
                *at->second = true;
            } else if (std::ranges::find(idle, flag) == std::end(idle)) {
                reader_.refuse("Flags=" + shown(flag), "qos_flags");
            }
        }
    });
}

/// Names of the column Preempt as numbers of their rows; "low,normal".
void Accounts::resolve_preempt() {
    std::vector<Qos>& all = site_.settings.qos;
    for (const auto& [qos, names] : preempt_) {
        for (const std::string& name : parts(names, ',')) {
            const auto at = std::ranges::find(all, name, &Qos::name);
            if (at != all.end()) {
                all[qos].preempts.push_back(static_cast<std::uint32_t>(at - all.begin()));
            } else if (site_.settings.preempts == Preempts::listed_qos && !name.empty()) {
                reader_.problem(
                    fmt::format("no QOS is named {}, of Preempt of {}", shown(name), all[qos].name)
                );
            }
        }
    }
}

void Accounts::take_qos(std::string_view text) {
    Table table(text, Place::qos, "qos", reader_);
    if (!table.begin({"name"})) {
        return;
    }
    std::set<std::string> names;
    while (table.next_row()) {
        Qos qos;
        table.read_row(site_.settings.enforce_limits, [&] { take_qos_word(qos); });
        if (qos.name.empty() || !names.insert(qos.name).second) {
            reader_.problem(
                qos.name.empty() ? "a QOS without a name"
                                 : fmt::format("QOS {} comes twice", shown(qos.name))
            );
        }
        site_.settings.qos.push_back(std::move(qos));
    }
    resolve_preempt();
    if (names.empty()) {
        reader_.problem("no QOS stands below the header. Dump it with: " + table.dump());
    }
}

void Accounts::take_word(Association& one) {
    for (const char* column : {"cluster", "parentname", "parname"}) {
        reader_.on(column, [] {});
    }
    reader_.on("account", [&] { one.account = reader_.word().value; });
    reader_.on("user", [&] { one.user = reader_.word().value; });
    reader_.on("share", [&] {
        one.shares_of_parent = reader_.value() == "parent";
        if (!one.shares_of_parent) {
            one.shares = static_cast<std::uint32_t>(reader_.number().value_or(1));
        }
    });
    reader_.on_number("priority", one.priority);
    take_limits(one.limits);
}

/// Whether a row is of this cluster.
bool has_cluster(std::string_view text, const std::string& cluster, WordReader& reader) {
    Table table(text, Place::association, "associations", reader);
    table.begin();
    const std::size_t at = table.column("cluster");
    while (table.next_row()) {
        if (table.cell(at) == cluster) {
            return true;
        }
    }
    return false;
}

void Accounts::take_associations(std::string_view text, std::string cluster) {
    Table table(text, Place::association, "associations", reader_);
    if (!table.begin({"account", "user"})) {
        return;
    }
    if (!has_cluster(text, cluster, reader_)) {
        cluster.clear();
    }
    const std::size_t parent_at = std::min(table.column("parentname"), table.column("parname"));
    std::set<std::pair<std::string, std::string>> known;
    while (table.next_row()) {
        const std::string& of = table.cell(table.column("cluster"));
        if (!cluster.empty() && of != cluster) {
            continue;
        }
        cluster = of;
        Association one;
        table.read_row(site_.settings.enforce_limits, [&] { take_word(one); });
        if (!known.insert({one.account, one.user}).second) {
            reader_.problem(fmt::format("{} {} comes twice", shown(one.account), shown(one.user)));
        } else if (table.has("share") && table.cell(table.column("share")).empty()) {
            reader_.problem("Share is empty. Write a whole number, or parent");
        } else if (one.user.empty() && one.account != "root" && !table.has("parentname") && !table.has("parname")) {
            reader_.problem(
                "no column ParentName says which account stands in which. Dump it with: "
                + table.dump()
            );
            return;
        }
        add(std::move(one), table.cell(parent_at));
    }
    if (known.empty()) {
        reader_.problem("no association stands below the header. Dump it with: " + table.dump());
    }
}

void Accounts::add(Association one, const std::string& parent_name) {
    std::string parent = one.user.empty() ? parent_name : one.account;
    if (parent.empty() && one.account != "root") {
        parent = "root";
    }
    Account own{static_cast<std::uint32_t>(site_.settings.associations.size()), 0};
    if (!parent.empty()) {
        const auto above = accounts_.find(parent);
        if (above == accounts_.end() || above->second.depth == deepest_account) {
            reader_.problem(
                above == accounts_.end()
                    ? fmt::format("no account is named {} above it", shown(parent))
                    : fmt::format("more than {} accounts above each other", deepest_account)
            );
            return;
        }
        one.parent = above->second.number;
        own.depth = above->second.depth + 1;
    }
    if (one.user.empty()) {
        accounts_[one.account] = own;
    }
    site_.settings.associations.push_back(std::move(one));
}

}  // namespace

void read_accounts(
    const SiteFiles& files, const std::string& cluster, WordReader& reader, Site& site
) {
    Accounts accounts(reader, site);
    if (!files.qos.empty()) {
        accounts.take_qos(files.qos);
    }
    if (!files.associations.empty()) {
        accounts.take_associations(files.associations, cluster);
    }
}

}  // namespace schedfarm::policies::slurm
