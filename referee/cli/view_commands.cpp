#include <algorithm>
#include <csignal>
#include <iostream>
#include <sstream>

#include "engines/registry.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "referee/cli/commands.h"
#include "referee/cli/viewed_game.h"
#include "referee/game/trace/story.h"
#include "referee/game/trace/trace.h"
#include "referee/watch/pages/pages.h"
#include "referee/watch/terminal/player.h"
#include "referee/watch/terminal/terminal.h"

namespace referee::cli {

namespace {

// What is told of a game's story where nobody can press a key.
constexpr std::size_t story_lines_told = 12;

struct ViewOptions {
    std::vector<std::string> replays;
    std::string html;
    std::string review;
    bool json = false;
    std::optional<std::int64_t> text_turn;
};

int print_json(const std::string& file, const std::string& review) {
    const engines::Registry registry;
    const auto showing = viewed_showing(file, registry, review);
    if (!showing) return refuse(showing.error());
    std::cout << showing->json << '\n';
    return exit_done;
}

int write_page(const ViewOptions& options) {
    const engines::Registry registry;
    std::vector<showing::Showing> showings;
    for (const auto& file : options.replays) {
        auto showing = viewed_showing(file, registry, options.review);
        if (!showing) return refuse(showing.error());
        showings.push_back(*std::move(showing));
    }
    for (const auto& file : options.replays)
        if (const auto mistake = mistake_of_output("--html", options.html, file); !mistake.empty())
            return refuse(mistake);
    std::vector<std::string_view> data;
    for (const auto& showing : showings) data.emplace_back(showing.json);
    const auto title = base::joined(showings, ", ", &showing::Showing::game_id);
    return write_output(options.html, pages::viewer_html(title, data));
}

// The frame after a turn that somebody named.
base::Result<std::size_t, std::string> named_frame(const showing::ReplayFrames& replay_frames,
                                                   const std::string& file, std::int64_t turn) {
    if (const auto frame = replay_frames.frame_after(turn)) return *frame;
    return base::failure(fmt::format(
        "{}: there is no turn {}; expected one from 0, the position before the first, to {}", file,
        turn, replay_frames.turns()));
}

int print_text(const std::string& file, std::int64_t turn) {
    const engines::Registry registry;
    const auto replay_frames = viewed_frames(file, registry);
    if (!replay_frames) return refuse(replay_frames.error());
    const auto frame = named_frame(**replay_frames, file, turn);
    if (!frame) return refuse(frame.error());
    std::cout << base::safe_for_ci_log(terminal::told_frame(**replay_frames, *frame));
    return exit_done;
}

std::string first_lines(const std::string& text, std::size_t most) {
    std::size_t end = 0;
    for (std::size_t line = 0; line < most && end < text.size(); ++line)
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    return text.substr(0, end);
}

// For a pipe, a file, a terminal without a cursor: how the game ended, and how to see more.
void print_end(showing::ReplayFrames& replay_frames, const std::string& file) {
    std::cout << base::safe_for_ci_log(
                     terminal::told_frame(replay_frames, replay_frames.frames() - 1))
              << '\n';
    if (const auto story = trace::tell_story(replay_frames.replay(), file))
        std::cout << base::safe_for_ci_log(first_lines(*story, story_lines_told));
    std::cout << "\nOther turns: referee view " << file << " --text TURN, from 0 to "
              << replay_frames.turns()
              << "; all of them: --html OUT, or on a terminal without an option.\n"
              << "The whole story: referee explain " << file << '\n';
}

// The turns that a review found, a line each, where there is a review.
void print_lost(const std::string& review) {
    protocol::json::Document document;
    if (review.empty() || !document.parse(review)) return;
    std::cout << "\nreview:\n";
    for (const auto* list : {"remarks", "lost"}) {
        for (const auto each : document.root().find(list).elements()) {
            const auto told = each.is_object() ? each.find("told").string() : each.string();
            std::cout << "- " << base::visible_line(told.value_or("")) << '\n';
        }
    }
}

// How it was ended; nothing where there is no terminal to watch on.
std::optional<int> watched(const std::vector<std::unique_ptr<showing::ReplayFrames>>& replays) {
    const auto environment = terminal::environment();
    if (!terminal::has_cursor(environment)) return std::nullopt;
    const auto terminal = terminal::Terminal::open(terminal::has_colour(environment));
    if (!terminal) return std::nullopt;
    const int signal = terminal::watch(replays, **terminal);
    return signal == 0 ? exit_done : exit_of_signal(signal);
}

int watch_games(const std::vector<std::string>& files, const std::string& review_file) {
    const engines::Registry registry;
    std::vector<std::unique_ptr<showing::ReplayFrames>> replays;
    std::string review;
    for (const auto& file : files) {
        auto replay_frames = viewed_frames(file, registry);
        if (!replay_frames) return refuse(replay_frames.error());
        replays.push_back(*std::move(replay_frames));
    }
    if (!review_file.empty()) {
        auto read = review_in(review_file, replays.front()->replay());
        if (!read) return refuse(read.error());
        review = *std::move(read);
    }
    const auto status = watched(replays);
    for (std::size_t i = 0; i < replays.size() && !status; ++i) {
        if (i > 0) std::cout << '\n';
        print_end(*replays[i], files[i]);
    }
    print_lost(review);
    return status.value_or(exit_done);
}

int view(const ViewOptions& options) {
    if (!options.review.empty() && options.replays.size() > 1)
        return refuse("--review: expected one replay, that of the review's game; found " +
                      std::to_string(options.replays.size()));
    if (!options.html.empty()) return write_page(options);
    const bool one_alone = options.json || options.text_turn;
    if (!one_alone) return watch_games(options.replays, options.review);
    if (options.replays.size() > 1)
        return refuse(
            "expected one replay with this option; several can be viewed in the terminal, or in a "
            "page: --html OUT");
    if (options.json) return print_json(options.replays.front(), options.review);
    return print_text(options.replays.front(), *options.text_turn);
}

struct TraceOptions {
    std::string setup;
    std::string moves;
    std::vector<std::string> replays;
};

int trace_game(const TraceOptions& options) {
    const engines::Registry registry;
    const auto setup_text = read_input(options.setup);
    if (!setup_text) return refuse(setup_text.error());
    auto setup = trace::read_setup(*setup_text, options.setup, registry);
    if (!setup) return refuse(setup.error().message);
    std::istringstream moves_file;
    if (options.moves != "-") {  // else each move is answered before the next is read
        auto moves_text = read_input(options.moves);
        if (!moves_text) return refuse(moves_text.error());
        moves_file.str(*std::move(moves_text));
    }
    auto& moves = options.moves == "-" ? std::cin : static_cast<std::istream&>(moves_file);
    const auto traced = trace::trace(*setup, moves, options.moves, std::cout);
    std::cout.flush();
    if (!std::cout)
        return refuse("the trace can't be written to the standard output", exit_trouble);
    return traced ? exit_done : refuse(traced.error().message);
}

int check_replays(const TraceOptions& options) {
    const engines::Registry registry;
    int status = exit_done;
    for (const auto& path : options.replays) {
        const auto text = read_input(path, "a replay file, or - for the standard input");
        if (!text) return refuse(text.error());
        std::istringstream replay(*text);
        const auto checked = trace::check_replay(replay, path, registry);
        if (!checked) return refuse(checked.error().message);
        const auto& verdict = *checked;
        if (verdict.differences.empty()) {
            std::cout << path << ": game " << base::visible_line(verdict.game_id) << ", "
                      << base::counted(verdict.turns, "turn") << ", played again: all agrees\n";
            continue;
        }
        status = exit_no;
        for (const auto& difference : verdict.differences)
            std::cout << path << ": differs: " << difference << '\n';
    }
    return status;
}

int trace_or_check(const TraceOptions& options) {
    if (!options.replays.empty()) return check_replays(options);
    if (options.setup.empty() || options.moves.empty())
        throw CLI::RequiredError("SETUP and MOVES, or --replay FILE,");
    return trace_game(options);
}

}  // namespace

void add_view_command(CLI::App& command, int& status) {
    auto& options = options_of<ViewOptions>(command, status, view);
    command.description("Watch games from their replays");
    command.footer(std::string(R"(  $ referee view out/games/friday_12.1.ndjson
  $ referee view out/games/friday_12.1.ndjson --text 41
  $ referee view out/games/*.ndjson --html games.html
  $ referee view game.ndjson --review game.review.json --html game.html

On a terminal the game is shown there. These are its keys:

)") + terminal::help_text() +
                   R"(
Boards have colours where TERM or COLORTERM say so and NO_COLOR is not set. Where
there is no terminal, the last position and the beginning of the story are printed.

A page that --html writes stands for itself: it works from disk and loads nothing.
What the bots said of their moves (their debug text) is shown where the replay lies
in the folder of its run.

The game is played again by the rules of this program. Where they say something
else than the record, that is told as a warning.)");
    command
        .add_option("FILE", options.replays,
                    "Replay files; - for the standard input; or ids of games behind the folder of "
                    "their run, such as out/friday/12.1")
        ->required();
    auto* html = command.add_option("--html", options.html,
                                    "Write a page with the games; - for the standard output");
    auto* review = command.add_option("--review", options.review,
                                      "Show where the game was lost too, as this file has it "
                                      "(referee review GAME --json)");
    auto* json = command
                     .add_flag("--json", options.json,
                               "Print the game as JSON: a position, and what changed in each turn "
                               "(configs/schemas/showing.json)")
                     ->excludes(html);
    command
        .add_option("--text", options.text_turn,
                    "Print the position after this turn, and what was played in it; 0 is the first")
        ->type_name("TURN")
        ->excludes(html)
        ->excludes(review)
        ->excludes(json);
}

void add_trace_command(CLI::App& command, int& status) {
    auto& options = options_of<TraceOptions>(command, status, trace_or_check);
    command.description("Drive a game by hand: no bots, no clock, no network");
    command.footer(R"(SETUP is one JSON object, MOVES has a line for each turn:

  $ cat setup.json
  {"game": "walls", "seed": 1, "params": {"size": 3}}
  $ cat moves.ndjson
  {"moves": ["F", null]}
  {"moves": [null, "R"]}
  $ referee trace setup.json moves.ndjson

The answer has a line for the state after each turn, and the outcome at the end
(null where the moves ran out first). A file that is not as it should be is told
with its line, and the exit status is 2.

  $ referee trace --replay out/games/friday_12.1.ndjson

plays a recorded game again; the exit status is 1 if anything differs.)");
    auto* setup =
        command.add_option("SETUP", options.setup, "Setup as JSON; - for the standard input");
    auto* moves =
        command.add_option("MOVES", options.moves, "Moves as NDJSON; - for the standard input")
            ->needs(setup);
    command.add_option("--replay", options.replays, "Play recorded games again and compare")
        ->excludes(setup)
        ->excludes(moves);
}

}  // namespace referee::cli
