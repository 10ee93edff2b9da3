#include "tests/app/plan/independent_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace schedfarm::app::tests {

namespace {

YAML::Node merged_files(const CampaignSource& source, const std::string& name) {
    YAML::Node own = YAML::Load(source.files.at(name));
    std::vector<YAML::Node> layers;
    if (own["include"]) {
        const YAML::Node include = own["include"];
        const auto folder = std::filesystem::path(name).parent_path();
        const auto add = [&](const std::string& text) {
            layers.push_back(
                merged_files(source, (folder / text).lexically_normal().generic_string())
            );
        };
        if (include.IsScalar()) {
            add(include.Scalar());
        }
        for (const auto& item : include) {
            add(item.Scalar());
        }
    }
    layers.push_back(own);
    const std::set<std::string> sections{
        "system",
        "workload",
        "horizon",
        "random_numbers",
        "pilot",
        "precision",
        "report",
        "factors",
        "derived"};
    const std::set<std::string> deciders{"replications", "precision", "selection"};
    // Ordered lists of keys, so that factors keep their order: own keys first.
    YAML::Node result(YAML::NodeType::Map);
    for (std::size_t i = layers.size(); i-- > 0;) {  // swapping nodes would swap what they share
        const YAML::Node layer = layers[i];
        const bool is_decided = std::any_of(deciders.begin(), deciders.end(), [&](const auto& key) {
            return static_cast<bool>(result[key]);
        });
        for (const auto& entry : layer) {
            const std::string key = entry.first.Scalar();
            if (key == "include" || (is_decided && deciders.count(key) > 0)) {
                continue;
            }
            if (!result[key]) {
                result[key] = YAML::Clone(entry.second);
            } else if (sections.count(key) > 0 && result[key].IsMap() && entry.second.IsMap()) {
                for (const auto& inner : entry.second) {
                    if (!result[key][inner.first.Scalar()]) {
                        result[key][inner.first.Scalar()] = YAML::Clone(inner.second);
                    }
                }
            }
        }
    }
    return result;
}

void set_at(YAML::Node tree, const std::string& path, const YAML::Node& value) {
    const std::size_t dot = path.find('.');
    const std::string key = path.substr(0, dot);
    if (dot == std::string::npos) {
        tree[key] = YAML::Clone(value);
        return;
    }
    const std::string rest = path.substr(dot + 1);
    if (!tree[key] || tree[key].IsNull()) {
        tree[key] = YAML::Node(YAML::NodeType::Map);
    } else if (tree[key].IsScalar()) {  // a bare name: {name: …}
        const std::string name = tree[key].Scalar();
        tree[key] = YAML::Node(YAML::NodeType::Map);
        tree[key][name] = YAML::Node(YAML::NodeType::Null);
    }
    set_at(tree[key], rest, value);
}

YAML::Node get_at(const YAML::Node& tree, const std::string& path) {
    const std::size_t dot = path.find('.');
    const YAML::Node child =
        tree.IsMap() ? tree[path.substr(0, dot)] : YAML::Node(YAML::NodeType::Undefined);
    if (dot == std::string::npos || !child) {
        return child;
    }
    return get_at(child, path.substr(dot + 1));
}

/// One axis: per level the values it sets, or the fraction of saturation.
struct Axis {
    std::string name;
    std::vector<std::map<std::string, YAML::Node>> levels;
    std::vector<double> fractions;
    std::vector<std::string> labels;
    std::size_t size() const { return std::max(levels.size(), fractions.size()); }
};

Axis axis_of(const std::string& name, const YAML::Node& spec) {
    Axis axis{name, {}, {}, {}};
    if (spec.IsSequence()) {
        for (const auto& level : spec) {
            axis.levels.push_back({{name, level}});
        }
    } else if (spec["zip"]) {
        for (const auto& entry : spec["zip"]) {
            for (std::size_t i = 0; i < entry.second.size(); ++i) {
                axis.levels.resize(std::max(axis.levels.size(), i + 1));
                axis.levels[i][entry.first.Scalar()] = entry.second[i];
            }
        }
        for (const auto& label : spec["labels"]) {
            axis.labels.push_back(label.Scalar());
        }
    } else if (spec["linear"]) {
        const double from = number_of(spec["linear"]["from"]);
        const double to = number_of(spec["linear"]["to"]);
        const auto count = static_cast<int>(number_of(spec["linear"]["count"]));
        for (int i = 0; i < count; ++i) {
            char text[40];
            std::snprintf(
                text,
                sizeof text,
                "%.12g",
                count == 1 ? from : from + (to - from) * (double(i) / (count - 1))
            );
            axis.levels.push_back({{name, YAML::Node(std::string(text))}});
        }
    } else if (spec["of_saturation"]) {
        for (const auto& fraction : spec["of_saturation"]) {
            axis.fractions.push_back(number_of(fraction));
        }
    } else {
        const auto n = static_cast<int>(number_of(spec["below_saturation"]));
        for (int i = 0; i < n; ++i) {
            axis.fractions.push_back(
                1 - 0.8 * std::pow(1.0 / 16, n == 1 ? 0.5 : double(i) / (n - 1))
            );
        }
    }
    return axis;
}

bool same(const YAML::Node& a, const YAML::Node& b) {
    if (a.IsScalar() && b.IsScalar()) {
        const double x = number_of(a);
        return a.Scalar() == b.Scalar() || (!std::isnan(x) && x == number_of(b));
    }
    if (b.IsScalar() && a.IsMap() && a.size() == 1) {
        return a.begin()->first.Scalar() == b.Scalar();
    }
    if (a.Type() != b.Type() || a.size() != b.size()) {
        return false;
    }
    if (a.IsSequence()) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!same(a[i], b[i])) {
                return false;
            }
        }
        return true;
    }
    for (const auto& entry : a) {
        if (!b[entry.first.Scalar()] || !same(entry.second, b[entry.first.Scalar()])) {
            return false;
        }
    }
    return true;
}

/// Evaluates while it reads; knows what the expressions of the fuzzed campaigns can become.
class Calculator {
  public:
    Calculator(std::string text, const YAML::Node& tree) : text_(std::move(text)), tree_(tree) {}
    double sum() {
        double value = product();
        while (true) {
            if (take('+')) {
                value += product();
            } else if (take('-')) {
                value -= product();
            } else {
                return value;
            }
        }
    }

  private:
    char peek() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
            ++at_;
        }
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char c) { return peek() == c && ++at_ > 0; }
    double product() {
        double value = factor();
        while (true) {
            if (take('*')) {
                value *= factor();
            } else if (take('/')) {
                value /= factor();
            } else {
                return value;
            }
        }
    }
    double factor() {
        if (take('-')) {
            return -factor();
        }
        if (take('(')) {
            const double value = sum();
            take(')');
            return value;
        }
        const char c = peek();
        if (std::isalpha(static_cast<unsigned char>(c)) == 0) {
            char* end = nullptr;
            const double value = std::strtod(text_.c_str() + at_, &end);
            at_ = static_cast<std::size_t>(end - text_.c_str());
            return value;
        }
        const std::size_t begin = at_;
        while (std::isalnum(static_cast<unsigned char>(peek_raw())) != 0 || peek_raw() == '_'
               || peek_raw() == '.') {
            ++at_;
        }
        return named(text_.substr(begin, at_ - begin));
    }
    double named(const std::string& word) {
        if (!take('(')) {
            return number_of(get_at(tree_, word));
        }
        double value = sum();
        while (take(',')) {
            const double next = sum();
            value = word == "min" ? std::min(value, next) : std::max(value, next);
        }
        take(')');
        return word == "round" ? std::floor(value + 0.5) : value;
    }
    char peek_raw() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    std::string text_;
    YAML::Node tree_;
    std::size_t at_ = 0;
};

void finish_cell(
    IndependentCell& cell,
    const YAML::Node& campaign,
    const std::map<std::string, std::string>& labels
) {
    std::set<std::string> overridden;
    const YAML::Node before = YAML::Clone(cell.tree);
    for (const auto& item : campaign["overrides"]) {
        bool holds = true;
        for (const auto& condition : item["when"]) {
            const std::string key = condition.first.Scalar();
            const auto label = labels.find(key);
            const bool has_label = label != labels.end() && condition.second.IsScalar()
                                   && label->second == condition.second.Scalar();
            const YAML::Node present = get_at(before, key);
            holds = holds && (has_label || (present && same(present, condition.second)));
        }
        for (const auto& entry : item["set"]) {
            if (holds) {
                set_at(cell.tree, entry.first.Scalar(), entry.second);
                overridden.insert(entry.first.Scalar());
            }
        }
    }
    for (const auto& entry : campaign["derived"]) {
        if (overridden.count(entry.first.Scalar()) == 0) {
            const double value = Calculator(entry.second.Scalar(), cell.tree).sum();
            char text[40];
            std::snprintf(text, sizeof text, "%.12g", value);
            set_at(cell.tree, entry.first.Scalar(), YAML::Node(std::string(text)));
        }
    }
}

}  // namespace

double number_of(const YAML::Node& node) {
    if (!node || !node.IsScalar() || node.Scalar().empty()) {
        return std::nan("");
    }
    char* end = nullptr;
    const double value = std::strtod(node.Scalar().c_str(), &end);
    return *end == '\0' ? value : std::nan("");
}

IndependentCampaign read_independently(const CampaignSource& source) {
    IndependentCampaign campaign{merged_files(source, source.main_file), 1, {}};
    std::vector<Axis> axes;
    std::size_t& count = campaign.cell_count;
    if (campaign.tree["factors"].IsMap()) {
        for (const auto& entry : campaign.tree["factors"]) {
            axes.push_back(axis_of(entry.first.Scalar(), entry.second));
            count *= axes.back().size();
        }
    }
    constexpr std::size_t most_cells = 2000;
    for (std::size_t index = 0; index < std::min(count, most_cells); ++index) {
        IndependentCell cell{YAML::Clone(campaign.tree), 0};
        std::map<std::string, std::string> labels;
        std::size_t block = count;
        for (const Axis& axis : axes) {
            block /= axis.size();
            const std::size_t level = index / block % axis.size();
            if (!axis.fractions.empty()) {
                cell.saturation_fraction = axis.fractions[level];
                continue;
            }
            for (const auto& [path, value] : axis.levels[level]) {
                set_at(cell.tree, path, value);
            }
            if (!axis.labels.empty()) {
                labels[axis.name] = axis.labels[level];
            }
        }
        finish_cell(cell, campaign.tree, labels);
        campaign.cells.push_back(cell);
    }
    return campaign;
}

}  // namespace schedfarm::app::tests
