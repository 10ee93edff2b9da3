#include "app/campaign/plan/analyses/report_figures.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "app/campaign/checks/theory.hpp"
#include "app/campaign/keys/analyses/report_reader.hpp"
#include "app/campaign/keys/run_column.hpp"
#include "app/campaign/keys/section_reader.hpp"
#include "app/campaign/keys/value_reader.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

constexpr const char* path = "report.figures";

/// One figure: its options, and whether the campaign has what they name.
class Figure {
  public:
    Figure(const Node& node, const Plan& plan, Problems& problems)
        : node_(node), plan_(plan), problems_(problems) {
        factors_ = names_of(plan.cells.front().levels, &FactorLevel::factor);
    }

    Names words() {
        const auto figure = read_section(&node_, figure_section(), node_.at, problems_);
        if (!figure) {
            return {};
        }
        const auto text = [&](const char* key) {
            return text_in(*figure, key);
        };
        kind_ = text("kind");
        words_ = {"--kind=" + kind_};
        add("x", text("x"), kind_ == "pareto" ? NameOf::metric : NameOf::factor);
        add("y", text("y"), NameOf::metric);
        const std::string facet = text("facet");
        add("facet", facet, facet == "class" ? NameOf::classes : NameOf::factor);
        add("range", text("range"), NameOf::metric);
        if (!text("top").empty()) {
            if (!parse_real(text("top"))) {
                refuse("top", fmt::format("'{}' is no number", text("top")), "");
            }
            words_.push_back("--top=" + text("top"));
        }
        for (const std::string& name : names_in(*figure, "by")) {
            add("by", name, NameOf::factor);
        }
        if (const Node* select = node_.find("select")) {
            add_selected(*select);
        }
        if (kind_ == "pareto" && (text("x").empty() || text("y").empty())) {
            refuse("kind", "a pareto figure needs two metrics", "Add x and y, two metrics?");
        }
        expect_drawable();
        return std::move(words_);
    }

  private:
    enum class NameOf : std::uint8_t { factor, metric, classes };

    /// The option of a key that is given.
    void add(const char* key, const std::string& name, NameOf what) {
        if (name.empty()) {
            return;
        }
        if (what == NameOf::metric) {
            expect_metric(key, name);
        } else if (what == NameOf::factor) {
            expect_factor(key, name);
        }
        words_.push_back(fmt::format("--{}={}", key, name));
    }

    static std::string key_path(const std::string& key) { return fmt::format("{}.{}", path, key); }

    void refuse(const std::string& key, std::string reason, std::string suggestion) const {
        problems_.add(
            nearest_position(node_, key), key_path(key), std::move(reason), std::move(suggestion)
        );
    }

    void expect_factor(const std::string& key, const std::string& name) const {
        if (!contains(factors_, name)) {
            refuse(
                key,
                fmt::format("'{}' is no factor of the campaign", name),
                factors_.empty() ? "" : name_suggestion(name, factors_)
            );
        }
    }

    void expect_metric(const std::string& key, const std::string& name) const {
        Names known = key == "range" ? Names{} : quantities();
        const RunColumn made = key == "range" ? RunColumn{} : parse_run_column(name);
        if (contains(known, name.substr(0, name.find('[')))
            || made.kind == RunColumn::Kind::wall_time) {
            return;
        }
        if (made.kind != RunColumn::Kind::mean) {
            for (const std::string& part : {made.metric, made.divisor}) {
                if (!part.empty()) {
                    expect_metric(key, part);
                }
            }
            return;
        }
        for (const Cell& cell : plan_.cells) {
            if (resolve_metric(name, cell.measures->columns)) {
                return;
            }
            for (const engine::ObservationColumn& column : cell.measures->columns) {
                if (!contains(known, column.name)) {
                    known.push_back(column.name);
                }
            }
        }
        refuse(
            key,
            fmt::format("metric '{}' is not observed in any cell", name),
            name_suggestion(name, known)
        );
    }

    Names quantities() const {
        Names names = names_of(plan_.claims.quantities, &ClaimQuantity::name);
        return names;
    }

    Names levels_of(const std::string& factor) const {
        Names levels;
        for (const Cell& cell : plan_.cells) {
            for (const FactorLevel& level : cell.levels) {
                if (level.factor == factor && !contains(levels, level.label)) {
                    levels.push_back(level.label);
                }
            }
        }
        return levels;
    }

    void add_selected(const Node& select) {
        const char* const example = "Write {policy: fcfs}?";
        expect_kind(select, Node::Kind::map, key_path("select"), example, problems_);
        for (const Node::Entry& entry : select.entries) {
            const std::string own = "select." + entry.key;
            expect_factor(own, entry.key);
            const Names known = levels_of(entry.key);
            const Names wanted = entry.value->is_scalar()
                                     ? Names{entry.value->scalar}
                                     : read_names(entry.value, key_path(own), problems_);
            for (const std::string& level : wanted) {
                if (!known.empty() && !contains(known, level)) {
                    refuse(
                        own,
                        fmt::format("'{}' is no level of '{}'", level, entry.key),
                        name_suggestion(level, known)
                    );
                }
                words_.push_back(fmt::format("--select={}={}", entry.key, level));
            }
            selected_[entry.key] = wanted;
        }
    }

    std::size_t cells() const {
        const auto is_selected = [this](const Cell& cell) {
            return std::all_of(cell.levels.begin(), cell.levels.end(), [this](const auto& level) {
                const auto wish = selected_.find(level.factor);
                return wish == selected_.end() || contains(wish->second, level.label);
            });
        };
        return static_cast<std::size_t>(
            std::count_if(plan_.cells.begin(), plan_.cells.end(), is_selected)
        );
    }

    /// Figures of what the result file will not have.
    void expect_drawable() const {
        const auto any_cell = [this](auto has) {
            return std::any_of(plan_.cells.begin(), plan_.cells.end(), has);
        };
        const auto need = [this](bool is_there, const char* what, const char* suggestion) {
            if (!is_there) {
                refuse("kind", fmt::format("the campaign has no {} to draw", what), suggestion);
            }
        };
        if (kind_ == "forest") {
            need(plan_.comparison.has_value(), "comparison", "Add comparison: {factor: …}?");
        } else if (kind_ == "paper") {
            need(!plan_.references.empty(), "value of a paper", "Add reference: FILE.csv?");
        } else if (kind_ == "ecdf") {
            const auto has_sketch = [](const Cell& cell) {
                return !cell.measures->sketches.empty();
            };
            need(any_cell(has_sketch), "sketch", "Add probes: [{response_time: {sketch: true}}]?");
        } else if (kind_ == "bars") {
            const auto has_classes = [](const Cell& cell) {
                return std::any_of(
                    cell.measures->columns.begin(),
                    cell.measures->columns.end(),
                    [](const auto& one) { return one.name.find("[class=") != std::string::npos; }
                );
            };
            need(
                any_cell(has_classes),
                "metric by class",
                "Add probes: [{response_time: {per_class: true}}]?"
            );
        } else if (kind_ == "queue") {
            need(plan_.job_log.replications > 0, "job log", "Add job_log: {replications: 1}?");
        } else if (kind_ == "utilization") {
            need(
                plan_.job_log.replications > 0 && plan_.job_log.utilization_parts > 0,
                "utilization over time",
                "Add job_log: {replications: 1, utilization_parts: 50}?"
            );
        }
        if ((kind_ == "ecdf" || kind_ == "welch" || kind_ == "convergence") && cells() != 1) {
            refuse(
                "kind",
                fmt::format("a figure of kind {} shows one cell (this one has {})", kind_, cells()),
                "Choose it with select: {factor: level}?"
            );
        }
    }

    const Node& node_;
    const Plan& plan_;
    Problems& problems_;
    Names factors_;
    Names words_;
    std::string kind_;
    std::map<std::string, Names> selected_;
};

}  // namespace

std::vector<std::vector<std::string>> read_figures(
    const Node& campaign, const Plan& plan, Problems& problems
) {
    std::vector<Names> figures;
    const Node* list = find_path(campaign, path);
    if (list == nullptr || list->is_null()) {
        return figures;
    }
    expect_kind(*list, Node::Kind::list, path, "Write [{kind: curve}, {kind: forest}]?", problems);
    for (const Node& item : list->items) {
        figures.push_back(Figure(item, plan, problems).words());
    }
    return figures;
}

}  // namespace schedfarm::app
