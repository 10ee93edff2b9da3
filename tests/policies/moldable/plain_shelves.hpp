// The two shelves of Mounié, Rapine & Trystram (2007) built once more, plainly: columns of tasks on
// processors of their own. What the paper leaves open: tasks come by number, and those that join a
// shelf join its end; of shortest tasks the first counts; the second shelf fills the last columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tests/policies/moldable/plain_moldable.hpp"

namespace schedfarm::tests {

class PlainShelves {
  public:
    PlainShelves(const PlainMoldable& problem, std::uint32_t machine)
        : tasks_(problem.tasks())
        , machine_(machine)
        , lambda_(problem.lambda())
        , places_(*problem.partition(lambda_)) {
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            if (places_[i].shelf != PlainShelf::none) {
                (places_[i].shelf == PlainShelf::first ? first_ : second_)
                    .push_back({i, places_[i].processors});
            }
        }
    }

    /// From 0 on.
    std::vector<PlainStart> schedule() {
        do {
            narrow();
            pair_up();
        } while (bring_down());
        return lay_out();
    }

  private:
    struct Piece {
        std::size_t task = 0;
        std::uint32_t processors = 1;
    };
    /// One after the other; the first is the widest.
    using Column = std::vector<Piece>;

    double time(const Piece& piece) const { return tasks_[piece.task].time(piece.processors); }
    bool is_short(const Piece& piece) const { return time(piece) <= 0.75 * lambda_; }

    static std::uint32_t width(const std::vector<Column>& columns) {
        std::uint32_t sum = 0;
        for (const Column& column : columns) {
            sum += column[0].processors;
        }
        return sum;
    }
    static std::uint32_t width(const std::vector<Piece>& shelf) {
        std::uint32_t sum = 0;
        for (const Piece& piece : shelf) {
            sum += piece.processors;
        }
        return sum;
    }

    /// Short ones of the first shelf give a processor away and stand apart.
    void narrow() {
        std::vector<Piece> kept;
        for (const Piece& piece : first_) {
            if (is_short(piece) && piece.processors > 1) {
                apart_.push_back({{piece.task, piece.processors - 1}});
            } else {
                kept.push_back(piece);
            }
        }
        first_ = kept;
    }

    /// Short ones on one processor stand apart two by two; an odd one behind the shortest other.
    void pair_up() {
        if (!shared_.empty()) {
            first_.insert(first_.end(), shared_[0].begin(), shared_[0].end());
            shared_.clear();
        }
        std::vector<Piece> kept;
        std::vector<Piece> singles;
        for (const Piece& piece : first_) {
            (is_short(piece) && piece.processors == 1 ? singles : kept).push_back(piece);
        }
        first_ = kept;
        for (std::size_t i = 0; i + 1 < singles.size(); i += 2) {
            apart_.push_back({singles[i], singles[i + 1]});
        }
        if (singles.size() % 2 == 0) {
            return;
        }
        std::size_t shortest = 0;
        for (std::size_t i = 1; i < first_.size(); ++i) {
            shortest = time(first_[i]) < time(first_[shortest]) ? i : shortest;
        }
        if (!first_.empty() && time(first_[shortest]) + time(singles.back()) <= 1.5 * lambda_) {
            shared_.push_back({first_[shortest], singles.back()});
            first_.erase(first_.begin() + static_cast<std::ptrdiff_t>(shortest));
        } else {
            first_.push_back(singles.back());
        }
    }

    /// One task of the second shelf that ends by 3/2 lambda on processors that are idle below.
    bool bring_down() {
        const std::uint32_t idle = machine_ - width(apart_) - width(shared_) - width(first_);
        for (std::size_t i = 0; i < second_.size(); ++i) {
            const Piece piece{second_[i].task, tasks_[second_[i].task].gamma(1.5 * lambda_)};
            if (piece.processors > idle) {
                continue;
            }
            if (time(piece) <= lambda_) {
                first_.push_back(piece);
            } else {
                apart_.push_back({piece});
            }
            second_.erase(second_.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
        return false;
    }

    /// Columns from the first processor on. The second shelf may stand on all of a shared column
    /// but its first processor. Short tasks, the longest first, fill what has least to do, and the
    /// second shelf starts when everything below it has ended.
    std::vector<PlainStart> lay_out() {
        std::vector<Column> columns = apart_;
        columns.insert(columns.end(), shared_.begin(), shared_.end());
        for (const Piece& piece : first_) {
            columns.push_back({piece});
        }
        std::vector<PlainStart> starts(tasks_.size());
        std::vector<double> below(machine_, 0);
        std::uint32_t processor = 0;
        for (const Column& column : columns) {
            double at = 0;
            for (const Piece& piece : column) {
                starts[piece.task] = {at, piece.processors};
                at += time(piece);
                std::fill_n(below.begin() + processor, piece.processors, at);
            }
            processor += column[0].processors;
        }
        const auto begin = static_cast<std::uint32_t>(width(apart_) + shared_.size());
        if (begin + width(second_) > machine_) {
            throw std::logic_error("the second shelf has no room");
        }
        std::vector<double> load = below;
        processor = begin;
        for (const Piece& piece : second_) {
            for (std::uint32_t p = processor; p < processor + piece.processors; ++p) {
                load[p] += time(piece);
            }
            processor += piece.processors;
        }
        fill_with_small(below, load, starts);
        processor = begin;
        for (const Piece& piece : second_) {
            const auto from = below.begin() + processor;
            starts[piece.task] = {
                *std::max_element(from, from + piece.processors), piece.processors};
            processor += piece.processors;
        }
        return starts;
    }

    void fill_with_small(
        std::vector<double>& below, std::vector<double>& load, std::vector<PlainStart>& starts
    ) const {
        std::vector<std::size_t> small;
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            if (places_[i].shelf == PlainShelf::none) {
                small.push_back(i);
            }
        }
        std::stable_sort(small.begin(), small.end(), [this](std::size_t a, std::size_t b) {
            return tasks_[a].time(1) > tasks_[b].time(1);
        });
        for (const std::size_t task : small) {
            const auto least = std::min_element(load.begin(), load.end()) - load.begin();
            const auto p = static_cast<std::size_t>(least);
            starts[task] = {below[p], 1};
            below[p] += tasks_[task].time(1);
            load[p] += tasks_[task].time(1);
        }
    }

    const std::vector<PlainTask>& tasks_;
    std::uint32_t machine_;
    double lambda_;
    std::vector<PlainPlace> places_;
    std::vector<Column> apart_;
    std::vector<Column> shared_;  // none or one
    std::vector<Piece> first_;
    std::vector<Piece> second_;
};

}  // namespace schedfarm::tests
