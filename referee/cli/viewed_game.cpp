#include "referee/cli/viewed_game.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "referee/cli/commands.h"
#include "referee/files/file.h"
#include "referee/single_game/single_game.h"
#include "referee/store/store.h"
#include "referee/watch/review/kept_review.h"

namespace referee::cli {

namespace {

namespace fs = std::filesystem;

// Far more than a game's debug text comes to.
constexpr std::size_t file_bytes_max = 64 * 1024 * 1024;

// What is known of a game before its replay is read as a whole.
struct Beforehand {
    std::vector<showing::DebugFile> said;
    bool has_board = false;
};

// Of the run that the replay lies in.
fs::path debug_folder(const fs::path& replay) {
    return replay.parent_path().parent_path() / "debug";
}

// The debug text of one bot of the game, as the bot's file has it; empty where there is none.
std::string debug_file_beside(const fs::path& replay, const std::string& bot) {
    const auto file = debug_folder(replay) / files::folder_name_of(bot) / replay.filename();
    return files::read_named_file(file.string(), file_bytes_max).value_or("");
}

Beforehand beforehand(const std::string& replay, const std::string& file) {
    Beforehand known;
    protocol::json::Document first;
    if (!first.parse(replay.substr(0, replay.find('\n')))) return known;
    known.has_board = engines::board_of(first.root().find("game").text()).has_value();
    for (const auto bot : first.root().find("bots").elements()) {
        const std::string name(bot.text());
        if (auto said = debug_file_beside(file, name); !said.empty())
            known.said.push_back({name, std::move(said)});
    }
    return known;
}

void warn(const std::string& file, const std::vector<std::string>& differences) {
    for (const auto& difference : differences) {
        std::cerr << file << ": warning: the record differs from what the rules say now: "
                  << base::visible_line(difference) << '\n';
    }
}

// A run of one tournament writes into its folder itself, one of several gives each a folder in it.
std::optional<NamedGame> filed_game(const fs::path& folder, const GameKey& key) {
    const auto file = file_name_of(key) + ".ndjson";
    for (const auto& of : {folder, folder / key.tournament}) {
        const auto place = (of / "games" / file).string();
        if (auto replay = files::read_named_file(place, input_bytes_max))
            return NamedGame{place, place, *std::move(replay)};
    }
    return std::nullopt;
}

// Why the store has no such game; the name of its tournament may be a slip.
std::string no_game(const std::string& store, const GameKey& key) {
    std::vector<std::string> known;
    const auto read = store::read_history(store, [&known](const auto& record) {
        if (const auto* opening = std::get_if<records::OpeningRecord>(&record))
            known.push_back(opening->tournament);
    });
    if (!read || known.empty() || std::ranges::find(known, key.tournament) != known.end())
        return store + " has no game " + game_id(key) +
               " that has ended; expected an id such as friday/12.1";
    constexpr std::size_t told_max = 10;
    return fs::path(store).parent_path().string() + " has no tournament " +
           base::quoted(key.tournament) + base::did_you_mean(key.tournament, known) +
           "; expected a game of one of these: " + base::first_of(known, told_max);
}

// The store has every game, even where the game's file is gone.
base::Result<NamedGame, Ending> stored_game(const std::string& name, const std::string& store,
                                            const GameKey& key) {
    const auto id = game_id(key);
    auto opened = store::StoreReader::open(store);
    if (!opened) return base::failure(Ending{exit_trouble, opened.error().message});
    auto found = opened->replay(key);
    if (!found) return base::failure(Ending{exit_trouble, found.error().message});
    if (!*found) return base::failure(Ending{exit_bad_input, no_game(store, key)});
    if ((*found)->empty())
        return base::failure(
            Ending{exit_bad_input, id + " was cut off by the end of the referee: nothing is kept "
                                        "of its turns; it was played again as the next attempt"});
    return NamedGame{name, store + ": " + id, **std::move(found)};
}

// As much as somebody reads of one bot; its file has all.
constexpr std::size_t lines_told_max = 20;

}  // namespace

base::Result<NamedGame, Ending> named_game(const std::string& name) {
    if (name == "-") {
        auto replay = read_input(name);
        if (!replay) return base::failure(Ending{exit_bad_input, replay.error()});
        return NamedGame{name, name, *std::move(replay)};
    }
    auto replay = files::read_named_file(name, input_bytes_max);
    if (replay) return NamedGame{name, name, *std::move(replay)};
    const auto tournament = fs::path(name).parent_path();
    const auto key =
        game_key(tournament.filename().string() + '/' + fs::path(name).filename().string());
    if (!key)
        return base::failure(Ending{
            exit_bad_input, name + ' ' + replay.error() +
                                "; expected a replay file, - for the standard input, or a game's "
                                "id behind the folder of its run, such as out/friday/12.1"});
    const auto folder = tournament.has_parent_path() ? tournament.parent_path() : fs::path(".");
    const auto store = (folder / store::name_in_output_folder).string();
    auto game = filed_game(folder, *key);
    const bool has_store = fs::exists(store);
    if (!game && !has_store)
        return base::failure(
            Ending{exit_bad_input,
                   folder.string() + " has no game " + game_id(*key) +
                       "; expected the folder of its run, as --out named it, before the id"});
    if (!game) {
        auto stored = stored_game(name, store, *key);
        if (!stored) return stored;
        game = *std::move(stored);
    }
    if (has_store) {
        game->store = store;
        game->key = key;
    }
    return *std::move(game);
}

base::Result<std::string, std::string> review_in(const std::string& review_file,
                                                 std::string_view replay) {
    const auto text = files::read_named_file(review_file, review::kept_bytes_max);
    if (!text)
        return base::failure(review_file + ' ' + text.error() +
                             "; expected a review, as referee review GAME --json writes one");
    auto review = review::read_review(*text, replay);
    if (!review) return base::failure(review_file + ": " + base::visible_line(review.error()));
    return review;
}

base::Result<showing::Showing, std::string> viewed_showing(const std::string& name,
                                                           const engines::Registry& registry,
                                                           const std::string& review_file) {
    const auto game = named_game(name);
    if (!game) return base::failure(game.error().message);
    std::string review;
    if (!review_file.empty()) {
        auto read = review_in(review_file, game->replay);
        if (!read) return base::failure(read.error());
        review = *std::move(read);
    }
    auto made = reviewed_showing(game->replay, game->place, registry, review);
    if (made) warn(game->place, made->differences);
    return made;
}

base::Result<showing::Showing, std::string> reviewed_showing(const std::string& replay,
                                                             const std::string& file,
                                                             const engines::Registry& registry,
                                                             const std::string& review) {
    const auto known = beforehand(replay, file);
    auto made =
        showing::showing_of(replay, file, registry,
                            {.said = known.said, .with_text = !known.has_board, .review = review});
    if (!made) return base::failure(std::move(made.error().message));
    return *std::move(made);
}

base::Result<std::unique_ptr<showing::ReplayFrames>, std::string> viewed_frames(
    const std::string& name, const engines::Registry& registry) {
    const auto game = named_game(name);
    if (!game) return base::failure(game.error().message);
    return viewed_frames(*game, registry);
}

base::Result<std::unique_ptr<showing::ReplayFrames>, std::string> viewed_frames(
    const NamedGame& game, const engines::Registry& registry) {
    const auto known = beforehand(game.replay, game.place);
    auto made = showing::ReplayFrames::of(game.replay, game.place, registry, known.said);
    if (!made) return base::failure(std::move(made.error().message));
    warn(game.place, (*made)->differences());
    return *std::move(made);
}

std::string debug_beside(const std::string& replay) {
    const auto path = fs::path(replay);
    const auto folder = debug_folder(path);
    std::string told;
    for (const auto& bot : files::names_in(folder.string())) {
        const auto file = (folder / bot / path.filename()).string();
        if (const auto text = files::read_named_file(file, file_bytes_max))
            told += single_game::said_text(bot, *text, lines_told_max, "all of it: " + file);
    }
    return told;
}

}  // namespace referee::cli
