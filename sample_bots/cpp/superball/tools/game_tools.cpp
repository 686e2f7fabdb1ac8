#include <chrono>
#include <cstdio>
#include <iostream>

#include "engines/superball/position.h"
#include "protocol/base/text.h"
#include "sample_bots/cpp/superball/tools/player_command.h"
#include "sample_bots/cpp/superball/tools/tool_texts.h"

// The programs that play whole games with a player program. The build says by SB_TOOL which of them
// this is.

namespace {

using namespace bots::superball::tools;
using engines::superball::Position;

constexpr std::string_view tool = SB_TOOL;
constexpr std::string_view person = "-";

struct Options {
    Rules rules;
    std::string player;
    bool interactive = false;
    bool output = false;
    std::uint32_t seed = 0;
};

std::optional<bool> read_yes_no(std::string_view text) {
    if (text == "y") return true;
    if (text == "n") return false;
    return std::nullopt;
}

base::Result<Options, std::string> read_options(std::span<const char* const> arguments) {
    auto rules = read_rules(arguments);
    if (!rules) return base::failure(std::move(rules.error()));
    const auto interactive = read_yes_no(arguments[5]);
    const auto output = read_yes_no(arguments[6]);
    if (!interactive || !output)
        return base::failure(std::string("interactive and output are y or n"));
    Options options{*rules, arguments[4], *interactive, *output, 0};
    const std::string_view seed = arguments[7];
    if (seed == "-") {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        options.seed =
            static_cast<std::uint32_t>(std::chrono::seconds(now / std::chrono::seconds(1)).count());
        return options;
    }
    const auto number = base::whole_number<std::int64_t>(seed);
    if (!number) return base::failure(std::string("seed is a number, or - for the current time"));
    options.seed = static_cast<std::uint32_t>(*number);  // as srand48() takes it
    return options;
}

// One game with a player program, or with a person where the player is "-". A program's illegal
// move ends the game; a person may try again.
class PlayedGame {
 public:
    explicit PlayedGame(const Options& options)
        : options_(options),
          game_(options.rules, options.seed),
          player_(options.player, options.rules) {}

    int play() {
        while (!game_.full()) {
            report_.set_score(game_.score());
            if (options_.output) show();
            const auto line = next_line();
            if (!line) return stop("the player gave no move");
            if (options_.output && !is_person()) std::cout << "Move is: " << *line << "\n\n";
            const auto move = read_move(game_, *line);
            if (move) {
                game_.play(*move);
            } else if (is_person()) {
                std::cout << "Not played: " << move.error() << ". Try again.\n";
            } else {
                return stop(move.error());
            }
        }
        std::cout << "Game over. Final score = " << game_.score() << std::endl;
        return exit_done;
    }

 private:
    void show() const {
        std::cout << "Empty Cells: " << game_.board().empty() << "     Score: " << game_.score()
                  << "\n\n"
                  << game_.board().text() << '\n';
    }

    bool is_person() const { return options_.player == person; }

    std::optional<std::string> next_line() {
        std::string line;
        if (is_person()) {
            std::cout << "Your Move: " << std::flush;
            if (!std::getline(std::cin, line)) return std::nullopt;
            if (options_.output) std::cout << '\n';
            return line;
        }
        if (options_.interactive) {
            std::cout << "Type Return for the next play" << std::endl;
            std::getline(std::cin, line);
        }
        std::cout.flush();
        return player_.move_for(game_.board());
    }

    static int stop(const std::string& reason) {
        std::cout.flush();
        std::cerr << tool << ": " << reason << "; the game counts 0\n";
        return exit_no;
    }

    QuitReport report_;
    const Options& options_;
    Position game_;
    PlayerCommand player_;
};

int play_one(std::span<const char* const> arguments) {
    const auto options = read_options(arguments);
    if (!options) return refuse(tool, options.error());
    return PlayedGame(*options).play();
}

// The final score; 0 where the player gives an illegal move or none.
std::int64_t play_game(const Rules& rules, const PlayerCommand& player, std::uint32_t seed) {
    Position game(rules, seed);
    while (!game.full()) {
        const auto line = player.move_for(game.board());
        if (!line) return 0;
        const auto move = read_move(game, *line);
        if (!move) return 0;
        game.play(*move);
    }
    return game.score();
}

// Plays a player program on several seeds in a row, with the running average of its scores.
int run_multiple(std::span<const char* const> arguments) {
    const auto rules = read_rules(arguments);
    if (!rules) return refuse(tool, rules.error());
    const auto runs = base::whole_number<std::int64_t>(arguments[5]);
    const auto seed = base::whole_number<std::int64_t>(arguments[6]);
    if (!runs || *runs < 1) return refuse(tool, {"nruns is a number of at least 1"});
    if (!seed) return refuse(tool, {"starting_seed is a number, such as 1"});
    const PlayerCommand player(arguments[4], *rules);
    std::int64_t total = 0;
    for (std::int64_t run = 0; run < *runs; ++run) {
        const auto score = play_game(*rules, player, static_cast<std::uint32_t>(*seed + run));
        total += score;
        std::printf("Run %3lld - Score: %5lld  - Average %8.3f\n", static_cast<long long>(run + 1),
                    static_cast<long long>(score),
                    static_cast<double>(total) / static_cast<double>(run + 1));
        std::fflush(stdout);
    }
    return exit_done;
}

struct Tool {
    std::string_view name;
    int (*run)(std::span<const char* const> arguments);
    std::size_t arguments;
    std::string_view usage;
};

constexpr Tool tools[] = {
    {"sb-player", play_one, rules_arguments + 4,
     "rows cols min-score-size colors player interactive(y|n) output(y|n) seed"},
    {"sb-run-multiple", run_multiple, rules_arguments + 3,
     "r c mss colors player nruns starting_seed"},
};

}  // namespace

int main(int argc, char** argv) {
    const std::span<const char* const> arguments(argv + 1, static_cast<std::size_t>(argc - 1));
    for (const auto& [name, run, count, usage] : tools) {
        if (name != tool) continue;
        return arguments.size() == count ? run(arguments) : refuse_usage(tool, usage);
    }
    return exit_bad_input;
}
