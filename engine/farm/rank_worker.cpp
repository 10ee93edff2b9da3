#include "engine/farm/rank_worker.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/farm/transport/mpi_transport.hpp"
#include "engine/farm/worker.hpp"

namespace schedfarm::engine {

namespace {

/// Results wait for those of other children no longer than this.
constexpr double longest_gathering_seconds = 0.005;
constexpr double shortest_pause_seconds = 20e-6;
/// While nobody waits for an order.
constexpr double longest_pause_seconds = 0.005;
/// While a child has nothing to do.
constexpr double longest_idle_pause_seconds = 0.001;
/// One bundle under execution and one ahead: the answer of this process is not waited for.
constexpr std::size_t bundles_per_child = 2;

class RankWorker {
  public:
    RankWorker(ChildrenTransport& children, std::uint32_t first_rank, double silence_seconds)
        : children_(children), silence_seconds_(silence_seconds), given_(children.workers()) {
        master_.send(
            {.kind = ReportKind::hello,
             .text = host_name(),
             .first_rank = first_rank,
             .children = children.workers()}
        );
    }

    void run() {
        while (take_orders()) {
            give_bundles(1);
            give_bundles(bundles_per_child);
            if (auto received = children_.receive(pause_seconds())) {
                since_message_ = Stopwatch();
                take(*received);
            }
            if (is_report_due()) {
                master_.send({.kind = ReportKind::results, .results = std::exchange(results_, {})});
            }
            listen();
        }
        while (!master_.is_all_sent()) {  // only a word that this process is there, if anything
            master_.receive();
            listen();
        }
    }

  private:
    /// Says to the master that this process is there, and that it is not if it does not say so. It
    /// may be long at work before its first word.
    void listen() {
        const double now_s = awake_.seconds();
        if (heard_s_ && now_s - *heard_s_ >= silence_seconds_) {
            throw std::runtime_error(fmt::format(
                "nothing has been heard of the master for {:.0f} s: this rank ends. What the "
                "master "
                "has taken in is in the journal, `schedfarm resume` goes on from it",
                silence_seconds_
            ));
        }
        if (now_s - alive_said_s_ >= silence_seconds_ / 5) {
            alive_said_s_ = now_s;
            master_.send({.kind = ReportKind::alive});
        }
    }

    /// False: stop.
    bool take_orders() {
        while (auto order = master_.receive()) {
            heard_s_ = awake_.seconds();
            if (order->kind == OrderKind::stop) {
                return false;
            }
            if (order->kind == OrderKind::alive) {
                continue;
            }
            since_message_ = Stopwatch();
            auto task = order->tasks.begin();
            for (const std::uint32_t size : order->bundle_sizes) {
                bundles_.push_back({OrderKind::work, {}});
                auto& tasks = bundles_.back().tasks;
                tasks.reserve(size);
                std::move(task, task + size, std::back_inserter(tasks));
                task += size;
            }
        }
        return true;
    }

    void give_bundles(std::size_t most_per_child) {
        for (std::uint32_t child = 0; child < given_.size() && !bundles_.empty(); ++child) {
            if (given_[child].size() < most_per_child) {
                given_[child].push_back(bundles_.front().tasks.size());
                children_.send(child, bundles_.front());
                bundles_.pop_front();
            }
        }
    }

    void take(ReceivedReport& received) {
        if (received.report.kind == ReportKind::hello) {
            return;
        }
        auto& given = given_[received.worker];
        for (std::size_t left = received.report.results.size(); left > 0;) {
            const std::size_t of_this = std::min(left, given.front());
            given.front() -= of_this;
            left -= of_this;
            if (given.front() == 0) {
                given.pop_front();
            }
        }
        if (results_.empty()) {
            since_oldest_result_ = Stopwatch();
        }
        ++reports_;
        std::move(
            received.report.results.begin(),
            received.report.results.end(),
            std::back_inserter(results_)
        );
    }

    bool is_idle() const {
        return std::any_of(given_.begin(), given_.end(), [](const auto& given) {
            return given.empty();
        });
    }

    bool is_report_due() {
        const bool is_all = std::all_of(given_.begin(), given_.end(), [](const auto& given) {
            return given.empty();
        });
        const bool is_due = !results_.empty()
                            && ((is_all && bundles_.empty()) || reports_ >= given_.size()
                                || since_oldest_result_.seconds() >= longest_gathering_seconds);
        reports_ = is_due ? 0 : reports_;
        return is_due;
    }

    /// Longer the longer nothing has come.
    double pause_seconds() const {
        const double longest = is_idle() ? longest_idle_pause_seconds : longest_pause_seconds;
        const double pause =
            std::clamp(since_message_.seconds() / 8, shortest_pause_seconds, longest);
        return results_.empty()
                   ? pause
                   : std::min(
                       pause,
                       std::max(0.0, longest_gathering_seconds - since_oldest_result_.seconds())
                   );
    }

    ChildrenTransport& children_;
    MpiWorkerTransport master_;
    double silence_seconds_;
    AwakeClock awake_;
    std::optional<double> heard_s_;  // of the master, on that clock
    double alive_said_s_ = 0;
    std::deque<Order> bundles_;                   // not given yet
    std::vector<std::deque<std::size_t>> given_;  // by child: what is left of its bundles
    std::vector<TaskResult> results_;
    std::size_t reports_ = 0;  // that these results came in
    Stopwatch since_oldest_result_;
    Stopwatch since_message_;
};

}  // namespace

void serve_master_over_mpi(
    ChildrenTransport& children, std::uint32_t first_rank, double silence_seconds
) {
    RankWorker(children, first_rank, silence_seconds).run();
}

}  // namespace schedfarm::engine
