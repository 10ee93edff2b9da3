#include "engine/planning/step_function.hpp"

#include <algorithm>

namespace schedfarm::engine {

void StepFunction::reset(std::int32_t value) {
    is_tree_ = false;
    arrays_.reset(value);
}

void StepFunction::add(double begin, double end, std::int32_t amount) {
    if (is_tree_) {
        tree_.add(begin, end, amount);
        if (tree_.stretches() < few_in_tree) {
            move_to_arrays();
        }
        return;
    }
    arrays_.add(begin, end, amount);
    if (arrays_.stretches() > StepArrays::most_steps) {
        move_to_tree();
    }
}

// In one go if its steps are four, and few.
void StepFunction::move_ahead(const StepMove& move, std::int32_t amount) {
    if (is_tree_ || move.end == move.old_begin || move.end == move.old_end) {
        add(move.old_begin, move.old_end, -amount);
        add(move.begin, move.end, amount);
        return;
    }
    arrays_.move_ahead(move, amount);
    if (arrays_.stretches() > StepArrays::most_steps) {
        move_to_tree();
    }
}

FoundWindow StepFunction::first_of(const StepWindows& wanted, std::size_t first) const {
    if (!is_tree_) {
        return arrays_.first_of(wanted, first);
    }
    for (std::size_t i = first; i < wanted.size(); ++i) {
        const StepWindow one = wanted[i];
        const double begin = one.is_there_time() ? tree_.first_window(one) : never;
        if (begin < never) {
            return {i, begin};
        }
    }
    return {};
}

void StepFunction::copy_to(TrialProfile& trial, double from) const {
    if (!is_tree_) {
        arrays_.copy_to(trial, from);
        return;
    }
    trial.clear();
    tree_.walk(from, [&](double time, std::int32_t least, std::int32_t most) {
        if (least < most) {
            return StepWalk::into;
        }
        trial.append(std::max(time, from), least);
        return StepWalk::on;
    });
}

void StepFunction::forget_before(double time) {
    if (is_tree_) {
        tree_.forget_before(time);
    } else {
        arrays_.forget_before(time);
    }
}

void StepFunction::move_to_tree() {
    bool is_first = true;
    std::int32_t last = 0;
    arrays_.walk(-never, [&](double time, std::int32_t value, std::int32_t /*same*/) {
        if (is_first) {
            tree_.reset(value);
        } else {
            tree_.add(time, never, value - last);
        }
        is_first = false;
        last = value;
        return StepWalk::on;
    });
    is_tree_ = true;
}

void StepFunction::move_to_arrays() {
    bool is_first = true;
    tree_.walk(-never, [&](double time, std::int32_t least, std::int32_t most) {
        if (least < most) {
            return StepWalk::into;
        }
        if (is_first) {
            arrays_.reset(least);
        } else {
            arrays_.append(time, least);
        }
        is_first = false;
        return StepWalk::on;
    });
    is_tree_ = false;
}

}  // namespace schedfarm::engine
