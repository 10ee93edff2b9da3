#include "app/simulate/tasks/task_table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/simulate/tasks/table_file.hpp"

namespace schedfarm::app {

namespace {

constexpr std::size_t first_time = 2;  // the columns before: task, weight

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
    TableFile table(file, content, "task", "task,weight,p1,p2,...");
    std::vector<std::string> names{"task", "weight"};
    for (std::size_t c = first_time; c < table.header().fields.size(); ++c) {
        names.push_back(fmt::format("p{}", c - first_time + 1));
    }
    if (names.size() == first_time) {
        table.refuse(
            table.header(),
            0,
            "there is no column of times (tasks could not run)",
            "Write task,weight,p1,p2,... as the first line?"
        );
    }
    table.expect_columns(names);
    TaskTable tasks;
    tasks.file = file;
    tasks.processors = static_cast<std::uint32_t>(names.size() - first_time);
    for (const CsvRecord& record : table.rows()) {
        tasks.names.push_back(table.name_in(record));
        tasks.weights.push_back(table.number_in(record, 1));
        if (tasks.weights.back() < 0) {
            table.refuse(
                record, 1, "the weight is negative (late would be good)", "A weight of at least 0?"
            );
        }
        std::vector<double>& times = tasks.times.emplace_back();
        for (std::size_t c = first_time; c < names.size(); ++c) {
            times.push_back(table.number_in(record, c));
            if (times.back() <= 0) {
                table.refuse(
                    record,
                    c,
                    fmt::format(
                        "the time {} is not positive (every task takes time)", record.fields[c]
                    ),
                    "A time above 0?"
                );
            }
        }
    }
    return tasks;
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
