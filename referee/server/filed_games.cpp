#include "referee/server/filed_games.h"

#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "protocol/base/utf8.h"
#include "protocol/codec.h"
#include "referee/files/file.h"
#include "referee/game/trace/replay.h"
#include "referee/game/trace/story.h"

namespace referee::server {
namespace {

using protocol::ErrorCode;
using tournament::OnStory;
using tournament::Story;

struct DebugLine {
    std::int64_t turn = 0;
    std::string text;
};

struct DebugLines {
    std::deque<DebugLine> lines;
    bool cut = false;
};

// The last of them that fit into an answer.
DebugLines last_debug(std::string_view file) {
    DebugLines found;
    std::size_t bytes = 0;
    trace::for_each_debug(file, [&](std::int64_t turn, std::string_view text) {
        found.lines.push_back({turn, std::string(text)});
        bytes += text.size();
        for (; bytes > protocol::limits::story_debug_bytes_max; found.lines.pop_front()) {
            bytes -= found.lines.front().text.size();
            found.cut = true;
        }
    });
    return found;
}

// Whole lines of the story's beginning, and a word about the rest.
bool cut_story(std::string& story) {
    if (story.size() <= protocol::limits::story_bytes_max) return false;
    const auto whole = story.size();
    const auto end = story.rfind('\n', protocol::limits::story_bytes_max);
    story.resize(end == std::string::npos
                     ? base::utf8_prefix(story, protocol::limits::story_bytes_max).size()
                     : end + 1);
    story += fmt::format("... and {} bytes more, which are left out\n", whole - story.size());
    return true;
}

// What one bot is told of a replay.
Story story_of(const report::OutputFolder& folder, const GameKey& key, const std::string& bot,
               const pseudonyms::NameMask& names, const std::string& replay,
               const std::string& orders) {
    const auto id = game_id(key);
    auto told = trace::tell_own_story(names.lines(replay), id, bot);
    if (!told) return base::failure(ErrorCode::nothing_kept);
    if (!*told) return base::failure(ErrorCode::no_such_game);
    auto& own = **told;
    if (!orders.empty()) own.text = orders + "\n" + own.text;
    const auto file =
        files::read_named_file(folder.debug_file(key, bot), report::debug_file_bytes_max);
    const auto debug = file ? last_debug(*file) : DebugLines{};
    protocol::GameStory message;
    message.game_id = id;
    if (cut_story(own.text)) message.cut.emplace_back("story");
    message.story = own.text;
    for (const auto& line : debug.lines) message.debug.push_back({line.turn, line.text});
    if (debug.cut) message.cut.emplace_back("debug");
    message.stderr_tail = own.stderr_tail;
    std::string line;
    protocol::encode(line, message);
    return line;
}

}  // namespace

void FiledGames::follow(tournament::Referee& referee) {
    referee_ = &referee;
    referee.observe(*this);
}

void FiledGames::on_annulled(const std::string& /*tournament*/, const Annulled& annulled) {
    for (const auto& key : annulled.games) {
        if (annulled.count_again) {
            count_again(key);
        } else {
            annul(key, annulled.reason);
        }
    }
}

std::string FiledGames::orders_about(const GameKey& key, const pseudonyms::NameMask& names) const {
    std::string orders;
    if (const auto found = annulled_.find(key); found != annulled_.end())
        orders +=
            "This game does not count: it was annulled by order: " + names.words(found->second) +
            "\n";
    if (const auto ruling = referee_->ruling_of(key); !ruling.empty())
        orders += "The games of this match don't decide it: " + names.words(ruling) + "\n";
    return orders;
}

void FiledGames::story(const GameKey& key, const std::string& bot,
                       const pseudonyms::NameMask& names, OnStory on_story) {
    const auto found = std::make_shared<std::optional<Story>>();
    const bool known = is_known(key.tournament);
    beside_.run(
        [found, known, key, bot, names, orders = orders_about(key, names), folder = folder_] {
            if (!known) {
                *found = base::failure(ErrorCode::no_such_game);
                return;
            }
            const auto replay =
                files::read_named_file(folder.replay_file(key), report::replay_told_bytes_max);
            if (replay && !replay->empty())
                *found = story_of(folder, key, bot, names, *replay, orders);
        },
        life_.while_it_lasts(
            [this, found, key, bot, names, on_story = std::move(on_story)]() mutable {
                if (*found) return on_story(std::move(**found));
                look_in_store(key, bot, names, std::move(on_story));
            }));
}

void FiledGames::stored(const GameKey& key, std::function<void(std::string replay)> then) {
    if (store_ == nullptr || !is_known(key.tournament)) return then({});
    store_->replay(
        key, life_.while_it_lasts([then = std::move(then)](const store::FoundReplay& found) {
            const bool told = found && *found && (*found)->size() <= report::replay_told_bytes_max;
            then(told ? **found : std::string());
        }));
}

void FiledGames::look_in_store(const GameKey& key, const std::string& bot,
                               const pseudonyms::NameMask& names, OnStory on_story) {
    if (store_ == nullptr) return on_story(base::failure(ErrorCode::nothing_kept));
    store_->replay(
        key, life_.while_it_lasts([this, key, bot, names, on_story = std::move(on_story)](
                                      const store::FoundReplay& found) mutable {
            if (!found) return on_story(base::failure(ErrorCode::nothing_kept));
            if (!*found || (*found)->empty() || (*found)->size() > report::replay_told_bytes_max)
                return on_story(base::failure(ErrorCode::no_such_game));
            const auto told = std::make_shared<std::optional<Story>>();
            beside_.run(
                [told, key, bot, names, folder = folder_, replay = **found,
                 orders = orders_about(key, names)] {
                    *told = story_of(folder, key, bot, names, replay, orders);
                },
                life_.while_it_lasts([told, on_story = std::move(on_story)]() mutable {
                    on_story(std::move(**told));
                }));
        }));
}

}  // namespace referee::server
