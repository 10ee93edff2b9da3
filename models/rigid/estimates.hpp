// Modelled estimates: what users request, for any workload with run times. A model of estimates
// changes estimates only: it draws from a stream of its own, so that submits, sizes and run times
// stay what they are without it. Estimates are never below the run time.
//
// user: what the workload says itself; the run time where it says nothing.
// exact: the run time.
// f_model: the run time times f, or uniform between the run time and that (Mu'alem & Feitelson
// 2001; they write f + 1 for our factor; a factor of 1 is exact either way).
// tsafrir: few popular values, as users choose them (models/rigid/tsafrir_estimates.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/foundation/parameters.hpp"
#include "engine/random/stream.hpp"

namespace schedfarm::models {

class EstimateModel {
  public:
    EstimateModel() = default;
    EstimateModel(const EstimateModel&) = delete;
    EstimateModel& operator=(const EstimateModel&) = delete;
    virtual ~EstimateModel() = default;

    /// Jobs that get their estimates together; 1: each for itself, so that any number may be given.
    virtual std::size_t window() const { return 1; }

    /// Estimates of jobs number first, first + 1, …; `estimate` holds those of the workload itself.
    /// REQUIRES: equal lengths; positive run times.
    /// ENSURES: but for `user`, estimate[i] >= run[i]. A pure function of its arguments.
    virtual void assign(
        std::uint64_t first, std::span<const double> run, std::span<double> estimate
    ) const = 0;
};

/// The parameter `estimates`, default `user`.
engine::ParameterDescription estimates_parameter();

/// Whether the model draws at random; else replications of the same jobs have the same estimates.
bool are_drawn(const engine::Choice& estimates);

/// REQUIRES: a choice that the parameter admits; a stream of Purpose::estimates.
std::unique_ptr<const EstimateModel> make_estimates(
    const engine::Choice& choice, const engine::Stream& stream
);

}  // namespace schedfarm::models
