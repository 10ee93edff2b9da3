#include "engine/optimization/shelf_schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>

namespace schedfarm::engine {

namespace {

struct ShelvedTask {
    std::uint32_t task = 0;
    std::uint32_t processors = 1;
    double time = 0;
};

/// Processors that run a task, and on the first of them another one after it.
struct Column {
    ShelvedTask task;
    std::optional<ShelvedTask> next = std::nullopt;
};

std::uint32_t width_of(const std::vector<ShelvedTask>& tasks) {
    std::uint32_t result = 0;
    for (const ShelvedTask& task : tasks) {
        result += task.processors;
    }
    return result;
}

/// The three places of big tasks while they move.
class Shelves {
  public:
    Shelves(const MoldableInstance& instance, double lambda, std::span<const ShelfTask> partition);

    /// Moves tasks until none can.
    void settle();
    bool fit() const { return width_kept() + width_of(second_) <= instance_.processors(); }

    const std::vector<Column>& apart() const { return apart_; }
    const std::optional<Column>& border() const { return border_; }
    /// Processors that the second shelf cannot have.
    std::uint32_t width_kept() const { return apart_width_ + (border_ ? 1 : 0); }
    const std::vector<ShelvedTask>& first() const { return first_; }
    const std::vector<ShelvedTask>& second() const { return second_; }

  private:
    bool is_short(const ShelvedTask& task) const { return task.time <= 0.75 * lambda_; }
    ShelvedTask on(std::uint32_t task, std::uint32_t processors) const;
    void narrow_first();
    void stack_first();
    void stack_last(const ShelvedTask& last);
    bool move_second();
    void put_apart(Column column);

    const MoldableInstance& instance_;
    double lambda_;
    std::vector<Column> apart_;     // for the whole of 3/2 λ
    std::optional<Column> border_;  // of which this is true of the first processor only
    std::vector<ShelvedTask> first_;
    std::vector<ShelvedTask> second_;
    std::uint32_t apart_width_ = 0;
};

Shelves::Shelves(
    const MoldableInstance& instance, double lambda, std::span<const ShelfTask> partition
)
    : instance_(instance), lambda_(lambda) {
    for (std::uint32_t i = 0; i < partition.size(); ++i) {
        if (partition[i].shelf == Shelf::first) {
            first_.push_back(on(i, partition[i].processors));
        } else if (partition[i].shelf == Shelf::second) {
            second_.push_back(on(i, partition[i].processors));
        }
    }
}

ShelvedTask Shelves::on(std::uint32_t task, std::uint32_t processors) const {
    return {task, processors, instance_.time(task, processors)};
}

void Shelves::settle() {
    do {
        narrow_first();
        stack_first();
    } while (move_second());
}

void Shelves::put_apart(Column column) {
    apart_width_ += column.task.processors;
    apart_.push_back(column);
}

void Shelves::narrow_first() {
    std::erase_if(first_, [this](const ShelvedTask& task) {
        const bool moves = task.processors > 1 && is_short(task);
        if (moves) {
            put_apart({on(task.task, task.processors - 1)});
        }
        return moves;
    });
}

void Shelves::stack_first() {
    if (border_) {
        first_.push_back(border_->task);
        first_.push_back(*border_->next);
        border_.reset();
    }
    std::optional<ShelvedTask> waiting;
    std::erase_if(first_, [&](const ShelvedTask& task) {
        const bool moves = task.processors == 1 && is_short(task);
        if (moves && waiting) {
            put_apart({*waiting, task});
            waiting.reset();
        } else if (moves) {
            waiting = task;
        }
        return moves;
    });
    if (waiting) {
        stack_last(*waiting);
    }
}

void Shelves::stack_last(const ShelvedTask& last) {
    const auto shortest = std::min_element(
        first_.begin(),
        first_.end(),
        [](const ShelvedTask& a, const ShelvedTask& b) { return a.time < b.time; }
    );
    if (shortest != first_.end() && shortest->time + last.time <= 1.5 * lambda_) {
        border_ = Column{*shortest, last};
        first_.erase(shortest);
    } else {
        first_.push_back(last);
    }
}

/// Moves one task, if any can.
bool Shelves::move_second() {
    const std::uint32_t border = border_ ? border_->task.processors : 0;
    const std::uint32_t idle = instance_.processors() - apart_width_ - border - width_of(first_);
    for (auto candidate = second_.begin(); candidate != second_.end(); ++candidate) {
        const std::uint32_t task = candidate->task;
        const std::uint32_t processors = instance_.least_processors(task, 1.5 * lambda_);
        if (processors <= idle) {
            const ShelvedTask moved = on(task, processors);
            if (moved.time <= lambda_) {
                first_.push_back(moved);
            } else {
                put_apart({moved});
            }
            second_.erase(candidate);
            return true;
        }
    }
    return false;
}

/// Gives processors and instants.
class Layout {
  public:
    Layout(const MoldableInstance& instance, const Shelves& shelves);

    void place_small(std::span<const ShelfTask> partition);
    void place_second();
    std::vector<PlacedTask> take() { return std::move(placed_); }

  private:
    void place(const ShelvedTask& task, std::uint32_t processor, double start);

    const MoldableInstance& instance_;
    const Shelves& shelves_;
    std::vector<PlacedTask> placed_;
    std::vector<double> end_;    // by processor, of what is placed
    std::vector<double> later_;  // by processor, the time of its task of the second shelf
};

Layout::Layout(const MoldableInstance& instance, const Shelves& shelves)
    : instance_(instance)
    , shelves_(shelves)
    , placed_(instance.size())
    , end_(instance.processors(), 0)
    , later_(instance.processors(), 0) {
    std::uint32_t processor = 0;
    const auto place_column = [&](const Column& column) {
        place(column.task, processor, 0);
        if (column.next) {
            place(*column.next, processor, column.task.time);
        }
        processor += column.task.processors;
    };
    std::for_each(shelves.apart().begin(), shelves.apart().end(), place_column);
    if (shelves.border()) {
        place_column(*shelves.border());
    }
    for (const ShelvedTask& task : shelves.first()) {
        place(task, processor, 0);
        processor += task.processors;
    }
    std::uint32_t above = shelves.width_kept();
    for (const ShelvedTask& task : shelves.second()) {
        std::fill_n(later_.begin() + above, task.processors, task.time);
        above += task.processors;
    }
}

void Layout::place(const ShelvedTask& task, std::uint32_t processor, double start) {
    placed_[task.task] = {start, start + task.time, processor, task.processors};
    std::fill_n(end_.begin() + processor, task.processors, start + task.time);
}

void Layout::place_small(std::span<const ShelfTask> partition) {
    std::vector<ShelvedTask> small;
    for (std::uint32_t i = 0; i < partition.size(); ++i) {
        if (partition[i].shelf == Shelf::small) {
            small.push_back({i, 1, instance_.time(i, 1)});
        }
    }
    std::stable_sort(small.begin(), small.end(), [](const ShelvedTask& a, const ShelvedTask& b) {
        return a.time > b.time;
    });
    using Load = std::pair<double, std::uint32_t>;
    std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
    for (std::uint32_t p = 0; p < instance_.processors(); ++p) {
        loads.emplace(end_[p] + later_[p], p);
    }
    for (const ShelvedTask& task : small) {
        const auto [load, processor] = loads.top();
        loads.pop();
        place(task, processor, end_[processor]);
        loads.emplace(load + task.time, processor);
    }
}

void Layout::place_second() {
    std::uint32_t processor = shelves_.width_kept();
    for (const ShelvedTask& task : shelves_.second()) {
        const auto begin = end_.begin() + processor;
        place(task, processor, *std::max_element(begin, begin + task.processors));
        processor += task.processors;
    }
}

}  // namespace

std::optional<std::vector<PlacedTask>> shelf_schedule(
    const MoldableInstance& instance, double lambda, std::span<const ShelfTask> shelves
) {
    Shelves moved(instance, lambda, shelves);
    moved.settle();
    if (!moved.fit()) {
        return std::nullopt;
    }
    Layout layout(instance, moved);
    layout.place_small(shelves);
    layout.place_second();
    return layout.take();
}

}  // namespace schedfarm::engine
