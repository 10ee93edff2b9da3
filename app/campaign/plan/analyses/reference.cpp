#include "app/campaign/plan/analyses/reference.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "app/campaign/checks/theory.hpp"
#include "app/campaign/grid/labels.hpp"
#include "app/campaign/plan/analyses/csv.hpp"
#include "app/campaign/yaml/merge.hpp"
#include "app/campaign/yaml/numbers.hpp"
#include "app/campaign/yaml/suggestion.hpp"

namespace schedfarm::app {

namespace {

const std::vector<std::string>& value_columns() {
    static const std::vector<std::string> names{
        "metric", "known_label", "value", "runs", "column", "note"};
    return names;
}

/// Matches the rows of one file to the cells of the plan.
class ReferenceReader {
  public:
    ReferenceReader(const std::string& file, const std::vector<Cell>& cells, Problems& problems)
        : file_(file), cells_(cells), problems_(problems) {
        if (!cells.empty()) {
            factors_ = names_of(cells.front().levels, &FactorLevel::factor);
        }
    }

    std::vector<ReferenceValue> read(const std::string& content) {
        const std::vector<CsvRecord> records = read_csv(file_, content);
        if (records.empty() || !take_header(records.front())) {
            return {};
        }
        std::vector<ReferenceValue> values;
        for (std::size_t i = 1; i < records.size(); ++i) {
            if (auto value = read_row(records[i])) {
                values.push_back(std::move(*value));
            }
        }
        return values;
    }

  private:
    void refuse(
        const CsvRecord& record,
        std::size_t field,
        const std::string& reason,
        const std::string& suggestion = {}
    ) {
        problems_.add(
            {file_, record.line, record.columns.at(field)}, "reference", reason, suggestion
        );
    }

    bool take_header(const CsvRecord& header) {
        const std::size_t before = problems_.size();
        std::vector<std::string> known = factors_;
        known.insert(known.end(), value_columns().begin(), value_columns().end());
        const auto is_known = [&known](const std::string& name) {
            return contains(known, name);
        };
        if (std::none_of(header.fields.begin(), header.fields.end(), is_known)) {
            refuse(  // of a file that is something else nothing may be quoted
                header,
                0,
                "this is no table of reference values (its first line names no column of one)",
                "Name a CSV file?"
            );
            return false;
        }
        for (std::size_t i = 0; i < header.fields.size(); ++i) {
            const std::string& name = header.fields[i];
            if (!is_known(name)) {
                refuse(
                    header,
                    i,
                    fmt::format("column '{}' is no factor of the campaign", name),
                    name_suggestion(name, known)
                );
            } else if (!columns_.emplace(name, i).second) {
                refuse(header, i, fmt::format("column '{}' is there twice", name), "Remove one?");
            }
        }
        for (const char* needed : {"metric", "value"}) {
            if (!columns_.contains(needed)) {
                refuse(header, 0, fmt::format("there is no column '{}'", needed), "Add it?");
            }
        }
        width_ = header.fields.size();
        return problems_.size() == before;
    }

    std::string field(const CsvRecord& record, const char* column) const {
        const auto found = columns_.find(column);
        return found == columns_.end() ? "" : record.fields[found->second];
    }

    std::size_t index_of(const char* column) const {
        const auto found = columns_.find(column);
        return found == columns_.end() ? 0 : found->second;
    }

    std::optional<ReferenceValue> read_row(const CsvRecord& record) {
        if (record.fields.size() != width_) {
            refuse(
                record,
                0,
                fmt::format("{} fields, but the header has {}", record.fields.size(), width_),
                "Is a comma missing, or a quote around a label with commas?"
            );
            return std::nullopt;
        }
        const auto cell = find_cell(record);
        const auto rounding = rounding_of(field(record, "value"));
        if (!rounding) {
            refuse(
                record,
                index_of("value"),
                fmt::format("value '{}' is not a number", field(record, "value"))
            );
        }
        const std::string runs = field(record, "runs");
        const auto run_count = runs.empty() ? std::optional<std::int64_t>(0) : parse_integer(runs);
        if (!run_count || *run_count < 0) {
            refuse(
                record, index_of("runs"), fmt::format("runs '{}' is not a number of runs", runs)
            );
        }
        if (!cell || !rounding || !run_count || *run_count < 0) {
            return std::nullopt;
        }
        ReferenceValue value;
        value.cell = *cell;
        value.known_label = field(record, "known_label");
        value.value = *parse_real(field(record, "value"));
        value.rounding = *rounding;
        value.runs = static_cast<std::uint64_t>(*run_count);
        value.column = field(record, "column");
        value.note = field(record, "note");
        return with_metric(std::move(value), record);
    }

    std::optional<std::uint32_t> find_cell(const CsvRecord& record) {
        std::vector<std::uint32_t> found;
        for (const Cell& cell : cells_) {
            if (is_match(cell, record)) {
                found.push_back(cell.index);
            }
        }
        if (found.size() == 1) {
            return found.front();
        }
        if (found.empty()) {
            refuse_unmatched(record);
        } else {
            std::vector<std::string> open;
            for (const std::string& factor : factors_) {
                if (!columns_.contains(factor)) {
                    open.push_back(factor);
                }
            }
            refuse(
                record,
                0,
                fmt::format(
                    "this row fits {} cells ({} and {}, …)", found.size(), found[0], found[1]
                ),
                "Add a column for " + joined(open, " or ") + "?"
            );
        }
        return std::nullopt;
    }

    bool is_match(const Cell& cell, const CsvRecord& record) const {
        return std::all_of(cell.levels.begin(), cell.levels.end(), [&](const FactorLevel& level) {
            const auto column = columns_.find(level.factor);
            return column == columns_.end() || is_level(level, record.fields[column->second]);
        });
    }

    /// Points at the first factor that has no such level, else at the row.
    void refuse_unmatched(const CsvRecord& record) {
        for (std::size_t i = 0; i < factors_.size(); ++i) {
            const auto column = columns_.find(factors_[i]);
            if (column == columns_.end()) {
                continue;
            }
            const std::string& text = record.fields[column->second];
            std::vector<std::string> labels;
            bool has_level = false;
            for (const Cell& cell : cells_) {
                has_level = has_level || is_level(cell.levels[i], text);
                if (!contains(labels, cell.levels[i].label)) {
                    labels.push_back(cell.levels[i].label);
                }
            }
            if (!has_level) {
                refuse(
                    record,
                    column->second,
                    fmt::format("factor '{}' has no level '{}'", factors_[i], text),
                    name_suggestion(text, labels)
                );
                return;
            }
        }
        refuse(record, 0, "no cell has these levels");
    }

    std::optional<ReferenceValue> with_metric(ReferenceValue value, const CsvRecord& record) {
        const Cell& cell = cells_[value.cell];
        const std::string metric = field(record, "metric");
        value.metric = resolve_metric(metric, cell.measures->columns).value_or(metric);
        std::vector<std::string> names;
        if (!value.known_label.empty()) {
            for (const engine::KnownValue& known : cell.known_values) {
                if (known.metric == value.metric && known.label == value.known_label) {
                    return value;
                }
                names.push_back(known.label);
            }
            refuse(
                record,
                index_of("known_label"),
                fmt::format(
                    "theory gives no '{}' for '{}' in cell {}",
                    value.known_label,
                    value.metric,
                    cell.index
                ),
                name_suggestion(value.known_label, names)
            );
            return std::nullopt;
        }
        for (const engine::ObservationColumn& column : cell.measures->columns) {
            if (column.name == value.metric) {
                return value;
            }
            names.push_back(column.name);
        }
        refuse(
            record,
            index_of("metric"),
            fmt::format("metric '{}' is not observed in cell {}", metric, cell.index),
            name_suggestion(metric, names)
        );
        return std::nullopt;
    }

    const std::string& file_;
    const std::vector<Cell>& cells_;
    Problems& problems_;
    std::vector<std::string> factors_;
    std::map<std::string, std::size_t> columns_;
    std::size_t width_ = 0;
};

}  // namespace

std::optional<double> rounding_of(const std::string& printed) {
    if (!parse_real(printed)) {
        return std::nullopt;
    }
    const std::size_t exponent_at = printed.find_first_of("eE");
    const std::string mantissa = printed.substr(0, exponent_at);
    const std::size_t point = mantissa.find('.');
    const auto decimals =
        point == std::string::npos ? 0 : static_cast<std::int64_t>(mantissa.size() - point - 1);
    std::int64_t exponent = 0;
    if (exponent_at != std::string::npos) {
        exponent = parse_integer(printed.substr(exponent_at + 1)).value_or(0);
    }
    return parse_real(fmt::format("5e{}", exponent - decimals - 1));
}

std::vector<ReferenceValue> read_references(
    const Node& campaign,
    const CampaignSource& source,
    const std::vector<Cell>& cells,
    Problems& problems
) {
    const Node* reference = campaign.find("reference");
    if (reference == nullptr) {
        return {};
    }
    if (!reference->is_scalar()) {
        problems.add(
            reference->at,
            "reference",
            "'reference' must be the name of a CSV file",
            "Write 'reference: values.csv'?"
        );
        return {};
    }
    const std::string name = referred_name(reference->at.file, reference->scalar);
    const auto file = source.files.find(name);
    if (file == source.files.end()) {
        problems.add(reference->at, "reference", name + " is not among the campaign's files");
        return {};
    }
    return ReferenceReader(name, cells, problems).read(file->second);
}

}  // namespace schedfarm::app
