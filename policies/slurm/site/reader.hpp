// What the readers of slurm.conf's lines and of sacctmgr's tables share: the word that is read, the
// row of the table of keys that it has, its value within the row's range, and the problems.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/foundation/expect.hpp"

#include "policies/slurm/site/keys.hpp"
#include "policies/slurm/site/site.hpp"
#include "policies/slurm/site/words.hpp"

namespace schedfarm::policies::slurm {

class WordReader {
  public:
    WordReader(const SiteFiles& files, Site& site) : files_(files), site_(site) {}

    void begin_line(std::string file, std::size_t line, const char* given);

    /// Calls `take` for a modelled word that has a value; the others are noted.
    template <typename Take>
    void read(Place place, const ConfWord& word, Take take) {
        if (begin(place, word)) {
            is_taken_ = false;
            take();
            SCHEDFARM_EXPECT(is_taken_, "every modelled word is taken");
        }
    }
    /// What a word of this name does. To be called within `take`.
    template <typename Take>
    void on(std::string_view name, Take take) {
        if (key_->name == name) {
            is_taken_ = true;
            take();
        }
    }
    template <typename T>
    void on_number(std::string_view name, T& to) {
        on(name, [&] { put(number(), to); });
    }
    template <typename T>
    void on_time(std::string_view name, T& to) {
        on(name, [&] { put(time(), to); });
    }

    /// What jobs of the whole site, or of a partition, get that do not ask, and have at most.
    template <typename To>
    void on_defaults(To& to) {
        on_number("defmempercpu", to.memory_per_cpu);
        on_number("defmempernode", to.memory_per_node);
        on_number("defmempergpu", to.memory_per_gpu);
        on_number("defcpupergpu", to.cpus_per_gpu);
        on_number("maxmempercpu", to.max_memory_per_cpu);
        on_number("maxmempernode", to.max_memory_per_node);
        on("jobdefaults", [&] {
            for (const std::string& one : parts(value_, ',')) {
                const std::size_t equals = std::min(one.find('='), one.size() - 1);
                const auto count = number(std::string_view(one).substr(equals + 1));
                if (one.starts_with("defcpupergpu=")) {
                    put(count, to.cpus_per_gpu);
                } else if (one.starts_with("defmempergpu=")) {
                    put(count, to.memory_per_gpu);
                } else {
                    refuse("JobDefaults=" + shown(one), "job_defaults");
                }
            }
        });
    }

    // Of the word that is being read; a problem is noted where its value is none of its kind.
    const ConfWord& word() const { return *word_; }
    const std::string& value() const { return value_; }  ///< in small letters
    const std::string& file() const { return file_; }
    std::optional<std::int64_t> number() { return number(word_->value); }
    std::optional<std::int64_t> number(std::string_view text);
    std::optional<std::int64_t> time();
    std::optional<double> fraction();
    /// A problem where it is neither.
    bool yes_or_no();
    /// Of "cpu=4,mem=2G,gres/gpu=1" each one with what is behind its equals sign; others are
    /// refused.
    void each_tres(
        std::string_view accepted_by, const std::function<void(Tres, std::string_view)>& take
    );
    /// "cpu=1.0,mem=0.25G": of memory for each MB.
    TresWeights tres_weights(std::string_view accepted_by);
    /// Refuses values that are none of these.
    void allow(std::initializer_list<std::string_view> values, std::string_view accepted_by);

    void problem(std::string message);
    /// Notes what would change schedules and is not modelled, unless its word is accepted.
    void refuse(std::string_view what, std::string_view accepted_by);
    void refuse(std::string_view accepted_by) { refuse(word_->text, accepted_by); }
    /// Likewise of what changes schedules only where jobs may be sent away.
    void refuse_if_preempting(std::string_view accepted_by);
    /// A word that there is not: refused with the nearest one, unless accepted.
    void refuse_unknown(Place place, const ConfWord& word);
    /// A word that touches no schedule; of a change it is a problem.
    void pass_over(Place place, std::string_view name);
    /// Whether jobs may be sent away is known at the end only.
    void settle_preemption(bool may_preempt);
    bool has_problems() const { return !site_.problems.empty(); }

    /// Makes a word the one that is read; false: it is not modelled, or has no value.
    bool begin(Place place, const ConfWord& word);

  private:
    bool is_idle() const;
    bool is_change() const { return std::string_view(given_) == "changes"; }
    std::string refusal(std::string_view what, std::string_view accepted_by) const;
    void need(std::string_view text);
    template <typename T>
    void put(std::optional<std::int64_t> value, T& to) {
        if (value) {
            to = static_cast<T>(*value);  // its range in the table is within the member's
            SCHEDFARM_EXPECT(static_cast<std::int64_t>(to) == *value, "the key's range fits");
        }
    }

    const SiteFiles& files_;
    Site& site_;
    std::string file_;
    std::size_t line_ = 0;
    const char* given_ = "conf";
    const ConfWord* word_ = nullptr;
    const Key* key_ = nullptr;
    std::string value_;
    bool is_taken_ = false;
    std::vector<SiteProblem> of_preemption_;  ///< problems where jobs may be sent away
};

}  // namespace schedfarm::policies::slurm
