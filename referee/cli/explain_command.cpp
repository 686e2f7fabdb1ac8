#include <filesystem>
#include <iostream>
#include <memory>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/writer.h"
#include "referee/cli/commands.h"
#include "referee/cli/viewed_game.h"
#include "referee/game/result/game_result.h"
#include "referee/game/trace/story.h"
#include "referee/single_game/single_game.h"
#include "referee/store/records/later_orders.h"
#include "referee/store/store.h"

namespace referee::cli {

namespace {

// As records::LaterOrders tells them. `store`: the file of the run; where it can't be read the
// standard error says so.
std::vector<std::string> later_orders(const std::string& store, const GameKey& key) {
    records::LaterOrders orders(key);
    const auto read =
        store::read_history(store, [&orders](const auto& record) { orders.take(record); });
    if (!read)
        std::cerr << "whether the game still counts can't be told: " << read.error().message
                  << '\n';
    return orders.sentences();
}

struct ExplainOptions {
    std::vector<std::string> games;
    std::string out;
    bool json = false;
};

// Of a replay file in the folder of its run; its name is that of its game. Empty elsewhere.
std::string how_to_ask_whether_it_counts(const std::filesystem::path& replay) {
    if (replay.extension() != ".ndjson" || replay.parent_path().filename() != "games") return {};
    auto game = replay.stem().string();
    const auto slash = game.rfind('_');
    if (slash == std::string::npos) return {};
    game[slash] = '/';
    for (const auto* up : {"..", "../.."}) {
        const auto out = (replay.parent_path() / up).lexically_normal();
        if (std::filesystem::exists(out / store::name_in_output_folder))
            return "Does it still count? `referee explain " +
                   base::shell_word((out / game).string()) + "`\n";
    }
    return {};
}

// `since`: what was ordered of the game after it was played.
int tell(const NamedGame& game, const std::vector<std::string>& since, bool json) {
    const auto story = trace::tell_story(game.replay, game.place);
    if (!story) return refuse(story.error().message);
    const auto said = debug_beside(game.place);
    if (json) {
        const auto write = [&](protocol::json::Writer& writer) {
            writer.member("replay", game.place).member("story", *story);
            if (!said.empty()) writer.member("said", said);
            if (!since.empty()) writer.key("since").texts(since);
            if (const auto result = single_game::result_in(game.replay); !result.empty())
                writer.key("result").raw(result);
        };
        std::cout << protocol::json::object_text(write) << '\n' << std::flush;
    } else {
        for (const auto& sentence : since) std::cout << base::visible_line(sentence) << '\n';
        std::cout << base::safe_for_ci_log(*story) << base::safe_for_ci_log(said);
        if (story->find(trace::nobody_at_fault) != std::string::npos && game.name != "-")
            std::cout << "Where was it lost? `referee review " << base::shell_word(game.name)
                      << "`. See it: `referee view " << base::shell_word(game.name) << "`.\n";
        std::cout << std::flush;
    }
    return exit_done;
}

int explain_one(const ExplainOptions& options, const std::string& name) {
    const bool in_folder = !options.out.empty();
    if (in_folder && !game_key(name))
        return refuse(options.out + " has no game " + name +
                      "; expected an id such as friday/12.1");
    const auto game = named_game(in_folder ? options.out + '/' + name : name);
    if (!game) return ended(game.error());
    const auto since =
        game->key ? later_orders(game->store, *game->key) : std::vector<std::string>();
    const auto status = tell(*game, since, options.json);
    if (status == exit_done && !game->key && !options.json)
        std::cout << how_to_ask_whether_it_counts(game->place) << std::flush;
    return status;
}

// All of them, a blank line between two; the status is that of the first that can't be told.
int explain(const ExplainOptions& options) {
    int status = exit_done;
    for (const auto& game : options.games) {
        if (&game != &options.games.front() && !options.json) std::cout << '\n';
        const auto told = explain_one(options, game);
        if (status == exit_done) status = told;
    }
    return status;
}

}  // namespace

void add_explain_command(CLI::App& command, int& status) {
    const auto options = std::make_shared<ExplainOptions>();
    command.description("Tell the story of a game's faults in plain words");
    command.footer(R"(  $ referee explain out/games/friday_12.1.ndjson
  $ referee explain out/friday/12.1
  $ referee explain grade/games/*/games/*.ndjson

Behind the story stands what the bots said of their moves (their debug text), where the replay
lies in the folder of its run.

A game that is named by its id behind the folder of its run may be one whose file is gone:
referee.db in that folder has it too. And it is told whether the game still counts: a play may be
annulled by order, or an arbiter have set the result of the match. A replay file alone can't tell
that.)");
    command
        .add_option("GAME", options->games,
                    "Replay files; - for the standard input; or ids of games behind the folder of "
                    "their run")
        ->required();
    command.add_option("--out", options->out, "The folder of that run, so that ids stand alone");
    command.add_flag("--json", options->json,
                     "One JSON object: the replay's place, the story, what the bots said and the "
                     "game's result (configs/README.md has its members)");
    command.callback([options, &status] { status = explain(*options); });
}

}  // namespace referee::cli
