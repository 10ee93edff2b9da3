// Each word that the table of keys calls modelled changes a schedule: data/word_witnesses.txt has
// for every one of them a small site and log of which the schedule with the word is another than
// without it.
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/submitted_request.hpp"

#include "policies/slurm/site/keys.hpp"
#include "policies/slurm/site/site.hpp"
#include "policies/slurm/site/words.hpp"

#include "tests/policies/schedule_log.hpp"

namespace schedfarm::tests {

namespace {

using policies::slurm::Key;
using policies::slurm::parts;
using policies::slurm::Place;
using policies::slurm::Site;
using policies::slurm::SiteFiles;

struct Witness {
    std::vector<std::string> places = {};
    std::vector<std::string> names = {};
    std::string without = {};
    std::string with = {};
    SiteFiles files = {};
    std::map<std::string, double> parameters = {};
    std::vector<std::string> jobs = {};
};

std::string replaced(std::string text, const std::string& mark, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += by.size()) {
        text.replace(at, mark.size(), by);
    }
    return text;
}

/// "$four" and the like, in place of which lines stand that a slash divides.
std::string written_out(std::string text, const std::map<std::string, std::string>& known) {
    for (const auto& [name, lines] : known) {
        text = replaced(text, name, replaced(lines, " / ", "\n"));
    }
    return text + "\n";
}

void take(Witness& witness, const std::string& word, const std::string& text) {
    if (word == "without" || word == "with") {
        (word == "with" ? witness.with : witness.without) = text;
    } else if (word == "conf" || word == "assoc" || word == "qos") {
        (word == "conf"    ? witness.files.conf
         : word == "assoc" ? witness.files.associations
                           : witness.files.qos) += text + "\n";
    } else if (word == "change") {
        witness.files.changes.push_back(text);
    } else if (word == "set") {
        witness.parameters[text.substr(0, text.find(' '))] = std::stod(text.substr(text.find(' ')));
    } else if (word == "job") {
        witness.jobs.push_back(text);
    } else {
        FAIL("no such word: " << word);
    }
}

std::vector<Witness> all_witnesses() {
    std::ifstream file(SCHEDFARM_WITNESSES);
    REQUIRE(file);
    std::map<std::string, std::string> known;
    std::vector<Witness> all;
    bool is_first = true;  // of its lines
    for (std::string line; std::getline(file, line);) {
        const std::string word = line.substr(0, line.find(' '));
        const std::string text = line.substr(std::min(word.size() + 1, line.size()));
        if (line.starts_with("# $")) {
            const std::size_t end = line.find(' ', 2);
            const std::size_t begin = line.rfind("  ") + 2;
            known[line.substr(2, end - 2)] = line.substr(begin);
        } else if (line.empty()) {
            is_first = true;
        } else if (word != "#" && std::exchange(is_first, false)) {
            all.push_back({.places = parts(word, '|'), .names = parts(text, ' ')});
        } else if (word != "#") {
            take(all.back(), word, text);
        }
    }
    for (Witness& one : all) {
        for (std::string* const of : {&one.files.conf, &one.files.associations, &one.files.qos}) {
            *of = of->empty() ? "" : written_out(*of, known);
        }
    }
    return all;
}

constexpr const char* place_names[] = {
    "conf", "parameter", "node", "partition", "reservation", "association", "qos"};

std::string place_of(const Key& key) {
    return place_names[static_cast<std::size_t>(key.place)];
}

/// The files with the word in its place.
SiteFiles with_word(const Key& key, SiteFiles files, const std::string& word) {
    const auto fill = [&](std::string& text) {
        for (const std::string place : place_names) {
            text = replaced(text, "@" + place, place == place_of(key) ? word : "");
        }
        text = replaced(text, "{}", std::string(key.name));
    };
    fill(files.conf);
    fill(files.associations);
    fill(files.qos);
    std::for_each(files.changes.begin(), files.changes.end(), fill);
    return files;
}

/// What jobs of the partition get that ask for no limit, as the log's reader takes it.
double limit_of_site(const Site& site, const std::string& partition) {
    const std::string limits = "," + policies::slurm::partition_limits(site.settings);
    const std::string begin = "," + partition + "=";
    return std::stod(limits.substr(limits.find(begin) + begin.size()));
}

struct AskedJob {
    GivenJob job;
    SubmittedRequest request;
    std::map<std::string, std::string> said;
};

AskedJob asked_job(const std::string& text, const Site& site) {
    AskedJob asked;
    std::istringstream words(text);
    std::uint32_t processors = 0;
    std::string limit;
    words >> asked.job.submit_time >> asked.job.service_time >> processors >> limit;
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        asked.said[word.substr(0, equals)] = word.substr(equals + 1);
    }
    const auto number = [&](const char* name) {
        return static_cast<std::uint32_t>(std::stoul("0" + asked.said[name]));
    };
    SubmittedRequest& request = asked.request;
    request.memory_per_node = number("mem");
    request.nodes = request.max_nodes = number("N");
    request.cpus = processors;
    request.gpus = number("gpus");
    request.array = number("array");
    request.held_s = number("held");
    asked.job.components = {processors};
    asked.job.estimate =
        limit == "-" ? limit_of_site(site, asked.said["p"]) : 60 * std::stod(limit);
    return asked;
}

/// The starts of all jobs, or why there are none: a job that the site can never place, a site with
/// which Slurm does not start.
std::string schedule(const SiteFiles& files, const Witness& witness) {
    const Site site = read_site(files);
    if (!site.problems.empty()) {
        return site.problems.front().message;
    }
    std::vector<AskedJob> asked;
    for (const std::string& text : witness.jobs) {
        asked.push_back(asked_job(text, site));
    }
    TestCell cell;
    cell.system.clusters = {0};
    for (const auto& node : site.settings.nodes) {
        cell.system.clusters.front() += node.cpus;
    }
    for (AskedJob& one : asked) {
        one.request.partition = one.said["p"];
        one.request.user = one.said["u"];
        one.request.account = one.said["a"];
        one.request.quality = one.said["q"];
        one.request.constraint = one.said["C"];
        one.request.licences = one.said["L"];
        cell.jobs.push_back(one.job);
        cell.jobs.back().request = &one.request;
    }
    Parameters given;
    given.set("conf", files.conf);
    given.set("associations", files.associations);
    given.set("qos", files.qos);
    given.set("changes", files.changes.empty() ? "" : files.changes.front());
    for (const auto& [name, number] : witness.parameters) {
        given.set(name, number);
    }
    try {
        std::string starts;
        for (const double start : starts_of("slurm", given, cell)) {
            starts += fmt::format("{} ", start);
        }
        return starts;
    } catch (const UnservedJobError& error) {
        return error.what();
    }
}

/// Whether the word stands in the files: as a word of them, or as the head of a column.
bool has_word(const Key& key, const SiteFiles& files) {
    const std::string name(key.name);
    const std::string& text = key.place == Place::association   ? files.associations
                              : key.place == Place::qos         ? files.qos
                              : key.place == Place::reservation ? files.changes.front()
                                                                : files.conf;
    const std::string small = "\n" + policies::slurm::small_letters(text);
    return std::ranges::any_of(std::string("\n ,|"), [&](char before) {
        return small.find(before + name) != std::string::npos;
    });
}

}  // namespace

TEST_CASE("each word that is modelled changes the schedule of its witness") {
    const std::vector<Witness> witnesses = all_witnesses();
    int modelled = 0;
    for (const Key& key : policies::slurm::site_keys()) {
        if (key.use != policies::slurm::Use::modelled) {
            continue;
        }
        ++modelled;
        const std::string place = place_of(key);
        CAPTURE(place);
        CAPTURE(key.name);
        const auto found = std::ranges::find_if(witnesses, [&](const Witness& one) {
            return std::ranges::count(one.places, place) == 1
                   && std::ranges::count(one.names, key.name) == 1;
        });
        if (found == witnesses.end()) {
            FAIL_CHECK("it has no witness");
            continue;
        }
        const SiteFiles with = with_word(key, found->files, found->with);
        CHECK(has_word(key, with));
        const std::string before = schedule(with_word(key, found->files, found->without), *found);
        CAPTURE(before);
        CHECK(schedule(with, *found) != before);
        for (const auto& problem : read_site(with).problems) {
            FAIL_CHECK(problem.message);
        }
    }
    CHECK(modelled > 100);
}

}  // namespace schedfarm::tests
