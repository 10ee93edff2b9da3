#include "policies/slurm/requests.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "engine/simulation/kernel/unserved_job.hpp"

#include "policies/slurm/site/fields.hpp"
#include "policies/slurm/site/words.hpp"

namespace schedfarm::policies::slurm {

using engine::Job;
using engine::SubmittedRequest;

namespace {

constexpr double longest_s = 1e15;

[[noreturn]] void refuse_job(const Job& job, const std::string& what) {
    throw engine::UnservedJobError(fmt::format("job {} {}", job.index, what));
}

template <typename Named>
std::uint32_t number_of(
    const std::vector<Named>& named, std::string_view name, const Job& job, const char* what
) {
    const auto at = std::find_if(named.begin(), named.end(), [&](const Named& one) {
        return one.name == name;
    });
    if (at == named.end()) {
        std::string known;
        for (const Named& one : named) {
            known += (known.empty() ? "" : ", ") + one.name;
        }
        refuse_job(
            job,
            fmt::format(
                "names '{}', which is no {} of the site (it has {}; take the files of the log's "
                "own)",
                name,
                what,
                known
            )
        );
    }
    return static_cast<std::uint32_t>(at - named.begin());
}

std::uint32_t ratio_up(std::uint32_t a, std::uint32_t b) {
    return (a + b - 1) / b;
}

}  // namespace

Requests::Requests(const Settings& site)
    : site_(site), features_(feature_nodes(site.nodes)), empty_(site.nodes), unused_(site) {
    for (const Partition& partition : site.partitions) {
        NodeSizes sizes;
        partition.nodes.for_each([&](std::size_t node) {
            const Node& one = site.nodes[node];
            sizes.most_cpus = std::max(sizes.most_cpus, one.cpus);
            sizes.least_cpus = std::min(sizes.least_cpus, one.cpus);
            sizes.most_threads = std::max(sizes.most_threads, one.threads);
            sizes.most_memory = std::max(sizes.most_memory, one.memory);
            sizes.first_memory = sizes.first_memory > 0 ? sizes.first_memory : one.memory;
        });
        sizes_.push_back(sizes);
    }
}

WaitingJob Requests::of(const Job& job, std::int64_t submitted) const {
    static const SubmittedRequest nothing_said;
    const SubmittedRequest& said = job.request == nullptr ? nothing_said : *job.request;
    WaitingJob waiting{.id = job.index + 1};
    const bool is_any = said.partition.empty() || site_.partitions.front().name.empty();
    waiting.partition = is_any ? site_.default_partition
                               : number_of(site_.partitions, said.partition, job, "partition");
    const Partition& partition = site_.partitions[waiting.partition];
    if (!said.quality.empty() && !site_.qos.empty()) {
        waiting.qos = number_of(site_.qos, said.quality, job, "QOS");
    }
    waiting.association = association_of(said);
    waiting.array_limit = said.array_limit > 0 ? said.array_limit : no_limit;
    waiting.user = user_of(waiting.association, job.user);
    // One that was held and released loses its place where nothing but that gives priority.
    const bool keeps_place = !said.was_released || site_.priorities.multifactor;
    waiting.submit =
        submitted - (keeps_place ? static_cast<std::int64_t>(said.submitted_before_s) : 0);
    waiting.order = keeps_place ? said.order : 0;
    waiting.leaves = said.has_left;
    waiting.eligible = waiting.accrue =
        submitted + static_cast<std::int64_t>(std::ceil(said.held_s));
    // Limits are whole minutes.
    const double limit = said.limit_s > 0 ? said.limit_s : job.estimate;
    const double asked = std::min(60 * std::ceil(limit / 60), longest_s);
    waiting.least_limit = static_cast<std::int64_t>(60 * std::ceil(said.least_limit_s / 60));
    const Qos* const qos = waiting.qos != no_limit ? &site_.qos[waiting.qos] : nullptr;
    const std::int64_t longest =
        qos != nullptr && qos->passes_max_time ? year_s : partition.max_time;
    waiting.limit = std::min(std::max<std::int64_t>(static_cast<std::int64_t>(asked), 60), longest);
    // A year is without end, as in backfilling.
    if (asked < static_cast<double>(year_s) && asked > static_cast<double>(longest)) {
        refuse_job(
            job,
            fmt::format(
                "asks for {:.0f} minutes (partition {} gives at most {})",
                asked / 60,
                partition.name,
                partition.max_time / 60
            )
        );
    }
    const std::uint32_t most_nodes =
        qos != nullptr && qos->passes_max_nodes ? no_limit : partition.max_nodes;
    waiting.request = request_of(job, said, partition, most_nodes);
    if (waiting.request.nodes > most_nodes || !empty_.choose(waiting.request, partition.nodes)) {
        refuse_job(
            job,
            fmt::format(
                "asks for {} nodes and {} processors{} (partition {} never gives as much)",
                waiting.request.nodes,
                waiting.request.cpus,
                said.constraint.empty() ? "" : fmt::format(" with '{}'", said.constraint),
                partition.name
            )
        );
    }
    if (said.is_oversubscribed && partition.may_share) {
        refuse_job(
            job,
            fmt::format(
                "asks to share its CPUs (partition {} lets it; time-sharing is not modelled)",
                partition.name
            )
        );
    }
    if (!unused_.admits(waiting)) {
        refuse_job(job, "is over the limits of its QOS or association by itself");
    }
    return waiting;
}

/// The same in all of a user's associations.
std::uint32_t Requests::user_of(std::uint32_t association, std::uint32_t user) const {
    if (association == no_limit) {
        return user;
    }
    const auto& all = site_.associations;
    const auto first = std::find_if(all.begin(), all.end(), [&](const Association& one) {
        return one.user == all[association].user;
    });
    return static_cast<std::uint32_t>(first - all.begin());
}

std::uint32_t Requests::association_of(const SubmittedRequest& said) const {
    const auto& all = site_.associations;
    const auto at = std::find_if(all.begin(), all.end(), [&](const Association& one) {
        return !said.user.empty() && one.user == said.user
               && (said.account.empty() || one.account == said.account);
    });
    return at == all.end() ? no_limit : static_cast<std::uint32_t>(at - all.begin());
}

/// Whether it had its nodes whole on shared ones: it asked for that, or had all CPUs of nodes of
/// one kind, and whole cores for what it asked for would be fewer.
bool Requests::is_exclusive(
    const Job& job, const SubmittedRequest& said, const Request& asked, const NodeSizes& sizes
) {
    const bool leaves_threads = asked.tasks_per_core > 0 || asked.threads_per_core > 0;
    const std::uint64_t all = std::uint64_t{said.held_nodes} * sizes.most_cpus;
    const std::uint64_t most = std::uint64_t{said.cpus} * (leaves_threads ? sizes.most_threads : 1)
                               + std::uint64_t{said.held_nodes} * (sizes.most_threads - 1);
    return said.is_exclusive
           || (sizes.are_alike() && said.cpus > 0 && all > 0 && job.size == all && most < all);
}

/// CPUs and memory of GPUs, where it does not say how many of a task, or how much
/// (_set_gpu_defaults).
void Requests::add_gpu_defaults(
    const SubmittedRequest& said, const Partition& partition, Request& request
) {
    if (said.gpus == 0) {
        return;
    }
    const std::uint32_t of_task = said.cpus_per_task == 0 ? partition.cpus_per_gpu : 0;
    const std::uint32_t cpus = said.cpus_per_gpu > 0 ? said.cpus_per_gpu : of_task;
    const double memory = said.memory_per_gpu > 0 ? said.memory_per_gpu
                                                  : static_cast<double>(partition.memory_per_gpu);
    if (cpus > 0) {
        request.cpus_per_node = cpus * said.gpus;
        request.cpus = std::max(request.cpus, request.cpus_per_node * request.nodes);
        request.tasks_per_core = request.threads_per_core = 0;
    }
    if (request.memory_per_node == 0 && request.memory_per_cpu == 0) {
        request.memory_per_node = static_cast<std::uint64_t>(memory * said.gpus);
    }
}

/// Gives it more CPUs where it asks for more memory than one may have; false: where that does not
/// help it waits for ever (_valid_pn_min_mem).
bool Requests::keep_within_memory(
    const Partition& partition, std::uint64_t memory_of_node, Request& request
) {
    const std::uint64_t most = partition.max_memory_per_cpu;
    const std::uint64_t asked =
        request.memory_per_node == all_memory ? memory_of_node : request.memory_per_node;
    if (most > 0 && request.memory_per_cpu > most) {
        const auto times = static_cast<std::uint32_t>((request.memory_per_cpu + most - 1) / most);
        request.cpus_per_task *= times;
        request.memory_per_cpu = (request.memory_per_cpu + times - 1) / times;
        const std::uint32_t of_nodes = request.nodes * std::max(request.tasks_per_node, 1U);
        request.cpus = (request.tasks > 0 ? request.tasks : of_nodes) * request.cpus_per_task;
    } else if (most > 0 && request.memory_per_cpu == 0) {
        const auto cpus = static_cast<std::uint32_t>((asked + most - 1) / most);
        if (cpus > std::max(request.cpus_per_node, 1U)) {
            request.cpus_per_node = cpus;
            if (request.tasks_per_node > 0) {
                request.cpus_per_task = ratio_up(cpus, request.tasks_per_node);
            }
            request.cpus = std::max(request.cpus, cpus * request.nodes);
        }
    } else if (most == 0 && partition.max_memory_per_node > 0) {
        std::uint32_t cpus = std::max(request.tasks_per_node, 1U);
        if (request.tasks > 0 && request.max_nodes != no_limit && request.max_nodes > 0) {
            cpus = std::max(cpus, ratio_up(request.tasks, request.max_nodes));
        }
        cpus = std::max(cpus * request.cpus_per_task, request.cpus_per_node);
        return (request.memory_per_cpu > 0 ? request.memory_per_cpu * cpus : asked)
               <= partition.max_memory_per_node;
    }
    return true;
}

/// Of "gpu:a100" that type, of "gpu" all of its types.
std::vector<AskedGres> Requests::gres_of(const Job& job, const SubmittedRequest& said) const {
    std::vector<AskedGres> asked;
    const auto add = [&](std::string_view name, bool is_any, std::uint32_t count) {
        AskedGres one{.count = count};
        for (std::uint32_t type = 0; type < site_.gres_types.size(); ++type) {
            const std::string_view known = site_.gres_types[type];
            if (known == name || (is_any && known.starts_with(name) && known[name.size()] == ':')) {
                one.types.push_back(type);
            }
        }
        asked.push_back(std::move(one));
        return !asked.back().types.empty();
    };
    if (said.gpus > 0 && !add(fmt::format("gpu:{}", said.gpu_type), false, said.gpus)) {
        asked.pop_back();  // of a type that is another one here
        add("gpu", true, said.gpus);
    }
    for (const std::string& entry : parts(said.gres, ',')) {
        const std::size_t colon = std::min(entry.rfind(':'), entry.size());
        const auto count = field<std::uint32_t>(
            std::string_view(entry).substr(std::min(colon + 1, entry.size())), 0, no_limit
        );
        const std::string_view name =
            std::string_view(entry).substr(0, count ? colon : entry.size());
        if (entry.empty() || count == 0U) {
            continue;
        }
        if (!add(name, name.find(':') == std::string_view::npos, count.value_or(1))) {
            refuse_job(
                job,
                fmt::format(
                    "asks for '{}' (no node has that; parts of GPUs, mps and shard, are not "
                    "modelled)",
                    entry
                )
            );
        }
    }
    return asked;
}

std::vector<Licence> Requests::licences_of(const Job& job, std::string_view list) const {
    std::vector<Licence> asked;
    for (const auto& [name, count] : named_counts(list)) {
        const auto at = std::ranges::find(site_.licence_names, name);
        const auto number = static_cast<std::uint32_t>(at - site_.licence_names.begin());
        if (at == site_.licence_names.end() || !count || *count > site_.licences[number]) {
            refuse_job(
                job, fmt::format("asks for licences '{}' (Licenses of slurm.conf has less)", list)
            );
        }
        asked.push_back({number, *count});
    }
    return asked;
}

/// What it has of memory where it does not ask, what is counted of it, and what is allotted.
void Requests::settle_memory(
    const Job& job, const Partition& partition, const NodeSizes& sizes, Request& request
) const {
    if (request.memory_per_node == 0 && request.memory_per_cpu == 0) {
        request.memory_per_cpu = partition.memory_per_cpu;
        request.memory_per_node = partition.memory_per_cpu > 0 ? 0 : partition.memory_per_node;
    }
    if (request.memory_per_node == 0 && request.memory_per_cpu == 0) {
        request.memory_per_node = all_memory;  // a job without a limit has all of its nodes
    }
    if (!keep_within_memory(partition, sizes.first_memory, request)) {
        refuse_job(
            job,
            fmt::format(
                "asks for more memory than partition {} gives (MaxMemPerNode)", partition.name
            )
        );
    }
    request.charged_per_node = request.memory_per_node;
    request.charged_per_cpu = request.memory_per_cpu;
    if (!site_.memory_is_shared) {
        request.memory_per_node = request.memory_per_cpu = 0;
    } else if (request.whole_nodes) {
        request.memory_per_node = request.memory_per_node == all_memory
                                      ? all_memory
                                      : std::min(request.memory_per_node, sizes.most_memory);
        request.memory_per_cpu = 0;
    }
}

/// Where nothing is known of what it asked for, it asked for what it had: as many nodes as hold
/// that here.
Request Requests::request_of(
    const Job& job,
    const SubmittedRequest& said,
    const Partition& partition,
    std::uint32_t most_nodes
) const {
    const NodeSizes& sizes = sizes_[static_cast<std::size_t>(&partition - site_.partitions.data())];
    Request request;
    request.cpus = said.cpus > 0 ? said.cpus : job.size;
    if (partition.name.empty()) {  // without a site: each processor is a node
        request.whole_nodes = true;
        request.cpus = std::min(request.cpus, job.size);
        request.nodes = request.max_nodes = job.size;
        return request;
    }
    request.tasks = said.tasks;
    request.cpus_per_task = std::max(said.cpus_per_task, 1U);
    request.tasks_per_core =
        said.tasks_per_core > 0 ? said.tasks_per_core : site_.one_task_per_core;
    request.threads_per_core = said.threads_per_core;
    if (partition.max_cpus_per_node != no_limit) {
        request.max_cpus_per_node = partition.max_cpus_per_node;
        request.partition = static_cast<std::uint32_t>(&partition - site_.partitions.data());
    }
    request.memory_per_node = std::isinf(said.memory_per_node)
                                  ? all_memory
                                  : static_cast<std::uint64_t>(said.memory_per_node);
    request.memory_per_cpu = static_cast<std::uint64_t>(said.memory_per_cpu);
    request.tasks_per_node = said.tasks_per_node;
    request.whole_nodes = partition.whole_nodes || is_exclusive(job, said, request, sizes);
    if (said.nodes > 0) {
        request.nodes = said.nodes;
        request.wanted_nodes = said.max_nodes;
        request.max_nodes = said.max_nodes > 0 ? said.max_nodes : no_limit;
    } else if (request.whole_nodes) {
        request.nodes = ratio_up(request.cpus, sizes.most_cpus);
        request.max_nodes = sizes.are_alike() ? request.nodes : no_limit;
    }
    request.max_nodes = std::min(request.max_nodes, most_nodes);
    request.wanted_nodes = std::min(request.wanted_nodes, most_nodes);
    request.gres = gres_of(job, said);
    request.licences = licences_of(job, said.licences);
    if (!said.constraint.empty()) {
        auto features = features_of(said.constraint, features_, NodeSet::all(site_.nodes.size()));
        if (!features) {
            refuse_job(
                job,
                fmt::format(
                    "asks for nodes of '{}' (no such constraint, or a feature that no node has)",
                    said.constraint
                )
            );
        }
        request.features = std::make_shared<const Features>(*std::move(features));
    }
    add_gpu_defaults(said, partition, request);
    settle_memory(job, partition, sizes, request);
    return request;
}

}  // namespace schedfarm::policies::slurm
