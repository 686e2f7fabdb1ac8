// Nothing that belongs to a game is forgotten. Each message says what to add, and where.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engines/game.h"
#include "referee/game/trace/trace.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/conformance/games.h"
#include "tests/places.h"

namespace tests {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view setup_ending = ".setup.json";

// The names of the games in tests/golden/ID, each a setup, its moves and the trace of both.
std::vector<std::string> golden_names(const std::string& root, const std::string& id) {
    std::vector<std::string> names;
    const auto folder = root + "/tests/golden/" + id;
    if (!fs::exists(folder)) return names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const auto name = entry.path().filename().string();
        if (name.ends_with(setup_ending)) {
            names.push_back(name.substr(0, name.size() - setup_ending.size()));
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

// Looks for pieces and writes down which are missing.
class Search {
 public:
    explicit Search(std::string root) : root_(std::move(root)) {}

    void file(const std::string& path, const std::string& add) {
        if (!fs::exists(root_ + "/" + path)) missing_.push_back("Add " + path + ": " + add);
    }
    // `line` is what to add; `text` is the part of it that must be there.
    void line(const std::string& path, const std::string& text, const std::string& line) {
        row(path, "", text, line);
    }
    // The same for text that must be in a line with this part.
    void row(const std::string& path, std::string_view part, const std::string& text,
             const std::string& add) {
        std::ifstream in(root_ + "/" + path);
        for (std::string found; std::getline(in, found);) {
            if (found.find(part) != std::string::npos && found.find(text) != std::string::npos) {
                return;
            }
        }
        missing_.push_back("In " + path + " add " + add);
    }
    void say(std::string piece) { missing_.push_back(std::move(piece)); }

    std::vector<std::string> take() { return std::move(missing_); }

 private:
    std::string root_;
    std::vector<std::string> missing_;
};

void documents(Search& search, const std::string& id, const std::string& title) {
    const auto quoted = "\"" + id + "\"";
    const auto link = "[" + title + "](engines/" + id + "/RULES.md)";
    search.file("engines/" + id + "/RULES.md",
                "the rules for students: params, state, moves, codes of notes, outcome");
    search.line("README.md", link,
                "to the table of games: | " + link + " | `" + id + "` | seats |");
    const auto row = "| `" + id + "` | [RULES.md](" + id + "/RULES.md) |";
    search.line("engines/README.md", row, "to the table of games: | " + title + " " + row);
    search.row("configs/README.md", "| `game` |", "`" + id + "`",
               "`" + id +
                   "` to the row `game`: to its \"description\" in configs/schema.json, then run "
                   "scripts/reference");
    search.row("configs/schema.json", R"(        "game": {"enum")", quoted,
               quoted + " to the \"enum\" of \"game\"");
}

void bots(Search& search, const engines::GameInfo& info, const std::vector<std::string>& programs) {
    const std::string id(info.id);
    const auto build = "sample_bots/cpp/" + id + "/CMakeLists.txt";
    search.file(build, "a bot of the game, as in sample_bots/cpp/walls/CMakeLists.txt");
    if (info.reference_bots.empty()) {
        search.say("In engines/" + id + " set GameInfo::reference_bots: the names of its bots");
    }
    for (const auto name : info.reference_bots) {
        const std::string bot(name);
        if (std::find(programs.begin(), programs.end(), bot) == programs.end()) {
            search.say("GameInfo::reference_bots in engines/" + id + " has \"" + bot +
                       "\", which is no program: in " + build + " add reference_bot(" + bot + ' ' +
                       id + " make_...)");
        }
        search.line(
            "sample_bots/README.md", "`" + bot + "`",
            "to the table: | `" + bot + "` | " + std::string(info.title) + " | what it plays |");
    }
}

// What `referee new-bot` begins with, in each language.
void templates(Search& search, const std::string& root, const std::string& id) {
    const std::string all = "sample_bots/templates";
    for (const auto& language : fs::directory_iterator(root + '/' + all)) {
        for (const auto& file : fs::directory_iterator(language)) {
            if (file.path().stem() != "walls") continue;
            search.file(all + '/' + language.path().filename().string() + '/' + id +
                            file.path().extension().string(),
                        "a bot that plays a move within the rules, and says where to begin");
        }
    }
}

// What the kits and `referee check-bot` have to know of it.
void tools(Search& search, const engines::GameInfo& info) {
    const std::string id(info.id);
    search.line(
        "referee/check_bot/trial_cases.cpp", "\"" + id + "\",",
        "to all_cases: TrialCase{\"" + id +
            "\", \"what it is\", R\"(params)\"}: a plain one, then two that a bot may not expect");
    if (info.seats_default == 1) return;
    for (const auto* kit : {"c/referee_bot.c", "cpp/referee_bot.hpp", "java/RefereeBot.java",
                            "javascript/referee_bot.js", "octave/referee_bot.m",
                            "python/referee_bot.py", "racket/referee_bot.rkt"}) {
        search.row(std::string("sample_bots/") + kit, "light_cycles", id,
                   id + " and its " + std::to_string(info.seats_default) +
                       " seats to those of self-play, beside light_cycles");
    }
    search.row("tests/models/models_test.py", "SEATS = ", "\"" + id + "\"",
               "to SEATS: \"" + id + "\": lambda params: its seats");
}

void sample_configs(Search& search, const engines::GameInfo& info) {
    std::string name(info.id);
    std::replace(name.begin(), name.end(), '_', '-');
    std::vector<std::string> formats{"round-robin", "swiss"};
    if (info.seats_max == 1) formats = {"leaderboard"};
    for (const auto& format : formats) {
        auto file = name;
        file.append("-").append(format).append(".json");
        search.file("configs/" + file, "a sample with the bots that ship");
    }
    search.line("configs/README.md", "`" + name + "-",
                "to the table of samples: | `" + name + "-" + formats.front() +
                    ".json`, ... | what it shows |");
}

void tests_of(Search& search, const std::string& root, const std::string& id) {
    const auto quoted = "\"" + id + "\": ";
    search.line("tests/engines/" + id + "/CMakeLists.txt", "project_test(" + id + "_tests",
                "tests of what people see and type, as in tests/engines/walls/CMakeLists.txt");
    if (fs::exists(root + "/engines/" + id + "/board.js")) {
        search.line("tests/pages/games.py", quoted + "(",
                    "to PLAYED: " + quoted + "(\"" + id + "\", {}), for its board.js");
    }
    search.file("tests/models/" + id + ".py", "the rules once more, from RULES.md alone");
    search.line("tests/models/models.py", quoted, "to MODELS: " + quoted + "ItsModel");
    search.line("tests/models/models_test.py", quoted + "(",
                "to PLAYERS: " + quoted + "(its_setup, its_move, 0.03)");
    if (golden_names(root, id).empty()) {
        search.say("Add tests/golden/" + id +
                   "/NAME.setup.json, NAME.moves.ndjson and NAME.trace.ndjson, the last made by "
                   "`referee trace SETUP MOVES` and read by a person: a whole game");
    }
}

// The programs that the folder sample_bots/cpp/ID builds.
std::vector<std::string> programs_of(const std::string& id) {
    std::ifstream in(binary_root() + "/sample_bots.txt");
    std::vector<std::string> names;
    for (std::string game, program; in >> game >> program;) {
        if (game == id) names.push_back(program);
    }
    return names;
}

// What the sources in `root` lack for the game, a sentence each: the file, and what to add there.
// `programs` are the names of the game's bots that are built.
std::vector<std::string> missing_pieces(const std::string& root, const engines::GameInfo& info,
                                        const std::vector<std::string>& programs) {
    Search search(root);
    const std::string id(info.id);
    documents(search, id, std::string(info.title));
    bots(search, info, programs);
    templates(search, root, id);
    tools(search, info);
    sample_configs(search, info);
    tests_of(search, root, id);
    return search.take();
}

class CompleteGame : public testing::TestWithParam<GameCase> {
 protected:
    const engines::Game& engine() const { return *registry().find(GetParam().id); }
};

TEST_P(CompleteGame, LacksNothing) {
    const auto programs = programs_of(GetParam().id);
    for (const auto& piece : missing_pieces(source_root(), engine().info(), programs)) {
        ADD_FAILURE() << piece;
    }
}

// That the files are there is not enough: here each whole game is played, whatever other test plays
// it too.
TEST_P(CompleteGame, ItsWholeGamesArePlayedAsWritten) {
    namespace trace = referee::trace;
    for (const auto& name : golden_names(source_root(), GetParam().id)) {
        const auto file = source_root() + "/tests/golden/" + GetParam().id + "/" + name;
        SCOPED_TRACE(file);
        auto setup = trace::read_setup(read_file(file + ".setup.json"), "setup", registry());
        ASSERT_TRUE(setup) << setup.error().message;
        EXPECT_EQ(setup->game, &engine());
        std::istringstream moves(read_file(file + ".moves.ndjson"));
        std::ostringstream traced;
        const auto told = trace::trace(*setup, moves, "moves", traced);
        ASSERT_TRUE(told) << told.error().message;
        EXPECT_EQ(traced.str(), read_file(file + ".trace.ndjson"));
        EXPECT_EQ(traced.str().find(R"("outcome":null)"), std::string::npos)
            << "its moves end before the game does";
    }
}

INSTANTIATE_TEST_SUITE_P(AllGames, CompleteGame, testing::ValuesIn(game_cases()),
                         [](const auto& test) { return test.param.id; });

TEST(MissingPieces, AreNotAllOfAGame) {
    for (const auto& folder : fs::directory_iterator(source_root() + "/engines")) {
        if (!folder.is_directory()) continue;
        const auto id = folder.path().filename().string();
        EXPECT_NE(registry().find(id), nullptr)
            << "In engines/CMakeLists.txt add " << id << " to REFEREE_GAMES";
    }
}

TEST(MissingPieces, AreAllNamedOfAGameThatHasNone) {
    constexpr std::string_view bots[] = {"go-fish-random"};
    engines::GameInfo info;
    info.id = "go_fish";
    info.title = "Go Fish";
    info.reference_bots = bots;
    const auto missing = missing_pieces(source_root(), info, {"walls-random"});
    EXPECT_EQ(missing.size(), 23U) << "those, and templates of five languages more";
    info.reference_bots = {};
    info.seats_default = 2;
    const auto without = missing_pieces(source_root(), info, {});
    for (const auto* piece :
         {"In sample_bots/python/referee_bot.py add go_fish and its 2 seats to those of self-play, "
          "beside light_cycles",
          "In tests/models/models_test.py add to SEATS: \"go_fish\": lambda params: its seats"}) {
        EXPECT_EQ(std::count(without.begin(), without.end(), piece), 1) << piece;
    }
    EXPECT_EQ(std::count(without.begin(), without.end(),
                         "In engines/go_fish set GameInfo::reference_bots: the names of its bots"),
              1);
}

}  // namespace
}  // namespace tests
