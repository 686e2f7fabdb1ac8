#include <algorithm>
#include <set>
#include <utility>

#include "protocol/codec.h"
#include "referee/arena/scheduler/scheduler.h"
#include "referee/limits.h"

// Who of a ladder can be paired now, and when to look again. A rest ends without an event that
// would wake the scheduler: each look sees to it that there is a next one.

namespace referee::scheduler {
namespace {

Duration leaver_waits(unsigned times) {
    auto wait = limits::leaver_waits_first;
    for (unsigned i = 1; i < times && wait < limits::leaver_waits_max; ++i) wait *= 2;
    return std::min(wait, limits::leaver_waits_max);
}

std::string in_seconds(Duration time) {
    return std::to_string(std::chrono::ceil<std::chrono::seconds>(time).count()) + " s";
}

protocol::Note leaver_note(std::string_view message, Duration wait) {
    protocol::Note note;
    note.code = protocol::name_of(protocol::NoteCode::left_matches);
    note.message = message;
    note.wait_us = in_us(wait);
    return note;
}

}  // namespace

// Whose game is over and not yet recorded: its rest is yet to begin, and it may leave.
std::set<const lobby::Bot*> Scheduler::awaiting_records() const {
    std::set<const lobby::Bot*> bots;
    for (const auto& [id, running] : tables_) {
        if (!running.table->play().finished()) continue;
        for (const auto* bot : running.table->bots()) bots.insert(bot);
    }
    return bots;
}

// A ladder pairs whoever is there and free.
void Scheduler::offer(Slot& slot) {
    auto& contest = *slot.contest;
    if (contest.config().format.kind != tournament::FormatKind::ladder) return;
    const auto now = with_.timers.now();
    std::erase_if(slot.rests_until, [now](const auto& rest) { return rest.second <= now; });
    const auto unrecorded = awaiting_records();
    std::vector<Entrant> free;
    std::size_t here = 0;
    for (Entrant entrant = 0; entrant < contest.entrants(); ++entrant) {
        if (contest.withdrawn(entrant)) continue;
        auto& bot = bot_of(slot, entrant);
        if (waits_for_having_left(slot, entrant)) continue;
        if (!bot.connected()) with_.supply.want(bot);
        const bool is_here = bot.connected() && bot.plays(contest.config().game);
        if (!is_here) continue;
        ++here;
        slot.seen.insert(entrant);
        if (bot.places().empty() && !contest.in_match(entrant) &&
            !slot.rests_until.contains(bot.name()) && !unrecorded.contains(&bot)) {
            free.push_back(entrant);
        }
    }
    for (const auto& [bot, until] : slot.rests_until) pump_later(until);
    if (!others_are_awaited(slot, free)) here = free.size();
    contest.offer(std::move(free), here);
}

// Whether those who are free wait for the others who are here, so as not to meet again whom they
// met lately: for a while. It is longer than a rest, or two who rest at the same time would meet
// each other for ever.
bool Scheduler::others_are_awaited(Slot& slot, const std::vector<Entrant>& free) {
    const auto now = with_.timers.now();
    std::erase_if(slot.free_since, [&free](const auto& since) {
        return std::find(free.begin(), free.end(), since.first) == free.end();
    });
    for (const auto entrant : free) slot.free_since.try_emplace(entrant, now);
    const auto patience = std::max(limits::ladder_patience, slot.contest->config().rest);
    if (free.size() < 2) return true;
    const auto first = std::min_element(
        slot.free_since.begin(), slot.free_since.end(),
        [](const auto& one, const auto& other) { return one.second < other.second; });
    if (first->second + patience <= now) return false;
    pump_later(first->second + patience);
    return true;
}

// It is told as often as it comes back before that is over.
bool Scheduler::waits_for_having_left(Slot& slot, Entrant entrant) {
    const auto found = slot.leavers.find(entrant);
    if (found == slot.leavers.end()) return false;
    auto& leaver = found->second;
    const auto left = leaver.waits_until - with_.timers.now();
    if (left <= Duration::zero()) {
        slot.leavers.erase(found);
        return false;
    }
    pump_later(leaver.waits_until);
    auto* session = bot_of(slot, entrant).session();
    const bool was_told = std::exchange(leaver.told, session != nullptr);
    if (was_told || session == nullptr) return true;
    const auto times = slot.contest->left_in_a_row(entrant);
    const auto message = "you left " + std::to_string(times) +
                         (times == 1 ? " match" : " matches in a row") + " of the ladder " +
                         slot.contest->config().id + " before the first turn; you wait " +
                         in_seconds(left) + " for the next one";
    session->send(leaver_note(message, left));
    session->flush();
    return true;
}

// Nobody waits for a bot that went as soon as it heard of its game: the others are free again, and
// the match is dropped when that is recorded, whoever may have come back by then. What a launched
// bot's end means its table finds out.
void Scheduler::end_deserted_games(Slot& slot) {
    std::map<std::uint64_t, std::vector<Entrant>> deserted;  // by table
    for (const auto& [id, running] : tables_) {
        const auto& play = running.table->play();
        if (running.slot != &slot || play.finished() || play.turns_played() > 0 ||
            !slot.contest->droppable(running.plan.key.match))
            continue;
        for (const auto entrant : running.plan.entrants) {
            const auto& bot = bot_of(slot, entrant);
            if (!bot.connected() && !with_.supply.launches(bot)) deserted[id].push_back(entrant);
        }
    }
    for (auto& [id, left] : deserted) {
        auto& running = tables_.at(id);
        const auto reason =
            slot.contest->name(left.front()) + " left before the first turn: the match is dropped";
        slot.deserted[running.plan.key.match] = std::move(left);
        running.table->stop(GameStatus::interrupted, reason);
    }
}

bool Scheduler::drop_deserted(Slot& slot, std::size_t i) {
    auto& contest = *slot.contest;
    const auto& plan = contest.waiting()[i];
    const auto match = plan.key.match;
    const bool is_played = std::any_of(tables_.begin(), tables_.end(), [&](const auto& table) {
        return table.second.slot == &slot && table.second.plan.key.match == match;
    });
    if (is_played || !contest.droppable(match)) return false;
    const auto now = with_.timers.now();
    const auto known = slot.deserted.extract(match);
    auto left = known.empty() ? std::vector<Entrant>{} : known.mapped();
    std::string reason;
    const auto because = [&](Entrant entrant, const std::string& what) {
        reason += (reason.empty() ? "" : ", ") + contest.name(entrant) + " " + what;
    };
    for (const auto entrant : left) because(entrant, "left before the first turn");
    for (const auto entrant : contest.seats_of(match)) {
        const auto& bot = bot_of(slot, entrant);
        const bool is_here = bot.connected() && bot.plays(contest.config().game);
        if (std::find(left.begin(), left.end(), entrant) != left.end()) continue;
        if (contest.withdrawn(entrant)) {
            because(entrant, "is withdrawn");
        } else if (is_here || !bot.places().empty()) {
            continue;
        } else if (slot.seen.contains(entrant)) {
            left.push_back(entrant);
            because(entrant, "left before the first turn");
        } else {
            // Who was drawn by a former run of the referee has yet to find back to it.
            const auto key = std::pair(bot.name(), contest.config().game);
            const auto until =
                away_since_.emplace(key, now).first->second + contest.config().no_show_after;
            if (now < until) continue;  // try_begin() waits for it
            because(entrant, "did not come back");
        }
    }
    if (reason.empty()) return false;
    auto records = contest.drop(match, left, reason);
    for (const auto entrant : left)
        slot.leavers[entrant] = {now + leaver_waits(contest.left_in_a_row(entrant))};
    record(&slot, std::move(records), [this, &contest, match, reason] {
        observer_.on_dropped(contest.config().id,
                             match_id(contest.config().id, match) + ": " + reason);
        pump();
    });
    return true;
}

void Scheduler::rest(Slot& slot, const tournament::MatchResult& match) {
    const auto& contest = *slot.contest;
    if (contest.config().format.kind != tournament::FormatKind::ladder) return;
    const auto until = with_.timers.now() + contest.config().rest;
    for (const auto entrant : match.seats) slot.rests_until[contest.name(entrant)] = until;
}

}  // namespace referee::scheduler
