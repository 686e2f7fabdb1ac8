#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"

// Programs that were written for a course's handout, and speak no protocol. An adapter of
// sample_bots speaks it for them; sample_bots/adapters/README.md tells what each one does. Here is
// the one place that turns such a program into a command line.

namespace referee::kinds {

struct Kind {
    std::string_view name;        // "octave-function"
    std::string_view short_name;  // "octave"; means the same wherever a kind is named
    std::string_view game;        // the only one that such a program plays
    // The system's program that runs it, and the package that has that; empty: none is needed.
    std::string_view interpreter;
    std::string_view package;
    // Whether a command, such as java -jar Walls.jar, may stand for the file.
    bool takes_commands = false;
    // Of a program that runs anew for a board on its standard input: what stands behind its
    // command, words and names of the game's params in place of their values.
    std::string_view arguments{};
    // It runs once a game, and reads the numbers of columns and rows before the board.
    bool is_asked_once = false;
};

std::span<const Kind> all_kinds();

// By either of its names; null where there is none.
const Kind* find_kind(std::string_view name);

// "octave-function (or octave) plays e7_planets, racket-team ...": all of them, for messages.
std::string list_of_kinds();

// A student's program.
struct KindProgram {
    const Kind* kind = nullptr;
    // One file, or the words of a command. A file without a slash has ./ before it.
    std::vector<std::string> words;
    bool is_file = false;  // seen from the bot's directory, and never looked for in the PATH
};

KindProgram program_of_file(const Kind& kind, const std::string& file);
// Requires: the kind takes commands, and there is at least one word.
KindProgram program_of_command(const Kind& kind, std::vector<std::string> words);

// "octave:e7planets_player.m", "walls:java -jar Walls.jar": a kind's name, a colon and a file, or,
// where the kind takes commands and there are several words, a command. Nothing where the text
// doesn't begin with a word and a colon. An error lists the kinds, or says what is missing.
base::Result<std::optional<KindProgram>, std::string> program_in(std::string_view text);

// Why it can't play the game; empty where it can. Follows the name of whoever brought it.
std::string unsuited(const KindProgram& program, std::string_view game);

// Where the folder of the sample bots lies, which has the adapters, with all links followed as far
// as they lead anywhere.
std::string sample_bots_place();

// Where a program PREFIX/bin/NAME looks for it, in this order: in PREFIX/share/referee (the package
// lays it out so, and the build has a link there that leads to the sources), then beside the
// program and in each folder above it, where the sources have it.
std::vector<std::string> sample_bots_places(const std::string& program);

// How an adapter is started with the program.
struct KindLaunch {
    std::vector<std::string> command;
    std::vector<std::string> reads;  // folders that it needs to see beside the program's own files
    std::string adapter;             // its file, absolute; empty: a program beside the referee
};

// `directory`: the bot's, absolute; `sample_bots`: where the folder of the sample bots lies.
KindLaunch launch_of(const KindProgram& program, const std::string& directory,
                     const std::string& sample_bots = sample_bots_place());

}  // namespace referee::kinds
