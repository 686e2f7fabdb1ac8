#include "tests/sim/invariants.h"

#include <algorithm>
#include <sstream>

#include "protocol/base/find.h"
#include "referee/game/trace/trace.h"
#include "referee/tournament/contests/contest.h"

namespace tests::sim {
namespace {

using referee::GameResult;
using referee::GameStatus;
using referee::records::GameRecord;
using referee::records::StartRecord;
using EndingKind = referee::scheduler::SchedulerEnding::Kind;

class Checks {
 public:
    Checks(const Evidence& evidence, RunReport& report) : evidence_(evidence), report_(report) {}

    void all() {
        games_ = of_kind<GameRecord>(evidence_.committed);
        for (const auto& record : evidence_.committed) {
            if (const auto* annulled = std::get_if<referee::records::AnnulmentRecord>(&record))
                annulled_.insert(game_id(annulled->key));
            if (const auto* restored = std::get_if<referee::records::RestorationRecord>(&record))
                annulled_.erase(game_id(restored->key));
        }
        ending();
        journal_order();
        past_makes_present();
        one_result_each();
        matches();
        by_hand();
        for (const auto* game : games_) {
            numbers(*game);
            reasons(game->result);
            replay(*game);
            states(*game);
            check_charges(evidence_, *game, report_);
        }
    }

 private:
    void complain(const std::string& text) { report_.complaints.push_back(text); }
    // One that still waits for the order to begin has no end.
    bool was_begun() const {
        return evidence_.contest.state != referee::records::TournamentState::waiting;
    }

    void ending() {
        const auto& plan = evidence_.plan;
        switch (evidence_.ending.kind) {
            case EndingKind::finished:
                if (!evidence_.contest.over && was_begun())
                    complain("finished, but the contest is not over");
                break;
            case EndingKind::stopped:
                if (!plan.stopped) complain("stopped by nobody");
                break;
            case EndingKind::set_aside:
                if (plan.stalls == 0)
                    complain("set aside without a stall: " + evidence_.ending.message);
                break;
            case EndingKind::not_recorded:
                if (plan.commits_good == 0) complain("not recorded on a good disk");
                break;
        }
    }

    // A match is recorded before its games, and the end comes last.
    void journal_order() {
        std::set<std::uint64_t> drawn;
        bool finished = false;
        for (const auto& record : evidence_.committed) {
            if (finished) complain("something is recorded behind the end");
            if (const auto* pairing = std::get_if<referee::records::PairingRecord>(&record))
                drawn.insert(pairing->match);
            if (const auto* game = std::get_if<GameRecord>(&record);
                game != nullptr && !drawn.contains(game->result.key.match)) {
                complain(game_id(game->result.key) + " is recorded before its match");
            }
            const auto* state = std::get_if<referee::records::StateRecord>(&record);
            finished =
                state != nullptr && state->state == referee::records::TournamentState::finished;
        }
        if (was_begun() && finished != (evidence_.ending.kind == EndingKind::finished))
            complain("the end is recorded without being it, or not recorded");
    }

    // A restart applies the records: they make sense wherever they are cut off, and all of them
    // together make the contest that we have.
    void past_makes_present() {
        referee::contests::Contest again(evidence_.tournament, evidence_.game);
        std::set<std::string> open;
        for (const auto& record : evidence_.committed) {
            if (const auto fits = again.apply(record); !fits)
                return complain("the journal does not make sense: " + fits.error());
            if (const auto* start = std::get_if<StartRecord>(&record))
                open.insert(game_id(start->key));
            if (const auto* game = std::get_if<GameRecord>(&record))
                open.erase(game_id(game->result.key));
            std::set<std::string> cut_off;
            for (const auto& plan : again.cut_off()) cut_off.insert(game_id(plan.key));
            if (cut_off != open) complain("plays that were cut off are not known as such");
        }
        if (evidence_.ending.kind == EndingKind::not_recorded) return;
        const auto points = [](const referee::standings::ResultList& results) {
            std::map<std::uint64_t, std::vector<engines::Score>> all;
            for (const auto& [ordinal, match] : results) all[ordinal] = match.points;
            return all;
        };
        if (points(again.results()) != points(evidence_.contest.results))
            complain("the journal makes other results");
        if (again.view().byes().size() != evidence_.contest.byes.size())
            complain("the journal makes other byes");
        if (again.view().counts().games_played != evidence_.contest.games_played)
            complain("the journal makes other games");
        if (again.state() != evidence_.contest.state) complain("the journal makes another state");
    }

    void one_result_each() {
        std::set<std::string> ids;
        std::set<std::string> begun;
        for (const auto* start : of_kind<StartRecord>(evidence_.committed))
            begun.insert(game_id(start->key));
        for (const auto& id : evidence_.started) {
            if (!begun.contains(id)) complain(id + " was begun before that was recorded");
        }
        std::set<std::pair<std::uint64_t, std::uint32_t>> counting;
        for (const auto* game : games_) {
            const auto& key = game->result.key;
            ids.insert(game_id(key));
            if (!begun.contains(game_id(key)))
                complain(game_id(key) + " has a result but was not started");
            if (counts(game->result.status)) {
                ++report_.games;
                report_.turns += static_cast<std::size_t>(game->result.turns);
                if (!annulled_.contains(game_id(key)) &&
                    !counting.emplace(key.match, key.number).second)
                    complain(game_id(key) + " counts twice");
            }
            report_.interrupted += game->result.status == GameStatus::interrupted ? 1 : 0;
            report_.annulled += game->result.status == GameStatus::annulled ? 1 : 0;
            report_.forfeited += game->result.status == GameStatus::forfeited ? 1 : 0;
            report_.faults += game->result.faults.size();
        }
        if (evidence_.ending.kind != EndingKind::not_recorded && ids != begun)
            complain("a started game has no result");
    }

    // The result of a match is that of its games, in whatever order these are told.
    void matches() {
        const auto& contest = evidence_.contest;
        if (evidence_.ending.kind == EndingKind::finished && contest.matches_total &&
            contest.results.size() != *contest.matches_total) {
            complain("matches are missing");
        }
        Random random(evidence_.plan.seed);
        // Only a contest that its records make knows what a match is asked for.
        referee::contests::Contest again(evidence_.tournament, evidence_.game);
        for (const auto& record : evidence_.committed) {
            if (!again.apply(record)) return;  // another check complains of it
        }
        for (const auto& [ordinal, told] : contest.results) {
            std::vector<GameResult> results;
            for (const auto* game : games_) {
                if (game->result.key.match != ordinal) continue;
                results.push_back(game->result);
                if (annulled_.contains(game_id(game->result.key)))
                    results.back().status = GameStatus::annulled;
            }
            for (std::size_t i = results.size(); i > 1; --i)
                std::swap(results[i - 1], results[random.below(i)]);
            const referee::formats::Pairing pairing{ordinal, told.round, told.seats};
            if (told.ruled) {
                as_ruled(told, pairing, again.matches().terms(ordinal));
                continue;
            }
            const auto tally =
                referee::formats::fold_match(contest.config->match, pairing, results,
                                             evidence_.game, again.matches().terms(ordinal));
            if (!tally.over || tally.result.points != told.points ||
                tally.result.placing != told.placing || tally.result.scores != told.scores ||
                tally.result.games != told.games || tally.result.used_us != told.used_us) {
                complain("match " + std::to_string(ordinal) +
                         " comes to something else in another order");
            }
        }
    }

    // The last word of the arbiter holds, whatever its games came to.
    void as_ruled(const referee::formats::MatchResult& told,
                  const referee::formats::Pairing& pairing,
                  const referee::formats::MatchTerms& terms) {
        ++report_.ruled;
        std::vector<int> placing;
        for (const auto* ruling : of_kind<referee::records::RulingRecord>(evidence_.committed)) {
            if (ruling->match == told.match)
                placing.assign(ruling->placing.begin(), ruling->placing.end());
        }
        if (placing != told.placing)
            return complain("match " + std::to_string(told.match) + " ends otherwise than ordered");
        if (referee::formats::ruled_result(pairing, placing, terms).points != told.points)
            complain("match " + std::to_string(told.match) + " has other points than ordered");
    }

    // A match that was set by hand is on the board, unless it lapsed.
    void by_hand() {
        std::map<std::uint32_t, std::set<std::string>> seated;
        for (const auto* pairing : of_kind<referee::records::PairingRecord>(evidence_.committed)) {
            for (const auto& bot : pairing->bots) {
                if (swiss() && !seated[pairing->round].insert(bot).second)
                    complain(bot + " is drawn twice in round " + std::to_string(pairing->round));
            }
            for (const auto& set : evidence_.contest.arbiter->by_hand_in(pairing->round))
                report_.by_hand += set.bots == pairing->bots ? 1 : 0;
        }
    }
    bool swiss() const {
        return evidence_.tournament.format.kind() == referee::formats::FormatKind::swiss;
    }

    void numbers(const GameRecord& game) {
        const auto& result = game.result;
        for (const auto us : result.used_us) {
            if (us < 0) complain(game_id(result.key) + ": negative time");
        }
        for (const auto& fault : result.faults) {
            for (const auto& us :
                 {fault.evidence.charged_us, fault.evidence.allowed_us, fault.evidence.budget_us}) {
                if (us.value_or(0) < 0) complain(game_id(result.key) + ": negative evidence");
            }
            if (fault.message.empty() || fault.rule.empty())
                complain(game_id(result.key) + ": a fault without message or rule");
        }
    }

    void reasons(const GameResult& result) {
        if (result.reason.empty()) complain(game_id(result.key) + " has no reason");
        const bool forfeit = std::ranges::any_of(result.faults, [](const auto& fault) {
            return fault.consequence == referee::Consequence::forfeit ||
                   fault.consequence == referee::Consequence::strike;
        });
        if (result.status == GameStatus::forfeited && !forfeit)
            complain(game_id(result.key) + " is forfeited without a fault");
        if (counts(result.status) == result.outcome.scores.empty())
            complain(game_id(result.key) + ": outcome and status disagree");
        if (result.status == GameStatus::annulled && evidence_.plan.stalls == 0)
            complain(game_id(result.key) + " is annulled without a stall");
    }

    // Of a play that was cut off, only that is known.
    bool was_cut_off(const GameRecord& game) const {
        return game.result.status == GameStatus::interrupted && game.replay.empty() &&
               !evidence_.plan.cuts.empty();
    }

    void replay(const GameRecord& game) {
        if (was_cut_off(game)) return;
        std::istringstream text(game.replay);
        const auto checked =
            referee::trace::check_replay(text, game_id(game.result.key), registry());
        if (!checked) {
            complain("replay refused: " + checked.error().message);
            return;
        }
        for (const auto& difference : checked->differences)
            complain(game_id(game.result.key) + " replays differently: " + difference);
    }

    // The state that bots had in mind, patched or sent again, is what the rules say.
    void states(const GameRecord& game) {
        if (was_cut_off(game)) return;
        const auto id = game_id(game.result.key);
        const auto from = evidence_.states.lower_bound({id, 0});
        if (from == evidence_.states.end() || from->first.first != id) return;
        protocol::json::Document params;
        if (!params.parse(game.result.params)) return complain(id + ": params are no JSON");
        auto started = evidence_.game.start(params.root(), game.result.seed);
        auto& state = *started.value();
        std::int64_t turns = 0;
        std::vector<Json> now{state_json(state)};  // before and after forfeits
        const auto compare = [&] {
            const auto seen = evidence_.states.find({id, turns});
            if (seen == evidence_.states.end()) return;
            for (const auto& one : seen->second) {
                ++report_.states;
                if (base::contains(now, one)) continue;
                complain(id + ": a bot has another state before turn " + std::to_string(turns + 1) +
                         ": " + one.dump() + " instead of " + now.back().dump());
            }
        };
        std::istringstream lines(game.replay);
        std::string line;
        std::getline(lines, line);
        referee::trace::TurnLine turn;
        std::vector<engines::Note> notes;
        while (std::getline(lines, line) && turn.read(line, state.seats(), true) &&
               !turn.result()) {
            if (turn.forfeit()) {
                state.forfeit(*turn.forfeit());
                now.push_back(state_json(state));
                continue;
            }
            compare();
            notes.clear();
            state.apply(turn.answers(), notes);
            ++turns;
            now = {state_json(state)};
        }
        compare();
    }

    const Evidence& evidence_;
    RunReport& report_;
    std::vector<const GameRecord*> games_;
    std::set<std::string> annulled_;  // by order
};

}  // namespace

std::vector<referee::records::Record> records_of(
    const std::string& tournament, const std::vector<referee::records::Record>& committed) {
    std::vector<referee::records::Record> found;
    for (const auto& record : committed) {
        const auto* its = referee::records::tournament_of(record);
        if (its != nullptr && *its == tournament) found.push_back(record);
    }
    return found;
}

void check_invariants(const Evidence& evidence, RunReport& report) {
    Checks(evidence, report).all();
}

}  // namespace tests::sim
