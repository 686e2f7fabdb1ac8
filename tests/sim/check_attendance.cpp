#include "tests/sim/invariants.h"

#include <algorithm>
#include <sstream>

#include "referee/game/trace/trace.h"
#include "referee/tournament/contests/contest.h"

namespace tests::sim {
namespace {

namespace records = referee::records;
using engines::Seat;
using referee::game_id;

// In how many of its turns each seat gave a move that the rules accept.
std::vector<std::size_t> moves_taken(const records::GameRecord& game, const engines::Game& rules) {
    protocol::json::Document params;
    std::vector<std::size_t> taken(game.result.bots.size());
    if (!params.parse(game.result.params)) return taken;
    auto started = rules.start(params.root(), game.result.seed);
    auto& state = *started.value();
    std::istringstream lines(game.replay);
    std::string line;
    std::getline(lines, line);
    referee::trace::TurnLine turn;
    std::vector<engines::Note> notes;
    while (std::getline(lines, line) && turn.read(line, state.seats(), true) && !turn.result()) {
        if (turn.forfeit()) {
            state.forfeit(*turn.forfeit());
            continue;
        }
        const auto to_move = state.to_move();
        std::vector<bool> gave;
        for (Seat seat = 0; seat < taken.size(); ++seat) {
            const auto move = turn.answers()[seat].move;
            gave.push_back(to_move.test(seat) && move && !move.is_null());
        }
        notes.clear();
        state.apply(turn.answers(), notes);
        for (const auto& note : notes) {
            if (note.is_fault && !note.over_time) gave[note.seat] = false;
        }
        for (Seat seat = 0; seat < taken.size(); ++seat) taken[seat] += gave[seat] ? 1 : 0;
    }
    return taken;
}

class Attendance {
 public:
    Attendance(const Evidence& evidence, RunReport& report)
        : evidence_(evidence),
          report_(report),
          again_(evidence.tournament, evidence.game),
          most_(evidence.tournament.withdraw_after) {}

    void check() {
        for (const auto& record : evidence_.committed) {
            const auto* gone = std::get_if<records::WithdrawalRecord>(&record);
            if (gone == nullptr) nobody_is_due();
            if (!again_.apply(record)) return;  // other checks tell that
            if (gone != nullptr) withdrawn(*gone);
            if (const auto* entry = std::get_if<records::EntryRecord>(&record)) {
                guests_[entry->bot] = {};
            } else if (const auto* game = std::get_if<records::GameRecord>(&record)) {
                games_[game_id(game->result.key)] = game;
                matches_that_ended();
            } else if (const auto* annulled = std::get_if<records::AnnulmentRecord>(&record)) {
                again(*annulled);
            } else if (const auto* one = std::get_if<records::RestorationRecord>(&record)) {
                // Who came to it was counted before.
                if (again_.results().find(one->key.match) != nullptr) ended_.insert(one->key.match);
            }
        }
        nobody_is_due();
    }

 private:
    struct Guest {
        std::size_t idle = 0;  // matches in a row
        bool is_out = false;
        bool for_that = false;
    };

    void complain(const std::string& text) { report_.complaints.push_back(text); }
    bool too_many(const Guest& guest) const { return most_ > 0 && guest.idle >= most_; }

    void nobody_is_due() {
        for (auto& [bot, guest] : guests_) {
            if (guest.is_out || !too_many(guest)) continue;
            complain(bot + " gave no valid move in " + std::to_string(guest.idle) +
                     " matches in a row, and is not withdrawn");
            guest.is_out = true;  // told once
        }
    }

    void withdrawn(const records::WithdrawalRecord& record) {
        auto& guest = guests_[record.bot];
        const bool by_order = !evidence_.plan.orders.empty() && record.reason == "simulated";
        if (!by_order && !too_many(guest))
            complain(record.bot + " is withdrawn for what it did not do: " + record.reason);
        guest.is_out = true;
        guest.for_that = !by_order;
        if (by_order) return;
        ++report_.withdrawn;
        report_.out.insert(record.bot);
    }

    // In the match that an annulment takes back, a bot may have been silent.
    void again(const records::AnnulmentRecord& annulled) {
        ended_.erase(annulled.key.match);
        for (const auto entrant : again_.matches().pairing(annulled.key.match).seats) {
            auto& guest = guests_[again_.name(entrant)];
            if (!guest.for_that) guest.idle = 0;
        }
    }

    void matches_that_ended() {
        for (const auto& [ordinal, match] : again_.results()) {
            // What an arbiter says tells of nobody whether it came.
            if (match.ruled || !ended_.insert(ordinal).second) continue;
            for (const auto entrant : match.seats) count(again_.name(entrant), match);
        }
    }

    void count(const std::string& bot, const referee::formats::MatchResult& match) {
        bool gave_a_move = false;
        bool was_at_fault = false;
        for (const auto& counted : match.counted) {
            const auto id =
                game_id({again_.config().id, match.match, counted.number, counted.attempt});
            const auto& game = *games_.at(id);
            const auto& bots = game.result.bots;
            const auto found = std::ranges::find(bots, bot);
            if (found == bots.end()) continue;
            const auto seat = static_cast<Seat>(found - bots.begin());
            gave_a_move = gave_a_move || moves_taken(game, again_.game())[seat] > 0;
            was_at_fault =
                was_at_fault || std::ranges::any_of(game.result.faults, [seat](const auto& fault) {
                    return fault.seat == seat;
                });
        }
        auto& guest = guests_[bot];
        if (gave_a_move) {
            guest.idle = 0;
        } else if (was_at_fault) {
            ++guest.idle;
        }
    }

    const Evidence& evidence_;
    RunReport& report_;
    referee::contests::Contest again_;
    std::uint32_t most_;
    std::map<std::string, Guest> guests_;
    std::map<std::string, const records::GameRecord*> games_;  // by id
    std::set<std::uint64_t> ended_;                            // matches
};

}  // namespace

void check_attendance(const Evidence& evidence, RunReport& report) {
    Attendance(evidence, report).check();
}

}  // namespace tests::sim
