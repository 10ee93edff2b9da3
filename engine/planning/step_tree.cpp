#include "engine/planning/step_tree.hpp"

#include <algorithm>

namespace schedfarm::engine {

int StepTree::Node::last_before(double at) const {
    int found = -1;
    for (std::uint32_t i = 0; i < fan_out; ++i) {
        found += time[i] < at ? 1 : 0;
    }
    return found;
}

void StepTree::Node::insert_gap(std::uint32_t i, Kind kind) {
    const auto shift = [this, i](auto& column) {
        std::copy_backward(column.begin() + i, column.begin() + count, column.begin() + count + 1);
    };
    shift(time);
    shift(low);
    shift(high);
    if (kind == Kind::inner) {
        shift(added);
        shift(child);
    }
    ++count;
}

void StepTree::Node::remove(std::uint32_t i, Kind kind) {
    const auto shift = [this, i](auto& column) {
        std::copy(column.begin() + i + 1, column.begin() + count, column.begin() + i);
    };
    shift(time);
    shift(low);
    shift(high);
    if (kind == Kind::inner) {
        shift(added);
        shift(child);
    }
    --count;
    time[count] = never;
    low[count] = std::numeric_limits<std::int32_t>::max();
    high[count] = std::numeric_limits<std::int32_t>::min();
}

// Of the entries beyond the end nothing must show in a search or among the extremes.
void StepTree::Node::clear_from(std::uint32_t i) {
    std::fill(time.begin() + i, time.end(), never);
    std::fill(low.begin() + i, low.end(), std::numeric_limits<std::int32_t>::max());
    std::fill(high.begin() + i, high.end(), std::numeric_limits<std::int32_t>::min());
}

void StepTree::Node::add_to(std::uint32_t i, std::int32_t amount) {
    low[i] += amount;
    high[i] += amount;
    added[i] += amount;
}

StepTree::StepTree(std::int32_t value) {
    reset(value);
}

void StepTree::reset(std::int32_t value) {
    nodes_.clear();
    unused_.clear();
    root_ = new_node();
    height_ = 0;
    stretches_ = 1;
    Node& root = nodes_[root_];
    root.count = 1;
    root.time[0] = -never;
    root.low[0] = value;
    root.high[0] = value;
}

std::uint32_t StepTree::new_node() {
    if (unused_.empty()) {
        unused_.push_back(static_cast<std::uint32_t>(nodes_.size()));
        nodes_.emplace_back();
    }
    const std::uint32_t made = unused_.back();
    unused_.pop_back();
    nodes_[made] = Node{};
    nodes_[made].clear_from(0);
    return made;
}

// The first time and the extremes of child i once more.
void StepTree::refresh(std::uint32_t parent, std::uint32_t i) {
    Node& node = nodes_[parent];
    const Node& child = nodes_[node.child[i]];
    node.time[i] = child.time[0];
    std::int32_t low = child.low[0];
    std::int32_t high = child.high[0];
    for (std::uint32_t entry = 1; entry < fan_out; ++entry) {
        low = std::min(low, child.low[entry]);
        high = std::max(high, child.high[entry]);
    }
    node.low[i] = node.added[i] + low;
    node.high[i] = node.added[i] + high;
}

void StepTree::split_root() {
    const std::uint32_t above = new_node();
    nodes_[above].count = 1;
    nodes_[above].child[0] = root_;
    root_ = above;
    ++height_;
    split_child(root_, 0);
}

// Child i + 1 becomes the upper half of child i, which is full. REQUIRES: the parent is not.
void StepTree::split_child(std::uint32_t parent, std::uint32_t i) {
    constexpr std::uint32_t half = fan_out / 2;
    const std::uint32_t upper = new_node();
    nodes_[parent].insert_gap(i + 1, Kind::inner);
    nodes_[parent].added[i + 1] = nodes_[parent].added[i];
    nodes_[parent].child[i + 1] = upper;
    Node& from = nodes_[nodes_[parent].child[i]];
    Node& to = nodes_[upper];
    const auto move = [](const auto& source, auto& target) {
        std::copy(source.begin() + half, source.end(), target.begin());
    };
    move(from.time, to.time);
    move(from.low, to.low);
    move(from.high, to.high);
    move(from.added, to.added);
    move(from.child, to.child);
    from.clear_from(half);
    from.count = half;
    to.count = fan_out - half;
    refresh(parent, i);
    refresh(parent, i + 1);
}

// Lets a stretch begin at `time`, with the value that the function has there; false if one does.
bool StepTree::insert_step(double time) {
    if (nodes_[root_].count == fan_out) {
        split_root();
    }
    std::uint32_t at = root_;
    for (std::uint32_t level = height_; level > 0; --level) {
        auto i = static_cast<std::uint32_t>(nodes_[at].last_at_or_before(time));
        if (nodes_[nodes_[at].child[i]].count == fan_out) {
            split_child(at, i);
            i += nodes_[at].time[i + 1] <= time ? 1U : 0U;
        }
        at = nodes_[at].child[i];
    }
    Node& leaf = nodes_[at];
    const auto i = static_cast<std::uint32_t>(leaf.last_at_or_before(time));
    if (leaf.time[i] == time) {
        return false;
    }
    leaf.insert_gap(i + 1, Kind::leaf);
    leaf.time[i + 1] = time;
    leaf.low[i + 1] = leaf.low[i];
    leaf.high[i + 1] = leaf.high[i];
    ++stretches_;
    return true;
}

// Of what lies below `node`, which ends at `limit`. REQUIRES: steps at begin and end.
void StepTree::add_below(
    std::uint32_t node,
    std::uint32_t level,
    double begin,
    double end,
    double limit,
    std::int32_t amount
) {
    Node& here = nodes_[node];
    auto i = static_cast<std::uint32_t>(std::max(here.last_at_or_before(begin), 0));
    for (; i < here.count && here.time[i] < end; ++i) {
        const double next = i + 1 < here.count ? here.time[i + 1] : limit;
        if (level == 0 || (here.time[i] >= begin && next <= end)) {
            here.add_to(i, amount);
        } else {
            add_below(here.child[i], level - 1, begin, end, next, amount);
            refresh(node, i);
        }
    }
}

void StepTree::add(double begin, double end, std::int32_t amount) {
    const bool begins_anew = insert_step(begin);
    const bool ends_anew = end == never || insert_step(end);
    add_below(root_, height_, begin, end, never, amount);
    if (!begins_anew) {
        erase_if_level(begin);
    }
    if (!ends_anew) {
        erase_if_level(end);
    }
}

// The value of the stretch that `child_of` leads to: at `time`, or just before it.
std::int32_t StepTree::value_below(double time, int (Node::*child_of)(double) const) const {
    std::int32_t value = 0;
    std::uint32_t at = root_;
    for (std::uint32_t level = height_;; --level) {
        const Node& node = nodes_[at];
        const auto i = static_cast<std::uint32_t>((node.*child_of)(time));
        if (level == 0) {
            return value + node.low[i];
        }
        value += node.added[i];
        at = node.child[i];
    }
}

double StepTree::first_window(const StepWindow& wanted) const {
    const double latest = std::min(wanted.before, wanted.until);
    double begin = never;  // of the window being looked at; never: none
    double end = never;    // by which it is wide enough
    walk(wanted.from, [&](double time, std::int32_t least, std::int32_t most) {
        if (time >= (begin < never ? end : latest)) {
            return StepWalk::stop;
        }
        if (most < wanted.level) {
            begin = never;
            return StepWalk::on;
        }
        if (least < wanted.level) {
            return StepWalk::into;
        }
        if (begin == never) {
            begin = std::max(time, wanted.from);
            end = std::min(planned_end(begin, wanted.duration), wanted.until);
        }
        return StepWalk::on;
    });
    return begin;
}

// Erases the step at `time` if the value does not change there. If the stretch before it lies in
// the same leaf, no node above the leaf changes.
void StepTree::erase_if_level(double time) {
    std::uint32_t at_leaf = root_;
    for (std::uint32_t level = height_; level > 0; --level) {
        const Node& node = nodes_[at_leaf];
        at_leaf = node.child[static_cast<std::uint32_t>(node.last_at_or_before(time))];
    }
    Node& leaf = nodes_[at_leaf];
    const auto i = static_cast<std::uint32_t>(leaf.last_at_or_before(time));
    if (i > 0) {
        if (leaf.low[i - 1] == leaf.low[i]) {
            leaf.remove(i, Kind::leaf);
            --stretches_;
        }
    } else if (nodes_[root_].time[0] < time && value_below(time, &Node::last_before) == at(time)) {
        erase(time);
    }
}

void StepTree::erase(double time) {
    erase_below(root_, height_, time);
    --stretches_;
    while (height_ > 0 && nodes_[root_].count == 1) {
        const std::uint32_t child = nodes_[root_].child[0];
        for (std::uint32_t i = 0; i < nodes_[child].count; ++i) {
            nodes_[child].add_to(i, nodes_[root_].added[0]);
        }
        unused_.push_back(root_);
        root_ = child;
        --height_;
    }
}

void StepTree::erase_below(std::uint32_t node, std::uint32_t level, double time) {
    const auto i = static_cast<std::uint32_t>(nodes_[node].last_at_or_before(time));
    if (level == 0) {
        nodes_[node].remove(i, Kind::leaf);
        return;
    }
    const std::uint32_t child = nodes_[node].child[i];
    erase_below(child, level - 1, time);
    if (nodes_[child].count == 0) {
        unused_.push_back(child);
        nodes_[node].remove(i, Kind::inner);
    } else {
        refresh(node, i);
    }
}

// A node other than the root may hold a single entry, the second step then begins its neighbour.
double StepTree::second_step() const {
    double second = never;
    std::uint32_t at = root_;
    for (std::uint32_t level = height_;; --level) {
        const Node& node = nodes_[at];
        if (node.count > 1) {
            second = node.time[1];
        }
        if (level == 0) {
            return second;
        }
        at = node.child[0];
    }
}

void StepTree::forget_before(double time) {
    while (second_step() <= time) {
        erase(nodes_[root_].time[0]);
    }
}

}  // namespace schedfarm::engine
