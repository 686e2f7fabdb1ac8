#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/boards.h"
#include "engines/registry.h"
#include "protocol/json/document.h"
#include "protocol/json/printable.h"
#include "referee/exit_code.h"
#include "referee/files/named_file.h"
#include "referee/games/trace/replay_lines.h"
#include "referee/office/cli/commands.h"
#include "referee/office/cli/debug_beside.h"
#include "referee/office/report/output_folder.h"
#include "referee/watching/pages/pages.h"
#include "referee/watching/showing/showing.h"

namespace referee::cli {
namespace {

// Far more than a game's lines come to.
constexpr std::size_t replay_bytes_max = 256 * 1024 * 1024;

struct ViewOptions {
    std::vector<std::string> replays;
    std::string html;
    bool json = false;
};

// "-" is the standard input.
base::Result<std::string, std::string> replay_text(const std::string& path) {
    if (path == "-")
        return std::string(std::istreambuf_iterator<char>(std::cin),
                           std::istreambuf_iterator<char>());
    auto text = files::read_named_file(path, replay_bytes_max);
    if (text) return text;
    return base::failure(path + ' ' + text.error() +
                         "; expected a replay file, or - for the standard input");
}

// The game and the bots of a replay, as far as its first line has them.
showing::ShowingOptions options_for(const std::string& replay, const std::string& file) {
    protocol::json::Document first;
    if (!first.parse(replay.substr(0, replay.find('\n')), {.depth_max = trace::line_depth_max}))
        return {};
    showing::ShowingOptions options;
    options.with_text = !engines::board_of(first.root().find("game").string().value_or(""));
    for (const auto bot : first.root().find("bots").elements()) {
        const std::string name(bot.string().value_or(""));
        if (auto said = debug_file_beside(file, name); !said.empty())
            options.said.push_back({name, std::move(said)});
    }
    return options;
}

std::optional<showing::Showing> shown(const std::string& file) {
    const engines::Registry registry;
    const auto replay = replay_text(file);
    if (!replay) {
        std::cerr << replay.error() << '\n';
        return std::nullopt;
    }
    auto made = showing::showing_of(*replay, file, registry, options_for(*replay, file));
    if (!made) {
        std::cerr << made.error().message << '\n';
        return std::nullopt;
    }
    for (const auto& difference : made->differences) {
        std::cerr << file << ": warning: the record differs from what the rules say now: "
                  << protocol::json::visible_line(difference) << '\n';
    }
    return *std::move(made);
}

int print_json(const std::string& file) {
    const auto showing = shown(file);
    if (!showing) return exit_bad_input;
    std::cout << showing->json << '\n';
    return exit_done;
}

int write_page(const ViewOptions& options) {
    std::vector<showing::Showing> showings;
    std::string title;
    for (const auto& file : options.replays) {
        auto showing = shown(file);
        if (!showing) return exit_bad_input;
        title += (title.empty() ? "" : ", ") + showing->game_id;
        showings.push_back(*std::move(showing));
    }
    std::vector<pages::Inlined> data;
    for (const auto& showing : showings) data.push_back({"showing", showing.json});
    const auto page = pages::html(pages::Page::viewer, title, data);
    if (options.html == "-") {
        std::cout << page;
        return exit_done;
    }
    if (const auto written = report::write_file(options.html, page); !written) {
        std::cerr << written.error() << '\n';
        return exit_trouble;
    }
    return exit_done;
}

int view(const ViewOptions& options) {
    if (!options.html.empty()) return write_page(options);
    if (options.replays.size() > 1) {
        std::cerr << "expected one replay; several can be viewed together in a page: --html OUT\n";
        return exit_bad_input;
    }
    return print_json(options.replays.front());
}

}  // namespace

void add_view_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<ViewOptions>();
    auto* command = app.add_subcommand("view", "Watch a game from its replay");
    command->footer(R"(  $ referee view out/games/friday_12.1.ndjson --html game.html
  $ referee view out/games/*.ndjson --html games.html
  $ referee view out/games/friday_12.1.ndjson --json

A page that --html writes stands for itself: it works from disk and loads nothing.
What the bots said of their moves (their debug text) is shown where the replay lies
in the folder of its run.

The game is played again by the rules of this program. Where they say something
else than the record, that is told as a warning.)");
    command->add_option("FILE", options->replays, "Replay files; - for the standard input")
        ->required();
    auto* html = command->add_option("--html", options->html,
                                     "Write a page with the games; - for the standard output");
    command
        ->add_flag("--json", options->json,
                   "Print the game as JSON: a position, and what changed in each turn "
                   "(configs/schemas/showing.json)")
        ->excludes(html);
    command->callback([options, &status] { status = view(*options); });
}

}  // namespace referee::cli
