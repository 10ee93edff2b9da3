#include "tests/app/foreign/small_journals.hpp"

#include "engine/farm/journal/journal_format.hpp"
#include "engine/farm/task_codec.hpp"

#include "app/run/campaign_progress.hpp"
#include "app/run/journal/gathering.hpp"
#include "app/run/journal/outcome_codec.hpp"
#include "app/run/run_campaign.hpp"
#include "app/run/version.hpp"

#include "tests/app/run/small_campaign.hpp"

namespace schedfarm::tests {

namespace {

using app::Plan;

constexpr std::size_t most_replications = 40;

const char* const beginning = R"(campaign_format: 1
name: small
seed: 5
experiment: open
system: {clusters: [8]}
workload: {model: coallocation, components: 1, component_size: {uniform: [1, 4]}}
)";

/// The rest of each campaign, and what becomes of a word of it.
struct Variant {
    const char* rest;
    const char* word;
    const char* changed;
};

const std::vector<Variant>& variants() {
    static const std::vector<Variant> all = {
        {"horizon: {jobs: 60, warm_up: {jobs: 10}, ensemble_bins: 6}\nreplications: 5\n"
         "probes: [response_time, {slowdown: {quantiles: [0.5], sketch: true}}]\n"
         "factors: {policy: [fcfs, sjf], load.utilization: [0.5, 0.6]}\n",
         "0.6]",
         "0.6, 0.7]"},
        {"horizon: {jobs: 60, warm_up: {jobs: 10}}\npolicy: fcfs\nload: {utilization: 0.5}\n"
         "precision: {metric: response_time, relative: 0.2, min: 16, max: 60}\n",
         "0.2,",
         "0.1,"},
        {"horizon: {jobs: 60, warm_up: {jobs: 10}}\nload: {utilization: 0.5}\n"
         "factors: {policy: [fcfs, sjf]}\n"
         "precision: {metric: response_time, relative: 0.5, min: 10, max: 60}\n"
         "comparison: {factor: policy, metric: response_time, baseline: fcfs, relative: 0.2}\n",
         "baseline: fcfs, relative: 0.2",
         "baseline: fcfs, relative: 0.1"},
        {"horizon: {jobs: 60, warm_up: {jobs: 10}}\nload: {utilization: 0.5}\n"
         "factors: {policy: [fcfs, sjf, ljf]}\n"
         "selection: {factor: policy, metric: response_time, best: smallest, indifference: 0.5, "
         "first_stage: 10, round: 4}\n",
         "indifference: 0.5",
         "indifference: 0.2"},
        {"horizon: {jobs: 60, warm_up: {jobs: 10}}\npolicy: fcfs\nreplications: 6\n"
         "pilot: {jobs: 60, warm_up: {jobs: 10}, backlog: 8, replications: 8}\n"
         "factors: {load.utilization: {of_saturation: [0.5, 0.7]}}\n",
         "replications: 6",
         "replications: 9"},
        {"horizon: {jobs: 60, warm_up: {jobs: 20}, start: {backlog: 20}}\npolicy: fcfs\n"
         "load: {search: {criterion: drift, between: [0.4, 1.0], round: 4, width: 0.1, "
         "most_rounds: 50}}\n",
         "most_rounds: 50",
         "most_rounds: 60"}};
    return all;
}

std::string with(std::string text, const std::string& word, const std::string& other) {
    return text.replace(text.find(word), word.size(), other);
}

void append(std::string& journal, engine::JournalRecordKind kind, const engine::Bytes& body) {
    const engine::Bytes record = engine::encode_record(kind, body);
    journal.append(reinterpret_cast<const char*>(record.data()), record.size());
}

void append_header(std::string& journal, const Plan& plan) {
    engine::JournalHeader header;
    header.program_version = app::program_version;
    header.campaign_name = plan.name;
    header.plan_hash = plan.plan_hash;
    const engine::Bytes source = plan.source.serialize();
    header.campaign.assign(reinterpret_cast<const char*>(source.data()), source.size());
    header.cell_keys = app::cell_keys(plan);
    append(journal, engine::JournalRecordKind::header, engine::encode_header(header));
}

void append_intent(std::string& journal, engine::TaskId id) {
    engine::ByteWriter writer;
    writer.u64(id.value);
    append(journal, engine::JournalRecordKind::intent, writer.view());
}

/// Computes replications until the campaign ends or the journal is long enough; the last one
/// fails, and one more is in flight after it.
std::string journal_of(const Plan& plan) {
    std::string journal(engine::journal_magic);
    append_header(journal, plan);
    app::CampaignProgress progress(plan);
    for (std::size_t i = 0; i < most_replications; ++i) {
        const auto task = progress.next();
        if (!task) {
            break;
        }
        append_intent(journal, task->id.task_id());
        engine::TaskResult result = result_of(*task, plan);
        progress.take(result);
        if (i == most_replications / 2) {
            const engine::Suspect suspect{{result.id.value + 1}, 1};
            append(
                journal, engine::JournalRecordKind::suspects, engine::encode_suspects({suspect})
            );
        }
        engine::ByteWriter writer;
        write(writer, result);
        append(journal, engine::JournalRecordKind::result, writer.view());
    }
    if (const auto task = progress.next()) {
        append_intent(journal, task->id.task_id());
        engine::TaskResult failed;
        failed.id = task->id.task_id();
        failed.status = engine::TaskStatus::timeout;
        failed.message = "ran past its limit";
        engine::ByteWriter writer;
        write(writer, failed);
        append(journal, engine::JournalRecordKind::result, writer.view());
    }
    if (const auto task = progress.next()) {
        append_intent(journal, task->id.task_id());
    }
    return journal;
}

}  // namespace

std::vector<SmallJournal> small_journals() {
    std::vector<SmallJournal> journals;
    for (const Variant& variant : variants()) {
        const std::string text = beginning + std::string(variant.rest);
        const Plan plan = plan_of(text);
        journals.push_back(
            {plan, plan_of(with(text, variant.word, variant.changed)), journal_of(plan)}
        );
    }
    return journals;
}

}  // namespace schedfarm::tests
