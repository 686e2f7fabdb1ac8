#include "referee/tournament/game_questions.h"

#include <algorithm>

#include "protocol/base/overloaded.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/codec.h"

namespace referee::tournament {
namespace {

// Games of one bot that its list has: some evenings of a ladder. Older ones are told by their ids.
constexpr std::size_t games_remembered_max = 200;

using protocol::ErrorCode;

// Not as a line that was wrong: a game that is on has nothing to do with it.
void refuse(session::Session& session, ErrorCode code, std::string message,
            std::string_view member = {}) {
    const bool of_game = member == "game_id";
    session.send_error(
        code, std::move(message),
        protocol::example(of_game ? protocol::BotMessage::game : protocol::BotMessage::games),
        member);
}

// The same for a game that doesn't exist, one that is still on and one of others.
void refuse_game(session::Session& session, std::string_view member) {
    refuse(session, ErrorCode::no_such_game,
           "no game of yours of this id is over and kept here; expected an id that the answer to "
           "\"games\" has",
           member);
}

void refuse_nothing_kept(session::Session& session) {
    refuse(session, ErrorCode::nothing_kept,
           "this referee keeps no games that are over, or can't read them now; ask the instructor");
}

}  // namespace

void GameQuestions::know(const GameResult& result, Instant ended) {
    if (!tell_story_) return;
    auto game = std::make_shared<Game>();
    game->id = game_id(result.key);
    game->ended = ended;
    game->faults.resize(result.bots.size());
    game->first_faults.resize(result.bots.size());
    for (const auto& fault : result.faults) {
        auto& first = game->first_faults[fault.seat];
        // Of a no-show the reason tells all.
        if (++game->faults[fault.seat] == 1 && fault.turn > 0)
            first = fmt::format(" (first fault: {}, turn {})", protocol::name_of(fault.code),
                                fault.turn);
    }
    auto& kept = game->result;
    kept.key = result.key;
    kept.game = result.game;
    kept.bots = result.bots;
    kept.status = result.status;
    kept.reason = base::utf8_prefix(result.reason, protocol::limits::list_reason_bytes_max);
    kept.outcome.scores = result.outcome.scores;
    kept.outcome.placing = result.outcome.placing;
    kept.turns = result.turns;
    const std::shared_ptr<const Game> listed = std::move(game);
    names_.learn(result.bots);
    for (std::size_t seat = 0; seat < result.bots.size(); ++seat) {
        const auto& bot = result.bots[seat];
        auto& known = bots_[bot];
        ++known.tally.games;
        known.tally.faults += static_cast<std::uint64_t>(listed->faults[seat]);
        known.tally.last = ended;
        auto& games = known.games;
        games.push_back(listed);
        if (games.size() > games_remembered_max) games.pop_front();
    }
}

void GameQuestions::annul(const GameKey& key, const std::string& reason, bool counts_again) {
    std::shared_ptr<const Game> changed;  // all lists share it
    for (auto& [bot, known] : bots_) {
        for (auto& listed : known.games) {
            if (listed->result.key != key || (counts_again && listed->as_played == nullptr))
                continue;
            if (changed == nullptr && counts_again) changed = listed->as_played;
            if (changed == nullptr) {
                auto game = std::make_shared<Game>(*listed);
                game->as_played = listed;
                game->result.status = GameStatus::annulled;
                game->result.outcome = {};
                game->result.reason = base::utf8_prefix("annulled by order: " + reason,
                                                        protocol::limits::list_reason_bytes_max);
                changed = std::move(game);
            }
            listed = changed;
        }
    }
}

void GameQuestions::ask(const lobby::Bot& bot, session::Session& session,
                        const protocol::Question& question) {
    if (!tell_story_) return refuse_nothing_kept(session);
    auto& known = bots_[bot.name()];
    if (!admits(known, session)) return;
    std::visit(
        base::Overloaded{
            [&](const protocol::AskGames& games) { list(known, bot.name(), session, games); },
            [&](const protocol::AskGame& game) { queue(known, bot.name(), session, game); }},
        question);
}

bool GameQuestions::admits(KnownBot& known, session::Session& session) {
    if (known.waiting) {
        refuse(session, ErrorCode::too_many_questions,
               "a question of this bot is being answered; expected the next one when its answer "
               "has come");
        return false;
    }
    const auto now = timers_.now();
    if (!std::exchange(known.asked, true)) {
        known.credit = questions_at_once_max;
        known.credit_at = now;
    }
    const auto earned = (now - known.credit_at) / question_every;
    known.credit_at += earned * question_every;
    known.credit = std::min(known.credit + earned, questions_at_once_max);
    if (known.credit == 0) {
        const auto wait = known.credit_at + question_every - now;
        refuse(session, ErrorCode::too_many_questions,
               "this bot asks too often; expected the next question in " + ms_text(wait) +
                   " or later");
        return false;
    }
    --known.credit;
    return true;
}

void GameQuestions::list(const KnownBot& known, const std::string& bot, session::Session& session,
                         const protocol::AskGames& question) {
    const auto& games = known.games;
    auto next = games.rbegin();
    if (!question.before.empty()) {
        next = std::find_if(games.rbegin(), games.rend(),
                            [&question](const auto& game) { return game->id == question.before; });
        if (next == games.rend()) return refuse_game(session, "before");
        ++next;
    }
    std::deque<std::string> texts;
    auto answer = list_from(next, games, bot, question, texts);
    if (names_.are_hidden()) mask_names(answer, bot, texts);
    session.send(answer);
    session.flush();
}

std::string GameQuestions::listed(const std::string& bot, std::int64_t limit) const {
    static const Games none;
    const auto found = bots_.find(bot);
    const auto& games = found == bots_.end() ? none : found->second.games;
    protocol::AskGames question;
    question.limit = limit;
    std::deque<std::string> texts;
    std::string line;
    protocol::encode(line, list_from(games.rbegin(), games, bot, question, texts));
    line.pop_back();  // the line feed
    return line;
}

protocol::GameList GameQuestions::list_from(Games::const_reverse_iterator next, const Games& games,
                                            const std::string& bot,
                                            const protocol::AskGames& question,
                                            std::deque<std::string>& texts) const {
    const auto is_meant = [&question](const Game& game) {
        return question.tournament.empty() || game.result.key.tournament == question.tournament;
    };
    protocol::GameList list;
    for (; next != games.rend(); ++next) {
        const auto& game = **next;
        if (!is_meant(game)) continue;
        if (list.games.size() == static_cast<std::size_t>(question.limit)) {
            list.more = true;
            break;
        }
        const auto& result = game.result;
        const auto seat =
            static_cast<std::size_t>(std::ranges::find(result.bots, bot) - result.bots.begin());
        protocol::GameList::Line line;
        line.game_id = game.id;
        line.tournament = result.key.tournament;
        line.game = result.game;
        line.names.assign(result.bots.begin(), result.bots.end());
        line.seat = static_cast<std::int64_t>(seat);
        line.status = name_of(result.status);
        if (seat < result.outcome.scores.size()) {
            protocol::json::Writer writer(texts.emplace_back());
            result.outcome.scores[seat].write(writer);
            line.score = texts.back();
            line.place = result.outcome.placing[seat];
        }
        line.faults = game.faults[seat];
        line.turns = result.turns;
        line.reason = result.reason;
        if (seat < result.outcome.scores.size()) {
            const auto& told = texts.emplace_back(told_verdict(result, seat) +
                                                  game.first_faults[seat] + ": " + result.reason);
            line.reason = base::utf8_prefix(told, protocol::limits::list_reason_bytes_max);
        }
        line.ago_ms = std::max<std::int64_t>(
            std::chrono::duration_cast<std::chrono::milliseconds>(timers_.now() - game.ended)
                .count(),
            0);
        line.ruling = base::utf8_prefix(texts.emplace_back(ruling_of_(result.key)),
                                        protocol::limits::list_reason_bytes_max);
        list.games.push_back(std::move(line));
    }
    return list;
}

// `texts` outlives the list.
void GameQuestions::mask_names(protocol::GameList& list, const std::string& bot,
                               std::deque<std::string>& texts) {
    for (auto& line : list.games) {
        const auto name_mask = names_.mask_for(std::string(line.tournament), bot);
        const std::vector<std::string> bots(line.names.begin(), line.names.end());
        for (auto& name : line.names) name = texts.emplace_back(name_mask.name(name));
        const auto status = status_named(line.status);
        line.reason =
            texts.emplace_back(status && counts(*status) ? name_mask.reason(line.reason, bots)
                                                         : name_mask.words(line.reason));
        line.ruling = texts.emplace_back(name_mask.words(line.ruling));
    }
}

void GameQuestions::queue(KnownBot& known, const std::string& bot, session::Session& session,
                          const protocol::AskGame& question) {
    const auto key = game_key(question.game_id);
    if (!key) return refuse_game(session, "game_id");
    known.waiting = true;
    queue_.push_back({bot, session.weak_from_this(), *key});
    answer_next();
}

void GameQuestions::answer_next() {
    while (!working_ && !queue_.empty()) {
        const auto next = std::move(queue_.front());
        queue_.pop_front();
        if (const auto session = next.session.lock(); !session || session->closed()) {
            bots_[next.bot].waiting = false;
            continue;
        }
        working_ = true;
        tell_story_(
            next.key, next.bot, names_.mask_for(next.key.tournament, next.bot),
            life_.while_it_lasts([this, next](Story story) { on_story(next, std::move(story)); }));
    }
}

void GameQuestions::on_story(const Asked& asked, Story story) {
    working_ = false;
    bots_[asked.bot].waiting = false;
    if (const auto session = asked.session.lock(); session && !session->closed()) {
        if (story) {
            session->outbox() += *story;
            session->flush();
        } else if (story.error() == ErrorCode::no_such_game) {
            refuse_game(*session, "game_id");
        } else {
            refuse_nothing_kept(*session);
        }
    }
    answer_next();
}

}  // namespace referee::tournament
