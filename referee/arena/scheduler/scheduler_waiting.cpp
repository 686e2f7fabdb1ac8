#include <algorithm>
#include <utility>

#include "referee/arena/scheduler/scheduler.h"

// What does not go on at present, and for whom it waits.

namespace referee::scheduler {
namespace {

using journal::TournamentState;
using Kind = Waiting::Kind;

// News of waits come no more often than this: most waits are over before a person could read of
// them.
constexpr Duration news_every = std::chrono::seconds(1);

}  // namespace

std::vector<Waiting> Scheduler::waiting() {
    std::vector<Waiting> found;
    if (!started_ || ended_) return found;
    if (!strain_.empty()) found.push_back({.kind = Kind::for_disk, .detail = strain_});
    if (stopping_) {
        Waiting end{.kind = Kind::for_end, .count = tables_.size()};
        if (grace_timer_ != 0) end.until = grace_ends_;
        if (end.count > 0) found.push_back(std::move(end));
    } else {
        for (const auto& slot : slots_) add_waits(*slot, found);
    }
    for (const auto& [id, running] : tables_) add_returns(running, found);
    return found;
}

void Scheduler::add_waits(Slot& slot, std::vector<Waiting>& found) {
    const auto& contest = *slot.contest;
    Waiting wait{.tournament = contest.config().id};
    switch (contest.state()) {
        case TournamentState::waiting:
            wait.kind = Kind::for_order;
            found.push_back(std::move(wait));
            return;
        case TournamentState::paused:
            wait.kind = Kind::for_resume;
            wait.detail = contest.state_reason();
            found.push_back(std::move(wait));
            return;
        case TournamentState::aborted:
        case TournamentState::finished:
            return;
        case TournamentState::running:
            break;
    }
    if (slot.preparing) {
        wait.kind = Kind::for_draw;
        wait.routine = true;
        found.push_back(std::move(wait));
        return;
    }
    if (slot.called_at && !slot.gathered) {
        wait.kind = Kind::for_arrivals;
        wait.bots = missing(slot);
        wait.until = *slot.called_at + settings_.join_within;
        if (!wait.bots.empty()) found.push_back(std::move(wait));
        return;
    }
    add_asides(slot, found);
    const auto before = found.size();
    add_absences(slot, found);
    if (found.size() == before) add_routine_waits(slot, found);
    add_leavers(slot, found);
}

// Bots for which drawn games wait, until the time is over in which they may come.
void Scheduler::add_absences(Slot& slot, std::vector<Waiting>& found) {
    const auto& contest = *slot.contest;
    const auto& game = contest.config().game;
    std::map<Entrant, std::size_t> games;
    for (const auto& plan : contest.waiting()) {
        for (const auto entrant : plan.entrants) ++games[entrant];
    }
    for (const auto& [entrant, count] : games) {
        const auto& bot = bot_of(slot, entrant);
        const auto until = awaited_until(slot, entrant);
        if (!until || *until <= with_.timers.now()) continue;
        Waiting wait{.kind = Kind::for_bot,
                     .tournament = contest.config().id,
                     .bots = {bot.name()},
                     .count = count,
                     .until = until,
                     .detail = "is away"};
        if (bot.connected()) wait.detail = "is here and does not play " + game;
        if (const auto coming = with_.supply.coming(bot); !coming.launch.empty()) {
            wait.detail = coming.launch;
            wait.routine = !coming.failing;
        }
        found.push_back(std::move(wait));
    }
}

// Until when games wait for a bot that is away; nothing where they don't wait for it.
std::optional<Instant> Scheduler::awaited_until(Slot& slot, Entrant entrant) {
    const auto& config = slot.contest->config();
    const auto& bot = bot_of(slot, entrant);
    if (slot.contest->withdrawn(entrant) || !bot.places().empty() ||
        (bot.connected() && bot.plays(config.game)))
        return std::nullopt;
    const auto away = away_since_.find(std::pair(bot.name(), config.game));
    if (away == away_since_.end()) return std::nullopt;
    return given_up_at(slot, bot, away->second);
}

// Until when games wait for a bot that is away. Start-up is free: who is being started isn't lost
// before its time for that is over.
Instant Scheduler::given_up_at(const Slot& slot, const lobby::Bot& bot, Instant away_since) const {
    const auto until = std::max(away_since, slot.resumed_at) + slot.contest->config().no_show_after;
    return std::max(until, with_.supply.coming(bot).until.value_or(until));
}

// Why a tournament stands still though all is well.
void Scheduler::add_routine_waits(Slot& slot, std::vector<Waiting>& found) {
    const auto& contest = *slot.contest;
    Waiting wait{.tournament = contest.config().id, .routine = true};
    const bool ladder = contest.config().format.kind == tournament::FormatKind::ladder;
    const auto& planned = contest.waiting();
    wait.count = static_cast<std::size_t>(
        std::count_if(planned.begin(), planned.end(),
                      [&](const auto& plan) { return !is_set_aside(slot, plan); }));
    if (wait.count == 0) {
        if (ladder) return add_ladder_waits(slot, found);
        const auto open = contest.open_matches();
        const auto drawn = contest.matches_played() + open.size();
        if (contest.drawn_out() || open.empty() ||
            drawn >= contest.matches_total().value_or(drawn + 1))
            return;
        wait.kind = Kind::for_matches;
        wait.count = open.size();
        for (const auto& match : open) {
            for (const auto entrant : match.seats) wait.bots.push_back(contest.name(entrant));
        }
        found.push_back(std::move(wait));
        return;
    }
    if (games_running(contest.config().id) > 0) return;
    if (tables_.size() >= settings_.games_at_once) {
        wait.kind = Kind::for_place;
        found.push_back(std::move(wait));
        return;
    }
    wait.kind = Kind::for_busy;
    std::set<std::string> busy;
    for (const auto& plan : planned) {
        if (is_set_aside(slot, plan)) continue;
        for (const auto entrant : plan.entrants) {
            const auto& bot = bot_of(slot, entrant);
            if (!bot.places().empty()) busy.insert(bot.name());
        }
    }
    wait.bots.assign(busy.begin(), busy.end());
    if (!wait.bots.empty()) found.push_back(std::move(wait));
}

void Scheduler::add_ladder_waits(Slot& slot, std::vector<Waiting>& found) {
    const auto& contest = *slot.contest;
    const auto& config = contest.config();
    if (games_running(contest.config().id) > 0) return;
    Waiting wait{.tournament = config.id};
    const auto now = with_.timers.now();
    for (Entrant entrant = 0; entrant < contest.entrants(); ++entrant) {
        const auto& bot = bot_of(slot, entrant);
        if (contest.withdrawn(entrant) || !bot.plays(config.game)) continue;
        ++wait.count;
        const auto rest = slot.rests_until.find(bot.name());
        if (rest == slot.rests_until.end() || rest->second <= now) continue;
        wait.bots.push_back(bot.name());
        wait.until = std::min(rest->second, wait.until.value_or(rest->second));
    }
    if (wait.count < std::min(config.format.seats, config.format.seats_min)) {
        wait.kind = Kind::for_opponents;
        wait.bots.clear();
        wait.until.reset();
    } else {
        wait.kind = Kind::for_rest;
        wait.routine = true;
        if (wait.bots.empty()) return;
    }
    found.push_back(std::move(wait));
}

// Also those who are gone: whoever asks why a bot plays no more looks when it is back.
void Scheduler::add_leavers(const Slot& slot, std::vector<Waiting>& found) const {
    const auto& contest = *slot.contest;
    for (const auto& [entrant, leaver] : slot.leavers) {
        if (leaver.waits_until <= with_.timers.now() || contest.withdrawn(entrant)) continue;
        found.push_back({.kind = Kind::for_leaver,
                         .tournament = contest.config().id,
                         .bots = {contest.name(entrant)},
                         .count = contest.left_in_a_row(entrant),
                         .until = leaver.waits_until,
                         .routine = true});
    }
}

// Bots that lost their connection in a game that needs them now.
void Scheduler::add_returns(const Running& running, std::vector<Waiting>& found) const {
    const auto& table = *running.table;
    for (Seat seat = 0; seat < table.bots().size(); ++seat) {
        const auto deadline = table.deadline(seat);
        if (!deadline || table.bots()[seat]->connected() || table.play().finished()) continue;
        found.push_back({.kind = Kind::for_return,
                         .tournament = running.slot->contest->config().id,
                         .game = table.game_id(),
                         .bots = {table.bots()[seat]->name()},
                         .until = deadline});
    }
}

void Scheduler::tell_waiting() {
    if (waiting_timer_ != 0 || ended_) return;
    const auto now = with_.timers.now();
    if (waiting_looked_at_ && now < *waiting_looked_at_ + news_every) {
        waiting_timer_ = with_.timers.schedule(*waiting_looked_at_ + news_every, [this] {
            waiting_timer_ = 0;
            tell_waiting();
        });
        return;
    }
    waiting_looked_at_ = now;
    auto present = waiting();
    const auto same = [](const Waiting& one, const Waiting& other) {
        return same_wait(one, other) && one.bots == other.bots;
    };
    if (std::equal(present.begin(), present.end(), waiting_told_.begin(), waiting_told_.end(),
                   same))
        return;
    waiting_told_ = std::move(present);
    observer_.on_waiting(waiting_told_);
}

}  // namespace referee::scheduler
