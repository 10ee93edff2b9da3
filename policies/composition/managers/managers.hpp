// A tree of managers over clusters (Hollingsworth & Maneewongvatana 1999, sections 2.3 and 2.4).
//
// A job is submitted at its home cluster. One that the promotion rules name is handed up until
// they let a manager decide; where jobs are forwarded, one whose cluster could start it only later
// than the bump is handed up, too, and from manager to manager as long as the best start that each
// finds is later than that. Every other job is placed at home.
//
// A manager decides by what it knows of its clusters (`staleness`), and then asks: an inquiry to
// the cluster of the earliest start, which confirms it or says when it could; then a reservation,
// which the cluster accepts or declines; then a commit. A job larger than each cluster goes to the
// first clusters, as ties have it, that suffice together, in pieces as large as the clusters'
// shares, with a common start, and is reserved without inquiry: all accept and it is committed, or
// every piece is given up, and the manager looks again from the latest start that was offered. No
// answer in time is an abort; commits and aborts are repeated until they are answered. A job starts
// when all its pieces are committed and have their processors. No piece holds processors without
// its job: where one begins and the job cannot start at that instant it lapses, for its commit was
// lost or another piece waits for a job that runs longer than planned. When all have lapsed the
// manager chooses anew; one that is alone is placed when its commit comes. An advance reservation
// that no cluster grants is refused, and its job goes on like any other.
//
// Where something is freed calendars move jobs ahead, promoted ones first, and the manager may move
// a promoted job that waits whole to any of its clusters with a calendar (section 2.3). Without
// delay and with fresh knowledge it says who moves: at an instant at which any slot is divided
// once, else once for each cluster with an early end, by number, each promoted job in order of
// submission gives up its place for the earliest start of all clusters that is before its own; then
// the local jobs, of all clusters or of that one, move ahead on theirs. With delays or old
// knowledge every calendar moves its own jobs ahead, and at a division, or told of an early end,
// the manager has each promoted job in turn, which may be on its way with others, inquire at the
// cluster that it believes in, reserve there and be released by the cluster that has it, which
// keeps it if it starts no later. Only then the new reservation is committed: the job is in one
// cluster, or between two until a commit comes that its new start waits for. A job in two clusters
// at once, or in none when its time comes, could only follow from a lost message: where messages
// are lost none moves.
//
// At one instant: completions and the timers of clusters; messages in order of sending; jobs that
// move ahead over clusters; arrivals, one after the other. Without delay a message is answered at
// once: each job is placed before the next one comes.
// Cost: beside that of the inner policies O(clusters) questions for a job that is handed up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/planning/planning_options.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/composition/inner_policy.hpp"
#include "policies/composition/job_route.hpp"
#include "policies/composition/managers/manager_tree.hpp"

namespace schedfarm::policies {

/// What managers and clusters say to each other (engine::Message::kind).
enum class MessageKind : std::uint32_t {
    request,   ///< up: a job
    taken,     ///< down: it has come
    inquiry,   ///< down: could it start by this time?
    offer,     ///< up: it could start at this time
    reserve,   ///< down: reserve for it, or for a piece of it, by this time
    accepted,  ///< up: that was done
    declined,  ///< up: it was not; the earliest time that was possible
    commit,    ///< down: the reservation stands
    abort,     ///< down: it is given up
    done,      ///< up: after a commit or an abort
    release,   ///< down: it could start elsewhere at this time
    released,  ///< up: it starts later, and is given up
    kept,      ///< up: it starts no later, or has started
    freed,     ///< up: a job has ended early
};

/// Which of several clusters that offer the same start.
enum class TieRule : std::uint8_t { lowest_index, least_loaded, home_first };

/// Where promoted jobs that wait may move ahead.
enum class BackfillOver : std::uint8_t { own_cluster, all_clusters };

/// Which jobs a node hands up whatever its clusters could offer.
struct PromotionRule {
    double share = 1;   ///< more than this share of its processors
    double length = 0;  ///< planned for this time or longer
    double size = 0;    ///< at least so many processors
};

struct ManagersPlan {
    ManagerTree tree;
    JobRoute route;                        ///< home clusters
    std::vector<InnerPolicy> inner;        ///< by cluster
    std::vector<PromotionRule> promotion;  ///< by level; the last for all above
    TieRule tie = TieRule::lowest_index;
    BackfillOver backfill_over = BackfillOver::all_clusters;
    engine::RunTime run_time = engine::RunTime::requested;
    double bump = 0;                  ///< a start later than this ahead is too late
    double message_delay = 0;         ///< per level
    double staleness = 0;             ///< of what managers know of the clusters
    double time_out = 0;              ///< after which no answer is an abort
    double most_deficit = 0;          ///< processor-hours
    std::vector<std::uint32_t> lost;  ///< messages, by number from 1, ascending

    /// Whether the promotion rules of a node name such a job.
    bool promotes(std::uint32_t node, std::uint32_t size, double duration) const {
        const PromotionRule& rule =
            promotion[std::min<std::size_t>(tree.level(node), promotion.size() - 1)];
        return size > rule.share * tree.processors(node) || duration >= rule.length
               || size >= rule.size;
    }
    /// Whether jobs move between clusters.
    bool moves_jobs() const { return backfill_over == BackfillOver::all_clusters && lost.empty(); }
    /// Whether managers say when calendars move jobs ahead.
    bool moves_at_once() const { return moves_jobs() && message_delay == 0 && staleness == 0; }
    /// When the last of `messages` between a node and its clusters comes, each of which answers the
    /// one before.
    double after_messages(int messages, std::uint32_t node, double now) const {
        for (int i = 0; i < messages; ++i) {
            now += message_delay * tree.level(node);  // rounded as when they are sent
        }
        return now;
    }
};

/// Of its parameters. REQUIRES: no problem.
ManagersPlan managers_plan(
    const engine::Parameters& given, const engine::SystemDescription& system
);

std::unique_ptr<engine::Policy> make_managers(
    ManagersPlan plan, const engine::PolicyContext& context
);

inline constexpr const char* messages_sent = "messages";
inline constexpr const char* reservations_declined = "declines";
inline constexpr const char* jobs_moved = "jobs_moved";

}  // namespace schedfarm::policies
