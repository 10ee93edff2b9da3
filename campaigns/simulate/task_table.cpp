#include "campaigns/simulate/task_table.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "campaigns/config/config_error.hpp"
#include "campaigns/config/numbers.hpp"
#include "campaigns/plan/csv.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 28;
constexpr std::size_t first_time = 2;  // the columns before: task, weight
constexpr std::size_t longest_shown = 40;

const char* const header_suggestion = "Write task,weight,p1,p2,... as the first line?";

std::string shown(const std::string& field) {
    return field.size() <= longest_shown ? "'" + field + "'"
                                         : "'" + field.substr(0, longest_shown) + "...'";
}

std::string expected_column(std::size_t column) {
    constexpr std::array<const char*, first_time> names{"task", "weight"};
    return column < first_time ? names.at(column) : fmt::format("p{}", column - first_time + 1);
}

class TableReader {
  public:
    explicit TableReader(const std::string& file) { table_.file = file; }

    TaskTable read(const std::string& content) {
        const std::vector<CsvRecord> records = read_csv(table_.file, content);
        if (records.empty()) {
            throw_problem(
                {table_.file, 1, 1}, "there is no header (the file is empty)", header_suggestion
            );
        }
        read_header(records.front());
        if (records.size() == 1) {
            throw_problem(
                {table_.file, records.front().line, 1},
                "no task follows the header (there is nothing to schedule)",
                "A line per task?"
            );
        }
        for (const CsvRecord& record : std::span(records).subspan(1)) {
            read_task(record);
        }
        return std::move(table_);
    }

  private:
    SourcePosition at(const CsvRecord& record, std::size_t column) const {
        return {table_.file, record.line, record.columns[column]};
    }

    void read_header(const CsvRecord& header) {
        for (std::size_t c = 0; c < header.fields.size(); ++c) {
            if (header.fields[c] != expected_column(c)) {
                throw_problem(
                    at(header, c),
                    fmt::format(
                        "column {} is called {}, not '{}' (columns have fixed names and places)",
                        c + 1,
                        shown(header.fields[c]),
                        expected_column(c)
                    ),
                    header_suggestion
                );
            }
        }
        if (header.fields.size() <= first_time) {
            throw_problem(
                at(header, 0),
                "there is no column of times (tasks could not run)",
                header_suggestion
            );
        }
        table_.processors = static_cast<std::uint32_t>(header.fields.size() - first_time);
    }

    void read_task(const CsvRecord& record) {
        const std::size_t columns = table_.processors + first_time;
        if (record.fields.size() != columns) {
            throw_problem(
                {table_.file, record.line, 1},
                fmt::format(
                    "{} fields where the header has {} (every task needs a time on every number of "
                    "processors)",
                    record.fields.size(),
                    columns
                ),
                "As many fields as columns?"
            );
        }
        read_name(record);
        table_.weights.push_back(number(record, 1));
        if (table_.weights.back() < 0) {
            throw_problem(
                at(record, 1),
                "the weight is negative (late would be good)",
                "A weight of at least 0?"
            );
        }
        std::vector<double>& times = table_.times.emplace_back();
        for (std::size_t c = first_time; c < columns; ++c) {
            times.push_back(number(record, c));
            if (times.back() <= 0) {
                throw_problem(
                    at(record, c),
                    fmt::format(
                        "the time {} is not positive (every task takes time)", record.fields[c]
                    ),
                    "A time above 0?"
                );
            }
        }
    }

    void read_name(const CsvRecord& record) {
        const std::string& name = record.fields[0];
        if (name.empty()) {
            throw_problem(
                at(record, 0), "the task has no name (the schedule could not name it)", "A name?"
            );
        }
        if (!names_.insert(name).second) {
            throw_problem(
                at(record, 0),
                fmt::format("a second task {} (names tell tasks apart)", shown(name)),
                "Another name?"
            );
        }
        table_.names.push_back(name);
    }

    double number(const CsvRecord& record, std::size_t column) const {
        const auto value = parse_real(record.fields[column]);
        if (!value) {
            throw_problem(
                at(record, column),
                fmt::format(
                    "{} is no finite number ({} must be one)",
                    shown(record.fields[column]),
                    expected_column(column)
                ),
                "A decimal number such as 2.5?"
            );
        }
        return *value;
    }

    TaskTable table_;
    std::set<std::string> names_;
};

class TaskWorkload final : public engine::WorkloadModel {
  public:
    TaskWorkload(std::shared_ptr<const TaskTable> table, std::uint32_t processors)
        : table_(std::move(table)) {
        traits_.max_size = 1;
        for (const std::vector<double>& times : table_->times) {
            times_.push_back({std::span(times).first(processors)});
        }
    }

    const engine::WorkloadTraits& traits() const override { return traits_; }

    void next(engine::JobBlock& block) override {
        block = {};
        block.first_index = next_;
        block.count = std::min(engine::JobBlock::capacity, times_.size() - next_);
        for (std::size_t i = 0; i < block.count; ++i, ++next_) {
            block.submit_time.push_back(0);
            block.service_time.push_back(times_[next_].times.front());
            block.size.push_back(1);
            block.components.push_back(1);
            block.weight.push_back(table_->weights[next_]);
            block.moldable.push_back(&times_[next_]);
        }
    }

  private:
    std::shared_ptr<const TaskTable> table_;
    std::vector<engine::MoldableTimes> times_;
    engine::WorkloadTraits traits_;
    std::size_t next_ = 0;
};

}  // namespace

TaskTable read_task_table(const std::string& file, const std::string& content) {
    return TableReader(file).read(content);
}

TaskTable open_task_table(const std::string& file) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::exists(file, error)) {
        throw_problem({.file = file}, "there is no such file", "Another name?");
    }
    if (!fs::is_regular_file(file, error)) {
        throw_problem({.file = file}, "this is not a regular file", "A CSV file?");
    }
    if (fs::file_size(file, error) > largest_file) {
        throw_problem({.file = file}, "the file is larger than 256 MiB", "Fewer tasks?");
    }
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream) {
        throw_problem(
            {.file = file}, "the file cannot be read", "Is it empty, or reading not allowed?"
        );
    }
    return read_task_table(file, text.str());
}

std::unique_ptr<engine::WorkloadModel> make_task_workload(
    std::shared_ptr<const TaskTable> table, std::uint32_t processors
) {
    return std::make_unique<TaskWorkload>(std::move(table), processors);
}

}  // namespace schedfarm::campaigns
