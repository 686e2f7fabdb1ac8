#include "referee/cli/viewed_game.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

#include "engines/registry.h"
#include "protocol/json/document.h"
#include "protocol/json/text.h"
#include "referee/cli/commands.h"
#include "referee/files/named_file.h"
#include "referee/game/trace/replay_lines.h"
#include "referee/report/output_folder.h"
#include "referee/report/text_table.h"
#include "referee/watch/review/kept_review.h"

namespace referee::cli {

namespace {

// What is known of a game before its replay is read as a whole.
struct Beforehand {
    std::vector<showing::Said> said;
    bool has_board = false;
};

Beforehand beforehand(const std::string& replay, const std::string& file) {
    Beforehand known;
    protocol::json::Document first;
    if (!first.parse(replay.substr(0, replay.find('\n')), {.depth_max = trace::line_depth_max}))
        return known;
    known.has_board =
        engines::board_of(first.root().find("game").string().value_or("")).has_value();
    for (const auto bot : first.root().find("bots").elements()) {
        const std::string name(bot.string().value_or(""));
        if (auto said = debug_file_beside(file, name); !said.empty())
            known.said.push_back({name, std::move(said)});
    }
    return known;
}

void warn(const std::string& file, const std::vector<std::string>& differences) {
    for (const auto& difference : differences) {
        std::cerr << file << ": warning: the record differs from what the rules say now: "
                  << protocol::json::visible_line(difference) << '\n';
    }
}

}  // namespace

base::Result<std::string, std::string> review_in(const std::string& review_file,
                                                 std::string_view replay) {
    const auto text = files::read_named_file(review_file, review::kept_bytes_max);
    if (!text)
        return base::failure(review_file + ' ' + text.error() +
                             "; expected a review, as referee review GAME --json writes one");
    auto review = review::read_review(*text, replay);
    if (!review)
        return base::failure(review_file + ": " + protocol::json::visible_line(review.error()));
    return review;
}

base::Result<showing::Showing, std::string> viewed_showing(const std::string& file,
                                                           const engines::Registry& registry,
                                                           const std::string& review_file) {
    const auto replay = read_input(file, expected_replay);
    if (!replay) return base::failure(replay.error());
    std::string review;
    if (!review_file.empty()) {
        auto read = review_in(review_file, *replay);
        if (!read) return base::failure(read.error());
        review = *std::move(read);
    }
    auto made = reviewed_showing(*replay, file, registry, review);
    if (made) warn(file, made->differences);
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
    const std::string& file, const engines::Registry& registry) {
    auto replay = read_input(file, expected_replay);
    if (!replay) return base::failure(replay.error());
    const auto known = beforehand(*replay, file);
    auto made = showing::ReplayFrames::of(*std::move(replay), file, registry, known.said);
    if (!made) return base::failure(std::move(made.error().message));
    warn(file, (*made)->differences());
    return *std::move(made);
}

namespace {

namespace fs = std::filesystem;

// As much as somebody reads of one bot; its file has all.
constexpr std::size_t lines_told_max = 20;
// Far more than a game's debug text comes to.
constexpr std::size_t file_bytes_max = 64 * 1024 * 1024;

}  // namespace

std::string debug_beside(const std::string& replay) {
    const auto path = fs::path(replay);
    const auto folder = path.parent_path().parent_path() / "debug";
    std::vector<std::string> bots;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        bots.push_back(entry.path().filename().string());
    std::sort(bots.begin(), bots.end());
    std::string told;
    for (const auto& bot : bots) {
        const auto file = (folder / bot / path.filename()).string();
        if (const auto text = files::read_named_file(file, file_bytes_max))
            told += report::said_text(bot, *text, lines_told_max, "all of it: " + file);
    }
    return told;
}

std::string debug_file_beside(const std::string& replay, const std::string& bot) {
    const auto path = fs::path(replay);
    const auto folder = path.parent_path().parent_path() / "debug";
    const auto file = folder / report::folder_name_of(bot) / path.filename();
    return files::read_named_file(file.string(), file_bytes_max).value_or("");
}

}  // namespace referee::cli
