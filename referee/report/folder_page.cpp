#include "referee/report/folder_page.h"

#include <algorithm>

#include "engines/boards.h"
#include "engines/registry.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/game/trace/replay_lines.h"
#include "referee/watch/pages/pages.h"
#include "referee/watch/showing/showing.h"

namespace referee::report {
namespace {

// A longer game's showing would be several times as much, and take a browser long to read.
constexpr std::size_t shown_replay_bytes_max = 4 * 1024 * 1024;
// Says in place of a game why it isn't there.
constexpr std::string_view refusal_function = "no_showing";

std::string refusal(const std::string& why) {
    std::string text;
    protocol::json::Writer writer(text);
    writer.string(why);
    return script_of(refusal_function, text);
}

// Whether the game that a first line names is drawn by a board.
bool has_board(std::string_view first_line) {
    protocol::json::Document document;
    return document.parse(first_line, {.depth_max = trace::line_depth_max}) &&
           engines::board_of(document.root().find("game").string().value_or(""));
}

}  // namespace

std::string folder_index(const std::string& tournament) {
    return pages::linked_html(
        pages::Page::folder, tournament,
        {.style = "page/style.css",
         .scripts = {"page/viewer.js", "page/standings.js", "page/pairings.js"},
         .source = "folder"});
}

std::string index_of_folders(const std::vector<std::string>& tournaments) {
    return pages::contents_html("Tournaments", tournaments);
}

std::string folder_script() {
    return pages::script(pages::Page::folder);
}

std::string folder_style() {
    return std::string(pages::style());
}

bool is_of_every_folder(std::string_view text) {
    if (text == folder_script() || text == folder_style()) return true;
    const auto without_title = [](std::string_view page) {
        const auto begin = std::min(page.find("<title>"), page.size());
        const auto end = std::min(page.find("</title>", begin), page.size());
        return std::string(page.substr(0, begin)).append(page.substr(end));
    };
    return without_title(text) == without_title(folder_index({}));
}

std::string script_of(std::string_view function, std::string_view json) {
    return pages::call_with(function, json);
}

std::string_view value_of(std::string_view function, std::string_view script) {
    constexpr std::string_view end = ");\n";
    if (!script.starts_with(function) || !script.ends_with(end)) return {};
    script.remove_prefix(function.size());
    if (!script.starts_with('(')) return {};
    script.remove_prefix(1);
    script.remove_suffix(end.size());
    return script;
}

std::string showing_script(const std::string& replay, const std::string& file) {
    if (replay.size() > shown_replay_bytes_max) {
        return refusal("The game is too long for a page: " + std::to_string(replay.size()) +
                       " bytes of replay; expected at most " +
                       std::to_string(shown_replay_bytes_max) +
                       ". On a terminal, referee view shows it.");
    }
    const engines::Registry registry;
    const bool with_text = !has_board(std::string_view(replay).substr(0, replay.find('\n')));
    const auto showing = showing::showing_of(replay, file, registry, {.with_text = with_text});
    if (!showing) return refusal("The game can't be shown: " + showing.error().message);
    return script_of(showing_function, showing->json);
}

}  // namespace referee::report
