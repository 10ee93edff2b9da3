// The way of a task from the plan to a worker and of its result into a journal, with a real one:
// what is in it at any moment is what the next run has to go on from.
#include "app/run/campaign_work.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "app/run/journal/task_message.hpp"

#include "tests/app/run/made_up_campaign.hpp"
#include "tests/engine/farm/journal_support.hpp"
#include "tests/support/file_size_limit.hpp"

using namespace schedfarm;         // NOLINT(google-build-using-namespace)
using namespace schedfarm::app;    // NOLINT(google-build-using-namespace)
using namespace schedfarm::tests;  // NOLINT(google-build-using-namespace)

namespace {

using engine::Suspect;
using engine::TaskId;
using engine::TaskStatus;

constexpr std::uint64_t replications = 6;

Plan one_cell() {
    Plan plan;
    plan.cells = {open_cell(0, replications, replications)};
    return plan;
}

/// One cell of six replications, with the journal of its run.
class Run {
  public:
    explicit Run(const std::vector<Suspect>& suspects = {}, std::uint32_t crashes = 1)
        : plan_(one_cell())
        , progress_(plan_)
        , journal_(engine::Journal::create(folder_ / "a.journal", sample_header()))
        , work_(progress_, *journal_, suspects, crashes) {}

    CampaignWork& work() { return work_; }
    const CellProgress& cell() const { return *progress_.cells()[0]; }
    engine::JournalContent journal() const { return engine::read_journal(folder_ / "a.journal"); }

    /// The replication given out next; `replications` where there is none.
    std::uint64_t next() {
        const auto task = work_.next_task();
        return task ? ReplicationId::of(task->id).replication : replications;
    }
    void end(std::uint32_t replication, TaskStatus status = TaskStatus::done) {
        engine::TaskResult result;
        result.id = id(replication);
        result.status = status;
        result.payload = encode(engine::Observations{{0.0, 1.0}, 0, 1});
        result.seconds = 2;
        work_.accept(result);
    }
    static TaskId id(std::uint32_t replication) { return ReplicationId{0, replication}.task_id(); }

  private:
    TemporaryFolder folder_;
    Plan plan_;
    CampaignProgress progress_;
    std::unique_ptr<engine::Journal> journal_;
    CampaignWork work_;
};

Suspect suspect(std::uint32_t replication, std::uint32_t deaths) {
    return {.id = Run::id(replication), .deaths = deaths, .blames = 0};
}

}  // namespace

TEST_CASE("a task is in the journal as under way before a worker has it") {
    Run run;
    CHECK(run.next() == 0);
    CHECK(run.next() == 1);
    CHECK(run.journal().in_flight == std::vector<TaskId>{Run::id(0), Run::id(1)});
    run.end(0);
    CHECK(run.journal().in_flight == std::vector<TaskId>{Run::id(1)});
    CHECK(run.journal().results.size() == 1);
    CHECK(run.work().next_task()->predicted_seconds == 2);
}

TEST_CASE("a result in the journal and in the tables says in which run it was computed") {
    Run run;
    run.next();
    run.end(0);
    CHECK(as_list(run.journal().results).at(0).run_began_s == run.work().began_s());
    CHECK(run.cell().outcomes().timing(0).run_began_s == run.work().began_s());
}

TEST_CASE("a result that the journal cannot hold does not count") {
    Run run;
    run.next();
    {
        const FileSizeLimit full(1);
        CHECK_THROWS_AS(run.end(0), engine::JournalError);
    }
    CHECK(run.cell().computed() == 0);
    CHECK(run.journal().results.empty());
}

TEST_CASE("suspects come first and isolated, those suspected repeatedly with nothing beside them") {
    Run run({suspect(2, 1), suspect(4, 2), suspect(5, 3)});
    const auto is_isolated = [&run](std::uint32_t expected) {
        const auto task = run.work().next_task();
        REQUIRE(task);
        CHECK(task->id == Run::id(expected));
        return read_task_message(task->payload).task.is_suspect;
    };
    for (const std::uint32_t alone : {4U, 5U}) {
        CHECK(run.work().tasks_ready() == 1);
        CHECK(is_isolated(alone));
        CHECK(run.work().tasks_ready() == 0);
        CHECK_FALSE(run.work().next_task());
        CHECK(run.journal().in_flight == std::vector<TaskId>{Run::id(alone)});
        run.end(alone);
    }
    CHECK(run.work().tasks_ready() == 4);
    CHECK(is_isolated(2));
    CHECK_FALSE(is_isolated(0));
    CHECK(run.work().tasks_ready() == 2);
}

TEST_CASE("a replication that crashes is run again, isolated, as often as is allowed") {
    Run run({}, 3);
    run.next();
    for (const std::uint32_t crash : {1U, 2U}) {
        CAPTURE(crash);
        run.end(0, TaskStatus::crashed);
        CHECK(run.cell().computed() == 0);
        CHECK(run.journal().results.empty());
        CHECK(run.work().tasks_ready() == replications);  // with those never run
        const auto again = run.work().next_task();
        REQUIRE(again);
        CHECK(again->id == Run::id(0));
        CHECK(read_task_message(again->payload).task.is_suspect);
    }
    run.end(0, TaskStatus::crashed);
    CHECK(run.cell().failed() == 1);
    REQUIRE(run.journal().results.size() == 1);
    CHECK(as_list(run.journal().results)[0].status == TaskStatus::crashed);
}

TEST_CASE("only a crash is tried again, and the death of a run counts as one") {
    Run run({suspect(0, 1)}, 2);
    CHECK(run.next() == 0);
    run.end(0, TaskStatus::crashed);
    CHECK(run.next() == 1);
    run.end(1, TaskStatus::failed);
    CHECK(run.next() == 2);
    run.end(2, TaskStatus::timeout);
    CHECK(run.cell().failed() == 3);
    CHECK(run.journal().results.size() == 3);
}

TEST_CASE("a run that is stopped leaves as suspects those of before that have no result yet") {
    Run run({suspect(1, 1), suspect(3, 1)});
    CHECK(run.next() == 1);
    CHECK(run.next() == 3);
    CHECK(run.next() == 0);
    run.end(3);
    run.work().acquit_under_way();
    const engine::JournalContent content = run.journal();
    CHECK(content.in_flight.empty());
    CHECK(content.suspects == std::vector<Suspect>{suspect(1, 1)});
}
