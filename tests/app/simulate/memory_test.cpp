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

#include "models/trace/prepared_log.hpp"

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
namespace trace = models::trace;

/// A log with the columns that a normalised log of CTC has.
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
            text << 100000 + i << ' ' << 10000000 + i * 1500 << " -1 " << run << ' ' << size
                 << " -1 -1 " << size << ' ' << run * 2 + 2000 << " -1 1 " << 10 + i % 90 << " -1 "
                 << 100 + i % 300 << " 3 -1 -1 -1\n";
        }
    }
    WrittenLog(const WrittenLog&) = delete;
    WrittenLog& operator=(const WrittenLog&) = delete;
    ~WrittenLog() { fs::remove(file_); }

    std::string file() const { return file_.string(); }
    /// Bytes of the columns that the log gives, held during a simulation or not.
    std::size_t columns() const {
        const trace::Log log = trace::opened_log(file());
        std::size_t bytes = 0;
        trace::for_each_column(log, [&bytes](trace::Field, const auto& column) {
            bytes += column.values().size_bytes();
        });
        return bytes;
    }

  private:
    fs::path file_;
};

/// Columns are made for the jobs that are expected and 2 % more, and of the first lines, which are
/// short, more are expected than come. What stays unused takes none of the machine's memory.
constexpr double made_for = 1.05;

/// Most bytes in use at once beyond the log's own columns.
double bytes_beyond_columns(int jobs) {
    const WrittenLog log(jobs);
    const std::size_t columns = log.columns();
    SimulationRequest request;
    request.trace = log.file();
    request.policy = "easy";
    request.clusters = "64";
    const std::size_t before = live;
    peak = live;
    const Simulation simulation = simulate(request, SimulatorChoice::automatic);
    const ScheduleSummary summary = summarise_schedule(simulation.log, 64, Occupation::unbroken);
    CHECK(summary.jobs == static_cast<std::uint64_t>(jobs));
    return static_cast<double>(peak - before) - made_for * static_cast<double>(columns);
}

}  // namespace

TEST_CASE(
    "reading and simulating and summarising a log takes at most 64 bytes per job above its columns"
) {
    constexpr int few = 20000;
    constexpr int many = 60000;
    static_cast<void>(bytes_beyond_columns(few));  // what is made once, such as the catalogues
    const double per_job = (bytes_beyond_columns(many) - bytes_beyond_columns(few)) / (many - few);
    CAPTURE(per_job);
    CHECK(per_job > 0);  // a list of the jobs is made beside the columns
    CHECK(per_job <= 64);
    constexpr int not_held = 8;  // status and executable, which no simulation asks for
    CHECK(per_job + not_held <= 64);
    MESSAGE(per_job << " bytes per job above the log's own columns");
}

}  // namespace schedfarm::app
