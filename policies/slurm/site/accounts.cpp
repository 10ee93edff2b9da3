#include "policies/slurm/site/accounts.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "policies/slurm/site/words.hpp"

namespace schedfarm::policies::slurm {

void refuse(
    const SiteFiles& files,
    const SitePlace& place,
    std::string_view what,
    std::string_view word,
    Site& site
) {
    if (!files.accepts(word)) {
        site.problems.push_back(
            {place.file,
             place.line,
             fmt::format(
                 "{} would change schedules and is not modelled. Without it: accept: [{}]?",
                 what,
                 word
             )}
        );
    }
}

namespace {

/// Rows of a table of sacctmgr -P by the names of its columns.
struct Rows {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;

    explicit Rows(std::string_view text) {
        for (const std::string& line : parts(text, '\n')) {
            if (line.empty() || line.front() == '#') {
                continue;
            }
            if (header.empty()) {
                header = parts(line, '|');
            } else {
                rows.push_back(parts(line, '|'));
            }
        }
    }
    bool has(std::string_view name) const {
        return std::find(header.begin(), header.end(), name) != header.end();
    }
    std::string at(const std::vector<std::string>& row, std::string_view name) const {
        const auto found = std::find(header.begin(), header.end(), name);
        const auto k = static_cast<std::size_t>(found - header.begin());
        return k < row.size() ? row[k] : "";
    }
};

class Accounts {
  public:
    Accounts(const SiteFiles& files, Site& site) : files_(files), site_(site) {}

    void take_qos();
    void take_associations();

  private:
    void note(const SitePlace& place, std::string_view what, std::string_view word) {
        refuse(files_, place, what, word, site_);
    }
    Limits limits(std::string_view jobs, std::string_view tres, const SitePlace& place);

    const SiteFiles& files_;
    Site& site_;
};

Limits Accounts::limits(std::string_view jobs, std::string_view tres, const SitePlace& place) {
    Limits result;
    if (const auto count = whole_number(jobs)) {
        result.jobs = static_cast<std::uint32_t>(*count);
    }
    for (const std::string& one : parts(tres, ',')) {
        const std::size_t at = one.find('=');
        if (at == std::string::npos) {
            continue;
        }
        const std::string name = one.substr(0, at);
        const auto count = whole_number(std::string_view(one).substr(at + 1));
        if (name == "node" && count) {
            result.nodes = static_cast<std::uint32_t>(*count);
        } else if (name == "cpu" && count) {
            result.cpus = static_cast<std::uint32_t>(*count);
        } else {
            note(place, fmt::format("a limit on {}", name), "limits");
        }
    }
    return result;
}

void Accounts::take_qos() {
    const Rows table(files_.qos);
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        const auto& row = table.rows[k];
        const SitePlace place{"qos", k + 2};
        Qos qos{.name = table.at(row, "Name")};
        qos.priority =
            static_cast<std::uint32_t>(whole_number(table.at(row, "Priority")).value_or(0));
        if (const std::string factor = table.at(row, "UsageFactor"); !factor.empty()) {
            qos.usage_factor = std::stod(factor);
        }
        qos.group = limits(table.at(row, "GrpJobs"), table.at(row, "GrpTRES"), place);
        qos.per_user = limits(table.at(row, "MaxJobsPU"), table.at(row, "MaxTRESPU"), place);
        qos.per_account = limits(table.at(row, "MaxJobsPA"), table.at(row, "MaxTRESPA"), place);
        qos.per_job = limits("", table.at(row, "MaxTRES"), place);
        if (const std::string wall = table.at(row, "MaxWall"); !wall.empty()) {
            qos.max_wall = minutes_as_seconds(wall).value_or(year_s);
        }
        for (const char* other : {"GrpTRESMins", "GrpTRESRunMins", "GrpWall", "MaxTRESMins"}) {
            if (!table.at(row, other).empty()) {
                note(place, fmt::format("{} of QOS {}", other, qos.name), "limits");
            }
        }
        site_.settings.qos.push_back(std::move(qos));
    }
}

void Accounts::take_associations() {
    const Rows table(files_.associations);
    const bool has_accounts =
        std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
            return table.at(row, "Account") != "root";
        });
    if (has_accounts && !table.has("ParentName")) {
        site_.problems.push_back(
            {"assoc",
             1,
             "no column ParentName says which account stands in which. Dump it with: sacctmgr -P "
             "show assoc "
             "format=cluster,account,user,partition,share,grpjobs,grptres,maxjobs,maxtres,"
             "maxwall,parentname"}
        );
        return;
    }
    std::map<std::string, std::uint32_t> accounts;
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        const auto& row = table.rows[k];
        const SitePlace place{"assoc", k + 2};
        Association one{.account = table.at(row, "Account"), .user = table.at(row, "User")};
        const std::string shares = table.at(row, "Share");
        one.shares_of_parent = shares == "parent";
        one.shares = static_cast<std::uint32_t>(whole_number(shares).value_or(1));
        one.group = limits(table.at(row, "GrpJobs"), table.at(row, "GrpTRES"), place);
        one.own = limits(table.at(row, "MaxJobs"), table.at(row, "MaxTRES"), place);
        if (const std::string wall = table.at(row, "MaxWall"); !wall.empty()) {
            one.max_wall = minutes_as_seconds(wall).value_or(year_s);
        }
        std::string parent = one.user.empty() ? table.at(row, "ParentName") : one.account;
        if (parent.empty() && one.account != "root") {
            parent = "root";
        }
        if (!parent.empty()) {
            const auto at = accounts.find(parent);
            if (at == accounts.end()) {
                site_.problems.push_back(
                    {place.file, place.line, fmt::format("no account is named {} above it", parent)}
                );
                continue;
            }
            one.parent = at->second;
        }
        if (one.user.empty()) {
            accounts[one.account] = static_cast<std::uint32_t>(site_.settings.associations.size());
        }
        site_.settings.associations.push_back(std::move(one));
    }
}

}  // namespace

void read_accounts(const SiteFiles& files, Site& site) {
    Accounts accounts(files, site);
    accounts.take_qos();
    accounts.take_associations();
}

}  // namespace schedfarm::policies::slurm
