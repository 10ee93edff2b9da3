// How much memory a simulation of a log takes, counted: every allocation of this program goes
// through the operators below.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>

#include <doctest/doctest.h>
#include <malloc.h>
#include <unistd.h>

#include "app/simulate/schedule_summary.hpp"
#include "app/simulate/simulate.hpp"

namespace {

std::size_t live = 0;
std::size_t peak = 0;

void* counted(std::size_t size) {
    void* const memory = std::malloc(std::max<std::size_t>(size, 1));
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    live += malloc_usable_size(memory);
    peak = std::max(peak, live);
    return memory;
}

void give_back(void* memory) noexcept {
    if (memory != nullptr) {
        live -= malloc_usable_size(memory);
        std::free(memory);
    }
}

}  // namespace

void* operator new(std::size_t size) {
    return counted(size);
}
void* operator new[](std::size_t size) {
    return counted(size);
}
void operator delete(void* memory) noexcept {
    give_back(memory);
}
void operator delete[](void* memory) noexcept {
    give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    give_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    give_back(memory);
}

namespace schedfarm::app {

namespace {

namespace fs = std::filesystem;

/// A log with the columns that a normalised log of CTC has, and waits.
class WrittenLog {
  public:
    explicit WrittenLog(int jobs)
        : file_(
            fs::temp_directory_path() / ("schedfarm-memory-" + std::to_string(getpid()) + ".swf")
        ) {
        std::ofstream text(file_);
        text << "; MaxProcs: 64\n";
        for (int i = 0; i < jobs; ++i) {  // lines of one length, as the reader expects them to be
            const int size = 10 + i * 7 % 32;
            const int run = 1000 + i * 37 % 4000;
            text << 100000 + i << ' ' << 10000000 + i * 1500 << ' ' << 10000 + i % 80000 << ' '
                 << run << ' ' << size << " -1 -1 " << size << ' ' << run * 2 + 2000 << " -1 1 "
                 << 10 + i % 90 << " -1 " << 100 + i % 300 << " 3 -1 -1 -1\n";
        }
    }
    WrittenLog(const WrittenLog&) = delete;
    WrittenLog& operator=(const WrittenLog&) = delete;
    ~WrittenLog() { fs::remove(file_); }

    std::string file() const { return file_.string(); }

  private:
    fs::path file_;
};

/// Most bytes in use at once.
double bytes_in_use(int jobs) {
    const WrittenLog log(jobs);
    SimulationRequest request;
    request.trace = log.file();
    request.policy = "easy";
    request.clusters = "64";
    const std::size_t before = live;
    peak = live;
    const Simulation simulation = simulate(request, SimulatorChoice::automatic);
    const ScheduleSummary summary = summarise_schedule(simulation.log, 64, Occupation::unbroken);
    CHECK(summary.jobs == static_cast<std::uint64_t>(jobs));
    CHECK(simulation.logged_waits.front().values.n == static_cast<std::uint64_t>(jobs));
    return static_cast<double>(peak - before);
}

}  // namespace

TEST_CASE("reading and simulating and summarising a log takes at most 110 bytes per job") {
    constexpr int few = 20000;
    constexpr int many = 60000;
    static_cast<void>(bytes_in_use(few));  // what is made once, such as the catalogues
    const double per_job = (bytes_in_use(many) - bytes_in_use(few)) / (many - few);
    CAPTURE(per_job);
    CHECK(per_job > 36);  // the log of the schedule alone
    CHECK(per_job <= 110);
    MESSAGE(per_job << " bytes per job");
}

}  // namespace schedfarm::app
