// `schedfarm list`: plain text. All names on one screen, a topic with what each of its names means,
// or all that is to be said of one name.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "policies/external/code.hpp"
#include "policies/external/plugin.hpp"

#include "app/campaign/keys/describe.hpp"
#include "app/campaign/yaml/config_error.hpp"
#include "app/campaign/yaml/suggestion.hpp"
#include "app/campaign/yaml/value_node.hpp"

namespace schedfarm::app {

namespace {

/// Words filled into lines that begin with `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
    std::string result;
    std::string line(indent, ' ');
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        begin = end + 1;
        if (line.size() > indent && line.size() + 1 + word.size() > width) {
            result += line + "\n";
            line.assign(indent, ' ');
        }
        line += (line.size() > indent ? " " : "") + std::string(word);
    }
    return result + line + "\n";
}

std::string alternative_text(const engine::Alternative& alternative, std::size_t width) {
    std::string text = alternative.name + "\n" + wrapped(alternative.summary, 4, width);
    if (!alternative.source.empty()) {
        text += wrapped("Source: " + alternative.source, 4, width);
    }
    for (const engine::ParameterDescription& row : alternative.parameters) {
        const std::string default_part =
            row.default_value ? "; default " + default_text(row) : "; required";
        text += wrapped(row.name + ": " + type_text(row) + default_part, 4, width);
        text += wrapped(row.meaning, 8, width);
    }
    return text;
}

std::string group_text(const AlternativeGroup& group, std::size_t width) {
    std::string text = group.heading + "\n" + std::string(group.heading.size(), '=') + "\n";
    for (const engine::Alternative& alternative : group.alternatives) {
        text += alternative.name + "\n" + wrapped(alternative.summary, 4, width);
    }
    return text;
}

std::vector<std::string> topics(const std::vector<AlternativeGroup>& groups) {
    std::vector<std::string> names;
    for (const AlternativeGroup& group : groups) {
        if (!contains(names, group.topic)) {
            names.push_back(group.topic);
        }
    }
    return names;
}

/// Every name, by topic.
std::string overview_text(const std::vector<AlternativeGroup>& groups, std::size_t width) {
    constexpr std::size_t indent = 14;
    std::string text;
    for (const std::string& topic : topics(groups)) {
        std::vector<std::string> names;
        for (const AlternativeGroup& group : groups) {
            for (const engine::Alternative& alternative : group.alternatives) {
                if (group.topic == topic) {
                    names.push_back(alternative.name);
                }
            }
        }
        text += fmt::format("{:{}}", topic, indent)
                + wrapped(joined(names), indent, width).substr(indent);
    }
    return text
           + wrapped(
               "`schedfarm list policies` says what each does, `schedfarm list fpfs` all of one.",
               0,
               width
           );
}

/// Every alternative of this name; "" when there is none.
std::string named_text(
    const std::vector<AlternativeGroup>& groups, const std::string& name, std::size_t width
) {
    std::string text;
    for (const AlternativeGroup& group : groups) {
        for (const engine::Alternative& alternative : group.alternatives) {
            if (alternative.name == name) {
                text += (text.empty() ? "" : "\n") + alternative_text(alternative, width);
            }
        }
    }
    return text;
}

/// The nearest topic or name, or all topics.
std::string topic_suggestion(
    const std::vector<AlternativeGroup>& groups, const std::string& topic
) {
    std::vector<std::string> known = topics(groups);
    std::vector<std::string> about;  // those that are called so: "EASY backfilling: jobs …"
    for (const AlternativeGroup& group : groups) {
        for (const engine::Alternative& alternative : group.alternatives) {
            known.push_back(alternative.name);
            const std::size_t head = alternative.summary.find(':');
            if (head != std::string::npos && topic.size() > 3
                && in_small_letters(alternative.summary).rfind(topic, head) != std::string::npos) {
                about.push_back(alternative.name);
            }
        }
    }
    const auto nearest = nearest_name(topic, known);
    if (about.size() > 1 && !(nearest && nearest->starts_with(topic))) {
        return "See " + joined(about);
    }
    return nearest ? "Did you mean '" + *nearest + "'?"
                   : "Known: " + joined(topics(groups)) + ", or the name of one of them";
}

Node json_of(const AlternativeGroup& group, const engine::Alternative& alternative) {
    Node node = Node::map({});
    add_entry(node, "topic", quoted(group.topic));
    add_entry(node, "heading", quoted(group.heading));
    add_entry(node, "name", quoted(alternative.name));
    add_entry(node, "summary", quoted(alternative.summary));
    add_entry(node, "source", quoted(alternative.source));
    Node parameters = Node::list({}, {});
    for (const engine::ParameterDescription& row : alternative.parameters) {
        Node parameter = Node::map({});
        add_entry(parameter, "name", quoted(row.name));
        add_entry(parameter, "meaning", quoted(row.meaning));
        add_entry(parameter, "value", quoted(type_text(row)));
        add_entry(parameter, "unit", quoted(row.unit));
        add_entry(parameter, "default", row.default_value ? node_of(*row.default_value) : Node());
        parameters.items.emplace_back(std::move(parameter));
    }
    add_entry(node, "parameters", std::move(parameters));
    return node;
}

/// A library of a policy (./mine.so) has a row, too; the topic becomes its name.
std::vector<AlternativeGroup> groups_for(std::string& topic) {
    if (topic.find('/') == std::string::npos && !topic.ends_with(".so")) {
        return documented_groups();
    }
    try {
        const engine::Alternative row = policies::plugin_row(topic);
        topic = row.name;
        return {{"policies", "Policies", {row}}};
    } catch (const policies::ExternalPolicyError& error) {
        throw_problem({}, error.what(), "");
    }
}

}  // namespace

std::string list_json(const std::string& asked) {
    std::string topic = asked;
    const std::vector<AlternativeGroup> groups = groups_for(topic);
    std::string text;
    for (const AlternativeGroup& group : groups) {
        for (const engine::Alternative& alternative : group.alternatives) {
            if (topic.empty() || topic == group.topic || topic == alternative.name) {
                text += (text.empty() ? "" : ",\n") + json_text(json_of(group, alternative));
            }
        }
    }
    if (text.empty()) {
        throw_problem({}, "unknown topic '" + topic + "'", topic_suggestion(groups, topic));
    }
    return "[\n" + text + "\n]\n";
}

std::string list_text(const std::string& asked, std::size_t width) {
    std::string topic = asked;
    const std::vector<AlternativeGroup> groups = groups_for(topic);
    if (topic.empty()) {
        return overview_text(groups, width);
    }
    std::string text;
    for (const AlternativeGroup& group : groups) {
        if (group.topic == topic) {
            text += (text.empty() ? "" : "\n") + group_text(group, width);
        }
    }
    if (text.empty()) {
        text = named_text(groups, topic, width);
    }
    if (text.empty()) {
        throw_problem({}, "unknown topic '" + topic + "'", topic_suggestion(groups, topic));
    }
    return text;
}

}  // namespace schedfarm::app
