// The search for a load by probabilistic bisection, in rounds of a fixed number of replications: a
// cell whose replications run at different loads. A pure function of the ordered prefix: the load
// of a round follows from the outcomes of the rounds before it.
//
// A round runs at the median of the density. The values seen at this load go through a sequential
// test of their sign; where it decides, the answer counts with the campaign's reliability. After
// patience_rounds without a decision the load lies in the noise around the point: the answer is the
// sign of the mean and counts only with the probability that Student's t gives it. (Waeber, Frazier
// & Henderson 2013 ask each point until the test decides; the patience bounds the cost.)
#pragma once

#include <cstdint>
#include <vector>

#include "engine/statistics/bisection.hpp"

#include "campaigns/run/group_rule.hpp"

namespace schedfarm::campaigns {

/// One answer of the search.
struct SearchStep {
    std::uint64_t first_replication = 0;
    std::uint64_t replications = 0;
    double utilization = 0;
    double observed = 0;  ///< mean of the criterion
    double standard_error = 0;
    engine::RootSide side = engine::RootSide::below;
    double reliability = 0;
    double median = 0;  ///< of the density after the answer
    engine::Interval interval;
};

class LoadSearchRule final : public GroupRule {
  public:
    static constexpr std::uint32_t patience_rounds = 6;

    /// REQUIRES: the cell has a load search.
    explicit LoadSearchRule(CellProgress& cell);

    void advance() override;

    /// The load at which a replication runs. REQUIRES: it has been wanted.
    double utilization(std::uint32_t replication) const;
    const std::vector<SearchStep>& steps() const { return steps_; }
    double median() const { return bisection_.query(); }
    engine::Interval interval() const { return bisection_.interval(search_.confidence); }

  private:
    void begin_round();
    void finish_round();
    std::vector<double> values_at_load() const;
    double criterion(std::uint64_t replication) const;
    void answer(const std::vector<double>& values, engine::SignVerdict verdict);
    void conclude(CellEnd end);

    CellProgress& cell_;
    const LoadSearch& search_;
    engine::ProbabilisticBisection bisection_;
    std::vector<double> load_of_round_;
    std::uint64_t first_at_load_ = 0;  // replication with which this load began
    std::vector<SearchStep> steps_;
};

}  // namespace schedfarm::campaigns
