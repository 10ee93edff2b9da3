// Independent replications from one log. Pure functions of their arguments and a random stream.
//
// ResampledUsers follows Zakay & Feitelson, "Workload resampling for performance evaluation of
// parallel job schedulers" (ICPE 2013): each user drawn comes with his whole sequence of jobs,
// moved by a whole number of weeks, so that a user's habits, days of the week and hours of the day
// stay. Every sequence lies anywhere on a circle of weeks, with equal probabilities, and what
// leaves it at the end comes in again at the beginning. At the load of the log, users who bring
// more than a fiftieth of its work come once each, as their long-term users do, and others are
// drawn with replacement until the work is that of the log. Drawn freely, all are, as many as there
// are: only the load expected is the log's, and where few bring most of the work the means of
// waits are several times the log's own. A user who is
// drawn again begins in another week than before: with equal shifts all his jobs would come in
// pairs (on ten weeks of M/M/1 at .8 by 50 users the mean response rises by 9 %).
//
// ResampledWeeks draws whole weeks with replacement (a block bootstrap): dependences within a week
// stay, those between weeks go.
//
// shake follows Tsafrir, Ouaknine & Feitelson, "Reducing performance evaluation sensitivity and
// variability by input shaking" (MASCOTS 2007): submits move a little, which shows how much of a
// result hangs on coincidence. Shaken copies are independent given the log, and
// say nothing of other logs: their intervals are those of the mean over all shakes of this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/random/stream.hpp"

#include "models/trace/job_list.hpp"

namespace schedfarm::models::trace {

/// Weeks that hold the submits from the first to the last, rounded up; at least 1.
std::uint32_t weeks_spanned(const JobList& jobs);

/// The jobs of each user in the order of their submission, users by increasing number; jobs without
/// a user count as those of one. Made once for all replications of a log.
struct UserSequences {
    std::vector<std::uint32_t> numbers;  ///< of the jobs of all users
    std::vector<std::size_t> begin;  ///< in `numbers`: of user u begin[u] … begin[u + 1] − 1
    std::vector<double> work;        ///< of user u, processor seconds

    std::size_t users() const { return begin.empty() ? 0 : begin.size() - 1; }
    std::span<const std::uint32_t> of(std::size_t user) const {
        return std::span(numbers).subspan(begin[user], begin[user + 1] - begin[user]);
    }
};

UserSequences user_sequences(const JobList& jobs);

enum class UserDraw : std::uint8_t { at_load, free };

/// Users on a circle of `weeks` weeks from the first submit on, drawn week by week, so that only
/// those that are needed need be. A sequence longer than the circle overlaps itself. Draw k takes
/// the words first_word + 2k (the user, by increasing number; the next one where his sequence has
/// begun in every week) and first_word + 2k + 1 (which of the weeks in which it has not) of the
/// stream; his jobs get the user number k. At the log's load the first draws are those of the users
/// who come once, whose first word is not used. On a circle of one week every user is drawn once.
/// REQUIRES: the jobs stay where they are, as do the sequences, which are theirs; weeks >= 1.
class ResampledUsers {
  public:
    ResampledUsers(
        const JobList& jobs,
        const UserSequences& users,
        UserDraw draw,
        std::uint32_t weeks,
        const engine::Stream& stream,
        std::uint64_t first_word = 0
    );

    /// The jobs of week 0 … weeks − 1 from the first submit on. ENSURES: every submit is that of
    /// the job's row plus whole weeks. Cost: O(users drawn · log jobs) beside that of the jobs
    /// returned.
    JobList week(std::uint32_t week) const;

  private:
    struct Drawn {
        std::size_t user;
        std::uint32_t shift;  ///< in weeks
    };
    struct PlacedJobs;

    void draw_freely(const engine::Stream& stream, std::uint64_t first_word);
    void draw_at_load(const engine::Stream& stream, std::uint64_t first_word);
    void place(std::size_t draw, std::uint32_t week, PlacedJobs& placed) const;

    const JobList* jobs_;
    const UserSequences* users_;
    std::uint32_t weeks_;
    std::vector<Drawn> draws_;
};

/// The weeks that a log holds from beginning to end.
struct WholeWeeks {
    double start = 0;  ///< of the first
    std::uint32_t count = 0;
    std::vector<std::uint32_t> drawn = {};  ///< numbers of those that may be drawn, from 0
};

/// The whole weeks between the first and the last submit. `week_start`: any instant at which a week
/// begins, such as a Monday 00:00. `left_out`: begins of weeks that are not drawn.
WholeWeeks whole_weeks(
    const JobList& jobs, double week_start, std::span<const double> left_out = {}
);

/// The weeks of a log that is dense, from `start` on, at most a week before the first submit; the
/// last may end behind the last submit where that lies on its last day, or where it has three
/// quarters of the jobs of the others, so that a log from a Monday morning to a Sunday night loses
/// no week. None where none is whole.
WholeWeeks dense_weeks(const JobList& jobs, double start, std::span<const double> left_out = {});

/// Weeks drawn from the whole weeks of the log, word first_word + k for week k; they follow one
/// another from the start of the first whole week on. User numbers stay.
/// REQUIRES: the log has a week that may be drawn; the jobs stay where they are.
class ResampledWeeks {
  public:
    ResampledWeeks(
        const JobList& jobs,
        WholeWeeks whole,
        std::uint32_t weeks,
        const engine::Stream& stream,
        std::uint64_t first_word = 0
    );

    /// The jobs of week 0 … weeks − 1. Cost: O(log jobs) beside that of the jobs returned.
    JobList week(std::uint32_t week) const;
    /// When that week begins, and the one of the log that was drawn for it.
    double begin(std::uint32_t week) const;
    double drawn_from(std::uint32_t week) const;

  private:
    const JobList* jobs_;
    WholeWeeks whole_;
    std::vector<std::uint32_t> drawn_;
};

/// Every submit moved by a whole number of seconds, uniform on −largest_s … largest_s, but not
/// before the first submit; word first_word + i for job i. REQUIRES: largest_s < 2^31.
JobList shake(
    const JobList& jobs,
    std::uint32_t largest_s,
    const engine::Stream& stream,
    std::uint64_t first_word = 0
);

}  // namespace schedfarm::models::trace
