#include "policies/slurm/site/reader.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "engine/foundation/edit_distance.hpp"

#include "policies/slurm/site/fields.hpp"

namespace schedfarm::policies::slurm {

namespace {

constexpr std::size_t most_problems = 100;
constexpr std::int64_t year_min = year_s / 60;

/// Words for keys that could stand in --accept.
bool is_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_';
    });
}

/// The line that begins it, or the file.
std::string_view name_of(Place place) {
    constexpr std::string_view names[] = {
        "slurm.conf",
        "SchedulerParameters",
        "NodeName",
        "PartitionName",
        "ReservationName",
        "sacctmgr show assoc",
        "sacctmgr show qos"};
    return names[static_cast<std::size_t>(place)];
}

/// "a whole number from 1 to 65533 (CPUs of a node)".
std::string need_of(const Key& key) {
    const std::string_view more = key.may_be_unlimited ? " or UNLIMITED" : "";
    if (key.kind == Kind::time) {
        return fmt::format("a time{} ({}; minutes, or days-hours:minutes:seconds)", more, key.note);
    }
    return fmt::format(
        "a {}number from {} to {}{} ({}{}{})",
        key.kind == Kind::fraction ? "" : "whole ",
        key.least,
        key.most,
        more,
        key.note,
        key.unit.empty() || key.unit == "jobs" ? "" : ", in ",
        key.unit == "jobs" ? "" : key.unit
    );
}

/// The word of the same place that is nearest. Of a change the modelled ones alone: of slurm.conf,
/// and of SchedulerParameters.
std::string_view nearest_key(Place place, std::string_view name, bool is_change) {
    std::string_view nearest;
    std::size_t least = std::string_view::npos;
    for (const Key& key : site_keys()) {
        const bool is_there =
            key.place == place
            || (is_change && place == Place::conf && key.place == Place::parameter);
        if (is_there && key.name != name && (!is_change || key.use == Use::modelled)) {
            const std::size_t far = engine::edit_distance(key.name, name.substr(0, 60));
            nearest = far < least ? key.name : nearest;
            least = std::min(least, far);
        }
    }
    return nearest;
}

}  // namespace

void WordReader::begin_line(std::string file, std::size_t line, const char* given) {
    file_ = std::move(file);
    line_ = line;
    given_ = given;
}

bool WordReader::begin(Place place, const ConfWord& word) {
    word_ = &word;
    value_ = small_letters(word.value);
    key_ = find_key(place, word.key);
    if (key_ == nullptr) {
        refuse_unknown(place, word);
    } else if (key_->use == Use::harmless) {
        pass_over(place, word.key);
    } else if (key_->use != Use::modelled) {
        if (!is_idle() && key_->use == Use::refused) {
            refuse(key_->note);
        } else if (!is_idle()) {
            refuse_if_preempting(key_->note);
        }
    } else if (!word.has_value && key_->kind != Kind::flag) {
        need(word.text);
    } else {
        return true;
    }
    return false;
}

bool WordReader::is_idle() const {
    if (value_.empty() && key_->place != Place::parameter) {
        return true;
    }
    const std::vector<std::string> idle = parts(key_->idle, '|');
    return value_ == "(null)" || value_ == "none" || value_.ends_with("/none")
           || (!value_.empty() && std::find(idle.begin(), idle.end(), value_) != idle.end());
}

void WordReader::need(std::string_view text) {
    problem(fmt::format(
        "'{}' does not say {}",
        text,
        key_->kind == Kind::text ? fmt::format("what it is ({})", key_->note) : need_of(*key_)
    ));
}

std::optional<std::int64_t> WordReader::number(std::string_view text) {
    const bool is_scaled =
        key_->place == Place::conf || key_->place == Place::node || key_->place == Place::partition;
    if (key_->may_be_unlimited && is_unlimited(text)) {
        return key_->unit == "MB" ? 0 : key_->unit == "min" ? year_min : std::int64_t{no_limit};
    }
    const auto found = is_scaled ? scaled_field(text, key_->least, key_->most)
                                 : field(text, key_->least, key_->most);
    if (!found) {
        need(word_->text);
    }
    return found;
}

std::optional<std::int64_t> WordReader::time() {
    if (key_->may_be_unlimited && is_unlimited(word_->value)) {
        return year_s;
    }
    const auto found = time_field(word_->value, key_->least, key_->most);
    if (!found) {
        need(word_->text);
    }
    return found;
}

std::optional<double> WordReader::fraction() {
    const auto found = field(
        std::string_view(word_->value),
        static_cast<double>(key_->least),
        static_cast<double>(key_->most)
    );
    if (!found) {
        need(word_->text);
    }
    return found;
}

bool WordReader::yes_or_no() {
    constexpr std::string_view words[] = {"no", "false", "down", "0", "yes", "true", "up", "1"};
    const auto at = std::ranges::find(words, value_) - std::begin(words);
    if (at == std::ssize(words)) {
        problem(fmt::format("'{}' does not say YES or NO", word_->text));
    }
    return at >= 4;
}

void WordReader::each_tres(
    std::string_view accepted_by, const std::function<void(Tres, std::string_view)>& take
) {
    constexpr std::string_view kinds[] = {"cpu", "mem", "node", "billing", "gres/gpu"};
    static_assert(std::size(kinds) == tres_kinds);
    std::set<std::string> known;
    for (const std::string& one : parts(word_->value, ',')) {
        const std::size_t equals = std::min(one.find('='), one.size());
        const std::string name = small_letters(one.substr(0, equals));
        const auto kind = std::ranges::find(kinds, name);
        if (name.empty() || equals + 1 >= one.size() || !known.insert(name).second) {
            problem(fmt::format("'{}' does not say each once. Write node=4,cpu=64", word_->text));
        } else if (kind == std::end(kinds)) {
            refuse(fmt::format("{}: {}", word_->key, shown(one)), accepted_by);
        } else {
            take(
                static_cast<Tres>(kind - std::begin(kinds)),
                std::string_view(one).substr(equals + 1)
            );
        }
    }
}

TresWeights WordReader::tres_weights(std::string_view accepted_by) {
    TresWeights weights{};
    each_tres(accepted_by, [&](Tres kind, std::string_view text) {
        const std::size_t step = kind == Tres::memory ? std::string_view("MGTP").find(text.back())
                                                      : std::string_view::npos;
        const bool has_unit = step != std::string_view::npos;
        const auto weight = field(
            text.substr(0, text.size() - (has_unit ? 1 : 0)),
            static_cast<double>(key_->least),
            static_cast<double>(key_->most)
        );
        if (!weight) {
            need(word_->text);
        } else {
            weights[static_cast<std::size_t>(kind)] =
                *weight / (has_unit ? static_cast<double>(std::uint64_t{1} << (10 * step)) : 1);
        }
    });
    return weights;
}

void WordReader::allow(
    std::initializer_list<std::string_view> values, std::string_view accepted_by
) {
    if (std::find(values.begin(), values.end(), value_) == values.end()) {
        refuse(accepted_by);
    }
}

void WordReader::problem(std::string message) {
    if (site_.problems.size() < most_problems) {
        site_.problems.push_back({file_, line_, std::move(message), given_});
    }
}

std::string WordReader::refusal(std::string_view what, std::string_view accepted_by) const {
    return fmt::format(
        "{0} would change schedules and is not modelled. To ignore it: --accept {1}, in a "
        "campaign accept: [{1}]",
        what,
        accepted_by
    );
}

void WordReader::refuse(std::string_view what, std::string_view accepted_by) {
    if (!files_.accepts(accepted_by)) {
        problem(refusal(what, accepted_by));
    }
}

void WordReader::refuse_if_preempting(std::string_view accepted_by) {
    if (!files_.accepts(accepted_by) && of_preemption_.size() < most_problems) {
        of_preemption_.push_back({file_, line_, refusal(word_->text, accepted_by), given_});
    }
}

void WordReader::refuse_unknown(Place place, const ConfWord& word) {
    if (files_.accepts(word.key)) {
        return;
    }
    if (!is_name(word.key) || (!word.has_value && place != Place::parameter)) {
        problem(fmt::format("'{}' is no word of slurm.conf. Write KEY=VALUE", word.text));
        return;
    }
    problem(fmt::format(
        "unknown word '{0}' of {1} (it might change schedules). Write '{2}', or, to ignore it, "
        "--accept {0}, in a campaign accept: [{0}]",
        shown(word.key),
        name_of(place),
        nearest_key(place, word.key, is_change())
    ));
}

void WordReader::pass_over(Place place, std::string_view name) {
    site_.passed_over.emplace_back(name);
    if (is_change()) {
        problem(fmt::format(
            "'{}' is nothing that touches schedules (it would be ignored). Write '{}'",
            name,
            nearest_key(place, name, true)
        ));
    }
}

void WordReader::settle_preemption(bool may_preempt) {
    for (SiteProblem& one : of_preemption_) {
        if (may_preempt && site_.problems.size() < most_problems) {
            site_.problems.push_back(std::move(one));
        }
    }
    of_preemption_.clear();
}

}  // namespace schedfarm::policies::slurm
