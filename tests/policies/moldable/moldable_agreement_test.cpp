// Policies for moldable jobs against their second implementations (plain_moldable.hpp), start by
// start and allotment by allotment, off-line and in batches.
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/moldable/plain_moldable.hpp"
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
    std::string stacks = "kept";
    std::string processors = "freed_first";

    Parameters parameters() const {
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

std::vector<PlainStart> plain_batch(
    const Setting& setting,
    const std::vector<GivenMoldable>& jobs,
    std::uint32_t processors,
    double begin,
    std::uint64_t batch
) {
    const PlainMoldable plain(jobs, processors, begin);
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
    const Setting& setting, const std::vector<GivenMoldable>& jobs, std::uint32_t processors
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
        const auto starts = plain_batch(setting, members, processors, now, batch);
        for (std::size_t i = 0; i < members.size(); ++i) {
            now = std::max(now, starts[i].start + time_on(members[i], starts[i].processors));
        }
        result.insert(result.end(), starts.begin(), starts.end());
    }
    return result;
}

void check_agreement(
    const Setting& setting,
    const std::vector<GivenMoldable>& jobs,
    std::uint32_t processors,
    ExperimentKind kind
) {
    const MoldableRun run =
        run_moldable(setting.policy, setting.parameters(), processors, jobs, kind);
    const std::vector<PlainStart> expected = plain_schedule(setting, jobs, processors);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        CAPTURE(i);
        REQUIRE(run.log.start[i] == doctest::Approx(expected[i].start).epsilon(precision));
        REQUIRE(run.log.size[i] == expected[i].processors);
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
        {"moldable_shelves"}};
    return all;
}

void check_all(std::uint64_t seeds, ExperimentKind experiment) {
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
                    check_agreement(setting, jobs, processors, experiment);
                }
            }
        }
    }
}

}  // namespace

TEST_CASE("off-line schedules are those of the second implementations") {
    check_all(short_or_long(30U, 120U), ExperimentKind::offline);
}

TEST_CASE("schedules in batches are those of the second implementations") {
    check_all(short_or_long(30U, 100U), ExperimentKind::open);
}

}  // namespace schedfarm::tests
