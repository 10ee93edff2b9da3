#include "app/plan/identity/input_checksums.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "app/config/yaml/reader.hpp"
#include "app/config/yaml/value_node.hpp"

namespace schedfarm::app {

namespace {

using InputChecksum = InputChecksums::InputChecksum;
using ByCell = InputChecksums::ByCell;

/// What was changed in parameters, deep inside of choices too.
struct Change {
    std::string path;
    std::string text;
};

void add_changes(
    const engine::Value& before,
    const engine::Value& after,
    const std::string& path,
    std::vector<Change>& changes
);

void add_changes(
    const engine::Parameters& before,
    const engine::Parameters& after,
    const std::string& path,
    std::vector<Change>& changes
) {
    for (const auto& [name, value] : after.entries()) {
        add_changes(before.at(name), value, path + "." + name, changes);
    }
}

/// The only entry of a list lies where the list does; of several the path has the numbers, where
/// no checksum can be set but by the whole parameter.
void add_changes(
    const engine::Value& before,
    const engine::Value& after,
    const std::string& path,
    std::vector<Change>& changes
) {
    if (after.text() == before.text()) {
        return;
    }
    if (std::holds_alternative<std::string>(after.data())) {
        changes.push_back({path, after.as_text()});
    } else if (std::holds_alternative<engine::Value::List>(after.data())) {
        const engine::Value::List& list = after.as_list();
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::string own = list.size() == 1 ? path : path + "." + std::to_string(i);
            add_changes(before.as_list()[i], list[i], own, changes);
        }
    } else {
        const engine::Choice& choice = after.as_choice();
        add_changes(
            before.as_choice().parameters, choice.parameters, path + "." + choice.name, changes
        );
    }
}

bool lies_in(const std::string& path, const std::string& whole) {
    return whole.empty() || path == whole || path.starts_with(whole + ".");
}

/// A path within `whole`, from there on; empty: `whole` itself.
std::string rest_of(const std::string& path, const std::string& whole) {
    const std::size_t begin = whole.empty() ? 0 : whole.size() + 1;
    return begin < path.size() ? path.substr(begin) : "";
}

/// Sets what lies at a path of the campaign in a value that stands at `whole`. False where it
/// stands there in a short form, {trace: log.swf}, that has no place for it.
bool set_in(Node& value, const std::string& whole, const std::string& path, Node content) {
    const std::string rest = rest_of(path, whole);
    if (rest.empty()) {
        value = std::move(content);
        return true;
    }
    return !set_path(value, rest, std::move(content), {});
}

/// The same of a checksum; a parameter in short form is written in full.
void set_checksum(
    Node& value, const std::string& whole, const std::string& path, const InputChecksum& checksum
) {
    if (!set_in(value, whole, path, quoted(checksum.checksum)) && !checksum.parameter_text.empty()
        && lies_in(checksum.parameter, whole)) {
        set_in(value, whole, checksum.parameter, read_yaml("", checksum.parameter_text));
    }
}

/// The checksum that all these cells have; absent where they differ. Its parameter's text is empty
/// where that differs.
std::optional<InputChecksum> common_checksum(
    const std::vector<const Cell*>& cells, const ByCell& by_cell
) {
    std::optional<InputChecksum> common;
    for (const Cell* cell : cells) {
        const auto found = by_cell.find(cell->index);
        if (found == by_cell.end() || (common && found->second.checksum != common->checksum)) {
            return std::nullopt;
        }
        if (!common) {
            common = found->second;
        } else if (found->second.parameter_text != common->parameter_text) {
            common->parameter_text.clear();
        }
    }
    return common;
}

/// A factor that varies what lies at a path.
struct Varied {
    std::size_t factor = 0;
    std::string path;  ///< that it sets
};

std::optional<Varied> varied(const std::string& path, const std::vector<Factor>& factors) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
        for (const std::string& set : factors[i].paths) {
            if (lies_in(path, set)) {
                return Varied{i, set};
            }
        }
    }
    return std::nullopt;
}

/// A factor's levels as {zip: {path: [...]}, labels: [...]}, for labels follow from the values
/// where they are not given.
Node labelled_zip(const Node& spec, const Factor& factor) {
    Node zip = Node::map({});
    if (spec.is_list()) {
        add_entry(zip, factor.name, spec);
    } else {
        zip = *spec.find("zip");
    }
    std::vector<Tree> labels;
    for (const Level& level : factor.levels) {
        labels.push_back(quoted(level.label));
    }
    Node result = Node::map({});
    add_entry(result, "zip", std::move(zip));
    add_entry(result, "labels", Node::list(std::move(labels), {}));
    return result;
}

/// Writes the checksums at one path.
class PathWriter {
  public:
    PathWriter(
        const std::string& path,
        const ByCell& by_cell,
        const std::vector<Factor>& factors,
        const std::vector<Cell>& cells
    )
        : path_(path), by_cell_(by_cell), factors_(factors) {
        for (const Cell& cell : cells) {
            cells_.push_back(&cell);
        }
    }

    void write(ChecksummedCampaign& checksummed) const {
        if (const auto by = varied(path_, factors_)) {
            write_levels(*by, checksummed.campaign);
        } else if (const auto checksum = common_checksum(cells_, by_cell_)) {
            set_checksum(checksummed.base, "", path_, *checksum);
        } else {
            write_overrides(checksummed.campaign);
        }
    }

  private:
    using Places = std::vector<std::size_t>;  // of factors
    using Labels = std::vector<std::string>;

    void write_levels(const Varied& by, Node& campaign) const {
        const Factor& factor = factors_[by.factor];
        Node factors = campaign.find_entry("factors")->value;
        Node spec = labelled_zip(*factors.find(factor.name), factor);
        Node zip = spec.find_entry("zip")->value;
        Node values = zip.find_entry(by.path)->value;
        for (std::size_t i = 0; i < factor.levels.size(); ++i) {
            std::vector<const Cell*> own;
            std::copy_if(
                cells_.begin(),
                cells_.end(),
                std::back_inserter(own),
                [&](const Cell* cell) {
                    return cell->levels[by.factor].label == factor.levels[i].label;
                }
            );
            if (const auto checksum = common_checksum(own, by_cell_)) {
                Node value = values.items[i];
                set_checksum(value, by.path, path_, *checksum);
                values.items[i] = std::move(value);
            }
        }
        zip.find_entry(by.path)->value = std::move(values);
        spec.find_entry("zip")->value = std::move(zip);
        factors.find_entry(factor.name)->value = std::move(spec);
        campaign.find_entry("factors")->value = std::move(factors);
    }

    void write_overrides(Node& campaign) const {
        const Places deciding = deciding_factors();
        if (std::any_of(deciding.begin(), deciding.end(), [&](std::size_t factor) {
                return factors_[factor].is_placed();
            })) {
            return;
        }
        const Node* written = campaign.find("overrides");
        Node list = written != nullptr && written->is_list() ? *written : Node::list({}, {});
        std::set<Labels> done;
        for (const Cell* cell : cells_) {
            const std::string checksum = checksum_of(*cell);
            const Labels labels = labels_of(*cell, deciding);
            if (checksum.empty() || !done.insert(labels).second) {
                continue;
            }
            Node when = Node::map({});
            for (std::size_t i = 0; i < deciding.size(); ++i) {
                add_entry(when, factors_[deciding[i]].name, quoted(labels[i]));
            }
            Node set = Node::map({});
            add_entry(set, path_, quoted(checksum));
            Node item = Node::map({});
            add_entry(item, "when", std::move(when));
            add_entry(item, "set", std::move(set));
            list.items.push_back(std::move(item));
        }
        set_path(campaign, "overrides", std::move(list), {});
    }

    /// As few factors as tell which checksum a cell has, none that are placed if that is possible.
    Places deciding_factors() const {
        Places order(factors_.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_partition(order.begin(), order.end(), [&](std::size_t factor) {
            return factors_[factor].is_placed();
        });
        Places kept = order;
        for (const std::size_t factor : order) {
            Places fewer = kept;
            std::erase(fewer, factor);
            if (decide(fewer)) {
                kept = std::move(fewer);
            }
        }
        std::sort(kept.begin(), kept.end());
        return kept;
    }

    bool decide(const Places& factors) const {
        std::map<Labels, std::string> checksums;
        return std::all_of(cells_.begin(), cells_.end(), [&](const Cell* cell) {
            const std::string checksum = checksum_of(*cell);
            return checksums.emplace(labels_of(*cell, factors), checksum).first->second == checksum;
        });
    }

    static Labels labels_of(const Cell& cell, const Places& factors) {
        Labels labels;
        for (const std::size_t factor : factors) {
            labels.push_back(cell.levels[factor].label);
        }
        return labels;
    }

    /// Empty: none was added.
    std::string checksum_of(const Cell& cell) const {
        const auto found = by_cell_.find(cell.index);
        return found == by_cell_.end() ? "" : found->second.checksum;
    }

    const std::string& path_;
    const ByCell& by_cell_;
    const std::vector<Factor>& factors_;
    std::vector<const Cell*> cells_;
};

}  // namespace

std::shared_ptr<const NamedWorkload> InputChecksums::add(
    std::size_t cell, const std::shared_ptr<const NamedWorkload>& workload
) {
    if (!workload->description->checksummed) {
        return workload;
    }
    const engine::Parameters& given = workload->choice.parameters;
    const auto [found, is_new] = known_.try_emplace(workload);
    if (is_new) {
        found->second = std::make_shared<const NamedWorkload>(NamedWorkload{
            workload->description,
            {workload->choice.name, workload->description->checksummed(given)}});
    }
    const engine::Parameters& checksummed = found->second->choice.parameters;
    std::vector<Change> changes;
    add_changes(given, checksummed, "workload", changes);
    for (const Change& change : changes) {
        const std::string name = path_parts(change.path)[1];
        by_path_[change.path].emplace(
            cell, InputChecksum{change.text, "workload." + name, checksummed.at(name).text()}
        );
    }
    return found->second;
}

void InputChecksums::repeat(std::size_t cell, std::size_t other) {
    for (auto& [path, by_cell] : by_path_) {
        if (const auto found = by_cell.find(cell); found != by_cell.end()) {
            by_cell.emplace(other, found->second);
        }
    }
}

ChecksummedCampaign InputChecksums::written(
    const Node& campaign, const Grid& grid, const std::vector<Cell>& cells
) const {
    ChecksummedCampaign checksummed{campaign, grid.base()};
    for (const auto& [path, by_cell] : by_path_) {
        PathWriter(path, by_cell, grid.factors(), cells).write(checksummed);
    }
    return checksummed;
}

}  // namespace schedfarm::app
