// Policies for moldable jobs against their second implementations (plain_moldable.hpp), start by
// start and allotment by allotment, off-line and in batches.
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/moldable/list_search.hpp"

#include "tests/policies/moldable/plain_moldable.hpp"
#include "tests/policies/moldable/plain_search.hpp"
#include "tests/policies/moldable/plain_shelves.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

/// Sums of times are the same, but the clock of a batch may begin elsewhere.
constexpr double precision = 1e-9;

enum class Kind : std::uint8_t {
    weak,        ///< hardly faster on more processors
    high,        ///< nearly twice as fast on twice as many
    mixed,       ///< both: small weak ones and large high ones
    saturating,  ///< linear up to some number
    integer,     ///< whole times on 2^j processors: sums and λ* are exact and many are equal
    with_rigid,  ///< mixed, and one in four rigid
};

double real(Dice& dice) {
    return (1 + dice.below(1'000'000'000)) / 1e9;
}

std::vector<double> recursive_times(
    Dice& dice, double alone, double gain, std::uint32_t processors
) {
    std::vector<double> times{alone};
    for (std::uint32_t k = 2; k <= processors; ++k) {
        const double x = std::clamp(1 - gain + 0.6 * (real(dice) - 0.5), 0.0, 1.0);
        times.push_back(times.back() * ((x + k - 1) / k));
    }
    return times;
}

std::vector<double> whole_times(Dice& dice, std::uint32_t processors) {
    std::vector<double> times{1.0 + dice.below(12)};
    for (std::uint32_t k = 2; k <= processors; ++k) {
        const double least = std::ceil(times.back() * (k - 1) / k);
        times.push_back(std::min(times.back(), least + dice.below(3)));
    }
    return times;
}

GivenMoldable job_of(Kind kind, Dice& dice, std::uint32_t processors) {
    GivenMoldable job;
    const double alone = 1 + 9 * real(dice);
    const bool is_small = dice.below(10) < 7;
    switch (kind) {
        case Kind::weak:
            job.times = recursive_times(dice, alone, 0.1, processors);
            break;
        case Kind::high:
            job.times = recursive_times(dice, alone, 0.9, processors);
            break;
        case Kind::saturating: {
            const std::uint32_t most = 1 + dice.below(processors);
            for (std::uint32_t k = 1; k <= processors; ++k) {
                job.times.push_back(alone / std::min(k, most));
            }
            break;
        }
        case Kind::integer:
            job.times = whole_times(dice, processors);
            job.weight = 1 + dice.below(5);
            return job;
        default:
            job.times = recursive_times(
                dice, is_small ? alone / 5 : alone * 2, is_small ? 0.1 : 0.9, processors
            );
    }
    job.weight = 1 + 9 * real(dice);
    if (kind == Kind::with_rigid && dice.below(4) == 0) {
        job.rigid = 1 + dice.below(processors);
        job.times = {alone};
    }
    return job;
}

/// `spread`: mean time between arrivals; 0: all there at 0.
std::vector<GivenMoldable> jobs_of(
    Kind kind, Dice& dice, std::uint32_t count, std::uint32_t processors, double spread
) {
    std::vector<GivenMoldable> jobs;
    double submit = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        jobs.push_back(job_of(kind, dice, processors));
        submit += kind == Kind::integer ? std::floor(4 * spread * real(dice)) / 2
                                        : 2 * spread * real(dice);
        jobs.back().submit_time = submit;
    }
    return jobs;
}

struct Setting {
    std::string policy;
    std::string word = "";  ///< compaction or order
    int shuffles = 0;
    int moves = 0;  ///< per job
    double limit = 1;
    std::string stacks = "kept";
    std::string processors = "freed_first";

    Parameters parameters() const {
        if (policy == "moldable_local_search") {
            return moldable_settings({{"makespan_limit", limit}, {"moves_per_job", moves}});
        }
        if (policy == "demt") {
            return moldable_settings(
                {{"compaction", word},
                 {"shuffles", shuffles},
                 {"stacks", stacks},
                 {"processors", processors}}
            );
        }
        return policy == "moldable_list" ? moldable_settings({{"order", word}}) : Parameters{};
    }
};

struct SearchCounts {
    int beginnings = 0;  ///< batches
    int unique = 0;      ///< with one optimum of the linear program only
    int ties = 0;        ///< where rounding decided whether a move stayed
    int wider = 0;       ///< jobs on other processors for as long
};

/// Of several optima of the linear program nothing says which is meant: the one that the product
/// found. λ* has the digits that the product found, on which the number of intervals hangs where
/// the least time of all is λ* halved by so many steps.
PlainBeginning plain_beginning(
    const PlainMoldable& plain, const policies::MoldableProblem& problem, SearchCounts& counts
) {
    const double lambda = problem.dual().lambda;
    REQUIRE(lambda == doctest::Approx(plain.lambda()).epsilon(precision));
    const PlainShares program = PlainProgram(plain.tasks(), problem.processors(), lambda).solve();
    ++counts.beginnings;
    if (program.is_unique) {
        ++counts.unique;
        return plain_beginning(plain.tasks(), program);
    }
    const policies::GuidedList product = policies::guided_list(problem);
    REQUIRE(product.minsum_bound == doctest::Approx(program.cost).epsilon(precision));
    return {
        {product.list.processors, {product.list.order.begin(), product.list.order.end()}},
        program.cost};
}

std::vector<PlainStart> plain_search(
    const Setting& setting,
    const std::vector<GivenMoldable>& jobs,
    std::uint32_t processors,
    std::uint64_t batch,
    SearchCounts& counts,
    const std::vector<PlainOccupation>& reservations = {}
) {
    const Stream random(5, Purpose::policy, 0);  // that of run_moldable()
    const PlainMoldable plain(jobs, processors, 0);
    const OwnedProblem problem(jobs, processors);
    const PlainBeginning beginning = plain_beginning(plain, *problem, counts);
    const PlainStrictList schedule(plain.tasks(), processors, reservations);
    const double limit = setting.limit * schedule.target((*problem).dual().lambda);
    PlainSearch search(plain.tasks(), schedule, limit, random, batch << 32);
    const PlainList found = search.run(beginning, static_cast<std::uint64_t>(setting.moves));
    counts.ties += search.has_tie() ? 1 : 0;
    return schedule.starts(found);
}

std::vector<PlainStart> plain_batch(
    const Setting& setting,
    const std::vector<GivenMoldable>& jobs,
    std::uint32_t processors,
    double begin,
    std::uint64_t batch,
    SearchCounts& counts
) {
    const PlainMoldable plain(jobs, processors, begin);
    if (setting.policy == "moldable_local_search") {
        std::vector<PlainStart> starts = plain_search(setting, jobs, processors, batch, counts);
        for (PlainStart& start : starts) {
            start.start += begin;
        }
        return starts;
    }
    if (setting.policy == "demt") {
        const Stream random(5, Purpose::policy, 0);  // that of run_moldable()
        const PlainDemt demt{
            .overtakes = setting.word == "graham",
            .keeps_stacks = setting.stacks == "kept",
            .takes_freed_last = setting.processors == "freed_last",
            .shuffles = setting.shuffles};
        return plain.demt(demt, random, batch << 32);
    }
    if (setting.policy == "moldable_shelves") {
        std::vector<PlainStart> starts = PlainShelves(plain, processors).schedule();
        for (PlainStart& start : starts) {
            start.start += begin;
        }
        return starts;
    }
    return setting.policy == "moldable_gang"         ? plain.gang()
           : setting.policy == "moldable_sequential" ? plain.sequential()
                                                     : plain.list(setting.word);
}

double time_on(const GivenMoldable& job, std::uint32_t processors) {
    return job.times[job.rigid > 0 ? 0 : processors - 1];
}

/// Whoever has arrived when everybody before has ended makes up a batch.
std::vector<PlainStart> plain_schedule(
    const Setting& setting,
    const std::vector<GivenMoldable>& jobs,
    std::uint32_t processors,
    SearchCounts& counts
) {
    std::vector<PlainStart> result;
    double now = 0;
    for (std::uint64_t batch = 0; result.size() < jobs.size(); ++batch) {
        const auto first = jobs.begin() + static_cast<std::ptrdiff_t>(result.size());
        now = std::max(now, first->submit_time);
        const auto last = std::find_if(first, jobs.end(), [now](const GivenMoldable& job) {
            return job.submit_time > now;
        });
        const std::vector<GivenMoldable> members(first, last);
        const auto starts = plain_batch(setting, members, processors, now, batch, counts);
        for (std::size_t i = 0; i < members.size(); ++i) {
            now = std::max(now, starts[i].start + time_on(members[i], starts[i].processors));
        }
        result.insert(result.end(), starts.begin(), starts.end());
    }
    return result;
}

void check_starts(
    const Setting& setting,
    const std::vector<GivenMoldable>& jobs,
    const JobLog& log,
    const std::vector<PlainStart>& expected,
    SearchCounts& counts
) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        CAPTURE(i);
        REQUIRE(log.start[i] == doctest::Approx(expected[i].start).epsilon(precision));
        if (log.size[i] != expected[i].processors) {
            // Of schedules that are as good but for the rounding of sums a search may keep either.
            REQUIRE(setting.policy == "moldable_local_search");
            REQUIRE(time_on(jobs[i], log.size[i]) == time_on(jobs[i], expected[i].processors));
            ++counts.wider;
        }
    }
}

void check_agreement(
    const Setting& setting,
    const std::vector<GivenMoldable>& jobs,
    std::uint32_t processors,
    ExperimentKind kind,
    SearchCounts& counts
) {
    const MoldableRun run =
        run_moldable(setting.policy, setting.parameters(), processors, jobs, kind);
    const int ties = counts.ties;
    const std::vector<PlainStart> expected = plain_schedule(setting, jobs, processors, counts);
    if (counts.ties == ties) {
        check_starts(setting, jobs, run.log, expected, counts);
    }
}

const std::vector<Setting>& settings() {
    static const std::vector<Setting> all{
        {"demt", "strict"},
        {"demt", "strict", 10},
        {"demt", "graham"},
        {"demt", "graham", 4},
        {.policy = "demt", .word = "strict", .shuffles = 2, .stacks = "taken_apart"},
        {.policy = "demt", .word = "graham", .stacks = "taken_apart"},
        {.policy = "demt", .word = "strict", .shuffles = 2, .processors = "freed_last"},
        {"moldable_gang"},
        {"moldable_sequential"},
        {"moldable_list", "shelves"},
        {"moldable_list", "largest_time"},
        {"moldable_list", "smallest_area"},
        {"moldable_shelves"},
        {.policy = "moldable_local_search", .moves = 0},
        {.policy = "moldable_local_search", .moves = 4, .limit = 1},
        {.policy = "moldable_local_search", .moves = 10, .limit = 1.3}};
    return all;
}

void check_all(std::uint64_t seeds, ExperimentKind experiment) {
    SearchCounts counts;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        CAPTURE(seed);
        for (int k = 0; k <= static_cast<int>(Kind::with_rigid); ++k) {
            CAPTURE(k);
            Dice dice(seed);
            const auto kind = static_cast<Kind>(k);
            const std::uint32_t drawn = 1 + dice.below(seed % 10 == 0 ? 100 : 24);
            const std::uint32_t processors = kind == Kind::integer ? std::bit_floor(drawn) : drawn;
            const std::uint32_t count = 1 + dice.below(seed % 10 == 0 ? 100 : 30);
            const double spread = experiment == ExperimentKind::open ? 2 * real(dice) : 0;
            const auto jobs = jobs_of(kind, dice, count, processors, spread);
            for (const Setting& setting : settings()) {
                CAPTURE(setting.policy);
                CAPTURE(setting.word);
                // A rigid job may have to wait there for processors that lie elsewhere.
                if (setting.policy != "moldable_shelves" || kind != Kind::with_rigid) {
                    check_agreement(setting, jobs, processors, experiment, counts);
                }
            }
        }
    }
    CAPTURE(counts.beginnings);
    CAPTURE(counts.ties);
    CHECK(counts.unique > counts.beginnings / 2);
    CHECK(counts.ties + counts.wider < 10);
}

/// Reservations that all have room, one beside or after the other.
std::vector<PlainOccupation> random_reservations(Dice& dice, std::uint32_t processors) {
    std::vector<PlainOccupation> taken;
    const std::vector<PlainTask> none;
    const PlainStrictList places(none, processors);
    const std::uint32_t count = 1 + dice.below(6);
    for (std::uint32_t i = 0; i < count; ++i) {
        const double time = 1 + dice.below(8) / 2.0;
        const std::uint32_t size = 1 + dice.below(processors);
        const double start = places.earliest_fit(taken, dice.below(20) / 2.0, time, size);
        taken.push_back({start, start + time, size});
    }
    return taken;
}

void check_reserved(const Setting& setting, Kind kind, std::uint64_t seed, SearchCounts& counts) {
    Dice dice(seed);
    const std::uint32_t processors = std::bit_floor(1 + dice.below(24));
    const auto jobs = jobs_of(kind, dice, 1 + dice.below(20), processors, 0);
    const std::vector<PlainOccupation> reservations = random_reservations(dice, processors);
    std::vector<GivenMoldable> all = jobs;
    for (const PlainOccupation& taken : reservations) {
        all.push_back(
            {.times = {taken.end - taken.start},
             .rigid = taken.processors,
             .fixed_start = taken.start}
        );
    }
    const MoldableRun run = run_moldable(setting.policy, setting.parameters(), processors, all);
    REQUIRE(run.refused == 0);
    const int ties = counts.ties;
    const auto expected = plain_search(setting, jobs, processors, 0, counts, reservations);
    if (counts.ties == ties) {
        check_starts(setting, jobs, run.log, expected, counts);
    }
}

}  // namespace

TEST_CASE("off-line schedules are those of the second implementations") {
    check_all(short_or_long(30U, 120U), ExperimentKind::offline);
}

TEST_CASE("schedules in batches are those of the second implementations") {
    check_all(short_or_long(30U, 100U), ExperimentKind::open);
}

TEST_CASE("local search around reservations is that of the second implementation") {
    SearchCounts counts;
    for (std::uint64_t seed = 0; seed < short_or_long(20U, 60U); ++seed) {
        CAPTURE(seed);
        for (int k = 0; k <= static_cast<int>(Kind::with_rigid); ++k) {
            CAPTURE(k);
            for (const double limit : {1.0, 1.3}) {
                const Setting setting{
                    .policy = "moldable_local_search", .moves = 10, .limit = limit};
                check_reserved(setting, static_cast<Kind>(k), seed, counts);
            }
        }
    }
    CHECK(counts.ties + counts.wider < 10);
}

}  // namespace schedfarm::tests
