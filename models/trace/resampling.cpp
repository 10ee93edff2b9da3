#include "models/trace/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "engine/foundation/expect.hpp"

#include "models/trace/reading/clock.hpp"

namespace schedfarm::models::trace {

namespace {

std::vector<std::uint32_t> words(
    const engine::Stream& stream, std::size_t count, std::uint64_t first = 0
) {
    std::vector<std::uint32_t> result(count);
    stream.fill_words(first, result);
    return result;
}

/// A user with a larger share of the work comes once in every draw at the log's load.
constexpr double largest_drawn_share = 0.02;

/// How many times the log `weeks` weeks are; at most `weeks` times.
double times_the_log(const JobList& jobs, std::uint32_t weeks) {
    const double duration = jobs.submit.back() - jobs.submit.front();
    return duration <= 0 ? 1 : weeks * week_s / std::max(duration, week_s);
}

/// The weeks that users' sequences may still begin in: a user who is drawn twice with one shift
/// would submit every job twice at one instant.
class FreeShifts {
  public:
    FreeShifts(std::size_t users, std::uint32_t weeks) : weeks_(weeks), taken_(users) {}

    /// This user, or the next one who has a week left, by increasing number and around.
    std::size_t user_from(std::size_t user) const {
        while (taken_[user].size() == weeks_) {
            user = (user + 1) % taken_.size();
        }
        return user;
    }

    /// Takes one of the user's free weeks, all with equal probabilities. REQUIRES: there is one.
    std::uint32_t take(std::size_t user, std::uint32_t word) {
        std::vector<std::uint32_t>& taken = taken_[user];
        const auto free = weeks_ - static_cast<std::uint32_t>(taken.size());
        std::uint32_t shift = engine::scaled_word(word, free);
        auto place = taken.begin();
        while (place != taken.end() && *place <= shift) {
            ++shift;
            ++place;
        }
        taken.insert(place, shift);
        return shift;
    }

  private:
    std::uint32_t weeks_;
    std::vector<std::vector<std::uint32_t>> taken_;  // by user, increasing
};

/// The number of the first job submitted at `time` or later.
std::size_t first_at_or_after(const JobList& jobs, double time) {
    const auto found = std::lower_bound(jobs.submit.begin(), jobs.submit.end(), time);
    return static_cast<std::size_t>(found - jobs.submit.begin());
}

}  // namespace

std::uint32_t weeks_spanned(const JobList& jobs) {
    if (jobs.size() == 0) {
        return 1;
    }
    const double weeks = std::ceil((jobs.submit.back() - jobs.submit.front()) / week_s);
    return static_cast<std::uint32_t>(std::max(1.0, weeks));
}

UserSequences user_sequences(const JobList& jobs) {
    UserSequences result;
    result.numbers.resize(jobs.size());
    std::iota(result.numbers.begin(), result.numbers.end(), 0U);
    std::stable_sort(
        result.numbers.begin(),
        result.numbers.end(),
        [&](std::uint32_t a, std::uint32_t b) { return jobs.user[a] < jobs.user[b]; }
    );
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (i == 0 || jobs.user[result.numbers[i]] != jobs.user[result.numbers[i - 1]]) {
            result.begin.push_back(i);
        }
    }
    result.begin.push_back(jobs.size());
    for (std::size_t user = 0; user < result.users(); ++user) {
        double work = 0;
        for (const std::uint32_t number : result.of(user)) {
            work += jobs.processors[number] * jobs.run[number];
        }
        result.work.push_back(work);
    }
    return result;
}

/// Jobs of a week as they are collected, sequence by sequence.
struct ResampledUsers::PlacedJobs {
    std::vector<std::uint32_t> numbers;
    std::vector<double> submits;
    std::vector<std::int64_t> owners;
    std::vector<std::uint32_t> draws;
};

ResampledUsers::ResampledUsers(
    const JobList& jobs,
    const UserSequences& users,
    UserDraw draw,
    std::uint32_t weeks,
    const engine::Stream& stream,
    std::uint64_t first_word
)
    : jobs_(&jobs), users_(&users), weeks_(weeks) {
    SCHEDFARM_EXPECT(weeks >= 1, "a resampled log has a week");
    if (jobs.size() > 0) {
        draw == UserDraw::free ? draw_freely(stream, first_word) : draw_at_load(stream, first_word);
    }
}

void ResampledUsers::draw_freely(const engine::Stream& stream, std::uint64_t first_word) {
    const auto count = static_cast<std::uint32_t>(users_->users());
    const auto draws = static_cast<std::size_t>(
        std::max(1.0, std::floor(count * times_the_log(*jobs_, weeks_) + 0.5))
    );
    const auto drawn = words(stream, 2 * draws, first_word);
    FreeShifts shifts(count, weeks_);
    for (std::size_t k = 0; k < draws; ++k) {
        const std::size_t user = shifts.user_from(engine::scaled_word(drawn[2 * k], count));
        draws_.push_back({user, shifts.take(user, drawn[2 * k + 1])});
    }
}

/// The last user is drawn where the work comes closer to the log's with him than without.
void ResampledUsers::draw_at_load(const engine::Stream& stream, std::uint64_t first_word) {
    const std::vector<double>& work = users_->work;
    const double of_log = std::accumulate(work.begin(), work.end(), 0.0);
    const double wanted = of_log * times_the_log(*jobs_, weeks_);
    const auto next_words = [&] {
        return words(stream, 2, first_word + 2 * draws_.size());
    };
    double drawn = 0;
    std::vector<std::size_t> others;
    for (std::size_t user = 0; user < work.size(); ++user) {
        if (work[user] > largest_drawn_share * of_log) {
            draws_.push_back({user, engine::scaled_word(next_words()[1], weeks_)});
            drawn += work[user];
        } else {
            others.push_back(user);
        }
    }
    const auto count = static_cast<std::uint32_t>(others.size());
    FreeShifts shifts(count, weeks_);
    for (std::size_t left = others.size() * weeks_; left > 0 && drawn < wanted; --left) {
        const auto word = next_words();
        const std::size_t place = shifts.user_from(engine::scaled_word(word[0], count));
        const double own = work[others[place]];
        if (drawn + own - wanted > wanted - drawn && weeks_ > 1) {
            return;
        }
        draws_.push_back({others[place], shifts.take(place, word[1])});
        drawn += own;
    }
}

JobList ResampledUsers::week(std::uint32_t week) const {
    PlacedJobs placed;
    for (std::size_t k = 0; k < draws_.size(); ++k) {
        place(k, week, placed);
    }
    JobList result = picked(*jobs_, placed.numbers);
    result.submit = std::move(placed.submits);
    result.user = Column<std::int64_t>(std::move(placed.owners));
    result.copy = std::move(placed.draws);
    sort_by_submit(result);
    return result;
}

/// Of a sequence shifted by s weeks, its weeks w − s, w − s + weeks, … come to lie on week w.
void ResampledUsers::place(std::size_t draw, std::uint32_t week, PlacedJobs& placed) const {
    const double first = jobs_->submit.front();
    const std::uint32_t shift = draws_[draw].shift;
    const std::span<const std::uint32_t> sequence = users_->of(draws_[draw].user);
    const auto first_in = [&](std::uint32_t own_week) {
        return std::partition_point(sequence.begin(), sequence.end(), [&](std::uint32_t number) {
            return jobs_->submit[number] - first < own_week * week_s;
        });
    };
    const double last = jobs_->submit[sequence.back()] - first;
    for (std::uint32_t own = (week + weeks_ - shift) % weeks_; own * week_s <= last;
         own += weeks_) {
        const std::uint32_t rounds = (own + shift) / weeks_;
        const double around = rounds * (weeks_ * week_s);
        const auto end = first_in(own + 1);
        for (auto number = first_in(own); number != end; ++number) {
            const double place = jobs_->submit[*number] - first + shift * week_s;
            placed.numbers.push_back(*number);
            placed.submits.push_back(first + (place - around));
            placed.owners.push_back(static_cast<std::int64_t>(draw));
            placed.draws.push_back(static_cast<std::uint32_t>(draw));
        }
    }
}

namespace {

WholeWeeks weeks_from(double start, double count, std::span<const double> left_out) {
    WholeWeeks whole{.start = start, .count = static_cast<std::uint32_t>(std::max(0.0, count))};
    for (std::uint32_t week = 0; week < whole.count; ++week) {
        const double begin = whole.start + week * week_s;
        const auto is_it = [begin](double other) {
            return std::abs(other - begin) < 1;
        };
        if (std::none_of(left_out.begin(), left_out.end(), is_it)) {
            whole.drawn.push_back(week);
        }
    }
    return whole;
}

}  // namespace

WholeWeeks whole_weeks(const JobList& jobs, double week_start, std::span<const double> left_out) {
    if (jobs.size() == 0) {
        return {};
    }
    const double first = std::ceil((jobs.submit.front() - week_start) / week_s);
    const double end = std::floor((jobs.submit.back() - week_start) / week_s);
    return weeks_from(week_start + first * week_s, end - first, left_out);
}

WholeWeeks dense_weeks(const JobList& jobs, double start, std::span<const double> left_out) {
    constexpr double nearly_whole = 0.75;
    constexpr double last_day = 6;
    if (jobs.size() == 0) {
        return {};
    }
    const double end = std::floor((jobs.submit.back() - start) / week_s);
    WholeWeeks weeks = weeks_from(start, end, left_out);
    const auto before = static_cast<double>(first_at_or_after(jobs, start + end * week_s));
    const auto others = static_cast<double>(weeks.drawn.size());
    const double last = static_cast<double>(jobs.size()) - before;
    const double length = jobs.submit.back() - start - end * week_s;
    if (others > 0 && (length >= last_day * day_s || last * others >= nearly_whole * before)) {
        weeks.drawn.push_back(weeks.count++);
    }
    return weeks;
}

ResampledWeeks::ResampledWeeks(
    const JobList& jobs,
    WholeWeeks whole,
    std::uint32_t weeks,
    const engine::Stream& stream,
    std::uint64_t first_word
)
    : jobs_(&jobs), whole_(std::move(whole)), drawn_(words(stream, weeks, first_word)) {
    SCHEDFARM_EXPECT(!whole_.drawn.empty(), "the log has a whole week");
}

double ResampledWeeks::begin(std::uint32_t week) const {
    return whole_.start + week * week_s;
}

double ResampledWeeks::drawn_from(std::uint32_t week) const {
    const auto count = static_cast<std::uint32_t>(whole_.drawn.size());
    return whole_.start + whole_.drawn[engine::scaled_word(drawn_[week], count)] * week_s;
}

JobList ResampledWeeks::week(std::uint32_t week) const {
    const double from = drawn_from(week);
    const double to = begin(week);
    const std::size_t begin = first_at_or_after(*jobs_, from);
    std::vector<std::uint32_t> numbers(first_at_or_after(*jobs_, from + week_s) - begin);
    std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(begin));
    JobList result = picked(*jobs_, numbers);
    for (double& submit : result.submit) {
        submit = to + (submit - from);
    }
    result.copy.assign(result.size(), week);
    return result;
}

JobList shake(
    const JobList& jobs,
    std::uint32_t largest_s,
    const engine::Stream& stream,
    std::uint64_t first_word
) {
    SCHEDFARM_EXPECT(largest_s < (std::uint32_t{1} << 31), "the largest shift is below 2^31");
    JobList result = jobs;
    const auto drawn = words(stream, jobs.size(), first_word);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const double shift = 1.0 * engine::scaled_word(drawn[i], 2 * largest_s + 1) - largest_s;
        result.submit[i] = std::max(jobs.submit.front(), jobs.submit[i] + shift);
    }
    sort_by_submit(result);
    return result;
}

}  // namespace schedfarm::models::trace
