#include "tests/sim/liveness.h"

#include <algorithm>

#include "protocol/base/text.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::contests::ContestSnapshot;
using referee::formats::FormatKind;

// As configs/README.md promises: bots of a ladder wait for others so long, or as long as a rest.
constexpr Duration patience_of_ladders = 10s;
// The time that commits, stalls and the pauses between our own looks take together.
constexpr Duration slack = 2s;

// As it promises, too: two whose games repeat rest from each other, at most so many times as long.
constexpr int rests_most = 64;

Duration rest_from_each_other(const ContestSnapshot& contest,
                              const referee::formats::MatchResult& match) {
    const auto rest = contest.config->rest;
    auto longer = rest;
    std::string last;
    for (const auto& [ordinal, one] : contest.results) {
        if (ordinal > match.match || one.seats != match.seats) continue;
        std::string games;
        for (const auto& game : one.counted) games += game.fingerprint.text();
        longer = !games.empty() && games == last ? std::min(2 * longer, rests_most * rest) : rest;
        last = std::move(games);
    }
    return longer;
}

Duration patience_of(const ContestSnapshot& contest) {
    if (contest.config->format.kind() != FormatKind::ladder) return slack;
    return std::max(patience_of_ladders, contest.config->rest) + slack;
}

}  // namespace

Liveness::Liveness(const World& world, const referee::lobby::Lobby& lobby,
                   referee::scheduler::Scheduler& scheduler, Complain complain)
    : world_(world), lobby_(lobby), scheduler_(scheduler), complain_(std::move(complain)) {}

void Liveness::on_match(const std::string& tournament, const referee::formats::MatchResult& match) {
    const auto contest = scheduler_.contest(tournament).snapshot();
    std::set<std::string> bots;
    for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
        bots.insert(contest.name(match.seats[seat]));
        auto& guest = guests_[{tournament, contest.name(match.seats[seat])}];
        guest.rests_until = world_.now() + contest.config->rest;
        if (!match.absent[seat]) guest.has_left = false;
    }
    apart_until_[{tournament, bots}] = world_.now() + rest_from_each_other(contest, match);
}

void Liveness::on_record(const referee::records::Record& record) {
    const auto* dropped = std::get_if<referee::records::DroppedRecord>(&record);
    if (dropped == nullptr) return;
    for (const auto& bot : dropped->left) guests_[{dropped->tournament, bot}].has_left = true;
}

bool Liveness::lasts(const std::string& what, bool is_so, Duration longest) {
    if (!is_so) {
        since_.erase(what);
        return false;
    }
    const auto since = since_.emplace(what, world_.now()).first;
    if (world_.now() - since->second <= longest) return false;
    since_.erase(since);
    return true;
}

void Liveness::look() {
    if (scheduler_.stopping()) return;
    look_at_waits();
    for (const auto& status : scheduler_.statuses()) {
        const auto& id = status.config->id;
        if (status.state != referee::records::TournamentState::running ||
            !scheduler_.store_trouble().empty()) {
            // Nothing need go on, so nothing is late.
            std::erase_if(since_, [&](const auto& one) { return one.first.starts_with(id + ' '); });
            for (auto& [who, guest] : guests_) {
                if (who.first == id) guest.idle_since.reset();
            }
            continue;
        }
        const auto contest = scheduler_.contest(id).snapshot();
        look_at_silence(contest);
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

// Records take their time: what is told of a moment ago may not be so any more.
void Liveness::look_at_waits() {
    Since untrue;
    for (const auto& wait : scheduler_.waits()) {
        const auto wrong = wrong_with(wait);
        if (wrong.empty()) continue;
        const auto text = subject_of(wait) + ", it is said, but " + wrong;
        const auto before = untrue_since_.find(text);
        const auto since = before == untrue_since_.end() ? world_.now() : before->second;
        if (world_.now() - since > slack) {
            complain_(text);
        } else {
            untrue.emplace(text, since);
        }
    }
    untrue_since_ = std::move(untrue);
}

void Liveness::look_at_silence(const ContestSnapshot& contest) {
    const auto& id = contest.config->id;
    const auto waits = scheduler_.waits();
    const bool says_nothing = std::ranges::none_of(waits, [&id](const auto& wait) {
        return wait.tournament == id || wait.tournament.empty();
    });
    const bool silent = says_nothing && !contest.over && scheduler_.games_running(id) == 0;
    if (lasts(id + " in silence", silent, patience_of(contest)))
        complain_(id + " stands still, and the referee does not say for whom it waits");
}

std::string Liveness::said_of(const std::string& tournament) {
    std::string text;
    for (const auto& wait : scheduler_.waits()) {
        if (wait.tournament != tournament && !wait.tournament.empty()) continue;
        text += (text.empty() ? "the referee says: " : "; ") + describe(wait, world_.now());
    }
    return text.empty() ? "the referee does not say for whom it waits" : text;
}

void Liveness::look_at_field(const ContestSnapshot& contest) {
    for (const auto& [name, bot] : lobby_.bots()) {
        const bool missing =
            bot->connected() && bot->plays(contest.config->game) && !contest.entrant_named(name);
        if (lasts(contest.config->id + " without " + name, missing, slack))
            complain_(name + " is there and takes no part in the ladder");
    }
}

Instant Liveness::apart_until(const std::string& tournament, const std::string& one,
                              const std::string& other) const {
    const auto found = apart_until_.find({tournament, {one, other}});
    return found == apart_until_.end() ? Instant{} : found->second;
}

void Liveness::look_at_ladder(const ContestSnapshot& contest) {
    const auto now = world_.now();
    std::set<std::string> seated;
    for (const auto& pairing : contest.open) {
        for (const auto entrant : pairing.seats) seated.insert(contest.name(entrant));
    }
    std::vector<std::pair<std::string, Instant>> standing;  // since when
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
        standing.emplace_back(name, *guest.idle_since);
    }
    const auto wait_too_long = [&](const auto& one, const auto& other) {
        const auto since = std::max(
            {one.second, other.second, apart_until(contest.config->id, one.first, other.first)});
        return now - since > patience_of(contest);
    };
    std::set<std::string> names;
    for (const auto& one : standing) {
        for (const auto& other : standing) {
            if (one.first < other.first && wait_too_long(one, other))
                names.insert({one.first, other.first});
        }
    }
    if (names.empty()) return;
    complain_("the ladder stands still: " + base::joined(names) + " could play, after " +
              std::to_string(contest.matches_played) + " matches; " + said_of(contest.config->id));
    for (auto& [who, guest] : guests_) guest.idle_since.reset();  // said once
}

void Liveness::look_at_rounds(const ContestSnapshot& contest) {
    // A game that is set aside waits until the machine is calm.
    bool all = scheduler_.games_running() == 0 && !contest.over && contest.set_aside.empty();
    for (referee::formats::Entrant entrant = 0; entrant < contest.entries->size(); ++entrant) {
        const auto bot = lobby_.bots().find(contest.name(entrant));
        all = all && (contest.is_withdrawn(entrant) ||
                      (bot != lobby_.bots().end() && could_play(*bot->second, contest)));
    }
    if (lasts(contest.config->id + " with all bots", all, slack))
        complain_("all bots of " + contest.config->id + " are there, and nothing is played; " +
                  said_of(contest.config->id));
}

}  // namespace tests::sim
