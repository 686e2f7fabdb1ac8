#include "tests/sim/liveness.h"

#include <algorithm>

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::scheduler::ContestSnapshot;
using referee::tournament::FormatKind;

// As configs/README.md promises: so long, or as long as a rest, the free wait for others.
constexpr Duration patience_of_ladders = 10s;
// What commits, stalls and our own looking now and then come to.
constexpr Duration slack = 2s;

}  // namespace

Liveness::Liveness(const World& world, const referee::lobby::Lobby& lobby,
                   const referee::scheduler::Scheduler& scheduler, Complain complain)
    : world_(world), lobby_(lobby), scheduler_(scheduler), complain_(std::move(complain)) {}

void Liveness::on_match(const std::string& tournament,
                        const referee::tournament::MatchResult& match) {
    const auto contest = *scheduler_.status_of(tournament);
    for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
        auto& guest = guests_[{tournament, contest.name(match.seats[seat])}];
        guest.rests_until = world_.now() + contest.config->rest;
        if (!match.absent[seat]) guest.has_left = false;
    }
}

void Liveness::on_record(const referee::journal::Record& record) {
    const auto* dropped = std::get_if<referee::journal::DroppedRecord>(&record);
    if (dropped == nullptr) return;
    for (const auto& bot : dropped->left) guests_[{dropped->tournament, bot}].has_left = true;
}

void Liveness::look() {
    for (const auto& status : scheduler_.statuses()) {
        if (status.state != referee::journal::TournamentState::running || scheduler_.stopping() ||
            !scheduler_.strain().empty())
            continue;
        const auto contest = scheduler_.snapshot_of(status.config->id);
        if (contest.config->format.kind() == FormatKind::ladder) {
            look_at_field(contest);
            look_at_ladder(contest);
        } else {
            look_at_rounds(contest);
        }
    }
}

bool Liveness::could_play(const referee::lobby::Bot& bot, const ContestSnapshot& contest) const {
    return bot.connected() && bot.plays(contest.config->game) && bot.places().empty() &&
           bot.free_seats() > 0;
}

void Liveness::look_at_field(const ContestSnapshot& contest) {
    for (const auto& [name, bot] : lobby_.bots()) {
        auto& since = guests_[{contest.config->id, name}].not_enrolled_since;
        const bool missing =
            bot->connected() && bot->plays(contest.config->game) && !contest.entrant_named(name);
        if (!missing) {
            since.reset();
            continue;
        }
        if (!since) since = world_.now();
        if (world_.now() - *since <= slack) continue;
        complain_(name + " is there and takes no part in the ladder");
        since.reset();
    }
}

void Liveness::look_at_ladder(const ContestSnapshot& contest) {
    const auto now = world_.now();
    std::set<std::string> seated;
    for (const auto& pairing : contest.open) {
        for (const auto entrant : pairing.seats) seated.insert(contest.name(entrant));
    }
    std::string standing;
    std::size_t count = 0;
    const auto longest = std::max(patience_of_ladders, contest.config->rest) + slack;
    for (const auto& [name, bot] : lobby_.bots()) {
        auto& guest = guests_[{contest.config->id, name}];
        const auto entrant = contest.entrant_named(name);
        const bool idle = entrant && !contest.is_withdrawn(*entrant) && could_play(*bot, contest) &&
                          !seated.contains(name) && guest.rests_until <= now && !guest.has_left;
        if (!idle) {
            guest.idle_since.reset();
            continue;
        }
        if (!guest.idle_since) guest.idle_since = now;
        if (now - *guest.idle_since <= longest) continue;
        ++count;
        standing += (standing.empty() ? "" : ", ") + name;
    }
    if (count < 2) return;
    complain_("the ladder stands still: " + standing + " could play, after " +
              std::to_string(contest.matches_played) + " matches");
    for (auto& [who, guest] : guests_) guest.idle_since.reset();  // said once
}

void Liveness::look_at_rounds(const ContestSnapshot& contest) {
    // A game that is set aside waits for a machine that is calm.
    bool all = scheduler_.games_running() == 0 && !contest.over && contest.set_aside.empty();
    for (referee::scheduler::Entrant entrant = 0; entrant < contest.entries->size(); ++entrant) {
        const auto bot = lobby_.bots().find(contest.name(entrant));
        all = all && (contest.is_withdrawn(entrant) ||
                      (bot != lobby_.bots().end() && could_play(*bot->second, contest)));
    }
    if (!all) {
        still_since_.reset();
        return;
    }
    if (!still_since_) still_since_ = world_.now();
    if (world_.now() - *still_since_ <= slack) return;
    complain_("all bots are there, and nothing is played");
    still_since_.reset();
}

}  // namespace tests::sim
