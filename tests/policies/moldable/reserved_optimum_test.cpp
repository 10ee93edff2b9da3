// No schedule around reservations is better than the best of all, which small instances allow to
// find, and no bound is beyond it.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "policies/moldable/moldable_bounds.hpp"

#include "tests/policies/moldable/random_moldables.hpp"

namespace schedfarm::tests {

namespace {

struct Piece {
    double begin = 0;
    double end = 0;
    std::uint32_t processors = 0;
};

/// The least makespan and the least Σ weight · completion, each of some schedule: every order,
/// every allotment, each job at the first time at which it fits beside those before and the
/// reservations. Moved to earlier times one by one, the jobs of any schedule come to such places.
class BestSchedules {
  public:
    BestSchedules(
        const std::vector<GivenMoldable>& jobs,
        const std::vector<Piece>& reserved,
        std::uint32_t processors
    )
        : jobs_(jobs), processors_(processors), pieces_(reserved), is_placed_(jobs.size()) {
        extend(0, 0, 0);
    }
    double makespan() const { return makespan_; }
    double minsum() const { return minsum_; }

  private:
    bool is_free(double begin, double end, std::uint32_t needed) const {
        const auto fits_at = [&](double time) {
            std::uint32_t used = 0;
            for (const Piece& piece : pieces_) {
                used += piece.begin <= time && time < piece.end ? piece.processors : 0;
            }
            return used + needed <= processors_;
        };
        return fits_at(begin)
               && std::all_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
                      return piece.begin <= begin || piece.begin >= end || fits_at(piece.begin);
                  });
    }

    double first_fit(double time, double arrival, std::uint32_t needed) const {
        std::vector<double> starts{arrival};
        for (const Piece& piece : pieces_) {
            starts.push_back(std::max(piece.end, arrival));
        }
        std::sort(starts.begin(), starts.end());
        return *std::find_if(starts.begin(), starts.end(), [&](double start) {
            return is_free(start, start + time, needed);
        });
    }

    void extend(std::size_t count, double end, double sum) {
        if (end >= makespan_ && sum >= minsum_) {
            return;
        }
        if (count == jobs_.size()) {
            makespan_ = std::min(makespan_, end);
            minsum_ = std::min(minsum_, sum);
            return;
        }
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            const GivenMoldable& job = jobs_[i];
            for (std::uint32_t k = 1; is_placed_[i] == 0 && k <= processors_; ++k) {
                if (job.rigid > 0 && job.rigid != k) {
                    continue;
                }
                const double time = job.times[job.rigid > 0 ? 0 : k - 1];
                const double start = first_fit(time, job.submit_time, k);
                is_placed_[i] = 1;
                pieces_.push_back({start, start + time, k});
                extend(count + 1, std::max(end, start + time), sum + job.weight * (start + time));
                pieces_.pop_back();
                is_placed_[i] = 0;
            }
        }
    }

    const std::vector<GivenMoldable>& jobs_;
    std::uint32_t processors_;
    std::vector<Piece> pieces_;
    std::vector<std::uint8_t> is_placed_;
    double makespan_ = std::numeric_limits<double>::infinity();
    double minsum_ = std::numeric_limits<double>::infinity();
};

struct Instance {
    std::uint32_t processors = 1;
    std::vector<GivenMoldable> jobs;
    std::vector<Piece> reserved;

    /// Reservations first, of weight 0.
    std::vector<GivenMoldable> workload() const {
        std::vector<GivenMoldable> all;
        for (const Piece& piece : reserved) {
            all.push_back(
                {.times = {piece.end - piece.begin},
                 .weight = 0,
                 .rigid = piece.processors,
                 .fixed_start = piece.begin}
            );
        }
        all.insert(all.end(), jobs.begin(), jobs.end());
        return all;
    }
};

/// Up to three reservations, or none, that do not meet: each begins after the one before.
Instance random_instance(Dice& dice, bool arrives) {
    Instance made;
    made.processors = 1 + dice.below(3);
    double from = 0;
    for (std::uint32_t i = dice.below(4); i > 0; --i) {
        from += dice.below(5);
        const double end = from + 1 + dice.below(6);
        made.reserved.push_back({from, end, 1 + dice.below(made.processors)});
        from = end;
    }
    double submit = 0;
    for (std::uint32_t i = 1 + dice.below(4); i > 0; --i) {
        GivenMoldable job;
        submit += arrives ? dice.below(4) : 0;
        job.submit_time = submit;
        job.weight = 1 + dice.below(5);
        const double alone = 1 + dice.below(8);
        job.rigid = dice.below(4) == 0 ? 1 + dice.below(made.processors) : 0;
        job.times = monotone_times(dice, alone, job.rigid > 0 ? 1 : made.processors);
        made.jobs.push_back(job);
    }
    return made;
}

}  // namespace

TEST_CASE("no schedule around reservations beats the best and no bound is beyond it") {
    std::size_t optimal = 0;
    std::size_t sharp = 0;
    double minsum_bounds = 0;
    double whole_bounds = 0;
    double least_sums = 0;
    for (std::uint64_t seed = 0; seed < 2400; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const Instance instance = random_instance(dice, false);
        const BestSchedules best(instance.jobs, instance.reserved, instance.processors);
        const double whole = policies::minsum_bound(
            *OwnedProblem(instance.jobs, instance.processors), {.program = MinsumProgram::refined}
        );
        for (const char* name : moldable_policies) {
            CAPTURE(name);
            const MoldableRun run = run_moldable(
                name,
                moldable_settings({{"bounds", "all"}}),
                instance.processors,
                instance.workload()
            );
            REQUIRE(run.refused == 0);
            double makespan = 0;
            double minsum = 0;
            for (std::size_t i = instance.reserved.size(); i < run.log.finish.size(); ++i) {
                makespan = std::max(makespan, run.log.finish[i]);
                minsum += instance.jobs[i - instance.reserved.size()].weight * run.log.finish[i];
            }
            CHECK(makespan >= best.makespan());
            CHECK(minsum >= best.minsum() * (1 - 1e-12));
            const std::vector<double>& values = run.observations.values;
            CHECK(values[1] == doctest::Approx(minsum).epsilon(1e-12));
            CHECK(values[2] <= best.makespan());
            CHECK(values[3] == doctest::Approx(makespan / values[2]).epsilon(1e-12));
            CHECK(values[6] <= best.minsum() * (1 + 1e-12));
            CHECK(values[8] <= best.minsum() * (1 + 1e-12));
            minsum_bounds += values[8];
            whole_bounds += whole;
            least_sums += best.minsum();
            optimal += makespan <= best.makespan() * (1 + 1e-12) ? 1U : 0U;
            sharp += values[2] >= best.makespan() * (1 - 1e-9) ? 1U : 0U;
        }
    }
    CHECK(optimal > 1000);
    CHECK(sharp > 1000);
    CHECK(minsum_bounds > 0.85 * least_sums);  // 0.49 by the bound of the whole machine
    CHECK(minsum_bounds > 1.5 * whole_bounds);
}

TEST_CASE("the off-line bound holds for whoever knows all arrivals and reservations") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const Instance instance = random_instance(dice, true);
        const double least =
            BestSchedules(instance.jobs, instance.reserved, instance.processors).makespan();
        for (const char* name : moldable_policies) {
            CAPTURE(name);
            const MoldableRun run = run_moldable(
                name,
                moldable_settings({{"bounds", "offline"}}),
                instance.processors,
                instance.workload(),
                ExperimentKind::open
            );
            const double bound = *(run.observations.values.end() - 2);
            CHECK(bound <= least - instance.jobs.front().submit_time);
            CHECK(bound > 0);
        }
    }
}

}  // namespace schedfarm::tests
