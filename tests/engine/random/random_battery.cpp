// random_battery small|crush philox|mrg32k3a replications|purposes|seeds [TEST...]
//
// Holds the program's streams, interleaved, against a battery of TestU01 (L'Ecuyer & Simard, ACM
// Transactions on Mathematical Software 33, 2007). Word i of the sequence is word i / K of stream
// i mod K, so that a correlation between streams that a campaign uses beside each other shows as
// one within the sequence. SmallCrush takes seconds, Crush some 25 minutes. Built where TestU01 is
// found; prints the battery's report; exit code 1 when a p-value lies outside [0.001, 0.999]. Tests
// of Crush that are named by their numbers are made five times each, on stretch after stretch of
// the sequence, and no other: TestU01's authors' way with a p-value that looks suspect.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/random/stream.hpp"

extern "C" {
#include <bbattery.h>
#include <swrite.h>
#include <unif01.h>
}

namespace {

using schedfarm::engine::Generator;
using schedfarm::engine::Purpose;
using schedfarm::engine::Stream;

constexpr std::size_t words_per_fill = 512;
constexpr std::uint64_t first_seed = 2001;
constexpr std::uint32_t many_streams = 1024;
constexpr auto last_purpose = static_cast<std::uint32_t>(Purpose::resampling);

class InterleavedStreams {
  public:
    explicit InterleavedStreams(std::vector<Stream> streams)
        : streams_(std::move(streams)), words_(streams_.size() * words_per_fill) {}

    std::uint32_t next() {
        if (next_ == words_.size()) {
            fill();
        }
        return words_[next_++];
    }

  private:
    void fill() {
        std::vector<std::uint32_t> of_stream(words_per_fill);
        for (std::size_t k = 0; k < streams_.size(); ++k) {
            streams_[k].fill_words(position_, of_stream);
            for (std::size_t i = 0; i < words_per_fill; ++i) {
                words_[i * streams_.size() + k] = of_stream[i];
            }
        }
        position_ += words_per_fill;
        next_ = 0;
    }

    std::vector<Stream> streams_;
    std::vector<std::uint32_t> words_;
    std::size_t next_ = words_.size();
    std::uint64_t position_ = 0;
};

std::vector<Stream> streams_of(std::string_view interleaved, Generator generator) {
    std::vector<Stream> streams;
    if (interleaved == "replications") {
        for (std::uint32_t replication = 0; replication < many_streams; ++replication) {
            streams.emplace_back(first_seed, Purpose::service, replication, generator);
        }
    } else if (interleaved == "purposes") {
        for (std::uint32_t purpose = 1; purpose <= last_purpose; ++purpose) {
            streams.emplace_back(first_seed, static_cast<Purpose>(purpose), 0, generator);
        }
    } else if (interleaved == "seeds") {
        for (std::uint64_t seed = first_seed; seed < first_seed + many_streams; ++seed) {
            streams.emplace_back(seed, Purpose::service, 0, generator);
        }
    }
    return streams;
}

// TestU01 takes a plain function.
InterleavedStreams* sequence = nullptr;

unsigned int next_word() {
    return sequence->next();
}

/// How many of the battery's p-values lie outside [0.001, 0.999], TestU01's own limits.
int suspect_p_values() {
    int count = 0;
    for (int i = 0; i < bbattery_NTests; ++i) {
        count += bbattery_pVal[i] < 0.001 || bbattery_pVal[i] > 0.999 ? 1 : 0;
    }
    return count;
}

/// Five of each test named, none of the others.
std::vector<int> repetitions(const std::vector<std::string_view>& tests) {
    constexpr std::size_t tests_of_crush = 96;
    std::vector<int> times(tests_of_crush + 1);  // TestU01 counts from 1
    for (const std::string_view test : tests) {
        times.at(static_cast<std::size_t>(std::atoi(test.data()))) = 5;
    }
    return times;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string_view> words(argv + 1, argv + argc);
    const std::vector<std::string_view> tests(
        words.begin() + std::min<std::ptrdiff_t>(3, argc - 1), words.end()
    );
    const bool is_small = words.size() == 3 && words[0] == "small";
    const bool is_known = words.size() >= 3 && (is_small || words[0] == "crush")
                          && (words[1] == "philox" || words[1] == "mrg32k3a");
    const auto generator =
        is_known && words[1] == "mrg32k3a" ? Generator::mrg32k3a : Generator::philox;
    std::vector<Stream> streams =
        is_known ? streams_of(words[2], generator) : std::vector<Stream>();
    if (streams.empty()) {
        std::fputs(
            "usage: random_battery small|crush philox|mrg32k3a replications|purposes|seeds "
            "[TEST...]\n",
            stderr
        );
        return 2;
    }
    InterleavedStreams interleaved(std::move(streams));
    sequence = &interleaved;
    std::string name = std::string(words[1]) + ", interleaved by " + std::string(words[2]);
    unif01_Gen* battery_generator = unif01_CreateExternGenBits(name.data(), next_word);
    swrite_Basic = FALSE;
    if (is_small) {
        bbattery_SmallCrush(battery_generator);
    } else if (!tests.empty()) {
        bbattery_RepeatCrush(battery_generator, repetitions(tests).data());
    } else {
        bbattery_Crush(battery_generator);
    }
    unif01_DeleteExternGenBits(battery_generator);
    const int suspect = suspect_p_values();
    std::printf("%d p-values, %d outside [0.001, 0.999]\n", bbattery_NTests, suspect);
    return suspect == 0 ? 0 : 1;
}
