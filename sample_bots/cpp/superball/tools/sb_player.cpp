#include <chrono>
#include <iostream>

#include "engines/superball/position.h"
#include "sample_bots/cpp/superball/tools/arguments.h"
#include "sample_bots/cpp/superball/tools/player_command.h"

// Plays one game with a player program, or with a person where the player is "-". A program's
// illegal move ends the game; a person may try again.

namespace {

using namespace bots::superball::tools;
using engines::superball::Position;

constexpr std::string_view tool = "sb-player";
constexpr std::string_view usage =
    "rows cols min-score-size colors player interactive(y|n) output(y|n) seed";
constexpr std::size_t arguments_count = rules_arguments + 4;
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

base::Result<Options, Complaint> read_options(std::span<const char* const> arguments) {
    auto rules = read_rules(arguments);
    if (!rules) return base::failure(std::move(rules.error()));
    const auto interactive = read_yes_no(arguments[5]);
    const auto output = read_yes_no(arguments[6]);
    if (!interactive || !output)
        return base::failure(Complaint{"interactive and output are y or n"});
    Options options{*rules, arguments[4], *interactive, *output, 0};
    const std::string_view seed = arguments[7];
    if (seed == "-") {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        options.seed =
            static_cast<std::uint32_t>(std::chrono::seconds(now / std::chrono::seconds(1)).count());
        return options;
    }
    const auto number = read_integer(seed);
    if (!number) return base::failure(Complaint{"seed is a number, or - for the current time"});
    options.seed = static_cast<std::uint32_t>(*number);  // as srand48() takes it
    return options;
}

class Session {
 public:
    explicit Session(const Options& options)
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

}  // namespace

int main(int argc, char** argv) {
    if (argc != 1 + static_cast<int>(arguments_count)) return refuse_usage(tool, usage);
    const auto options = read_options({argv + 1, arguments_count});
    if (!options) return refuse(tool, options.error());
    return Session(*options).play();
}
