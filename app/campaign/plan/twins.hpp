// Twins: beside a cell, under the same random numbers, a queue of one server that serves the work
// of each job, size times service time, in the order of arrival. Where it is as near to its
// saturation as the cell to its own, its mean wait goes up and down with the cell's from
// replication to replication, and Pollaczek and Khinchine's formula says what it is on average: a
// control variate that explains most of the noise of the cell's means (precision.method: auto).
#pragma once

#include <vector>

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// The control variates of a cell that are twins, one for each of twin_loads(), in Cell::controls;
/// the columns are the cell's last. A column is the mean wait of the measured jobs in mean service
/// times of the twin, so that its mean, load / (1 − load) · (1 + c²) / 2, depends on the load and
/// on the squared variation c² of the work alone.
std::vector<ControlMean> twins_of(const Cell& cell);
/// Those of `control_variates`.
std::vector<ControlMean> own_controls_of(const Cell& cell);

/// Gives a cell its twins: where a mean of the steady state is asked for, jobs arrive by a Poisson
/// process and the variation of their work is known; else none.
void add_twins(Cell& cell);

/// The loads of a cell's twins: that by which the cell itself is placed below its saturation; where
/// that is not known, those at which its saturation leaves a half, a quarter, … of the machine's
/// room, of which the estimate takes the one that explains most. Empty: the cell has none.
std::vector<double> twin_loads(const Cell& cell);

}  // namespace schedfarm::app
