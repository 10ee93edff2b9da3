// A log that can be given away: the same jobs, and nobody's names or dates.
#pragma once

#include "models/trace/log.hpp"

namespace schedfarm::models::trace {

/// Jobs are numbered from 1 by their place. Users, groups (accounts), programs, queues, partitions
/// and QOS are numbered from 1 in the order in which they appear and have no texts; nodes are n1,
/// n2 … likewise. The beginning moves by whole weeks of local time to that of 2001-01-01: days of
/// the week and hours stay, but for the hour of summer time. Of the header only the machine's size
/// and the numbers of jobs are left.
void make_anonymous(Log& log);

}  // namespace schedfarm::models::trace
