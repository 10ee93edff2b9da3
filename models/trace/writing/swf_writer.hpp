// Writes logs in the Standard Workload Format. Reading what was written gives the same columns and
// header: numbers are written with as many digits as they need, and no more. Times need not be
// whole: the format permits decimals in time fields, and those of models have them.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "models/trace/job_list.hpp"
#include "models/trace/log.hpp"

namespace schedfarm::models::trace {

/// Without an exponent, which the format does not know, with as many digits as it needs.
void append_number(std::string& text, double value);
void append_number(std::string& text, std::int64_t value);

/// Header and jobs, submitted when they became eligible; columns without values are written as −1.
/// REQUIRES: every column holds no values or jobs() of them; header lines hold no line breaks.
void write_log(std::ostream& out, const Log& log);

/// The jobs as a log of their own, numbered from 1: submit, run and requested times, processors
/// (allocated and requested) and users of the list; status, group, executable, queue, partition,
/// requested and used memory of each job's row in `source`; its CPU time where its run time is the
/// logged one; the preceding job where both are there, once, and its think time where both are
/// submitted as logged. Waits of jobs that are submitted as logged. The header is that of `source`
/// with the number of jobs, a note that they were selected, and no EndTime.
Log log_of(const JobList& jobs, const Log& source);

}  // namespace schedfarm::models::trace
