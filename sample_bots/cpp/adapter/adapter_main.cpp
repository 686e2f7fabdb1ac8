// Plays with a student's program that speaks no protocol: `referee-adapter KIND PROGRAM...`.

#include <array>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "sample_bots/cpp/adapter/child_program.h"

namespace {

namespace adapter = bots::adapter;

struct Kind {
    std::string_view name;
    std::string_view game;
    bots::MakePlayer (*players)(std::vector<std::string> words);
};

constexpr std::array<Kind, 3> kinds{{
    {"snake-challenge", "snake_labyrinth", adapter::snake_challenge},
    {"superball-moves", "superball", adapter::superball_moves},
    {"walls-lines", "walls", adapter::walls_lines},
}};

constexpr int exit_bad_input = 2;

int refuse() {
    std::cerr << "expected a kind of programs and a program, such as: referee-adapter "
                 "snake-challenge ./iap; the kinds are";
    for (const auto& kind : kinds) std::cerr << ' ' << kind.name;
    std::cerr << '\n';
    return exit_bad_input;
}

}  // namespace

// Where it plays, and as whom, stands in the environment: all words are the student's.
int main(int argc, char** argv) {
    std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (words.size() < 2) return refuse();
    for (const auto& kind : kinds) {
        if (words.front() != kind.name) continue;
        words.erase(words.begin());
        adapter::take_care_of_descendants();
        const int status = bots::run(1, argv, {std::string(kind.name), {std::string(kind.game)}},
                                     kind.players(std::move(words)));
        adapter::end_all_descendants();
        return status;
    }
    return refuse();
}
