#include "referee/tournament/contests/contest.h"

// Games that counted and are played again, by order, and what that leaves as it is.

namespace referee::contests {

using records::TournamentState;

// Which play of the same game counts, or whether it waits to be played.
std::string Contest::instead_of(const GameKey& key) const {
    if (const auto counted = matches_.counted_play(key.match, key.number))
        return "; the play that counts is " + game_id(*counted);
    return "; the game is still to be played again";
}

Ordered Contest::annul(const GameKey& key, const std::string& reason) const {
    if (auto wrong = unknown_match(key.match); !wrong.empty())
        return base::failure(std::move(wrong));
    const auto* play = matches_.play(key);
    if (play == nullptr)
        return base::failure(
            game_id(key) +
            " has no result yet; expected the id of a game that was played, such as " + config_.id +
            "/1.1");
    if (!counts(play->status))
        return base::failure(game_id(key) + " does not count: it was " +
                             std::string(name_of(play->status)) + instead_of(key));
    if (state_ == TournamentState::aborted) return base::failure(config_.id + " was aborted");
    if (matches_.ruled(key.match))
        return base::failure("the result of match " + match_id(config_.id, key.match) +
                             " is the arbiter's; take that back first");
    if (built_upon(key.match))
        return base::failure("the result of " + game_id(key) +
                             " has been built upon: what was drawn since depends on it");
    std::vector<records::Record> records{records::AnnulmentRecord{key, reason}};
    go_on_after(records, "game " + game_id(key) + " is played again");
    return records;
}

bool Contest::built_upon(std::uint64_t match) const {
    return matches_.over(match) && !rounds_.schedule()->copy()->reopen(match);
}

void Contest::go_on_after(std::vector<records::Record>& records, const std::string& reason) const {
    if (state_ != TournamentState::finished) return;
    records.emplace_back(records::StateRecord{config_.id, TournamentState::running, reason});
}

void Contest::play_again(const GameKey& key, const std::string& reason) {
    changed();
    for (const auto entrant : matches_.pairing(key.match).seats) entrants_.annulled(entrant);
    if (matches_.over(key.match)) {
        rounds_.go_on();
        out_of_time_ = false;
        view_.take_back(key.match);
    }
    view_.post(changes_, CommittedView::GamesCounted{-1});
    view_.post(changes_, CommittedView::GameAnnulled{key, reason});
    annulled_.change()[key] = reason;
    post_again(matches_.annul(key));
}

// Each game comes before all others that wait: so the last first.
void Contest::annul_all(const std::vector<GameKey>& games, const std::string& reason,
                        std::vector<records::Record>& records) {
    for (auto game = games.rbegin(); game != games.rend(); ++game)
        records.emplace_back(records::AnnulmentRecord{*game, reason});
}

std::string after_change(const Contest& contest, std::uint64_t match, bool played_again) {
    if (!contest.matches().known(match)) return {};
    const auto* result = contest.results().find(match);
    const auto round = result != nullptr ? result->round : contest.round();
    const auto next = std::to_string(round + 1);
    std::string text;
    if (contest.round() > round && !contest.has_fixed_list())
        text = contest.round() == round + 1
                   ? "; round " + next + " is drawn already and stays as it is"
                   : "; rounds " + next + " to " + std::to_string(contest.round()) +
                         " are drawn already and stay as they are";
    if (!played_again) return text;
    if (contest.state() == TournamentState::finished)
        text += "; " + contest.config().id + " was finished, and goes on until the game is played";
    for (const auto entrant : contest.matches().pairing(match).seats) {
        if (contest.withdrawn(entrant))
            text += "; " + contest.name(entrant) + " is withdrawn, and forfeits the game" +
                    (contest.plays_no_more(entrant, round) ? "" : " unless it is connected then");
    }
    return text;
}

}  // namespace referee::contests
