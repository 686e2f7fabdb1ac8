#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/messages.h"
#include "referee/game/result/game_result.h"
#include "referee/net/lobby/bot.h"
#include "referee/net/loop/life.h"
#include "referee/net/loop/timers.h"
#include "referee/roster/pseudonyms/pseudonyms.h"

namespace referee::tournament {

// Questions of one bot about its games that may come at once, and how long until another one may: a
// person looks through a tournament, and a program that asks without end costs next to nothing.
inline constexpr std::int64_t questions_at_once_max = 20;
inline constexpr Duration question_every = std::chrono::milliseconds(500);

// A whole `game_story` line, with its line feed; or why there is none.
using Story = base::Result<std::string, protocol::ErrorCode>;
using OnStory = std::function<void(Story story)>;
// Looks up the story of a game that is over, for a bot that had a seat in it; `no_such_game` for
// all others. It is drawn up beside the loop; `on_story` is called on it, never from inside this
// call. It has the names that the mask tells.
using TellStory = std::function<void(const GameKey& key, const std::string& bot,
                                     const pseudonyms::NameMask& names, OnStory on_story)>;

// Answers what bots ask about games of their own. Lists come from memory, at once. Stories are
// looked up, one after the other whoever asks, so that they never are much work beside the games; a
// bot has no more than one question under way, and a bounded number of them in a time.
class GameQuestions {
 public:
    // What an arbiter set as the result of the game's match, and why; empty: nobody did.
    using RulingOf = std::function<std::string(const GameKey& key)>;

    // Where `tell_story` is null, every question is answered that nothing is kept. The timers
    // outlive it.
    GameQuestions(loop::Timers& timers, TellStory tell_story, RulingOf ruling_of)
        : timers_(timers), tell_story_(std::move(tell_story)), ruling_of_(std::move(ruling_of)) {}

    // A game is over, and that is written down. In the order in which games ended.
    void know(const GameResult& result, Instant ended);
    // A game that was told doesn't count any more, by order and for that reason; or it counts
    // again.
    void annul(const GameKey& key, const std::string& reason, bool counts_again);
    // Who asks is told pseudonyms from now on, of these and of all who had a game; they are made
    // with the secret. Empty: names.
    void hide_names(const std::string& secret, const std::vector<std::string_view>& names) {
        names_.set_secret(secret);
        names_.learn(names);
    }
    // The bot's games with all names, as a `game_list` line, without its line feed: the newest,
    // `limit` at most.
    std::string listed(const std::string& bot, std::int64_t limit) const;
    // How many games of a bot are over, and faults in them; when the last ended.
    struct Tally {
        std::uint64_t games = 0;
        std::uint64_t faults = 0;
        std::optional<Instant> last;
    };
    Tally tally_of(std::string_view bot) const {
        const auto found = bots_.find(bot);
        return found == bots_.end() ? Tally{} : found->second.tally;
    }
    void ask(const lobby::Bot& bot, session::Session& session, const protocol::Question& question);

 private:
    // A game as the lists of its bots have it.
    struct Game {
        std::string id;
        GameResult result;  // without what lists don't tell
        Instant ended;
        std::vector<std::int64_t> faults;       // by seat
        std::vector<std::string> first_faults;  // by seat, as the list says it behind the verdict
        std::shared_ptr<const Game> as_played;  // of one that was annulled by order; else null
    };
    // A bot that has asked, or whose games are listed.
    struct KnownBot {
        std::deque<std::shared_ptr<const Game>> games;  // the newest last
        Tally tally;                                    // also of games that are listed no more
        std::int64_t credit = 0;                        // questions that may come at once
        Instant credit_at{};
        bool asked = false;    // ever
        bool waiting = false;  // for a story
    };
    struct Asked {
        std::string bot;
        std::weak_ptr<session::Session> session;
        GameKey key;
    };

    // False where the bot asks too much; then it has been told so.
    bool admits(KnownBot& known, session::Session& session);
    void list(const KnownBot& known, const std::string& bot, session::Session& session,
              const protocol::AskGames& question);
    // Those from `next` on. `texts` outlives the list.
    using Games = std::deque<std::shared_ptr<const Game>>;
    protocol::GameList list_from(Games::const_reverse_iterator next, const Games& games,
                                 const std::string& bot, const protocol::AskGames& question,
                                 std::deque<std::string>& texts) const;
    void mask_names(protocol::GameList& list, const std::string& bot,
                    std::deque<std::string>& texts);
    void queue(KnownBot& known, const std::string& bot, session::Session& session,
               const protocol::AskGame& question);
    void answer_next();
    void on_story(const Asked& asked, Story story);

    loop::Timers& timers_;
    TellStory tell_story_;
    RulingOf ruling_of_;
    std::map<std::string, KnownBot, std::less<>> bots_;
    std::deque<Asked> queue_;
    pseudonyms::HiddenNames names_;  // of all who had a game, or are known otherwise
    bool working_ = false;           // a story is being drawn up
    loop::Life life_;
};

}  // namespace referee::tournament
