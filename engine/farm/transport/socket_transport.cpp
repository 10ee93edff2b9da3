#include "engine/farm/transport/socket_transport.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

constexpr int most_vain_deaths = 6;
constexpr double overdue_factor = 10;
constexpr double overdue_at_least_seconds = 10;
constexpr double look_seconds = 1;

double steady_now_s() {
    using std::chrono::steady_clock;
    return std::chrono::duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Takes the first whole message off the bytes; absent: there is none yet.
std::optional<Bytes> take_frame(Bytes& bytes, std::size_t& begin) {
    std::uint64_t size = 0;
    if (bytes.size() - begin < sizeof size) {
        return std::nullopt;
    }
    std::memcpy(&size, bytes.data() + begin, sizeof size);
    if (bytes.size() - begin - sizeof size < size) {
        return std::nullopt;
    }
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(begin + sizeof size);
    begin += sizeof size + size;
    return Bytes(first, first + static_cast<std::ptrdiff_t>(size));
}

/// Sends what there is room for, and drops it from the bytes. A connection that cannot be written
/// to (the other end is gone, or the machine has no memory for the bytes) is ended: a worker that
/// still lives ends with it, and its death is seen when it is read from.
void send_some(int socket, Bytes& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t count =
            ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            if (errno != EAGAIN) {
                ::shutdown(socket, SHUT_RDWR);
                sent = bytes.size();
            }
            break;
        }
        sent += static_cast<std::size_t>(count);
    }
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(sent));
}

}  // namespace

ChildrenTransport::ChildrenTransport(
    WorkerServer& server, std::uint32_t first_rank, OnOverdueTask on_overdue
)
    : server_(server)
    , first_rank_(first_rank)
    , on_overdue_(std::move(on_overdue))
    , workers_(server.workers()) {
    for (std::uint32_t worker = 0; worker < workers(); ++worker) {
        workers_[worker].socket = server.take_socket(worker);
    }
}

std::optional<ReceivedReport> ChildrenTransport::receive(double at_most_seconds) {
    if (ready_.empty()) {
        wait_and_read(at_most_seconds);
    }
    if (on_overdue_ && since_look_.seconds() > look_seconds) {
        since_look_ = Stopwatch();
        look_for_overdue();
    }
    if (ready_.empty()) {
        return std::nullopt;
    }
    ReceivedReport report = std::move(ready_.front());
    ready_.pop_front();
    return report;
}

void ChildrenTransport::wait_and_read(double at_most_seconds) {
    std::vector<pollfd> watched;
    for (const WorkerState& worker : workers_) {
        const auto events = static_cast<short>(POLLIN | (worker.to_send.empty() ? 0 : POLLOUT));
        watched.push_back({.fd = worker.socket.number(), .events = events, .revents = 0});
    }
    const auto whole_s = static_cast<time_t>(at_most_seconds);
    const timespec most{
        whole_s, static_cast<long>(1e9 * (at_most_seconds - static_cast<double>(whole_s)))};
    const Stopwatch waited;
    const int ready = ::ppoll(watched.data(), watched.size(), &most, nullptr);
    waited_seconds_ += waited.seconds();
    for (std::uint32_t worker = 0; ready > 0 && worker < workers(); ++worker) {
        if ((watched[worker].revents & POLLOUT) != 0) {
            send_some(workers_[worker].socket.number(), workers_[worker].to_send);
        }
        if ((watched[worker].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
            read(worker);
        }
    }
}

void ChildrenTransport::read(std::uint32_t worker) {
    WorkerState& state = workers_[worker];
    bool is_dead = false;
    while (true) {
        std::array<std::byte, std::size_t{64} << 10> buffer;  // NOLINT: filled by recv
        const ssize_t count =
            ::recv(state.socket.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            is_dead = count == 0 || errno != EAGAIN;
            break;
        }
        state.received.insert(state.received.end(), buffer.begin(), buffer.begin() + count);
    }
    std::size_t begin = 0;
    while (const auto message = take_frame(state.received, begin)) {
        take_message(worker, *message);
    }
    state.received.erase(
        state.received.begin(), state.received.begin() + static_cast<std::ptrdiff_t>(begin)
    );
    if (is_dead) {
        bury(worker);
    }
}

void ChildrenTransport::take_message(std::uint32_t worker, const Bytes& message) {
    WorkerReport report = decode_report(message);
    switch (report.kind) {
        case ReportKind::hello:
            if (!std::exchange(workers_[worker].has_said_hello, true)) {
                report.first_rank = first_rank_ + worker;
                ready_.push_back({worker, std::move(report)});
            }
            return;
        case ReportKind::alive:  // of ranks only
            return;
        case ReportKind::broken:
            throw WorkerBroken(report.text);
        case ReportKind::results:
            take_results(worker, std::move(report.results));
            return;
    }
}

void ChildrenTransport::take_results(std::uint32_t worker, std::vector<TaskResult> results) {
    WorkerState& state = workers_[worker];
    for (TaskResult& result : results) {
        SCHEDFARM_EXPECT(
            !state.tasks.empty() && state.tasks.front().id == result.id,
            "a result that is not of the worker's next task"
        );
        state.tasks.pop_front();
        result.rank = first_rank_ + worker;
    }
    state.vain_deaths = 0;
    ready_.push_back({worker, {.kind = ReportKind::results, .results = std::move(results)}});
}

void ChildrenTransport::bury(std::uint32_t worker) {
    WorkerState& state = workers_[worker];
    NewWorker next = server_.replacement_of(worker);
    state.socket = std::move(next.socket);
    state.received.clear();
    state.to_send.clear();
    Desk& desk = server_.desk(worker);
    std::vector<TaskResult> done = server_.take_done(worker);
    std::erase_if(done, [&](const TaskResult& result) {  // what was sent, too
        return std::none_of(state.tasks.begin(), state.tasks.end(), [&](const Task& task) {
            return task.id == result.id;
        });
    });
    if (!done.empty()) {
        take_results(worker, std::move(done));
    }
    const std::uint64_t first = desk.first;
    const std::uint32_t together = desk.count.exchange(0);
    const double seconds = steady_now_s() - desk.began_s;
    if (together == 0 && ++state.vain_deaths == most_vain_deaths) {
        throw std::runtime_error(fmt::format(
            "{} workers in a row have died before they executed anything ({}). Look for a limit of "
            "this "
            "machine that is too low.",
            most_vain_deaths,
            next.last.message
        ));
    }
    if (together == 1) {
        const auto blamed =
            std::find_if(state.tasks.begin(), state.tasks.end(), [&](const Task& task) {
                return task.id.value == first;
            });
        if (blamed != state.tasks.end()) {  // and not killed just after it was done
            TaskResult result;
            result.id = blamed->id;
            result.status = next.last.status;
            result.message = next.last.message;
            result.seconds = seconds;
            result.rank = first_rank_ + worker;
            state.tasks.erase(blamed);
            ready_.push_back({worker, {.kind = ReportKind::results, .results = {result}}});
        }
    }
    give_again(worker, first, together > 1 ? together : 0);
}

/// What the worker had, to the one in its place; `together` tasks from `first` on one by one.
void ChildrenTransport::give_again(
    std::uint32_t worker, std::uint64_t first, std::size_t together
) {
    WorkerState& state = workers_[worker];
    std::vector<Task> bundle;
    const auto post_bundle = [&] {
        if (!bundle.empty()) {
            post(state, {OrderKind::work, std::exchange(bundle, {})});
        }
    };
    std::size_t alone = 0;
    for (const Task& task : state.tasks) {
        if (task.id.value == first) {
            alone = together;
        }
        if (alone > 0) {
            --alone;
            post_bundle();
            post(state, {OrderKind::work, {task}});
        } else {
            bundle.push_back(task);
        }
    }
    post_bundle();
}

void ChildrenTransport::send(std::uint32_t worker, const Order& order) {
    if (order.kind == OrderKind::stop) {
        return;  // they end with their server
    }
    WorkerState& state = workers_[worker];
    state.tasks.insert(state.tasks.end(), order.tasks.begin(), order.tasks.end());
    post(state, order);
}

void ChildrenTransport::post(WorkerState& worker, const Order& order) {
    append_framed(worker.to_send, encode(order));
    send_some(worker.socket.number(), worker.to_send);
}

void ChildrenTransport::look_for_overdue() {
    for (std::uint32_t worker = 0; worker < workers(); ++worker) {
        WorkerState& state = workers_[worker];
        const Desk& desk = server_.desk(worker);
        const TaskId id{desk.first};
        const double seconds = steady_now_s() - desk.began_s;
        const auto task = std::find_if(
            state.tasks.begin(), state.tasks.end(), [id](const Task& one) { return one.id == id; }
        );
        const std::uint32_t together = desk.count;
        if (together == 0 || task == state.tasks.end() || state.overdue == id) {
            continue;
        }
        const double predicted_s = together * task->predicted_seconds;
        if (predicted_s > 0
            && seconds > std::max(overdue_at_least_seconds, overdue_factor * predicted_s)) {
            state.overdue = id;
            on_overdue_({id, seconds, predicted_s});
        }
    }
}

Order SocketWorkerTransport::receive() {
    const auto message = receive_message(socket_);
    if (!message) {
        ::_exit(0);
    }
    return decode_order(*message);
}

void SocketWorkerTransport::send(const WorkerReport& report) {
    if (!send_message(socket_, encode(report))) {
        ::_exit(0);
    }
}

}  // namespace schedfarm::engine
