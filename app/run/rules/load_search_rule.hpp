// The search for a load, in rounds of a fixed number of replications: a cell whose replications run
// at different loads. A pure function of the ordered prefix: the load of a round follows from the
// outcomes of the rounds before it.
//
// What is looked for is the root of a function that increases with the load, a ratio of means over
// replications: drift: change of the backlog / time for which it was watched; response_time: (mean
// response time − threshold) / mean response time. Each visit of a load goes on until a sequential
// test has decided the sign, or until patience is at an end; then it has no answer.
//
// 1. Probabilistic bisection (Waeber, Frazier & Henderson 2013): visits at the median of the
//    density, until one has no answer (the load lies in the noise around the root) or the density
//    is as narrow as asked for.
// 2. Visits at both sides of the root of the line through all replications near it, half a width
//    apart from each other at most, on whichever side the density has more mass beyond. Patience
//    doubles with every visit that had no answer.
// The search has found the root when Fieller's interval of the line's root and the central interval
// of the density, which holds it, are as short as asked for, and the last visit at either side, of
// replications that nothing else rests on, has answered as it should. The interval reported is then
// the line's; the density errs on the safe side. Where the search ends without, the longer one.
//
// A mean response time from an empty start is low, and the load found by it high. So the start of
// the visits within a width of the root is judged as that of a cell is: by the part of the interval
// by which its bias may shift the root. Where it may shift it by more the search begins anew with a
// longer horizon, or ends as not_stationary where the horizon is given. An end of the bounds at
// which so short runs stay below the threshold is no answer either.
//
// Roots are sought up to one width beyond the ends of `between`, so that a root at an end is seen
// from both sides; a root further out, or an interval wholly beyond an end, is not bracketed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/statistics/bisection.hpp"
#include "engine/statistics/line_root.hpp"

#include "app/run/rules/cell_stability.hpp"
#include "app/run/rules/gate.hpp"
#include "app/run/rules/group_rule.hpp"

namespace schedfarm::app {

/// One visit of a load.
struct SearchStep {
    std::uint64_t first_replication = 0;  ///< its number at the present horizon
    std::uint64_t replications = 0;
    double utilization = 0;
    double observed = 0;  ///< the ratio; NaN where nothing was watched for any time
    double standard_error = 0;
    std::optional<engine::RootSide> side;  ///< of the root; absent without an answer
    double reliability = 0.5;              ///< of the answer
    double median = 0;                     ///< of the density after the visit
    engine::Interval interval;
};

class LoadSearchRule final : public GroupRule {
  public:
    static constexpr std::uint32_t first_patience = 6;  ///< rounds

    /// REQUIRES: the cell has a load search.
    explicit LoadSearchRule(CellProgress& cell);

    void advance() override;

    /// The load at which a replication runs. REQUIRES: it has been wanted.
    double utilization(std::uint32_t replication) const;
    const std::vector<SearchStep>& steps() const { return steps_; }

    /// The load as it is known now.
    struct Found {
        std::optional<double> load;            ///< absent where it lies beyond()
        engine::Interval interval;             ///< of an absent load: all beyond the end
        std::optional<double> standard_error;  ///< where the load is the root of the line
    };
    Found found() const;
    /// Of the load found: whether the start may have shifted it.
    GateAnswer gate() const;
    /// Once the root is known to lie outside `between`: on which side of it.
    std::optional<engine::RootSide> beyond() const { return beyond_; }

  private:
    /// The loads on both sides of the root that are visited in the second part.
    struct Sides {
        double lower = 0;
        double upper = 0;
    };

    void finish_round();
    /// Whether the search begins anew, or ends, for the start of its visits.
    bool is_ended_by_start();
    std::optional<CellStart> start_of(
        std::span<const std::uint64_t> replications, double allowed, double allowed_at_target
    ) const;
    std::optional<CellStart> start_near_root() const;
    std::optional<CellStart> start_beyond() const;
    void begin_anew(std::uint32_t level);
    void go_on_at(double load);
    std::vector<engine::LinePoint> visit() const;
    engine::LinePoint point(std::uint64_t replication) const;
    void end_visit(const std::vector<engine::LinePoint>& points, engine::SignVerdict verdict);
    void take_answer(SearchStep& step, engine::RootSide side);
    void note_verification(const SearchStep& step);
    void locate();
    std::optional<engine::LineRoot> line_around(double centre) const;
    Sides sides() const;
    double next_load() const;
    bool is_short(const engine::Interval& interval) const;
    bool has_found() const;
    void conclude(CellEnd end);

    CellProgress& cell_;
    const LoadSearch& search_;
    engine::Interval sought_;  // where the root may lie: `between` and a width beyond its ends
    engine::ProbabilisticBisection bisection_;
    std::vector<double> load_of_round_;
    std::map<std::uint32_t, std::vector<double>> earlier_loads_;  // by level of the horizon
    std::uint64_t first_at_load_ = 0;  // replication with which this visit began
    std::uint64_t patience_ = first_patience;
    std::vector<SearchStep> steps_;

    std::optional<double> centre_;  // between the two sides; absent during bisection
    std::optional<engine::LineRoot> line_;
    bool lower_is_verified_ = false;
    bool upper_is_verified_ = false;
    std::optional<engine::RootSide> beyond_;
};

}  // namespace schedfarm::app
