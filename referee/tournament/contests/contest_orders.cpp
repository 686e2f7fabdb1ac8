#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/schedule.h"
#include "referee/tournament/contests/arbiter.h"
#include "referee/tournament/contests/contest.h"

// Orders from outside: who takes part, whether the contest goes on, and which games that counted
// are played again.

namespace referee::contests {

using records::TournamentState;

// By the same steps as a restart.
void Contest::carry_out(const std::vector<records::Record>& ordered) {
    for (const auto& record : ordered) {
        const auto fits = change_by(record);
        REFEREE_ASSERT(fits);
    }
}

namespace {

// What to do in place of an order about a bot where the field is not taken yet.
std::string too_early(const config::TournamentConfig& config, const std::string& order,
                      const std::string& bot) {
    const auto ordered = [&](const std::string& of) {
        return "`referee ctl " + order + ' ' + of + ' ' + base::shell_word(bot) + '`';
    };
    const auto& traits = formats::traits_of(config.format);
    const auto told = config.id + " has not begun; its field is taken when it does, ";
    const auto then = order == "admit" && !traits.takes_late
                          ? std::string()
                          : "; or once it has begun " + ordered(config.id);
    if (traits.open_field) return told + "of all bots that are here" + then;
    if (const auto& from = config.field_from)
        return told + "from the ladder " + from->ladder + ": " + ordered(from->ladder) + then;
    return told + "from the config: change its \"bots\" there, and `referee ctl reload`" + then;
}

// Which play of the same game counts, or whether it waits to be played.
std::string instead_of(const Matches& matches, const GameKey& key) {
    if (const auto counted = matches.counted_play(key.match, key.number))
        return "; the play that counts is " + game_id(*counted);
    return "; the game is still to be played again";
}

}  // namespace

std::string Contest::unknown_match(std::uint64_t match) const {
    if (matches_.known(match)) return {};
    return fmt::format("{} has no match {}, or it lies too far back{}", config_.id, match,
                       matches_.last() == 0
                           ? "; none is drawn yet"
                           : "; its last is " + match_id(config_.id, matches_.last()));
}

std::string Contest::unknown_bot(const std::string& bot) const {
    return bot.empty() ? "expected a bot's name, such as alice"
                       : bot + " does not take part in " + config_.id;
}

Ordered Contest::withdraw(const std::string& bot, const std::string& reason) const {
    if (!begun_) return base::failure(too_early(config_, "withdraw", bot));
    const auto entrant = entrant_named(bot);
    if (!entrant) return base::failure(unknown_bot(bot));
    if (withdrawn(*entrant))
        return base::failure(bot + " is withdrawn from " + config_.id + " already");
    if (ended(state_)) return base::failure(config_.id + " is over");
    return std::vector<records::Record>{
        records::WithdrawalRecord{config_.id, bot, next_round(), reason}};
}

Ordered Contest::admit(const formats::Entry& entry) const {
    if (ended(state_)) return base::failure(config_.id + " is over");
    if (!begun_) return base::failure(too_early(config_, "admit", entry.name));
    if (const auto there = entrant_named(entry.name); there && !withdrawn(*there))
        return base::failure(entry.name + " takes part in " + config_.id + " already");
    if (rounds_.schedule() == nullptr && !entrant_named(entry.name)) {
        // Nothing is drawn yet: the first drawing has to be possible with the newcomer too.
        auto field = entries();
        field.push_back(entry);
        auto wrong = unfit(field);
        if (wrong.empty()) {
            if (auto error = formats::first_round_error(config_.format, field))
                wrong = std::move(error->message);
        }
        if (!wrong.empty())
            return base::failure(config_.id + " can't take " + entry.name + " in: " + wrong);
    }
    records::EntryRecord record{config_.id, entry.name, entry.rating, entry.team, next_round()};
    const auto* schedule = rounds_.schedule();
    const auto trial = schedule == nullptr ? nullptr : schedule->copy();
    if (auto taken = take_in(trial.get(), record); !taken)
        return base::failure(std::move(taken.error()));
    return std::vector<records::Record>{std::move(record)};
}

Ordered Contest::admit_idle() const {
    std::vector<records::Record> records;
    std::string why = "nobody is withdrawn from " + config_.id + " for being away or silent";
    for (const auto& [entrant, reason] : all_withdrawn()) {
        if (!withdrawn_as_idle(entrant)) continue;
        if (auto admitted = admit(entry(entrant))) {
            records.push_back(std::move(admitted->front()));
        } else {
            why = std::move(admitted.error());
        }
    }
    if (records.empty()) return base::failure(std::move(why));
    return records;
}

std::string Contest::unfit(std::vector<formats::Entry> field) const {
    for (auto& entry : field) entry.take_part_in_all();
    const auto& info = game().info();
    const auto errors = formats::check_format(
        config_.format, field, {info.seats_min, info.seats_max, info.seats_max == 1});
    return errors.empty() ? std::string() : errors.front().message;
}

Ordered Contest::set_state(TournamentState state, const std::string& reason) const {
    const bool undone = state_ == TournamentState::aborted &&
                        state == (begun_ ? TournamentState::running : TournamentState::waiting);
    if (ended(state_) && !undone)
        return base::failure(config_.id + " is " + std::string(name_of(state_)));
    const bool frees = state == TournamentState::running && !matches_.aside().empty();
    if (state == state_ && !frees)
        return base::failure(config_.id + " is " + std::string(name_of(state_)) + " already");
    if (state == TournamentState::paused && state_ == TournamentState::waiting)
        return base::failure(config_.id + " has not begun");
    return std::vector<records::Record>{records::StateRecord{config_.id, state, reason}};
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
                             std::string(name_of(play->status)) + instead_of(matches_, key));
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

std::string after_change(const Contest& contest, std::uint64_t match, bool played_again) {
    if (!contest.matches().known(match)) return {};
    const auto* result = contest.results().find(match);
    const auto round = result != nullptr ? result->round : contest.round();
    const auto next = std::to_string(round + 1);
    std::string text;
    if (contest.round() > round && !contest.has_fixed_list())
        text = contest.round() == round + 1
                   ? "; round " + next + " is drawn already and stays as it is"
                   : fmt::format("; rounds {} to {} are drawn already and stay as they are", next,
                                 contest.round());
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
