// Runs jobs under Scojo-PECT on the general kernel with all verifiers and tells when each began to
// load or run, and when it completed.
#pragma once

#include <utility>
#include <vector>

#include "tests/policies/cells.hpp"
#include "tests/policies/scojo/plain_scojo.hpp"

namespace schedfarm::tests {

struct Span {
    double start = -1;  ///< of the first load, or of the run
    double completion = -1;
    friend bool operator==(const Span&, const Span&) = default;
};
using Spans = std::vector<Span>;

class SpanLog final : public ScheduleVerifier {
  public:
    explicit SpanLog(std::size_t jobs) : spans_(jobs) {}

    void observe(const ScheduleStep& step) override {
        if (step.job == nullptr) {
            return;
        }
        Span& span = spans_[step.job->index];
        const bool begins =
            step.kind == ScheduleStep::Kind::load || step.kind == ScheduleStep::Kind::start;
        if (begins && span.start < 0) {
            span.start = step.time;
        } else if (step.kind == ScheduleStep::Kind::completion) {
            span.completion = step.time;
        }
    }
    void end_of_instant(double /*time*/) override {}
    void finish() override {}

    const Spans& spans() const { return spans_; }

  private:
    Spans spans_;
};

inline PolicyUnderTest scojo_policy(const ScojoCell& cell) {
    Parameters given;
    Value::List slices;
    Value::List thresholds;
    double interval = 0;
    for (const int slice : cell.slices) {
        slices.emplace_back(slice);
        interval += slice;
    }
    for (const int threshold : cell.thresholds) {
        thresholds.emplace_back(threshold);
    }
    given.set("slices_s", slices);
    given.set("interval_s", interval);
    given.set("thresholds_s", thresholds);
    given.set("backfilling", cell.is_easy ? "easy" : "conservative");
    given.set("allocator", cell.allocator);
    given.set("first_stage", cell.first_stage);
    given.set("second_stage", cell.second_stage);
    given.set("load_rate", static_cast<double>(cell.rate));
    given.set("prefetch_s", static_cast<double>(cell.prefetch));
    given.set("relocation", cell.relocates ? "other_slices" : "never");
    given.set("listing", cell.is_printed ? "printed" : "corrected");
    return {policy_named("scojo_pect"), given};
}

inline TestCell test_cell(const ScojoCell& cell, const std::vector<ScojoJob>& jobs) {
    TestCell made;
    made.system.clusters = {static_cast<std::uint32_t>(cell.nodes)};
    made.system.memory_per_processor = cell.memory;
    made.experiment.kind = ExperimentKind::trace;
    made.experiment.horizon.jobs = jobs.size();
    for (const ScojoJob& job : jobs) {
        GivenJob given;
        given.submit_time = job.submit;
        given.service_time = job.run;
        given.components = {static_cast<std::uint32_t>(job.size)};
        given.estimate = job.estimate == 0 ? job.run : job.estimate;
        given.memory = job.memory;
        made.jobs.push_back(given);
    }
    return made;
}

inline Spans scojo_spans(const ScojoCell& cell, const std::vector<ScojoJob>& jobs) {
    SpanLog log(jobs.size());
    run_general(scojo_policy(cell), test_cell(cell, jobs), &log);
    return log.spans();
}

inline Spans plain_spans(const ScojoCell& cell, const std::vector<ScojoJob>& jobs) {
    PlainScojo plain(cell, jobs);
    Spans spans;
    for (const ScojoJob& job : plain.run()) {
        spans.push_back({static_cast<double>(job.start), static_cast<double>(job.completion)});
    }
    return spans;
}

inline ScojoJob scojo_job(int submit, int size, int run, int memory = 0) {
    ScojoJob job;
    job.submit = submit;
    job.size = size;
    job.run = run;
    job.memory = memory;
    return job;
}

}  // namespace schedfarm::tests
