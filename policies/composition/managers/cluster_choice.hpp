// Which cluster a manager chooses for a job, or which clusters together, by what it knows of them:
// when each could start the job, as it is or as it was a while ago, and what each has to do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/simulation/policy.hpp"

#include "policies/composition/managers/managers.hpp"
#include "policies/composition/reserved_parts.hpp"

namespace schedfarm::policies {

/// What a cluster has of a job, or is asked to have.
struct JobPiece {
    enum class State : std::uint8_t { asked, accepted, ended };
    std::uint32_t cluster = 0;
    std::uint32_t size = 0;
    State state = State::asked;
};

/// A job that is placed, or about to be.
struct Ticket {
    enum class Step : std::uint8_t { rising, inquiring, reserving, committing, aborting, settled };
    /// When a cluster said that it could start the job.
    struct Told {
        std::uint32_t cluster = 0;
        double time = 0;
    };
    /// To another cluster, of a job that is placed whole.
    struct Move {
        JobPiece to;
        double start = 0;
    };

    std::uint32_t home = 0;
    std::uint32_t node = 0;  ///< that decides
    Part::Standing standing = Part::Standing::local;
    Step step = Step::settled;
    std::uint32_t sender = 0;                     ///< that handed it up last
    bool is_taken = true;                         ///< whom it was handed up to has said so
    std::uint64_t index = 0;                      ///< of the job
    double fixed_start = engine::no_fixed_start;  ///< a refused reservation is none any more
    double start = 0;                             ///< asked for
    double from = 0;  ///< no common start of several clusters is looked for before
    std::uint32_t declines = 0;
    std::vector<Told> told;
    std::vector<JobPiece> pieces;
    std::optional<Move> move;

    bool is_fixed() const { return fixed_start != engine::no_fixed_start; }
    bool all_are(JobPiece::State state) const;
    /// Null: the cluster has none and is not asked.
    JobPiece* find_piece(std::uint32_t cluster);
    /// As the cluster of a piece sees the job, which starts at `at` if it is one of several.
    engine::Job as_seen(engine::Job job, const JobPiece& piece, double at) const;
};

class ClusterChoice {
  public:
    /// The plan and the clusters must outlive it.
    ClusterChoice(const ManagersPlan& plan, ReservedParts& clusters)
        : plan_(plan), clusters_(clusters), shadows_(clusters.size()), loads_(clusters.size()) {}

    /// Sets start and pieces of a job, with its ticket's fixed start: of the clusters under its
    /// node the one with the earliest start, or where none is large enough the first that suffice
    /// together, with the earliest common start.
    void choose(Ticket& job, const engine::Job& seen, double now);
    /// How a job that is placed whole could move ahead.
    struct Ahead {
        double planned = 0;  ///< when it starts
        double own = 0;      ///< when it could on its own cluster
        double from = 0;     ///< elsewhere not before
        bool may_leave = true;
    };
    /// The cluster under its node where it could start earliest, if that is before it does.
    std::optional<Ticket::Told> choose_earlier(
        const Ticket& job, const engine::Job& seen, const Ahead& ahead, double now
    );
    /// Whether the cluster chosen has been asked.
    static bool is_told(const Ticket& job);
    /// When what is chosen now can be committed: after a reservation and, unless the cluster has
    /// been asked, an inquiry.
    double soonest(const Ticket& job, double now, bool is_asked) const;

    /// Forgets what was known of the cluster.
    void forget(std::uint32_t cluster) { shadows_[cluster].outlook.reset(); }
    /// Counts processors × time that the cluster has to do.
    void add_load(std::uint32_t cluster, double processor_time) {
        loads_[cluster] += processor_time / plan_.tree.processors(cluster);
    }

  private:
    struct Shadow {
        std::unique_ptr<engine::StartOutlook> outlook;
        double time = 0;  // at which it was true
    };

    void choose_one(Ticket& job, const engine::Job& seen, double now);
    void choose_several(Ticket& job, const engine::Job& seen, double now);
    void divide(Ticket& job, std::uint32_t size, std::uint64_t processors) const;
    double common_start(const Ticket& job, engine::Job seen, double now);
    double known_start(std::uint32_t cluster, const engine::Job& seen, double from, double now);
    /// Of two clusters that are as good the one with the smaller key.
    std::tuple<bool, double, std::uint32_t> tie_key(std::uint32_t cluster, const Ticket& job) const;

    const ManagersPlan& plan_;
    ReservedParts& clusters_;
    std::vector<Shadow> shadows_;
    std::vector<double> loads_;
};

}  // namespace schedfarm::policies
