#include "campaigns/report/job_colours.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

namespace schedfarm::campaigns {

namespace {

constexpr std::array<Colour, 8> distinct{{
    {0x77, 0xaa, 0xdd},
    {0xee, 0x88, 0x66},
    {0xee, 0xdd, 0x88},
    {0xff, 0xaa, 0xbb},
    {0x99, 0xdd, 0xff},
    {0x44, 0xbb, 0x99},
    {0xbb, 0xcc, 0x33},
    {0xaa, 0xaa, 0x00},
}};

constexpr std::array<Colour, 7> ordered{{
    {0xfe, 0xe3, 0x91},
    {0xfe, 0xc4, 0x4f},
    {0xfb, 0x9a, 0x29},
    {0xec, 0x70, 0x14},
    {0xcc, 0x4c, 0x02},
    {0x99, 0x34, 0x04},
    {0x66, 0x25, 0x06},
}};

struct WaitClass {
    double longest;
    const char* meaning;
};

using WaitClasses = std::array<WaitClass, 6>;

constexpr WaitClasses waits_in_seconds{{
    {0, "no wait"},
    {60, "up to 1 min"},
    {600, "10 min"},
    {3600, "1 h"},
    {6 * 3600, "6 h"},
    {24 * 3600, "1 day"},
}};
constexpr WaitClasses waits_of_workload{{
    {0, "no wait"},
    {0.1, "up to 0.1"},
    {1, "1"},
    {10, "10"},
    {100, "100"},
    {1000, "1000 time units"},
}};

const WaitClasses& wait_classes(const JobSchedule& schedule) {
    return schedule.time_unit == TimeUnit::seconds ? waits_in_seconds : waits_of_workload;
}

/// Eight numbers in a row get eight colours.
std::uint8_t hashed(std::int64_t number) {
    return static_cast<std::uint8_t>(static_cast<std::uint64_t>(number) * 5 % distinct.size());
}

std::uint8_t wait_class(const ScheduledJob& job, const WaitClasses& classes) {
    const double wait = job.start_s - job.submit_s;
    const auto place = std::find_if(classes.begin(), classes.end(), [wait](const WaitClass& one) {
        return wait <= one.longest;
    });
    return static_cast<std::uint8_t>(place - classes.begin());
}

/// Classes of sizes: so many powers of two in each that at most seven hold the whole machine.
class SizeClasses {
  public:
    explicit SizeClasses(std::uint32_t largest)
        : largest_(largest)
        , powers_((std::bit_width(largest) + ordered.size() - 1) / ordered.size()) {}

    std::uint8_t of(std::uint32_t size) const {
        return static_cast<std::uint8_t>((std::bit_width(size) - 1U) / powers_);
    }

    std::vector<std::string> meaning() const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i <= of(largest_); ++i) {
            const std::uint64_t first = std::uint64_t{1} << (i * powers_);
            const std::uint64_t last = (std::uint64_t{1} << ((i + 1) * powers_)) - 1;
            names.push_back(
                first == last ? std::to_string(first)
                              : fmt::format("{}-{}", first, std::min<std::uint64_t>(last, largest_))
            );
        }
        names.front() += names.front() == "1" ? " processor" : " processors";
        return names;
    }

  private:
    std::uint32_t largest_;
    std::size_t powers_;
};

void add_paler(std::vector<Colour>& palette) {
    const auto paler = [](std::uint8_t part) {
        return static_cast<std::uint8_t>((part + 2 * 255) / 3);
    };
    for (std::size_t i = 0, count = palette.size(); i < count; ++i) {
        const Colour colour = palette[i];
        palette.push_back({paler(colour.red), paler(colour.green), paler(colour.blue)});
    }
}

std::uint32_t largest_job(const JobSchedule& schedule) {
    std::uint32_t largest = 1;
    for (const ScheduledJob& job : schedule.jobs) {
        largest = std::max(largest, job.processors);
    }
    return largest;
}

}  // namespace

std::size_t JobColours::of(const JobSegment& segment) const {
    const std::size_t paler = segment.kind == SegmentKind::loading ? palette.size() / 2 : 0;
    return of_job[segment.job] + paler;
}

JobColours job_colours(const JobSchedule& schedule, JobColouring colouring) {
    JobColours colours;
    const SizeClasses sizes(largest_job(schedule));
    if (colouring == JobColouring::size) {
        colours.meaning = sizes.meaning();
    } else if (colouring == JobColouring::wait) {
        for (const WaitClass& one : wait_classes(schedule)) {
            colours.meaning.emplace_back(one.meaning);
        }
        colours.meaning.emplace_back("longer");
    }
    if (colours.meaning.empty()) {
        colours.palette.assign(distinct.begin(), distinct.end());
    } else {
        colours.palette.assign(ordered.begin(), ordered.end());
    }
    add_paler(colours.palette);
    for (const ScheduledJob& job : schedule.jobs) {
        switch (colouring) {
            case JobColouring::job:
                colours.of_job.push_back(hashed(job.number));
                break;
            case JobColouring::user:
                colours.of_job.push_back(hashed(job.user.value_or(-1)));
                break;
            case JobColouring::size:
                colours.of_job.push_back(sizes.of(job.processors));
                break;
            case JobColouring::wait:
                colours.of_job.push_back(wait_class(job, wait_classes(schedule)));
                break;
        }
    }
    return colours;
}

Colour readable_on(Colour colour) {
    // Relative luminance in thousandths, without its gamma (ITU-R BT.709).
    const int light = (213 * colour.red + 715 * colour.green + 72 * colour.blue) / 255;
    return light > 450 ? black : Colour{0xff, 0xff, 0xff};
}

}  // namespace schedfarm::campaigns
