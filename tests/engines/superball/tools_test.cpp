#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "engines/superball/position.h"
#include "tests/folder_of_test.h"
#include "tests/places.h"

namespace {

using engines::superball::Position;
using engines::superball::Rules;

const char* const first_board =
    "...yyryy.p\ny.rg.yppyp\n**gg.yrpPP\nGGgbgybp**\nR*bg.yrp*P\nG*gygyypY*\nyyybpby.pb\n.pgg.yp."
    "bb\n";
const char* const second_board =
    "yyggyryybp\nggrgpyppyp\nRBgggyrpPP\nGGgggybpPP\nRGygryrpBP\nYGyygyypYB\nyyybpbyppb\nppggyypbbb"
    "\n";

struct Ran {
    int status = -1;
    std::string output;  // both standard output and error
};

// Runs a shell line in a folder of its own, with the tools at $BIN.
class Tools : public ::testing::Test {
 protected:
    void write(const std::string& name, const std::string& text, bool program = false) const {
        const auto path = folder_.write(name, text);
        if (program) std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }

    Ran run(const std::string& line, const std::string& input = "") const {
        write("input", input);
        const std::string command = "cd '" + folder_.path + "' && BIN='" + tests::binary_root() +
                                    "/bin' && exec 2>&1 < input; " + line;
        Ran ran;
        FILE* pipe = ::popen(command.c_str(), "r");
        std::array<char, 4096> chunk;
        std::size_t got = 0;
        while ((got = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0)
            ran.output.append(chunk.data(), got);
        const int status = ::pclose(pipe);
        ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        return ran;
    }

    const tests::FolderOfTest folder_;
};

TEST_F(Tools, read_counts_as_the_handout_shows) {
    const auto ran = run("$BIN/sb-read 8 10 5 pbyrg", first_board);
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.output,
              "Empty cells:                    20\n"
              "Non-Empty cells:                60\n"
              "Number of pieces in goal cells:  8\n"
              "Sum of their values:            33\n");
}

TEST_F(Tools, check_sets_ends_with_its_verdict) {
    write("board", first_board);
    write("bad_board", "..\n");
    const std::string check = "$BIN/sb-check-sets 8 10 5 pbyrg ";
    auto ran = run("$BIN/sb-analyze 8 10 5 pbyrg < board > ours; " + check + "board ours ours");
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.output, "");
    ran = run("$BIN/sb-analyze 8 10 5 pbyrg < board | head -2 > short; " + check +
              "board none short");
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.output, "the set of 6 'g' at the goal cell 3,0 is missing\n");
    EXPECT_EQ(run(check + "bad_board ours board").status, 2);
    EXPECT_EQ(run(check + "board ours none").status, 2);
    EXPECT_EQ(run("$BIN/sb-check-sets 8 10").status, 2);
}

TEST_F(Tools, analyze_lists_each_set_once) {
    auto ran = run("$BIN/sb-analyze 8 10 5 pbyrg", first_board);
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.output,
              "Scoring sets:\n"
              "  Size: 10  Char: p  Scoring Cell: 2,8\n"
              "  Size:  6  Char: g  Scoring Cell: 3,0\n");
    ran = run("$BIN/sb-analyze 8 10 5 pbyrg | sed 's/Cell.*//' | sort", second_board);
    EXPECT_EQ(ran.output,
              "  Size:  5  Char: b  Scoring \n"
              "  Size:  7  Char: y  Scoring \n"
              "  Size: 14  Char: g  Scoring \n"
              "  Size: 15  Char: p  Scoring \n"
              "Scoring sets:\n");
    ran = run("$BIN/sb-analyze 8 10 16 pbyrg", second_board);
    EXPECT_EQ(ran.output, "Scoring sets:\n");
}

TEST_F(Tools, every_player_prints_one_legal_move) {
    Rules rules;
    for (const char* board_text : {first_board, second_board}) {
        engines::superball::Board board(rules);
        for (int row = 0; row < 8; ++row) {
            ASSERT_TRUE(board.set_row(
                row, std::string(board_text).substr(static_cast<std::size_t>(row) * 11, 10)));
        }
        const Position position(rules, board, engines::superball::Random48(1));
        for (const char* player : {"sb-play", "sb-play2", "sb-play3", "sb-play4"}) {
            const auto ran = run("$BIN/" + std::string(player) + " 8 10 5 pbyrg", board_text);
            EXPECT_EQ(ran.status, 0);
            ASSERT_TRUE(ran.output.ends_with('\n'));
            EXPECT_EQ(ran.output.find('\n'), ran.output.size() - 1);
            const auto parsed = engines::superball::parse_move(ran.output);
            if (const auto* swap = std::get_if<engines::superball::Swap>(&parsed)) {
                EXPECT_TRUE(position.check(*swap)) << player << ": " << ran.output;
            } else {
                ASSERT_TRUE(std::holds_alternative<engines::superball::Collect>(parsed))
                    << ran.output;
                EXPECT_TRUE(position.check(std::get<engines::superball::Collect>(parsed)))
                    << player;
            }
        }
    }
}

TEST_F(Tools, bad_command_lines_and_boards_are_refused_in_one_line) {
    struct Case {
        const char* line;
        const char* input;
        const char* output;
    };
    const Case cases[] = {
        {"$BIN/sb-read", "", "usage: sb-read rows cols min-score-size colors\n"},
        {"$BIN/sb-analyze 8 10 5", "", "usage: sb-analyze rows cols min-score-size colors\n"},
        {"$BIN/sb-play 8 10 5 pbyrg more", "", "usage: sb-play rows cols min-score-size colors\n"},
        {"$BIN/sb-player 8 10 5 pbyrg", "",
         "usage: sb-player rows cols min-score-size colors player interactive(y|n) output(y|n) "
         "seed\n"},
        {"$BIN/sb-run-multiple", "",
         "usage: sb-run-multiple r c mss colors player nruns starting_seed\n"},
        {"sh $BIN/run_multiple.sh", "",
         "usage: sh run_multiple.sh r c mss colors player nruns starting_seed\n"},
        {"$BIN/sb-read 0 10 5 pbyrg", "", "sb-read: rows is a number from 1 to 100, such as 8\n"},
        {"$BIN/sb-read 8 101 5 pbyrg", "", "sb-read: cols is a number from 1 to 100, such as 10\n"},
        {"$BIN/sb-read 8 10 x pbyrg", "",
         "sb-read: min-score-size is a number of at least 1, such as 5\n"},
        {"$BIN/sb-read 8 10 5 pbp", "",
         "sb-read: colors is 1 to 26 different lower-case letters, such as pbyrg\n"},
        {"$BIN/sb-read 2 3 5 pb", "p.b\n",
         "sb-read: row 1 of the board: missing; expected 2 rows\n"},
        {"$BIN/sb-read 2 3 5 pb", "p.b\n....\n",
         "sb-read: row 1 of the board: has 4 characters; expected 3\n"},
        {"$BIN/sb-play 2 3 5 pb", "p.x\n...\n",
         "sb-play: row 0 of the board: expected '.', '*' and the letters pb, in capitals on goal "
         "cells\n"},
        {"$BIN/sb-play3 1 3 5 pb", "p..\n",
         "sb-play3: there is no move on a board with fewer than two pieces\n"},
        {"$BIN/sb-player 8 10 5 pbyrg true maybe n 1", "",
         "sb-player: interactive and output are y or n\n"},
        {"$BIN/sb-player 8 10 5 pbyrg true n n x", "",
         "sb-player: seed is a number, or - for the current time\n"},
        {"$BIN/sb-run-multiple 8 10 5 pbyrg true 0 1", "",
         "sb-run-multiple: nruns is a number of at least 1\n"},
        {"$BIN/sb-run-multiple 8 10 5 pbyrg true 1 x", "",
         "sb-run-multiple: starting_seed is a number, such as 1\n"},
    };
    for (const auto& c : cases) {
        const auto ran = run(c.line, c.input);
        EXPECT_EQ(ran.status, 2) << c.line;
        EXPECT_EQ(ran.output, c.output) << c.line;
    }
}

TEST_F(Tools, player_shows_boards_and_moves_to_a_person) {
    const auto ran = run("$BIN/sb-player 8 10 5 pbyrg - y y 1", "SWAP 0 1 0 4\nSCORE 0 0\n");
    EXPECT_EQ(ran.status, 1);
    EXPECT_TRUE(ran.output.starts_with(
        "Empty Cells: 75     Score: 0\n\n.r..rp....\n..........\n**......**\n**......**\n"
        "**.....p**\n**......**\nb.........\n..........\n\nYour Move: \n"
        "Empty Cells: 70     Score: 0\n\n"))
        << ran.output;
    EXPECT_EQ(ran.output.find("Final score"), std::string::npos)
        << "no score after a game without an end";
}

TEST_F(Tools, player_asks_a_person_again) {
    const auto ran = run("$BIN/sb-player 8 10 5 pbyrg - n n 1",
                         "SWPA 0 1 0 4\n\nSWAP 0 1\nSCORE 0 0\nSWAP 0 1 0 4\n");
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.output,
              "Your Move: Not played: a move begins with SWAP or SCORE, in capitals, not with "
              "'SWPA'. Try again.\n"
              "Your Move: Not played: the move is blank. Try again.\n"
              "Your Move: Not played: SWAP takes 4 numbers, and 2 words follow it; expected 'SWAP "
              "r1 c1 r2 c2', such as 'SWAP 0 1 7 2'. Try again.\n"
              "Your Move: Not played: SCORE 0 0: row 0, column 0 is empty; a piece is needed "
              "there. Try again.\n"
              "Your Move: Your Move: sb-player: the player gave no move; the game counts 0\n");
}

TEST_F(Tools, player_runs_a_program_once_a_move) {
    // Swaps the first two pieces that it sees.
    write("first-two",
          "#!/bin/sh\n"
          "echo \"$@\" >> arguments\n"
          "awk '{ for (i = 1; i <= length($0); i++) if (substr($0, i, 1) ~ /[a-zA-Z]/)\n"
          "       { n++; if (n <= 2) at = at \" \" NR-1 \" \" i-1 } } END { print \"SWAP\" at; "
          "print \"more\" }'\n",
          true);
    const auto ran =
        run("$BIN/sb-player 4 5 5 ab ./first-two n y 5; sort -u arguments; wc -l < arguments");
    EXPECT_EQ(ran.status, 0);
    EXPECT_TRUE(ran.output.starts_with("Empty Cells: 15     Score: 0\n")) << ran.output;
    EXPECT_NE(ran.output.find("\nMove is: SWAP "), std::string::npos);
    EXPECT_NE(ran.output.find("\nEmpty Cells: 0     Score: 0\n"), std::string::npos);
    EXPECT_TRUE(ran.output.ends_with("Game over. Final score = 0\n4 5 5 ab\n4\n")) << ran.output;
    const auto asked = run("$BIN/sb-player 4 5 5 ab ./first-two y n 5", "\n\n\n\n");
    EXPECT_EQ(asked.output,
              "Type Return for the next play\nType Return for the next play\nType Return for the "
              "next play\n"
              "Type Return for the next play\nGame over. Final score = 0\n");
}

TEST_F(Tools, player_survives_bad_programs) {
    struct Case {
        const char* player;
        const char* reason;
    };
    const Case cases[] = {
        {"./is-not-there", "the player gave no move"},
        {"true", "the player gave no move"},
        {"'exit 3;'", "the player gave no move"},
        {"'echo;'", "the move is blank"},
        {"'echo HELP;'", "a move begins with SWAP or SCORE"},
        {"'printf SCORE\\ 0\\ 0;'", "SCORE 0 0: row 0, column 0 is"},
        {"'head -c 3000000 /dev/zero;'", "a move begins with SWAP or SCORE"},
    };
    for (const auto& c : cases) {
        const auto ran = run("$BIN/sb-player 8 10 5 pbyrg " + std::string(c.player) + " n n 1");
        EXPECT_EQ(ran.status, 1) << c.player;
        EXPECT_NE(ran.output.find(c.reason), std::string::npos) << c.player << ": " << ran.output;
    }
}

TEST_F(Tools, quit_prints_the_score_so_far_and_the_game_goes_on) {
    write("slow",
          "#!/bin/sh\ntouch moving\nwhile [ ! -e go ]; do sleep 0.05; done\nexec $BIN/sb-play 4 5 "
          "5 ab\n",
          true);
    const auto ran =
        run("export BIN; $BIN/sb-player 4 5 5 ab ./slow n n 5 > out & PLAYER=$!; "
            "while [ ! -e moving ]; do sleep 0.05; done; kill -QUIT $PLAYER; "
            "while [ ! -s out ]; do sleep 0.05; done; touch go; wait $PLAYER; cat out");
    EXPECT_EQ(ran.output, "Score so far: 0\nGame over. Final score = 0\n");
}

// Seeds 1 to 10 by the runner, by sb-player one by one, and by the rules in this process.
TEST_F(Tools, runner_averages_over_seeds) {
    const auto ran = run("sh $BIN/run_multiple.sh 8 10 5 pbyrg $BIN/sb-play 10 1");
    EXPECT_EQ(ran.status, 0);
    std::string expected;
    int total = 0;
    for (int seed = 1; seed <= 10; ++seed) {
        const auto one =
            run("$BIN/sb-player 8 10 5 pbyrg $BIN/sb-play n n " + std::to_string(seed));
        int score = -1;
        ASSERT_EQ(std::sscanf(one.output.c_str(), "Game over. Final score = %d", &score), 1)
            << one.output;
        total += score;
        std::array<char, 80> line;
        std::snprintf(line.data(), line.size(), "Run %3d - Score: %5d  - Average %8.3f\n", seed,
                      score, static_cast<double>(total) / seed);
        expected += line.data();
    }
    EXPECT_EQ(ran.output, expected);
    const auto failing = run("$BIN/sb-run-multiple 8 10 5 pbyrg echo 2 1");
    EXPECT_EQ(
        failing.output,
        "Run   1 - Score:     0  - Average    0.000\nRun   2 - Score:     0  - Average    0.000\n");
}

}  // namespace
