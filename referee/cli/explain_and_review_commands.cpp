#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <limits>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/writer.h"
#include "referee/cli/commands.h"
#include "referee/cli/viewed_game.h"
#include "referee/files/log/log.h"
#include "referee/game/result/game_result.h"
#include "referee/game/trace/replay.h"
#include "referee/game/trace/story.h"
#include "referee/playouts/playouts.h"
#include "referee/single_game/single_game.h"
#include "referee/store/records/later_orders.h"
#include "referee/store/store.h"
#include "referee/watch/pages/pages.h"
#include "referee/watch/review/kept_review.h"
#include "referee/watch/review/review.h"

// What became of a game, told after it: the story of its faults, and where it was lost.

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

constexpr std::size_t playouts_launched = 10;  // by processes: minutes
// Where nobody sees a line change, one is written so often: a log tells that it goes on.
constexpr std::chrono::seconds progress_every{10};

struct ReviewCommandOptions {
    std::string game;    // as it was named
    std::string replay;  // where it was found
    std::string seat;    // its number or its bot's name; empty: who lost
    playouts::PlayoutPlayersChoice choice;
    std::optional<std::size_t> playouts;
    std::int64_t every = 0;
    bool json = false;
    bool verbose = false;
    std::string html;
    std::string out = "-";
    bool beside = false;
};

// What is wrong with the numbers and files of the command line; empty where nothing is.
std::string mistake_in(const ReviewCommandOptions& options) {
    const auto playouts = options.playouts.value_or(review::playouts_min);
    if (playouts < review::playouts_min || playouts > review::playouts_max)
        return fmt::format(
            "--playouts: expected a number from {} (fewer say nothing that is sure in 95 of 100 "
            "cases) to {}, such as 40; found {}",
            review::playouts_min, review::playouts_max, playouts);
    if (std::error_code none; options.beside && !std::filesystem::exists(options.replay, none))
        return "--beside: expected a replay file for the review to lie beside, such as "
               "out/games/friday_12.1.ndjson; found " +
               (options.replay == "-" ? "the standard input" : options.replay);
    if (!options.html.empty() && options.html != "-" && options.html == options.out)
        return "--html: " + options.html +
               " is where the text goes too (--out); expected another file, such as review.html";
    const auto mistake = mistake_of_output("--html", options.html, options.replay);
    return mistake.empty() ? mistake_of_output("--out", options.out, options.replay) : mistake;
}

// Whoever was placed last; of several, or where nobody was, the first.
std::size_t loser(const showing::ReplayFrames& replay_frames) {
    const auto placing = replay_frames.result().find("outcome").find("placing");
    std::size_t seat = 0;
    std::int64_t worst = 1;
    for (std::size_t other = 0; other < replay_frames.bots().size(); ++other) {
        const auto place = placing.at(other).integer().value_or(1);
        if (place <= worst) continue;
        worst = place;
        seat = other;
    }
    return seat;
}

// On a terminal one line that is written again and again; the last, which is empty, clears it.
review::Progress progress_told() {
    if (::isatty(STDERR_FILENO) == 1)
        return [](const std::string& what) { std::cerr << '\r' << what << "\x1b[K" << std::flush; };
    return [told_at = std::chrono::steady_clock::now()](const std::string& what) mutable {
        const auto now = std::chrono::steady_clock::now();
        if (what.empty() || now - told_at < progress_every) return;
        told_at = now;
        std::cerr << "review: " << what << std::endl;
    };
}

int write_reviewed(const ReviewCommandOptions& options, const showing::ReplayFrames& replay_frames,
                   const engines::Registry& registry, const review::Review& found,
                   const review::ReviewFacts& about) {
    const auto json = review::json_of(found, about);
    if (options.beside) {
        const auto file = review::file_beside(options.replay);
        if (const auto status = write_output(file, json + '\n'); status != exit_done) return status;
    }
    if (!options.html.empty()) {
        const auto showing =
            reviewed_showing(replay_frames.replay(), options.replay, registry, json);
        if (!showing) return refuse(showing.error());
        const auto page = pages::viewer_html(replay_frames.game_id(), {showing->json});
        if (const auto status = write_output(options.html, page); status != exit_done)
            return status;
        if (options.html == "-") return exit_done;
    }
    return write_output(options.out, options.json ? json + '\n'
                                                  : base::safe_for_ci_log(review::text_of(
                                                        found, about, options.verbose)));
}

int review_game(ReviewCommandOptions options) {
    const auto game = named_game(options.game);
    if (!game) return ended(game.error());
    options.replay = game->place;
    if (const auto mistake = mistake_in(options); !mistake.empty()) return refuse(mistake);
    auto& launch = options.choice.launch;
    launch.directory = std::filesystem::current_path().string();
    auto reads = absolute_reads(launch.reads, launch.directory);
    if (!reads) return refuse(reads.error());
    launch.reads = *std::move(reads);
    const engines::Registry registry;
    const auto replay_frames = viewed_frames(*game, registry);
    if (!replay_frames) return refuse(replay_frames.error());
    const auto point = trace::fork_point((*replay_frames)->replay(), options.replay, 1, registry);
    if (!point) return refuse(point.error().message);
    std::size_t seat = loser(**replay_frames);
    if (!options.seat.empty()) {
        const auto named = seat_named(options.seat, (*replay_frames)->bots());
        if (!named) return refuse(named.error());
        seat = *named;
    }
    options.choice.point = &*point;
    auto players = playouts::players_for(options.choice, **replay_frames, options.replay, registry);
    if (!players) return refuse(players.error());
    if (!playouts::take_idle_cores_only())
        log::warn("the review can't be kept to idle cores: it runs as any other program");
    review::ReviewOptions terms;
    terms.seat = seat;
    terms.every = options.every;
    auto& playouts = *players->playouts;
    terms.playouts = options.playouts.value_or(playouts.cost_much() ? playouts_launched
                                                                    : review::playouts_of_curve);
    if (!options.playouts && !playouts.cost_much()) terms.spent = playouts::time_spent();
    terms.seed = options.choice.seed;
    const auto progress = progress_told();
    const auto found = review::review(**replay_frames, playouts, terms, progress);
    progress("");
    if (!found)
        return refuse(options.replay + ": " + base::safe_for_ci_log(found.error()),
                      playouts.status_of_failure());
    review::ReviewFacts about;
    about.game_id = (*replay_frames)->game_id();
    about.game = point->game;
    about.bots = (*replay_frames)->bots();
    about.seat = seat;
    about.seed = options.choice.seed;
    about.played_by = players->commands;
    about.past_told_by = playouts.past_told_by();
    about.assumed = playouts.assumed();
    about.ending = review::ending_of(*found, **replay_frames, seat);
    about.replay = review::replay_mark((*replay_frames)->replay());
    about.differences = (*replay_frames)->differences();
    about.rules = registry.find(point->game);
    return write_reviewed(options, **replay_frames, registry, *found, about);
}

}  // namespace

void add_explain_command(CLI::App& command, int& status) {
    auto& options = options_of<ExplainOptions>(command, status, explain);
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
        .add_option("GAME", options.games,
                    "Replay files; - for the standard input; or ids of games behind the folder of "
                    "their run")
        ->required();
    command.add_option("--out", options.out, "The folder of that run, so that ids stand alone");
    command.add_flag("--json", options.json,
                     "One JSON object: the replay's place, the story, what the bots said and the "
                     "game's result (configs/README.md has its members)");
}

void add_review_command(CLI::App& command, int& status) {
    auto& options = options_of<ReviewCommandOptions>(command, status, review_game);
    command.description("Tell where a recorded game was lost");
    command.footer(
        R"(  $ referee review out/friday/12.1
  $ referee review game.ndjson --seat alice --html review.html
  $ referee review game.ndjson --bot ./alice --bot ./bob --playouts 20

The game is played on to its end many times from about twenty of its positions. What
these playouts come to is how the game stood, with an interval that says how sure
that is. Where it fell most, single turns are looked at, and the seat's other moves
are tried. Of a game with one seat it is the score that could still be reached.

Without --bot a quick reference bot of the game plays all seats, within this program:
16 playouts of each position, then more and more of the turns where it fell most, until one of
them can be told from chance or about eight seconds of the processor are over. It makes slips,
because bots that always move alike would play one game again and again. Programs are started for
each playout, by the game's own clock and with the history; that takes minutes.

With the same --playouts and seed a review by reference bots is the same again, but for
those that think as long as they are let. All of it runs on idle cores only.)");
    command
        .add_option("GAME", options.game,
                    "The game's replay file; - for the standard input; or its id behind the folder "
                    "of its run")
        ->required();
    command.add_option(
        "--seat", options.seat,
        "Whose turns are looked at: a number from 0, or the name of the bot there; else who lost");
    add_repeated_option(command, "--bot", options.choice.commands,
                        "Who plays the playouts: one for all seats, or one for each in the order "
                        "of seats; a command, KIND:FILE, a reference bot, or random");
    command.add_option("--playouts", options.playouts,
                       "Playouts of each position and turn, from 6 to 10000, whatever time they "
                       "take; else as told above, or 10 where programs are started");
    command
        .add_option("--every", options.every,
                    "Look at every so many turns; else at about twenty positions")
        ->check(CLI::Range(1, std::numeric_limits<int>::max(), "POSITIVE"));
    command
        .add_option("--slips", options.choice.slips_percent,
                    "Moves of a hundred that a reference bot draws at random: 10")
        ->check(CLI::Range(0, 100));
    command.add_option("--seed", options.choice.seed, "Of all that is drawn")
        ->capture_default_str();
    add_repeated_option(command, "--reads", options.choice.launch.reads,
                        "A file or folder that the bots may read in the sandbox; once for each");
    command.add_flag("--verbose", options.verbose,
                     "Tell each costly turn, what was assumed, and how sure it is");
    command.add_flag("--json", options.json, "Print it as JSON (configs/schemas/review.json)");
    command.add_option("--html", options.html,
                       "Write a page with the game and its review too; - for the standard output");
    command.add_option("-o,--out", options.out, "Where to write it; - is the standard output")
        ->capture_default_str();
    command.add_flag("--beside", options.beside,
                     "Write it as JSON beside the replay too (NAME.review.json for NAME.ndjson): "
                     "there a daemon finds it, and its page of the game shows it");
    add_unsandboxed(command, options.choice.launch.unsandboxed);
}

}  // namespace referee::cli
