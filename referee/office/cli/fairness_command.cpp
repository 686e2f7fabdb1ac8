#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "protocol/json/in_log.h"
#include "protocol/json/writer.h"
#include "referee/config/paths.h"
#include "referee/exit_code.h"
#include "referee/office/cli/commands.h"
#include "referee/office/cli/fairness_games.h"
#include "referee/office/cli/unsandboxed.h"
#include "referee/office/report/certainty.h"

namespace referee::cli {
namespace {

constexpr std::uint32_t fairness_games_default = 100;
constexpr std::uint32_t fairness_games_most = 100'000;  // days; who means more has slipped
constexpr std::size_t fairness_bots_most = 64;

struct FairnessOptions {
    FairnessWish wish;
    bool json = false;
};

// All tables are looked at together: that of all games, and each bot's against itself.
struct FairnessTables {
    certainty::SeatTable all;
    std::vector<certainty::SeatTable> self_play;
};

FairnessTables tables_of(const FairnessWish& wish, const FairnessGames& games) {
    const auto bots = wish.bots.size();
    const std::size_t together = bots == 1 ? 1 : 1 + bots;
    auto all = games.between;
    for (const auto& own : games.self_play) all.insert(all.end(), own.begin(), own.end());
    FairnessTables tables;
    tables.all = certainty::seat_table(bots, wish.starts.size(), all, together);
    // Of one bot the games against itself are all games.
    if (bots == 1) return tables;
    for (const auto& own : games.self_play)
        tables.self_play.push_back(certainty::seat_table(bots, wish.starts.size(), own, together));
    return tables;
}

bool any_real(const certainty::SeatTable& table) {
    return std::any_of(table.effects.begin(), table.effects.end(),
                       [](const auto& effect) { return effect.real; });
}

bool any_real(const FairnessTables& tables) {
    return any_real(tables.all) || std::any_of(tables.self_play.begin(), tables.self_play.end(),
                                               [](const auto& table) { return any_real(table); });
}

void write_text(const certainty::SeatTable& table, std::string& text) {
    for (const auto& effect : table.effects) text += "  " + report::effect_text(effect) + '\n';
    if (table.effects.empty()) text += "  no game that counts\n";
}

std::string text_of(const FairnessWish& wish, const FairnessGames& games,
                    const FairnessTables& tables) {
    std::string text = wish.game.game + ": " + std::to_string(games.played) +
                       " games, seeds from " + std::to_string(wish.seed) + '\n';
    if (games.repeated > 0)
        text +=
            std::to_string(games.repeated) +
            " matches only repeated earlier ones, move by move, and don't count: bots that play "
            "without chance need other starts (--params) or seeds that matter.\n";
    if (games.forfeited > 0)
        text += std::to_string(games.forfeited) +
                " games were forfeited by a bot's own fault, and don't count.\n";
    text += tables.self_play.empty() ? "The bot against itself:\n" : "All games:\n";
    write_text(tables.all, text);
    for (std::size_t bot = 0; bot < tables.self_play.size(); ++bot) {
        text += wish.bots[bot] + " against itself:\n";
        write_text(tables.self_play[bot], text);
    }
    text += any_real(tables)
                ? "Where a bot sits matters: let matches swap seats (\"games\": a multiple of " +
                      std::to_string(games.seats) + ").\n"
            : tables.all.games == 0 ? "No game counts, so nothing can be told.\n"
                                    : "Nothing here is beyond chance.\n";
    for (std::size_t start = 0; wish.starts.size() > 1 && start < wish.starts.size(); ++start)
        text += "Setup " + std::to_string(start) + " is " + wish.starts[start] + '\n';
    return text;
}

std::string json_of(const FairnessWish& wish, const FairnessGames& games,
                    const FairnessTables& tables) {
    std::string text;
    protocol::json::Writer writer(text);
    writer.begin_object()
        .member("fairness", 1)
        .member("game", wish.game.game)
        .key("bots")
        .begin_array();
    for (const auto& bot : wish.bots) writer.string(bot);
    writer.end_array().key("starts").begin_array();
    for (const auto& start : wish.starts) writer.raw(start.empty() ? "{}" : start);
    writer.end_array()
        .member("seed", wish.seed)
        .member("seats_of_game", static_cast<std::uint64_t>(games.seats))
        .member("played", games.played)
        .member("forfeited", games.forfeited)
        .member("repeated_matches", games.repeated)
        .member("real", any_real(tables))
        .key("all")
        .begin_object();
    report::write_seats(writer, tables.all, wish.bots);
    writer.end_object().key("self_play").begin_array();
    for (std::size_t bot = 0; bot < tables.self_play.size(); ++bot) {
        writer.begin_object().member("bot", wish.bots[bot]);
        report::write_seats(writer, tables.self_play[bot], wish.bots);
        writer.end_object();
    }
    writer.end_array().end_object();
    return text + '\n';
}

GamesDone progress_of_games() {
    if (::isatty(STDERR_FILENO) == 0) return [](auto /*done*/, auto /*all*/) {};
    return [](std::uint64_t done, std::uint64_t all) {
        std::cerr << '\r' << done << " of " << all << " games\x1b[K"
                  << (done == all ? "\r\x1b[K" : "") << std::flush;
    };
}

int tell_fairness(FairnessOptions& options) {
    auto& wish = options.wish;
    if (wish.bots.empty()) wish.bots.emplace_back("random");
    if (wish.bots.size() > fairness_bots_most) {
        std::cerr << "--bot: expected at most " << fairness_bots_most << " bots, found "
                  << wish.bots.size() << '\n';
        return exit_bad_input;
    }
    if (wish.starts.empty()) wish.starts.emplace_back();
    wish.game.directory = std::filesystem::current_path().string();
    for (auto& path : wish.game.reads) path = config::absolute_path(wish.game.directory, path);
    const auto games = play_for_fairness(wish, progress_of_games());
    if (!games) {
        std::cerr << protocol::json::in_log(games.error().message) << '\n';
        return games.error().status;
    }
    const auto tables = tables_of(wish, *games);
    std::cout << (options.json ? json_of(wish, *games, tables)
                               : protocol::json::in_log(text_of(wish, *games, tables)));
    return any_real(tables) || tables.all.games == 0 ? exit_no : exit_done;
}

}  // namespace

void add_fairness_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<FairnessOptions>();
    auto* command =
        app.add_subcommand("fairness", "Tell whether a seat, a start or the first move is better");
    command->footer(R"(  $ referee fairness walls --bot walls-greedy --bot walls-random --games 100
  $ referee fairness walls --bot random --games 200 --params '{"size": 5}' --params '{"size": 7}'

Each bot plays so many games against itself in all seats; two bots or more also play as many
between them, in matches in which everybody has every seat once. Told is what a seat, a start
(each --params is one, from 0 on) and the first move give of a game's points beside an even
share, with the interval that holds it in 95 of 100 cases. What is called beyond chance is so
with a chance of error of 5% over all that is printed.

The exit status is 1 where something is beyond chance, or not one game counts because bots
forfeited, and 0 where nothing is, which is also so
where there are too few games; then it is said how many it takes. Bots are launched as by `play`.)");
    auto& wish = options->wish;
    wish.games = fairness_games_default;
    command->add_option("GAME", wish.game.game, "walls, light_cycles, e7_planets, ...")->required();
    command
        ->add_option("--bot", wish.bots,
                     "A bot's command, KIND:FILE for a student's program, or random (if none is "
                     "given); once for each bot")
        ->allow_extra_args(false);
    command->add_option("--games", wish.games, "Games of each bot against itself")
        ->check(CLI::Range(std::uint32_t{1}, fairness_games_most))
        ->capture_default_str();
    command
        ->add_option("--params", wish.starts,
                     "The game's params as JSON; once for each start that is compared")
        ->allow_extra_args(false);
    command->add_option("--seed", wish.seed, "Of the first game; the next has the next")
        ->capture_default_str();
    command->add_option("--maps", wish.game.maps_directory, "A folder with maps of your own");
    command
        ->add_option("--reads", wish.game.reads,
                     "A file or folder that the bots may read in the sandbox; once for each")
        ->allow_extra_args(false);
    command->add_flag("--json", options->json, "Print it as JSON (configs/schemas/fairness.json)");
    add_unsandboxed(*command, wish.game.unsandboxed);
    command->callback([options, &status] { status = tell_fairness(*options); });
}

}  // namespace referee::cli
