#include "app/simulate/tasks/task_table.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "app/simulate/tasks/table_file.hpp"

namespace schedfarm::app {

namespace {

constexpr std::size_t first_time = 2;  // the columns before: task, weight

const char* const header_suggestion = "Write task,weight,p1,p2,... as the first line?";

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
        return position_of(table_.file, record, column);
    }

    void read_header(const CsvRecord& header) {
        std::vector<std::string> names;
        for (std::size_t c = 0; c < header.fields.size(); ++c) {
            names.push_back(expected_column(c));
        }
        expect_columns(table_.file, header, names, header_suggestion);
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
                fmt::format("a second task {} (names tell tasks apart)", shown_field(name)),
                "Another name?"
            );
        }
        table_.names.push_back(name);
    }

    double number(const CsvRecord& record, std::size_t column) const {
        return number_in(table_.file, record, column, expected_column(column));
    }

    TaskTable table_;
    std::set<std::string> names_;
};

class TaskWorkload final : public engine::WorkloadModel {
  public:
    TaskWorkload(std::shared_ptr<const TaskTable> table, std::uint32_t processors)
        : table_(std::move(table)) {
        traits_.max_size = 1;
        traits_.has_fixed_starts = !table_->reservations.empty();
        for (const std::vector<double>& times : table_->times) {
            times_.push_back({std::span(times).first(processors)});
        }
        for (const Reservation& reservation : table_->reservations) {
            traits_.max_size = std::max(traits_.max_size, reservation.processors);
        }
    }

    const engine::WorkloadTraits& traits() const override { return traits_; }

    void next(engine::JobBlock& block) override {
        block = {};
        block.first_index = next_;
        const std::size_t jobs = times_.size() + table_->reservations.size();
        block.count = std::min(engine::JobBlock::capacity, jobs - next_);
        for (std::size_t i = 0; i < block.count; ++i, ++next_) {
            block.submit_time.push_back(0);
            if (next_ < times_.size()) {
                add_task(block);
            } else {
                add_reservation(table_->reservations[next_ - times_.size()], block);
            }
            block.components.push_back(block.size.back());
        }
    }

  private:
    void add_task(engine::JobBlock& block) const {
        block.service_time.push_back(times_[next_].times.front());
        block.size.push_back(1);
        block.weight.push_back(table_->weights[next_]);
        block.moldable.push_back(&times_[next_]);
        block.fixed_start.push_back(engine::no_fixed_start);
    }

    static void add_reservation(const Reservation& reservation, engine::JobBlock& block) {
        block.service_time.push_back(reservation.time());
        block.size.push_back(reservation.processors);
        block.weight.push_back(0);
        block.moldable.push_back(nullptr);
        block.fixed_start.push_back(reservation.start);
    }

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
    return read_task_table(file, table_text(file));
}

std::unique_ptr<engine::WorkloadModel> make_task_workload(
    std::shared_ptr<const TaskTable> table, std::uint32_t processors
) {
    return std::make_unique<TaskWorkload>(std::move(table), processors);
}

}  // namespace schedfarm::app
