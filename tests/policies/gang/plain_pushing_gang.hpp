// Push-up and pushing both ways as variants of the second-by-second reference of push-down: who
// fills a slice, in which order.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/policies/gang/plain_bound_gang.hpp"

namespace schedfarm::tests {

class PlainPushUp final : public PlainPushDown {
  public:
    using PlainPushDown::PlainPushDown;

  protected:
    std::vector<int> fillers(int own, int top) const override {
        std::vector<int> classes;
        while (own < top) {
            classes.push_back(++own);
        }
        return classes;
    }
};

class PlainPushBoth final : public PlainPushDown {
  public:
    using PlainPushDown::PlainPushDown;

  protected:
    std::vector<int> fillers(int own, int top) const override {
        std::vector<int> left = PlainPushDown::fillers(own, top);
        for (int job_class = own + 1; job_class <= top; ++job_class) {
            left.push_back(job_class);
        }
        std::vector<int> classes;
        while (!left.empty()) {
            auto most = left.begin();
            for (auto one = left.begin(); one != left.end(); ++one) {
                most = count(*one) > count(*most) ? one : most;
            }
            classes.push_back(*most);
            left.erase(most);
        }
        return classes;
    }

  private:
    int count(int job_class) const {
        return static_cast<int>(std::count_if(jobs_.begin(), jobs_.end(), [&](const auto& job) {
            return is_present(job) && log2(job.size) == job_class;
        }));
    }
};

}  // namespace schedfarm::tests
