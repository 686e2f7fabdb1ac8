// Configs. One that is refused says where and why. One that is good means the same however it is
// laid out and in whatever order its members stand.

#include <algorithm>
#include <map>

#include "protocol/base/utf8.h"
#include "referee/config/read_config.h"
#include "tests/fuzz/target.h"

namespace fuzz {
namespace {

namespace json = protocol::json;
using referee::config::ConfigError;
using referee::config::read_config;

const std::string folder = "/nowhere";

// Folders of maps are opened: bytes that nobody has looked at must not choose which.
bool names_maps(json::View view) {
    for (const auto element : view.elements()) {
        if (names_maps(element)) return true;
    }
    for (const auto [name, value] : view.members()) {
        if (name == "maps" || names_maps(value)) return true;
    }
    return false;
}

void write_sorted(json::Writer& writer, json::View view) {
    if (view.is_array()) {
        writer.begin_array();
        for (const auto element : view.elements()) write_sorted(writer, element);
        writer.end_array();
    } else if (view.is_object()) {
        std::map<std::string_view, json::View> members;
        for (const auto [name, value] : view.members()) members.emplace(name, value);
        writer.begin_object();
        for (const auto& [name, value] : members) {
            writer.key(name);
            write_sorted(writer, value);
        }
        writer.end_object();
    } else {
        view.write(writer);
    }
}

// The path begins with a member of the text, or with one that is missing there.
bool begins_in(json::View root, const ConfigError& error) {
    if (error.member.empty() || error.message.find("missing") != std::string::npos) return true;
    if (error.member.starts_with("(a name)")) return true;  // it is too long to be told
    for (const auto [name, value] : root.members()) {
        if (error.member.starts_with(name)) return true;
    }
    return false;
}

Complaint check_errors(const std::vector<ConfigError>& errors, std::string_view text,
                       json::View root) {
    if (errors.empty()) return "refused without a word";
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    std::size_t line = 0;
    for (const auto& error : errors) {
        const auto told = referee::config::describe(error, "c.json");
        if (error.line < 1 || error.line > lines) return "not a line of the text: " + told;
        if (error.line < line) return "not in the order of the text: " + told;
        if (error.message.empty() || !base::is_utf8(told)) return "can't be told: " + told;
        if (root && !begins_in(root, error)) return "not a member of the text: " + told;
        line = error.line;
    }
    return {};
}

// What of a config decides what is played.
std::string meaning_of(const referee::config::Config& config) {
    std::string meaning;
    for (const auto& bot : config.bots) meaning += bot.name + '\n';
    for (const auto& tournament : config.tournaments) {
        meaning += tournament.text + '\n';
        for (const auto& setup : tournament.setups) meaning += setup + '\n';
        for (const auto index : tournament.bots) meaning += std::to_string(index) + '\n';
    }
    return meaning;
}

}  // namespace

Complaint check_config(std::string_view bytes) {
    json::Document document;
    const auto parsed = document.parse(bytes, {.comments = true, .lines = true});
    if (parsed && names_maps(document.root())) return {};
    const auto config = read_config(bytes, "c.json", folder);
    if (!config) return check_errors(config.error(), bytes, document.root());
    if (!parsed) return "good, but no JSON";
    const auto again = read_config(document.root().json_text(), "c.json", folder);
    if (!again)
        return "refused on one line: " + referee::config::describe(again.error().front(), "");
    if (meaning_of(*again) != meaning_of(*config)) return "means another thing on one line";
    std::string sorted;
    json::Writer sorting(sorted);
    write_sorted(sorting, document.root());
    const auto ordered = read_config(sorted, "c.json", folder);
    if (!ordered)
        return "refused with sorted members: " +
               referee::config::describe(ordered.error().front(), "");
    const auto count = [](const auto& read) { return read->tournaments.size(); };
    return count(ordered) == count(config) ? Complaint()
                                           : "means another thing with sorted members";
}

}  // namespace fuzz
