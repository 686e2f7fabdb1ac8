#include "referee/tournament/scheduler/ladder_matching.h"

#include <algorithm>
#include <utility>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/messages.h"
#include "referee/contest/standings/match_result.h"
#include "referee/tournament/scheduler/attendance.h"

namespace referee::scheduler {
namespace {

// Two whose games repeat rest from each other twice as long as a bot rests, so often doubled: where
// nobody else is here, they still play now and then.
constexpr unsigned doublings_max = 6;

std::string in_seconds(Duration time) {
    return std::to_string(std::chrono::ceil<std::chrono::seconds>(time).count()) + " s";
}

}  // namespace

bool LadderMatching::pairs_who_is_free() const {
    return formats::traits_of(contest_.config().format).pairs_who_is_free;
}

void LadderMatching::offer(const std::set<const lobby::Bot*>& wanted_elsewhere) {
    if (!pairs_who_is_free()) return;
    const auto now = context_.timers.now();
    std::erase_if(rests_until_, [now](const auto& rest) { return rest.second <= now; });
    std::vector<formats::Entrant> free;
    std::set<formats::Entrant> absent;
    std::size_t here = 0;
    bool has_newcomer = false;
    for (formats::Entrant entrant = 0; entrant < contest_.entrants(); ++entrant) {
        if (contest_.withdrawn(entrant)) continue;
        auto& bot = field_.bot(entrant);
        if (must_wait(entrant) || wanted_elsewhere.contains(&bot)) continue;
        if (!bot.connected()) context_.supply.want(bot);
        if (!field_.is_here(entrant)) {
            // A bot that is launched leaves between its games, and comes when it is wanted.
            if (contest_.matches().in_open_match(entrant) && !context_.supply.launches(bot))
                absent.insert(entrant);
            continue;
        }
        seen_.insert(entrant);
        const bool is_newcomer =
            !contest_.has_played(entrant) && contest_.left_in_a_row(entrant) == 0;
        has_newcomer = has_newcomer || is_newcomer;
        // Nobody waits for a bot that never played and sits in a match, or left one.
        const bool is_awaited = contest_.has_played(entrant) ||
                                (is_newcomer && !contest_.matches().in_open_match(entrant));
        here += is_awaited ? 1 : 0;
        if (bot.places().empty() && !contest_.matches().in_open_match(entrant) &&
            !rests_until_.contains(bot.name()) && !tables_.awaits_record(bot)) {
            free.push_back(entrant);
            here += is_awaited ? 0 : 1;
        }
    }
    for (const auto& [bot, until] : rests_until_) looks_.wake_by(until);
    if (!others_are_awaited(free)) here = free.size();
    auto apart = apart_of(free);
    // Who stood idle would be the one that newcomers meet, who may never get ready.
    if (has_newcomer) apart.clear();
    contest_.offer(std::move(free), here, std::move(apart), absent);
}

// Who of the free ones rest from each other. Requires: they are sorted.
formats::EntrantPairs LadderMatching::apart_of(const std::vector<formats::Entrant>& free) {
    const auto now = context_.timers.now();
    const auto are_free = [&free](const Pair& pair) {
        return std::ranges::binary_search(free, pair.first) &&
               std::ranges::binary_search(free, pair.second);
    };
    std::erase_if(apart_, [&](const auto& one) {
        return one.second.until <= now ||
               (are_free(one.first) && one.second.programs != programs_of(one.first));
    });
    formats::EntrantPairs apart;
    for (const auto& [pair, rest] : apart_) {
        looks_.wake_by(rest.until);
        if (are_free(pair)) apart.insert(pair);
    }
    return apart;
}

// What tells their programs from the next ones: who dials in may be another one each time.
std::string LadderMatching::programs_of(const Pair& pair) {
    std::string text;
    for (const auto entrant : {pair.first, pair.second}) {
        const auto& bot = field_.bot(entrant);
        if (bot.process() != nullptr) {
            text += bot.process()->program().program;
        } else if (bot.session() != nullptr) {
            text += bot.session()->id();
        }
        text += '\n';
    }
    return text;
}

// Bots that have met lately don't meet again at once: for a while the free ones wait for the others
// who are here. This while is at least as long as a rest. If it were shorter, two bots that rest at
// the same time would only ever meet each other.
bool LadderMatching::others_are_awaited(const std::vector<formats::Entrant>& free) {
    const auto now = context_.timers.now();
    std::erase_if(free_since_,
                  [&free](const auto& since) { return !base::contains(free, since.first); });
    for (const auto entrant : free) free_since_.try_emplace(entrant, now);
    const auto patience = std::max(ladder_patience, contest_.config().rest);
    if (free.size() < 2) return true;
    const auto first = free_longest();
    if (first + patience <= now) return false;
    looks_.wake_by(first + patience);
    return true;
}

// Since when the first of the free ones has been free; of those who have played, where there are
// two. Requires: somebody is free.
Instant LadderMatching::free_longest() const {
    const auto earliest = [this](bool counts_all) {
        std::size_t counted = 0;
        auto first = Instant::max();
        for (const auto& [entrant, since] : free_since_) {
            if (!counts_all && !contest_.has_played(entrant)) continue;
            ++counted;
            first = std::min(first, since);
        }
        return std::pair(counted, first);
    };
    const auto [counted, first] = earliest(false);
    return counted >= 2 ? first : earliest(true).second;
}

// The bot is told once on each connection.
bool LadderMatching::must_wait(formats::Entrant entrant) {
    const auto found = leavers_.find(entrant);
    if (found == leavers_.end()) return false;
    auto& leaver = found->second;
    const auto left = leaver.waits_until - context_.timers.now();
    if (left <= Duration::zero()) {
        leavers_.erase(found);
        return false;
    }
    looks_.wake_by(leaver.waits_until);
    auto* session = field_.bot(entrant).session();
    const bool was_told = std::exchange(leaver.told, session != nullptr);
    if (was_told || session == nullptr) return true;
    const auto times = contest_.left_in_a_row(entrant);
    const auto message = "you left " + base::counted(times, "match", "matches in a row") +
                         " of the ladder " + contest_.config().id +
                         " before the first turn, or were not ready in time; you wait " +
                         in_seconds(left) + " for the next one";
    session->send(protocol::Note{.code = protocol::name_of(protocol::NoteCode::left_matches),
                                 .message = message,
                                 .wait_us = in_us(left)});
    session->flush();
    return true;
}

void LadderMatching::end_deserted_games() {
    if (!pairs_who_is_free()) return;
    std::map<Tables::Id, std::vector<formats::Entrant>> deserted;
    for (const auto id : tables_.games_of(contest_.config().id)) {
        const auto& running = tables_.at(id);
        const auto& play = running.table->play();
        if (play.finished() || play.turns_played() > 0 ||
            !contest_.matches().droppable(running.plan.key.match))
            continue;
        for (const auto entrant : running.plan.entrants) {
            const auto& bot = field_.bot(entrant);
            if (!bot.connected() && !context_.supply.launches(bot)) deserted[id].push_back(entrant);
        }
    }
    for (auto& [id, left] : deserted) {
        auto& running = tables_.at(id);
        const auto reason =
            contest_.name(left.front()) + " left before the first turn: the match is dropped";
        deserted_[running.plan.key.match] = std::move(left);
        running.table->stop(GameStatus::interrupted, reason);
    }
}

void LadderMatching::note_unready(const RunningGame& running) {
    const auto& play = running.table->play();
    const auto match = running.plan.key.match;
    if (!pairs_who_is_free() || play.result().status != GameStatus::interrupted ||
        !contest_.matches().droppable(match))
        return;
    const auto missing = play.not_ready();
    if (missing.empty()) return;
    auto& left = deserted_[match];
    for (const auto seat : missing) {
        const auto entrant = running.plan.entrants[seat];
        if (!base::contains(left, entrant)) left.push_back(entrant);
    }
    unready_.insert(match);
}

std::optional<LadderMatching::Dropped> LadderMatching::drop_deserted(
    const contests::GamePlan& plan) {
    const auto match = plan.key.match;
    if (!contest_.matches().droppable(match) || tables_.of_match(contest_.config().id, match))
        return std::nullopt;
    const auto known = deserted_.extract(match);
    auto left = known.empty() ? std::vector<formats::Entrant>{} : known.mapped();
    const auto reason = why_deserted(match, left);
    if (reason.empty()) return std::nullopt;
    auto records = contest_.drop(match, left, reason);
    for (const auto entrant : left)
        leavers_[entrant] = {context_.timers.now() + doubled(leaver_waits_first,
                                                             contest_.left_in_a_row(entrant),
                                                             leaver_waits_max)};
    return Dropped{match_id(contest_.config().id, match) + ": " + reason, std::move(records)};
}

// Why the match can't be played; empty where it can. Adds the bots that left by themselves to
// `left`.
std::string LadderMatching::why_deserted(std::uint64_t match, std::vector<formats::Entrant>& left) {
    std::string reason;
    const auto because = [&](formats::Entrant entrant, const std::string& what) {
        reason += (reason.empty() ? "" : ", ") + contest_.name(entrant) + " " + what;
    };
    const bool unready = unready_.erase(match) > 0;
    for (const auto entrant : left)
        because(entrant, unready ? "was not ready in time" : "left before the first turn");
    for (const auto entrant : contest_.matches().pairing(match).seats) {
        const auto& bot = field_.bot(entrant);
        if (base::contains(left, entrant)) continue;
        if (contest_.withdrawn(entrant)) {
            because(entrant, "is withdrawn");
        } else if (field_.is_here(entrant) || !bot.places().empty()) {
            continue;
        } else if (seen_.contains(entrant)) {
            left.push_back(entrant);
            because(entrant, "left before the first turn");
        } else {
            // A former run of the referee has drawn it: it has time to find back, which no excuse
            // and no launch makes longer.
            const auto now = context_.timers.now();
            const auto since = absences_.begin(bot, contest_.config().game, now);
            if (now < since + contest_.config().no_show_after) continue;
            because(entrant, "did not come back");
        }
    }
    return reason;
}

void LadderMatching::rest(const formats::MatchResult& match) {
    if (!pairs_who_is_free()) return;
    const auto now = context_.timers.now();
    const auto rest = contest_.config().rest;
    for (const auto entrant : match.seats) rests_until_[contest_.name(entrant)] = now + rest;
    if (match.seats.size() != 2) return;
    const auto times = standings::repetitions(contest_.results(), match);
    if (times == 0) return;
    const Pair pair = std::minmax(match.seats[0], match.seats[1]);
    const auto longer = 1U << std::min(times, doublings_max);
    apart_[pair] = {now + longer * rest, programs_of(pair)};
}

void LadderMatching::add_rests(std::vector<Wait>& found) {
    const auto& config = contest_.config();
    if (tables_.of(config.id) > 0) return;
    Wait rests{.kind = Wait::Kind::for_rest, .tournament = config.id, .routine = true};
    Wait busy{.kind = Wait::Kind::for_busy, .tournament = config.id, .routine = true};
    std::vector<Wait> launches;
    std::size_t here = 0;
    std::size_t failing = 0;
    const auto now = context_.timers.now();
    for (formats::Entrant entrant = 0; entrant < contest_.entrants(); ++entrant) {
        if (contest_.withdrawn(entrant)) continue;
        const auto& bot = field_.bot(entrant);
        if (bot.connected() && !field_.is_here(entrant)) continue;  // it plays another game
        const auto coming = bot.connected() ? BotSupply::Coming{} : context_.supply.coming(bot);
        if (!coming.launch.empty()) {
            failing += coming.failing ? 1 : 0;
            launches.push_back({.kind = Wait::Kind::for_bot,
                                .tournament = config.id,
                                .bots = {bot.name()},
                                .until = coming.until,
                                .detail = coming.launch,
                                .routine = !coming.failing});
            continue;
        }
        // A bot that is launched leaves between its games, and comes when it is wanted.
        if (!bot.connected() && !context_.supply.launches(bot)) continue;
        ++here;
        const auto rest = rests_until_.find(bot.name());
        if (!bot.places().empty()) {
            busy.bots.push_back(bot.name());
        } else if (rest != rests_until_.end() && rest->second > now) {
            rests.bots.push_back(bot.name());
            rests.until = std::min(rest->second, rests.until.value_or(rest->second));
        }
    }
    if (rests.bots.empty() && busy.bots.empty() && launches.empty()) add_apart(rests);
    const bool enough = here + launches.size() - failing >= formats::seats_min_of(config.format);
    if (!enough)
        found.push_back(
            {.kind = Wait::Kind::for_opponents, .tournament = config.id, .count = here});
    for (auto* wait : {&rests, &busy}) {
        if (enough && !wait->bots.empty()) found.push_back(std::move(*wait));
    }
    // The others play on: that a launch fails is told by the launch.
    if (enough)
        for (auto& launch : launches) launch.routine = true;
    found.insert(found.end(), launches.begin(), launches.end());
}

void LadderMatching::add_unmatched(std::vector<Wait>& found) {
    const auto& config = contest_.config();
    if (!pairs_who_is_free() || tables_.of(config.id) > 0) return;
    std::size_t here = 0;
    std::size_t free = 0;
    for (formats::Entrant entrant = 0; entrant < contest_.entrants(); ++entrant) {
        if (contest_.withdrawn(entrant) || !field_.is_here(entrant)) continue;
        ++here;
        const bool sits = contest_.matches().in_open_match(entrant);
        free += !sits && field_.bot(entrant).places().empty() ? 1 : 0;
    }
    if (free > 0 && free < formats::seats_min_of(config.format))
        found.push_back(
            {.kind = Wait::Kind::for_opponents, .tournament = config.id, .count = here});
}

// Tells of those who are here and rest from each other.
void LadderMatching::add_apart(Wait& rests) {
    std::set<std::string> bots;
    for (const auto& [pair, rest] : apart_) {
        const bool plays_on = rest.until <= context_.timers.now() || !field_.is_here(pair.first) ||
                              !field_.is_here(pair.second) || contest_.withdrawn(pair.first) ||
                              contest_.withdrawn(pair.second);
        if (plays_on) continue;
        for (const auto entrant : {pair.first, pair.second}) bots.insert(contest_.name(entrant));
        rests.until = std::min(rest.until, rests.until.value_or(rest.until));
    }
    rests.bots.assign(bots.begin(), bots.end());
    rests.detail = "would play the same games again";
}

void LadderMatching::add_leavers(std::vector<Wait>& found) const {
    for (const auto& [entrant, leaver] : leavers_) {
        if (leaver.waits_until <= context_.timers.now() || contest_.withdrawn(entrant)) continue;
        found.push_back({.kind = Wait::Kind::for_leaver,
                         .tournament = contest_.config().id,
                         .bots = {contest_.name(entrant)},
                         .count = contest_.left_in_a_row(entrant),
                         .until = leaver.waits_until,
                         .routine = true});
    }
}

}  // namespace referee::scheduler
