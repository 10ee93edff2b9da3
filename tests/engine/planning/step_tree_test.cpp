// The tree form of a step function by itself, against a plain list of steps; profiles take to
// arrays where it would be small.
#include "engine/planning/step_tree.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/dice.hpp"

namespace schedfarm::engine {

namespace {

using tests::Dice;

constexpr double never = StepTree::never;

/// Where the value changes, and to what.
class PlainSteps {
  public:
    void add(double begin, double end, std::int32_t amount) {
        ensure(begin);
        ensure(end);
        for (auto step = steps.find(begin); step != steps.end() && step->first < end; ++step) {
            step->second += amount;
        }
        for (auto step = std::next(steps.begin()); step != steps.end();) {
            step = std::prev(step)->second == step->second ? steps.erase(step) : std::next(step);
        }
    }
    void forget_before(double time) {
        while (steps.size() > 1 && std::next(steps.begin())->first <= time) {
            steps.erase(steps.begin());
        }
    }
    std::int32_t at(double time) const { return std::prev(steps.upper_bound(time))->second; }

    std::map<double, std::int32_t> steps{{-never, 0}};

  private:
    void ensure(double time) {
        if (time < never) {
            steps.emplace(time, at(time));
        }
    }
};

struct Part {
    double begin;
    std::int32_t least;
    std::int32_t most;
};

/// The largest parts that a walk shows.
std::vector<Part> parts_of(const StepTree& tree, double from) {
    std::vector<Part> parts;
    tree.walk(from, [&](double begin, std::int32_t least, std::int32_t most) {
        parts.push_back({begin, least, most});
        return StepWalk::on;
    });
    return parts;
}

class Pair {
  public:
    Pair() : tree(0) {}

    void add(double begin, double end, std::int32_t amount) {
        tree.add(begin, end, amount);
        plain.add(begin, end, amount);
        compare();
    }
    void forget_before(double time) {
        tree.forget_before(time);
        plain.forget_before(time);
        compare();
    }

    StepTree tree;
    PlainSteps plain;

  private:
    /// Every step, and the extremes of every part.
    void compare() const {
        REQUIRE(tree.stretches() == plain.steps.size());
        bool is_same = true;
        for (const auto& [time, value] : plain.steps) {
            is_same = is_same && tree.at(time) == value;
        }
        const std::vector<Part> parts = parts_of(tree, plain.steps.begin()->first);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto first = plain.steps.find(parts[i].begin);
            const auto end =
                i + 1 < parts.size() ? plain.steps.find(parts[i + 1].begin) : plain.steps.end();
            const auto [least, most] = std::minmax_element(
                first, end, [](const auto& a, const auto& b) { return a.second < b.second; }
            );
            is_same = is_same && parts[i].least == least->second && parts[i].most == most->second;
        }
        REQUIRE(is_same);
    }
};

struct Change {
    double begin;
    double end;
    std::int32_t amount;
};

Change random_change(Dice& dice, double now) {
    const double begin = now + dice.below(1000);
    const double end = begin + 1 + dice.below(dice.below(3) == 0 ? 1000 : 30);
    const auto amount = static_cast<std::int32_t>(1 + dice.below(9));
    return {begin, dice.below(8) == 0 ? never : end, dice.below(2) == 0 ? amount : -amount};
}

}  // namespace

TEST_CASE("a tree of steps agrees with a plain list while it grows and shrinks to nothing") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Pair pair;
        double now = 0;
        for (int round = 0; round < 3; ++round) {
            std::vector<Change> changes;
            while (pair.plain.steps.size() < 20 + 10 * (seed % 10)) {
                changes.push_back(random_change(dice, now));
                pair.add(changes.back().begin, changes.back().end, changes.back().amount);
            }
            if (round == 1) {
                now += dice.below(500);
                pair.forget_before(now);
            }
            while (!changes.empty()) {  // in another order than that of their coming
                std::swap(changes[dice.below(changes.size())], changes.back());
                const Change last = changes.back();
                changes.pop_back();
                if (last.end > now) {
                    pair.add(std::max(last.begin, now), last.end, -last.amount);
                }
            }
            CHECK(pair.tree.stretches() <= 2);  // what was before `now` may differ
        }
        for (int i = 0; i < 40; ++i) {
            const Change change = random_change(dice, now);
            pair.add(change.begin, change.end, change.amount);
        }
        while (pair.tree.stretches() > 1) {
            pair.forget_before(std::next(pair.plain.steps.begin())->first);
        }
    }
}

}  // namespace schedfarm::engine
