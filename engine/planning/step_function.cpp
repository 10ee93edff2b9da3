#include "engine/planning/step_function.hpp"

#include <algorithm>

#include "engine/foundation/vector_clones.hpp"

namespace schedfarm::engine {

namespace {

SCHEDFARM_VECTOR_CLONES
std::size_t count_at_or_before(const double* times, std::size_t count, double limit) {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        found += times[i] <= limit ? 1U : 0U;
    }
    return found;
}

std::ptrdiff_t offset(std::size_t i) {
    return static_cast<std::ptrdiff_t>(i);
}

}  // namespace

void StepFunction::reset(std::int32_t value) {
    is_tree_ = false;
    times_.assign(1, -never);
    values_.assign(1, value);
}

// Most questions are about what is next.
std::size_t StepFunction::stretch_at(double time) const {
    if (times_.size() < 2 || times_[1] > time) {
        return 0;
    }
    const std::size_t begun = count_at_or_before(times_.data(), times_.size(), time);
    return begun > 0 ? begun - 1 : 0;
}

std::int32_t StepFunction::at(double time) const {
    return is_tree_ ? tree_.at(time) : values_[stretch_at(time)];
}

void StepFunction::add(double begin, double end, std::int32_t amount) {
    if (is_tree_) {
        tree_.add(begin, end, amount);
        if (tree_.stretches() < few_in_tree) {
            move_to_arrays();
        }
        return;
    }
    add_to_arrays(begin, end, amount);
    if (times_.size() > most_in_arrays) {
        move_to_tree();
    }
}

// Lets a stretch begin at `time`, with the value that the function has there, and returns it.
std::size_t StepFunction::begin_stretch(double time) {
    const std::size_t before = stretch_at(time);
    if (times_[before] == time) {
        return before;
    }
    times_.insert(times_.begin() + offset(before + 1), time);
    values_.insert(values_.begin() + offset(before + 1), values_[before]);
    return before + 1;
}

void StepFunction::erase(std::size_t stretch) {
    times_.erase(times_.begin() + offset(stretch));
    values_.erase(values_.begin() + offset(stretch));
}

void StepFunction::add_to_arrays(double begin, double end, std::int32_t amount) {
    const std::size_t first = begin_stretch(begin);
    const std::size_t behind = end < never ? begin_stretch(end) : times_.size();
    for (std::size_t i = first; i < behind; ++i) {
        values_[i] += amount;
    }
    if (behind < times_.size() && values_[behind] == values_[behind - 1]) {
        erase(behind);
    }
    if (first > 0 && values_[first] == values_[first - 1]) {
        erase(first);
    }
}

void StepFunction::forget_before(double time) {
    if (is_tree_) {
        tree_.forget_before(time);
        return;
    }
    const std::size_t forgotten = stretch_at(time);
    times_.erase(times_.begin(), times_.begin() + offset(forgotten));
    values_.erase(values_.begin(), values_.begin() + offset(forgotten));
}

void StepFunction::move_to_tree() {
    tree_.reset(values_[0]);
    for (std::size_t i = 1; i < times_.size(); ++i) {
        tree_.add(times_[i], never, values_[i] - values_[i - 1]);
    }
    is_tree_ = true;
}

void StepFunction::move_to_arrays() {
    times_.clear();
    values_.clear();
    tree_.walk(-never, [this](double time, std::int32_t least, std::int32_t most) {
        if (least < most) {
            return Walk::into;
        }
        times_.push_back(time);
        values_.push_back(least);
        return Walk::on;
    });
    is_tree_ = false;
}

}  // namespace schedfarm::engine
